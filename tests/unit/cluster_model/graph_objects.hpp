// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Objects for graph tests, as the API gives them, and questions to a graph.
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "alidade/cluster_model/graph.hpp"

namespace alidade::test {

using nlohmann::json;
namespace kinds = guard::kinds;

inline json object(const std::string& name, const std::string& uid, const std::string& ns = "shop") {
    return {{"metadata", {{"name", name}, {"namespace", ns}, {"uid", uid}}}};
}
inline json ownedBy(json object, const std::string& apiVersion, const std::string& kind, const std::string& name,
                    const std::string& uid) {
    object["metadata"]["ownerReferences"].push_back(
        {{"apiVersion", apiVersion}, {"kind", kind}, {"name", name}, {"uid", uid}, {"controller", true}});
    return object;
}
inline json labelled(json object, const json& labels) {
    object["metadata"]["labels"] = labels;
    return object;
}

/// A Deployment "checkout" with a ReplicaSet, `pods` pods, a Service and its EndpointSlice.
inline std::vector<cluster::FactSet> application(int pods, const std::string& name = "checkout") {
    using cluster::extractFacts;
    std::vector<cluster::FactSet> out;
    json deployment = object(name, "u-" + name);
    deployment["spec"] = {{"replicas", pods}, {"selector", {{"matchLabels", {{"app", name}}}}}};
    out.push_back(extractFacts(kinds::deployments(), deployment));
    json replicaSet = ownedBy(object(name + "-1", "u-" + name + "-rs"), "apps/v1", "Deployment", name, "u-" + name);
    out.push_back(extractFacts(kinds::replicaSets(), replicaSet));
    json slice = labelled(object(name + "-slice", "u-" + name + "-slice"), {{"kubernetes.io/service-name", name}});
    slice["endpoints"] = json::array();
    for (int i = 0; i < pods; ++i) {
        const std::string pod = name + "-1-" + std::to_string(i);
        json body =
            labelled(ownedBy(object(pod, "u-" + pod), "apps/v1", "ReplicaSet", name + "-1", "u-" + name + "-rs"),
                     {{"app", name}});
        body["spec"] = {{"nodeName", "node-" + std::to_string(i % 3)}};
        out.push_back(extractFacts(kinds::pods(), body));
        slice["endpoints"].push_back({{"addresses", {"10.0.0." + std::to_string(i + 1)}},
                                      {"targetRef", {{"kind", "Pod"}, {"name", pod}, {"uid", "u-" + pod}}}});
    }
    out.push_back(extractFacts(kinds::endpointSlices(), slice));
    json service = object(name, "u-" + name + "-svc");
    service["spec"] = {{"selector", {{"app", name}}}};
    out.push_back(extractFacts(kinds::services(), service));
    for (int i = 0; i < 3; ++i)
        out.push_back(
            extractFacts(kinds::nodes(), object("node-" + std::to_string(i), "u-node-" + std::to_string(i), "")));
    return out;
}

inline const cluster::GraphEdge* edge(const cluster::Graph& graph, const std::string& from, cluster::Relation relation,
                                      const std::string& to) {
    for (const cluster::GraphEdge& edge : graph.edges)
        if (edge.relation == relation && graph.nodes[edge.from].ref.key.text() == from &&
            graph.nodes[edge.to].ref.key.text() == to)
            return &edge;
    return nullptr;
}
inline const cluster::GraphNode* node(const cluster::Graph& graph, const std::string& text) {
    for (const cluster::GraphNode& node : graph.nodes)
        if (node.ref.key.text() == text)
            return &node;
    return nullptr;
}
inline std::string dump(const cluster::Graph& graph) {
    std::string out;
    for (const cluster::GraphEdge& e : graph.edges)
        out += graph.nodes[e.from].ref.key.text() + " " + std::string(name(e.relation)) + " " +
               graph.nodes[e.to].ref.key.text() + " " + std::string(name(e.resolution)) + " " + e.field +
               (e.cycle ? " cycle" : "") + "\n";
    for (const cluster::GraphNode& n : graph.nodes)
        out += n.ref.key.text() + " " + n.ref.uid + " " + n.status + (n.missing ? " missing" : "") + "\n";
    return out;
}

} // namespace alidade::test
