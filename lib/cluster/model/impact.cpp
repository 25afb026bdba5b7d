// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <string>

#include "alidade/cluster_model/graph.hpp"
#include "alidade/guard/settings.hpp"
#include "graph_walk.hpp"

namespace alidade::cluster {
namespace {

using guard::ActionKind;

constexpr unsigned bit(Relation relation) {
    return 1U << static_cast<unsigned>(relation);
}

/// Which relations carry an action from its target to those who depend on it. Closed: an action without a row does not
/// compile.
struct ImpactRow {
    ActionKind kind;
    unsigned relations;
};
constexpr unsigned owned = bit(Relation::OwnedBy) | bit(Relation::ManagedBy);
constexpr std::array impactTable{
    ImpactRow{ActionKind::Rollback, owned},
    ImpactRow{ActionKind::Restart, owned},
    ImpactRow{ActionKind::Scale, owned | bit(Relation::Selects) | bit(Relation::RoutesTo) | bit(Relation::Scales)},
    ImpactRow{ActionKind::Delete, owned | bit(Relation::ProtectedBy) | bit(Relation::RoutesTo) |
                                      bit(Relation::UsesVolume) | bit(Relation::UsesConfig) |
                                      bit(Relation::ScheduledOn) | bit(Relation::BoundTo) | bit(Relation::Scales)},
};
static_assert(guard::coversEveryAction(impactTable));

constexpr unsigned relationsOf(ActionKind kind) {
    for (const ImpactRow& row : impactTable)
        if (row.kind == kind)
            return row.relations;
    return 0;
}

std::string plural(std::size_t count, bool complete, std::string_view noun) {
    return guard::countText(count, complete) + " " + std::string(noun) + (count == 1 && complete ? "" : "s");
}

class Walk {
public:
    Walk(const guard::Action& action, const guard::Answer<Graph>& answer, std::uint32_t target)
        : action_(action), graph_(answer.partial()), target_(target) {
        for (const guard::Gap& gap : answer.gaps())
            if (const auto depth = depthOfGap(gap); !depth || *depth < guard::Limits::impactHops)
                impact_.gaps.push_back(gap);
        sourcesComplete_ = impact_.gaps.empty();
    }

    guard::Impact run() {
        impact_.available = true;
        impact_.complete = sourcesComplete_;
        dependents();
        findPods();
        switch (action_.kind()) {
        case ActionKind::Rollback:
            note("up to " + pods(pods_.size()) + " replaced");
            break;
        case ActionKind::Restart:
            note(pods(pods_.size()) + " replaced");
            break;
        case ActionKind::Scale:
            scaleNotes(std::get<guard::Scale>(action_.change).replicas);
            break;
        case ActionKind::Delete:
            deleteNotes(std::get<guard::Delete>(action_.change).propagation);
            break;
        }
        for (const guard::ImpactEntry& entry : impact_.dependents)
            if (const auto node = findNode(graph_, {entry.object, ""}); node && graph_.nodes[*node].isProtected)
                note("protected: " + entry.object.text());
        return std::move(impact_);
    }

private:
    void note(std::string text) { impact_.notes.push_back(std::move(text)); }
    [[nodiscard]] std::string pods(std::size_t count) const { return plural(count, sourcesComplete_, "pod"); }

    void dependents() {
        const unsigned wanted = relationsOf(action_.kind());
        // Edges by dependency, so that each step looks at its own edges only.
        std::vector<std::size_t> order(graph_.edges.size());
        for (std::size_t i = 0; i < order.size(); ++i)
            order[i] = i;
        std::stable_sort(order.begin(), order.end(),
                         [&](std::size_t a, std::size_t b) { return graph_.edges[a].to < graph_.edges[b].to; });
        std::vector<char> taken(graph_.nodes.size(), 0);
        taken[target_] = 1;
        std::vector<std::uint32_t> level{target_};
        for (int hop = 1; hop <= guard::Limits::impactHops + 1 && !level.empty(); ++hop) {
            std::vector<std::pair<std::uint32_t, Relation>> found;
            for (const std::uint32_t at : level) {
                auto it = std::lower_bound(order.begin(), order.end(), at,
                                           [&](std::size_t i, std::uint32_t to) { return graph_.edges[i].to < to; });
                for (; it != order.end() && graph_.edges[*it].to == at; ++it) {
                    const GraphEdge& edge = graph_.edges[*it];
                    if ((bit(edge.relation) & wanted) == 0 || taken[edge.from] != 0)
                        continue;
                    taken[edge.from] = 1;
                    found.emplace_back(edge.from, edge.relation);
                }
            }
            std::sort(found.begin(), found.end());
            if (hop > guard::Limits::impactHops) {
                if (!found.empty())
                    impact_.complete = false;
                return;
            }
            level.clear();
            for (const auto& [node, relation] : found) {
                level.push_back(node);
                if (impact_.dependents.size() == guard::Limits::impactDependents)
                    impact_.complete = false;
                else
                    impact_.dependents.push_back({graph_.nodes[node].ref.key, std::string(name(relation)), hop});
            }
        }
    }

