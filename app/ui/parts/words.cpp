// SPDX-License-Identifier: GPL-3.0-or-later
#include "parts/words.hpp"

#include <QApplication>
#include <QFontDatabase>

#include "alidade/models/text.hpp"

namespace alidade::ui {
namespace {

/// Not named tr: lupdate reads no mark inside a call of that name.
QString said(const char* text, int n = -1) { return QCoreApplication::translate("Words", text, nullptr, n); }

} // namespace

QString agoText(guard::WallTime then, guard::WallTime now) {
    const auto s = std::max<qint64>(0, std::chrono::duration_cast<std::chrono::seconds>(now - then).count());
    if (s < 90) {
        return said(QT_TRANSLATE_NOOP("Words", "%1 s")).arg(s);
    }
    if (s < 90 * 60) {
        return said(QT_TRANSLATE_NOOP("Words", "%1 min")).arg(s / 60);
    }
    if (s < 48 * 3600) {
        return said(QT_TRANSLATE_NOOP("Words", "%1 h")).arg(s / 3600);
    }
    return said(QT_TRANSLATE_NOOP("Words", "%1 d")).arg(s / 86400);
}

QString freshnessText(const cluster::Freshness& f, guard::WallTime now) {
    using State = cluster::Freshness::State;
    const QString why = f.error ? models::shown(f.error->detail) : QString();
    const bool synced = f.lastSync != guard::WallTime{};
    switch (f.state) {
    case State::Empty: return said(QT_TRANSLATE_NOOP("Words", "Waiting for the first answer"));
    case State::Loading:
        return f.total        ? said(QT_TRANSLATE_NOOP("Words", "Loading, %1 of about %2")).arg(f.loaded).arg(*f.total)
               : f.loaded > 0 ? said(QT_TRANSLATE_NOOP("Words", "Loading, %1 so far")).arg(f.loaded)
                              : said(QT_TRANSLATE_NOOP("Words", "Loading"));
    case State::Live:
        return f.lastEvent == guard::WallTime{}
                   ? said(QT_TRANSLATE_NOOP("Words", "Watching"))
                   : said(QT_TRANSLATE_NOOP("Words", "Watching, last change %1 ago")).arg(agoText(f.lastEvent, now));
    case State::CatchingUp:
        return synced
                   ? said(QT_TRANSLATE_NOOP("Words", "Catching up; rows as of %1")).arg(models::clockText(f.lastSync))
                   : said(QT_TRANSLATE_NOOP("Words", "Catching up"));
    case State::Stale:
        return synced ? said(QT_TRANSLATE_NOOP("Words", "Stale since %1: %2")).arg(models::clockText(f.lastSync), why)
                      : said(QT_TRANSLATE_NOOP("Words", "No answer yet: %1")).arg(why);
    case State::Polling:
        return said(QT_TRANSLATE_NOOP("Words", "Listed every 30 s, last %1 ago")).arg(agoText(f.lastSync, now));
    case State::Forbidden: return said(QT_TRANSLATE_NOOP("Words", "Forbidden: %1")).arg(why);
    case State::Failed: return said(QT_TRANSLATE_NOOP("Words", "Stopped: %1")).arg(why);
    }
    return {};
}

bool isFresh(const cluster::Freshness& f) {
    using State = cluster::Freshness::State;
    return f.state == State::Live || f.state == State::Polling;
}

QString errorTitle(guard::ErrorCode code) {
    using guard::ErrorCode;
    switch (code) {
    case ErrorCode::Cancelled: return said(QT_TRANSLATE_NOOP("Words", "Cancelled"));
    case ErrorCode::Timeout: return said(QT_TRANSLATE_NOOP("Words", "No answer in time"));
    case ErrorCode::Unreachable: return said(QT_TRANSLATE_NOOP("Words", "The server cannot be reached"));
    case ErrorCode::ConnectionLost: return said(QT_TRANSLATE_NOOP("Words", "The connection was lost"));
    case ErrorCode::Tls: return said(QT_TRANSLATE_NOOP("Words", "The server's certificate is not trusted"));
    case ErrorCode::Protocol: return said(QT_TRANSLATE_NOOP("Words", "The answer is not Kubernetes'"));
    case ErrorCode::TooLarge: return said(QT_TRANSLATE_NOOP("Words", "The answer is too large"));
    case ErrorCode::BadRequest: return said(QT_TRANSLATE_NOOP("Words", "The server refuses the request"));
    case ErrorCode::NeedsLogin: return said(QT_TRANSLATE_NOOP("Words", "The credentials are not accepted"));
    case ErrorCode::Forbidden: return said(QT_TRANSLATE_NOOP("Words", "Forbidden"));
    case ErrorCode::NotFound: return said(QT_TRANSLATE_NOOP("Words", "Not found"));
    case ErrorCode::Conflict: return said(QT_TRANSLATE_NOOP("Words", "Changed in the meantime"));
    case ErrorCode::Gone: return said(QT_TRANSLATE_NOOP("Words", "The version is too old"));
    case ErrorCode::Invalid: return said(QT_TRANSLATE_NOOP("Words", "Refused by validation"));
    case ErrorCode::Denied: return said(QT_TRANSLATE_NOOP("Words", "Refused by a policy"));
    case ErrorCode::Throttled: return said(QT_TRANSLATE_NOOP("Words", "The server asks to slow down"));
    case ErrorCode::Unavailable: return said(QT_TRANSLATE_NOOP("Words", "Not available"));
    case ErrorCode::ServerError: return said(QT_TRANSLATE_NOOP("Words", "The server failed"));
    case ErrorCode::Config: return said(QT_TRANSLATE_NOOP("Words", "The configuration cannot be used"));
    case ErrorCode::Io: return said(QT_TRANSLATE_NOOP("Words", "A file cannot be used"));
    case ErrorCode::Unsupported: return said(QT_TRANSLATE_NOOP("Words", "Not supported"));
    case ErrorCode::Refused: return said(QT_TRANSLATE_NOOP("Words", "Refused by the guard"));
    case ErrorCode::Internal: return said(QT_TRANSLATE_NOOP("Words", "A fault of this program"));
    }
    return {};
}

QString errorDetail(const guard::Error& error) {
    QString text = models::shown(error.detail);
    if (!error.where.empty()) {
        text = text.isEmpty() ? models::shown(error.where) : models::shown(error.where) + QStringLiteral(": ") + text;
    }
    return text;
}

QString errorAdvice(guard::ErrorCode code) {
    using guard::ErrorCode;
    switch (code) {
    case ErrorCode::Unreachable:
    case ErrorCode::Timeout:
    case ErrorCode::ConnectionLost:
        return said(QT_TRANSLATE_NOOP(
            "Words", "It is tried again by itself. Check the server's address, the network and any proxy."));
    case ErrorCode::Tls:
        return said(QT_TRANSLATE_NOOP(
            "Words", "Check certificate-authority in the kubeconfig entry and the server's certificate."));
    case ErrorCode::NeedsLogin:
        return said(
            QT_TRANSLATE_NOOP("Words", "Log in again, or renew the token or certificate of the kubeconfig user."));
    case ErrorCode::Forbidden:
        return said(QT_TRANSLATE_NOOP("Words", "Ask for the right, or choose a namespace that you may read."));
    case ErrorCode::Protocol:
        return said(QT_TRANSLATE_NOOP(
            "Words", "Check that the address is a Kubernetes API server and not a proxy or a web page."));
    case ErrorCode::Config:
        return said(QT_TRANSLATE_NOOP("Words", "Mend the entry named above, then choose the context again."));
    default: return {};
    }
}

QString connectionText(const cluster::ConnectionState& state) {
    using Kind = cluster::ConnectionState::Kind;
    switch (state.kind) {
    case Kind::Connecting: return said(QT_TRANSLATE_NOOP("Words", "Connecting"));
    case Kind::Connected:
        if (state.serverVersion.empty()) { // who may not ask for it
            return said(QT_TRANSLATE_NOOP("Words", "Connected"));
        }
        return said(QT_TRANSLATE_NOOP("Words", "Connected, Kubernetes %1")).arg(models::shown(state.serverVersion));
    case Kind::Unreachable:
    case Kind::NeedsLogin:
    case Kind::Failed:
        return state.error ? errorTitle(state.error->code) + QStringLiteral(": ") + errorDetail(*state.error)
                           : said(QT_TRANSLATE_NOOP("Words", "Not connected"));
    }
    return {};
}

QString objectText(const guard::ObjectKey& key) { return models::shown(key.text()); }

QFont headingFont(int level) {
    QFont font = QApplication::font();
    font.setPointSizeF(font.pointSizeF() * (level == 1 ? 1.5 : 1.25));
    font.setWeight(QFont::DemiBold);
    return font;
}

QFont monoFont() {
    QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    font.setPointSizeF(QApplication::font().pointSizeF());
    return font;
}

QFont smallFont() {
    QFont font = QApplication::font();
    font.setPointSizeF(font.pointSizeF() * 0.88);
    return font;
}

} // namespace alidade::ui
