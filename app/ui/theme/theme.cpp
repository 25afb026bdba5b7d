// SPDX-License-Identifier: GPL-3.0-or-later
#include "theme/theme.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <QFontDatabase>
#include <QGuiApplication>
#include <QPainter>
#include <QPainterPath>
#include <QPixmap>

#include "theme/mode.hpp"

namespace alidade::ui::theme {

namespace {

QColor rgb(const char* name) { return QColor(QLatin1String(name)); }

Tokens light() {
    Tokens t;
    t.mode = Mode::Light;
    t.surface = rgb("#FFFFFF");
    t.raised = rgb("#F5F7FA");
    t.sunken = rgb("#E9EDF2");
    t.border = rgb("#8894A3");
    t.line = rgb("#DFE4EA");
    t.text = rgb("#1A2230");
    t.muted = rgb("#505C6D");
    t.accent = rgb("#1D5BB8");
    t.onAccent = rgb("#FFFFFF");
    t.good = rgb("#17693A");
    t.warn = rgb("#7A5000");
    t.bad = rgb("#A8231C");
    t.info = rgb("#1D5BB8");
    t.blocked = rgb("#6A1B8F");
    t.selection = rgb("#D3E2F8");
    t.changed = rgb("#FFF0B8");
    return t;
}

Tokens dark() {
    Tokens t;
    t.mode = Mode::Dark;
    t.surface = rgb("#12161C");
    t.raised = rgb("#1B212A");
    t.sunken = rgb("#0C1014");
    t.border = rgb("#6B7888");
    t.line = rgb("#2A323D");
    t.text = rgb("#E6EAF0");
    t.muted = rgb("#A3AFBE");
    t.accent = rgb("#7DB1FF");
    t.onAccent = rgb("#0B1B33");
    t.good = rgb("#63CE91");
    t.warn = rgb("#E3B458");
    t.bad = rgb("#FF9187");
    t.info = rgb("#7DB1FF");
    t.blocked = rgb("#DBA8F3");
    t.selection = rgb("#22406B");
    t.changed = rgb("#4A3F14");
    return t;
}

Tokens highContrast() {
    Tokens t;
    t.mode = Mode::HighContrast;
    t.surface = t.raised = t.sunken = rgb("#000000");
    t.border = t.line = rgb("#FFFFFF");
    t.text = t.muted = rgb("#FFFFFF");
    t.accent = t.info = rgb("#00E5FF");
    t.onAccent = rgb("#000000");
    t.good = rgb("#5CFF8D");
    t.warn = rgb("#FFE15C");
    t.bad = rgb("#FF9C94");
    t.blocked = rgb("#F5B8FF");
    t.selection = rgb("#003A66");
    t.changed = rgb("#3D3300");
    return t;
}

// The look of the running application, as its palette is: one per process by nature.
Mode modeInUse = Mode::Light;
bool motionReduced = false;

double luminance(const QColor& colour) {
    const auto linear = [](double c) { return c <= 0.03928 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); };
    return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) + 0.0722 * linear(colour.blueF());
}

} // namespace

void setMode(Mode mode) { modeInUse = mode; }

const Tokens& tokensOf(Mode mode) {
    static const std::array<Tokens, 3> all{light(), dark(), highContrast()};
    return all[static_cast<std::size_t>(mode)];
}

const Tokens& tokens() { return tokensOf(modeInUse); }

QFont monospace(double scale) {
    QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    font.setPointSizeF(QGuiApplication::font().pointSizeF() * scale * 0.95);
    return font;
}

QFont heading(double scale) {
    QFont font = QGuiApplication::font();
    font.setPointSizeF(font.pointSizeF() * scale);
    font.setWeight(QFont::DemiBold);
    return font;
}

QFont tabular() {
    QFont font = QGuiApplication::font();
    font.setStyleHint(QFont::SansSerif);
    return font;
}

