// SPDX-License-Identifier: GPL-3.0-or-later
#include <alidade/mid/mid.hpp>
#include "nested/nested_private.hpp"

namespace mid {
std::string name() { return "mid"; }
} // namespace mid
