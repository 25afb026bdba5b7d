// SPDX-License-Identifier: GPL-3.0-or-later
#include "describe/describe.hpp"
#include "reader/json_fields.hpp"

#include <sstream>

namespace alidade::cluster {
namespace {

using nlohmann::json;

std::string portsOf(const json& container, const char* field) {
    std::vector<std::string> ports;
    for (const json& port : elements(container, "ports")) {
        const std::string protocol = textOf(port, "protocol");
        ports.push_back(std::to_string(integerOf(port, field).value_or(0)) + "/" +
                        (protocol.empty() ? "TCP" : protocol));
    }
    return orNone(joined(ports));
}

void words(TextWriter& out, int level, const char* title, const json& list) {
    if (list.empty()) {
        return;
    }
    out.line(level, std::string(title) + ":");
    for (const json& word : list) {
        std::istringstream lines(scalarText(word));
        for (std::string text; std::getline(lines, text);) {
            out.line(level + 1, text);
        }
    }
}

void stateLines(TextWriter& out, int level, const std::string& title, const json& state) {
    if (const json& running = child(state, "running"); running.is_object()) {
        out.field(level, title, "Running");
        out.field(level + 1, "Started", textOf(running, "startedAt"));
    } else if (const json& waiting = child(state, "waiting"); waiting.is_object()) {
        out.field(level, title, "Waiting");
        if (const std::string reason = textOf(waiting, "reason"); !reason.empty()) {
            out.field(level + 1, "Reason", reason);
        }
        if (const std::string message = textOf(waiting, "message"); !message.empty()) {
            out.field(level + 1, "Message", message);
        }
    } else if (const json& ended = child(state, "terminated"); ended.is_object()) {
        out.field(level, title, "Terminated");
        if (const std::string reason = textOf(ended, "reason"); !reason.empty()) {
            out.field(level + 1, "Reason", reason);
        }
        if (const std::string message = textOf(ended, "message"); !message.empty()) {
            out.field(level + 1, "Message", message);
        }
        out.field(level + 1, "Exit Code", scalarText(child(ended, "exitCode")));
        if (const auto signal = integerOf(ended, "signal"); signal && *signal != 0) {
            out.field(level + 1, "Signal", std::to_string(*signal));
        }
        out.field(level + 1, "Started", textOf(ended, "startedAt"));
        out.field(level + 1, "Finished", textOf(ended, "finishedAt"));
    } else {
        out.field(level, title, "Waiting");
    }
}

std::string probeText(const json& probe) {
    std::string what = "unknown";
    if (const json& exec = child(probe, "exec"); exec.is_object()) {
        std::vector<std::string> command;
        for (const json& word : elements(exec, "command")) {
            command.push_back(scalarText(word));
        }
        what = "exec [" + joined(command, " ") + "]";
    } else if (const json& get = child(probe, "httpGet"); get.is_object()) {
        const std::string scheme = textOf(get, "scheme") == "HTTPS" ? "https" : "http";
        what = "http-get " + scheme + "://" + textOf(get, "host") + ":" + scalarText(child(get, "port")) +
               textOf(get, "path");
    } else if (const json& socket = child(probe, "tcpSocket"); socket.is_object()) {
        what = "tcp-socket " + textOf(socket, "host") + ":" + scalarText(child(socket, "port"));
    } else if (const json& grpc = child(probe, "grpc"); grpc.is_object()) {
        what = "grpc <pod>:" + scalarText(child(grpc, "port")) + " " + textOf(grpc, "service");
    }
    const auto number = [&](const char* name, std::int64_t fallback) {
        return std::to_string(integerOf(probe, name).value_or(fallback));
    };
    return what + " delay=" + number("initialDelaySeconds", 0) + "s timeout=" + number("timeoutSeconds", 1) +
           "s period=" + number("periodSeconds", 10) + "s #success=" + number("successThreshold", 1) +
           " #failure=" + number("failureThreshold", 3);
}

std::string environmentValue(const json& variable) {
    const json& from = child(variable, "valueFrom");
    const auto keyed = [](const json& ref, const char* kind) {
        return "<set to the key '" + textOf(ref, "key") + "' of " + kind + " '" + textOf(ref, "name") +
               "'>  Optional: " + (flagOf(ref, "optional") ? "true" : "false");
    };
    if (const json& ref = child(from, "secretKeyRef"); ref.is_object()) {
        return keyed(ref, "secret");
    }
    if (const json& ref = child(from, "configMapKeyRef"); ref.is_object()) {
        return keyed(ref, "config map");
    }
    if (const json& ref = child(from, "fieldRef"); ref.is_object()) {
        return "(" + textOf(ref, "apiVersion") + ":" + textOf(ref, "fieldPath") + ")";
    }
    if (const json& ref = child(from, "resourceFieldRef"); ref.is_object()) {
        return "(" + textOf(ref, "resource") + " of " + orNone(textOf(ref, "containerName")) + ")";
    }
    return textOf(variable, "value");
}

void environmentLines(TextWriter& out, int level, const json& container) {
    const json& from = elements(container, "envFrom");
    if (!from.empty()) {
        out.line(level, "Environment Variables from:");
        for (const json& source : from) {
            const bool secret = child(source, "secretRef").is_object();
            const json& ref = child(source, secret ? "secretRef" : "configMapRef");
            out.field(level + 1, textOf(ref, "name"),
                      std::string(secret ? "Secret" : "ConfigMap") +
                          "  Optional: " + (flagOf(ref, "optional") ? "true" : "false"));
        }
    }
    const json& variables = elements(container, "env");
    if (variables.empty()) {
        out.field(level, "Environment", "<none>");
        return;
    }
    out.line(level, "Environment:");
    for (const json& variable : variables) {
        out.field(level + 1, textOf(variable, "name"), environmentValue(variable));
    }
}

std::string volumeKind(const json& volume, std::vector<std::pair<std::string, std::string>>& details) {
    const auto add = [&](const char* title, const json& object, const char* field) {
        details.emplace_back(title, orNone(scalarText(child(object, field))));
    };
    const auto optional = [&](const json& object) {
        details.emplace_back("Optional", flagOf(object, "optional") ? "true" : "false");
    };
    if (const json& v = child(volume, "configMap"); v.is_object()) {
        add("Name", v, "name");
        optional(v);
        return "ConfigMap (a volume populated by a ConfigMap)";
    }
    if (const json& v = child(volume, "secret"); v.is_object()) {
        add("SecretName", v, "secretName");
        optional(v);
        return "Secret (a volume populated by a Secret)";
    }
    if (const json& v = child(volume, "persistentVolumeClaim"); v.is_object()) {
        add("ClaimName", v, "claimName");
        details.emplace_back("ReadOnly", flagOf(v, "readOnly") ? "true" : "false");
        return "PersistentVolumeClaim (a reference to a PersistentVolumeClaim in the same namespace)";
    }
    if (const json& v = child(volume, "emptyDir"); v.is_object()) {
        details.emplace_back("Medium", textOf(v, "medium"));
        details.emplace_back("SizeLimit", orNone(scalarText(child(v, "sizeLimit"))));
        return "EmptyDir (a temporary directory that shares a pod's lifetime)";
    }
    if (const json& v = child(volume, "hostPath"); v.is_object()) {
        add("Path", v, "path");
        details.emplace_back("HostPathType", textOf(v, "type"));
        return "HostPath (bare host directory volume)";
    }
    if (const json& v = child(volume, "projected"); v.is_object()) {
        for (const json& source : elements(v, "sources")) {
            for (const auto& [field, title] :
                 {std::pair("configMap", "ConfigMapName"), std::pair("secret", "SecretName")}) {
                if (const json& part = child(source, field); part.is_object()) {
                    add(title, part, "name");
                    optional(part);
                }
            }
            if (const json& token = child(source, "serviceAccountToken"); token.is_object()) {
                add("TokenExpirationSeconds", token, "expirationSeconds");
            }
            if (child(source, "downwardAPI").is_object()) {
                details.emplace_back("DownwardAPI", "true");
            }
        }
        return "Projected (a volume that contains injected data from multiple sources)";
    }
    if (volume.is_object()) {
        for (const auto& [key, value] : volume.items()) {
            if (key != "name") {
                return key;
            }
        }
    }
    return "<unknown>";
}

} // namespace

std::string orNone(std::string text) { return text.empty() ? "<none>" : text; }

std::string joined(const std::vector<std::string>& texts, const char* separator) {
    std::string all;
    for (const std::string& text : texts) {
        all += (all.empty() ? "" : separator) + text;
    }
    return all;
}

std::vector<std::string> pairs(const json& map, const char* between) {
    std::vector<std::string> texts;
    if (map.is_object()) {
        for (const auto& [key, value] : map.items()) {
            texts.push_back(key + between + scalarText(value));
        }
    }
    return texts;
}

std::string selectorWords(const json& selector) {
    std::vector<std::string> terms = pairs(child(selector, "matchLabels"), "=");
    for (const json& expression : elements(selector, "matchExpressions")) {
        std::vector<std::string> values;
        for (const json& value : elements(expression, "values")) {
            values.push_back(scalarText(value));
        }
        const std::string key = textOf(expression, "key");
        const std::string op = textOf(expression, "operator");
        if (op == "Exists") {
            terms.push_back(key);
        } else if (op == "DoesNotExist") {
            terms.push_back("!" + key);
        } else {
            terms.push_back(key + (op == "NotIn" ? " notin (" : " in (") + joined(values, ",") + ")");
        }
    }
    return orNone(joined(terms, ","));
}

std::string controllerOf(const json& object) {
    for (const json& owner : elements(child(object, "metadata"), "ownerReferences")) {
        if (flagOf(owner, "controller")) {
            return textOf(owner, "kind") + "/" + textOf(owner, "name");
        }
    }
    return {};
}

void describeContainers(TextWriter& out, int level, const std::string& title, const json& spec, const char* list,
                        const json& statuses) {
    const json& containers = elements(spec, list);
    if (containers.empty()) {
        return;
    }
    out.line(level, title + ":");
    const int in = level + 2;
    for (const json& container : containers) {
        const std::string name = textOf(container, "name");
        out.line(level + 1, name + ":");
        const json* status = nullptr;
        if (statuses.is_array()) {
            for (const json& one : statuses) {
                status = textOf(one, "name") == name ? &one : status;
            }
        }
        if (status != nullptr) {
            out.field(in, "Container ID", textOf(*status, "containerID"));
        }
        out.field(in, "Image", textOf(container, "image"));
        if (status != nullptr) {
            out.field(in, "Image ID", textOf(*status, "imageID"));
        }
        out.field(in, "Port", portsOf(container, "containerPort"));
        out.field(in, "Host Port", portsOf(container, "hostPort"));
        words(out, in, "Command", elements(container, "command"));
        words(out, in, "Args", elements(container, "args"));
        if (status != nullptr) {
            stateLines(out, in, "State", child(*status, "state"));
            if (const json& last = child(*status, "lastState"); last.is_object() && !last.empty()) {
                stateLines(out, in, "Last State", last);
            }
            out.field(in, "Ready", flagOf(*status, "ready") ? "True" : "False");
            out.field(in, "Restart Count", std::to_string(integerOf(*status, "restartCount").value_or(0)));
        }
        for (const auto& [field, name2] : {std::pair("limits", "Limits"), std::pair("requests", "Requests")}) {
            const json& amounts = at(container, {"resources", field});
            if (amounts.is_object() && !amounts.empty()) {
                out.line(in, std::string(name2) + ":");
                for (const auto& [resource, amount] : amounts.items()) {
                    out.field(in + 1, resource, scalarText(amount));
                }
            }
        }
        for (const auto& [field, name2] :
             {std::pair("livenessProbe", "Liveness"), std::pair("readinessProbe", "Readiness"),
              std::pair("startupProbe", "Startup")}) {
            if (const json& probe = child(container, field); probe.is_object()) {
                out.field(in, name2, probeText(probe));
            }
        }
        environmentLines(out, in, container);
        const json& mounts = elements(container, "volumeMounts");
        if (mounts.empty()) {
            out.field(in, "Mounts", "<none>");
        } else {
            out.line(in, "Mounts:");
            for (const json& mount : mounts) {
                const std::string sub = textOf(mount, "subPath");
                out.line(in + 1, textOf(mount, "mountPath") + " from " + textOf(mount, "name") + " (" +
                                     (flagOf(mount, "readOnly") ? "ro" : "rw") +
                                     (sub.empty() ? "" : ",path=\"" + sub + "\"") + ")");
            }
        }
    }
}

void describeVolumes(TextWriter& out, int level, const json& spec) {
    const json& volumes = elements(spec, "volumes");
    if (volumes.empty()) {
        out.field(level, "Volumes", "<none>");
        return;
    }
    out.line(level, "Volumes:");
    for (const json& volume : volumes) {
        out.line(level + 1, textOf(volume, "name") + ":");
        std::vector<std::pair<std::string, std::string>> details;
        out.field(level + 2, "Type", volumeKind(volume, details));
        for (const auto& [title, value] : details) {
            out.field(level + 2, title, value);
        }
    }
}

void describePodTemplate(TextWriter& out, const json& podTemplate) {
    out.line(0, "Pod Template:");
    const json& meta = child(podTemplate, "metadata");
    const json& spec = child(podTemplate, "spec");
    out.list(1, "Labels", pairs(child(meta, "labels"), "="));
    if (const auto annotations = pairs(child(meta, "annotations"), ": "); !annotations.empty()) {
        out.list(1, "Annotations", annotations);
    }
    if (const std::string account = textOf(spec, "serviceAccountName"); !account.empty()) {
        out.field(1, "Service Account", account);
    }
    describeContainers(out, 1, "Init Containers", spec, "initContainers", json());
    describeContainers(out, 1, "Containers", spec, "containers", json());
    describeVolumes(out, 1, spec);
    if (const std::string priority = textOf(spec, "priorityClassName"); !priority.empty()) {
        out.field(1, "Priority Class Name", priority);
    }
    out.list(1, "Node-Selectors", pairs(child(spec, "nodeSelector"), "="));
}

void describeConditions(TextWriter& out, const json& status, bool withReason) {
    const json& conditions = elements(status, "conditions");
    if (conditions.empty()) {
        return;
    }
    std::vector<std::vector<std::string>> rows;
    for (const json& condition : conditions) {
        std::vector<std::string> row{textOf(condition, "type"), textOf(condition, "status")};
        if (withReason) {
            row.push_back(textOf(condition, "reason"));
            row.push_back(textOf(condition, "message"));
        }
        rows.push_back(std::move(row));
    }
    out.line(0, "Conditions:");
    out.table(1,
              withReason ? std::vector<std::string>{"Type", "Status", "Reason", "Message"}
                         : std::vector<std::string>{"Type", "Status"},
              rows);
}

} // namespace alidade::cluster
