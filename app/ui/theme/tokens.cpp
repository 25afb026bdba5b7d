// SPDX-License-Identifier: GPL-3.0-or-later
#include "theme/tokens.hpp"

#include <algorithm>
#include <cmath>

namespace alidade::ui {

const Tokens& lightTokens() {
    static const Tokens t{"#FFFFFF", "#F5F7FA", "#E9EDF2", "#8894A3", "#1A2230", "#505C6D",
                          "#1D5BB8", "#FFFFFF", "#17693A", "#7A5000", "#A8231C", "#1D5BB8",
                          "#6A1B8F", "#D3E2F8", "#FFF0B8", "#DDE3EA", false};
    return t;
}
const Tokens& darkTokens() {
    static const Tokens t{"#12161C", "#1B212A", "#0C1014", "#6B7888", "#E6EAF0", "#A3AFBE",
                          "#7DB1FF", "#0B1B33", "#63CE91", "#E3B458", "#FF9187", "#7DB1FF",
                          "#DBA8F3", "#22406B", "#4A3F14", "#2A323D", true};
    return t;
}
const Tokens& contrastTokens() {
    static const Tokens t{"#000000", "#000000", "#000000", "#FFFFFF", "#FFFFFF", "#FFFFFF",
                          "#00E5FF", "#000000", "#5CFF8D", "#FFE15C", "#FF9C94", "#00E5FF",
                          "#F5B8FF", "#003A66", "#3D3300", "#FFFFFF", true};
    return t;
}

const Tokens& tokensOf(const QPalette& palette) {
    const QColor base = palette.color(QPalette::Active, QPalette::Base);
    for (const Tokens* t : {&lightTokens(), &darkTokens(), &contrastTokens()}) {
        if (t->surface.rgb() == base.rgb()) {
            return *t;
        }
    }
    return base.lightnessF() < 0.5 ? darkTokens() : lightTokens();
}

QPalette paletteOf(const Tokens& t) {
    QPalette p;
    const auto set = [&](QPalette::ColorRole role, const QColor& colour) { p.setColor(role, colour); };
    set(QPalette::Window, t.raised);
    set(QPalette::WindowText, t.text);
    set(QPalette::Base, t.surface);
    set(QPalette::AlternateBase, t.raised);
    set(QPalette::Text, t.text);
    set(QPalette::PlaceholderText, t.muted);
    set(QPalette::Button, t.surface);
    set(QPalette::ButtonText, t.text);
    set(QPalette::BrightText, t.bad);
    set(QPalette::Highlight, t.selection);
    set(QPalette::HighlightedText, t.text);
    set(QPalette::Link, t.accent);
    set(QPalette::LinkVisited, t.accent);
    set(QPalette::ToolTipBase, t.raised);
    set(QPalette::ToolTipText, t.text);
    set(QPalette::Light, mix(t.raised, t.surface, 0.5));
    set(QPalette::Midlight, t.hairline);
    set(QPalette::Mid, t.border);
    set(QPalette::Dark, t.border);
    set(QPalette::Shadow, t.dark ? QColor("#000000") : t.border);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::HighlightedText}) {
        p.setColor(QPalette::Disabled, role, mix(t.muted, t.raised, 0.25));
    }
    return p;
}

double contrast(const QColor& a, const QColor& b) {
    const auto luminance = [](const QColor& c) {
        const auto part = [](double v) { return v <= 0.03928 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4); };
        return 0.2126 * part(c.redF()) + 0.7152 * part(c.greenF()) + 0.0722 * part(c.blueF());
    };
    const double x = luminance(a);
    const double y = luminance(b);
    return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}

QColor mix(const QColor& a, const QColor& b, double share) {
    const auto part = [share](int x, int y) { return static_cast<int>(std::lround(x + (y - x) * share)); };
    return QColor(part(a.red(), b.red()), part(a.green(), b.green()), part(a.blue(), b.blue()));
}

QColor contextHue(const QString& context, const Tokens& tokens) {
    std::uint32_t hash = 2166136261U;
    for (const QChar c : context) {
        hash = (hash ^ c.unicode()) * 16777619U;
    }
    // Away from red, which means "protected" or "failing" wherever else it is.
    const int hue = 150 + static_cast<int>(hash % 150U);
    return tokens.dark ? QColor::fromHsl(hue, 150, 160) : QColor::fromHsl(hue, 150, 105);
}

Mark markOf(cluster::Health health, const Tokens& t) {
    switch (health) {
    case cluster::Health::Ok: return {"state-ok", t.good};
    case cluster::Health::Progressing: return {"state-waiting", t.info};
    case cluster::Health::Warning: return {"state-warning", t.warn};
    case cluster::Health::Bad: return {"state-bad", t.bad};
    case cluster::Health::Unknown: return {"state-unknown", t.muted};
    case cluster::Health::Done: return {"state-done", t.muted};
    }
    return {"state-unknown", t.muted};
}

Mark markOf(guard::RunEventKind kind, const Tokens& t) {
    using guard::RunEventKind;
    switch (kind) {
    case RunEventKind::Step: return {"event-step", t.info};
    case RunEventKind::Gate: return {"event-gate", t.good};
    case RunEventKind::Fallback: return {"event-fallback", t.warn};
    case RunEventKind::Action: return {"event-action", t.accent};
    case RunEventKind::Blocked: return {"state-blocked", t.blocked};
    case RunEventKind::Breaker: return {"event-breaker", t.blocked};
    case RunEventKind::Done: return {"event-done", t.muted};
    }
    return {"event-step", t.info};
}

Mark markOf(guard::RunOutcome outcome, const Tokens& t) {
    using guard::RunOutcome;
    switch (outcome) {
    case RunOutcome::Resolved: return {"state-done", t.good};
    case RunOutcome::NoFault: return {"state-ok", t.good};
    case RunOutcome::AwaitingApproval: return {"state-waiting", t.warn};
    case RunOutcome::Escalated: return {"state-warning", t.warn};
    case RunOutcome::Blocked: return {"state-blocked", t.blocked};
    case RunOutcome::Declined: return {"cross", t.muted};
    case RunOutcome::Undetermined: return {"state-unknown", t.warn};
    case RunOutcome::ExecutedNotVerified: return {"state-warning", t.warn};
    case RunOutcome::Cancelled: return {"stop", t.muted};
    case RunOutcome::Failed: return {"state-bad", t.bad};
    }
    return {"state-unknown", t.muted};
}

} // namespace alidade::ui
