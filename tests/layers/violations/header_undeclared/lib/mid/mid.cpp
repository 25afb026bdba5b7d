// SPDX-License-Identifier: GPL-3.0-or-later
#include <alidade/mid/mid.hpp>
#include <alidade/other/other.hpp>

namespace mid {
std::string name() { return other::name(); }
} // namespace mid
