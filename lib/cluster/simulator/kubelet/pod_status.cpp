// SPDX-License-Identifier: GPL-3.0-or-later
// How a kubelet reports a pod: phase, conditions and container statuses.
#include "kubelet/kubelet.hpp"

namespace alidade::simulator {

Json Kubelet::containerStatus(const Entry& entry, const Container& c) const {
    const Json& container = spec(entry, c);
    Json state = Json::object();
    switch (c.state) {
    case State::Waiting:
        state["waiting"] = {{"reason", c.reason}};
        if (!c.message.empty())
            state["waiting"]["message"] = c.message;
        break;
    case State::Running: state["running"] = {{"startedAt", stamp(c.startedAt)}}; break;
    case State::Terminated:
        state["terminated"] = {{"exitCode", c.exitCode},
                               {"reason", c.reason},
                               {"startedAt", stamp(c.startedAt)},
                               {"finishedAt", stamp(c.finishedAt)},
                               {"containerID", c.id}};
        if (!c.message.empty())
            state["terminated"]["message"] = c.message;
        break;
    }
    const bool doneInit = c.init && !c.sidecar && c.state == State::Terminated && c.exitCode == 0;
    Json out = {{"name", c.name},
                {"image", at(container, "image")},
                {"imageID", ""},
                {"ready", c.ready || doneInit},
                {"restartCount", c.restarts},
                {"state", state},
                {"lastState", c.lastState},
                {"started", c.state == State::Running && c.started}};
    if (!c.imageId.empty()) {
        const auto digest = hash64(c.imageId);
        std::string hex;
        for (unsigned i = 0; i < 64; ++i)
            hex += "0123456789abcdef"[(hash64(std::to_string(i), digest) >> 7U) & 15U];
        const auto name = ImageBook::canonical(c.imageId);
        out["imageID"] = name.substr(0, name.rfind(':')) + "@sha256:" + hex;
    }
    if (!c.id.empty())
        out["containerID"] = c.id;
    return out;
}

std::string Kubelet::phase(const Entry& entry, const Pod& p) const {
    const auto policy = str(entry.doc(), {"spec", "restartPolicy"}, "Always");
    int waiting = 0;
    int running = 0;
    int stopped = 0;
    int succeeded = 0;
    for (const auto& c : p.containers) {
        if (c.init) {
            if (c.sidecar ? c.started : c.state == State::Terminated && c.exitCode == 0)
                continue;
            return c.state == State::Terminated && policy == "Never" && !c.sidecar ? "Failed" : "Pending";
        }
        if (c.state == State::Running)
            ++running;
        else if (c.state == State::Terminated) {
            ++stopped;
            if (c.exitCode == 0)
                ++succeeded;
        } else if (!c.lastState.empty())
            ++stopped;
        else
            ++waiting;
    }
    if (waiting > 0)
        return "Pending";
    if (running > 0)
        return "Running";
    if (policy == "Always")
        return "Running";
    if (stopped == succeeded)
        return "Succeeded";
    return policy == "Never" ? "Failed" : "Running";
}

void Kubelet::publish(const std::string& uid) {
    auto* p = pod(uid);
    const auto e = p == nullptr ? nullptr : entry(*p);
    if (!e)
        return;
    Json statuses = Json::array();
    Json initStatuses = Json::array();
    std::string unready;
    std::string incomplete;
    for (const auto& c : p->containers) {
        (c.init ? initStatuses : statuses).push_back(containerStatus(*e, c));
        if (!c.init && !c.ready)
            unready += (unready.empty() ? "" : " ") + c.name;
        if (c.init && !(c.sidecar ? c.started : c.state == State::Terminated && c.exitCode == 0))
            incomplete += (incomplete.empty() ? "" : " ") + c.name;
    }
    const auto now = stamp(world_.now());
    const auto newPhase = phase(*e, *p);
    const auto node = world_.find(world_.kind("nodes"), "", p->node);
    const auto hostIp = node && !items(at(node->doc(), {"status", "addresses"})).empty()
                            ? str(at(items(at(node->doc(), {"status", "addresses"})).front(), "address"))
                            : std::string();
    registry_.amend(e->kind(), p->ns, p->name, [&](Json& doc) {
        Json& status = object(doc, "status");
        status["phase"] = newPhase;
        if (!status.contains("startTime"))
            status["startTime"] = now;
        if (!hostIp.empty()) {
            status["hostIP"] = hostIp;
            status["hostIPs"] = Json::array({{{"ip", hostIp}}});
        }
        if (!p->ip.empty()) {
            status["podIP"] = p->ip;
            status["podIPs"] = Json::array({{{"ip", p->ip}}});
        }
        status["containerStatuses"] = statuses;
        if (!initStatuses.empty())
            status["initContainerStatuses"] = initStatuses;
        const auto condition = [&](const char* type, bool value, const std::string& reason,
                                   const std::string& message) {
            Json& list = status["conditions"];
            if (!list.is_array())
                list = Json::array();
            Json fresh = {{"type", type},
                          {"status", value ? "True" : "False"},
                          {"lastProbeTime", nullptr},
                          {"lastTransitionTime", now}};
            if (!reason.empty())
                fresh["reason"] = reason;
            if (!message.empty())
                fresh["message"] = message;
            for (auto& old : list)
                if (str(at(old, "type")) == type) {
                    if (str(at(old, "status")) == (value ? "True" : "False"))
                        fresh["lastTransitionTime"] = at(old, "lastTransitionTime");
                    old = fresh;
                    return;
                }
            list.push_back(fresh);
        };
        const bool done = newPhase == "Succeeded";
        const bool ready = unready.empty() && incomplete.empty() && newPhase == "Running";
        const std::string reason = done ? "PodCompleted" : ready ? "" : "ContainersNotReady";
        const std::string message = done || ready ? "" : "containers with unready status: [" + unready + "]";
        condition("PodReadyToStartContainers", p->sandbox, "", "");
        condition("Initialized", incomplete.empty(),
                  done                 ? "PodCompleted"
                  : incomplete.empty() ? ""
                                       : "ContainersNotInitialized",
                  incomplete.empty() ? "" : "containers with incomplete status: [" + incomplete + "]");
        condition("Ready", ready, reason, message);
        condition("ContainersReady", ready, reason, message);
    });
}

} // namespace alidade::simulator
