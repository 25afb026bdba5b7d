// SPDX-License-Identifier: GPL-3.0-or-later
#include "alidade/cluster_model/graph.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>
#include <unordered_map>

#include "graph_cycles.hpp"

namespace alidade::cluster {
namespace {

using Index = std::uint32_t;
using Pair = std::pair<std::string, std::string>;

struct KeyHash {
    std::size_t operator()(const guard::ObjectKey* key) const noexcept { return std::hash<guard::ObjectKey>{}(*key); }
};
struct KeyEqual {
    bool operator()(const guard::ObjectKey* a, const guard::ObjectKey* b) const noexcept { return *a == *b; }
};

/// The places of labels that some selector asks for: "namespace\0key\0value".
std::string labelPlace(const std::string& ns, const Pair& label) {
    std::string out;
    out.reserve(ns.size() + label.first.size() + label.second.size() + 2);
    out.append(ns).append(1, '\0').append(label.first).append(1, '\0').append(label.second);
    return out;
}

std::string selectorName(const std::vector<Pair>& selector) {
    std::string out = "(";
    for (const Pair& pair : selector) {
        if (out.size() > 1)
            out += ',';
        out += pair.first + "=" + pair.second;
    }
    return out + ")";
}

bool carries(const FactSet& object, const std::vector<Pair>& selector) {
    return std::all_of(selector.begin(), selector.end(), [&](const Pair& wanted) {
        return std::find(object.labels.begin(), object.labels.end(), wanted) != object.labels.end();
    });
}

/// An order of everything in a fact set, so that of two readings of one object the same one is kept in any input order.
auto contentOrder(const FactSet& set) {
    return std::tuple(set.facts.size(), std::string_view(set.status), static_cast<int>(set.health), set.isProtected,
                      set.labels);
}

class Builder {
public:
    Builder(std::vector<FactSet> objects, const std::vector<guard::Gap>& gaps, const GraphLimits& limits)
        : objects_(std::move(objects)), gaps_(gaps), limits_(limits) {
        sortObjects();
        index();
    }

    Graph build() {
        for (Index i = 0; i < objects_.size(); ++i)
            for (const Fact& fact : objects_[i].facts)
                if (fact.selector.empty())
                    reference(i, fact);
                else
                    selector(i, fact);
        prune(limits_.edges);
        return finish();
    }

    [[nodiscard]] std::size_t dropped() const noexcept { return dropped_; }

private:
    /// An edge while it is being found; the fact stays where it is until the end.
    struct Found {
        Index from;
        Index to;
        const Fact* fact;
        Resolution resolution;
    };
    struct MissingNode {
        guard::ObjectRef ref;
        bool missing = false;
        bool forbidden = false;
    };

    void sortObjects() {
        std::vector<Index> order(objects_.size());
        std::iota(order.begin(), order.end(), 0);
        std::sort(order.begin(), order.end(), [&](Index a, Index b) {
            const FactSet& x = objects_[a];
            const FactSet& y = objects_[b];
            if (const auto c = x.object.key <=> y.object.key; c != 0)
                return c < 0;
            if (const int c = x.object.uid.compare(y.object.uid); c != 0)
                return c < 0;
            return contentOrder(x) > contentOrder(y);
        });
        std::vector<FactSet> sorted;
        sorted.reserve(objects_.size());
        for (const Index i : order)
            if (sorted.empty() || !(sorted.back().object == objects_[i].object))
                sorted.push_back(std::move(objects_[i]));
        objects_ = std::move(sorted);
    }

    void index() {
        byUid_.reserve(objects_.size());
        byName_.reserve(objects_.size());
        for (Index i = 0; i < objects_.size(); ++i) {
            if (!objects_[i].object.uid.empty())
                byUid_.try_emplace(objects_[i].object.uid, i);
            byName_.try_emplace(&objects_[i].object.key, i);
            if (const std::string& ns = objects_[i].object.key.ns; namespaces_.empty() || namespaces_.back() != ns)
                namespaces_.push_back(ns);
        }
        std::sort(namespaces_.begin(), namespaces_.end());
        namespaces_.erase(std::unique(namespaces_.begin(), namespaces_.end()), namespaces_.end());
        for (const FactSet& set : objects_)
            for (const Fact& fact : set.facts)
                for (const Pair& label : fact.selector)
                    labelled_.try_emplace(labelPlace(fact.target.ns, label));
        if (labelled_.empty())
            return;
        for (Index i = 0; i < objects_.size(); ++i) {
            if (!(objects_[i].object.key.kind == guard::kinds::pods()))
                continue;
            for (const Pair& label : objects_[i].labels)
                if (const auto it = labelled_.find(labelPlace(objects_[i].object.key.ns, label)); it != labelled_.end())
                    it->second.push_back(i);
        }
    }

