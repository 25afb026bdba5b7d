// SPDX-License-Identifier: GPL-3.0-or-later
#include "alidade/models/text.hpp"

#include <algorithm>
#include <chrono>

#include <QCoreApplication>
#include <QDateTime>
#include <QLocale>

#include "alidade/guard/text.hpp"

namespace alidade::models {
namespace {

constexpr char escape = '\x1b';

QDateTime local(guard::WallTime at) {
    const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(at.time_since_epoch()).count();
    return QDateTime::fromMSecsSinceEpoch(ms);
}

bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isAscii(std::string_view text) {
    return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}
char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// Index behind a string sequence (OSC, DCS, APC, PM, SOS): up to BEL or ST, or the end of the text.
std::size_t afterString(std::string_view text, std::size_t at) {
    while (at < text.size()) {
        if (text[at] == '\x07') {
            return at + 1;
        }
        if (text[at] == escape && at + 1 < text.size() && text[at + 1] == '\\') {
            return at + 2;
        }
        ++at;
    }
    return at;
}

} // namespace

QString shown(std::string_view text) { return QString::fromStdString(guard::visibleText(text, false)); }
QString shownLines(std::string_view text) { return QString::fromStdString(guard::visibleText(text, true)); }
QString plainTip(const QString& text) {
    return text.contains(QLatin1Char('<'))
               ? QStringLiteral("<span style=\"white-space:pre-wrap\">%1</span>").arg(text.toHtmlEscaped())
               : text;
}

std::string utf8(const QString& text) { return text.toStdString(); }

std::string stripSequences(std::string_view text) {
    if (text.find(escape) == std::string_view::npos) {
        return std::string(text);
    }
    std::string out;
    out.reserve(text.size());
    std::size_t i = 0;
    while (i < text.size()) {
        if (text[i] != escape || i + 1 >= text.size()) {
            out.push_back(text[i++]);
            continue;
        }
        const char kind = text[i + 1];
        if (kind == '[') {
            std::size_t j = i + 2;
            while (j < text.size() && static_cast<unsigned char>(text[j]) >= 0x20 &&
                   static_cast<unsigned char>(text[j]) <= 0x3f) {
                ++j;
            }
            if (j < text.size() && static_cast<unsigned char>(text[j]) >= 0x40 &&
                static_cast<unsigned char>(text[j]) <= 0x7e) {
                i = j + 1;
                continue;
            }
        } else if (kind == ']' || kind == 'P' || kind == '_' || kind == '^' || kind == 'X') {
            i = afterString(text, i + 2);
            continue;
        }
        out.push_back(text[i++]); // not a sequence we know: left for visibleText()
    }
    return out;
}

QString shownLogLine(std::string_view line, std::size_t maxBytes) {
    QString out = shown(stripSequences(line.substr(0, std::min(line.size(), maxBytes * 2))));
    const bool cut = line.size() > maxBytes;
    if (cut) {
        out.truncate(static_cast<qsizetype>(maxBytes));
        if (!out.isEmpty() && out.back().isHighSurrogate()) {
            out.chop(1);
        }
        const auto more = static_cast<qlonglong>((line.size() - maxBytes + 1023) / 1024);
        out += QCoreApplication::translate("Text", " … %1 KB more").arg(more);
    }
    return out;
}

std::string naturalKey(std::string_view text) {
    std::string key;
    key.reserve(text.size() + 8);
    std::size_t i = 0;
    while (i < text.size()) {
        if (!isDigit(text[i])) {
            key.push_back(text[i] == '\0' ? '\x01' : lower(text[i]));
            ++i;
            continue;
        }
        std::size_t end = i;
        while (end < text.size() && isDigit(text[end])) {
            ++end;
        }
        while (i + 1 < end && text[i] == '0') {
            ++i;
        }
        // A run of digits sorts where digits do, by its length first and then by its digits.
        key.push_back('0');
        key.push_back(static_cast<char>(std::min<std::size_t>(end - i, 0x7e) + 1));
        key.append(text.substr(i, end - i));
        i = end;
    }
    return key;
}

std::string folded(std::string_view text) {
    if (isAscii(text)) {
        std::string out(text);
        std::transform(out.begin(), out.end(), out.begin(), lower);
        return out;
    }
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())).toCaseFolded().toStdString();
}

QString clockText(guard::WallTime at) {
    const QDateTime time = local(at);
    const QString clock = time.toString(QStringLiteral("HH:mm:ss"));
    if (time.date() == QDate::currentDate()) {
        return clock;
    }
    return QLocale().toString(time, QStringLiteral("d MMM ")) + clock;
}

QString fullTimeText(guard::WallTime at) {
    const QDateTime time = local(at);
    return QLocale().toString(time, QStringLiteral("d MMM yyyy HH:mm:ss ")) + time.timeZoneAbbreviation();
}

QString durationText(guard::Millis duration) {
    const auto ms = duration.count();
    if (ms < 1000) {
        return QCoreApplication::translate("Text", "%1 ms").arg(ms);
    }
    if (ms < 60'000) {
        return QCoreApplication::translate("Text", "%1 s")
            .arg(QLocale().toString(static_cast<double>(ms) / 1000.0, 'f', 1));
    }
    return QCoreApplication::translate("Text", "%1 min %2 s").arg(ms / 60'000).arg(ms / 1000 % 60);
}

} // namespace alidade::models
