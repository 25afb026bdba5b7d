// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// SHA-256 as lower-case hex. Private to the guard.
#include <string>
#include <string_view>

namespace alidade::guard {
[[nodiscard]] std::string sha256Hex(std::string_view bytes);
} // namespace alidade::guard
