// SPDX-License-Identifier: GPL-3.0-or-later
#include "alidade/guard/object.hpp"

#include <algorithm>

namespace alidade::guard {

std::string ObjectKey::text() const {
    std::string out = kind.kind.empty() ? kind.resource : kind.kind;
    std::transform(out.begin(), out.end(), out.begin(), [](unsigned char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : static_cast<char>(c);
    });
    if (!out.empty())
        out += ' ';
    if (!ns.empty())
        out += ns + "/";
    return out + name;
}

bool validObjectName(std::string_view name) noexcept {
    if (name.empty() || name.size() > 253 || name == "." || name == "..")
        return false;
    return std::none_of(name.begin(), name.end(), [](char c) {
        const auto u = static_cast<unsigned char>(c);
        return u <= 0x20 || u == 0x7f || c == '/' || c == '%';
    });
}

bool validNamespace(std::string_view name) noexcept {
    const auto alphanumeric = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
    if (name.empty() || name.size() > 63 || !alphanumeric(name.front()) || !alphanumeric(name.back()))
        return false;
    return std::all_of(name.begin(), name.end(), [&](char c) { return alphanumeric(c) || c == '-'; });
}

namespace kinds {
namespace {
KindId make(const char* group, const char* version, const char* kind, const char* resource, bool namespaced = true) {
    return KindId{group, version, kind, resource, namespaced};
}
} // namespace

const KindId& pods() {
    static const KindId k = make("", "v1", "Pod", "pods");
    return k;
}
const KindId& deployments() {
    static const KindId k = make("apps", "v1", "Deployment", "deployments");
    return k;
}
const KindId& replicaSets() {
    static const KindId k = make("apps", "v1", "ReplicaSet", "replicasets");
    return k;
}
const KindId& statefulSets() {
    static const KindId k = make("apps", "v1", "StatefulSet", "statefulsets");
    return k;
}
const KindId& daemonSets() {
    static const KindId k = make("apps", "v1", "DaemonSet", "daemonsets");
    return k;
}
const KindId& services() {
    static const KindId k = make("", "v1", "Service", "services");
    return k;
}
const KindId& endpointSlices() {
    static const KindId k = make("discovery.k8s.io", "v1", "EndpointSlice", "endpointslices");
    return k;
}
const KindId& configMaps() {
    static const KindId k = make("", "v1", "ConfigMap", "configmaps");
    return k;
}
const KindId& secrets() {
    static const KindId k = make("", "v1", "Secret", "secrets");
    return k;
}
const KindId& nodes() {
    static const KindId k = make("", "v1", "Node", "nodes", false);
    return k;
}
const KindId& namespaces() {
    static const KindId k = make("", "v1", "Namespace", "namespaces", false);
    return k;
}
const KindId& events() {
    static const KindId k = make("", "v1", "Event", "events");
    return k;
}
const KindId& persistentVolumeClaims() {
    static const KindId k = make("", "v1", "PersistentVolumeClaim", "persistentvolumeclaims");
    return k;
}
const KindId& serviceAccounts() {
    static const KindId k = make("", "v1", "ServiceAccount", "serviceaccounts");
    return k;
}
} // namespace kinds

} // namespace alidade::guard
