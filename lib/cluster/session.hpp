// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Ties one connection's parts together: transport, reader, and the live sources that sessions share.
#include <cstddef>
#include <memory>

#include "alidade/cluster/transport.hpp"
#include "alidade/cluster_model/session.hpp"
#include "alidade/guard/clock.hpp"
#include "alidade/http/io_thread.hpp"

namespace alidade::cluster {

/// A TransportSession. `transport` and `reader` are used, and released, on `io` alone. Starts connecting at once (a
/// probe). Dropping the session ends every source; it may be dropped on any thread but `io`.
[[nodiscard]] std::shared_ptr<ClusterSession> makeSession(SessionInfo info, std::shared_ptr<http::IoThread> io,
                                                          std::shared_ptr<Transport> transport,
                                                          std::shared_ptr<ClusterReader> reader,
                                                          std::shared_ptr<const guard::Clock> clock,
                                                          std::size_t maxWatches);

} // namespace alidade::cluster
