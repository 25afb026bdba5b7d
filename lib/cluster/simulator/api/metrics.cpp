// SPDX-License-Identifier: GPL-3.0-or-later
// metrics.k8s.io: usage that follows requests and wavers a little with time.
#include "api/server.hpp"
#include "world/quota.hpp"

namespace alidade::simulator {

namespace {

/// 0.35 to 0.75, steady within a minute.
double share(const std::string& what, WallTime now) {
    const auto minute = std::chrono::duration_cast<std::chrono::minutes>(now.time_since_epoch()).count();
    return 0.35 + static_cast<double>(hash64(std::to_string(minute), hash64(what)) % 400U) / 1000.0;
}

Json usage(double cores, double bytes) {
    return {{"cpu", std::to_string(static_cast<std::int64_t>(cores * 1e9)) + "n"},
            {"memory", std::to_string(static_cast<std::int64_t>(bytes / 1024)) + "Ki"}};
}

struct Sum {
    double cores = 0;
    double bytes = 0;
};

Json podMetrics(const Entry& pod, WallTime now, Sum& sum) {
    Json containers = Json::array();
    for (const auto& container : items(at(pod.doc(), {"spec", "containers"}))) {
        const auto key = pod.uid() + str(at(container, "name"));
        const Json one = {{"containers", Json::array({container})}};
        double cores = podRequest(one, "cpu");
        double bytes = podRequest(one, "memory");
        cores = (cores > 0 ? cores : 0.02) * share(key, now);
        bytes = (bytes > 0 ? bytes : 32.0 * 1024 * 1024) * (0.5 + share(key + "m", now) / 2);
        sum.cores += cores;
        sum.bytes += bytes;
        containers.push_back({{"name", at(container, "name")}, {"usage", usage(cores, bytes)}});
    }
    return {{"metadata",
             {{"name", pod.name()},
              {"namespace", pod.ns()},
              {"labels", at(pod.doc(), {"metadata", "labels"})},
              {"creationTimestamp", stamp(now)}}},
            {"timestamp", stamp(now)},
            {"window", "15s"},
            {"containers", containers}};
}

} // namespace

bool ApiServer::metrics(Call& call, const std::vector<std::string>& s) {
    if (s.size() < 4 || s[0] != "apis" || s[1] != "metrics.k8s.io" || s[2] != "v1beta1")
        return false;
    std::string ns;
    std::string resource = s[3];
    std::string name = s.size() > 4 ? s[4] : "";
    if (s[3] == "namespaces" && s.size() >= 6) {
        ns = s[4];
        resource = s[5];
        name = s.size() > 6 ? s[6] : "";
    }
    if (resource != "pods" && resource != "nodes")
        return false;
    const Attributes attributes{name.empty() ? "list" : "get", "metrics.k8s.io", resource, "", ns, name, ""};
    if (call.request.method != "GET" || flag(call.request, "watch")) // metrics can be read, not watched
        return refuse(call, methodNotAllowed()), true;
    if (!access_.allowed(call.user, attributes))
        return refuse(call, access_.refusal(call.user, attributes)), true;
    const auto selector = LabelSelector::parse(param(call.request, "labelSelector"));
    if (!selector)
        return refuse(call, selector.error()), true;
    const auto now = world_.now();
    std::map<std::string, Sum> nodes;
    Json list = Json::array();
    Json found;
    for (const auto& pod : world_.list(world_.kind("pods"), resource == "nodes" ? "" : ns)) {
        if (str(pod->doc(), {"status", "phase"}) != "Running")
            continue;
        Sum sum;
        Json one = podMetrics(*pod, now, sum);
        auto& node = nodes[str(pod->doc(), {"spec", "nodeName"})];
        node.cores += sum.cores;
        node.bytes += sum.bytes;
        if (resource != "pods" || !selector->matches(at(pod->doc(), {"metadata", "labels"})))
            continue;
        if (pod->name() == name)
            found = one;
        list.push_back(std::move(one));
    }
    if (resource == "nodes") {
        for (const auto& node : world_.list(world_.kind("nodes"), "")) {
            const auto& sum = nodes[node->name()];
            Json one = {{"metadata", {{"name", node->name()}, {"creationTimestamp", stamp(now)}}},
                        {"timestamp", stamp(now)},
                        {"window", "20s"},
                        {"usage", usage(sum.cores + 0.11, sum.bytes + 480.0 * 1024 * 1024)}};
            if (node->name() == name)
                found = one;
            list.push_back(std::move(one));
        }
    }
    const std::string kind = resource == "pods" ? "PodMetrics" : "NodeMetrics";
    if (!name.empty()) {
        KindDef def;
        def.group = "metrics.k8s.io";
        def.resource = resource;
        if (found.is_null())
            return refuse(call, notFound(def, name)), true;
        found["kind"] = kind;
        found["apiVersion"] = "metrics.k8s.io/v1beta1";
        return answer(call, 200, found), true;
    }
    answer(call, 200,
           {{"kind", kind + "List"},
            {"apiVersion", "metrics.k8s.io/v1beta1"},
            {"metadata", Json::object()},
            {"items", list}});
    return true;
}

} // namespace alidade::simulator
