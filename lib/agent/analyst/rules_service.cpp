// SPDX-License-Identifier: GPL-3.0-or-later
// Services: a selector that fits no pod, and pods that fit but are not ready.
#include <algorithm>
#include <map>

#include "analyst/rules.hpp"

namespace alidade::agent {
namespace {

/// "(app=web,tier=front)" as a list of "app=web".
std::vector<std::string> pairsOf(std::string_view name) {
    std::vector<std::string> out;
    if (name.size() < 2 || name.front() != '(' || name.back() != ')')
        return out;
    name = name.substr(1, name.size() - 2);
    while (!name.empty()) {
        const std::size_t comma = name.find(',');
        out.emplace_back(name.substr(0, comma));
        name = comma == std::string_view::npos ? std::string_view() : name.substr(comma + 1);
    }
    return out;
}

/// The workload whose template lost the label that the selector wants.
const WorkloadView* lostLabel(const Case& facts, const std::vector<std::string>& wanted,
                              std::optional<Remedy>& remedy) {
    for (const WorkloadView& workload : facts.workloads()) {
        remedy = Case::remedy(workload, [&](const guard::TemplateChange& change) {
            if (change.field.find("metadata.labels") == std::string::npos || change.before.empty())
                return false;
            return std::any_of(wanted.begin(), wanted.end(), [&](const std::string& pair) {
                const std::size_t equals = pair.find('=');
                return change.before == pair.substr(equals + 1) &&
                       change.field.find(pair.substr(0, equals)) != std::string::npos;
            });
        });
        if (remedy)
            return &workload;
    }
    return nullptr;
}

void selectsNothing(const Case& facts, const guard::RelationSignal& relation, std::vector<Conclusion>& out) {
    WorkloadView service;
    service.ref = relation.from;
    const std::vector<std::string> wanted = pairsOf(relation.to.name);
    std::optional<Remedy> remedy;
    const WorkloadView* workload = lostLabel(facts, wanted, remedy);
    Conclusion conclusion =
        conclude("service.selector", weight::selector, 0.75, workload == nullptr ? service : *workload,
                 "The selector " + relation.to.name + " of " + relation.from.key.text() +
                     " fits no pod, so that it has no endpoints");
    conclusion.finding.severity = guard::Severity::Warning;
    conclusion.finding.weight = weight::selector + weight::impaired;
    const std::string value = wanted.empty() ? std::string() : wanted.front().substr(wanted.front().find('=') + 1);
    conclusion.finding.claims.push_back(
        facts.claim("The selector of " + relation.from.key.text() + " is " + relation.to.name + "; 0 pods match",
                    {relation.evidence}, {"\"" + value + "\"", value}));
    conclusion.finding.related.push_back(relation.from);
    conclusion.finding.nextChecks.emplace_back("Compare the selector with the labels of the pods meant");
    if (workload != nullptr)
        facts.blameTemplate(conclusion, *workload, remedy);
    out.push_back(std::move(conclusion));
}

} // namespace

void serviceRules(const Case& facts, std::vector<Conclusion>& out) {
    std::map<guard::ObjectKey, std::vector<const guard::RelationSignal*>> selected;
    for (const guard::RelationSignal& relation : facts.signals().relations) {
        if (relation.relation != "selects" || !(relation.from.key.kind == guard::kinds::services()))
            continue;
        if (relation.resolution == "missing")
            selectsNothing(facts, relation, out);
        else if (relation.resolution == "resolved")
            selected[relation.from.key].push_back(&relation);
    }
    for (const auto& [key, relations] : selected) {
        std::vector<const guard::PodSignal*> pods;
        for (const guard::RelationSignal* relation : relations)
            for (const guard::PodSignal& pod : facts.signals().pods)
                if (pod.ref.key == relation->to)
                    pods.push_back(&pod);
        if (pods.size() != relations.size() ||
            std::any_of(pods.begin(), pods.end(), [](const auto* pod) { return pod->ready; }))
            continue;
        WorkloadView service;
        service.ref = relations.front()->from;
        Conclusion conclusion =
            conclude("service.no_ready_endpoints", weight::endpoints, 0.5, service,
                     "None of the " + count(pods.size(), "pod") + " of " + key.text() + " is ready");
        conclusion.finding.severity = guard::Severity::Warning;
        conclusion.finding.weight = weight::endpoints;
        std::vector<guard::EvidenceRef> refs{relations.front()->evidence};
        for (const guard::PodSignal* pod : pods) {
            conclusion.finding.related.push_back(pod->ref);
            refs.push_back(pod->evidence);
        }
        conclusion.finding.claims.push_back(
            facts.claim(key.text() + " has no ready endpoint", refs, {"\"ready\": false"}));
        conclusion.finding.nextChecks.emplace_back("Look at why its pods are not ready");
        out.push_back(std::move(conclusion));
    }
}

} // namespace alidade::agent
