// SPDX-License-Identifier: GPL-3.0-or-later
// expect-error: HumanAct.*is private|private constructor of class '[a-z:]*HumanAct'
// Promise 6: nobody but the input gate and the terminal gate makes a human act.
#include "alidade/guard/write.hpp"
using namespace alidade::guard;

HumanAct act(HumanAct made) {
#ifdef ALIDADE_VIOLATION
    return HumanAct(made.digest(), "key", "", true, made.at());
#else
    return made;
#endif
}
