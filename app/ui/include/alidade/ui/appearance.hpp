// SPDX-License-Identifier: GPL-3.0-or-later
// What it is for: the look of the whole program, set by the composition root before the first window.
// What it must not know: settings files; any cluster.
// Thread: GUI.
#pragma once

#include <cstdint>

class QApplication;

namespace alidade::ui {

/// System follows the palette the platform gives, and goes on following it.
enum class ThemeChoice : std::uint8_t { System, Light, Dark, HighContrast };

/// Style, palette and fonts. May be called again at any time; open windows change with it.
void applyAppearance(QApplication& application, ThemeChoice choice);

} // namespace alidade::ui
