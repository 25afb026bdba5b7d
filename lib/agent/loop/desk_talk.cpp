// SPDX-License-Identifier: GPL-3.0-or-later
#include "loop/desk_talk.hpp"

namespace alidade::agent {
namespace {

/// How long a withdrawal waits to learn whether a person was faster.
constexpr guard::Millis withdrawalLimit{3'000};

template<class... Calls>
struct Overloaded : Calls... {
    using Calls::operator()...;
};
template<class... Calls>
Overloaded(Calls...) -> Overloaded<Calls...>;

} // namespace

guard::Ticket DeskTalk::submit(guard::Draft draft) {
    // The sink is called by the desk, so the desk is there; a strong reference here could be the last one, on its own
    // thread.
    return desk_->submit(std::move(draft), [box = box_, desk = desk_.get()](const guard::DeskEvent& event) {
        box->mail.post(event);
        // The run is gone: nobody would verify what comes of this.
        if (const auto* proposed = std::get_if<guard::desk::Proposed>(&event.what);
            proposed != nullptr && proposed->content && box->withdrawn.load())
            desk->decline(proposed->content->id);
    });
}

std::optional<DeskTalk::Wait> DeskTalk::take(const guard::DeskEvent& event) {
    namespace desk = guard::desk;
    return std::visit(Overloaded{
                          [](const desk::Drafted&) { return std::optional<Wait>(); },
                          [&](const desk::Proposed& e) {
                              proposal_ = e.content;
                              return std::optional(Wait::Proposed);
                          },
                          [&](const desk::Refused& e) {
                              refusal_ = e.refusal;
                              return std::optional(Wait::Refused);
                          },
                          [&](const desk::ApprovalRejected& e) {
                              rejection_ = e.error.text();
                              return std::optional(Wait::Rejected);
                          },
                          [&](const desk::Approved& e) {
                              approvedHow_ = e.how;
                              return std::optional(Wait::Approved);
                          },
                          [&](const desk::Executed& e) {
                              outcomes_.push_back(e.outcome);
                              return std::optional<Wait>();
                          },
                          [&](const desk::Finished& e) {
                              allDone_ = e.allDone;
                              return std::optional(Wait::Finished);
                          },
                          [](const desk::Declined&) { return std::optional(Wait::Declined); },
                          [](const desk::Dismissed&) { return std::optional<Wait>(); }, // the proposal stays pending
                          [](const desk::Expired&) { return std::optional(Wait::Expired); },
                      },
                      event.what);
}

DeskTalk::Wait DeskTalk::next(const std::stop_token& stop, guard::Millis poll, const std::function<void()>& idle,
                              std::optional<guard::Millis> limit) {
    guard::Millis waited{0};
    for (;;) {
        while (!pending_.empty()) {
            const guard::DeskEvent event = std::move(pending_.front());
            pending_.erase(pending_.begin());
            if (const auto found = take(event))
                return *found;
        }
        if (stop.stop_requested() || (limit && waited >= *limit))
            return Wait::Stopped;
        pending_ = box_->mail.waitDrain(stop, poll);
        if (pending_.empty()) {
            waited += poll;
            if (idle)
                idle();
        }
    }
}

bool DeskTalk::withdraw() {
    box_->withdrawn.store(true);
    if (!proposal_) {
        // It may have come between the last look and now.
        for (guard::DeskEvent& event : box_->mail.drain())
            pending_.push_back(std::move(event));
        while (!pending_.empty() && !proposal_) {
            const guard::DeskEvent event = std::move(pending_.front());
            pending_.erase(pending_.begin());
            if (take(event) == Wait::Refused)
                return false;
        }
        if (!proposal_)
            return false;
    }
    desk_->decline(proposal_->id);
    for (;;)
        switch (next({}, guard::Millis{100}, {}, withdrawalLimit)) {
        case Wait::Approved: return true;
        case Wait::Declined:
        case Wait::Expired:
        case Wait::Refused:
        case Wait::Finished:
        case Wait::Stopped: return false;
        case Wait::Proposed:
        case Wait::Rejected: break;
        }
}

} // namespace alidade::agent
