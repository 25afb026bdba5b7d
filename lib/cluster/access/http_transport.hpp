// SPDX-License-Identifier: GPL-3.0-or-later
// What it is for: the Transport of openSession(): one identity's requests over alidade_http.
// What it must not know: kinds, watches.
// Thread: used and destroyed on the I/O thread.
#pragma once

#include "access/credentials.hpp"
#include "alidade/cluster/transport.hpp"

#include <memory>

namespace alidade::cluster {

[[nodiscard]] std::shared_ptr<Transport> makeHttpTransport(Identity identity, std::unique_ptr<Credentials> credentials,
                                                           std::shared_ptr<http::IoThread> io,
                                                           std::shared_ptr<const guard::Clock> clock,
                                                           http::ClientLimits limits = {});

} // namespace alidade::cluster
