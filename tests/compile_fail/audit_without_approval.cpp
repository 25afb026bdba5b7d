// SPDX-License-Identifier: GPL-3.0-or-later
// expect-error: could not convert .*ProposalItem.* to .*ApprovedItem|cannot convert|no (viable|known) conversion|no
// matching function Promise 3: what is audited was approved.
#include "alidade/guard/ledger.hpp"
using namespace alidade::guard;

Result<Audited> go(Ledger& ledger, Approved& approved, const ProposalContent& content) {
#ifdef ALIDADE_VIOLATION
    static_cast<void>(approved);
    return ledger.intent(content.items.front());
#else
    static_cast<void>(content);
    return ledger.intent(std::move(*approved.next()));
#endif
}
