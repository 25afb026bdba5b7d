// SPDX-License-Identifier: GPL-3.0-or-later
#include "alidade/guard/gates.hpp"

#include <algorithm>
#include <cmath>

namespace alidade::guard {

namespace {
class Checks {
public:
    explicit Checks(std::string gate) { verdict_.gate = std::move(gate); }
    void check(std::string id, bool passed, std::string reason) {
        if (!passed)
            verdict_.reasons.push_back(reason);
        verdict_.checks.push_back({std::move(id), passed, std::move(reason)});
    }
    Verdict take() {
        verdict_.passed = verdict_.reasons.empty() && !verdict_.checks.empty();
        return std::move(verdict_);
    }

private:
    Verdict verdict_;
};

bool sameObject(const ObjectRef& a, const ObjectRef& b) noexcept {
    return a.key == b.key && (a.uid.empty() || b.uid.empty() || a.uid == b.uid);
}

bool wasRead(const ObjectRef& ref, const Signals& signals, const EvidenceLedger& evidence) {
    const auto in = [&](const auto& list) {
        return std::any_of(list.begin(), list.end(), [&](const auto& s) { return sameObject(s.ref, ref); });
    };
    if (in(signals.workloads) || in(signals.pods))
        return true;
    const auto all = evidence.all();
    return std::any_of(all.begin(), all.end(), [&](const auto& e) { return sameObject(e->target, ref); });
}

/// Marks each claim supported or not, and sets where it lands.
void mark(std::vector<Claim>& claims, const EvidenceLedger& evidence) {
    for (Claim& claim : claims) {
        claim.supported = false;
        claim.anchor.reset();
        std::erase_if(claim.refs, [&](EvidenceRef ref) { return !evidence.find(ref); });
        if (claim.refs.empty())
            continue;
        if (claim.quote.empty()) {
            claim.supported = true;
            const auto first = evidence.find(claim.refs.front());
            if (!first->lines.empty())
                claim.anchor = first->lines.front().anchor;
            continue;
        }
        for (const EvidenceRef ref : claim.refs)
            if (auto anchor = evidence.locate(ref, claim.quote)) {
                claim.supported = true;
                claim.anchor = std::move(anchor);
                break;
            }
    }
}

std::string countOf(std::size_t n, const char* what) { return std::to_string(n) + " " + what; }
} // namespace

QualityGate::Result QualityGate::check(Diagnosis diagnosis, const Signals& signals, const EvidenceLedger& evidence,
                                       const std::optional<Review>& review) {
    mark(diagnosis.claims, evidence);
    const auto supported = static_cast<std::size_t>(
        std::count_if(diagnosis.claims.begin(), diagnosis.claims.end(), [](const Claim& c) { return c.supported; }));
    Checks checks("quality");
    checks.check("hypothesis", !diagnosis.hypothesis.empty(),
                 diagnosis.hypothesis.empty() ? "there is no hypothesis" : "stated");
    switch (diagnosis.outcome) {
    case DiagnosisOutcome::Fault: {
        const bool read = diagnosis.suspect && wasRead(*diagnosis.suspect, signals, evidence);
        checks.check("suspect_read", read,
                     !diagnosis.suspect ? "no suspect is named"
                     : read             ? diagnosis.suspect->key.text() + " was read in this run"
                                        : diagnosis.suspect->key.text() + " was not read in this run");
        if (diagnosis.suspectedRevision) {
            const bool known =
                diagnosis.suspect &&
                std::any_of(signals.recentDeploys.begin(), signals.recentDeploys.end(), [&](const DeploySignal& d) {
                    return sameObject(d.workload, *diagnosis.suspect) && d.revision == *diagnosis.suspectedRevision;
                });
            checks.check("revision_recent", known,
                         "revision " + std::to_string(*diagnosis.suspectedRevision) +
                             (known ? " is a recent one of the suspect" : " is no recent one of the suspect"));
        }
        const bool confident = std::isfinite(diagnosis.confidence) &&
                               diagnosis.confidence >= Limits::minimumConfidence && diagnosis.confidence <= 1.0;
        checks.check("confidence", confident,
                     confident ? "high enough" : "below the least confidence, or no number between 0 and 1");
        checks.check("claims_supported", supported > 0, countOf(supported, "claims rest on evidence"));
        break;
    }
    case DiagnosisOutcome::NoFault:
        checks.check("sources_complete", signals.gaps.empty(),
                     signals.gaps.empty() ? "every source was read"
                                          : "a source could not be read: " + signals.gaps.front().source);
        checks.check("claims_supported", supported > 0, countOf(supported, "claims rest on evidence"));
        break;
    case DiagnosisOutcome::Undetermined:
        checks.check("gaps_named", !signals.gaps.empty(),
                     signals.gaps.empty() ? "nothing was missing, and still there is no conclusion"
                                          : countOf(signals.gaps.size(), "gaps are named"));
        break;
    }
    // A judge that is the diagnoser is none.
    const bool judged = review && !review->by.empty() && review->by != diagnosis.source;
    if (judged)
        checks.check("judge", review->passed,
                     review->by + ": " +
                         (review->reason.empty() ? (review->passed ? "agrees" : "disagrees") : review->reason));

    Result result{checks.take(), std::move(diagnosis), std::nullopt};
    result.verdict.reviewed = judged;
    if (result.verdict.passed)
        result.grounded = Grounded<Diagnosis>(result.marked, judged);
    return result;
}

namespace {
/// Whether the target is protected, by lists, annotation, or that of the workload it belongs to.
std::optional<std::string> protection(const Action& action, const ActionGate::Input& input) {
    const ObjectKey& key = action.target.key;
    if (!key.ns.empty() && input.protectedLists.namespaceProtected(key.ns))
        return "namespace " + key.ns + " is protected";
    const auto listed = [&](const ObjectKey& k) {
        return input.protectedLists.resourceProtected(k) ||
               std::find(input.signals.protectedResources.begin(), input.signals.protectedResources.end(), k) !=
                   input.signals.protectedResources.end() ||
               std::any_of(input.signals.workloads.begin(), input.signals.workloads.end(),
                           [&](const WorkloadSignal& w) { return w.ref.key == k && w.isProtected; });
    };
    if (listed(key))
        return key.text() + " is protected";
    for (const PodSignal& pod : input.signals.pods)
        if (pod.ref.key == key && !pod.workload.key.name.empty() && listed(pod.workload.key))
            return pod.workload.key.text() + ", its owner, is protected";
    return std::nullopt;
}

bool exists(const Action& action, const Signals& signals) {
    const auto in = [&](const auto& list) {
        return std::any_of(list.begin(), list.end(), [&](const auto& s) { return sameObject(s.ref, action.target); });
    };
    return in(signals.workloads) || in(signals.pods);
}

/// The action is the recommended one: same target, same change.
std::optional<std::string> mismatch(const Action& action, const Diagnosis& diagnosis) {
    if (diagnosis.outcome != DiagnosisOutcome::Fault)
        return "the diagnosis found no fault to act upon";
    if (!diagnosis.recommended)
        return "the diagnosis recommends no action";
    if (!sameObject(action.target, diagnosis.recommended->target))
        return "the target is not the one the diagnosis recommends";
    if (!(action.change == diagnosis.recommended->change))
        return "the change is not the one the diagnosis recommends";
    if (const auto* rollback = std::get_if<Rollback>(&action.change);
        rollback && diagnosis.suspect && sameObject(action.target, *diagnosis.suspect) &&
        diagnosis.suspectedRevision == rollback->toRevision)
        return "it would roll back to the suspected revision itself";
    return std::nullopt;
}

void checkAction(const Action& action, const ActionGate::Input& input, Checks& checks) {
    const ObjectKey& key = action.target.key;
    const std::string what = key.text();
    checks.check("scope_is_object", action.scope == Scope::Object, "scope is " + std::string(name(action.scope)));
    const bool named = !key.kind.resource.empty() && validObjectName(key.name) &&
                       (key.kind.namespaced ? validNamespace(key.ns) : key.ns.empty());
    checks.check("target_name", named, named ? what : what + " is no valid name of an object");
    const std::optional<std::string> why = protection(action, input);
    checks.check("not_protected", !why, why.value_or(what + " is not protected"));
    const bool known = exists(action, input.signals);
    checks.check("target_exists", known, known ? what + " was read in this run" : what + " was not read in this run");
    const bool inside = input.namespaces.contains(key.ns);
    checks.check("namespace", inside,
                 inside ? "inside the run's namespaces" : what + " is outside of the run's namespaces");
    if (const auto* scale = std::get_if<Scale>(&action.change))
        checks.check("replica_floor", scale->replicas >= input.replicaFloor,
                     std::to_string(scale->replicas) + " replicas, the floor is " + std::to_string(input.replicaFloor));
    if (const auto* rollback = std::get_if<Rollback>(&action.change)) {
        const bool kept = std::any_of(
            input.signals.recentDeploys.begin(), input.signals.recentDeploys.end(), [&](const DeploySignal& d) {
                return sameObject(d.workload, action.target) && d.revision == rollback->toRevision && !d.current;
            });
        checks.check("revision_kept", kept,
                     "revision " + std::to_string(rollback->toRevision) +
                         (kept ? " is an earlier one" : " is no earlier one"));
    }
}

Verdict checkPlan(const Plan& plan, const ActionGate::Input& input, const Diagnosis* diagnosis) {
    Checks checks("action");
    checks.check("plan", !plan.actions.empty(),
                 plan.actions.empty() ? "there is nothing to do" : countOf(plan.actions.size(), "actions"));
    const bool sameEpoch = input.epoch == input.currentEpoch;
    checks.check("epoch", sameEpoch,
                 sameEpoch ? "the connection is the run's own"
                           : "the connection is another one than the run was bound to");
    for (const Action& action : plan.actions) {
        checkAction(action, input, checks);
        if (diagnosis) {
            const std::optional<std::string> why = mismatch(action, *diagnosis);
            checks.check("matches_diagnosis", !why, why.value_or("as the diagnosis recommends"));
        }
    }
    return checks.take();
}
} // namespace

ActionGate::Result ActionGate::check(const Grounded<Diagnosis>& diagnosis, Plan plan, const Input& input) {
    Result result{checkPlan(plan, input, &diagnosis.value()), std::nullopt};
    result.verdict.reviewed = diagnosis.reviewed();
    if (result.verdict.passed)
        result.validated = Validated<Plan>(std::move(plan));
    return result;
}

ActionGate::Result ActionGate::checkRequest(Plan plan, const Input& input) {
    Result result{checkPlan(plan, input, nullptr), std::nullopt};
    if (result.verdict.passed)
        result.validated = Validated<Plan>(std::move(plan));
    return result;
}

} // namespace alidade::guard
