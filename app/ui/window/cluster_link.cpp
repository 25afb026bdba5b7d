// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/cluster_link.hpp"

namespace alidade::ui {

ClusterLink::ClusterLink(std::shared_ptr<cluster::ClusterSession> session, std::shared_ptr<guard::WriteDesk> desk)
    : session_(std::move(session)), desk_(std::move(desk)) {
    states_ =
        std::make_unique<models::Inbox<cluster::ConnectionState>>([this](std::vector<cluster::ConnectionState> states) {
            const bool was = connection_.kind == cluster::ConnectionState::Kind::Connected;
            connection_ = std::move(states.back());
            if (connection_.kind == cluster::ConnectionState::Kind::Connected && !was) {
                readCatalog();
            }
            Q_EMIT connectionChanged();
        });
    catalogs_ = std::make_unique<models::Inbox<CatalogAnswer>>([this](const std::vector<CatalogAnswer>& answers) {
        auto& answer = *answers.back();
        if (answer) {
            catalog_ = std::move(*answer).partial();
            Q_EMIT catalogChanged();
        }
    });
    events_ = std::make_unique<models::Inbox<guard::DeskEvent>>([this](const std::vector<guard::DeskEvent>& events) {
        for (const auto& event : events) {
            history_[event.ticket].push_back(event);
            Q_EMIT deskEvent(event);
        }
    });
    connectionWatch_ = session_->observeConnection(states_->poster());
    if (desk_) {
        deskWatch_ = desk_->observe([post = events_->poster()](const guard::DeskEvent& event) { post(event); });
    }
}

ClusterLink::~ClusterLink() = default;

void ClusterLink::readCatalog() {
    session_->reader()->catalog([post = catalogs_->poster()](guard::Result<guard::Answer<cluster::Catalog>> answer) {
        post(std::make_shared<guard::Result<guard::Answer<cluster::Catalog>>>(std::move(answer)));
    });
}

const std::vector<guard::DeskEvent>& ClusterLink::history(guard::Ticket ticket) const {
    static const std::vector<guard::DeskEvent> none;
    const auto it = history_.find(ticket);
    return it == history_.end() ? none : it->second;
}

std::shared_ptr<const guard::ProposalContent> ClusterLink::pending(guard::Ticket ticket) const {
    std::shared_ptr<const guard::ProposalContent> content;
    for (const auto& event : history(ticket)) {
        if (const auto* proposed = std::get_if<guard::desk::Proposed>(&event.what)) {
            content = proposed->content;
        } else if (!std::holds_alternative<guard::desk::Dismissed>(event.what) &&
                   !std::holds_alternative<guard::desk::ApprovalRejected>(event.what)) {
            content.reset();
        }
    }
    return content;
}

guard::Ticket ClusterLink::submit(guard::Draft draft) {
    return desk_->submit(std::move(draft), [](const guard::DeskEvent&) {}); // observe() hears of it as well
}

} // namespace alidade::ui
