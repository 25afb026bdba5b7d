// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Health of a graph node, from the object's own status. Thread: any.
#include "alidade/cluster_model/graph.hpp"

namespace alidade::cluster {

/// Sets `health` and `status`; leaves Unknown what the status does not tell.
void factHealth(const guard::KindId& kind, const nlohmann::json& object, FactSet& out);

} // namespace alidade::cluster
