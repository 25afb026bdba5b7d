// SPDX-License-Identifier: GPL-3.0-or-later
// expect-error: Proposal.*is private|private constructor of class '[a-z:]*Proposal'
// Promise 3: the write gate alone makes a proposal.
#include "alidade/guard/write.hpp"
using namespace alidade::guard;

Proposal again(Proposal proposal) {
#ifdef ALIDADE_VIOLATION
    return Proposal(proposal.content());
#else
    return proposal;
#endif
}
