// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The one writer, behind the write desk: one per epoch, with a write thread of its own.
#include <functional>
#include <memory>
#include <string>

#include "alidade/cluster_model/session.hpp"
#include "alidade/guard/clock.hpp"
#include "alidade/guard/ledger.hpp"
#include "alidade/guard/settings.hpp"
#include "alidade/guard/write_desk.hpp"

namespace alidade::cluster {

struct DeskOptions {
    guard::ProtectedLists protectedLists;
    bool readOnly = false;
};

/// `ledger` may be shared by the desks of several epochs. A null ledger disables writes (promise 9).
/// The session must be one made by openSession(): the writer takes its identity and I/O thread from it.
[[nodiscard]] guard::Result<std::shared_ptr<guard::WriteDesk>> makeWriteDesk(
    std::shared_ptr<ClusterSession> session, std::shared_ptr<guard::Ledger> ledger,
    std::shared_ptr<const guard::Clock> clock, DeskOptions options);

}  // namespace alidade::cluster
