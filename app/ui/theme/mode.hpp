// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// For appearance.cpp alone: switches the tokens. Everyone else reads them.
#include "theme/theme.hpp"

namespace alidade::ui::theme {
void setMode(Mode mode);
} // namespace alidade::ui::theme
