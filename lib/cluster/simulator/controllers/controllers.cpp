// SPDX-License-Identifier: GPL-3.0-or-later
#include "controllers/controllers.hpp"

#include <algorithm>

namespace alidade::simulator {

Controllers::Controllers(Registry& registry, Recorder& recorder, Kubelet& kubelet)
    : registry_(registry), world_(registry.world()), recorder_(recorder), kubelet_(kubelet) {
    world_.listen([this](const Change& change) { onChange(change); });
}

void Controllers::enqueueOwner(const Json& doc, const std::string& ns) {
    for (const auto& owner : items(at(doc, {"metadata", "ownerReferences"})))
        if (boolean(at(owner, "controller")))
            if (const auto* kind = world_.kinds().findKind(
                    str(at(owner, "apiVersion")).find('/') == std::string::npos
                        ? ""
                        : str(at(owner, "apiVersion")).substr(0, str(at(owner, "apiVersion")).find('/')),
                    str(at(owner, "kind"))))
                enqueue(kind->resource, ns, str(at(owner, "name")));
}

void Controllers::onChange(const Change& change) {
    const auto& entry = *change.object;
    if (entry.bulk())
        return;
    const auto& resource = change.kind->resource;
    if (resource == "events" || resource == "leases")
        return;
    const bool deleted = change.type == ChangeType::Deleted;
    if (resource == "pods") {
        enqueueOwner(entry.doc(), entry.ns());
        enqueue("services-of", entry.ns(), "");
        if (deleted) {
            kubelet_.gone(entry.uid());
            // A Deployment that re-creates waits for the last pod of its old ReplicaSets.
            if (const auto owner = world_.findByUid(controllerUid(entry.doc())))
                enqueueOwner(owner->doc(), entry.ns());
            enqueue("pending-pods", "", "");
        } else if (str(entry.doc(), {"spec", "nodeName"}).empty()) {
            enqueue("pods", entry.ns(), entry.name());
        } else {
            enqueue("kubelet", entry.ns(), entry.name(), Millis(5));
        }
        enqueue("budgets-of", entry.ns(), "");
        enqueue("quotas-of", entry.ns(), "");
    } else if (resource == "replicasets") {
        enqueueOwner(entry.doc(), entry.ns());
        enqueue(resource, entry.ns(), entry.name());
    } else if (resource == "nodes") {
        enqueue("pending-pods", "", "");
        for (const auto& set : world_.list(world_.kind("daemonsets"), ""))
            enqueue("daemonsets", set->ns(), set->name());
    } else if (resource == "namespaces") {
        enqueue(resource, "", entry.name());
    } else if (resource == "jobs") {
        enqueueOwner(entry.doc(), entry.ns());
        enqueue(resource, entry.ns(), entry.name());
    } else {
        static const std::set<std::string, std::less<>> handled{"deployments",
                                                                "statefulsets",
                                                                "daemonsets",
                                                                "cronjobs",
                                                                "services",
                                                                "poddisruptionbudgets",
                                                                "resourcequotas",
                                                                "persistentvolumeclaims",
                                                                "customresourcedefinitions"};
        if (handled.count(resource) != 0)
            enqueue(resource, entry.ns(), entry.name());
        if (resource == "persistentvolumeclaims")
            enqueue("pending-pods", "", "");
        if (resource == "resourcequotas")
            for (const auto& set : world_.list(world_.kind("replicasets"), entry.ns()))
                enqueue("replicasets", set->ns(), set->name());
    }
    if (deleted && resource == "services")
        world_.erase(world_.kind("endpoints"), entry.ns(), entry.name());
    if (deleted)
        enqueue("namespaces", "", entry.ns(), Millis(60));
}

void Controllers::enqueue(std::string_view controller, std::string_view ns, std::string_view name, Millis delay) {
    queue_.emplace(controller, ns, name);
    if (draining_)
        return;
    draining_ = true;
    world_.clock().after(delay, [this] { drain(); });
}

void Controllers::drain() {
    draining_ = false;
    auto work = std::move(queue_);
    queue_.clear();
    for (const auto& [controller, ns, name] : work)
        reconcile(controller, ns, name);
}

void Controllers::reconcile(const std::string& controller, const std::string& ns, const std::string& name) {
    if (controller == "pending-pods")
        return retryPending();
    if (controller == "services-of") {
        for (const auto& service : world_.list(world_.kind("services"), ns))
            endpoints(service);
        return;
    }
    if (controller == "budgets-of") {
        for (const auto& budget : world_.list(world_.kind("poddisruptionbudgets"), ns))
            disruptionBudget(budget);
        return;
    }
    if (controller == "quotas-of") {
        for (const auto& one : world_.list(world_.kind("resourcequotas"), ns))
            quota(one);
        return;
    }
    const auto& kind = world_.kind(controller == "kubelet" ? "pods" : controller);
    const auto entry = world_.find(kind, ns, name);
    if (!entry)
        return;
    if (controller == "kubelet")
        return kubelet_.changed(entry);
    if (controller == "namespaces")
        return entry->deleting() ? namespaceEnd(entry) : namespaceDefaults(entry);
    if (entry->deleting() && controller != "pods")
        return;
    if (controller == "pods")
        schedule(entry);
    else if (controller == "deployments")
        deployment(entry);
    else if (controller == "replicasets")
        replicaSet(entry);
    else if (controller == "statefulsets")
        statefulSet(entry);
    else if (controller == "daemonsets")
        daemonSet(entry);
    else if (controller == "jobs")
        job(entry);
    else if (controller == "cronjobs")
        cronJob(entry);
    else if (controller == "services")
        endpoints(entry);
    else if (controller == "poddisruptionbudgets")
        disruptionBudget(entry);
    else if (controller == "resourcequotas")
        quota(entry);
    else if (controller == "persistentvolumeclaims")
        claim(entry);
    else if (controller == "customresourcedefinitions")
        customKind(entry);
}

EntryPtr Controllers::createPod(const EntryPtr& owner, const Json& podTemplate, const std::string& name,
                                const std::string& generateName, std::string& error,
                                const std::function<void(Json&)>& adjust) {
    Json pod = {{"metadata", at(podTemplate, "metadata")}, {"spec", at(podTemplate, "spec")}};
    Json& meta = object(pod, "metadata");
    meta.erase("creationTimestamp");
    if (name.empty())
        meta["generateName"] = generateName;
    else
        meta["name"] = name;
    meta["ownerReferences"] = Json::array({ownerReference(*owner)});
    if (adjust)
        adjust(pod);
    Actor actor;
    actor.manager = "kube-controller-manager";
    auto made = registry_.create(world_.kind("pods"), owner->ns(), std::move(pod), actor);
    if (!made) {
        error = made.error().message;
        return nullptr;
    }
    return *made;
}

std::vector<EntryPtr> Controllers::podsOf(const EntryPtr& owner) const {
    std::vector<EntryPtr> out;
    for (const auto& child : world_.dependents(owner->uid()))
        if (child->kind().resource == "pods")
            out.push_back(child);
    return out;
}

bool Controllers::isReady(const Json& pod) {
    for (const auto& condition : items(at(pod, {"status", "conditions"})))
        if (str(at(condition, "type")) == "Ready")
            return str(at(condition, "status")) == "True";
    return false;
}

bool Controllers::isActive(const Entry& pod) {
    const auto phase = str(pod.doc(), {"status", "phase"});
    return !pod.deleting() && phase != "Succeeded" && phase != "Failed";
}

bool Controllers::isAvailable(const Json& pod, std::int64_t minReadySeconds, WallTime* when) const {
    if (!isReady(pod))
        return false;
    if (minReadySeconds == 0)
        return true;
    for (const auto& condition : items(at(pod, {"status", "conditions"}))) {
        if (str(at(condition, "type")) != "Ready")
            continue;
        const auto since = guard::parseRfc3339(str(at(condition, "lastTransitionTime")));
        if (!since)
            return false;
        const auto due = *since + std::chrono::seconds(minReadySeconds);
        if (when != nullptr && due > world_.now())
            *when = std::min(*when, due);
        return due <= world_.now();
    }
    return false;
}

void Controllers::setCondition(Json& status, const std::string& type, const std::string& value,
                               const std::string& reason, const std::string& message, WallTime now,
                               bool withUpdateTime) {
    Json& list = status["conditions"];
    if (!list.is_array())
        list = Json::array();
    Json fresh = {{"type", type},
                  {"status", value},
                  {"reason", reason},
                  {"message", message},
                  {"lastTransitionTime", stamp(now)}};
    if (reason.empty())
        fresh.erase("reason");
    if (message.empty())
        fresh.erase("message");
    if (withUpdateTime)
        fresh["lastUpdateTime"] = stamp(now);
    for (auto& old : list) {
        if (str(at(old, "type")) != type)
            continue;
        if (str(at(old, "status")) == value)
            fresh["lastTransitionTime"] = at(old, "lastTransitionTime");
        if (str(at(old, "status")) == value && str(at(old, "reason")) == reason && str(at(old, "message")) == message)
            return;
        old = fresh;
        return;
    }
    list.push_back(fresh);
}

} // namespace alidade::simulator
