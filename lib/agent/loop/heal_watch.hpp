// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The named signal of one object over a run: for the chart, and for the verification of a change.
// Reads only. Thread: the run's.
#include <optional>
#include <stop_token>

#include "alidade/agent/run.hpp"
#include "alidade/cluster_model/session.hpp"
#include "alidade/guard/action.hpp"

namespace alidade::agent {

/// The share of wanted replicas that are ready *and* of the current template, as far as the status proves it: old
/// replicas that are still there count for nothing. 1 when none is wanted.
[[nodiscard]] double readyRatio(const guard::KindId& kind, const nlohmann::json& workload);

struct Sample {
    SignalPoint point;
    bool present = false;  ///< the same incarnation is there
    bool observed = false; ///< its controller has seen the newest generation
    std::int64_t generation = 0;
};

class HealWatch {
public:
    HealWatch(const cluster::BlockingReader& reader, std::shared_ptr<const guard::Clock> clock)
        : reader_(reader), clock_(std::move(clock)) {}

    void watch(guard::ObjectRef target) { target_ = std::move(target); }
    [[nodiscard]] const std::optional<guard::ObjectRef>& target() const noexcept { return target_; }
    /// nullopt when it could not be read, or nothing is watched.
    [[nodiscard]] std::optional<Sample> read(const std::stop_token& stop) const;

private:
    const cluster::BlockingReader& reader_;
    std::shared_ptr<const guard::Clock> clock_;
    std::optional<guard::ObjectRef> target_;
};

/// Holds a heal check against samples in time order: true once the signal was good for `hold` without a break.
class HealHold {
public:
    HealHold(guard::HealCheck check, std::int64_t generation) : check_(check), generation_(generation) {}
    /// A sample that could not be read is a break.
    bool add(const std::optional<Sample>& sample, guard::MonoTime at);

private:
    guard::HealCheck check_;
    std::int64_t generation_; ///< of the answer to the write; 0: not known
    std::optional<guard::MonoTime> since_;
};

} // namespace alidade::agent
