// SPDX-License-Identifier: GPL-3.0-or-later
// Deployments, ReplicaSets, Services, EndpointSlices (v1 and v1beta1), ConfigMaps.
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

struct Replicas {
    std::int64_t desired = 1; // the API's default where spec.replicas is absent
    std::int64_t current = 0;
    std::int64_t updated = 0;
    std::int64_t ready = 0;
    std::int64_t available = 0;
    std::int64_t observedGeneration = 0;
    bool paused = false;
    Template pods;
    std::string selector;
    Conditions conditions;
};

void workload(json::Reader& in, ondemand::object object, RowBuilder& row, Meta& meta, Replicas& out) {
    in.fields(object, [&](const auto& key, ondemand::value& value) {
        if (json::is(key, "metadata")) {
            metadata(in, value, row, meta);
        } else if (json::is(key, "spec")) {
            in.fields(value, [&](const auto& part, ondemand::value& field) {
                if (json::is(part, "replicas")) {
                    out.desired = in.integer(field, 1);
                } else if (json::is(part, "paused")) {
                    out.paused = in.boolean(field);
                } else if (json::is(part, "selector")) {
                    labelSelector(in, field, out.selector);
                } else if (json::is(part, "template")) {
                    podTemplate(in, field, out.pods);
                }
            });
        } else if (json::is(key, "status")) {
            in.fields(value, [&](const auto& part, ondemand::value& field) {
                if (json::is(part, "replicas")) {
                    out.current = in.integer(field);
                } else if (json::is(part, "updatedReplicas")) {
                    out.updated = in.integer(field);
                } else if (json::is(part, "readyReplicas")) {
                    out.ready = in.integer(field);
                } else if (json::is(part, "availableReplicas")) {
                    out.available = in.integer(field);
                } else if (json::is(part, "observedGeneration")) {
                    out.observedGeneration = in.integer(field);
                } else if (json::is(part, "conditions")) {
                    conditions(in, field, out.conditions);
                }
            });
        }
    });
}

void wideCells(RowBuilder& row, const Replicas& replicas) {
    textOr(row, replicas.pods.containers, "<none>");
    textOr(row, replicas.pods.images, "<none>");
    textOr(row, replicas.selector, "<none>");
}

bool failing(RowBuilder& row, const Conditions& conditions) {
    if (const Condition* const fault = find(conditions, "ReplicaFailure"); fault != nullptr && fault->status == "True") {
        trouble(row, Health::Bad, fault->reason, fault->message);
        return true;
    }
    return false;
}

} // namespace

std::vector<Column> deploymentColumns() {
    return {{"NAME", ColumnType::Text, false, "Name of the deployment"},
            {"READY", ColumnType::Text, false, "Pods that are ready, of those desired"},
            {"UP-TO-DATE", ColumnType::Number, false, "Pods of the current template"},
            {"AVAILABLE", ColumnType::Number, false, "Pods that have been ready for long enough"},
            {"AGE", ColumnType::Age, false, "Time since it was created"},
            {"CONTAINERS", ColumnType::Text, true, "Containers of its template"},
            {"IMAGES", ColumnType::Text, true, "Images of its template"},
            {"SELECTOR", ColumnType::Text, true, "Labels of its pods"}};
}

void deployment(json::Reader& in, ondemand::object object, RowBuilder& row, Meta& meta) {
    Replicas replicas;
    workload(in, object, row, meta, replicas);
    row.nameCell();
    row.cell(std::to_string(replicas.ready) + "/" + std::to_string(replicas.desired),
             replicas.desired == 0 ? 1 : static_cast<double>(replicas.ready) / static_cast<double>(replicas.desired));
    row.numberCell(replicas.updated).numberCell(replicas.available).ageCell(row.created());
    wideCells(row, replicas);

    const Condition* const progressing = find(replicas.conditions, "Progressing");
    const Condition* const available = find(replicas.conditions, "Available");
    const bool rolling = meta.generation > replicas.observedGeneration || replicas.updated < replicas.desired ||
                         replicas.current > replicas.updated;
    if (progressing != nullptr && progressing->status == "False" && progressing->reason != "DeploymentPaused") {
        trouble(row, Health::Bad, progressing->reason, progressing->message);
    } else if (failing(row, replicas.conditions)) {
    } else if (available != nullptr && available->status == "False" && !rolling) {
        trouble(row, Health::Warning, available->reason, available->message);
    } else if (rolling || replicas.available < replicas.desired || row.deleting()) {
        row.health(Health::Progressing);
    } else {
        row.health(Health::Ok);
    }
}

