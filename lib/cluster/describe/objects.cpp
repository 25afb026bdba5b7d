// SPDX-License-Identifier: GPL-3.0-or-later
// Services, ConfigMaps, Secrets, Nodes, Namespaces, Events, and everything else.
#include "describe/describe.hpp"

#include "alidade/cluster_model/rows.hpp"
#include "kubeconfig/base64.hpp"
#include "reader/json_fields.hpp"

#include <array>
#include <cmath>
#include <cstdio>
#include <map>
#include <sstream>

namespace alidade::cluster {
namespace {

using nlohmann::json;

constexpr int kMaxDepth = 64;

std::string endpointsOf(const json& endpoints, const json& port) {
    std::vector<std::string> all;
    const std::string name = textOf(port, "name");
    for (const json& subset : elements(endpoints, "subsets")) {
        for (const json& served : elements(subset, "ports")) {
            if (textOf(served, "name") != name) {
                continue;
            }
            for (const json& address : elements(subset, "addresses")) {
                const std::string ip = textOf(address, "ip");
                all.push_back((ip.find(':') == std::string::npos ? ip : "[" + ip + "]") + ":" +
                              scalarText(child(served, "port")));
            }
        }
    }
    constexpr std::size_t shown = 3;
    if (all.size() <= shown) {
        return orNone(joined(all, ","));
    }
    return joined({all.begin(), all.begin() + shown}, ",") + " + " + std::to_string(all.size() - shown) + " more...";
}

void block(TextWriter& out, const std::string& text) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        out.line(0, line);
    }
}

std::size_t decodedSize(const json& value) {
    if (!value.is_string()) {
        return 0;
    }
    const auto& text = value.get_ref<const std::string&>();
    const auto decoded = decodeBase64(text);
    return decoded ? decoded->size() : text.size();
}

struct Requests {
    double cpu = 0;
    double memory = 0;
};

Requests requestsOf(const json& pod, const char* field) {
    Requests sum;
    for (const json& container : elements(child(pod, "spec"), "containers")) {
        const json& amounts = at(container, {"resources", field});
        sum.cpu += parseQuantity(scalarText(child(amounts, "cpu"))).value_or(0);
        sum.memory += parseQuantity(scalarText(child(amounts, "memory"))).value_or(0);
    }
    return sum;
}

std::string percent(double part, double whole) {
    return whole > 0 ? " (" + std::to_string(static_cast<long long>(part * 100 / whole)) + "%)" : "";
}
std::string cpuText(double cpu, double whole) {
    return std::to_string(static_cast<long long>(std::ceil(cpu * 1000))) + "m" + percent(cpu, whole);
}
std::string memoryText(double bytes, double whole) {
    return std::to_string(static_cast<long long>(bytes / (1024 * 1024))) + "Mi" + percent(bytes, whole);
}

void amounts(TextWriter& out, const char* title, const json& map) {
    out.line(0, std::string(title) + ":");
    if (map.is_object()) {
        for (const auto& [name, value] : map.items()) {
            out.field(1, name, scalarText(value));
        }
    }
}

/// "creationTimestamp" -> "Creation Timestamp", as kubectl's generic describer has it.
std::string titled(const std::string& key) {
    std::string title;
    for (std::size_t i = 0; i < key.size(); ++i) {
        const bool upper = key[i] >= 'A' && key[i] <= 'Z';
        const bool wordStart = upper && i > 0 && !(key[i - 1] >= 'A' && key[i - 1] <= 'Z');
        if (wordStart) {
            title += ' ';
        }
        title += i == 0 && key[i] >= 'a' && key[i] <= 'z' ? static_cast<char>(key[i] - 'a' + 'A') : key[i];
    }
    return title;
}

void anyValue(TextWriter& out, int level, const std::string& title, const json& value) {
    if (level > kMaxDepth) {
        out.field(level, title, "...");
        return;
    }
    if (value.is_object()) {
        out.line(level, title + ":");
        for (const auto& [key, member] : value.items()) {
            anyValue(out, level + 1, titled(key), member);
        }
    } else if (value.is_array()) {
        out.line(level, title + ":");
        for (const json& element : value) {
            if (element.is_object()) {
                bool first = true;
                for (const auto& [key, member] : element.items()) {
                    anyValue(out, level + 1, (first ? "- " : "  ") + titled(key), member);
                    first = false;
                }
            } else {
                out.line(level + 1, "- " + (element.is_array() ? std::string("...") : scalarText(element)));
            }
        }
    } else {
        out.field(level, title, value.is_null() ? "<nil>" : scalarText(value));
    }
}

} // namespace

