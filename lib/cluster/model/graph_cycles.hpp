// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Owner references that lead back to their own object. Thread: any.
#include "alidade/cluster_model/graph.hpp"

namespace alidade::cluster {

/// Sets GraphEdge::cycle. Edges are sorted by `from`. Linear; no recursion.
void markOwnerCycles(Graph& graph);

} // namespace alidade::cluster
