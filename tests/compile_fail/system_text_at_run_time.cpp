// SPDX-License-Identifier: GPL-3.0-or-later
// expect-error: not a constant expression|no matching function|could not convert|cannot convert|no (viable|known)
// conversion|not usable in a constant expression Promise 14: the system role takes compile-time text alone.
#include "alidade/guard/text.hpp"
using namespace alidade::guard;

void system(const SystemText& text);
void go(const std::string& fromCluster) {
#ifdef ALIDADE_VIOLATION
    system(fromCluster.c_str());
#else
    static_cast<void>(fromCluster);
    system("You investigate.");
#endif
}
