// SPDX-License-Identifier: GPL-3.0-or-later
// expect-error: could not convert .*ApprovedItem.* to .*Audited|no (viable|known) conversion|no viable constructor|no matching function for call to 'execute'|invalid initialization
// Promise 3: what is executed was audited.
#include "alidade/guard/write.hpp"
using namespace alidade::guard;

WriteOutcome execute(Audited audited, const Brake& brake); // as the writer has it
WriteOutcome go(Approved& approved, Audited audited, const Brake& brake) {
#ifdef ALIDADE_VIOLATION
    static_cast<void>(audited);
    return execute(std::move(*approved.next()), brake);
#else
    static_cast<void>(approved);
    return execute(std::move(audited), brake);
#endif
}
