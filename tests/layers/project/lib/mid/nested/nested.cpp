// SPDX-License-Identifier: GPL-3.0-or-later
#include <alidade/nested/nested.hpp>

namespace nested {
std::string name() { return "nested"; }
} // namespace nested
