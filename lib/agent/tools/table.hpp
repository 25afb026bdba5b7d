// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The one table of tools. A row says what a tool may do; the validator refuses a wrong row at compile time, and a
// CitableTool can be made of a read alone.
// Thread: any.
#include <array>

#include "alidade/guard/tool_table.hpp"

namespace alidade::agent::tools {

using guard::Effect;
using guard::Gate;
using guard::Surface;
using guard::ToolRow;

inline constexpr std::uint8_t readSurfaces = Surface::Run | Surface::Mcp;

inline constexpr std::array table{
    ToolRow{"list_resources", Effect::ClusterRead, Gate::None, readSurfaces, "Objects of one kind in one namespace."},
    ToolRow{"get_resource", Effect::ClusterRead, Gate::None, readSurfaces, "One object as the API gives it."},
    ToolRow{"get_logs", Effect::ClusterRead, Gate::None, readSurfaces,
            "The log of one container, of its present or its previous run."},
    ToolRow{"get_events", Effect::ClusterRead, Gate::None, readSurfaces, "Events of one namespace or one object."},
    ToolRow{"describe", Effect::ClusterRead, Gate::None, readSurfaces, "One object and its events as readable text."},
    ToolRow{"get_revisions", Effect::ClusterRead, Gate::None, readSurfaces,
            "The revisions of a workload, newest first, with their pod templates."},
    ToolRow{"get_relations", Effect::ClusterRead, Gate::None, readSurfaces,
            "What an object depends on and what depends on it."},
};
static_assert(guard::validToolTable(table));

/// The reads a gatherer cites.
inline constexpr guard::CitableTool listResources{table[0]};
inline constexpr guard::CitableTool getResource{table[1]};
inline constexpr guard::CitableTool getLogs{table[2]};
inline constexpr guard::CitableTool getEvents{table[3]};
inline constexpr guard::CitableTool describe{table[4]};
inline constexpr guard::CitableTool getRevisions{table[5]};
inline constexpr guard::CitableTool getRelations{table[6]};

} // namespace alidade::agent::tools
