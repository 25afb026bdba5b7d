// SPDX-License-Identifier: GPL-3.0-or-later
#include <alidade/low/low.hpp>
#include <alidade/mid/mid.hpp>

namespace mid {
std::string name() { return low::name() + "mid"; }
} // namespace mid
