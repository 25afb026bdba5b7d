// SPDX-License-Identifier: GPL-3.0-or-later
// kubectl's rows of configuration, storage, access and custom kinds.
#include "api/tables/table.hpp"

namespace alidade::simulator {

namespace {

std::int64_t count(const Json& value) {
    return value.is_object() || value.is_array() ? static_cast<std::int64_t>(value.size()) : 0;
}

std::string accessModes(const Json& modes) {
    std::string out;
    for (const auto& mode : items(modes)) {
        const auto word = str(mode);
        out += (out.empty() ? "" : ",") + std::string(word == "ReadWriteOnce"      ? "RWO"
                                                      : word == "ReadOnlyMany"     ? "ROX"
                                                      : word == "ReadWriteMany"    ? "RWX"
                                                      : word == "ReadWriteOncePod" ? "RWOP"
                                                                                   : word);
    }
    return out;
}

std::string subjects(const Json& binding, const std::string& kind) {
    std::string out;
    for (const auto& subject : items(at(binding, "subjects")))
        if (str(at(subject, "kind")) == kind)
            out += (out.empty() ? "" : ", ") + (kind == "ServiceAccount"
                                                    ? str(at(subject, "namespace")) + "/" + str(at(subject, "name"))
                                                    : str(at(subject, "name")));
    return out;
}

std::string usage(const Json& quota) {
    std::string out;
    for (const auto& [key, hard] : members(at(quota, {"status", "hard"}))) {
        const auto text = [](const Json& v) { return v.is_number() ? std::to_string(integer(v)) : str(v); };
        out += (out.empty() ? "" : ", ") + key + ": " + text(at(quota, {"status", "used", key})) + "/" + text(hard);
    }
    return out;
}

} // namespace

TableKind configTable(const KindDef& kind) {
    const auto& r = kind.resource;
    if (r == "configmaps")
        return {{{"Name"}, {"Data", "integer"}, {"Age"}}, [](const Entry& e, WallTime now) -> Json {
                    return {e.name(), count(at(e.doc(), "data")) + count(at(e.doc(), "binaryData")), age(e, now)};
                }};
    if (r == "secrets")
        return {{{"Name"}, {"Type"}, {"Data", "integer"}, {"Age"}}, [](const Entry& e, WallTime now) -> Json {
                    return {e.name(), str(at(e.doc(), "type")), count(at(e.doc(), "data")), age(e, now)};
                }};
    if (r == "namespaces")
        return {{{"Name"}, {"Status"}, {"Age"}}, [](const Entry& e, WallTime now) -> Json {
                    return {e.name(), str(e.doc(), {"status", "phase"}), age(e, now)};
                }};
    if (r == "serviceaccounts")
        return {{{"Name"}, {"Secrets"}, {"Age"}}, [](const Entry& e, WallTime now) -> Json {
                    return {e.name(), count(at(e.doc(), "secrets")), age(e, now)};
                }};
    if (r == "persistentvolumeclaims")
        return {{{"Name"},
                 {"Status"},
                 {"Volume"},
                 {"Capacity"},
                 {"Access Modes"},
                 {"StorageClass"},
                 {"VolumeAttributesClass"},
                 {"Age"},
                 {"VolumeMode", "string", 1}},
                [](const Entry& e, WallTime now) -> Json {
                    const Json& d = e.doc();
                    const bool bound = !str(d, {"spec", "volumeName"}).empty();
                    return {e.name(),
                            e.deleting() ? "Terminating" : str(d, {"status", "phase"}),
                            str(d, {"spec", "volumeName"}),
                            bound ? str(d, {"status", "capacity", "storage"}) : "",
                            bound ? accessModes(at(d, {"status", "accessModes"})) : "",
                            str(d, {"spec", "storageClassName"}),
                            "<unset>",
                            age(e, now),
                            str(d, {"spec", "volumeMode"})};
                }};
    if (r == "persistentvolumes")
        return {{{"Name"},
                 {"Capacity"},
                 {"Access Modes"},
                 {"Reclaim Policy"},
                 {"Status"},
                 {"Claim"},
                 {"StorageClass"},
                 {"VolumeAttributesClass"},
                 {"Reason"},
                 {"Age"},
                 {"VolumeMode", "string", 1}},
                [](const Entry& e, WallTime now) -> Json {
                    const Json& d = e.doc();
                    const Json& claim = at(d, {"spec", "claimRef"});
                    return {e.name(),
                            str(d, {"spec", "capacity", "storage"}),
                            accessModes(at(d, {"spec", "accessModes"})),
                            str(d, {"spec", "persistentVolumeReclaimPolicy"}),
                            e.deleting() ? "Terminating" : str(d, {"status", "phase"}),
                            claim.is_object() ? str(at(claim, "namespace")) + "/" + str(at(claim, "name")) : "",
                            str(d, {"spec", "storageClassName"}),
                            "<unset>",
                            str(d, {"status", "reason"}),
                            age(e, now),
                            str(d, {"spec", "volumeMode"})};
                }};
    if (r == "storageclasses")
        return {
            {{"Name"}, {"Provisioner"}, {"ReclaimPolicy"}, {"VolumeBindingMode"}, {"AllowVolumeExpansion"}, {"Age"}},
            [](const Entry& e, WallTime now) -> Json {
                const Json& d = e.doc();
                const bool isDefault =
                    str(d, {"metadata", "annotations", "storageclass.kubernetes.io/is-default-class"}) == "true";
                return {e.name() + (isDefault ? " (default)" : ""),
                        str(at(d, "provisioner")),
                        str(at(d, "reclaimPolicy")),
                        str(at(d, "volumeBindingMode")),
                        boolean(at(d, "allowVolumeExpansion")),
                        age(e, now)};
            }};
    if (r == "resourcequotas")
        return {{{"Name"}, {"Request"}, {"Limit"}, {"Age"}}, [](const Entry& e, WallTime now) -> Json {
                    return {e.name(), usage(e.doc()), "", age(e, now)};
                }};
    if (r == "limitranges" || r == "roles" || r == "clusterroles" || r == "customresourcedefinitions")
        return {{{"Name"}, {"Created At", "date"}}, [](const Entry& e, WallTime) -> Json {
                    return {e.name(), str(e.doc(), {"metadata", "creationTimestamp"})};
                }};
    if (r == "rolebindings" || r == "clusterrolebindings")
        return {{{"Name"},
                 {"Role"},
                 {"Age"},
                 {"Users", "string", 1},
                 {"Groups", "string", 1},
                 {"ServiceAccounts", "string", 1}},
                [](const Entry& e, WallTime now) -> Json {
                    const Json& d = e.doc();
                    return {e.name(),
                            str(d, {"roleRef", "kind"}) + "/" + str(d, {"roleRef", "name"}),
                            age(e, now),
                            subjects(d, "User"),
                            subjects(d, "Group"),
                            subjects(d, "ServiceAccount")};
                }};
    if (r == "leases")
        return {{{"Name"}, {"Holder"}, {"Age"}}, [](const Entry& e, WallTime now) -> Json {
                    return {e.name(), str(e.doc(), {"spec", "holderIdentity"}), age(e, now)};
                }};
    if (r == "priorityclasses")
        return {{{"Name"}, {"Value", "integer"}, {"Global-Default", "boolean"}, {"Age"}, {"PreemptionPolicy"}},
                [](const Entry& e, WallTime now) -> Json {
                    const Json& d = e.doc();
                    return {e.name(), integer(at(d, "value")), boolean(at(d, "globalDefault")), age(e, now),
                            str(at(d, "preemptionPolicy"), "PreemptLowerPriority")};
                }};
    return {};
}

/// additionalPrinterColumns of the CustomResourceDefinition, where there is one; else name and age.
TableKind customTable(const World& world, const KindDef& kind) {
    struct Extra {
        std::vector<std::string> path;
        bool date = false;
    };
    std::vector<ColumnDef> columns{{"Name"}};
    std::vector<Extra> extras;
    if (const auto crd = world.find(world.kind("customresourcedefinitions"), "", kind.resource + "." + kind.group)) {
        for (const auto& version : items(at(crd->doc(), {"spec", "versions"}))) {
            if (str(at(version, "name")) != kind.version)
                continue;
            for (const auto& column : items(at(version, "additionalPrinterColumns"))) {
                Extra extra;
                std::string part;
                for (const char c : str(at(column, "jsonPath")) + ".") {
                    if (c != '.')
                        part += c;
                    else if (!part.empty())
                        extra.path.push_back(std::exchange(part, {}));
                }
                extra.date = str(at(column, "type")) == "date";
                columns.push_back({str(at(column, "name")), extra.date ? "string" : str(at(column, "type")),
                                   static_cast<int>(integer(at(column, "priority"))), ""});
                extras.push_back(std::move(extra));
            }
        }
    }
    if (extras.empty()) {
        columns.push_back({"Age"});
        extras.push_back({{"metadata", "creationTimestamp"}, true});
    }
    return {columns, [extras](const Entry& e, WallTime now) -> Json {
                Json cells = Json::array({e.name()});
                for (const auto& extra : extras) {
                    const Json* here = &e.doc();
                    for (const auto& key : extra.path)
                        here = &at(*here, key);
                    cells.push_back(extra.date ? Json(since(*here, now)) : *here);
                }
                return cells;
            }};
}

} // namespace alidade::simulator
