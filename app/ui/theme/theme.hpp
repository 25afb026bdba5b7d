// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Colour tokens, type and grid of the visual system, and the shapes that say a state without colour. GUI thread.
#include <cstdint>

#include <QColor>
#include <QFont>
#include <QIcon>
#include <QRectF>
#include <QString>

#include "alidade/cluster_model/rows.hpp"
#include "alidade/guard/triage.hpp"

class QPainter;

namespace alidade::ui::theme {

enum class Mode : std::uint8_t { Light, Dark, HighContrast };

/// One colour per meaning. Every text token has at least 4.5:1 on surface, raised and sunken.
struct Tokens {
    Mode mode = Mode::Light;
    QColor surface, raised, sunken;
    QColor border, line; ///< control outlines (3:1); hairlines between rows
    QColor text, muted;
    QColor accent, onAccent;
    QColor good, warn, bad, info, blocked;
    QColor selection, changed;
};
[[nodiscard]] const Tokens& tokensOf(Mode mode);
[[nodiscard]] const Tokens& tokens(); ///< of the mode in use

/// 4 px grid.
inline constexpr int gap1 = 4;
inline constexpr int gap2 = 8;
inline constexpr int gap3 = 12;
inline constexpr int gap4 = 16;
inline constexpr int gap6 = 24;
inline constexpr int controlHeight = 28;
inline constexpr int rowHeight = 24;

[[nodiscard]] QFont monospace(double scale = 1.0);
[[nodiscard]] QFont heading(double scale); ///< 1.25 or 1.5, semibold
[[nodiscard]] QFont tabular();             ///< the UI font; digits of one width

/// What a state looks like without colour.
enum class Shape : std::uint8_t {
    FilledCircle, ///< ok
    Triangle,     ///< warning
    Octagon,      ///< bad
    Square,       ///< information
    BarredCircle, ///< blocked
    HollowCircle, ///< unknown
    Clock,        ///< waiting
};
void paintShape(QPainter& painter, const QRectF& box, Shape shape, const QColor& colour);
[[nodiscard]] QIcon shapeIcon(Shape shape, const QColor& colour);

struct Look {
    Shape shape;
    QColor colour;
};
[[nodiscard]] Look lookOf(cluster::Health health);
[[nodiscard]] Look lookOf(const guard::RunEvent& event);
[[nodiscard]] Look lookOf(guard::RunOutcome outcome);

/// The hue of a context: the same name, the same hue; protected contexts use `bad`.
[[nodiscard]] QColor contextHue(const QString& context, bool isProtected);

/// WCAG 2 contrast ratio, 1 to 21.
[[nodiscard]] double contrast(const QColor& a, const QColor& b);

[[nodiscard]] bool reducedMotion();
void setReducedMotion(bool on);

} // namespace alidade::ui::theme
