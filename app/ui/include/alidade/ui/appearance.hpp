// SPDX-License-Identifier: GPL-3.0-or-later
// What it is for: the look of the whole program, set by the composition root before the first window.
// What it must not know: settings files; any cluster.
// Thread: GUI.
#pragma once

#include <cstdint>
#include <memory>

#include "alidade/guard/clock.hpp"

class QApplication;

namespace alidade::ui {

/// System follows the palette the platform gives, and goes on following it.
enum class ThemeChoice : std::uint8_t { System, Light, Dark, HighContrast };

/// Style, palette and fonts. May be called again at any time; open windows change with it.
void applyAppearance(QApplication& application, ThemeChoice choice);

/// No moving indicators and no fades.
void setReducedMotion(bool on);
[[nodiscard]] bool reducedMotion();

/// Starts learning the offset between input stamps and `clock`, application-wide: what the approval dialog judges the
/// age of a press by. Once, before the first window.
void installInputCalibration(std::shared_ptr<const guard::Clock> clock);

} // namespace alidade::ui
