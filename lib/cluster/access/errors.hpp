// SPDX-License-Identifier: GPL-3.0-or-later
// What it is for: faults in the words of the kubeconfig: which context, which entry, what to do.
// What it must not know: sockets.
// Thread: any; pure.
#pragma once

#include "access/identity.hpp"
#include "alidade/guard/result.hpp"
#include "alidade/http/message.hpp"

#include <optional>
#include <string>

namespace alidade::cluster {

/// A success that is a web page is a fault: something between us and the API server answered.
[[nodiscard]] std::optional<guard::Error> webPageFault(const std::string& where, const http::ResponseHead& head);

/// A fault of the connection itself (refused, TLS, time, truncation).
[[nodiscard]] guard::Error explainConnection(const Identity& identity, guard::Error error);
/// A refusal by the server, already an Error.
[[nodiscard]] guard::Error explainAnswer(const Identity& identity, guard::Error error, guard::WallTime now);

} // namespace alidade::cluster
