// SPDX-License-Identifier: GPL-3.0-or-later
// expect-error: could not convert .*Untrusted|cannot convert|conversion from .*Untrusted|no (viable|known) conversion
// Promise 14: text of a cluster is no string of ours without saying so.
#include "alidade/guard/text.hpp"
using namespace alidade::guard;

std::string go(const Untrusted& text) {
#ifdef ALIDADE_VIOLATION
    return text;
#else
    return text.visible();
#endif
}
