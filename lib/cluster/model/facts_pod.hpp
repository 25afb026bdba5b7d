// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What a pod spec refers to. Names and places only, never values. Thread: any.
#include <string>
#include <vector>

#include "alidade/cluster_model/graph.hpp"

namespace alidade::cluster {

/// `field` is the spec's own place, "spec" or "spec.template.spec". `podName` names a pod (not a template), for the
/// claims that generic ephemeral volumes make.
void podSpecFacts(const nlohmann::json& spec, const std::string& ns, const std::string& field,
                  const std::string& podName, std::vector<Fact>& out);

} // namespace alidade::cluster