    void selector(Index from, const Fact& fact) {
        const std::vector<Index>* shortest = nullptr;
        for (const Pair& label : fact.selector) {
            const auto& posting = labelled_.find(labelPlace(fact.target.ns, label))->second;
            if (shortest == nullptr || posting.size() < shortest->size())
                shortest = &posting;
        }
        bool any = false;
        for (const Index pod : *shortest)
            if (carries(objects_[pod], fact.selector)) {
                edge(from, pod, fact, Resolution::Resolved);
                any = true;
            }
        // Workloads make their own pods; only a Service waits for somebody else's.
        if (!any && objects_[from].object.key.kind == guard::kinds::services()) {
            const guard::ObjectKey key{fact.target.kind, fact.target.ns, selectorName(fact.selector)};
            const Resolution resolution = absence(fact.target);
            edge(from, missingNode({key, ""}, resolution), fact, resolution);
        }
    }

    void reference(Index self, const Fact& fact) {
        Index other = 0;
        Resolution resolution = Resolution::Resolved;
        bool found = false;
        if (!fact.targetUid.empty()) {
            if (const auto it = byUid_.find(fact.targetUid); it != byUid_.end()) {
                other = it->second;
                found = true;
            }
        } else if (fact.relation == Relation::OwnedBy || !guard::validObjectName(fact.target.name)) {
            resolution = Resolution::Invalid; // an owner is named by its UID
        } else if (const auto it = byName_.find(&fact.target); it != byName_.end()) {
            other = it->second;
            found = true;
        }
        if (!found) {
            if (resolution != Resolution::Invalid)
                resolution = absence(fact.target);
            other = missingNode({fact.target, fact.targetUid}, resolution);
        }
        if (fact.reversed)
            edge(other, self, fact, resolution);
        else
            edge(self, other, fact, resolution);
    }

    /// Missing only where all of the target's source was read.
    [[nodiscard]] Resolution absence(const guard::ObjectKey& target) const {
        const auto& sources = graphSources();
        if (std::find(sources.begin(), sources.end(), target.kind) == sources.end())
            return Resolution::Unknown;
        if (target.kind.namespaced && !std::binary_search(namespaces_.begin(), namespaces_.end(), target.ns))
            return Resolution::Unknown;
        return gapOf(target) == nullptr ? Resolution::Missing : Resolution::Unknown;
    }
    [[nodiscard]] const guard::Gap* gapOf(const guard::ObjectKey& target) const {
        const std::string everywhere = sourceGap(target.kind, "", guard::Coverage::Failed, "").source;
        const std::string here = sourceGap(target.kind, target.ns, guard::Coverage::Failed, "").source;
        for (const guard::Gap& gap : gaps_)
            if (gap.source == here || gap.source == everywhere)
                return &gap;
        return nullptr;
    }

    Index missingNode(const guard::ObjectRef& ref, Resolution resolution) {
        const auto [it, added] =
            missingIndex_.try_emplace({ref.key, ref.uid}, static_cast<Index>(objects_.size() + missing_.size()));
        if (added) {
            const guard::Gap* gap = resolution == Resolution::Unknown ? gapOf(ref.key) : nullptr;
            missing_.push_back({ref, false, gap != nullptr && gap->coverage == guard::Coverage::Forbidden});
        }
        if (resolution == Resolution::Missing)
            missing_[it->second - objects_.size()].missing = true;
        return it->second;
    }

    void edge(Index from, Index to, const Fact& fact, Resolution resolution) {
        edges_.push_back({from, to, &fact, resolution});
        if (edges_.size() > 2 * limits_.edges + 1024)
            prune(limits_.edges);
    }

    /// Keeps the first `count` edges of the final order.
    void prune(std::size_t count) {
        if (edges_.size() <= count)
            return;
        const auto cut = edges_.begin() + static_cast<std::ptrdiff_t>(count);
        std::nth_element(edges_.begin(), cut, edges_.end(), [&](const Found& a, const Found& b) {
            if (const int c = order(a.from, b.from); c != 0)
                return c < 0;
            if (const int c = order(a.to, b.to); c != 0)
                return c < 0;
            return std::tie(a.fact->relation, a.fact->field) < std::tie(b.fact->relation, b.fact->field);
        });
        dropped_ += edges_.size() - count;
        edges_.resize(count);
    }
    [[nodiscard]] const guard::ObjectRef& refOf(Index i) const {
        return i < objects_.size() ? objects_[i].object : missing_[i - objects_.size()].ref;
    }
    [[nodiscard]] int order(Index a, Index b) const {
        if (a == b)
            return 0;
        if (a < objects_.size() && b < objects_.size())
            return a < b ? -1 : 1;
        const guard::ObjectRef& x = refOf(a);
        const guard::ObjectRef& y = refOf(b);
        if (const auto c = x.key <=> y.key; c != 0)
            return c < 0 ? -1 : 1;
        return x.uid.compare(y.uid);
    }