std::vector<Column> replicaSetColumns() {
    return {{"NAME", ColumnType::Text, false, "Name of the replica set"},
            {"DESIRED", ColumnType::Number, false, "Pods wanted"},
            {"CURRENT", ColumnType::Number, false, "Pods there are"},
            {"READY", ColumnType::Number, false, "Pods that are ready"},
            {"AGE", ColumnType::Age, false, "Time since it was created"},
            {"CONTAINERS", ColumnType::Text, true, "Containers of its template"},
            {"IMAGES", ColumnType::Text, true, "Images of its template"},
            {"SELECTOR", ColumnType::Text, true, "Labels of its pods"}};
}

void replicaSet(json::Reader& in, ondemand::object object, RowBuilder& row, Meta& meta) {
    Replicas replicas;
    workload(in, object, row, meta, replicas);
    row.nameCell().numberCell(replicas.desired).numberCell(replicas.current).numberCell(replicas.ready);
    row.ageCell(row.created());
    wideCells(row, replicas);
    if (failing(row, replicas.conditions)) {
        return;
    }
    row.health(replicas.ready < replicas.desired || row.deleting() ? Health::Progressing : Health::Ok);
}

std::vector<Column> serviceColumns() {
    return {{"NAME", ColumnType::Text, false, "Name of the service"},
            {"TYPE", ColumnType::Text, false, "How it is exposed"},
            {"CLUSTER-IP", ColumnType::Text, false, "Its address inside the cluster"},
            {"EXTERNAL-IP", ColumnType::Text, false, "Its addresses outside"},
            {"PORT(S)", ColumnType::Text, false, "Ports, node ports, protocols"},
            {"AGE", ColumnType::Age, false, "Time since it was created"},
            {"SELECTOR", ColumnType::Text, true, "Labels of its pods"}};
}

void service(json::Reader& in, ondemand::object object, RowBuilder& row, Meta& meta) {
    std::string_view type, clusterIp, firstClusterIp, externalName;
    std::string external, ports, selector;
    std::vector<std::string_view> ingress;
    const auto join = [](std::string& list, std::string_view item) { list.append(list.empty() ? "" : ",").append(item); };
    in.fields(object, [&](const auto& key, ondemand::value& value) {
        if (json::is(key, "metadata")) {
            metadata(in, value, row, meta);
        } else if (json::is(key, "spec")) {
            in.fields(value, [&](const auto& part, ondemand::value& field) {
                if (json::is(part, "type")) {
                    type = in.text(field);
                } else if (json::is(part, "clusterIP")) {
                    clusterIp = in.text(field);
                } else if (json::is(part, "clusterIPs")) {
                    in.items(field, [&](ondemand::value& item) {
                        if (firstClusterIp.empty()) {
                            firstClusterIp = in.text(item);
                        }
                    });
                } else if (json::is(part, "externalName")) {
                    externalName = in.text(field);
                } else if (json::is(part, "externalIPs")) {
                    in.items(field, [&](ondemand::value& item) { join(external, in.text(item)); });
                } else if (json::is(part, "selector")) {
                    labelMap(in, field, selector);
                } else if (json::is(part, "ports")) {
                    in.items(field, [&](ondemand::value& item) {
                        std::int64_t port = 0;
                        std::int64_t nodePort = 0;
                        std::string_view protocol = "TCP";
                        in.fields(item, [&](const auto& name, ondemand::value& text) {
                            if (json::is(name, "port")) {
                                port = in.integer(text);
                            } else if (json::is(name, "nodePort")) {
                                nodePort = in.integer(text);
                            } else if (json::is(name, "protocol")) {
                                protocol = in.text(text);
                            }
                        });
                        std::string piece = std::to_string(port);
                        if (nodePort > 0) {
                            piece.append(":").append(std::to_string(nodePort));
                        }
                        join(ports, piece.append("/").append(protocol));
                    });
                }
            });
        } else if (json::is(key, "status")) {
            in.fields(value, [&](const auto& part, ondemand::value& balancer) {
                if (!json::is(part, "loadBalancer")) {
                    return;
                }
                in.fields(balancer, [&](const auto& name, ondemand::value& list) {
                    if (!json::is(name, "ingress")) {
                        return;
                    }
                    in.items(list, [&](ondemand::value& item) {
                        std::string_view ip, host;
                        in.fields(item, [&](const auto& field, ondemand::value& text) {
                            if (json::is(field, "ip")) {
                                ip = in.text(text);
                            } else if (json::is(field, "hostname")) {
                                host = in.text(text);
                            }
                        });
                        if (const std::string_view shown = ip.empty() ? host : ip; !shown.empty()) {
                            ingress.push_back(shown);
                        }
                    });
                });
            });
        }
    });

    row.nameCell();
    textOr(row, type, "<none>");
    textOr(row, firstClusterIp.empty() ? clusterIp : firstClusterIp, "<none>");
    bool pending = false;
    if (type == "LoadBalancer") {
        std::sort(ingress.begin(), ingress.end());
        ingress.erase(std::unique(ingress.begin(), ingress.end()), ingress.end());
        std::string shown;
        for (const std::string_view address : ingress) join(shown, address);
        if (!external.empty()) {
            join(shown, external);
        }
        pending = shown.empty();
        textOr(row, shown, "<pending>");
    } else if (type == "ExternalName") {
        row.cell(externalName);
    } else if (type == "ClusterIP" || type == "NodePort") {
        textOr(row, external, "<none>");
    } else {
        row.fixedCell("<unknown>");
    }
    textOr(row, ports, "<none>");
    row.ageCell(row.created());
    textOr(row, selector, "<none>");
    row.health(pending || row.deleting() ? Health::Progressing : Health::Ok);
}

