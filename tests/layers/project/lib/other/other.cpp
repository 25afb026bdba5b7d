// SPDX-License-Identifier: GPL-3.0-or-later
#include <alidade/other/other.hpp>

namespace other {
std::string name() { return "other"; }
} // namespace other
