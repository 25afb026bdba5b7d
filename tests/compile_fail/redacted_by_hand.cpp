// SPDX-License-Identifier: GPL-3.0-or-later
// expect-error: Redacted.*is private|private constructor of class '[a-z:]*Redacted<
// Promise 12: the redactor alone says that something is redacted.
#include "alidade/guard/payload.hpp"
using namespace alidade::guard;

Redacted<std::string> go(const Redactor& redactor, const std::string& text) {
#ifdef ALIDADE_VIOLATION
    static_cast<void>(redactor);
    return Redacted<std::string>(text, {});
#else
    return redactor.text(Raw<std::string>(text));
#endif
}
