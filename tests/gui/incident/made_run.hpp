// SPDX-License-Identifier: GPL-3.0-or-later
// What it is for: snapshots of runs made by hand, as the loop would publish them.
// What it must not know: the loop.
// Thread: any.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "alidade/agent/run.hpp"
#include "alidade/guard/write.hpp"

namespace alidade::test {

using guard::Millis;
using guard::RunEventKind;
using guard::RunOutcome;
using guard::Step;

inline constexpr guard::ToolRow readRow{"get_resource", guard::Effect::ClusterRead, guard::Gate::None,
                                        static_cast<std::uint8_t>(guard::Surface::Run), "One object."};

/// A run that grows; snapshot() is what the interface is given.
class MadeRun {
public:
    explicit MadeRun(std::string id = "inc-1") {
        state_.incident.id = std::move(id);
        state_.incident.title = "Deployment checkout is not available";
        state_.incident.ns = "shop";
        state_.incident.openedAt = now_;
        state_.context = "demo";
    }

    [[nodiscard]] std::shared_ptr<const agent::RunState> snapshot() const {
        return std::make_shared<const agent::RunState>(state_);
    }
    agent::RunState& state() { return state_; }

    guard::RunEvent& event(RunEventKind kind, Step step, std::string title, int ms = 40, std::string detail = {}) {
        now_ += Millis(ms);
        guard::RunEvent e;
        e.sequence = static_cast<int>(state_.events.size()) + 1;
        e.kind = kind;
        e.step = step;
        e.at = now_;
        e.duration = Millis(ms);
        e.title = std::move(title);
        e.detail = std::move(detail);
        state_.events.push_back(std::move(e));
        return state_.events.back();
    }
    guard::RunEvent& gate(Step step, std::string name, std::vector<guard::Check> checks) {
        guard::Verdict verdict;
        verdict.gate = std::move(name);
        verdict.passed = true;
        for (const guard::Check& check : checks) {
            if (!check.passed) {
                verdict.passed = false;
                verdict.reasons.push_back(check.reason);
            }
        }
        verdict.checks = std::move(checks);
        guard::RunEvent& e = event(RunEventKind::Gate, step,
                                   "The " + verdict.gate + " gate " + (verdict.passed ? "passed" : "refused"), 6);
        e.verdict = std::move(verdict);
        return e;
    }
    void done(RunOutcome outcome, std::string title) {
        event(RunEventKind::Done, state_.events.empty() ? Step::Trigger : state_.events.back().step, std::move(title),
              1)
            .outcome = outcome;
        state_.outcome = outcome;
    }
    guard::EvidenceRef evidence(guard::ObjectRef target, std::string title, std::vector<guard::EvidenceLine> lines) {
        const guard::EvidenceRef ref =
            ledger_.add(guard::CitableTool(readRow), std::move(target), std::move(title), lines, now_);
        state_.evidence = ledger_.all();
        return ref;
    }
    void point(double ready, int restarts, int seconds = 1) {
        now_ += std::chrono::seconds(seconds);
        state_.signal.push_back({now_, ready, restarts});
    }
    void wait(int seconds) { now_ += std::chrono::seconds(seconds); }

    [[nodiscard]] static guard::ObjectRef deployment(const std::string& name) {
        return {{guard::kinds::deployments(), "shop", name}, "uid-" + name};
    }
    [[nodiscard]] static guard::ObjectRef pod(const std::string& name) {
        return {{guard::kinds::pods(), "shop", name}, "uid-" + name};
    }
    [[nodiscard]] static guard::Action rollback(const std::string& name, int revision) {
        return {deployment(name), guard::Scope::Object, guard::Rollback{revision}};
    }

    void gathered() {
        event(RunEventKind::Step, Step::Trigger, "Triage of namespace shop was asked for");
        event(RunEventKind::Step, Step::Gather, "Read 63 objects, 9 logs and 31 events", 1240,
              "deployments 6, replicasets 11, pods 17, services 5, config maps 7, events 31, logs of 9 containers");
        event(RunEventKind::Step, Step::Redact, "3 places masked", 22,
              "connection string 1, bearer token 1, password 1");
    }

    void diagnosed() {
        gathered();
        const guard::ObjectRef suspect = deployment("checkout");
        const auto pods =
            evidence(pod("checkout-7c9d8-x2kfw"), "pod checkout-7c9d8-x2kfw",
                     {{"status: ImagePullBackOff", guard::anchor::Field{"uid-checkout-7c9d8-x2kfw", "/status", "12"}},
                      {"image: registry.shop.example/checkout:2.41.0-rc7", guard::anchor::Section{"Containers"}}});
        const auto events = evidence(pod("checkout-7c9d8-x2kfw"), "events of pod checkout-7c9d8-x2kfw",
                                     {{"Failed to pull image \"registry.shop.example/checkout:2.41.0-rc7\": not found",
                                       guard::anchor::Event{"ev-1", 7}}});
        const auto revisions = evidence(suspect, "revisions of deployment checkout",
                                        {{"5 (now): checkout:2.41.0-rc7", guard::anchor::Section{"5"}},
                                         {"4: checkout:2.40.3", guard::anchor::Section{"4"}}});
        evidence(
            pod("noisy-5f6b-1"), "logs of pod noisy-5f6b-1, container app",
            {{"retrying", guard::anchor::LogLine{"uid-noisy", "app", "", false, "2024-05-01T12:00:00.000000001Z", 0}}});
        const auto ready =
            evidence(suspect, "deployment checkout",
                     {{"readyReplicas: 2", guard::anchor::Field{"uid-checkout", "/status/readyReplicas", "12"}}});

        guard::Diagnosis d;
        d.outcome = guard::DiagnosisOutcome::Fault;
        d.hypothesis = "Revision 5 of checkout names an image that is not in the registry";
        d.suspect = suspect;
        d.suspectedRevision = 5;
        d.confidence = 0.93;
        d.recommended = rollback("checkout", 4);
        d.source = "analyst";
        d.claims.push_back({"New pods of checkout wait in ImagePullBackOff",
                            {pods},
                            "ImagePullBackOff",
                            true,
                            guard::Anchor(guard::anchor::Field{"uid-checkout-7c9d8-x2kfw", "/status", "12"})});
        d.claims.push_back({"The registry answers that checkout:2.41.0-rc7 does not exist",
                            {events, pods},
                            "not found",
                            true,
                            guard::Anchor(guard::anchor::Event{"ev-1", 7})});
        d.claims.push_back(
            {"Revision 4 ran image 2.40.3 with every replica ready", {revisions, ready}, "", true, std::nullopt});
        d.claims.push_back({"The rollout was started by a pipeline", {}, "", false, std::nullopt});
        d.alternatives = {"The node's registry credentials have expired", "noisy restarts take the node's memory"};
        state_.diagnosis = d;
        state_.gaps.push_back({"nodes", guard::Coverage::Forbidden, "you may not list nodes"});
        auto& e = event(RunEventKind::Step, Step::Diagnose, d.hypothesis, 31, "Confidence 93 %, by analyst");
        e.refs = {pods, events, revisions, ready};
    }

