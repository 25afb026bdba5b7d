// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Identity of Kubernetes objects. An object is group + resource + namespace + name; an incarnation is its UID.
#include <compare>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <tuple>

namespace alidade::guard {

/// A resource type. Equality is group + resource: versions of one type are one type.
struct KindId {
    std::string group;     ///< "" for core
    std::string version;   ///< "v1"; the one to use in paths
    std::string kind;      ///< "Pod"
    std::string resource;  ///< plural: "pods"
    bool namespaced = true;

    [[nodiscard]] std::string apiVersion() const { return group.empty() ? version : group + "/" + version; }
    friend bool operator==(const KindId& a, const KindId& b) { return a.group == b.group && a.resource == b.resource; }
    friend std::strong_ordering operator<=>(const KindId& a, const KindId& b) {
        return std::tie(a.group, a.resource) <=> std::tie(b.group, b.resource);
    }
};

/// An object by name. `kind.version` and `kind.kind` are for paths and people; identity is group, resource, ns, name.
struct ObjectKey {
    KindId kind;
    std::string ns;  ///< "" for cluster-scoped
    std::string name;

    [[nodiscard]] std::string text() const;  ///< "deployment shop/checkout"
    friend bool operator==(const ObjectKey&, const ObjectKey&) = default;
    friend std::strong_ordering operator<=>(const ObjectKey&, const ObjectKey&) = default;
};

/// An incarnation. An empty uid means "by name only": see promise 8 in SECURITY.md.
struct ObjectRef {
    ObjectKey key;
    std::string uid;
    [[nodiscard]] bool namedOnly() const noexcept { return uid.empty(); }
    friend bool operator==(const ObjectRef&, const ObjectRef&) = default;
};

/// One connection to one cluster context, unique in the process.
struct EpochId {
    std::uint64_t value = 0;
    friend auto operator<=>(const EpochId&, const EpochId&) = default;
};

/// Checks before any name becomes a path segment: not empty, not "." or "..", no '/', '%', control or blank; at most 253
/// bytes. RBAC names with ':' pass. Namespaces are RFC 1123 labels.
[[nodiscard]] bool validObjectName(std::string_view name) noexcept;
[[nodiscard]] bool validNamespace(std::string_view name) noexcept;

/// The well-known kinds, by their preferred versions; discovery may give others.
namespace kinds {
[[nodiscard]] const KindId& pods();
[[nodiscard]] const KindId& deployments();
[[nodiscard]] const KindId& replicaSets();
[[nodiscard]] const KindId& statefulSets();
[[nodiscard]] const KindId& daemonSets();
[[nodiscard]] const KindId& services();
[[nodiscard]] const KindId& endpointSlices();
[[nodiscard]] const KindId& configMaps();
[[nodiscard]] const KindId& secrets();
[[nodiscard]] const KindId& nodes();
[[nodiscard]] const KindId& namespaces();
[[nodiscard]] const KindId& events();
[[nodiscard]] const KindId& persistentVolumeClaims();
[[nodiscard]] const KindId& serviceAccounts();
}  // namespace kinds

}  // namespace alidade::guard

template <>
struct std::hash<alidade::guard::ObjectKey> {
    std::size_t operator()(const alidade::guard::ObjectKey& k) const noexcept {
        const std::hash<std::string_view> h;
        std::size_t seed = h(k.kind.group);
        for (const std::string* s : {&k.kind.resource, &k.ns, &k.name})
            seed ^= h(*s) + 0x9e3779b97f4a7c15ULL + (seed << 6) + (seed >> 2);
        return seed;
    }
};
