// SPDX-License-Identifier: GPL-3.0-or-later
// Rollouts that do not get on, pods that are refused, and what nothing else explains.
#include <algorithm>

#include "analyst/rules.hpp"

namespace alidade::agent {

void rolloutRules(const Case& facts, std::vector<Conclusion>& out) {
    for (const WorkloadView& workload : facts.workloads()) {
        if (workload.signal == nullptr)
            continue;
        const guard::WorkloadSignal& signal = *workload.signal;
        const std::string ready = std::to_string(signal.ready) + " of " + std::to_string(signal.desired) + " ready, " +
                                  std::to_string(signal.updated) + " updated";
        // Refusals are reported on the ReplicaSet, or on the workload itself.
        const guard::EventSignal* refused = nullptr;
        for (const guard::EventSignal& event : facts.signals().events) {
            const std::string& about = event.about.key.name;
            const std::string& name = workload.ref.key.name;
            // A ReplicaSet is named after its Deployment and one hash without a dash.
            const bool replicaSet = event.about.key.kind == guard::kinds::replicaSets() &&
                                    about.rfind(name + "-", 0) == 0 &&
                                    about.find('-', name.size() + 1) == std::string::npos;
            const bool own = event.about.key == workload.ref.key || replicaSet;
            if (own && event.reason == "FailedCreate" && workload.impaired())
                refused = &event;
        }
        if (refused != nullptr) {
            const bool quota = holdsAny(refused->message, {"exceeded quota"});
            const bool webhook = holdsAny(refused->message, {"admission webhook", "failed calling webhook"});
            Conclusion conclusion = conclude(quota     ? "rollout.quota"
                                             : webhook ? "rollout.webhook"
                                                       : "rollout.refused",
                                             weight::refused, 0.75, workload,
                                             "New pods of " + workload.ref.key.text() + " are not admitted: " +
                                                 (quota     ? "a quota of the namespace is used up"
                                                  : webhook ? "an admission webhook refuses them"
                                                            : "the server refuses them"));
            conclusion.finding.claims.push_back(
                facts.claim("The controller reported: " + refused->message, {refused->evidence}, {refused->message}));
            conclusion.finding.nextChecks.emplace_back("Read the refusal; it names the policy, webhook or quota");
            out.push_back(std::move(conclusion));
        }
        if (signal.stuckReason.empty() && !(signal.paused && workload.impaired()))
            continue;
        Conclusion conclusion =
            conclude(signal.paused ? "rollout.paused" : "rollout.stuck", weight::stuck, 0.55, workload,
                     "The rollout of " + workload.ref.key.text() + (signal.paused ? " is paused" : " does not get on") +
                         ": " + ready);
        conclusion.finding.claims.push_back(
            facts.claim("The rollout of " + workload.ref.key.text() + ": " +
                            (signal.paused ? std::string("paused") : signal.stuckReason) + ", " + ready,
                        {signal.evidence}, {signal.stuckReason, "\"paused\": true"}));
        conclusion.finding.nextChecks.emplace_back("Look at the newest pods of the rollout");
        if (!signal.paused)
            if (const auto remedy = Case::remedy(workload, [](const auto&) { return true; });
                remedy && remedy->seenHealthy)
                facts.blameTemplate(conclusion, workload, remedy);
        out.push_back(std::move(conclusion));
    }
}

void unexplainedRules(const Case& facts, std::vector<Conclusion>& out) {
    for (const WorkloadView& workload : facts.workloads()) {
        const bool explained = std::any_of(out.begin(), out.end(), [&](const Conclusion& conclusion) {
            return conclusion.finding.primary == workload.ref && conclusion.finding.severity != guard::Severity::Info;
        });
        const bool finished =
            workload.signal == nullptr && std::all_of(workload.pods.begin(), workload.pods.end(),
                                                      [](const auto* pod) { return pod->phase == "Succeeded"; });
        if (explained || finished || !workload.impaired())
            continue;
        const std::string state = workload.signal == nullptr
                                      ? workload.pods.front()->status
                                      : std::to_string(workload.signal->ready) + " of " +
                                            std::to_string(workload.signal->desired) + " ready, " +
                                            std::to_string(workload.signal->updated) + " updated";
        Conclusion conclusion =
            conclude("workload.not_ready", weight::notReady, 0.4, workload,
                     workload.ref.key.text() + " is not whole (" + state + "), and no rule explains it");
        conclusion.finding.claims.push_back(
            facts.claim(workload.ref.key.text() + ": " + state, workload.evidence(),
                        {"\"readyReplicas\"", "\"numberReady\"", "\"replicas\"", "\"phase\""}));
        conclusion.finding.nextChecks.emplace_back("Wait for the rollout, or describe its newest pod");
        out.push_back(std::move(conclusion));
    }
}

} // namespace alidade::agent