    Graph finish() {
        const std::size_t total = objects_.size() + missing_.size();
        std::vector<Index> sorted(total);
        std::iota(sorted.begin(), sorted.end(), 0);
        const auto firstMissing = sorted.begin() + static_cast<std::ptrdiff_t>(objects_.size());
        const auto less = [&](Index a, Index b) { return order(a, b) < 0; };
        std::sort(firstMissing, sorted.end(), less);
        std::inplace_merge(sorted.begin(), firstMissing, sorted.end(), less);

        Graph graph;
        graph.nodes.reserve(total);
        std::vector<Index> place(total);
        for (const Index old : sorted) {
            place[old] = static_cast<Index>(graph.nodes.size());
            GraphNode node;
            if (old < objects_.size()) {
                FactSet& set = objects_[old];
                node.ref = std::move(set.object);
                node.health = set.health;
                node.status = std::move(set.status);
                node.isProtected = set.isProtected;
            } else {
                MissingNode& gone = missing_[old - objects_.size()];
                node.ref = std::move(gone.ref);
                node.missing = gone.missing;
                node.forbidden = gone.forbidden;
            }
            graph.nodes.push_back(std::move(node));
        }
        for (Found& edge : edges_) {
            edge.from = place[edge.from];
            edge.to = place[edge.to];
        }
        std::sort(edges_.begin(), edges_.end(), [](const Found& a, const Found& b) {
            return std::tie(a.from, a.to, a.fact->relation, a.fact->field) <
                   std::tie(b.from, b.to, b.fact->relation, b.fact->field);
        });
        graph.edges.reserve(edges_.size());
        for (const Found& edge : edges_)
            graph.edges.push_back({edge.from, edge.to, edge.fact->relation, edge.fact->provenance, edge.resolution,
                                   edge.fact->field, edge.fact->optional, false});
        markOwnerCycles(graph);
        return graph;
    }

    std::vector<FactSet> objects_;
    const std::vector<guard::Gap>& gaps_;
    const GraphLimits& limits_;
    std::unordered_map<std::string_view, Index> byUid_;
    std::unordered_map<const guard::ObjectKey*, Index, KeyHash, KeyEqual> byName_;
    std::vector<std::string> namespaces_;
    std::unordered_map<std::string, std::vector<Index>> labelled_;
    std::map<std::pair<guard::ObjectKey, std::string>, Index> missingIndex_;
    std::vector<MissingNode> missing_;
    std::vector<Found> edges_;
    std::size_t dropped_ = 0;
};

} // namespace

std::string_view name(Relation relation) noexcept {
    switch (relation) {
    case Relation::OwnedBy:
        return "owned_by";
    case Relation::Selects:
        return "selects";
    case Relation::ManagedBy:
        return "managed_by";
    case Relation::ProtectedBy:
        return "protected_by";
    case Relation::RoutesTo:
        return "routes_to";
    case Relation::UsesVolume:
        return "uses_volume";
    case Relation::UsesConfig:
        return "uses_config";
    case Relation::ScheduledOn:
        return "scheduled_on";
    case Relation::BoundTo:
        return "bound_to";
    case Relation::Scales:
        return "scales";
    case Relation::BindsRole:
        return "binds_role";
    }
    return "";
}

std::string_view name(ProvenanceKind kind) noexcept {
    switch (kind) {
    case ProvenanceKind::Declared:
        return "declared";
    case ProvenanceKind::Observed:
        return "observed";
    case ProvenanceKind::Inferred:
        return "inferred";
    }
    return "";
}

std::string_view name(Resolution resolution) noexcept {
    switch (resolution) {
    case Resolution::Resolved:
        return "resolved";
    case Resolution::Missing:
        return "missing";
    case Resolution::Invalid:
        return "invalid";
    case Resolution::Unknown:
        return "unknown";
    }
    return "";
}

guard::Answer<Graph> buildGraph(std::vector<FactSet> objects, std::vector<guard::Gap> gaps, const GraphLimits& limits) {
    Builder builder(std::move(objects), gaps, limits);
    Graph graph = builder.build();
    std::sort(gaps.begin(), gaps.end(), [](const guard::Gap& a, const guard::Gap& b) {
        return std::tie(a.source, a.coverage, a.reason) < std::tie(b.source, b.coverage, b.reason);
    });
    if (builder.dropped() > 0)
        gaps.push_back({"relations", guard::Coverage::Capped,
                        "more than " + std::to_string(limits.edges) + " relations; " +
                            std::to_string(builder.dropped()) + " are left out"});
    return {std::move(graph), "relations", std::move(gaps)};
}

} // namespace alidade::cluster
