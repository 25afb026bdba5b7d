// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What the window asks for, answered by the workbench.
#include "alidade/ui/main_window.hpp"
#include "alidade/wiring/workbench.hpp"

namespace alidade::desktop {

/// The workbench must outlive the window.
[[nodiscard]] ui::Services servicesOf(wiring::Workbench& bench);

} // namespace alidade::desktop
