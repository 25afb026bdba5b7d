// SPDX-License-Identifier: GPL-3.0-or-later
// What it is for: one session and its write desk as the window sees them: state, discovery and desk events on the GUI
// thread. Runs keep it alive when the window has gone elsewhere.
// What it must not know: widgets.
// Thread: GUI.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include <QObject>

#include "alidade/cluster_model/session.hpp"
#include "alidade/guard/write_desk.hpp"
#include "alidade/models/inbox.hpp"

namespace alidade::ui {

class ClusterLink : public QObject {
    Q_OBJECT

public:
    ClusterLink(std::shared_ptr<cluster::ClusterSession> session, std::shared_ptr<guard::WriteDesk> desk);
    ~ClusterLink() override;

    [[nodiscard]] const std::shared_ptr<cluster::ClusterSession>& session() const noexcept { return session_; }
    [[nodiscard]] const std::shared_ptr<guard::WriteDesk>& desk() const noexcept { return desk_; }
    [[nodiscard]] const cluster::SessionInfo& info() const noexcept { return session_->info(); }
    [[nodiscard]] const cluster::ConnectionState& connection() const noexcept { return connection_; }
    [[nodiscard]] const std::optional<cluster::Catalog>& catalog() const noexcept { return catalog_; }
    [[nodiscard]] const std::vector<guard::DeskEvent>& history(guard::Ticket ticket) const;
    /// The proposal of the ticket that waits for a person; null when there is none (any more).
    [[nodiscard]] std::shared_ptr<const guard::ProposalContent> pending(guard::Ticket ticket) const;
    [[nodiscard]] guard::Ticket submit(guard::Draft draft);
    void readCatalog();

Q_SIGNALS:
    void connectionChanged();
    void catalogChanged();
    void deskEvent(const alidade::guard::DeskEvent& event);

private:
    std::shared_ptr<cluster::ClusterSession> session_;
    std::shared_ptr<guard::WriteDesk> desk_;
    cluster::ConnectionState connection_;
    std::optional<cluster::Catalog> catalog_;
    std::map<guard::Ticket, std::vector<guard::DeskEvent>> history_;
    using CatalogAnswer = std::shared_ptr<guard::Result<guard::Answer<cluster::Catalog>>>;
    std::unique_ptr<models::Inbox<cluster::ConnectionState>> states_;
    std::unique_ptr<models::Inbox<CatalogAnswer>> catalogs_;
    std::unique_ptr<models::Inbox<guard::DeskEvent>> events_;
    std::shared_ptr<void> connectionWatch_;
    std::shared_ptr<void> deskWatch_;
};

} // namespace alidade::ui
