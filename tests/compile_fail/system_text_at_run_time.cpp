// SPDX-License-Identifier: GPL-3.0-or-later
// expect-error: could not convert|cannot convert|no matching function|not a constant expression|invalid initialization
// Promise 14: the system role takes compile-time text alone.
#include "alidade/guard/text.hpp"
using namespace alidade::guard;

void tell(const SystemText& text);
void go(const std::string& fromCluster) {
#ifdef ALIDADE_VIOLATION
    tell(fromCluster.c_str());
#else
    static_cast<void>(fromCluster);
    tell("You investigate.");
#endif
}
