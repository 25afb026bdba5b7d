// SPDX-License-Identifier: GPL-3.0-or-later
// expect-error: could not convert .*Raw.* to .*Redacted|cannot convert|no (viable|known) conversion|no matching
// function Promise 12: redaction comes before bounding.
#include "alidade/guard/payload.hpp"
using namespace alidade::guard;

Bounded<std::string> go(const Redactor& redactor, const Raw<std::string>& raw) {
#ifdef ALIDADE_VIOLATION
    static_cast<void>(redactor);
    return bound(raw, 100);
#else
    return bound(redactor.text(raw), 100);
#endif
}
