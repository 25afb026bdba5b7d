// SPDX-License-Identifier: GPL-3.0-or-later
// expect-error: could not convert .*string.* to .*OutboundPayload|OutboundPayload.*is private|private constructor of class '[a-z:]*OutboundPayload'|no (viable|known)
// conversion|no matching Promise 11: a model gets what the outbound policy made, not a string.
#include "alidade/guard/payload.hpp"
using namespace alidade::guard;

void transmit(const OutboundPayload& payload); // as a model's transport has it
void go(const std::string& text, const OutboundPayload& payload) {
#ifdef ALIDADE_VIOLATION
    static_cast<void>(payload);
    transmit(OutboundPayload(text, {}));
#else
    static_cast<void>(text);
    transmit(payload);
#endif
}
