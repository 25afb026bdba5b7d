// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Relationship facts -> graph -> impact. Pure and deterministic; input order does not matter.
// Edges run from dependent to dependency.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "alidade/cluster_model/rows.hpp"
#include "alidade/guard/action.hpp"
#include "alidade/guard/coverage.hpp"
#include "alidade/guard/object.hpp"
#include "alidade/guard/write.hpp"

namespace alidade::cluster {

enum class Relation : std::uint8_t { OwnedBy, Selects, ManagedBy, ProtectedBy, RoutesTo, UsesVolume, UsesConfig, ScheduledOn, BoundTo, Scales, BindsRole };
enum class ProvenanceKind : std::uint8_t { Declared, Observed, Inferred };
enum class Resolution : std::uint8_t { Resolved, Missing, Invalid, Unknown };  ///< Unknown: the target's source is not complete
[[nodiscard]] std::string_view name(Relation relation) noexcept;      ///< "owned_by", ...
[[nodiscard]] std::string_view name(ProvenanceKind kind) noexcept;
[[nodiscard]] std::string_view name(Resolution resolution) noexcept;

/// What one object says about others: metadata and references only, never Secret values.
struct Fact {
    Relation relation = Relation::OwnedBy;
    ProvenanceKind provenance = ProvenanceKind::Declared;
    guard::ObjectKey target;      ///< by name; for selectors: kind and ns, empty name
    std::string targetUid;        ///< with a uid, never resolved by name
    std::vector<std::pair<std::string, std::string>> selector;  ///< Selects only
    std::string field;            ///< "spec.template.spec.volumes[0].configMap.name"
    bool optional = false;
};
struct FactSet {
    guard::ObjectRef object;
    Health health = Health::Unknown;
    std::string status;
    bool isProtected = false;
    std::vector<std::pair<std::string, std::string>> labels;
    std::vector<Fact> facts;
};

/// Facts of one object as the API gave it. Wrong types and missing parts give fewer facts, never a failure.
[[nodiscard]] FactSet extractFacts(const guard::KindId& kind, const nlohmann::json& object);

struct GraphNode {
    guard::ObjectRef ref;
    Health health = Health::Unknown;
    std::string status;
    bool isProtected = false;
    bool missing = false;     ///< named by someone, not there
    bool forbidden = false;   ///< may not be read
};
struct GraphEdge {
    std::uint32_t from = 0;   ///< index into nodes: the dependent
    std::uint32_t to = 0;
    Relation relation = Relation::OwnedBy;
    ProvenanceKind provenance = ProvenanceKind::Declared;
    Resolution resolution = Resolution::Resolved;
    std::string field;
    bool optional = false;
};
struct Graph {
    std::vector<GraphNode> nodes;  ///< sorted by key
    std::vector<GraphEdge> edges;  ///< sorted
    std::optional<std::uint32_t> root;
};

struct GraphLimits {
    std::size_t edges = 50'000;
    std::size_t shown = 500;
    int depth = 5;
};
/// `gaps` name sources that are not complete: references into those are Unknown, not Missing.
[[nodiscard]] guard::Answer<Graph> buildGraph(std::vector<FactSet> objects, std::vector<guard::Gap> gaps,
                                              const GraphLimits& limits = {});
/// The part within `depth` steps (both directions) of `root`.
[[nodiscard]] guard::Answer<Graph> around(const guard::Answer<Graph>& graph, const guard::ObjectRef& root, int depth,
                                          const GraphLimits& limits = {});

/// Who depends on the action's target: closed relation set per action kind, 3 hops, 50 dependents.
[[nodiscard]] guard::Impact impactOf(const guard::Action& action, const guard::Answer<Graph>& graph);

}  // namespace alidade::cluster
