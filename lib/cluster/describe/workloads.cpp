// SPDX-License-Identifier: GPL-3.0-or-later
// Pods, Deployments, ReplicaSets.
#include "describe/describe.hpp"
#include "reader/json_fields.hpp"

namespace alidade::cluster {
namespace {

using nlohmann::json;

std::string number(const json& object, const char* name) { return std::to_string(integerOf(object, name).value_or(0)); }

std::string tolerationText(const json& toleration) {
    std::string text = textOf(toleration, "key");
    if (const std::string value = textOf(toleration, "value"); !value.empty()) {
        text += "=" + value;
    }
    if (const std::string effect = textOf(toleration, "effect"); !effect.empty()) {
        text += ":" + effect;
    }
    if (textOf(toleration, "operator") == "Exists" && textOf(toleration, "value").empty()) {
        text += text.empty() ? "op=Exists" : " op=Exists";
    }
    if (const auto seconds = integerOf(toleration, "tolerationSeconds")) {
        text += " for " + std::to_string(*seconds) + "s";
    }
    return text;
}

std::string setLine(const json& set) {
    return textOf(child(set, "metadata"), "name") + " (" + number(child(set, "status"), "replicas") + "/" +
           number(child(set, "spec"), "replicas") + " replicas created)";
}

std::string revisionText(const json& object) {
    return textOf(at(object, {"metadata", "annotations"}), "deployment.kubernetes.io/revision");
}

} // namespace

void describePod(TextWriter& out, const json& pod) {
    const json& meta = child(pod, "metadata");
    const json& spec = child(pod, "spec");
    const json& status = child(pod, "status");
    if (textOf(meta, "deletionTimestamp").empty()) {
        out.field(0, "Status", textOf(status, "phase"));
    } else {
        out.field(0, "Status", "Terminating (since " + textOf(meta, "deletionTimestamp") + ")");
        out.field(0, "Termination Grace Period", number(meta, "deletionGracePeriodSeconds") + "s");
    }
    for (const auto& [field, title] : {std::pair("reason", "Reason"), std::pair("message", "Message")}) {
        if (const std::string text = textOf(status, field); !text.empty()) {
            out.field(0, title, text);
        }
    }
    out.field(0, "Priority", number(spec, "priority"));
    if (const std::string name = textOf(spec, "priorityClassName"); !name.empty()) {
        out.field(0, "Priority Class Name", name);
    }
    out.field(0, "Service Account", orNone(textOf(spec, "serviceAccountName")));
    const std::string node = textOf(spec, "nodeName");
    const std::string host = textOf(status, "hostIP");
    out.field(0, "Node", node.empty() ? "<none>" : node + (host.empty() ? "" : "/" + host));
    if (const std::string start = textOf(status, "startTime"); !start.empty()) {
        out.field(0, "Start Time", start);
    }
    out.field(0, "IP", textOf(status, "podIP"));
    if (const std::string owner = controllerOf(pod); !owner.empty()) {
        out.field(0, "Controlled By", owner);
    }
    describeContainers(out, 0, "Init Containers", spec, "initContainers", child(status, "initContainerStatuses"));
    describeContainers(out, 0, "Containers", spec, "containers", child(status, "containerStatuses"));
    describeContainers(out, 0, "Ephemeral Containers", spec, "ephemeralContainers",
                       child(status, "ephemeralContainerStatuses"));
    if (const json& gates = elements(spec, "readinessGates"); !gates.empty()) {
        out.line(0, "Readiness Gates:");
        for (const json& gate : gates) {
            out.line(1, textOf(gate, "conditionType"));
        }
    }
    bool reasons = false;
    for (const json& condition : elements(status, "conditions")) {
        reasons = reasons || !textOf(condition, "reason").empty() || !textOf(condition, "message").empty();
    }
    describeConditions(out, status, reasons);
    describeVolumes(out, 0, spec);
    out.field(0, "QoS Class", textOf(status, "qosClass"));
    out.list(0, "Node-Selectors", pairs(child(spec, "nodeSelector"), "="));
    std::vector<std::string> tolerations;
    for (const json& toleration : elements(spec, "tolerations")) {
        tolerations.push_back(tolerationText(toleration));
    }
    out.list(0, "Tolerations", tolerations);
}

void describeDeployment(TextWriter& out, const json& deployment, const DescribeExtras& extras) {
    const json& spec = child(deployment, "spec");
    const json& status = child(deployment, "status");
    out.field(0, "Selector", selectorWords(child(spec, "selector")));
    out.field(0, "Replicas",
              number(spec, "replicas") + " desired | " + number(status, "updatedReplicas") + " updated | " +
                  number(status, "replicas") + " total | " + number(status, "availableReplicas") + " available | " +
                  number(status, "unavailableReplicas") + " unavailable");
    if (flagOf(spec, "paused")) {
        out.field(0, "Paused", "true");
    }
    out.field(0, "StrategyType", textOf(child(spec, "strategy"), "type"));
    out.field(0, "MinReadySeconds", number(spec, "minReadySeconds"));
    if (const json& rolling = at(spec, {"strategy", "rollingUpdate"}); rolling.is_object()) {
        out.field(0, "RollingUpdateStrategy",
                  scalarText(child(rolling, "maxUnavailable")) + " max unavailable, " +
                      scalarText(child(rolling, "maxSurge")) + " max surge");
    }
    describePodTemplate(out, child(spec, "template"));
    describeConditions(out, status, true);
    const std::string current = revisionText(deployment);
    std::vector<std::string> old;
    std::string latest;
    for (const json& set : extras.replicaSets) {
        if (revisionText(set) == current) {
            latest = setLine(set);
        } else if (integerOf(child(set, "spec"), "replicas").value_or(0) > 0 ||
                   integerOf(child(set, "status"), "replicas").value_or(0) > 0) {
            old.push_back(setLine(set));
        }
    }
    out.field(0, "OldReplicaSets", orNone(joined(old)));
    out.field(0, "NewReplicaSet", orNone(latest));
}

void describeReplicaSet(TextWriter& out, const json& set, const DescribeExtras& extras) {
    const json& spec = child(set, "spec");
    out.field(0, "Selector", selectorWords(child(spec, "selector")));
    if (const std::string owner = controllerOf(set); !owner.empty()) {
        out.field(0, "Controlled By", owner);
    }
    out.field(0, "Replicas",
              number(child(set, "status"), "replicas") + " current / " + number(spec, "replicas") + " desired");
    int running = 0;
    int waiting = 0;
    int succeeded = 0;
    int failed = 0;
    const std::string uid = textOf(child(set, "metadata"), "uid");
    for (const json& pod : extras.pods) {
        bool owned = false;
        for (const json& owner : elements(child(pod, "metadata"), "ownerReferences")) {
            owned = owned || textOf(owner, "uid") == uid;
        }
        if (!owned) {
            continue;
        }
        const std::string phase = textOf(child(pod, "status"), "phase");
        ++(phase == "Running" ? running : phase == "Succeeded" ? succeeded : phase == "Failed" ? failed : waiting);
    }
    out.field(0, "Pods Status",
              std::to_string(running) + " Running / " + std::to_string(waiting) + " Waiting / " +
                  std::to_string(succeeded) + " Succeeded / " + std::to_string(failed) + " Failed");
    describePodTemplate(out, child(spec, "template"));
    describeConditions(out, child(set, "status"), true);
}

} // namespace alidade::cluster
