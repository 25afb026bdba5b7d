// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// All that app/ui and lib/agent know of writing. Implemented in lib/cluster/writer, one per epoch.
#include <functional>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "alidade/guard/write.hpp"

namespace alidade::guard {

struct Ticket {
    std::uint64_t value = 0;
    friend auto operator<=>(const Ticket&, const Ticket&) = default;
};

/// What happened to a ticket, in order: Drafted, then Proposed or Refused, then (Approved, Executed per item, Finished)
/// or Declined or Expired. Dismissed leaves the proposal pending.
namespace desk {
struct Drafted { Plan plan; Provenance provenance; EpochId epoch; std::string context; };
struct Proposed { std::shared_ptr<const ProposalContent> content; };
struct Refused { WriteRefusal refusal; };
struct ApprovalRejected { ProposalId id; Error error; };  ///< the proposal is still pending
struct Approved { ProposalId id; std::string how; };
struct Executed { ProposalId id; std::size_t index; WriteOutcome outcome; };
struct Finished { ProposalId id; bool allDone; };
struct Declined { ProposalId id; };
struct Dismissed { ProposalId id; };
struct Expired { ProposalId id; };
}  // namespace desk

struct DeskEvent {
    Ticket ticket;
    std::variant<desk::Drafted, desk::Proposed, desk::Refused, desk::ApprovalRejected, desk::Approved, desk::Executed,
                 desk::Finished, desk::Declined, desk::Dismissed, desk::Expired>
        what;
};

/// Called on the write thread; must not block. Callers put the event into a mailbox of their own.
using DeskSink = std::function<void(const DeskEvent&)>;

/// Thread-safe. Nothing here waits.
class WriteDesk {
public:
    virtual ~WriteDesk() = default;
    /// `sink` hears of this ticket only.
    virtual Ticket submit(Draft draft, DeskSink sink) = 0;
    virtual void approve(ProposalId id, HumanAct act) = 0;
    virtual void decline(ProposalId id) = 0;
    virtual void dismiss(ProposalId id) = 0;
    /// Hears of every ticket of this desk, pending ones first. Ends when the returned handle is dropped.
    [[nodiscard]] virtual std::shared_ptr<void> observe(DeskSink sink) = 0;
    [[nodiscard]] virtual Brake& brake() noexcept = 0;
    /// Set when an audit record could not be written: writes are disabled until restart, with the reason.
    [[nodiscard]] virtual std::optional<Error> auditFault() const = 0;
};

}  // namespace alidade::guard
