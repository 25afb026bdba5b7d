// SPDX-License-Identifier: GPL-3.0-or-later
// expect-error: EvidenceRef.*is private|private constructor of class '[a-z:]*EvidenceRef'
// Promise 15: the evidence ledger alone mints references.
#include "alidade/guard/evidence.hpp"
using namespace alidade::guard;

std::optional<EvidenceRef> go(const EvidenceLedger& ledger) {
#ifdef ALIDADE_VIOLATION
    static_cast<void>(ledger);
    return EvidenceRef(3);
#else
    return ledger.resolve("E3");
#endif
}
