// SPDX-License-Identifier: GPL-3.0-or-later
// What it is for: the live table of one kind with its caption, and what stands there when there are no rows.
// What it must not know: which kinds there are.
// Thread: GUI.
#pragma once

#include <memory>

#include <QStackedWidget>
#include <QWidget>

#include "alidade/cluster_model/session.hpp"
#include "alidade/models/inbox.hpp"
#include "alidade/models/trouble_model.hpp"
#include "parts/parts.hpp"
#include "table/table_view.hpp"

namespace alidade::ui {

class TablePane : public QWidget {
    Q_OBJECT

public:
    TablePane(std::shared_ptr<const guard::Clock> clock, models::TroubleModel* trouble, QWidget* parent = nullptr);
    ~TablePane() override;

    /// Live rows of a kind; an empty namespace is all of them.
    void showKind(const std::shared_ptr<cluster::ClusterSession>& session, const guard::KindId& kind,
                  const std::string& ns);
    void showTrouble(const std::string& ns);
    /// Nothing can be shown: why, and what to do.
    void showProblem(const QString& sentence, const QString& reason, const QString& action, std::function<void()> run);
    void setFilter(const QString& text);

    [[nodiscard]] TableView* view() const { return view_; }
    [[nodiscard]] models::RowTableModel* rows() const { return view_->rows(); }
    [[nodiscard]] bool showsTrouble() const { return view_->rows() == trouble_; }
    /// Words for the header strip; once a second.
    [[nodiscard]] QString freshness() const;
    [[nodiscard]] QString freshnessTone() const;
    void refreshWords();

Q_SIGNALS:
    void freshnessChanged();
    void clearFilterAsked();
    void triageAsked();

private:
    void update();
    void updateEmpty();

    std::shared_ptr<const guard::Clock> clock_;
    models::TroubleModel* trouble_;
    models::RowTableModel* kindRows_;
    TableView* view_;
    EmptyState* empty_;
    QStackedWidget* stack_;
    QLabel* title_;
    ElidedLabel* counts_;
    ElidedLabel* notice_;
    QString filter_;
    QString where_;
    QString nowhere_; ///< "No Pods in shop"
    bool problem_ = false;
    std::uint64_t subscription_ = 0;
    std::unique_ptr<models::Inbox<cluster::DeltaBatch>> inbox_;
    std::shared_ptr<void> watch_;
};

} // namespace alidade::ui
