// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <string>

#include "alidade/cluster_model/graph.hpp"
#include "graph_walk.hpp"

namespace alidade::cluster {

std::optional<std::uint32_t> findNode(const Graph& graph, const guard::ObjectRef& ref) {
    auto at = std::lower_bound(graph.nodes.begin(), graph.nodes.end(), ref.key,
                               [](const GraphNode& node, const guard::ObjectKey& key) { return node.ref.key < key; });
    std::optional<std::uint32_t> byName;
    for (; at != graph.nodes.end() && at->ref.key == ref.key; ++at) {
        const auto index = static_cast<std::uint32_t>(at - graph.nodes.begin());
        if (ref.uid.empty() ? !byName.has_value() || graph.nodes[*byName].missing : at->ref.uid == ref.uid)
            byName = index;
    }
    return byName;
}

namespace {
constexpr std::string_view depthBegin = "relations beyond ";
constexpr std::string_view depthEnd = " steps";
} // namespace

std::optional<int> depthOfGap(const guard::Gap& gap) {
    const std::string_view text = gap.source;
    if (text.size() <= depthBegin.size() + depthEnd.size() || text.substr(0, depthBegin.size()) != depthBegin ||
        text.substr(text.size() - depthEnd.size()) != depthEnd)
        return std::nullopt;
    int depth = 0;
    for (const char c : text.substr(depthBegin.size(), text.size() - depthBegin.size() - depthEnd.size())) {
        if (c < '0' || c > '9' || depth > 1000)
            return std::nullopt;
        depth = depth * 10 + (c - '0');
    }
    return depth;
}

guard::Answer<Graph> around(const guard::Answer<Graph>& graph, const guard::ObjectRef& root, int depth,
                            const GraphLimits& limits) {
    const Graph& whole = graph.partial(); // its gaps go on into the answer
    std::vector<guard::Gap> gaps = graph.gaps();
    const auto start = findNode(whole, root);
    if (!start) {
        gaps.push_back({root.key.text(), guard::Coverage::Failed, "not among the objects that were read"});
        return {Graph{}, "relations of " + root.key.text(), std::move(gaps)};
    }
    depth = std::clamp(depth, 0, limits.depth);

    const Neighbours neighbours(
        whole, [](const GraphEdge&) { return true; }, Neighbours::Both);
    std::vector<char> taken(whole.nodes.size(), 0);
    std::vector<std::uint32_t> level{*start};
    taken[*start] = 1;
    std::size_t shown = 1;
    std::size_t beyond = 0;
    std::size_t overflow = 0;
    for (int step = 0; !level.empty(); ++step) {
        std::vector<std::uint32_t> candidates;
        for (const std::uint32_t at : level)
            for (const std::uint32_t other : neighbours.of(at))
                if (taken[other] == 0)
                    candidates.push_back(other);
        std::sort(candidates.begin(), candidates.end());
        candidates.erase(std::unique(candidates.begin(), candidates.end()), candidates.end());
        if (step == depth) {
            beyond = candidates.size();
            break;
        }
        level.clear();
        for (const std::uint32_t other : candidates) {
            if (shown == limits.shown) {
                ++overflow;
                continue;
            }
            taken[other] = 1;
            ++shown;
            level.push_back(other);
        }
    }

    Graph part;
    std::vector<std::uint32_t> place(whole.nodes.size(), 0);
    for (std::uint32_t i = 0; i < whole.nodes.size(); ++i)
        if (taken[i] != 0) {
            place[i] = static_cast<std::uint32_t>(part.nodes.size());
            part.nodes.push_back(whole.nodes[i]);
        }
    part.root = place[*start];
    for (const GraphEdge& edge : whole.edges)
        if (taken[edge.from] != 0 && taken[edge.to] != 0) {
            part.edges.push_back(edge);
            part.edges.back().from = place[edge.from];
            part.edges.back().to = place[edge.to];
        }
    if (overflow > 0)
        gaps.push_back({"relations of " + root.key.text(), guard::Coverage::Capped,
                        "more than " + std::to_string(limits.shown) + " objects; " + std::to_string(overflow) +
                            " or more are left out"});
    if (beyond > 0)
        gaps.push_back({std::string(depthBegin) + std::to_string(depth) + std::string(depthEnd),
                        guard::Coverage::Capped, std::to_string(beyond) + " more objects are further away"});
    return {std::move(part), "relations of " + root.key.text(), std::move(gaps)};
}

} // namespace alidade::cluster
