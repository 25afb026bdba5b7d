// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What a server reads out of a request's head, and the words of its own answers.
#include <string_view>

#include "alidade/http/message.hpp"
#include "alidade/http/server.hpp"

namespace alidade::http {

[[nodiscard]] std::string_view reasonOf(int status);
[[nodiscard]] bool hasNoBody(int status);
/// RFC 9110 12.5.3, as far as gzip goes: named, and not with a weight of zero.
[[nodiscard]] bool acceptsGzip(const Headers& headers);
/// Fills path and query from the target; false when it is malformed.
[[nodiscard]] bool parseTarget(ServerRequest& request);

} // namespace alidade::http
