// SPDX-License-Identifier: GPL-3.0-or-later
// expect-error: could not convert .*Answer|cannot convert|no (viable|known) conversion|conversion from
// Promise 18: an answer does not turn into its value.
#include "alidade/guard/coverage.hpp"
using namespace alidade::guard;

int go(const Answer<int>& answer) {
#ifdef ALIDADE_VIOLATION
    return answer;
#else
    return answer.ifComplete() ? *answer.ifComplete() : -1;
#endif
}
