// SPDX-License-Identifier: GPL-3.0-or-later
#include <alidade/low/low.hpp>

namespace low {
std::string name() { return "low"; }
} // namespace low
