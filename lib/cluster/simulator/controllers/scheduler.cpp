// SPDX-License-Identifier: GPL-3.0-or-later
// The default scheduler's filters that people run into: resources, selectors, affinity, taints, cordons, unbound
// claims.
#include <algorithm>
#include <map>

#include "controllers/controllers.hpp"
#include "world/quota.hpp"
#include "world/selectors.hpp"

namespace alidade::simulator {

namespace {

bool tolerates(const Json& podSpec, const Json& taint) {
    for (const auto& t : items(at(podSpec, "tolerations"))) {
        const auto effect = str(at(t, "effect"));
        if (!effect.empty() && effect != str(at(taint, "effect")))
            continue;
        const auto key = str(at(t, "key"));
        if (str(at(t, "operator")) == "Exists") {
            if (key.empty() || key == str(at(taint, "key")))
                return true;
        } else if (key == str(at(taint, "key")) && str(at(t, "value")) == str(at(taint, "value"))) {
            return true;
        }
    }
    return false;
}

bool affine(const Json& podSpec, const Json& labels) {
    if (const Json& selector = at(podSpec, "nodeSelector"); !members(selector).empty() && !matchesAll(selector, labels))
        return false;
    const Json& terms = at(
        podSpec, {"affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution", "nodeSelectorTerms"});
    if (items(terms).empty())
        return true;
    return std::any_of(items(terms).begin(), items(terms).end(), [&](const Json& term) {
        return LabelSelector::fromJson({{"matchExpressions", at(term, "matchExpressions")}}).matches(labels);
    });
}

} // namespace

void Controllers::schedule(const EntryPtr& pod) {
    const Json& spec = at(pod->doc(), "spec");
    if (!str(at(spec, "nodeName")).empty() || pod->deleting())
        return;
    if (const auto scheduler = str(at(spec, "schedulerName"), "default-scheduler"); scheduler != "default-scheduler")
        return;
    const auto nodes = world_.list(world_.kind("nodes"), "");
    const double cpu = podRequest(spec, "cpu");
    const double memory = podRequest(spec, "memory");
    std::map<std::string, int> reasons;
    EntryPtr best;
    double bestShare = 0;
    std::string unbound;
    for (const auto& volume : items(at(spec, "volumes"))) {
        const auto name = str(volume, {"persistentVolumeClaim", "claimName"});
        if (name.empty())
            continue;
        const auto claimed = world_.find(world_.kind("persistentvolumeclaims"), pod->ns(), name);
        if (!claimed)
            unbound = "persistentvolumeclaim \"" + name + "\" not found";
        else if (str(claimed->doc(), {"status", "phase"}) != "Bound")
            unbound = "pod has unbound immediate PersistentVolumeClaims";
    }
    const auto pods = world_.list(world_.kind("pods"), "");
    for (const auto& node : unbound.empty() ? nodes : std::vector<EntryPtr>{}) {
        const Json& labels = at(node->doc(), {"metadata", "labels"});
        if (boolean(at(node->doc(), {"spec", "unschedulable"}))) {
            ++reasons["node(s) were unschedulable"];
            continue;
        }
        const Json* bad = nullptr;
        for (const auto& taint : items(at(node->doc(), {"spec", "taints"}))) {
            const auto effect = str(at(taint, "effect"));
            if ((effect == "NoSchedule" || effect == "NoExecute") && !tolerates(spec, taint))
                bad = &taint;
        }
        if (bad != nullptr) {
            ++reasons["node(s) had untolerated taint {" + str(at(*bad, "key")) + ": " + str(at(*bad, "value")) + "}"];
            continue;
        }
        if (!affine(spec, labels)) {
            ++reasons["node(s) didn't match Pod's node affinity/selector"];
            continue;
        }
        double usedCpu = 0;
        double usedMemory = 0;
        int count = 0;
        for (const auto& other : pods) {
            if (str(other->doc(), {"spec", "nodeName"}) != node->name() || (!isActive(*other) && !other->deleting()))
                continue;
            usedCpu += podRequest(at(other->doc(), "spec"), "cpu");
            usedMemory += podRequest(at(other->doc(), "spec"), "memory");
            ++count;
        }
        const Json& room = at(node->doc(), {"status", "allocatable"});
        const double allCpu = quantity(at(room, "cpu"));
        const double allMemory = quantity(at(room, "memory"));
        bool fits = true;
        if (usedCpu + cpu > allCpu + 1e-9)
            fits = (++reasons["Insufficient cpu"], false);
        if (usedMemory + memory > allMemory + 1e-9)
            fits = (++reasons["Insufficient memory"], false);
        if (count + 1 > static_cast<int>(quantity(at(room, "pods"))))
            fits = (++reasons["Too many pods"], false);
        if (!fits)
            continue;
        const double share =
            (usedCpu + cpu) / std::max(allCpu, 0.001) + (usedMemory + memory) / std::max(allMemory, 1.0) + count * 0.01;
        if (!best || share < bestShare) {
            best = node;
            bestShare = share;
        }
    }
    const auto now = world_.now();
    if (best) {
        registry_.amend(pod->kind(), pod->ns(), pod->name(), [&](Json& doc) {
            doc["spec"]["nodeName"] = best->name();
            setCondition(object(doc, "status"), "PodScheduled", "True", "", "", now, false);
        });
        recorder_.record(*pod, false, "Scheduled",
                         "Successfully assigned " + pod->ns() + "/" + pod->name() + " to " + best->name(),
                         "default-scheduler");
        return;
    }
    std::string why;
    for (const auto& [reason, n] : reasons)
        why += (why.empty() ? "" : ", ") + std::to_string(n) + " " + reason;
    const auto number = std::to_string(nodes.size());
    std::string message = "0/" + number + " nodes are available: " + (unbound.empty() ? why : unbound) + ".";
    if (nodes.empty())
        message = "no nodes available to schedule pods";
    else if (unbound.empty()) {
        const bool resources = std::any_of(reasons.begin(), reasons.end(),
                                           [](const auto& r) { return r.first.starts_with("Insufficient"); });
        int helpless = 0;
        int crowded = 0;
        for (const auto& [reason, n] : reasons)
            (reason.starts_with("Insufficient") ? crowded : helpless) += n;
        message += " preemption: 0/" + number + " nodes are available: ";
        if (!resources)
            message += number + " Preemption is not helpful for scheduling.";
        else {
            const int total = static_cast<int>(nodes.size());
            helpless = std::min(helpless, total);
            if (helpless > 0)
                message += std::to_string(helpless) + " Preemption is not helpful for scheduling, ";
            message += std::to_string(total - helpless) + " No preemption victims found for incoming pod.";
        }
    }
    registry_.amend(pod->kind(), pod->ns(), pod->name(), [&](Json& doc) {
        setCondition(object(doc, "status"), "PodScheduled", "False", "Unschedulable", message, now, false);
    });
    const Key key{"unschedulable", pod->ns(), pod->uid()};
    const bool already = delayed_.count(key) != 0;
    if (already)
        return;
    recorder_.record(*pod, true, "FailedScheduling", message, "default-scheduler");
    delayed_.insert(key);
    world_.clock().after(Millis(300000), [this, key, ns = pod->ns(), name = pod->name()] {
        delayed_.erase(key);
        enqueue("pods", ns, name);
    });
}

void Controllers::retryPending() {
    for (const auto& pod : world_.list(world_.kind("pods"), ""))
        if (str(pod->doc(), {"spec", "nodeName"}).empty() && !pod->deleting())
            schedule(pod);
}

} // namespace alidade::simulator
