// SPDX-License-Identifier: GPL-3.0-or-later
// expect-error: use of deleted function .*operator<<|overload resolution selected deleted
// Promise 22: a secret has no way into a stream.
#include "alidade/guard/text.hpp"
#include <iostream>
using namespace alidade::guard;

void go(const Secret<std::string>& secret) {
#ifdef ALIDADE_VIOLATION
    std::cout << secret;
#else
    std::cout << (secret.empty() ? "none" : "set");
#endif
}
