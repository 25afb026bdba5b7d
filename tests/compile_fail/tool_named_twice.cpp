// SPDX-License-Identifier: GPL-3.0-or-later
// expect-error: constant expression[^@]*a name stands twice
// Promise 2: names are unique.
#include "alidade/guard/tool_table.hpp"
using namespace alidade::guard;

constexpr std::uint8_t run = static_cast<std::uint8_t>(Surface::Run);
#ifdef ALIDADE_VIOLATION
constexpr std::array rows{ToolRow{"get", Effect::ClusterRead, Gate::None, run, ""},
                          ToolRow{"get", Effect::UiOnly, Gate::None, run, ""}};
#else
constexpr std::array rows{ToolRow{"get", Effect::ClusterRead, Gate::None, run, ""},
                          ToolRow{"show", Effect::UiOnly, Gate::None, run, ""}};
#endif
static_assert(validToolTable(rows));
