// SPDX-License-Identifier: GPL-3.0-or-later
// expect-error: constant expression[^@]*a gate on something that is not a write
// Promise 2: a gate is on nothing but writes.
#include "alidade/guard/tool_table.hpp"
using namespace alidade::guard;

#ifdef ALIDADE_VIOLATION
constexpr std::array rows{
    ToolRow{"get_pod", Effect::ClusterRead, Gate::Human, static_cast<std::uint8_t>(Surface::Run), "reads"}};
#else
constexpr std::array rows{
    ToolRow{"get_pod", Effect::ClusterRead, Gate::None, static_cast<std::uint8_t>(Surface::Run), "reads"}};
#endif
static_assert(validToolTable(rows));
