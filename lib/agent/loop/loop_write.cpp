// SPDX-License-Identifier: GPL-3.0-or-later
// The second half of the loop: a proposal at the desk, a person's word, the change, and its verification.
#include <algorithm>

#include "loop/loop.hpp"

namespace alidade::agent {

using guard::RunOutcome;
using guard::Step;
using Wait = DeskTalk::Wait;

Loop::End Loop::approve() {
    trail_.begin(Step::Approve);
    const guard::Action action = trail_.state().plan->actions.front();
    if (breaker_.open())
        return {RunOutcome::Escalated, "The breaker is open; a person has to look", {}};
    if (!ports_.desk) {
        trail_.action(action, "Waits for a person: " + action.summary(),
                      "There is no write desk here; nothing was proposed");
        return {RunOutcome::AwaitingApproval, "Awaiting approval", action.summary()};
    }
    guard::Provenance provenance;
    provenance.origin = guard::Origin::Run;
    provenance.principal = ports_.session->info().user;
    provenance.incident = trail_.state().incident.id;
    provenance.diagnosis = grounded_->value();
    provenance.reviewed = grounded_->reviewed();
    DeskTalk talk(ports_.desk);
    const guard::Ticket ticket = talk.submit(
        guard::Draft::fromPlan(std::move(*validated_), std::move(provenance), ports_.session->info().epoch));
    validated_.reset();
    trail_.change([&](RunState& state) { state.ticket = ticket; });

    for (;;)
        switch (talk.next(stop_, options_.pollInterval, [this] { (void)sample(); })) {
        case Wait::Proposed:
            trail_.action(action, "Proposed: " + action.summary(),
                          talk.proposal() ? "Digest " + talk.proposal()->digest + ", risk " +
                                                std::string(name(talk.proposal()->risk))
                                          : "");
            if (!options_.waitForApproval)
                return {RunOutcome::AwaitingApproval, "Awaiting approval", action.summary()};
            break;
        case Wait::Rejected:
            trail_.step("An approval was not accepted; the proposal is still pending", talk.rejection());
            break;
        case Wait::Approved:
            trail_.action(action, "Approved: " + action.summary(), "By a person (" + talk.approvedHow() + ")");
            return execute(talk);
        case Wait::Refused: {
            guard::Verdict verdict = talk.refusal().verdict;
            if (const auto& error = talk.refusal().error)
                verdict.reasons.push_back(error->detail);
            trail_.blocked(action, std::move(verdict));
            record(guard::Anomaly::FailedGate, "write gate");
            return {RunOutcome::Blocked, "Blocked by the write gate; a person has to decide",
                    talk.refusal().error ? talk.refusal().error->text() : std::string()};
        }
        case Wait::Declined:
            trail_.action(action, "Declined: " + action.summary());
            return {RunOutcome::Declined, "Declined by a person", action.summary()};
        case Wait::Expired:
            trail_.action(action, "Expired: " + action.summary());
            return {RunOutcome::Escalated, "Nobody decided in time; a person has to look", action.summary()};
        case Wait::Finished: break; // without an approval there is nothing to finish
        case Wait::Stopped:
            if (talk.withdraw()) {
                trail_.action(action, "Approved before the run was cancelled: " + action.summary(),
                              "An approved change is not cut");
                return execute(talk);
            }
            trail_.action(action, "Withdrawn: " + action.summary(), "The run was cancelled");
            return cancelled();
        }
}

Loop::End Loop::execute(DeskTalk& talk) {
    trail_.begin(Step::Execute);
    const guard::Action action = trail_.state().plan->actions.front();
    // From the approval on the change goes its way; cancelling the run does not reach it. The writer's own limits end
    // it.
    while (talk.next({}, options_.pollInterval, [this] { (void)sample(); }) != Wait::Finished) {
    }
    const auto& outcomes = talk.outcomes();
    const auto bad = std::find_if(outcomes.begin(), outcomes.end(),
                                  [](const auto& each) { return each.kind != guard::WriteOutcome::Kind::Done; });
    if (bad == outcomes.end() && !outcomes.empty() && talk.allDone()) {
        trail_.action(action, "Executed: " + action.summary(), outcomes.back().detail);
        pace();
        return verify(talk);
    }
    const std::string why =
        bad == outcomes.end()
            ? std::string("no outcome was reported")
            : bad->detail + (bad->error ? (bad->detail.empty() ? "" : "; ") + bad->error->text() : "");
    if (bad == outcomes.end() || bad->kind == guard::WriteOutcome::Kind::Unknown) {
        trail_.action(action, "Sent, outcome unknown: " + action.summary(), why);
        record(guard::Anomaly::UnknownWrite, why);
        return verify(talk); // never sent again; what the cluster shows is all there is to know
    }
    trail_.action(action, "Not executed (" + std::string(name(bad->kind)) + "): " + action.summary(), why);
    record(guard::Anomaly::FailedWrite, why);
    return {RunOutcome::Escalated, "The change did not go through; over to a person", why};
}

Loop::End Loop::verify(const DeskTalk& talk) {
    trail_.begin(Step::Verify);
    const guard::Action action = trail_.state().plan->actions.front();
    const guard::HealCheck& check = guard::healCheckOf(action.kind());
    if (!heal_.target() || !(heal_.target()->key == action.target.key))
        heal_.watch(action.target);
    const auto seconds = [](guard::Millis time) { return std::to_string(time.count() / 1000) + " s"; };
    const std::string signal(name(check.signal));
    trail_.step("Watching " + signal + " of " + action.target.key.text(),
                "Has to hold for " + seconds(check.hold) + " within " + seconds(check.window));
    HealHold hold(check, talk.outcomes().empty() ? 0 : talk.outcomes().back().observedGeneration);
    const guard::MonoTime deadline = ports_.clock->now() + check.window;
    for (;;) {
        const auto seen = sample();
        const guard::MonoTime now = ports_.clock->now();
        if (stopped())
            return {RunOutcome::ExecutedNotVerified, "Executed; cancelled before the heal was verified",
                    action.summary()};
        if (hold.add(seen, now)) {
            trail_.step("The heal held for " + seconds(check.hold));
            return {RunOutcome::Resolved, "Resolved: " + action.summary(), signal + " held"};
        }
        if (now >= deadline)
            break;
        (void)ports_.clock->sleepUntil(std::min<guard::MonoTime>(now + options_.pollInterval, deadline), stop_);
    }
    trail_.step("The heal was not seen within " + seconds(check.window));
    return {RunOutcome::ExecutedNotVerified, "Executed, not verified", action.summary()};
}

} // namespace alidade::agent
