// SPDX-License-Identifier: GPL-3.0-or-later
// expect-error: could not convert .*Plan.* to .*Validated|cannot convert|no (viable|known) conversion|no matching
// function Promise 3: a run has no way to a draft but a validated plan.
#include "alidade/guard/write.hpp"
using namespace alidade::guard;

Draft go(const Validated<Plan>& validated, const Provenance& provenance) {
#ifdef ALIDADE_VIOLATION
    return Draft::fromPlan(Plan{validated.value()}, provenance, {1});
#else
    return Draft::fromPlan(validated, provenance, {1});
#endif
}
