// SPDX-License-Identifier: GPL-3.0-or-later
// Memory that runs out, and pods that no node takes.
#include <array>

#include "analyst/rules.hpp"

namespace alidade::agent {
namespace {

bool killedForMemory(const guard::PodSignal&, const guard::ContainerSignal& c) {
    return c.lastReason == "OOMKilled" || (c.state == "terminated" && c.reason == "OOMKilled");
}

struct Reason {
    std::string_view word;
    std::string_view rule;
    std::string_view says;
    std::array<std::string_view, 3> fields; ///< of the template, that bear on it
};
constexpr std::array reasons{
    Reason{
        "Insufficient cpu", "schedule.cpu", "no node has enough CPU left", {".resources.", ".replicas", ".resources."}},
    Reason{"Insufficient memory",
           "schedule.memory",
           "no node has enough memory left",
           {".resources.", ".replicas", ".resources."}},
    Reason{"Insufficient",
           "schedule.resource",
           "no node has enough of a resource it asks for",
           {".resources.", ".resources.", ".resources."}},
    Reason{"taint",
           "schedule.taint",
           "the nodes have taints that it does not tolerate",
           {".tolerations", ".nodeSelector", ".affinity"}},
    Reason{"node affinity/selector",
           "schedule.selector",
           "no node fits its node selector or affinity",
           {".nodeSelector", ".affinity", ".tolerations"}},
    Reason{"node selector",
           "schedule.selector",
           "no node fits its node selector",
           {".nodeSelector", ".affinity", ".tolerations"}},
    Reason{"persistentvolumeclaim",
           "schedule.volume",
           "a volume claim is not there or not bound",
           {".volumes", ".volumes", ".volumes"}},
    Reason{"topology spread",
           "schedule.topology",
           "its spread over zones or hosts cannot be met",
           {".topologySpreadConstraints", ".affinity", ".affinity"}},
    Reason{"anti-affinity",
           "schedule.affinity",
           "its anti-affinity leaves no node",
           {".affinity", ".affinity", ".affinity"}},
    Reason{
        "free ports", "schedule.port", "the host port it wants is taken on every node", {".ports", ".ports", ".ports"}},
};

} // namespace

void memoryRules(const Case& facts, std::vector<Conclusion>& out) {
    for (const Group& group : facts.groups(killedForMemory)) {
        const guard::ContainerSignal& container = group.container();
        Conclusion conclusion =
            conclude("memory.oom", weight::memory, 0.8, *group.workload,
                     "The " + group.where() + " is killed because it needs more memory than its limit");
        // Killed and well again is not an outage, but it is no noise either.
        if (!group.workload->impaired())
            conclusion.finding.severity = guard::Severity::Warning;
        conclusion.finding.claims.push_back(
            facts.claim(group.where() + " was ended with OOMKilled, " +
                            count(static_cast<std::size_t>(std::max(container.restarts, 0)), "restart"),
                        {group.pod().evidence}, {"OOMKilled"}));
        conclusion.finding.nextChecks.emplace_back(
            "Compare its memory use with its limit; raise the limit or find the leak");
        relate(conclusion, group);
        facts.blameTemplate(
            conclusion, *group.workload, Case::remedy(*group.workload, [&](const guard::TemplateChange& change) {
                return ofContainer(change, container) && (change.field.find(".resources.") != std::string::npos);
            }));
        if (!conclusion.finding.action) {
            // A new image with the old limits: only where the older one is seen to do well.
            const auto remedy =
                Case::remedy(*group.workload, [&](const auto& change) { return ofContainer(change, container); });
            if (remedy && remedy->seenHealthy)
                facts.blameTemplate(conclusion, *group.workload, remedy);
        }
        out.push_back(std::move(conclusion));
    }
}

void scheduleRules(const Case& facts, std::vector<Conclusion>& out) {
    for (const WorkloadView& workload : facts.workloads()) {
        std::vector<const guard::PodSignal*> pods;
        for (const guard::PodSignal* pod : workload.pods)
            if (!pod->unschedulable.empty() && pod->phase == "Pending")
                pods.push_back(pod);
        if (pods.empty())
            continue;
        const guard::PodSignal& pod = *pods.front();
        std::vector<const Reason*> found;
        for (const Reason& reason : reasons) {
            const bool general = reason.word == "Insufficient" && !found.empty();
            if (!general && holdsAny(pod.unschedulable, {reason.word}) &&
                (found.empty() || found.back()->rule != reason.rule))
                found.push_back(&reason);
        }
        std::string says =
            found.empty() ? std::string("the scheduler finds no node for it") : std::string(found.front()->says);
        for (std::size_t i = 1; i < found.size(); ++i)
            says += "; " + std::string(found[i]->says);
        Conclusion conclusion =
            conclude(found.empty() ? "schedule.unschedulable" : found.front()->rule, weight::schedule, 0.8, workload,
                     count(pods.size(), "pod") + " of " + workload.ref.key.text() + " cannot be scheduled: " + says);
        conclusion.finding.claims.push_back(
            facts.claim("The scheduler says: " + pod.unschedulable, {pod.evidence}, {pod.unschedulable}));
        for (const guard::PodSignal* each : pods)
            conclusion.finding.related.push_back(each->ref);
        conclusion.finding.nextChecks.emplace_back("Compare what the pod asks for with what the nodes have left");
        facts.blameTemplate(conclusion, workload, Case::remedy(workload, [&](const guard::TemplateChange& change) {
                                for (const Reason* reason : found)
                                    for (const std::string_view field : reason->fields)
                                        if (change.field.find(field) != std::string::npos)
                                            return true;
                                return false;
                            }));
        out.push_back(std::move(conclusion));
    }
}

} // namespace alidade::agent
