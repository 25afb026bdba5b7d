// SPDX-License-Identifier: GPL-3.0-or-later
// expect-error: constant expression[^@]*an action has no row
// Promise 19: a table keyed by action has a row for each.
#include "alidade/guard/action.hpp"
using namespace alidade::guard;

struct Row {
    ActionKind kind;
    int hops;
};
constexpr std::array table{Row{ActionKind::Rollback, 3}, Row{ActionKind::Scale, 3}, Row{ActionKind::Delete, 3},
#ifdef ALIDADE_VIOLATION
                           Row{ActionKind::Delete, 3}};
#else
                           Row{ActionKind::Restart, 3}};
#endif
static_assert(coversEveryAction(table));