    void proposed() {
        diagnosed();
        auto& quality = gate(Step::QualityGate, "quality",
                             {{"suspect_read", true, "deployment shop/checkout was read as E5"},
                              {"deploy_recent", true, "revision 5 is one of its revisions"},
                              {"confidence", true, "0.93 is at least 0.50"},
                              {"claims_cited", true, "3 of 4 claims are cited, 1 is marked"},
                              {"quotes_verbatim", true, ""}});
        quality.verdict->reviewed = false;
        state_.plan = guard::Plan{{rollback("checkout", 4)}, "The image of revision 5 does not exist"};
        event(RunEventKind::Step, Step::Plan, "Plan: roll back deployment shop/checkout to revision 4", 3);
        gate(Step::ActionGate, "action",
             {{"scope", true, "one object"},
              {"protected", true, "not protected"},
              {"target_exists", true, ""},
              {"matches_diagnosis", true, "the suspect is the target"},
              {"replica_floor", true, ""},
              {"namespace_epoch", true, ""}});
        state_.ticket = guard::Ticket{1};
        event(RunEventKind::Action, Step::Approve, "Proposed: roll back deployment shop/checkout to revision 4", 420)
            .action = rollback("checkout", 4);
    }

    void executed() {
        wait(9);
        event(RunEventKind::Action, Step::Approve, "Approved: roll back deployment shop/checkout to revision 4", 9100)
            .action = rollback("checkout", 4);
        event(RunEventKind::Action, Step::Execute, "Executed: roll back deployment shop/checkout to revision 4", 180)
            .action = rollback("checkout", 4);
        event(RunEventKind::Step, Step::Verify, "Watching ready_ratio of deployment shop/checkout", 4,
              "Has to hold for 10 s within 120 s");
    }

    void resolved() {
        event(RunEventKind::Step, Step::Verify, "The heal held for 10 s", 14'200);
        event(RunEventKind::Step, Step::Notify, "Told the log", 2);
        done(RunOutcome::Resolved, "Resolved: roll back deployment shop/checkout to revision 4");
    }

    void blocked() {
        gathered();
        guard::Diagnosis d;
        d.outcome = guard::DiagnosisOutcome::Fault;
        d.hypothesis = "Revision 3 of payments names an image that is not in the registry";
        d.suspect = deployment("payments");
        d.suspectedRevision = 3;
        d.confidence = 0.9;
        d.source = "analyst";
        d.claims.push_back({"payments waits for its image",
                            {evidence(*d.suspect, "deployment payments", {})},
                            "",
                            true,
                            std::nullopt});
        state_.diagnosis = d;
        event(RunEventKind::Step, Step::Diagnose, d.hypothesis, 30);
        gate(Step::QualityGate, "quality", {{"suspect_read", true, ""}, {"confidence", true, ""}});
        state_.plan = guard::Plan{{rollback("payments", 2)}, d.hypothesis};
        event(RunEventKind::Step, Step::Plan, "Plan: roll back deployment shop/payments to revision 2", 3);
        const guard::Verdict verdict =
            *gate(Step::ActionGate, "action",
                  {{"scope", true, "one object"},
                   {"protected", false, "deployment shop/payments is protected by its annotation"},
                   {"target_exists", true, ""}})
                 .verdict;
        auto& e = event(RunEventKind::Blocked, Step::ActionGate,
                        "Blocked: roll back deployment shop/payments to revision 2", 1, verdict.reasons.front());
        e.verdict = verdict;
        e.action = rollback("payments", 2);
        event(RunEventKind::Step, Step::Notify, "Told the log", 2);
        done(RunOutcome::Blocked, "Blocked by the action gate; a person has to decide");
    }

private:
    agent::RunState state_;
    guard::EvidenceLedger ledger_;
    guard::WallTime now_ = std::chrono::system_clock::now() - std::chrono::minutes(2);
};

inline std::shared_ptr<const guard::ProposalContent> madeProposal(guard::Risk risk = guard::Risk::Medium) {
    guard::ProposalContent content;
    content.id = guard::ProposalId{1};
    content.context = "demo";
    content.risk = risk;
    content.digest = std::string(64, 'a');
    guard::ProposalItem item;
    item.action = MadeRun::rollback("checkout", 4);
    item.uid = item.action.target.uid;
    content.items.push_back(item);
    return std::make_shared<const guard::ProposalContent>(std::move(content));
}

} // namespace alidade::test
