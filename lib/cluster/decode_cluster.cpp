// SPDX-License-Identifier: GPL-3.0-or-later
// Nodes, Namespaces, Events (core and events.k8s.io).
#include <algorithm>

#include "decode_kinds.hpp"

namespace alidade::cluster::decode {
namespace {

void textOr(RowBuilder& row, std::string_view text, std::string_view otherwise) {
    if (text.empty()) {
        row.fixedCell(otherwise);
    } else {
        row.cell(text);
    }
}

std::string roles(const RowBuilder& row) {
    constexpr std::string_view prefix = "node-role.kubernetes.io/";
    std::vector<std::string_view> found;
    row.eachLabel([&](std::string_view key, std::string_view value) {
        if (key.starts_with(prefix) && key.size() > prefix.size()) {
            found.push_back(key.substr(prefix.size()));
        } else if (key == "kubernetes.io/role" && !value.empty()) {
            found.push_back(value);
        }
    });
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    std::string text;
    for (const std::string_view role : found) text.append(text.empty() ? "" : ",").append(role);
    return text.empty() ? "<none>" : text;
}

void judgeNode(RowBuilder& row, const Conditions& conditions, bool unschedulable) {
    const Condition* const ready = find(conditions, "Ready");
    if (ready == nullptr) {
        trouble(row, Health::Unknown, "Unknown");
        return;
    }
    if (ready->status != "True") {
        trouble(row, Health::Bad, ready->reason.empty() ? "NotReady" : ready->reason, ready->message);
        return;
    }
    for (const Condition& condition : conditions) { // every condition but Ready is bad when it is true
        if (&condition != ready && condition.status == "True") {
            trouble(row, Health::Warning, condition.type, condition.message);
            return;
        }
    }
    if (unschedulable) {
        trouble(row, Health::Warning, "SchedulingDisabled");
        return;
    }
    row.health(Health::Ok);
}

} // namespace

std::vector<Column> nodeColumns() {
    return {{"NAME", ColumnType::Text, false, "Name of the node"},
            {"STATUS", ColumnType::Text, false, "Ready or not, and whether it takes new pods"},
            {"ROLES", ColumnType::Text, false, "What it is for"},
            {"AGE", ColumnType::Age, false, "Time since it was created"},
            {"VERSION", ColumnType::Text, false, "Version of its kubelet"},
            {"INTERNAL-IP", ColumnType::Text, true, "Its address inside"},
            {"EXTERNAL-IP", ColumnType::Text, true, "Its address outside"},
            {"OS-IMAGE", ColumnType::Text, true, "Its operating system"},
            {"KERNEL-VERSION", ColumnType::Text, true, "Its kernel"},
            {"CONTAINER-RUNTIME", ColumnType::Text, true, "Its container runtime"}};
}

void node(json::Reader& in, ondemand::object object, RowBuilder& row, Meta& meta) {
    Conditions found;
    bool unschedulable = false;
    std::string_view version, image, kernel, runtime, internal, external;
    in.fields(object, [&](const auto& key, ondemand::value& value) {
        if (json::is(key, "metadata")) {
            metadata(in, value, row, meta);
        } else if (json::is(key, "spec")) {
            in.fields(value, [&](const auto& part, ondemand::value& field) {
                if (json::is(part, "unschedulable")) {
                    unschedulable = in.boolean(field);
                }
            });
        } else if (json::is(key, "status")) {
            in.fields(value, [&](const auto& part, ondemand::value& field) {
                if (json::is(part, "conditions")) {
                    conditions(in, field, found);
                } else if (json::is(part, "nodeInfo")) {
                    in.fields(field, [&](const auto& name, ondemand::value& text) {
                        if (json::is(name, "kubeletVersion")) {
                            version = in.text(text);
                        } else if (json::is(name, "osImage")) {
                            image = in.text(text);
                        } else if (json::is(name, "kernelVersion")) {
                            kernel = in.text(text);
                        } else if (json::is(name, "containerRuntimeVersion")) {
                            runtime = in.text(text);
                        }
                    });
                } else if (json::is(part, "addresses")) {
                    in.items(field, [&](ondemand::value& item) {
                        std::string_view type, address;
                        in.fields(item, [&](const auto& name, ondemand::value& text) {
                            if (json::is(name, "type")) {
                                type = in.text(text);
                            } else if (json::is(name, "address")) {
                                address = in.text(text);
                            }
                        });
                        if (type == "InternalIP" && internal.empty()) {
                            internal = address;
                        } else if (type == "ExternalIP" && external.empty()) {
                            external = address;
                        }
                    });
                }
            });
        }
    });
    const Condition* const ready = find(found, "Ready");
    std::string status = ready == nullptr ? "Unknown" : ready->status == "True" ? "Ready" : "NotReady";
    if (unschedulable) {
        status += ",SchedulingDisabled";
    }
    row.nameCell().cell(status).cell(roles(row)).ageCell(row.created()).cell(version);
    textOr(row, internal, "<none>");
    textOr(row, external, "<none>");
    textOr(row, image, "<unknown>");
    textOr(row, kernel, "<unknown>");
    textOr(row, runtime, "<unknown>");
    judgeNode(row, found, unschedulable);
}

std::vector<Column> namespaceColumns() {
    return {{"NAME", ColumnType::Text, false, "Name of the namespace"},
            {"STATUS", ColumnType::Text, false, "Active, or on its way out"},
            {"AGE", ColumnType::Age, false, "Time since it was created"}};
}

void namespaceObject(json::Reader& in, ondemand::object object, RowBuilder& row, Meta& meta) {
    std::string_view phase;
    Conditions found;
    in.fields(object, [&](const auto& key, ondemand::value& value) {
        if (json::is(key, "metadata")) {
            metadata(in, value, row, meta);
        } else if (json::is(key, "status")) {
            in.fields(value, [&](const auto& part, ondemand::value& field) {
                if (json::is(part, "phase")) {
                    phase = in.text(field);
                } else if (json::is(part, "conditions")) {
                    conditions(in, field, found);
                }
            });
        }
    });
    row.nameCell().cell(phase).ageCell(row.created());
    row.health(phase == "Active" ? Health::Ok : phase == "Terminating" ? Health::Progressing : Health::Unknown);
    for (const Condition& condition : found) { // what holds up a deletion
        if (condition.status == "True") {
            trouble(row, Health::Warning, condition.reason, condition.message);
            break;
        }
    }
}

std::vector<Column> eventColumns() {
    return {{"LAST SEEN", ColumnType::Age, false, "When it was last seen"},
            {"TYPE", ColumnType::Text, false, "Normal or Warning"},
            {"REASON", ColumnType::Text, false, "Why it was written, in one word"},
            {"OBJECT", ColumnType::Text, false, "What it is about"},
            {"SUBOBJECT", ColumnType::Text, true, "Which part of that object"},
            {"SOURCE", ColumnType::Text, true, "Who wrote it"},
            {"MESSAGE", ColumnType::Text, false, "What happened"},
            {"FIRST SEEN", ColumnType::Age, true, "When it was first seen"},
            {"COUNT", ColumnType::Number, true, "How often it was seen"},
            {"NAME", ColumnType::Text, true, "Name of the event"}};
}

void event(json::Reader& in, ondemand::object object, RowBuilder& row, Meta& meta) {
    std::string_view type, reason, message, kind, name, fieldPath, component, host, controller, instance;
    std::int64_t first = 0;
    std::int64_t last = 0;
    std::int64_t eventTime = 0;
    std::int64_t seriesLast = 0;
    std::int64_t count = 0;
    std::int64_t seriesCount = 0;
    bool series = false;
    in.fields(object, [&](const auto& key, ondemand::value& value) {
        if (json::is(key, "metadata")) {
            metadata(in, value, row, meta);
        } else if (json::is(key, "type")) {
            type = in.text(value);
        } else if (json::is(key, "reason")) {
            reason = in.text(value);
        } else if (json::is(key, "message") || json::is(key, "note")) {
            message = in.text(value);
        } else if (json::is(key, "firstTimestamp") || json::is(key, "deprecatedFirstTimestamp")) {
            first = timeNs(in.text(value));
        } else if (json::is(key, "lastTimestamp") || json::is(key, "deprecatedLastTimestamp")) {
            last = timeNs(in.text(value));
        } else if (json::is(key, "eventTime")) {
            eventTime = timeNs(in.text(value));
        } else if (json::is(key, "count") || json::is(key, "deprecatedCount")) {
            count = in.integer(value);
        } else if (json::is(key, "series") && !in.isNull(value)) {
            series = true;
            in.fields(value, [&](const auto& part, ondemand::value& field) {
                if (json::is(part, "count")) {
                    seriesCount = in.integer(field);
                } else if (json::is(part, "lastObservedTime")) {
                    seriesLast = timeNs(in.text(field));
                }
            });
        } else if (json::is(key, "involvedObject") || json::is(key, "regarding")) {
            in.fields(value, [&](const auto& part, ondemand::value& field) {
                if (json::is(part, "kind")) {
                    kind = in.text(field);
                } else if (json::is(part, "name")) {
                    name = in.text(field);
                } else if (json::is(part, "fieldPath")) {
                    fieldPath = in.text(field);
                }
            });
        } else if (json::is(key, "source") || json::is(key, "deprecatedSource")) {
            in.fields(value, [&](const auto& part, ondemand::value& field) {
                if (json::is(part, "component")) {
                    component = in.text(field);
                } else if (json::is(part, "host")) {
                    host = in.text(field);
                }
            });
        } else if (json::is(key, "reportingComponent") || json::is(key, "reportingController")) {
            controller = in.text(value);
        } else if (json::is(key, "reportingInstance")) {
            instance = in.text(value);
        }
    });
    if (first == 0) {
        first = eventTime;
    }
    if (last == 0) {
        last = first;
    }
    if (series) {
        last = seriesLast;
        count = seriesCount;
    } else if (count == 0) {
        count = 1;
    }
    std::string target(kind);
    std::transform(target.begin(), target.end(), target.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    if (!name.empty()) {
        target.append("/").append(name);
    }
    std::string source(component.empty() ? controller : component);
    if (const std::string_view where = host.empty() ? instance : host; !where.empty()) {
        source.append(", ").append(where);
    }
    while (!message.empty() && static_cast<unsigned char>(message.back()) <= ' ') message.remove_suffix(1);
    while (!message.empty() && static_cast<unsigned char>(message.front()) <= ' ') message.remove_prefix(1);

    row.ageCell(last).cell(type).cell(reason).cell(target).cell(fieldPath).cell(source).cell(message);
    row.ageCell(first).numberCell(count).nameCell();
    if (type == "Warning") {
        trouble(row, Health::Warning, reason);
    } else {
        row.health(Health::Ok);
    }
}

} // namespace alidade::cluster::decode
