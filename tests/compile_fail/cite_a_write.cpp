// SPDX-License-Identifier: GPL-3.0-or-later
// expect-error: constant expression[^@]*only reads are citable
// Promise 15: only reads are citable.
#include "alidade/guard/evidence.hpp"
using namespace alidade::guard;

constexpr ToolRow readRow{"get_pod", Effect::ClusterRead, Gate::None, 1, ""};
constexpr ToolRow writeRow{"scale", Effect::ClusterWrite, Gate::Human, 1, ""};
EvidenceRef go(EvidenceLedger& ledger) {
    static_cast<void>(readRow.name), static_cast<void>(writeRow.name);
#ifdef ALIDADE_VIOLATION
    return ledger.add(CitableTool(writeRow), {}, "", {}, {});
#else
    return ledger.add(CitableTool(readRow), {}, "", {}, {});
#endif
}
