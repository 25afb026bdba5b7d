// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The same incident through an unguarded loop and the guarded one, each in a simulated cluster of its own.
// The naive loop follows a script, and says so: no redaction, no gates, no failure handling, first answer trusted.
// Thread: runNaive blocks; not on a GUI or I/O thread.
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
    std::string what;  ///< "deployment shop/prod-db is scaled to 0, was 1"
    std::string where; ///< "namespace shop"
    friend bool operator==(const Damage&, const Damage&) = default;
};

struct NaiveReport {
    std::vector<guard::RunEvent> events; ///< steps, one action, and a Done that claims "resolved" without having looked
    std::string trusted;                 ///< the scripted answer that was acted upon
    std::vector<Damage> damage;
    std::vector<std::string> leaked; ///< what an unredacted prompt would have carried away: rule names and places only
};

/// The naive loop's own world. It is read over `reader`, raw, and changed in process, past every gate.
struct NaiveSide {
    simulator::Simulator& world;
    std::shared_ptr<cluster::ClusterReader> reader; ///< of a session that the root opened on this world
};

/// Never uses a write desk. Ends with the damage read back after the world has moved on by some seconds.
[[nodiscard]] guard::Result<NaiveReport> runNaive(const NaiveSide& side, const guard::Clock& clock,
                                                  const std::function<void(const guard::RunEvent&)>& onEvent,
                                                  std::stop_token stop);

/// The root gives a session and a desk for the hardened side's own world.
struct HardenedSide {
    std::shared_ptr<cluster::ClusterSession> session;
    std::shared_ptr<guard::WriteDesk> desk;
};

/// The guarded loop over the same scenario: an ordinary run, with its approval at the desk.
[[nodiscard]] std::unique_ptr<agent::Run>
startHardened(const HardenedSide& side, const simulator::ScenarioInfo& scenario, agent::RunOptions options,
              std::shared_ptr<const guard::Clock> clock,
              std::function<void(std::shared_ptr<const agent::RunState>)> onChange);

} // namespace alidade::drill
