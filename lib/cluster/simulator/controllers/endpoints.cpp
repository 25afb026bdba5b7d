// SPDX-License-Identifier: GPL-3.0-or-later
// Endpoints and EndpointSlices of Services with a selector.
#include <algorithm>

#include "controllers/controllers.hpp"
#include "world/selectors.hpp"

namespace alidade::simulator {

namespace {

std::int64_t targetPort(const Json& servicePort, const Json& pod) {
    const Json& target = at(servicePort, "targetPort");
    if (target.is_number())
        return integer(target);
    for (const auto& container : items(at(pod, {"spec", "containers"})))
        for (const auto& port : items(at(container, "ports")))
            if (str(at(port, "name")) == str(target))
                return integer(at(port, "containerPort"));
    return target.is_string() ? 0 : integer(at(servicePort, "port"));
}

} // namespace

void Controllers::endpoints(const EntryPtr& service) {
    const Json& selector = at(service->doc(), {"spec", "selector"});
    if (members(selector).empty())
        return;
    Json ready = Json::array();
    Json waiting = Json::array();
    Json slice = Json::array();
    Json ports = Json::array();
    Json slicePorts = Json::array();
    bool first = true;
    for (const auto& pod : world_.list(world_.kind("pods"), service->ns())) {
        if (!matchesAll(selector, at(pod->doc(), {"metadata", "labels"})))
            continue;
        const auto ip = str(pod->doc(), {"status", "podIP"});
        const auto phase = str(pod->doc(), {"status", "phase"});
        if (ip.empty() || phase == "Succeeded" || phase == "Failed")
            continue;
        const bool isUp = isReady(pod->doc());
        const Json target = {{"kind", "Pod"}, {"namespace", pod->ns()}, {"name", pod->name()}, {"uid", pod->uid()}};
        const auto node = str(pod->doc(), {"spec", "nodeName"});
        if (first) {
            for (const auto& port : items(at(service->doc(), {"spec", "ports"}))) {
                Json one = {{"port", targetPort(port, pod->doc())}, {"protocol", str(at(port, "protocol"), "TCP")}};
                if (!str(at(port, "name")).empty())
                    one["name"] = at(port, "name");
                ports.push_back(one);
                one["name"] = str(at(port, "name"));
                slicePorts.push_back(one);
            }
            first = false;
        }
        if (!pod->deleting())
            (isUp ? ready : waiting).push_back({{"ip", ip}, {"nodeName", node}, {"targetRef", target}});
        slice.push_back(
            {{"addresses", Json::array({ip})},
             {"conditions", {{"ready", isUp && !pod->deleting()}, {"serving", isUp}, {"terminating", pod->deleting()}}},
             {"nodeName", node},
             {"targetRef", target}});
    }
    Json subsets = Json::array();
    if (!ready.empty() || !waiting.empty()) {
        Json subset = {{"ports", ports}};
        if (!ready.empty())
            subset["addresses"] = ready;
        if (!waiting.empty())
            subset["notReadyAddresses"] = waiting;
        subsets.push_back(subset);
    }
    Json labels = at(service->doc(), {"metadata", "labels"}).is_object() ? at(service->doc(), {"metadata", "labels"})
                                                                         : Json::object();
    const auto& kind = world_.kind("endpoints");
    if (const auto old = world_.find(kind, service->ns(), service->name())) {
        registry_.amend(kind, old->ns(), old->name(), [&](Json& doc) {
            if (subsets.empty())
                doc.erase("subsets");
            else
                doc["subsets"] = subsets;
        });
    } else {
        Json doc = {{"metadata",
                     {{"name", service->name()},
                      {"namespace", service->ns()},
                      {"labels", labels},
                      {"annotations", {{"endpoints.kubernetes.io/last-change-trigger-time", stamp(world_.now())}}}}}};
        if (!subsets.empty())
            doc["subsets"] = subsets;
        world_.write(kind, std::move(doc));
    }
    const auto& sliceKind = world_.kind("endpointslices");
    EntryPtr existing;
    for (const auto& child : world_.dependents(service->uid()))
        if (child->kind().index == sliceKind.index)
            existing = child;
    if (existing) {
        registry_.amend(sliceKind, existing->ns(), existing->name(), [&](Json& doc) {
            doc["endpoints"] = slice;
            doc["ports"] = slicePorts;
        });
    } else {
        labels["endpointslice.kubernetes.io/managed-by"] = "endpointslice-controller.k8s.io";
        labels["kubernetes.io/service-name"] = service->name();
        world_.write(sliceKind, {{"metadata",
                                  {{"name", service->name() + "-" + world_.randomSuffix(5)},
                                   {"namespace", service->ns()},
                                   {"generateName", service->name() + "-"},
                                   {"labels", labels},
                                   {"generation", 1},
                                   {"ownerReferences", Json::array({ownerReference(*service)})}}},
                                 {"addressType", "IPv4"},
                                 {"endpoints", slice},
                                 {"ports", slicePorts}});
    }
}

} // namespace alidade::simulator