void describeService(TextWriter& out, const json& service, const DescribeExtras& extras) {
    const json& spec = child(service, "spec");
    out.field(0, "Selector", orNone(joined(pairs(child(spec, "selector"), "="), ",")));
    out.field(0, "Type", textOf(spec, "type"));
    out.field(0, "IP", orNone(textOf(spec, "clusterIP")));
    std::vector<std::string> ips;
    for (const json& ip : elements(spec, "externalIPs")) {
        ips.push_back(scalarText(ip));
    }
    if (!ips.empty()) {
        out.field(0, "External IPs", joined(ips, ","));
    }
    if (const std::string name = textOf(spec, "externalName"); !name.empty()) {
        out.field(0, "External Name", name);
    }
    for (const json& ingress : elements(at(service, {"status", "loadBalancer"}), "ingress")) {
        const std::string ip = textOf(ingress, "ip");
        out.field(0, "LoadBalancer Ingress", ip.empty() ? textOf(ingress, "hostname") : ip);
    }
    for (const json& port : elements(spec, "ports")) {
        const std::string name = textOf(port, "name");
        const std::string protocol = textOf(port, "protocol");
        out.field(0, "Port",
                  (name.empty() ? "<unset>" : name) + "  " + scalarText(child(port, "port")) + "/" + protocol);
        out.field(0, "TargetPort", scalarText(child(port, "targetPort")) + "/" + protocol);
        if (const auto nodePort = integerOf(port, "nodePort"); nodePort && *nodePort > 0) {
            out.field(0, "NodePort",
                      (name.empty() ? "<unset>" : name) + "  " + std::to_string(*nodePort) + "/" + protocol);
        }
        if (extras.endpoints.is_object()) {
            out.field(0, "Endpoints", endpointsOf(extras.endpoints, port));
        }
    }
    out.field(0, "Session Affinity", textOf(spec, "sessionAffinity"));
    if (const std::string policy = textOf(spec, "externalTrafficPolicy"); !policy.empty()) {
        out.field(0, "External Traffic Policy", policy);
    }
}

void describeConfigMap(TextWriter& out, const json& map) {
    out.line(0, "");
    out.line(0, "Data");
    out.line(0, "====");
    if (const json& data = child(map, "data"); data.is_object()) {
        for (const auto& [key, value] : data.items()) {
            out.line(0, key + ":");
            out.line(0, "----");
            block(out, scalarText(value));
        }
    }
    if (const json& binary = child(map, "binaryData"); binary.is_object() && !binary.empty()) {
        out.line(0, "");
        out.line(0, "BinaryData");
        out.line(0, "====");
        for (const auto& [key, value] : binary.items()) {
            out.line(0, key + ": " + std::to_string(decodedSize(value)) + " bytes");
        }
    }
    if (flagOf(map, "immutable")) {
        out.field(0, "Immutable", "true");
    }
}

void describeSecret(TextWriter& out, const json& secret) {
    out.field(0, "Type", textOf(secret, "type"));
    out.line(0, "");
    out.line(0, "Data");
    out.line(0, "====");
    if (const json& data = child(secret, "data"); data.is_object()) {
        for (const auto& [key, value] : data.items()) {
            out.field(0, key, std::to_string(decodedSize(value)) + " bytes");
        }
    }
}

