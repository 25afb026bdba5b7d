// SPDX-License-Identifier: GPL-3.0-or-later
// Namespaces, disruption budgets, quotas, volume claims, custom kinds, node heartbeats.
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "controllers/controllers.hpp"
#include "world/quota.hpp"
#include "world/selectors.hpp"

namespace alidade::simulator {

void Controllers::namespaceDefaults(const EntryPtr& space) {
    const auto name = space->name();
    if (!world_.find(world_.kind("serviceaccounts"), name, "default"))
        world_.write(world_.kind("serviceaccounts"), {{"metadata", {{"name", "default"}, {"namespace", name}}}});
    if (!world_.find(world_.kind("configmaps"), name, "kube-root-ca.crt"))
        world_.write(world_.kind("configmaps"),
                     {{"metadata", {{"name", "kube-root-ca.crt"}, {"namespace", name}}},
                      {"data", {{"ca.crt", "-----BEGIN CERTIFICATE-----\n(simulated)\n-----END CERTIFICATE-----\n"}}}});
}

void Controllers::namespaceEnd(const EntryPtr& space) {
    const auto name = space->name();
    std::size_t left = 0;
    std::string finalizers;
    for (const auto& kind : world_.kinds().all()) {
        if (!kind.namespaced)
            continue;
        for (const auto& object : world_.list(kind, name)) {
            if (!object->deleting())
                (void)registry_.remove(
                    object, DeleteOptions{kind.resource == "pods" ? std::optional<std::int64_t>(1) : std::nullopt, "",
                                          "", Propagation::Background, false});
            if (const auto now = world_.find(kind, name, object->name())) {
                ++left;
                for (const auto& f : items(at(now->doc(), {"metadata", "finalizers"})))
                    finalizers += (finalizers.empty() ? "" : ", ") + str(f) + " in 1 resource instances";
            }
        }
    }
    if (left == 0) {
        world_.erase(space->kind(), "", name);
        return;
    }
    registry_.amend(space->kind(), "", name, [&](Json& doc) {
        Json& status = object(doc, "status");
        setCondition(status, "NamespaceContentRemaining", "True", "SomeResourcesRemain",
                     "Some resources are remaining: " + std::to_string(left) + " resource instances", world_.now(),
                     false);
        setCondition(status, "NamespaceFinalizersRemaining", finalizers.empty() ? "False" : "True",
                     finalizers.empty() ? "ContentHasNoFinalizers" : "SomeFinalizersRemain",
                     finalizers.empty() ? "All content-preserving finalizers finished"
                                        : "Some content in the namespace has finalizers remaining: " + finalizers,
                     world_.now(), false);
    });
}

void Controllers::disruptionBudget(const EntryPtr& budget) {
    const Json& spec = at(budget->doc(), "spec");
    const auto selector = LabelSelector::fromJson(at(spec, "selector"));
    std::int64_t expected = 0;
    std::int64_t healthy = 0;
    for (const auto& pod : world_.list(world_.kind("pods"), budget->ns())) {
        if (!isActive(*pod) || !selector.matches(at(pod->doc(), {"metadata", "labels"})))
            continue;
        ++expected;
        if (isReady(pod->doc()))
            ++healthy;
    }
    const auto resolve = [&](const Json& value) {
        if (value.is_number())
            return integer(value);
        return static_cast<std::int64_t>(
            std::ceil(std::strtod(str(value).c_str(), nullptr) * static_cast<double>(expected) / 100));
    };
    const auto desired = at(spec, "minAvailable").is_null()
                             ? std::max<std::int64_t>(0, expected - resolve(at(spec, "maxUnavailable")))
                             : resolve(at(spec, "minAvailable"));
    const auto allowed = std::max<std::int64_t>(0, healthy - desired);
    registry_.amend(budget->kind(), budget->ns(), budget->name(), [&](Json& doc) {
        Json& status = object(doc, "status");
        status["currentHealthy"] = healthy;
        status["desiredHealthy"] = desired;
        status["expectedPods"] = expected;
        status["disruptionsAllowed"] = allowed;
        status["observedGeneration"] = integer(doc, {"metadata", "generation"}, 1);
        setCondition(status, "DisruptionAllowed", allowed > 0 ? "True" : "False",
                     allowed > 0 ? "SufficientPods" : "InsufficientPods", "", world_.now(), false);
    });
}

void Controllers::quota(const EntryPtr& entry) {
    const auto used = quotaUsed(world_, *entry);
    registry_.amend(entry->kind(), entry->ns(), entry->name(), [&](Json& doc) {
        object(doc, "status") = {{"hard", at(doc, {"spec", "hard"})}, {"used", used}};
    });
}

/// Binds a claim to a volume made for it, when its class (or the default one) exists.
void Controllers::claim(const EntryPtr& entry) {
    if (str(entry->doc(), {"status", "phase"}) == "Bound")
        return;
    std::string wanted = str(entry->doc(), {"spec", "storageClassName"});
    EntryPtr storage;
    for (const auto& candidate : world_.list(world_.kind("storageclasses"), "")) {
        const bool isDefault =
            str(candidate->doc(), {"metadata", "annotations", "storageclass.kubernetes.io/is-default-class"}) == "true";
        if (wanted.empty() ? isDefault : candidate->name() == wanted)
            storage = candidate;
    }
    if (!storage) {
        recorder_.record(*entry, true, wanted.empty() ? "FailedBinding" : "ProvisioningFailed",
                         wanted.empty() ? "no persistent volumes available for this claim and no storage class is set"
                                        : "storageclass.storage.k8s.io \"" + wanted + "\" not found",
                         "persistentvolume-controller");
        return;
    }
    const auto volume = "pvc-" + entry->uid();
    const Json& capacity = at(entry->doc(), {"spec", "resources", "requests"});
    world_.write(world_.kind("persistentvolumes"), {{"metadata", {{"name", volume}}},
                                                    {"spec",
                                                     {{"capacity", capacity},
                                                      {"accessModes", at(entry->doc(), {"spec", "accessModes"})},
                                                      {"persistentVolumeReclaimPolicy", "Delete"},
                                                      {"storageClassName", storage->name()},
                                                      {"volumeMode", "Filesystem"},
                                                      {"claimRef",
                                                       {{"kind", "PersistentVolumeClaim"},
                                                        {"apiVersion", "v1"},
                                                        {"namespace", entry->ns()},
                                                        {"name", entry->name()},
                                                        {"uid", entry->uid()}}}}},
                                                    {"status", {{"phase", "Bound"}}}});
    registry_.amend(entry->kind(), entry->ns(), entry->name(), [&](Json& doc) {
        doc["spec"]["volumeName"] = volume;
        doc["spec"]["storageClassName"] = storage->name();
        doc["status"] = {{"phase", "Bound"}, {"capacity", capacity}, {"accessModes", at(doc, {"spec", "accessModes"})}};
    });
}

void Controllers::customKind(const EntryPtr& entry) {
    const Json& spec = at(entry->doc(), "spec");
    Json stored = Json::array();
    for (const auto& version : items(at(spec, "versions"))) {
        if (!boolean(at(version, "served"), true))
            continue;
        KindDef def;
        def.group = str(at(spec, "group"));
        def.version = str(at(version, "name"));
        def.kind = str(spec, {"names", "kind"});
        def.resource = str(spec, {"names", "plural"});
        def.singular = str(spec, {"names", "singular"});
        def.namespaced = str(at(spec, "scope")) != "Cluster";
        for (const auto& name : items(at(spec, {"names", "shortNames"})))
            def.shortNames.push_back(str(name));
        for (const auto& [name, value] : members(at(version, "subresources")))
            def.subresources.push_back(name);
        if (def.group.empty() || def.resource.empty() || def.kind.empty())
            return;
        world_.kinds().addCustom(std::move(def));
        stored.push_back(at(version, "name"));
    }
    registry_.amend(entry->kind(), "", entry->name(), [&](Json& doc) {
        Json& status = object(doc, "status");
        status["acceptedNames"] = at(spec, "names");
        status["storedVersions"] = stored;
        setCondition(status, "NamesAccepted", "True", "NoConflicts", "no conflicts found", world_.now(), false);
        setCondition(status, "Established", "True", "InitialNamesAccepted", "the initial names have been accepted",
                     world_.now(), false);
    });
}

void Controllers::startHousekeeping() {
    recorder_.expire();
    heartbeat();
}

void Controllers::heartbeat() {
    for (const auto& node : world_.list(world_.kind("nodes"), ""))
        registry_.amend(node->kind(), "", node->name(), [&](Json& doc) {
            for (auto& condition : object(doc, "status")["conditions"])
                if (condition.is_object() && str(at(condition, "status")) != "Unknown")
                    condition["lastHeartbeatTime"] = stamp(world_.now());
        });
    recorder_.expire();
    world_.clock().after(Millis(300000), [this] { heartbeat(); });
}

} // namespace alidade::simulator
