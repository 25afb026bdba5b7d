// SPDX-License-Identifier: GPL-3.0-or-later
// What it is for: what one object depends on and what depends on it; Enter goes to the other end.
// What it must not know: tables of kinds, incidents.
// Thread: GUI. Read when it is first shown and when asked: a graph takes several lists, so it is not live.
#pragma once

#include <memory>
#include <optional>

#include <QStackedWidget>
#include <QWidget>

#include "alidade/cluster_model/session.hpp"
#include "alidade/models/inbox.hpp"
#include "alidade/models/relations_model.hpp"
#include "parts/parts.hpp"
#include "table/table_view.hpp"

namespace alidade::ui {

class RelationsView : public QWidget {
    Q_OBJECT

public:
    explicit RelationsView(std::shared_ptr<const guard::Clock> clock, QWidget* parent = nullptr);
    ~RelationsView() override;

    void setObject(std::shared_ptr<cluster::ClusterSession> session, const guard::ObjectRef& ref);
    void clear();
    [[nodiscard]] TableView* table() const { return table_; }
    /// What is not known, in words; empty when nothing is missing.
    [[nodiscard]] QString incomplete() const { return gaps_->text(); }

Q_SIGNALS:
    void objectAsked(const alidade::guard::ObjectRef& ref);

protected:
    void showEvent(QShowEvent* event) override;

private:
    struct Given {
        std::uint64_t generation = 0;
        std::shared_ptr<guard::Result<guard::Answer<cluster::Graph>>> graph;
    };
    void read();
    void take(const Given& given);

    std::shared_ptr<const guard::Clock> clock_;
    std::shared_ptr<cluster::ClusterSession> session_;
    guard::ObjectRef ref_;
    std::uint64_t generation_ = 0;
    bool asked_ = false;
    std::unique_ptr<models::Inbox<Given>> inbox_;

    ElidedLabel* when_;
    QToolButton* again_;
    QLabel* gaps_;
    QStackedWidget* stack_;
    EmptyState* empty_;
    models::RelationsModel* model_;
    TableView* table_;
};

} // namespace alidade::ui