void describeNode(TextWriter& out, const json& node, const DescribeExtras& extras) {
    const json& spec = child(node, "spec");
    const json& status = child(node, "status");
    std::vector<std::string> taints;
    for (const json& taint : elements(spec, "taints")) {
        const std::string value = textOf(taint, "value");
        taints.push_back(textOf(taint, "key") + (value.empty() ? "" : "=" + value) + ":" + textOf(taint, "effect"));
    }
    out.list(0, "Taints", taints);
    out.field(0, "Unschedulable", flagOf(spec, "unschedulable") ? "true" : "false");
    std::vector<std::vector<std::string>> conditions;
    for (const json& condition : elements(status, "conditions")) {
        conditions.push_back({textOf(condition, "type"), textOf(condition, "status"),
                              textOf(condition, "lastHeartbeatTime"), textOf(condition, "lastTransitionTime"),
                              textOf(condition, "reason"), textOf(condition, "message")});
    }
    out.line(0, "Conditions:");
    out.table(1, {"Type", "Status", "LastHeartbeatTime", "LastTransitionTime", "Reason", "Message"}, conditions);
    out.line(0, "Addresses:");
    for (const json& address : elements(status, "addresses")) {
        out.field(1, textOf(address, "type"), textOf(address, "address"));
    }
    amounts(out, "Capacity", child(status, "capacity"));
    amounts(out, "Allocatable", child(status, "allocatable"));
    out.line(0, "System Info:");
    if (const json& info = child(status, "nodeInfo"); info.is_object()) {
        for (const auto& [key, value] : info.items()) {
            out.field(1, titled(key), scalarText(value));
        }
    }
    const double cpu = parseQuantity(scalarText(at(status, {"allocatable", "cpu"}))).value_or(0);
    const double memory = parseQuantity(scalarText(at(status, {"allocatable", "memory"}))).value_or(0);
    std::vector<std::vector<std::string>> rows;
    Requests requests;
    Requests limits;
    for (const json& pod : extras.pods) {
        const std::string phase = textOf(child(pod, "status"), "phase");
        if (phase == "Succeeded" || phase == "Failed") {
            continue;
        }
        const Requests ask = requestsOf(pod, "requests");
        const Requests limit = requestsOf(pod, "limits");
        rows.push_back({textOf(child(pod, "metadata"), "namespace"), textOf(child(pod, "metadata"), "name"),
                        cpuText(ask.cpu, cpu), cpuText(limit.cpu, cpu), memoryText(ask.memory, memory),
                        memoryText(limit.memory, memory)});
        requests.cpu += ask.cpu;
        requests.memory += ask.memory;
        limits.cpu += limit.cpu;
        limits.memory += limit.memory;
    }
    out.line(0, "Non-terminated Pods: (" + std::to_string(rows.size()) + " in total)");
    out.table(1, {"Namespace", "Name", "CPU Requests", "CPU Limits", "Memory Requests", "Memory Limits"}, rows);
    out.line(0, "Allocated resources:");
    out.table(1, {"Resource", "Requests", "Limits"},
              {{"cpu", cpuText(requests.cpu, cpu), cpuText(limits.cpu, cpu)},
               {"memory", memoryText(requests.memory, memory), memoryText(limits.memory, memory)}});
}

void describeNamespace(TextWriter& out, const json& ns, const DescribeExtras& extras) {
    out.field(0, "Status", textOf(child(ns, "status"), "phase"));
    describeConditions(out, child(ns, "status"), true);
    if (extras.quotas.empty()) {
        out.line(0, "No resource quota.");
    }
    for (const json& quota : extras.quotas) {
        std::vector<std::vector<std::string>> rows;
        if (const json& hard = at(quota, {"status", "hard"}); hard.is_object()) {
            for (const auto& [name, value] : hard.items()) {
                rows.push_back({name, scalarText(at(quota, {"status", "used", name})), scalarText(value)});
            }
        }
        out.line(0, "Resource Quota " + textOf(child(quota, "metadata"), "name") + ":");
        out.table(1, {"Resource", "Used", "Hard"}, rows);
    }
    if (extras.limits.empty()) {
        out.line(0, "No LimitRange resource.");
    }
    for (const json& limit : extras.limits) {
        anyValue(out, 0, "Limit Range " + textOf(child(limit, "metadata"), "name"),
                 child(child(limit, "spec"), "limits"));
    }
}

void describeEvent(TextWriter& out, const json& event) {
    const json& about =
        child(event, "involvedObject").is_object() ? child(event, "involvedObject") : child(event, "regarding");
    out.field(0, "Type", textOf(event, "type"));
    out.field(0, "Reason", textOf(event, "reason"));
    const std::string note = textOf(event, "note");
    out.field(0, "Message", note.empty() ? textOf(event, "message") : note);
    out.field(0, "About", textOf(about, "kind") + " " + textOf(about, "namespace") + "/" + textOf(about, "name"));
    for (const auto& [field, title] :
         {std::pair("firstTimestamp", "First Timestamp"), std::pair("lastTimestamp", "Last Timestamp"),
          std::pair("eventTime", "Event Time"), std::pair("reportingComponent", "Reporting Component")}) {
        if (const std::string text = textOf(event, field); !text.empty()) {
            out.field(0, title, text);
        }
    }
    if (const std::string component = textOf(child(event, "source"), "component"); !component.empty()) {
        out.field(0, "Source", component);
    }
    if (const auto count = integerOf(event, "count"); count && *count > 0) {
        out.field(0, "Count", std::to_string(*count));
    }
}

void describeAny(TextWriter& out, const json& object) {
    if (!object.is_object()) {
        return;
    }
    for (const auto& [key, value] : object.items()) {
        if (key != "metadata" && key != "apiVersion" && key != "kind") {
            anyValue(out, 0, titled(key), value);
        }
    }
}

} // namespace alidade::cluster
