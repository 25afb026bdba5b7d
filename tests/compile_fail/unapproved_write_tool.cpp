// SPDX-License-Identifier: GPL-3.0-or-later
// expect-error: constant expression[^@]*a cluster write without the human gate
// Promise 2: a tool that writes has the human gate.
#include "alidade/guard/tool_table.hpp"
using namespace alidade::guard;

constexpr std::array rows{
    ToolRow{"get_pod", Effect::ClusterRead, Gate::None, static_cast<std::uint8_t>(Surface::Run), "reads"},
#ifdef ALIDADE_VIOLATION
    ToolRow{"scale", Effect::ClusterWrite, Gate::None, static_cast<std::uint8_t>(Surface::Run), "writes"}};
#else
    ToolRow{"scale", Effect::ClusterWrite, Gate::Human, static_cast<std::uint8_t>(Surface::Run), "writes"}};
#endif
static_assert(validToolTable(rows));
