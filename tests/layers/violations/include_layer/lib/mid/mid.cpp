// SPDX-License-Identifier: GPL-3.0-or-later
#include <alidade/mid/mid.hpp>
#if __has_include(<alidade/other/other.hpp>)
#include <alidade/other/other.hpp>
#endif

namespace mid {
std::string name() { return "mid"; }
} // namespace mid
