// SPDX-License-Identifier: GPL-3.0-or-later
#include "decode_kinds.hpp"

#include <algorithm>
#include <charconv>

namespace alidade::cluster::decode {
namespace {

struct ContainerState {
    enum class Kind : std::uint8_t { None, Waiting, Running, Terminated };
    Kind kind = Kind::None;
    std::string_view reason;
    std::string_view message;
    std::int64_t exitCode = 0;
    std::int64_t signal = 0;
    std::int64_t finishedNs = 0;
};
struct ContainerStatus {
    std::string_view name;
    std::int64_t restarts = 0;
    bool ready = false;
    bool started = false;
    ContainerState state;
    std::int64_t lastFinishedNs = 0;
};
struct InitContainer {
    std::string_view name;
    bool sidecar = false; // restartPolicy: Always
};

struct Pod {
    std::size_t containers = 0;
    std::vector<InitContainer> init;
    std::vector<std::string_view> gates;
    std::string_view node, phase, reason, message, podIp, firstPodIp, nominated;
    Conditions conditions;
    std::vector<ContainerStatus> initStatuses;
    std::vector<ContainerStatus> statuses;

    void clear() {
        containers = 0;
        init.clear();
        gates.clear();
        node = phase = reason = message = podIp = firstPodIp = nominated = {};
        conditions.clear();
        initStatuses.clear();
        statuses.clear();
    }
    [[nodiscard]] bool isSidecar(std::string_view name) const {
        return std::any_of(init.begin(), init.end(), [&](const InitContainer& c) { return c.sidecar && c.name == name; });
    }
};

/// state or lastState: one of waiting, running, terminated. Terminated beats waiting beats running, should two be there.
ContainerState containerState(json::Reader& in, ondemand::value& value) {
    ContainerState state;
    in.fields(value, [&](const auto& key, ondemand::value& part) {
        using Kind = ContainerState::Kind;
        const Kind kind = json::is(key, "waiting")      ? Kind::Waiting
                          : json::is(key, "running")    ? Kind::Running
                          : json::is(key, "terminated") ? Kind::Terminated
                                                        : Kind::None;
        if (kind == Kind::None || in.isNull(part)) {
            return;
        }
        if (kind == Kind::Running) {
            if (state.kind == Kind::None) {
                state.kind = kind;
            }
            return;
        }
        if (state.kind == Kind::Terminated) {
            return;
        }
        state = ContainerState{};
        state.kind = kind;
        in.fields(part, [&](const auto& name, ondemand::value& item) {
            if (json::is(name, "reason")) {
                state.reason = in.text(item);
            } else if (json::is(name, "message")) {
                state.message = in.text(item);
            } else if (json::is(name, "exitCode")) {
                state.exitCode = in.integer(item);
            } else if (json::is(name, "signal")) {
                state.signal = in.integer(item);
            } else if (json::is(name, "finishedAt")) {
                state.finishedNs = timeNs(in.text(item));
            }
        });
    });
    return state;
}

void containerStatuses(json::Reader& in, ondemand::value& value, std::vector<ContainerStatus>& out) {
    in.items(value, [&](ondemand::value& item) {
        ContainerStatus& status = out.emplace_back();
        in.fields(item, [&](const auto& key, ondemand::value& part) {
            if (json::is(key, "name")) {
                status.name = in.text(part);
            } else if (json::is(key, "restartCount")) {
                status.restarts = in.integer(part);
            } else if (json::is(key, "ready")) {
                status.ready = in.boolean(part);
            } else if (json::is(key, "started")) {
                status.started = in.boolean(part);
            } else if (json::is(key, "state")) {
                status.state = containerState(in, part);
            } else if (json::is(key, "lastState")) {
                const ContainerState last = containerState(in, part);
                status.lastFinishedNs = last.kind == ContainerState::Kind::Terminated ? last.finishedNs : 0;
            }
        });
    });
}

void spec(json::Reader& in, ondemand::value& value, Pod& pod) {
    in.fields(value, [&](const auto& key, ondemand::value& part) {
        if (json::is(key, "containers")) {
            in.items(part, [&](ondemand::value&) { ++pod.containers; });
        } else if (json::is(key, "initContainers")) {
            in.items(part, [&](ondemand::value& item) {
                InitContainer& container = pod.init.emplace_back();
                in.fields(item, [&](const auto& name, ondemand::value& field) {
                    if (json::is(name, "name")) {
                        container.name = in.text(field);
                    } else if (json::is(name, "restartPolicy")) {
                        container.sidecar = in.text(field) == "Always";
                    }
                });
            });
        } else if (json::is(key, "nodeName")) {
            pod.node = in.text(part);
        } else if (json::is(key, "readinessGates")) {
            in.items(part, [&](ondemand::value& item) {
                std::string_view& gate = pod.gates.emplace_back();
                in.fields(item, [&](const auto& name, ondemand::value& field) {
                    if (json::is(name, "conditionType")) {
                        gate = in.text(field);
                    }
                });
            });
        }
    });
}

void status(json::Reader& in, ondemand::value& value, Pod& pod) {
    in.fields(value, [&](const auto& key, ondemand::value& part) {
        if (json::is(key, "phase")) {
            pod.phase = in.text(part);
        } else if (json::is(key, "reason")) {
            pod.reason = in.text(part);
        } else if (json::is(key, "message")) {
            pod.message = in.text(part);
        } else if (json::is(key, "podIP")) {
            pod.podIp = in.text(part);
        } else if (json::is(key, "podIPs")) {
            in.items(part, [&](ondemand::value& item) {
                if (!pod.firstPodIp.empty()) {
                    return;
                }
                in.fields(item, [&](const auto& name, ondemand::value& field) {
                    if (json::is(name, "ip")) {
                        pod.firstPodIp = in.text(field);
                    }
                });
            });
        } else if (json::is(key, "nominatedNodeName")) {
            pod.nominated = in.text(part);
        } else if (json::is(key, "conditions")) {
            conditions(in, part, pod.conditions);
        } else if (json::is(key, "initContainerStatuses")) {
            containerStatuses(in, part, pod.initStatuses);
        } else if (json::is(key, "containerStatuses")) {
            containerStatuses(in, part, pod.statuses);
        }
    });
}

/// kubectl's printPod, with the container that gave the reason.
struct Summary {
    std::string reason;
    std::string fault;             // the reason of the first container in trouble; kubectl may print another's
    std::string_view faultMessage; // what that container says
    std::int64_t restarts = 0;
    std::int64_t restartedNs = 0;
    std::size_t ready = 0;
    std::size_t total = 0;
    bool initializing = false;
    bool terminated = false; // the reason is a container's end
    bool waiting = false;
};

std::string ended(std::string_view prefix, const ContainerState& state) {
    std::string text(prefix);
    if (!state.reason.empty()) {
        return text.append(state.reason);
    }
    return state.signal != 0 ? text + "Signal:" + std::to_string(state.signal)
                             : text + "ExitCode:" + std::to_string(state.exitCode);
}

void initContainers(const Pod& pod, Summary& out, std::int64_t& sidecarRestarts, std::int64_t& sidecarRestartedNs) {
    using Kind = ContainerState::Kind;
    for (std::size_t i = 0; i < pod.initStatuses.size(); ++i) {
        const ContainerStatus& container = pod.initStatuses[i];
        const bool sidecar = pod.isSidecar(container.name);
        out.restarts += container.restarts;
        out.restartedNs = std::max(out.restartedNs, container.lastFinishedNs);
        if (sidecar) {
            sidecarRestarts += container.restarts;
            sidecarRestartedNs = std::max(sidecarRestartedNs, container.lastFinishedNs);
        }
        const ContainerState& state = container.state;
        if (state.kind == Kind::Terminated && state.exitCode == 0) {
            continue;
        }
        if (sidecar && container.started) {
            out.ready += container.ready ? 1 : 0;
            continue;
        }
        if (state.kind == Kind::Terminated) {
            out.fault = out.reason = ended("Init:", state);
            out.faultMessage = state.message;
            out.terminated = true;
        } else if (state.kind == Kind::Waiting && !state.reason.empty() && state.reason != "PodInitializing") {
            out.reason.assign("Init:").append(state.reason);
            out.waiting = true;
            if (state.reason != "ContainerCreating") {
                out.fault = out.reason;
                out.faultMessage = state.message;
            }
        } else {
            out.reason = "Init:" + std::to_string(i) + "/" + std::to_string(pod.init.size());
        }
        out.initializing = true;
        break;
    }
}

void mainContainers(const Pod& pod, Summary& out) {
    using Kind = ContainerState::Kind;
    bool running = false;
    // From the last to the first: the lowest index wins.
    for (auto at = pod.statuses.rbegin(); at != pod.statuses.rend(); ++at) {
        out.restarts += at->restarts;
        out.restartedNs = std::max(out.restartedNs, at->lastFinishedNs);
        const ContainerState& state = at->state;
        if (state.kind == Kind::Waiting && !state.reason.empty()) {
            out.reason = state.reason;
            out.terminated = false;
            out.waiting = true;
            if (state.reason != "ContainerCreating" && state.reason != "PodInitializing") {
                out.fault = out.reason;
                out.faultMessage = state.message;
            }
        } else if (state.kind == Kind::Terminated) {
            out.reason = ended("", state);
            out.waiting = false;
            out.terminated = true;
            if (state.exitCode != 0 || state.signal != 0) {
                out.fault = out.reason;
                out.faultMessage = state.message;
            }
        } else if (at->ready && state.kind == Kind::Running) {
            running = true;
            ++out.ready;
        }
    }
    if (out.reason == "Completed" && running) {
        const Condition* const ready = find(pod.conditions, "Ready");
        out.reason = ready != nullptr && ready->status == "True" ? "Running" : "NotReady";
        out.terminated = false;
    }
}

bool isTrue(const Condition* condition) { return condition != nullptr && condition->status == "True"; }

Summary summarize(const Pod& pod, bool deleting) {
    Summary out;
    out.reason = pod.reason.empty() ? pod.phase : pod.reason;
    for (const Condition& condition : pod.conditions) {
        if (condition.type == "PodScheduled" && condition.reason == "SchedulingGated") {
            out.reason = condition.reason;
        }
    }
    out.total = pod.containers;
    for (const InitContainer& container : pod.init) out.total += container.sidecar ? 1 : 0;

    std::int64_t sidecarRestarts = 0;
    std::int64_t sidecarRestartedNs = 0;
    initContainers(pod, out, sidecarRestarts, sidecarRestartedNs);
    if (!out.initializing || isTrue(find(pod.conditions, "Initialized"))) {
        out.restarts = sidecarRestarts;
        out.restartedNs = sidecarRestartedNs;
        mainContainers(pod, out);
    }
    if (deleting && pod.reason == "NodeLost") {
        out.reason = "Unknown";
    } else if (deleting && pod.phase != "Succeeded" && pod.phase != "Failed") {
        out.reason = "Terminating";
    }
    return out;
}

/// Ready condition's own words, or ours of kubectl's status.
void notReady(RowBuilder& row, const Pod& pod) {
    const Condition* const ready = find(pod.conditions, "Ready");
    const bool said = ready != nullptr && !ready->reason.empty();
    trouble(row, Health::Warning, said ? ready->reason : "NotReady", said ? ready->message : std::string_view{});
}

void judge(RowBuilder& row, const Pod& pod, const Summary& summary) {
    const Condition* const scheduled = find(pod.conditions, "PodScheduled");
    if (pod.phase == "Succeeded") {
        row.health(Health::Done);
    } else if (pod.phase == "Failed") {
        trouble(row, Health::Bad, summary.reason, pod.message.empty() ? summary.faultMessage : pod.message);
    } else if (summary.reason == "Terminating") {
        row.health(Health::Progressing);
    } else if (pod.phase.empty() || summary.reason == "Unknown" || pod.phase == "Unknown") {
        trouble(row, Health::Unknown, "Unknown", pod.message);
    } else if (!summary.fault.empty()) {
        trouble(row, Health::Bad, summary.fault, summary.faultMessage);
    } else if (scheduled != nullptr && scheduled->status == "False" && scheduled->reason != "SchedulingGated") {
        trouble(row, Health::Bad, scheduled->reason, scheduled->message);
    } else if (pod.phase == "Pending" || summary.initializing || summary.waiting) {
        row.health(Health::Progressing);
    } else if (summary.ready < summary.total && !summary.terminated) {
        // A container that ended well beside one that runs is no trouble while the pod says it is ready.
        if (isTrue(find(pod.conditions, "Ready"))) {
            row.health(Health::Ok);
        } else {
            notReady(row, pod);
        }
    } else {
        row.health(summary.terminated ? Health::Progressing : Health::Ok);
    }
}

void ratioCell(RowBuilder& row, std::size_t part, std::size_t whole) {
    char text[48];
    char* at = std::to_chars(text, text + 20, part).ptr;
    *at++ = '/';
    at = std::to_chars(at, text + sizeof text, whole).ptr;
    row.cell({text, static_cast<std::size_t>(at - text)},
             whole == 0 ? 1 : static_cast<double>(part) / static_cast<double>(whole));
}

void textOrNone(RowBuilder& row, std::string_view text) {
    if (text.empty()) {
        row.fixedCell("<none>");
    } else {
        row.cell(text);
    }
}

} // namespace

std::vector<Column> podColumns() {
    return {{"NAME", ColumnType::Text, false, "Name of the pod"},
            {"READY", ColumnType::Text, false, "Containers that are ready, of all"},
            {"STATUS", ColumnType::Text, false, "The reason for its state, or its phase"},
            {"RESTARTS", ColumnType::Count, false, "Restarts of its containers, and when the last one was"},
            {"AGE", ColumnType::Age, false, "Time since it was created"},
            {"IP", ColumnType::Text, true, "Its address"},
            {"NODE", ColumnType::Text, true, "The node it runs on"},
            {"NOMINATED NODE", ColumnType::Text, true, "The node it will run on once room was made"},
            {"READINESS GATES", ColumnType::Text, true, "Readiness gates that are passed, of all"}};
}

void pod(json::Reader& in, ondemand::object object, RowBuilder& row, Meta& meta) {
    thread_local Pod pod; // its vectors are reused from object to object
    pod.clear();
    in.fields(object, [&](const auto& key, ondemand::value& value) {
        if (json::is(key, "metadata")) {
            metadata(in, value, row, meta);
        } else if (json::is(key, "spec")) {
            spec(in, value, pod);
        } else if (json::is(key, "status")) {
            status(in, value, pod);
        }
    });
    const Summary summary = summarize(pod, row.deleting());
    row.nameCell();
    ratioCell(row, summary.ready, summary.total);
    if (summary.reason.empty()) {
        row.fixedCell("Unknown");
    } else if (summary.reason == "Running") {
        row.fixedCell("Running");
    } else {
        row.cell(summary.reason);
    }
    row.numberCell(summary.restarts, summary.restarts != 0 ? summary.restartedNs : 0);
    row.ageCell(row.created());
    textOrNone(row, pod.firstPodIp.empty() ? pod.podIp : pod.firstPodIp);
    textOrNone(row, pod.node);
    textOrNone(row, pod.nominated);
    if (pod.gates.empty()) {
        row.fixedCell("<none>");
    } else {
        const auto passed = std::count_if(pod.gates.begin(), pod.gates.end(),
                                          [](std::string_view gate) { return isTrue(find(pod.conditions, gate)); });
        ratioCell(row, static_cast<std::size_t>(passed), pod.gates.size());
    }
    judge(row, pod, summary);
}

} // namespace alidade::cluster::decode
