// SPDX-License-Identifier: GPL-3.0-or-later
// expect-error: use of deleted function .*Secret|call to deleted constructor
// Promise 22: a secret is copied on purpose or not at all.
#include "alidade/guard/text.hpp"
using namespace alidade::guard;

Secret<std::string> go(const Secret<std::string>& secret) {
#ifdef ALIDADE_VIOLATION
    return secret;
#else
    return secret.clone();
#endif
}
