// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Small things that walks over a graph share. Thread: any.
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "alidade/cluster_model/graph.hpp"

namespace alidade::cluster {

/// With a UID never by name; without one the object that is there, before a missing one of that name.
[[nodiscard]] std::optional<std::uint32_t> findNode(const Graph& graph, const guard::ObjectRef& ref);

/// The depth that around() was cut at, when the gap says so.
[[nodiscard]] std::optional<int> depthOfGap(const guard::Gap& gap);

/// Adjacent nodes in two flat arrays.
class Neighbours {
public:
    enum Direction { Both, Dependents }; ///< Dependents: from an edge's `to` to its `from`

    template<class Wanted>
    Neighbours(const Graph& graph, Wanted&& wanted, Direction direction) : first_(graph.nodes.size() + 1, 0) {
        for (const GraphEdge& edge : graph.edges) {
            if (!wanted(edge))
                continue;
            ++first_[edge.to + 1];
            if (direction == Both)
                ++first_[edge.from + 1];
        }
        for (std::size_t i = 1; i < first_.size(); ++i)
            first_[i] += first_[i - 1];
        nodes_.resize(first_.back());
        std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
        for (const GraphEdge& edge : graph.edges) {
            if (!wanted(edge))
                continue;
            nodes_[next[edge.to]++] = edge.from;
            if (direction == Both)
                nodes_[next[edge.from]++] = edge.to;
        }
    }
    [[nodiscard]] std::span<const std::uint32_t> of(std::uint32_t node) const {
        return {nodes_.data() + first_[node], first_[node + 1] - first_[node]};
    }

private:
    std::vector<std::size_t> first_;
    std::vector<std::uint32_t> nodes_;
};

} // namespace alidade::cluster