void paintShape(QPainter& painter, const QRectF& box, Shape shape, const QColor& colour) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const double side = std::min(box.width(), box.height());
    const QRectF b(box.center().x() - side / 2, box.center().y() - side / 2, side, side);
    const double pen = std::max(1.0, side * 0.11);
    const QRectF in = b.adjusted(side * 0.14, side * 0.14, -side * 0.14, -side * 0.14);
    painter.setPen(Qt::NoPen);
    painter.setBrush(colour);
    const QPen stroke(colour, pen, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin);
    switch (shape) {
    case Shape::FilledCircle: painter.drawEllipse(in); break;
    case Shape::Triangle: {
        const QPolygonF triangle{QPointF(in.center().x(), in.top()), in.bottomRight(), in.bottomLeft()};
        painter.drawPolygon(triangle);
        break;
    }
    case Shape::Octagon: {
        QPolygonF octagon;
        for (int i = 0; i < 8; ++i) {
            const double angle = M_PI / 8 + i * M_PI / 4;
            octagon << in.center() + QPointF(std::cos(angle), std::sin(angle)) * in.width() * 0.54;
        }
        painter.drawPolygon(octagon);
        break;
    }
    case Shape::Square: painter.drawRoundedRect(in, side * 0.12, side * 0.12); break;
    case Shape::BarredCircle: {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(stroke);
        painter.drawEllipse(in);
        const double d = in.width() / 2 * 0.7071;
        painter.drawLine(in.center() + QPointF(-d, -d), in.center() + QPointF(d, d));
        break;
    }
    case Shape::HollowCircle:
        painter.setBrush(Qt::NoBrush);
        painter.setPen(stroke);
        painter.drawEllipse(in);
        break;
    case Shape::Clock:
        painter.setBrush(Qt::NoBrush);
        painter.setPen(stroke);
        painter.drawEllipse(in);
        painter.drawLine(in.center(), in.center() + QPointF(0, -in.height() * 0.32));
        painter.drawLine(in.center(), in.center() + QPointF(in.width() * 0.26, 0));
        break;
    }
    painter.restore();
}

QIcon shapeIcon(Shape shape, const QColor& colour) {
    QIcon icon;
    for (const int size : {16, 20, 32}) {
        QPixmap pixmap(size, size);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        paintShape(painter, QRectF(0, 0, size, size), shape, colour);
        icon.addPixmap(pixmap);
    }
    return icon;
}

Look lookOf(cluster::Health health) {
    const Tokens& t = tokens();
    switch (health) {
    case cluster::Health::Ok: return {Shape::FilledCircle, t.good};
    case cluster::Health::Progressing: return {Shape::Clock, t.warn};
    case cluster::Health::Warning: return {Shape::Triangle, t.warn};
    case cluster::Health::Bad: return {Shape::Octagon, t.bad};
    case cluster::Health::Unknown: return {Shape::HollowCircle, t.muted};
    case cluster::Health::Done: return {Shape::Square, t.muted};
    }
    return {Shape::HollowCircle, t.muted};
}

Look lookOf(guard::RunOutcome outcome) {
    const Tokens& t = tokens();
    using Outcome = guard::RunOutcome;
    switch (outcome) {
    case Outcome::Resolved:
    case Outcome::NoFault: return {Shape::FilledCircle, t.good};
    case Outcome::AwaitingApproval: return {Shape::Clock, t.warn};
    case Outcome::Escalated:
    case Outcome::Undetermined:
    case Outcome::ExecutedNotVerified: return {Shape::Triangle, t.warn};
    case Outcome::Blocked: return {Shape::BarredCircle, t.blocked};
    case Outcome::Declined:
    case Outcome::Cancelled: return {Shape::HollowCircle, t.muted};
    case Outcome::Failed: return {Shape::Octagon, t.bad};
    }
    return {Shape::HollowCircle, t.muted};
}

Look lookOf(const guard::RunEvent& event) {
    const Tokens& t = tokens();
    switch (event.kind) {
    case guard::RunEventKind::Step: return {Shape::Square, t.info};
    case guard::RunEventKind::Gate:
        return event.verdict && !event.verdict->passed ? Look{Shape::Octagon, t.bad}
                                                       : Look{Shape::FilledCircle, t.good};
    case guard::RunEventKind::Fallback: return {Shape::Triangle, t.warn};
    case guard::RunEventKind::Action: return {Shape::Clock, t.accent};
    case guard::RunEventKind::Blocked:
    case guard::RunEventKind::Breaker: return {Shape::BarredCircle, t.blocked};
    case guard::RunEventKind::Done: return event.outcome ? lookOf(*event.outcome) : Look{Shape::Square, t.info};
    }
    return {Shape::Square, t.info};
}

QColor contextHue(const QString& context, bool isProtected) {
    if (isProtected)
        return tokens().bad;
    std::uint32_t hash = 2166136261U;
    for (const QChar c : context)
        hash = (hash ^ c.unicode()) * 16777619U;
    // Hues that no state uses: from teal to violet.
    const double hue = (165.0 + hash % 110) / 360.0;
    return QColor::fromHslF(static_cast<float>(hue), 0.55F, modeInUse == Mode::Light ? 0.40F : 0.62F);
}

double contrast(const QColor& a, const QColor& b) {
    const double x = luminance(a);
    const double y = luminance(b);
    return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}

bool reducedMotion() { return motionReduced; }

void setReducedMotion(bool on) { motionReduced = on; }

} // namespace alidade::ui::theme