std::vector<Column> endpointSliceColumns() {
    return {{"NAME", ColumnType::Text, false, "Name of the endpoint slice"},
            {"ADDRESSTYPE", ColumnType::Text, false, "IPv4, IPv6 or FQDN"},
            {"PORTS", ColumnType::Text, false, "Ports of its endpoints"},
            {"ENDPOINTS", ColumnType::Text, false, "Addresses of its endpoints"},
            {"AGE", ColumnType::Age, false, "Time since it was created"}};
}

namespace {

/// The first three, and how many more there are.
struct FirstThree {
    std::string shown;
    std::size_t count = 0;
    void add(std::string_view item) {
        if (count++ < 3) {
            shown.append(shown.empty() ? "" : ",").append(item);
        }
    }
    [[nodiscard]] std::string text() const {
        if (count > 3) {
            return shown + " + " + std::to_string(count - 3) + " more...";
        }
        return shown.empty() ? "<unset>" : shown;
    }
};

} // namespace

void endpointSlice(json::Reader& in, ondemand::object object, RowBuilder& row, Meta& meta) {
    std::string_view addressType;
    FirstThree ports, endpoints;
    in.fields(object, [&](const auto& key, ondemand::value& value) {
        if (json::is(key, "metadata")) {
            metadata(in, value, row, meta);
        } else if (json::is(key, "addressType")) {
            addressType = in.text(value);
        } else if (json::is(key, "ports")) {
            in.items(value, [&](ondemand::value& item) {
                std::string_view name;
                std::int64_t port = -1;
                in.fields(item, [&](const auto& part, ondemand::value& field) {
                    if (json::is(part, "port")) {
                        port = in.integer(field, -1);
                    } else if (json::is(part, "name")) {
                        name = in.text(field);
                    }
                });
                ports.add(port >= 0 ? std::to_string(port) : name.empty() ? std::string("*") : std::string(name));
            });
        } else if (json::is(key, "endpoints")) {
            in.items(value, [&](ondemand::value& item) {
                in.fields(item, [&](const auto& part, ondemand::value& addresses) {
                    if (json::is(part, "addresses")) {
                        in.items(addresses, [&](ondemand::value& address) { endpoints.add(in.text(address)); });
                    }
                });
            });
        }
    });
    row.nameCell().cell(addressType).cell(ports.text()).cell(endpoints.text()).ageCell(row.created());
    row.health(row.deleting() ? Health::Progressing : Health::Ok);
}

std::vector<Column> configMapColumns() {
    return {{"NAME", ColumnType::Text, false, "Name of the config map"},
            {"DATA", ColumnType::Number, false, "How many entries it has"},
            {"AGE", ColumnType::Age, false, "Time since it was created"}};
}

void configMap(json::Reader& in, ondemand::object object, RowBuilder& row, Meta& meta) {
    std::int64_t entries = 0;
    in.fields(object, [&](const auto& key, ondemand::value& value) {
        if (json::is(key, "metadata")) {
            metadata(in, value, row, meta);
        } else if (json::is(key, "data") || json::is(key, "binaryData")) {
            in.fields(value, [&](const auto&, ondemand::value&) { ++entries; });
        }
    });
    row.nameCell().numberCell(entries).ageCell(row.created());
    row.health(row.deleting() ? Health::Progressing : Health::Ok);
}

} // namespace alidade::cluster::decode
