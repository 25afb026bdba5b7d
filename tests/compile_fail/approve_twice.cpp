// SPDX-License-Identifier: GPL-3.0-or-later
// expect-error: use of deleted function .*Proposal|call to deleted constructor
// Promise 6: an approval is for one proposal, once.
#include "alidade/guard/write.hpp"
using namespace alidade::guard;

auto yes(Proposal proposal, HumanAct act, EpochId epoch, MonoTime now) {
#ifdef ALIDADE_VIOLATION
    return approve(proposal, std::move(act), epoch, now);
#else
    return approve(std::move(proposal), std::move(act), epoch, now);
#endif
}
