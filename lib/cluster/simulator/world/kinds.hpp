// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The kinds that this server serves: identity, versions, short names, verbs and subresources.
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace alidade::simulator {

/// One stored kind. Addresses are stable while its Kinds lives.
struct KindDef {
    std::size_t index = 0;
    std::string group;
    std::string version; ///< the stored one
    std::string kind;
    std::string resource;
    std::string singular;
    bool namespaced = true;
    std::vector<std::string> shortNames;
    std::vector<std::string> categories;
    std::vector<std::string> subresources;
    bool hasGeneration = false;
    bool custom = false;
    [[nodiscard]] std::string apiVersion() const { return group.empty() ? version : group + "/" + version; }
    [[nodiscard]] bool serves(std::string_view subresource) const noexcept;
};

/// A stored kind at one of its addresses: /apis/<group>/<version>/<resource>.
struct Served {
    std::string group;
    std::string version;
    const KindDef* kind = nullptr;
    [[nodiscard]] std::string apiVersion() const { return group.empty() ? version : group + "/" + version; }
    [[nodiscard]] bool isStored() const { return group == kind->group && version == kind->version; }
};

class Kinds {
public:
    Kinds();
    /// A kind made by a CustomResourceDefinition or by an object put into the world; adds a version to a known one.
    const KindDef& addCustom(KindDef def);
    [[nodiscard]] const KindDef* find(std::string_view group, std::string_view resource) const noexcept;
    [[nodiscard]] const KindDef* findKind(std::string_view group, std::string_view kind) const noexcept;
    [[nodiscard]] const Served* served(std::string_view group, std::string_view version,
                                       std::string_view resource) const noexcept;
    [[nodiscard]] const std::deque<KindDef>& all() const noexcept { return defs_; }
    [[nodiscard]] const std::deque<Served>& allServed() const noexcept { return served_; }
    /// Groups in the order in which they are announced.
    [[nodiscard]] std::vector<std::string> groups() const;
    /// Versions of a group, the preferred one first.
    [[nodiscard]] std::vector<std::string> versions(std::string_view group) const;

private:
    KindDef& add(KindDef def);
    std::deque<KindDef> defs_;
    std::deque<Served> served_;
};

} // namespace alidade::simulator
