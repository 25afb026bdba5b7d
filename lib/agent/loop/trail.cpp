// SPDX-License-Identifier: GPL-3.0-or-later
#include "loop/trail.hpp"

namespace alidade::agent {

using guard::RunEventKind;

Trail::Trail(Incident incident, std::string context, std::shared_ptr<const guard::Clock> clock, OnChange onChange)
    : clock_(std::move(clock)), onChange_(std::move(onChange)), begunAt_(clock_->now()) {
    state_.incident = std::move(incident);
    state_.context = std::move(context);
    published_ = std::make_shared<const RunState>(state_);
}

void Trail::begin(guard::Step step) {
    begunAt_ = clock_->now();
    state_.step = step;
    publish();
}

guard::RunEvent& Trail::add(RunEventKind kind, std::string title, std::string detail) {
    guard::RunEvent event;
    event.sequence = static_cast<int>(state_.events.size()) + 1;
    event.kind = kind;
    event.step = state_.step;
    event.at = clock_->wall();
    event.duration = std::chrono::duration_cast<guard::Millis>(clock_->now() - begunAt_);
    event.title = std::move(title);
    event.detail = std::move(detail);
    state_.events.push_back(std::move(event));
    return state_.events.back();
}

void Trail::step(std::string title, std::string detail, std::vector<guard::EvidenceRef> refs) {
    add(RunEventKind::Step, std::move(title), std::move(detail)).refs = std::move(refs);
    publish();
}

void Trail::gate(guard::Verdict verdict) {
    std::string detail;
    for (const std::string& reason : verdict.reasons)
        detail += (detail.empty() ? "" : "\n") + reason;
    add(RunEventKind::Gate, "The " + verdict.gate + " gate " + (verdict.passed ? "passed" : "refused"),
        std::move(detail))
        .verdict = std::move(verdict);
    publish();
}

void Trail::fallback(std::string title, std::string detail) {
    add(RunEventKind::Fallback, std::move(title), std::move(detail));
    publish();
}

void Trail::action(const guard::Action& action, std::string title, std::string detail) {
    add(RunEventKind::Action, std::move(title), std::move(detail)).action = action;
    publish();
}

void Trail::blocked(const guard::Action& action, guard::Verdict verdict) {
    std::string detail;
    for (const std::string& reason : verdict.reasons)
        detail += (detail.empty() ? "" : "\n") + reason;
    guard::RunEvent& event = add(RunEventKind::Blocked, "Blocked: " + action.summary(), std::move(detail));
    event.action = action;
    event.verdict = std::move(verdict);
    publish();
}

void Trail::breaker(std::string title, std::string detail) {
    add(RunEventKind::Breaker, std::move(title), std::move(detail));
    publish();
}

void Trail::done(guard::RunOutcome outcome, std::string title, std::string detail) {
    if (state_.outcome)
        return;
    state_.outcome = outcome;
    add(RunEventKind::Done, std::move(title), std::move(detail)).outcome = outcome;
    publish();
}

std::shared_ptr<const RunState> Trail::snapshot() const {
    const std::lock_guard lock(mutex_);
    return published_;
}

void Trail::publish() {
    auto snapshot = std::make_shared<const RunState>(state_);
    {
        const std::lock_guard lock(mutex_);
        published_ = snapshot;
    }
    if (onChange_)
        onChange_(std::move(snapshot));
}

} // namespace alidade::agent
