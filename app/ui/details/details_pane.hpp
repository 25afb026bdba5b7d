// SPDX-License-Identifier: GPL-3.0-or-later
// What it is for: one object in depth: Overview, YAML, Events, Logs, Relations; live, and the place where citations land.
// What it must not know: tables, incidents.
// Thread: GUI.
#pragma once

#include <memory>
#include <optional>

#include <QPlainTextEdit>
#include <QStackedWidget>
#include <QTabWidget>
#include <QWidget>

#include "alidade/cluster_model/session.hpp"
#include "alidade/guard/evidence.hpp"
#include "alidade/models/inbox.hpp"
#include "alidade/models/row_table_model.hpp"
#include "details/log_view.hpp"
#include "details/overview_view.hpp"
#include "details/relations_view.hpp"
#include "details/yaml_view.hpp"
#include "parts/parts.hpp"
#include "table/table_view.hpp"

namespace alidade::ui {

class DetailsPane : public QWidget {
    Q_OBJECT

public:
    enum class Tab { Overview, Yaml, Events, Logs, Relations, Evidence };

    explicit DetailsPane(std::shared_ptr<const guard::Clock> clock, QWidget* parent = nullptr);
    ~DetailsPane() override;

    void show(const std::shared_ptr<cluster::ClusterSession>& session, const guard::ObjectRef& ref);
    using QWidget::show;
    void clear();
    void showTab(Tab tab);
    [[nodiscard]] Tab tab() const { return static_cast<Tab>(tabs_->currentIndex()); }
    /// The stored text of a read, with the cited line marked, in a tab of its own.
    void showEvidence(const guard::Evidence& evidence, const std::optional<guard::Anchor>& anchor);
    /// Opens the exact place; `storedText` is what the evidence holds of it.
    void showAnchor(const guard::Anchor& anchor, const QString& storedText);
    [[nodiscard]] const std::optional<guard::ObjectRef>& object() const { return ref_; }
    [[nodiscard]] LogView* logs() const { return logs_; }
    [[nodiscard]] YamlView* yaml() const { return yaml_; }
    [[nodiscard]] TableView* events() const { return eventsView_; }
    [[nodiscard]] RelationsView* relations() const { return relations_; }
    [[nodiscard]] QString announcement() const { return notice_->text(); }

Q_SIGNALS:
    void objectAsked(const alidade::guard::ObjectRef& ref);
    void closeAsked();

private:
    struct Change {
        std::uint64_t generation = 0;
        std::shared_ptr<guard::Result<guard::Raw<nlohmann::json>>> object;
    };
    void take(const Change& change);
    void fillYaml();
    void watchEvents();
    void announce(const QString& text);
    void showObjectTabs(bool on);
    void applyPendingAnchor();
    void showOwner(const models::OwnerFact& owner);

    std::shared_ptr<const guard::Clock> clock_;
    std::shared_ptr<cluster::ClusterSession> session_;
    std::optional<guard::ObjectRef> ref_;
    std::uint64_t generation_ = 0;
    std::unique_ptr<models::Inbox<Change>> inbox_;
    std::unique_ptr<models::Inbox<cluster::DeltaBatch>> eventInbox_;
    std::shared_ptr<void> watch_;
    std::shared_ptr<void> eventWatch_;
    std::shared_ptr<guard::Result<guard::Raw<nlohmann::json>>> object_;
    std::optional<std::pair<guard::Anchor, QString>> pending_;
    bool yamlStale_ = false;
    bool gone_ = false;

    ElidedLabel* title_;
    QLabel* notice_;
    QTabWidget* tabs_;
    OverviewView* overview_;
    YamlView* yaml_;
    QStackedWidget* eventsStack_;
    models::RowTableModel* events_;
    TableView* eventsView_;
    EmptyState* noEvents_;
    LogView* logs_;
    RelationsView* relations_;
    QPlainTextEdit* evidence_;
};

} // namespace alidade::ui
