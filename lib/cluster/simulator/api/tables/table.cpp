// SPDX-License-Identifier: GPL-3.0-or-later
#include "api/tables/table.hpp"

#include "alidade/cluster_model/rows.hpp"
#include "world/selectors.hpp"

namespace alidade::simulator {

std::string since(const Json& timestamp, WallTime now) {
    const auto time = guard::parseRfc3339(str(timestamp));
    return time ? cluster::ageText(time->time_since_epoch().count(), now) : "<unknown>";
}

std::string age(const Entry& entry, WallTime now) {
    return since(at(entry.doc(), {"metadata", "creationTimestamp"}), now);
}
std::string orNone(const std::string& text) { return text.empty() ? "<none>" : text; }

std::string labelText(const Json& labels) {
    std::string out;
    for (const auto& [key, value] : members(labels))
        out += (out.empty() ? "" : ",") + key + "=" + str(value);
    return orNone(out);
}

namespace {
std::string joined(const Json& podSpec, const char* field) {
    std::string out;
    for (const auto& container : items(at(podSpec, "containers")))
        out += (out.empty() ? "" : ",") + str(at(container, field));
    return out;
}
} // namespace

std::string containerNames(const Json& podSpec) { return joined(podSpec, "name"); }
std::string containerImages(const Json& podSpec) { return joined(podSpec, "image"); }
std::string selectorText(const Json& selector) { return orNone(LabelSelector::fromJson(selector).text()); }

Json columnJson(const std::vector<ColumnDef>& columns) {
    Json out = Json::array();
    for (const auto& column : columns)
        out.push_back({{"name", column.name},
                       {"type", column.type},
                       {"format", column.name == "Name" ? "name" : column.format},
                       {"description", column.name},
                       {"priority", column.priority}});
    return out;
}

TableKind tableFor(const World& world, const KindDef& kind) {
    if (!kind.custom) {
        if (kind.group.empty() && kind.resource == "pods")
            return podTable();
        if (kind.group.empty() && kind.resource == "nodes")
            return nodeTable();
        if (kind.group.empty() && kind.resource == "events")
            return eventTable();
        for (auto* family : {&workloadTable, &networkTable, &configTable})
            if (auto table = (*family)(kind); table.cells)
                return table;
    }
    return customTable(world, kind);
}

} // namespace alidade::simulator
