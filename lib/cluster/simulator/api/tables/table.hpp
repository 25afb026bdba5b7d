// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Server-side tables: kubectl's columns and words for every kind served.
#include <functional>
#include <string>
#include <vector>

#include "world/world.hpp"

namespace alidade::simulator {

struct ColumnDef {
    std::string name;
    std::string type = "string";
    int priority = 0;
    std::string format = {};
};
struct TableKind {
    std::vector<ColumnDef> columns;
    std::function<Json(const Entry&, WallTime now)> cells; ///< an array, as long as the columns
};

class World;
[[nodiscard]] TableKind tableFor(const World& world, const KindDef& kind);
[[nodiscard]] Json columnJson(const std::vector<ColumnDef>& columns);

// Families; an empty table means "not mine".
[[nodiscard]] TableKind workloadTable(const KindDef& kind);
[[nodiscard]] TableKind podTable();
[[nodiscard]] TableKind nodeTable();
[[nodiscard]] TableKind eventTable();
[[nodiscard]] TableKind networkTable(const KindDef& kind);
[[nodiscard]] TableKind configTable(const KindDef& kind);
[[nodiscard]] TableKind customTable(const World& world, const KindDef& kind);

// Words shared by the printers.
[[nodiscard]] std::string since(const Json& timestamp, WallTime now);
[[nodiscard]] std::string age(const Entry& entry, WallTime now);
[[nodiscard]] std::string orNone(const std::string& text);
[[nodiscard]] std::string labelText(const Json& labels); ///< "a=b,c=d" or "<none>"
[[nodiscard]] std::string containerNames(const Json& podSpec);
[[nodiscard]] std::string containerImages(const Json& podSpec);
[[nodiscard]] std::string selectorText(const Json& selector); ///< of a LabelSelector

} // namespace alidade::simulator
