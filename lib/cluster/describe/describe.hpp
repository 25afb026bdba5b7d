// SPDX-License-Identifier: GPL-3.0-or-later
// What it is for: kubectl describe's content from objects. Values of Secrets never show, only their sizes.
// What it must not know: requests.
// Thread: any; pure.
#pragma once

#include "alidade/cluster_model/session.hpp"
#include "alidade/guard/clock.hpp"
#include "describe/text_writer.hpp"

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace alidade::cluster {

/// What else a description wants, beside the object itself.
struct DescribeExtras {
    std::vector<nlohmann::json> pods;        ///< of a node, or of a workload
    std::vector<nlohmann::json> replicaSets; ///< of a Deployment
    std::vector<nlohmann::json> quotas;      ///< of a Namespace
    std::vector<nlohmann::json> limits;      ///< of a Namespace
    nlohmann::json endpoints;                ///< of a Service
    std::vector<EventRecord> events;
    std::vector<guard::Gap> gaps; ///< of the above, shown as such
};

[[nodiscard]] std::string describeText(const KindId& kind, const nlohmann::json& object, const DescribeExtras& extras,
                                       guard::WallTime now);

// The parts, by kind.
void describePod(TextWriter& out, const nlohmann::json& pod);
void describeDeployment(TextWriter& out, const nlohmann::json& deployment, const DescribeExtras& extras);
void describeReplicaSet(TextWriter& out, const nlohmann::json& set, const DescribeExtras& extras);
void describeService(TextWriter& out, const nlohmann::json& service, const DescribeExtras& extras);
void describeConfigMap(TextWriter& out, const nlohmann::json& map);
void describeSecret(TextWriter& out, const nlohmann::json& secret);
void describeNode(TextWriter& out, const nlohmann::json& node, const DescribeExtras& extras);
void describeNamespace(TextWriter& out, const nlohmann::json& ns, const DescribeExtras& extras);
void describeEvent(TextWriter& out, const nlohmann::json& event);
void describeAny(TextWriter& out, const nlohmann::json& object);

// Shared pieces.
void describeContainers(TextWriter& out, int level, const std::string& title, const nlohmann::json& spec,
                        const char* list, const nlohmann::json& statuses);
void describeVolumes(TextWriter& out, int level, const nlohmann::json& spec);
void describePodTemplate(TextWriter& out, const nlohmann::json& podTemplate);
void describeConditions(TextWriter& out, const nlohmann::json& status, bool withReason);
[[nodiscard]] std::vector<std::string> pairs(const nlohmann::json& map, const char* between);
[[nodiscard]] std::string selectorWords(const nlohmann::json& selector);
[[nodiscard]] std::string controllerOf(const nlohmann::json& object);
[[nodiscard]] std::string orNone(std::string text);
[[nodiscard]] std::string joined(const std::vector<std::string>& texts, const char* separator = ", ");

} // namespace alidade::cluster
