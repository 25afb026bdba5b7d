// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A run's state as it grows: each change is published as an immutable snapshot.
// Must not decide anything. Thread: the run's writes; snapshot() from any.
#include <functional>
#include <memory>
#include <mutex>
#include <string>

#include "alidade/agent/run.hpp"

namespace alidade::agent {

class Trail {
public:
    using OnChange = std::function<void(std::shared_ptr<const RunState>)>;
    Trail(Incident incident, std::string context, std::shared_ptr<const guard::Clock> clock, OnChange onChange);

    /// From here on events belong to `step`, and their duration counts from here. Published at once: the step may take
    /// long before its first event.
    void begin(guard::Step step);
    [[nodiscard]] guard::MonoTime begunAt() const noexcept { return begunAt_; }

    void step(std::string title, std::string detail = {}, std::vector<guard::EvidenceRef> refs = {});
    void gate(guard::Verdict verdict);
    void fallback(std::string title, std::string detail);
    void action(const guard::Action& action, std::string title, std::string detail = {});
    void blocked(const guard::Action& action, guard::Verdict verdict);
    void breaker(std::string title, std::string detail);
    /// The last event. A second call is ignored.
    void done(guard::RunOutcome outcome, std::string title, std::string detail = {});

    template<class Change>
    void change(Change&& apply) {
        apply(state_);
        publish();
    }
    [[nodiscard]] const RunState& state() const noexcept { return state_; }
    [[nodiscard]] std::shared_ptr<const RunState> snapshot() const;

private:
    guard::RunEvent& add(guard::RunEventKind kind, std::string title, std::string detail);
    void publish();

    std::shared_ptr<const guard::Clock> clock_;
    OnChange onChange_;
    RunState state_;
    guard::MonoTime begunAt_;
    mutable std::mutex mutex_;
    std::shared_ptr<const RunState> published_;
};

} // namespace alidade::agent
