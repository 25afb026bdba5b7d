// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyst/analyst.hpp"

#include <algorithm>
#include <set>

#include "analyst/rules.hpp"
#include "tools/table.hpp"

namespace alidade::agent {
namespace {

using guard::ObjectKey;
using guard::ObjectRef;

/// The object in trouble with what stands for it: its workload, the pods a Service selects, the users of a ConfigMap.
std::set<ObjectKey> circle(const guard::Signals& signals, const ObjectRef& about) {
    std::set<ObjectKey> out{about.key};
    for (const guard::RelationSignal& relation : signals.relations) {
        const bool forward = relation.relation == "selects" || relation.relation == "routes_to";
        if (forward && relation.from.key == about.key)
            out.insert(relation.to);
        if (!forward && relation.to == about.key)
            out.insert(relation.from.key);
    }
    for (const guard::PodSignal& pod : signals.pods)
        if (out.contains(pod.ref.key) && !pod.workload.key.name.empty())
            out.insert(pod.workload.key);
    return out;
}

bool bearsOn(const guard::Finding& finding, const std::set<ObjectKey>& objects) {
    return objects.contains(finding.primary.key) ||
           std::any_of(finding.related.begin(), finding.related.end(),
                       [&](const ObjectRef& ref) { return objects.contains(ref.key); });
}

/// Everything that was looked at and is well.
void wellClaims(const Case& facts, const std::optional<std::set<ObjectKey>>& objects, std::vector<guard::Claim>& out) {
    constexpr std::size_t shown = 12;
    for (const WorkloadView& workload : facts.workloads()) {
        if (workload.signal == nullptr || (objects && !objects->contains(workload.ref.key)) || out.size() == shown)
            continue;
        const guard::WorkloadSignal& signal = *workload.signal;
        out.push_back(facts.claim(workload.ref.key.text() + ": " + std::to_string(signal.ready) + " of " +
                                      std::to_string(signal.desired) + " ready, the newest revision everywhere",
                                  {signal.evidence}, {"\"readyReplicas\"", "\"numberReady\"", "\"replicas\""}));
    }
}

/// Of a namespace without workloads: what its lists held.
void listClaims(const guard::EvidenceLedger& evidence, std::vector<guard::Claim>& out) {
    for (const auto& each : evidence.all())
        if (each->tool == tools::listResources.name() && each->target.key.name.empty())
            out.push_back({.text = each->title, .refs = {each->ref}, .quote = {}, .anchor = {}});
}

std::string gapNames(const std::vector<guard::Gap>& gaps) {
    std::string out;
    for (const guard::Gap& gap : gaps)
        out += (out.empty() ? "" : ", ") + gap.source + " (" + std::string(name(gap.coverage)) + ")";
    return out;
}

void withoutFault(const Case& facts, const guard::EvidenceLedger& evidence, const std::optional<ObjectRef>& about,
                  guard::Diagnosis& out) {
    const guard::Signals& signals = facts.signals();
    const auto objects = about ? std::optional(circle(signals, *about)) : std::nullopt;
    const std::string where = about ? about->key.text() : signals.scope;
    wellClaims(facts, objects, out.claims);
    if (out.claims.empty())
        listClaims(evidence, out.claims);
    if (!signals.gaps.empty()) {
        out.outcome = guard::DiagnosisOutcome::Undetermined;
        const bool blind = evidence.all().empty();
        out.hypothesis = blind ? "Nothing could be read of " + where + ": " + signals.gaps.front().reason
                               : "Nothing wrong was seen in what could be read of " + where + ".";
        out.hypothesis += " Not read: " + gapNames(signals.gaps);
        out.confidence = 0.3;
        return;
    }
    out.outcome = guard::DiagnosisOutcome::NoFault;
    out.hypothesis = "No fault found in " + where + ": " + count(signals.workloads.size(), "workload") + " and " +
                     count(signals.pods.size(), "pod") + " were looked at, every source was complete";
    out.confidence = 0.9;
}

} // namespace

Analysis analyse(const guard::Signals& signals, const guard::EvidenceLedger& evidence,
                 const std::optional<ObjectRef>& about) {
    const Case facts(signals, evidence);
    std::vector<Conclusion> conclusions;
    for (const RuleRow& row : rules)
        row.rule(facts, conclusions);
    const auto objects = about ? std::optional(circle(signals, *about)) : std::nullopt;
    const auto eligible = [&](const Conclusion& conclusion) {
        return objects ? bearsOn(conclusion.finding, *objects) : conclusion.finding.severity != guard::Severity::Info;
    };
    std::stable_sort(conclusions.begin(), conclusions.end(), [&](const Conclusion& a, const Conclusion& b) {
        const auto rank = [&](const Conclusion& c) {
            return std::tuple(eligible(c), c.finding.severity != guard::Severity::Info, c.finding.weight);
        };
        if (rank(a) != rank(b))
            return rank(a) > rank(b);
        return a.finding.primary.key < b.finding.primary.key;
    });

    Analysis out;
    guard::Diagnosis& diagnosis = out.diagnosis;
    diagnosis.source = "analyst";
    const bool fault = !conclusions.empty() && eligible(conclusions.front());
    if (fault) {
        const Conclusion& lead = conclusions.front();
        diagnosis.outcome = guard::DiagnosisOutcome::Fault;
        diagnosis.hypothesis = lead.finding.explanation;
        diagnosis.suspect = lead.finding.primary;
        diagnosis.suspectedRevision = lead.finding.suspectedRevision;
        diagnosis.confidence = lead.confidence;
        diagnosis.recommended = lead.finding.action;
        diagnosis.claims = lead.finding.claims;
    } else {
        withoutFault(facts, evidence, about, diagnosis);
    }
    constexpr std::size_t alternatives = 5;
    for (std::size_t i = fault ? 1 : 0; i < conclusions.size() && diagnosis.alternatives.size() < alternatives; ++i) {
        const guard::Finding& finding = conclusions[i].finding;
        diagnosis.alternatives.push_back(
            finding.explanation +
            (finding.severity == guard::Severity::Info ? ". All of it is ready, so it is not what is wrong now"
             : fault && finding.primary == conclusions.front().finding.primary ? ". That follows from the above"
                                                                               : ". It explains less"));
    }
    for (Conclusion& conclusion : conclusions)
        out.findings.push_back(std::move(conclusion.finding));
    return out;
}

} // namespace alidade::agent
