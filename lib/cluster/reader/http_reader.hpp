// SPDX-License-Identifier: GPL-3.0-or-later
// What it is for: the ClusterReader over one Transport.
// What it must not know: watches, writes.
// Thread: asked on any, works on the I/O thread, may be dropped on any.
#pragma once

#include "alidade/cluster/transport.hpp"
#include "alidade/guard/clock.hpp"

#include <memory>

namespace alidade::cluster {

[[nodiscard]] std::shared_ptr<ClusterReader> makeHttpReader(std::shared_ptr<http::IoThread> io,
                                                            std::shared_ptr<Transport> transport,
                                                            std::shared_ptr<const guard::Clock> clock);

} // namespace alidade::cluster
