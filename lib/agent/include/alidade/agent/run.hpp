// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// One pass of the triage loop over an incident, on a thread of its own. Emits RunEvents; ends in exactly one Done.
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include "alidade/cluster_model/session.hpp"
#include "alidade/guard/clock.hpp"
#include "alidade/guard/evidence.hpp"
#include "alidade/guard/settings.hpp"
#include "alidade/guard/triage.hpp"
#include "alidade/guard/write_desk.hpp"

namespace alidade::agent {

/// What opened an incident.
enum class Trigger : std::uint8_t { Manual, EventRule, Webhook, CustomResource, Rest, Chat };

struct Incident {
    std::string id;       ///< unique, e.g. "inc-20240501-120000-7f3a"
    std::string title;
    Trigger trigger = Trigger::Manual;
    std::string ns;       ///< bound namespace
    std::optional<guard::ObjectRef> about;  ///< the object in trouble; absent: the whole namespace
    guard::WallTime openedAt{};
};

/// A point of a named signal during a run, for the chart and for Verify.
struct SignalPoint {
    guard::WallTime at{};
    double readyRatio = 0;   ///< of the suspect workload, 0-1
    int restarts = 0;        ///< sum over its pods
};

/// Everything known of a run; handed out as immutable snapshots.
struct RunState {
    Incident incident;
    std::string context;
    guard::Step step = guard::Step::Trigger;      ///< under way since it began; its first event comes later
    std::vector<guard::RunEvent> events;
    std::optional<guard::Diagnosis> diagnosis;    ///< as marked by the quality gate
    std::vector<guard::Finding> findings;
    std::optional<guard::Plan> plan;
    std::optional<guard::Ticket> ticket;          ///< of the write desk, once submitted
    std::vector<guard::Gap> gaps;
    std::vector<SignalPoint> signal;
    std::vector<std::shared_ptr<const guard::Evidence>> evidence;
    std::optional<guard::RunOutcome> outcome;
};

struct RunOptions {
    guard::ProtectedLists protectedLists;
    bool waitForApproval = true;          ///< false: without a terminal or desk, ends AwaitingApproval
    guard::Millis pace{0};                ///< least time a step stays visible (demo); 0 in tests
    guard::Millis pollInterval{1'000};    ///< of Verify
};

/// What a run is built from; bound to one session for its whole life.
struct RunPorts {
    std::shared_ptr<cluster::ClusterSession> session;
    std::shared_ptr<guard::WriteDesk> desk;   ///< may be null: read-only, ends AwaitingApproval
    std::shared_ptr<const guard::Clock> clock;
    /// Called on the run's thread after each event or signal point; must not block.
    std::function<void(std::shared_ptr<const RunState>)> onChange;
    /// Page and ticket; never fatal. May be empty.
    std::function<void(const RunState&)> notify;
};

/// Owns the thread. Destroying it cancels and joins (an approved write is not cut).
class Run {
public:
    static std::unique_ptr<Run> start(Incident incident, RunOptions options, RunPorts ports);
    ~Run();
    void cancel();
    [[nodiscard]] std::shared_ptr<const RunState> state() const;
    /// Waits for the end.
    void join();

private:
    struct Impl;
    explicit Run(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

}  // namespace alidade::agent