    /// The target's pods, however deep the chain of owners; the target itself when it is one.
    void findPods() {
        const Neighbours ownership(
            graph_, [](const GraphEdge& edge) { return edge.relation == Relation::OwnedBy; }, Neighbours::Dependents);
        inPods_.assign(graph_.nodes.size(), 0);
        std::vector<char> seen(graph_.nodes.size(), 0);
        std::vector<std::uint32_t> open{target_};
        seen[target_] = 1;
        while (!open.empty()) {
            const std::uint32_t at = open.back();
            open.pop_back();
            if (graph_.nodes[at].ref.key.kind == guard::kinds::pods() && !graph_.nodes[at].missing) {
                pods_.push_back(at);
                inPods_[at] = 1;
            }
            for (const std::uint32_t other : ownership.of(at))
                if (seen[other] == 0) {
                    seen[other] = 1;
                    open.push_back(other);
                }
        }
    }

    void scaleNotes(int replicas) {
        const std::size_t now = pods_.size();
        const std::size_t then = replicas < 0 ? 0 : static_cast<std::size_t>(replicas);
        if (!sourcesComplete_)
            note(pods(now) + " now, " + std::to_string(then) + " wanted");
        else if (then < now)
            note(pods(now - then) + " removed");
        else if (then > now)
            note(pods(then - now) + " added");
        else
            note("no pod added or removed");
        if (then == 0)
            servicesLost("");
        for (const GraphEdge& edge : graph_.edges)
            if (edge.to == target_ && edge.relation == Relation::Scales)
                note(graph_.nodes[edge.from].ref.key.text() + " would change the number of replicas again");
    }

    void deleteNotes(guard::Delete::Propagation propagation) {
        const bool isPod = graph_.nodes[target_].ref.key.kind == guard::kinds::pods();
        std::string owner;
        for (const GraphEdge& edge : graph_.edges)
            if (edge.from == target_ && edge.relation == Relation::OwnedBy && edge.resolution == Resolution::Resolved &&
                owner.empty())
                owner = graph_.nodes[edge.to].ref.key.text();
        if (propagation == guard::Delete::Propagation::Orphan && !isPod) {
            if (!pods_.empty())
                note(pods(pods_.size()) + " left without an owner");
            return;
        }
        if (!isPod && !pods_.empty())
            note(pods(pods_.size()) + " removed");
        if (!owner.empty())
            note(owner + " owns it and may make it anew");
        servicesLost(owner.empty() ? "" : " until a new pod is ready");
        if (isPod || !pods_.empty()) {
            note("disruption budgets are not looked at"); // no list of the graph's holds them
            impact_.complete = false;
        }
    }

    void servicesLost(const std::string& until) {
        if (pods_.empty())
            return;
        for (std::size_t i = 0; i < graph_.edges.size();) {
            const std::uint32_t from = graph_.edges[i].from;
            bool some = false;
            bool others = false;
            for (; i < graph_.edges.size() && graph_.edges[i].from == from; ++i) {
                const GraphEdge& edge = graph_.edges[i];
                if (edge.relation != Relation::Selects || edge.resolution != Resolution::Resolved)
                    continue;
                (inPods_[edge.to] != 0 ? some : others) = true;
            }
            if (some && !others && graph_.nodes[from].ref.key.kind == guard::kinds::services())
                note(graph_.nodes[from].ref.key.text() + " would lose all endpoints" + until);
        }
    }

    const guard::Action& action_;
    const Graph& graph_;
    std::uint32_t target_;
    bool sourcesComplete_ = true;
    guard::Impact impact_;
    std::vector<std::uint32_t> pods_;
    std::vector<char> inPods_;
};

} // namespace

guard::Impact impactOf(const guard::Action& action, const guard::Answer<Graph>& graph) {
    const auto target = findNode(graph.partial(), action.target);
    if (!target || graph.partial().nodes[*target].missing) {
        guard::Impact none;
        none.gaps = graph.gaps();
        return none;
    }
    return Walk(action, graph, *target).run();
}

} // namespace alidade::cluster
