// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The same incident through an unguarded loop and the guarded one, each in a simulated cluster of its own.
// The naive loop follows a script, and says so: no redaction, no gates, no failure handling, first answer trusted.
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "alidade/agent/run.hpp"
#include "alidade/guard/result.hpp"
#include "alidade/simulator/simulator.hpp"

namespace alidade::drill {

/// What the naive loop did to its cluster, as facts read back from the world afterwards.
struct Damage {
    std::string what;    ///< "deployment shop/prod-db scaled to 0"
    std::string where;
};

struct NaiveReport {
    std::vector<guard::RunEvent> events;
    std::vector<Damage> damage;
    std::vector<std::string> leaked;   ///< what an unredacted prompt would have carried away: rule names and places only
};

/// Mutates `world` in process, never over the writer.
[[nodiscard]] guard::Result<NaiveReport> runNaive(simulator::Simulator& world, const guard::Clock& clock,
                                                  const std::function<void(const guard::RunEvent&)>& onEvent,
                                                  std::stop_token stop);

/// The root gives a session and a desk for the hardened side's own world.
struct HardenedSide {
    std::shared_ptr<cluster::ClusterSession> session;
    std::shared_ptr<guard::WriteDesk> desk;
};

}  // namespace alidade::drill
