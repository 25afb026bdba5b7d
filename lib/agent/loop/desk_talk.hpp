// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// One ticket at the write desk: submit, wait, withdraw. An approved write is waited for, whatever happens to the run.
// Must not know what the change is. Thread: the run's.
#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "alidade/cluster_model/mailbox.hpp"
#include "alidade/guard/write_desk.hpp"

namespace alidade::agent {

class DeskTalk {
public:
    explicit DeskTalk(std::shared_ptr<guard::WriteDesk> desk) : desk_(std::move(desk)) {}

    guard::Ticket submit(guard::Draft draft);

    enum class Wait : std::uint8_t { Proposed, Rejected, Approved, Refused, Declined, Expired, Finished, Stopped };
    /// The next thing that matters, in order. `idle` is called about every `poll` while there is nothing; an approval
    /// that the desk rejected leaves the proposal pending. Stopped: a stop request came first, or, with `limit`, time
    /// ran out.
    [[nodiscard]] Wait next(const std::stop_token& stop, guard::Millis poll, const std::function<void()>& idle,
                            std::optional<guard::Millis> limit = std::nullopt);

    /// Takes the proposal back, also one that is yet to come. True when it had been approved before that.
    [[nodiscard]] bool withdraw();

    [[nodiscard]] const std::shared_ptr<const guard::ProposalContent>& proposal() const noexcept { return proposal_; }
    [[nodiscard]] const guard::WriteRefusal& refusal() const noexcept { return refusal_; }
    [[nodiscard]] const std::string& approvedHow() const noexcept { return approvedHow_; }
    [[nodiscard]] const std::string& rejection() const noexcept { return rejection_; }
    /// One per executed item.
    [[nodiscard]] const std::vector<guard::WriteOutcome>& outcomes() const noexcept { return outcomes_; }
    [[nodiscard]] bool allDone() const noexcept { return allDone_; }

private:
    /// Shared with the desk's sink, which may outlive the run.
    struct Box {
        cluster::Mailbox<guard::DeskEvent> mail;
        std::atomic<bool> withdrawn{false};
    };
    std::optional<Wait> take(const guard::DeskEvent& event);

    std::shared_ptr<guard::WriteDesk> desk_;
    std::shared_ptr<Box> box_ = std::make_shared<Box>();
    std::vector<guard::DeskEvent> pending_;
    std::shared_ptr<const guard::ProposalContent> proposal_;
    guard::WriteRefusal refusal_;
    std::string approvedHow_;
    std::string rejection_;
    std::vector<guard::WriteOutcome> outcomes_;
    bool allDone_ = false;
};

} // namespace alidade::agent
