// SPDX-License-Identifier: GPL-3.0-or-later
// What it is for: the visual system's colours, as one table. Nothing else in the program names a colour.
// What it must not know: widgets.
// Thread: any; constants.
#pragma once

#include <array>
#include <utility>

#include <QColor>
#include <QPalette>
#include <QString>

#include "alidade/cluster_model/rows.hpp"
#include "alidade/guard/triage.hpp"

namespace alidade::ui {

struct Tokens {
    QColor surface; ///< tables, text
    QColor raised;  ///< docks, cards, headers
    QColor sunken;  ///< wells, code, log
    QColor border;  ///< control outlines, 3:1
    QColor text;
    QColor muted;  ///< secondary text
    QColor accent; ///< links, focus ring, primary
    QColor onAccent;
    QColor good;
    QColor warn;
    QColor bad;
    QColor info;
    QColor blocked;
    QColor selection;
    QColor changed;  ///< a cell that just changed
    QColor hairline; ///< low-contrast separators; decoration only
    bool dark = false;
};

[[nodiscard]] const Tokens& lightTokens();
[[nodiscard]] const Tokens& darkTokens();
[[nodiscard]] const Tokens& contrastTokens();

/// The table whose palette this is; a palette of the platform's own gets the table of its lightness.
[[nodiscard]] const Tokens& tokensOf(const QPalette& palette);
[[nodiscard]] QPalette paletteOf(const Tokens& tokens);

/// WCAG 2 contrast ratio, 1..21.
[[nodiscard]] double contrast(const QColor& a, const QColor& b);
[[nodiscard]] QColor mix(const QColor& a, const QColor& b, double share);

/// A context's own hue; the same name always gets the same.
[[nodiscard]] QColor contextHue(const QString& context, const Tokens& tokens);

/// A shape and a colour for each state; never one without the other.
struct Mark {
    const char* shape; ///< of resources/icons
    QColor colour;
};
[[nodiscard]] Mark markOf(cluster::Health health, const Tokens& tokens);
[[nodiscard]] Mark markOf(guard::RunEventKind kind, const Tokens& tokens);
[[nodiscard]] Mark markOf(guard::RunOutcome outcome, const Tokens& tokens);

namespace grid {
constexpr int xs = 4;
constexpr int s = 8;
constexpr int m = 12;
constexpr int l = 16;
constexpr int xl = 24;
constexpr int control = 28;
constexpr int row = 24;
} // namespace grid

} // namespace alidade::ui
