// SPDX-License-Identifier: GPL-3.0-or-later
#include "world/kinds.hpp"

#include <algorithm>
#include <cctype>

namespace alidade::simulator {

bool KindDef::serves(std::string_view subresource) const noexcept {
    return std::find(subresources.begin(), subresources.end(), subresource) != subresources.end();
}

namespace {

using Words = std::vector<std::string>;

struct RowDef {
    const char* group;
    const char* version;
    const char* kind;
    const char* resource;
    bool namespaced;
    bool generation;
    Words shortNames;
    bool all; ///< category "all"
    Words subresources;
};

const std::vector<RowDef>& table() {
    static const std::vector<RowDef> rows{
        {"", "v1", "Pod", "pods", true, false, {"po"}, true, {"status", "log", "eviction", "binding"}},
        {"", "v1", "Service", "services", true, false, {"svc"}, true, {"status"}},
        {"", "v1", "Endpoints", "endpoints", true, false, {"ep"}, false, {}},
        {"", "v1", "ConfigMap", "configmaps", true, false, {"cm"}, false, {}},
        {"", "v1", "Secret", "secrets", true, false, {}, false, {}},
        {"", "v1", "Node", "nodes", false, false, {"no"}, false, {"status"}},
        {"", "v1", "Namespace", "namespaces", false, false, {"ns"}, false, {"status", "finalize"}},
        {"", "v1", "Event", "events", true, false, {"ev"}, false, {}},
        {"", "v1", "ServiceAccount", "serviceaccounts", true, false, {"sa"}, false, {}},
        {"", "v1", "PersistentVolumeClaim", "persistentvolumeclaims", true, false, {"pvc"}, false, {"status"}},
        {"", "v1", "PersistentVolume", "persistentvolumes", false, false, {"pv"}, false, {"status"}},
        {"", "v1", "ResourceQuota", "resourcequotas", true, false, {"quota"}, false, {"status"}},
        {"", "v1", "LimitRange", "limitranges", true, false, {"limits"}, false, {}},
        {"", "v1", "ReplicationController", "replicationcontrollers", true, true, {"rc"}, true, {"status", "scale"}},
        {"apps", "v1", "Deployment", "deployments", true, true, {"deploy"}, true, {"status", "scale"}},
        {"apps", "v1", "ReplicaSet", "replicasets", true, true, {"rs"}, true, {"status", "scale"}},
        {"apps", "v1", "StatefulSet", "statefulsets", true, true, {"sts"}, true, {"status", "scale"}},
        {"apps", "v1", "DaemonSet", "daemonsets", true, true, {"ds"}, true, {"status"}},
        {"apps", "v1", "ControllerRevision", "controllerrevisions", true, false, {}, false, {}},
        {"batch", "v1", "Job", "jobs", true, true, {}, true, {"status"}},
        {"batch", "v1", "CronJob", "cronjobs", true, true, {"cj"}, true, {"status"}},
        {"autoscaling",
         "v2",
         "HorizontalPodAutoscaler",
         "horizontalpodautoscalers",
         true,
         false,
         {"hpa"},
         true,
         {"status"}},
        {"policy", "v1", "PodDisruptionBudget", "poddisruptionbudgets", true, true, {"pdb"}, false, {"status"}},
        {"networking.k8s.io", "v1", "Ingress", "ingresses", true, true, {"ing"}, false, {"status"}},
        {"networking.k8s.io", "v1", "IngressClass", "ingressclasses", false, true, {}, false, {}},
        {"networking.k8s.io", "v1", "NetworkPolicy", "networkpolicies", true, true, {"netpol"}, false, {}},
        {"discovery.k8s.io", "v1", "EndpointSlice", "endpointslices", true, true, {}, false, {}},
        {"rbac.authorization.k8s.io", "v1", "Role", "roles", true, false, {}, false, {}},
        {"rbac.authorization.k8s.io", "v1", "RoleBinding", "rolebindings", true, false, {}, false, {}},
        {"rbac.authorization.k8s.io", "v1", "ClusterRole", "clusterroles", false, false, {}, false, {}},
        {"rbac.authorization.k8s.io", "v1", "ClusterRoleBinding", "clusterrolebindings", false, false, {}, false, {}},
        {"storage.k8s.io", "v1", "StorageClass", "storageclasses", false, false, {"sc"}, false, {}},
        {"scheduling.k8s.io", "v1", "PriorityClass", "priorityclasses", false, true, {"pc"}, false, {}},
        {"coordination.k8s.io", "v1", "Lease", "leases", true, false, {}, false, {}},
        {"apiextensions.k8s.io",
         "v1",
         "CustomResourceDefinition",
         "customresourcedefinitions",
         false,
         true,
         {"crd", "crds"},
         false,
         {"status"}},
    };
    return rows;
}

std::string lower(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}

} // namespace

Kinds::Kinds() {
    for (const auto& row : table()) {
        KindDef def;
        def.group = row.group;
        def.version = row.version;
        def.kind = row.kind;
        def.resource = row.resource;
        def.singular = lower(row.kind);
        def.namespaced = row.namespaced;
        def.shortNames = row.shortNames;
        if (row.all)
            def.categories = {"all"};
        def.subresources = row.subresources;
        def.hasGeneration = row.generation;
        add(std::move(def));
    }
    served_.push_back({"autoscaling", "v1", find("autoscaling", "horizontalpodautoscalers")});
    served_.push_back({"discovery.k8s.io", "v1beta1", find("discovery.k8s.io", "endpointslices")});
    served_.push_back({"events.k8s.io", "v1", find("", "events")});
}

KindDef& Kinds::add(KindDef def) {
    def.index = defs_.size();
    defs_.push_back(std::move(def));
    KindDef& stored = defs_.back();
    served_.push_back({stored.group, stored.version, &stored});
    return stored;
}

const KindDef& Kinds::addCustom(KindDef def) {
    if (const auto* known = find(def.group, def.resource)) {
        if (served(def.group, def.version, def.resource) == nullptr)
            served_.push_back({def.group, def.version, known});
        return *known;
    }
    if (def.singular.empty())
        def.singular = lower(def.kind);
    def.custom = true;
    def.hasGeneration = true;
    return add(std::move(def));
}

const KindDef* Kinds::find(std::string_view group, std::string_view resource) const noexcept {
    for (const auto& def : defs_)
        if (def.resource == resource && def.group == group)
            return &def;
    return nullptr;
}

const KindDef* Kinds::findKind(std::string_view group, std::string_view kind) const noexcept {
    for (const auto& s : served_)
        if (s.kind->kind == kind && s.group == group)
            return s.kind;
    return nullptr;
}

const Served* Kinds::served(std::string_view group, std::string_view version,
                            std::string_view resource) const noexcept {
    for (const auto& s : served_)
        if (s.kind->resource == resource && s.version == version && s.group == group)
            return &s;
    return nullptr;
}

std::vector<std::string> Kinds::groups() const {
    std::vector<std::string> out;
    for (const auto& s : served_)
        if (std::find(out.begin(), out.end(), s.group) == out.end())
            out.push_back(s.group);
    return out;
}

std::vector<std::string> Kinds::versions(std::string_view group) const {
    std::vector<std::string> out;
    for (const auto& s : served_)
        if (s.group == group && std::find(out.begin(), out.end(), s.version) == out.end())
            out.push_back(s.version);
    return out;
}

} // namespace alidade::simulator
