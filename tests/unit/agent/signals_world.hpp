// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Hand-made signals with evidence behind them, as a gatherer would have stored it.
#include <memory>
#include <string>
#include <vector>

#include "alidade/guard/triage.hpp"
#include "analyst/analyst.hpp"
#include "tools/table.hpp"

namespace alidade::test {

namespace kinds = guard::kinds;

struct SignalsWorld {
    guard::Signals signals;
    std::shared_ptr<guard::EvidenceLedger> ledger = std::make_shared<guard::EvidenceLedger>();
    guard::EvidenceLedger& evidence = *ledger;

    SignalsWorld() {
        signals.scope = "context test, namespace shop";
        signals.workloads.reserve(32); // references given out stay good
        signals.pods.reserve(32);
    }

    static guard::ObjectRef ref(const guard::KindId& kind, const std::string& name) {
        return {{kind, "shop", name}, "u-" + kind.resource + "-" + name};
    }
    guard::EvidenceRef store(const guard::ObjectRef& target, const std::vector<std::string>& lines,
                             guard::CitableTool tool = agent::tools::listResources) {
        std::vector<guard::EvidenceLine> stored;
        for (const std::string& line : lines)
            stored.push_back({line, guard::anchor::Field{target.uid, "/" + std::to_string(stored.size()), "1"}});
        return evidence.add(tool, target, target.key.text(), stored, {});
    }

    guard::WorkloadSignal& workload(const std::string& name, int desired, int ready, int updated) {
        const guard::ObjectRef target = ref(kinds::deployments(), name);
        signals.workloads.push_back({.ref = target,
                                     .desired = desired,
                                     .ready = ready,
                                     .updated = updated,
                                     .available = ready,
                                     .generationObserved = true,
                                     .stuckReason = {},
                                     .evidence = store(target, {"\"replicas\": " + std::to_string(desired) + ",",
                                                                "\"readyReplicas\": " + std::to_string(ready)})});
        return signals.workloads.back();
    }
    guard::PodSignal& pod(const std::string& workload, const std::string& suffix, bool ready,
                          std::vector<guard::ContainerSignal> containers, std::string phase = "Running") {
        const guard::ObjectRef target = ref(kinds::pods(), workload + "-" + suffix);
        std::vector<std::string> lines{"\"phase\": \"" + phase + "\""};
        for (const guard::ContainerSignal& c : containers) {
            lines.push_back("\"image\": \"" + c.image + "\",");
            lines.push_back("\"reason\": \"" + c.reason + "\",");
            lines.push_back("\"message\": \"" + c.message + "\"");
            lines.push_back("\"exitCode\": " + std::to_string(c.state == "terminated" ? c.exitCode : c.lastExitCode) +
                            ",");
            lines.push_back("\"reason\": \"" + c.lastReason + "\",");
            lines.push_back("\"message\": \"" + c.lastMessage + "\"");
            lines.push_back("\"restartCount\": " + std::to_string(c.restarts) + ",");
            lines.push_back(std::string("\"ready\": ") + (c.ready ? "true" : "false"));
        }
        signals.pods.push_back({.ref = target,
                                .workload = ref(kinds::deployments(), workload),
                                .status = phase,
                                .phase = phase,
                                .ready = ready,
                                .node = "node-1",
                                .unschedulable = {},
                                .templateHash = {},
                                .containers = std::move(containers),
                                .evidence = store(target, lines)});
        return signals.pods.back();
    }
    void event(const guard::ObjectRef& about, const std::string& reason, const std::string& message, int count = 1) {
        signals.events.push_back({.about = about,
                                  .type = "Warning",
                                  .reason = reason,
                                  .message = message,
                                  .count = count,
                                  .last = {},
                                  .evidence = store({{kinds::events(), "shop", ""}, ""},
                                                    {"Warning " + reason + ": " + message}, agent::tools::getEvents)});
    }
    void log(const guard::PodSignal& pod, const std::string& container, const std::string& text, bool previous = true) {
        signals.logs.push_back({pod.ref, container, previous, text, store(pod.ref, {text}, agent::tools::getLogs)});
    }
    /// Revisions 1..n of a workload; the last one is current. `changes` is against the current one.
    void revision(const std::string& workload, int number, bool current, int ready,
                  std::vector<guard::TemplateChange> changes = {}) {
        const guard::ObjectRef target = ref(kinds::deployments(), workload);
        std::vector<std::string> lines{"revision: " + std::to_string(number), "ready: " + std::to_string(ready)};
        for (const guard::TemplateChange& change : changes)
            lines.push_back("\"" + change.before + "\"");
        signals.recentDeploys.push_back({.workload = target,
                                         .revision = number,
                                         .current = current,
                                         .images = {},
                                         .changeCause = {},
                                         .at = {},
                                         .evidence = store(target, lines, agent::tools::getRevisions),
                                         .ready = ready,
                                         .changes = std::move(changes)});
    }
    void relation(const guard::ObjectRef& from, const guard::ObjectKey& to, const std::string& relation,
                  const std::string& resolution, const std::string& field, bool optional = false) {
        signals.relations.push_back({from, to, relation, resolution, field, optional,
                                     store(from, {"\"" + to.name + "\"", "\"name\": \"" + field + "\""})});
    }

    agent::Analysis analyse(const std::optional<guard::ObjectRef>& about = std::nullopt) const {
        return agent::analyse(signals, evidence, about);
    }
};

inline guard::ContainerSignal container(const std::string& name = "app",
                                        const std::string& image = "registry.example/app:1") {
    guard::ContainerSignal out;
    out.name = name;
    out.image = image;
    return out;
}
inline guard::ContainerSignal running(guard::ContainerSignal out = container()) {
    out.state = "running";
    out.ready = true;
    return out;
}
inline guard::ContainerSignal waiting(const std::string& reason, const std::string& message,
                                      guard::ContainerSignal out = container()) {
    out.state = "waiting";
    out.reason = reason;
    out.message = message;
    return out;
}
inline guard::ContainerSignal crashed(int exitCode, const std::string& reason = "Error", int restarts = 4,
                                      guard::ContainerSignal out = container()) {
    out = waiting("CrashLoopBackOff", "back-off 40s restarting failed container", out);
    out.lastReason = reason;
    out.lastExitCode = exitCode;
    out.restarts = restarts;
    return out;
}

} // namespace alidade::test
