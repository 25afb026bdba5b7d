// SPDX-License-Identifier: GPL-3.0-or-later
#include "alidade/cluster_model/deltas.hpp"

namespace alidade::cluster {

std::string_view name(Freshness::State state) noexcept {
    switch (state) {
    case Freshness::State::Empty: return "empty";
    case Freshness::State::Loading: return "loading";
    case Freshness::State::Live: return "live";
    case Freshness::State::CatchingUp: return "catching-up";
    case Freshness::State::Stale: return "stale";
    case Freshness::State::Polling: return "polling";
    case Freshness::State::Forbidden: return "forbidden";
    case Freshness::State::Failed: return "failed";
    }
    return "empty";
}

} // namespace alidade::cluster
