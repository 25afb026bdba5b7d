// SPDX-License-Identifier: GPL-3.0-or-later
#include <alidade/mid/mid.hpp>
#include <zlib.h>

namespace mid {
std::string name() { return "mid"; }
} // namespace mid
