// SPDX-License-Identifier: GPL-3.0-or-later
// expect-error: constant expression[^@]*a cluster write on an MCP surface
// Promise 2: no write is on an MCP surface.
#include "alidade/guard/tool_table.hpp"
using namespace alidade::guard;

#ifdef ALIDADE_VIOLATION
constexpr std::array rows{ToolRow{"scale", Effect::ClusterWrite, Gate::Human, Surface::Run | Surface::Mcp, "writes"}};
#else
constexpr std::array rows{
    ToolRow{"scale", Effect::ClusterWrite, Gate::Human, static_cast<std::uint8_t>(Surface::Run), "writes"}};
#endif
static_assert(validToolTable(rows));
