// SPDX-License-Identifier: GPL-3.0-or-later
#include "graph_cycles.hpp"

#include <algorithm>

namespace alidade::cluster {

/// An owner edge stands on a cycle exactly when both ends are in one strongly connected component (Tarjan, with an
/// explicit stack: a chain of owners may be as long as an attacker likes).
void markOwnerCycles(Graph& graph) {
    const std::size_t count = graph.nodes.size();
    std::vector<std::size_t> first(count + 1, 0);
    for (const GraphEdge& edge : graph.edges)
        ++first[edge.from + 1];
    for (std::size_t i = 0; i < count; ++i)
        first[i + 1] += first[i];

    constexpr std::uint32_t unseen = 0;
    std::vector<std::uint32_t> seen(count, unseen);
    std::vector<std::uint32_t> low(count, 0);
    std::vector<std::uint32_t> component(count, 0);
    std::vector<std::size_t> next(first.begin(), first.end() - 1);
    std::vector<std::uint32_t> open;
    std::vector<std::uint32_t> path;
    std::uint32_t clock = 0;
    std::uint32_t components = 0;
    for (std::uint32_t start = 0; start < count; ++start) {
        if (seen[start] != unseen)
            continue;
        path.push_back(start);
        while (!path.empty()) {
            const std::uint32_t at = path.back();
            if (seen[at] == unseen) {
                seen[at] = low[at] = ++clock;
                open.push_back(at);
            }
            bool descended = false;
            while (next[at] < first[at + 1]) {
                const GraphEdge& edge = graph.edges[next[at]];
                if (edge.relation == Relation::OwnedBy && seen[edge.to] == unseen) {
                    path.push_back(edge.to);
                    descended = true;
                    break;
                }
                // A closed component has a number; only open ones lower the mark.
                if (edge.relation == Relation::OwnedBy && component[edge.to] == 0)
                    low[at] = std::min(low[at], low[edge.to]);
                ++next[at];
            }
            if (descended)
                continue;
            path.pop_back();
            if (low[at] != seen[at])
                continue;
            ++components;
            std::uint32_t member = 0;
            do {
                member = open.back();
                open.pop_back();
                component[member] = components;
            } while (member != at);
        }
    }
    for (GraphEdge& edge : graph.edges)
        edge.cycle = edge.relation == Relation::OwnedBy && component[edge.from] == component[edge.to];
}

} // namespace alidade::cluster
