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

enum class Relation : std::uint8_t {
    OwnedBy,
    Selects,
    ManagedBy,
    ProtectedBy,
    RoutesTo,
    UsesVolume,
    UsesConfig,
    ScheduledOn,
    BoundTo,
    Scales,
    BindsRole
};
enum class ProvenanceKind : std::uint8_t { Declared, Observed, Inferred };
enum class Resolution : std::uint8_t {
    Resolved,
    Missing,
    Invalid,
    Unknown
};                                                               ///< Unknown: the target's source is not complete
[[nodiscard]] std::string_view name(Relation relation) noexcept; ///< "owned_by", ...
[[nodiscard]] std::string_view name(ProvenanceKind kind) noexcept;
[[nodiscard]] std::string_view name(Resolution resolution) noexcept;

/// What one object says about others: metadata and references only, never Secret values.
struct Fact {
    Relation relation = Relation::OwnedBy;
    ProvenanceKind provenance = ProvenanceKind::Declared;
    guard::ObjectKey target;                                   ///< by name; for selectors: kind and ns, empty name
    std::string targetUid;                                     ///< with a uid, never resolved by name
    std::vector<std::pair<std::string, std::string>> selector; ///< Selects only
    std::string field;                                         ///< "spec.template.spec.volumes[0].configMap.name"
    bool optional = false;
    bool reversed = false; ///< the edge runs from `target` to this object (an EndpointSlice names its Service)
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

/// The kinds whose lists make up a graph. A reference to any other kind is Unknown, never Missing.
[[nodiscard]] const std::vector<guard::KindId>& graphSources();
/// The gap of a list that failed or was cut: "secrets in shop", "nodes". buildGraph() understands these.
[[nodiscard]] guard::Gap sourceGap(const guard::KindId& kind, std::string_view ns, guard::Coverage coverage,
                                   std::string reason);

struct GraphNode {
    guard::ObjectRef ref;
    Health health = Health::Unknown;
    std::string status;
    bool isProtected = false;
    bool missing = false;   ///< named by someone, not there
    bool forbidden = false; ///< may not be read
};
struct GraphEdge {
    std::uint32_t from = 0; ///< index into nodes: the dependent
    std::uint32_t to = 0;
    Relation relation = Relation::OwnedBy;
    ProvenanceKind provenance = ProvenanceKind::Declared;
    Resolution resolution = Resolution::Resolved;
    std::string field;
    bool optional = false;
    bool cycle = false; ///< an owner reference that leads back to its own object
};
struct Graph {
    std::vector<GraphNode> nodes; ///< sorted by key
    std::vector<GraphEdge> edges; ///< sorted
    std::optional<std::uint32_t> root;
};

struct GraphLimits {
    std::size_t edges = 50'000;
    std::size_t shown = 500;
    int depth = 5;
};
/// `gaps` (see sourceGap) name sources that are not complete: references into those, and into namespaces of which
/// nothing was read, are Unknown, not Missing. A Service selector that matches no pod is an edge to a missing pod named
/// "(key=value,...)". Over `limits.edges` the first ones in order are kept and a Capped gap says so.
[[nodiscard]] guard::Answer<Graph> buildGraph(std::vector<FactSet> objects, std::vector<guard::Gap> gaps,
                                              const GraphLimits& limits = {});
/// The part within `depth` steps (both directions) of `root`; a root with a UID is never found by name. A gap says
/// where it was cut, by depth ("relations beyond 2 steps") or by `limits.shown`.
[[nodiscard]] guard::Answer<Graph> around(const guard::Answer<Graph>& graph, const guard::ObjectRef& root, int depth,
                                          const GraphLimits& limits = {});

/// Who depends on the action's target: closed relation set per action kind, 3 hops, 50 dependents. Not available when
/// the target is not in the graph.
[[nodiscard]] guard::Impact impactOf(const guard::Action& action, const guard::Answer<Graph>& graph);

} // namespace alidade::cluster
