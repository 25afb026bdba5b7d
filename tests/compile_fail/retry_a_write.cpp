// SPDX-License-Identifier: GPL-3.0-or-later
// expect-error: use of deleted function .*Audited|call to deleted constructor
// Promise 5: a proof of one execution cannot be copied for another.
#include "alidade/guard/write.hpp"
using namespace alidade::guard;

WriteOutcome execute(Audited audited, const Brake& brake); // as the writer has it
WriteOutcome go(Audited audited, const Brake& brake) {
#ifdef ALIDADE_VIOLATION
    if (const WriteOutcome first = execute(audited, brake); first.kind == WriteOutcome::Kind::Done)
        return first;
#else
    if (audited.spent())
        return {};
#endif
    return execute(std::move(audited), brake);
}
