// SPDX-License-Identifier: GPL-3.0-or-later
#include "alidade/cluster_model/kind_table.hpp"

#include <array>
#include <string>

namespace alidade::cluster {
namespace {

struct Entry {
    std::string_view group, version, kind, resource;
    bool namespaced;
};
constexpr std::array table{
    Entry{"", "v1", "Pod", "pods", true},
    Entry{"", "v1", "Service", "services", true},
    Entry{"", "v1", "Node", "nodes", false},
    Entry{"", "v1", "Namespace", "namespaces", false},
    Entry{"", "v1", "ConfigMap", "configmaps", true},
    Entry{"", "v1", "Secret", "secrets", true},
    Entry{"", "v1", "Event", "events", true},
    Entry{"", "v1", "ServiceAccount", "serviceaccounts", true},
    Entry{"", "v1", "PersistentVolumeClaim", "persistentvolumeclaims", true},
    Entry{"", "v1", "PersistentVolume", "persistentvolumes", false},
    Entry{"", "v1", "ReplicationController", "replicationcontrollers", true},
    Entry{"apps", "v1", "Deployment", "deployments", true},
    Entry{"apps", "v1", "ReplicaSet", "replicasets", true},
    Entry{"apps", "v1", "StatefulSet", "statefulsets", true},
    Entry{"apps", "v1", "DaemonSet", "daemonsets", true},
    Entry{"apps", "v1", "ControllerRevision", "controllerrevisions", true},
    Entry{"batch", "v1", "Job", "jobs", true},
    Entry{"batch", "v1", "CronJob", "cronjobs", true},
    Entry{"discovery.k8s.io", "v1", "EndpointSlice", "endpointslices", true},
    Entry{"networking.k8s.io", "v1", "Ingress", "ingresses", true},
    Entry{"networking.k8s.io", "v1", "IngressClass", "ingressclasses", false},
    Entry{"networking.k8s.io", "v1", "NetworkPolicy", "networkpolicies", true},
    Entry{"policy", "v1", "PodDisruptionBudget", "poddisruptionbudgets", true},
    Entry{"storage.k8s.io", "v1", "StorageClass", "storageclasses", false},
    Entry{"rbac.authorization.k8s.io", "v1", "Role", "roles", true},
    Entry{"rbac.authorization.k8s.io", "v1", "ClusterRole", "clusterroles", false},
    Entry{"rbac.authorization.k8s.io", "v1", "RoleBinding", "rolebindings", true},
    Entry{"rbac.authorization.k8s.io", "v1", "ClusterRoleBinding", "clusterrolebindings", false},
    Entry{"autoscaling", "v2", "HorizontalPodAutoscaler", "horizontalpodautoscalers", true},
};

} // namespace

guard::KindId kindFromReference(std::string_view apiVersion, std::string_view kind) {
    const std::size_t slash = apiVersion.find('/');
    const std::string_view group = slash == std::string_view::npos ? std::string_view() : apiVersion.substr(0, slash);
    const std::string_view version = slash == std::string_view::npos ? apiVersion : apiVersion.substr(slash + 1);
    for (const Entry& entry : table)
        if (entry.group == group && entry.kind == kind)
            return {std::string(entry.group), std::string(entry.version), std::string(entry.kind),
                    std::string(entry.resource), entry.namespaced};
    std::string plural;
    for (const char c : kind)
        plural += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    if (plural.ends_with('y') && plural.size() > 1 &&
        std::string_view("aeiou").find(plural[plural.size() - 2]) == std::string_view::npos)
        plural.replace(plural.size() - 1, 1, "ies");
    else if (!plural.empty())
        plural += plural.ends_with('s') || plural.ends_with('x') || plural.ends_with("ch") ? "es" : "s";
    return {std::string(group), std::string(version), std::string(kind), plural, true};
}

} // namespace alidade::cluster
