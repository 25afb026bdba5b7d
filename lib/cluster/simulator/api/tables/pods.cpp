// SPDX-License-Identifier: GPL-3.0-or-later
// kubectl's pod, node and event rows.
#include <algorithm>

#include "alidade/cluster_model/rows.hpp"
#include "api/tables/table.hpp"

namespace alidade::simulator {

namespace {

const Json& initContainer(const Json& pod, const std::string& name) {
    for (const auto& container : items(at(pod, {"spec", "initContainers"})))
        if (str(at(container, "name")) == name)
            return container;
    return at(pod, "no such container");
}

bool condition(const Json& pod, std::string_view type) {
    for (const auto& c : items(at(pod, {"status", "conditions"})))
        if (str(at(c, "type")) == type)
            return str(at(c, "status")) == "True";
    return false;
}

std::string ending(const Json& terminated) {
    if (const auto reason = str(at(terminated, "reason")); !reason.empty())
        return reason;
    if (const auto signal = integer(at(terminated, "signal")); signal != 0)
        return "Signal:" + std::to_string(signal);
    return "ExitCode:" + std::to_string(integer(at(terminated, "exitCode")));
}

struct Summary {
    std::int64_t ready = 0;
    std::int64_t total = 0;
    std::int64_t restarts = 0;
    std::string lastRestart;
    std::string reason;
};

Summary summarise(const Json& pod) {
    Summary out;
    out.reason = str(pod, {"status", "phase"});
    if (const auto reason = str(pod, {"status", "reason"}); !reason.empty())
        out.reason = reason;
    for (const auto& c : items(at(pod, {"status", "conditions"})))
        if (str(at(c, "type")) == "PodScheduled" && str(at(c, "reason")) == "SchedulingGated")
            out.reason = "SchedulingGated";
    out.total = static_cast<std::int64_t>(items(at(pod, {"spec", "containers"})).size());
    const auto inits = items(at(pod, {"spec", "initContainers"})).size();
    for (const auto& container : items(at(pod, {"spec", "initContainers"})))
        if (str(at(container, "restartPolicy")) == "Always")
            ++out.total;
    std::int64_t sidecarRestarts = 0;
    std::string sidecarLast;
    bool initializing = false;
    std::size_t i = 0;
    for (const auto& status : items(at(pod, {"status", "initContainerStatuses"}))) {
        const bool sidecar = str(at(initContainer(pod, str(at(status, "name"))), "restartPolicy")) == "Always";
        const auto last = str(status, {"lastState", "terminated", "finishedAt"});
        out.restarts += integer(at(status, "restartCount"));
        out.lastRestart = std::max(out.lastRestart, last);
        if (sidecar) {
            sidecarRestarts += integer(at(status, "restartCount"));
            sidecarLast = std::max(sidecarLast, last);
        }
        const Json& terminated = at(status, {"state", "terminated"});
        const auto waiting = str(status, {"state", "waiting", "reason"});
        if (terminated.is_object() && integer(at(terminated, "exitCode")) == 0) {
            ++i;
            continue;
        }
        if (sidecar && boolean(at(status, "started"))) {
            if (boolean(at(status, "ready")))
                ++out.ready;
            ++i;
            continue;
        }
        if (terminated.is_object())
            out.reason = "Init:" + ending(terminated);
        else if (!waiting.empty() && waiting != "PodInitializing")
            out.reason = "Init:" + waiting;
        else
            out.reason = "Init:" + std::to_string(i) + "/" + std::to_string(inits);
        initializing = true;
        break;
    }
    if (!initializing || condition(pod, "Initialized")) {
        out.restarts = sidecarRestarts;
        out.lastRestart = sidecarLast;
        bool running = false;
        const auto& statuses = items(at(pod, {"status", "containerStatuses"}));
        for (auto it = statuses.rbegin(); it != statuses.rend(); ++it) {
            out.restarts += integer(at(*it, "restartCount"));
            out.lastRestart = std::max(out.lastRestart, str(*it, {"lastState", "terminated", "finishedAt"}));
            const Json& state = at(*it, "state");
            if (const auto waiting = str(state, {"waiting", "reason"}); !waiting.empty())
                out.reason = waiting;
            else if (at(state, "terminated").is_object())
                out.reason = ending(at(state, "terminated"));
            else if (boolean(at(*it, "ready")) && at(state, "running").is_object()) {
                running = true;
                ++out.ready;
            }
        }
        if (out.reason == "Completed" && running)
            out.reason = condition(pod, "Ready") ? "Running" : "NotReady";
    }
    const auto phase = str(pod, {"status", "phase"});
    if (!at(pod, {"metadata", "deletionTimestamp"}).is_null()) {
        if (str(pod, {"status", "reason"}) == "NodeLost")
            out.reason = "Unknown";
        else if (phase != "Succeeded" && phase != "Failed")
            out.reason = "Terminating";
    }
    return out;
}

} // namespace

TableKind podTable() {
    return {{{"Name"},
             {"Ready"},
             {"Status"},
             {"Restarts"},
             {"Age"},
             {"IP", "string", 1},
             {"Node", "string", 1},
             {"Nominated Node", "string", 1},
             {"Readiness Gates", "string", 1}},
            [](const Entry& entry, WallTime now) -> Json {
                const Json& pod = entry.doc();
                const auto summary = summarise(pod);
                auto restarts = std::to_string(summary.restarts);
                if (summary.restarts != 0 && !summary.lastRestart.empty())
                    restarts += " (" + since(summary.lastRestart, now) + " ago)";
                return {entry.name(),
                        std::to_string(summary.ready) + "/" + std::to_string(summary.total),
                        summary.reason,
                        restarts,
                        age(entry, now),
                        orNone(str(pod, {"status", "podIP"})),
                        orNone(str(pod, {"spec", "nodeName"})),
                        orNone(str(pod, {"status", "nominatedNodeName"})),
                        "<none>"};
            }};
}

TableKind nodeTable() {
    return {{{"Name"},
             {"Status"},
             {"Roles"},
             {"Age"},
             {"Version"},
             {"Internal-IP", "string", 1},
             {"External-IP", "string", 1},
             {"OS-Image", "string", 1},
             {"Kernel-Version", "string", 1},
             {"Container-Runtime", "string", 1}},
            [](const Entry& entry, WallTime now) -> Json {
                const Json& node = entry.doc();
                std::string status = "Unknown";
                for (const auto& c : items(at(node, {"status", "conditions"})))
                    if (str(at(c, "type")) == "Ready")
                        status = str(at(c, "status")) == "True" ? "Ready" : "NotReady";
                if (boolean(at(node, {"spec", "unschedulable"})))
                    status += ",SchedulingDisabled";
                std::vector<std::string> roles;
                for (const auto& [key, value] : members(at(node, {"metadata", "labels"}))) {
                    if (key.starts_with("node-role.kubernetes.io/") && key.size() > 24)
                        roles.push_back(key.substr(24));
                    if (key == "kubernetes.io/role" && !str(value).empty())
                        roles.push_back(str(value));
                }
                std::sort(roles.begin(), roles.end());
                std::string roleText;
                for (const auto& role : roles)
                    roleText += (roleText.empty() ? "" : ",") + role;
                std::string internal;
                std::string external;
                for (const auto& address : items(at(node, {"status", "addresses"}))) {
                    if (str(at(address, "type")) == "InternalIP" && internal.empty())
                        internal = str(at(address, "address"));
                    if (str(at(address, "type")) == "ExternalIP" && external.empty())
                        external = str(at(address, "address"));
                }
                const auto info = [&](const char* key) {
                    const auto text = str(node, {"status", "nodeInfo", key});
                    return text.empty() ? std::string("<unknown>") : text;
                };
                return {entry.name(),
                        status,
                        orNone(roleText),
                        age(entry, now),
                        str(node, {"status", "nodeInfo", "kubeletVersion"}),
                        orNone(internal),
                        orNone(external),
                        info("osImage"),
                        info("kernelVersion"),
                        info("containerRuntimeVersion")};
            }};
}

TableKind eventTable() {
    return {{{"Last Seen"},
             {"Type"},
             {"Reason"},
             {"Object"},
             {"Subobject", "string", 1},
             {"Source", "string", 1},
             {"Message"},
             {"First Seen", "string", 1},
             {"Count", "string", 1},
             {"Name", "string", 1}},
            [](const Entry& entry, WallTime now) -> Json {
                const Json& event = entry.doc();
                auto first = since(at(event, "firstTimestamp"), now);
                if (at(event, "firstTimestamp").is_null())
                    first = since(at(event, "eventTime"), now);
                auto last = since(at(event, "lastTimestamp"), now);
                if (at(event, "lastTimestamp").is_null())
                    last = first;
                auto count = integer(at(event, "count"));
                if (const Json& series = at(event, "series"); series.is_object()) {
                    last = since(at(series, "lastObservedTime"), now);
                    count = integer(at(series, "count"));
                } else if (count == 0) {
                    count = 1;
                }
                auto kind = str(event, {"involvedObject", "kind"});
                std::transform(kind.begin(), kind.end(), kind.begin(),
                               [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
                const auto name = str(event, {"involvedObject", "name"});
                auto source = str(event, {"source", "component"});
                if (source.empty())
                    source = str(at(event, "reportingComponent"));
                if (const auto host = str(event, {"source", "host"}); !host.empty())
                    source += ", " + host;
                auto message = str(at(event, "message"));
                while (!message.empty() && (message.back() == '\n' || message.back() == ' '))
                    message.pop_back();
                return {last,
                        str(at(event, "type")),
                        str(at(event, "reason")),
                        kind + "/" + name,
                        str(event, {"involvedObject", "fieldPath"}),
                        source,
                        message,
                        first,
                        count,
                        entry.name()};
            }};
}

} // namespace alidade::simulator
