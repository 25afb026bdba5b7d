// SPDX-License-Identifier: GPL-3.0-or-later
// What it is for: the main window's inside, shared by its three source files: layout and navigation, actions,
// incidents. What it must not know: see main_window.hpp. Thread: GUI.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <QPointer>
#include <QSplitter>
#include <QTimer>

#include "alidade/models/inbox.hpp"
#include "alidade/models/navigator_model.hpp"
#include "alidade/models/trouble_model.hpp"
#include "alidade/ui/main_window.hpp"
#include "approval/approval_dialog.hpp"
#include "details/details_pane.hpp"
#include "incident/incident_dock.hpp"
#include "table/table_pane.hpp"
#include "window/cluster_link.hpp"
#include "window/command_palette.hpp"
#include "window/header_strip.hpp"
#include "window/navigator_view.hpp"

namespace alidade::ui {

struct MainWindow::Impl {
    Impl(MainWindow* window, Services given);
    ~Impl();

    // layout and navigation (main_window.cpp)
    void build();
    void restoreLayout();
    void openFirst(const std::string& wanted);
    void openContext(const std::string& name);
    void watchCluster();
    void connectionChanged();
    void catalogChanged();
    void showKind(const guard::KindId& kind);
    void showTrouble();
    void setNamespace(const std::string& name);
    void refreshNumbers();
    void refreshNamespaces();
    [[nodiscard]] QStringList namespaceNames() const;
    void refreshTitle();
    void refreshWords();
    void say(const QString& text); ///< for a while, in the place of the connection's state
    void showDetails(const guard::ObjectRef& ref);
    void hideDetails();
    void revealDetails();
    void escape();
    [[nodiscard]] std::optional<guard::KindId> kindNamed(const std::string& word) const;
    [[nodiscard]] guard::ObjectRef resolved(const guard::ObjectRef& ref) const;

    // actions (window_actions.cpp)
    struct Command {
        QString icon;
        QString title;
        QKeySequence keys;
        std::function<void()> run;
    };
    void addCommands();
    void showPalette();
    void showShortcuts();
    void askNamespace();
    void objectMenu(const guard::ObjectRef& ref, const QPoint& at);
    void propose(guard::Action action);
    [[nodiscard]] QString whyNoWrites() const;
    void setBrake(bool on);

    // incidents (window_incidents.cpp)
    struct Entry {
        agent::Incident incident;
        std::shared_ptr<ClusterLink> link;
        std::unique_ptr<RunHandle> run;
        RunStatePtr state;
        bool announced = false; ///< its proposal has been told of
    };
    void startTriage(std::optional<guard::ObjectRef> about);
    void runChanged(std::vector<std::pair<std::string, RunStatePtr>> changes);
    void refreshProposal();
    void refreshStartable();
    void openCitation(const Citation& citation);
    void selectCited(const std::string& uid);
    void showCitedEvent(const guard::Evidence& evidence, const guard::anchor::Event& event);
    void openApproval(const std::shared_ptr<ClusterLink>& link, guard::Ticket ticket, RunStatePtr evidence);
    void deskEvent(const guard::DeskEvent& event);
    [[nodiscard]] Entry* current();

    MainWindow* self;
    Services services;
    std::shared_ptr<ClusterLink> link;
    std::vector<cluster::ContextEntry> contexts;
    std::string ns;
    std::optional<guard::KindId> kind;
    std::string citedRow; ///< key of a row whose selection follows a citation
    bool painted = false;
    bool readOnly = false;
    QString readOnlyWhy;

    models::NavigatorModel* navigatorModel = nullptr;
    models::TroubleModel* trouble = nullptr;
    HeaderStrip* header = nullptr;
    NavigatorView* navigator = nullptr;
    QSplitter* centre = nullptr;
    TablePane* table = nullptr;
    DetailsPane* details = nullptr;
    IncidentDock* incident = nullptr;
    ElidedLabel* activity = nullptr;
    ElidedLabel* fault = nullptr;
    QTimer second;
    QTimer saying;
    QTimer numbers; ///< coalesces navigator counts
    std::vector<Command> commands;

    std::uint64_t generation = 0; ///< of trouble and namespace subscriptions
    std::vector<guard::KindId> sources;
    std::unique_ptr<models::Inbox<cluster::DeltaBatch>> troubleInbox;
    std::unique_ptr<models::Inbox<cluster::DeltaBatch>> namespaceInbox;
    std::vector<std::shared_ptr<void>> watches;
    std::map<std::string, std::string> namespaceRows; ///< name by row key
    bool namespacesComplete = true;

    std::vector<Entry> entries;
    std::string currentIncident;
    int incidentCount = 0;
    std::unique_ptr<models::Inbox<std::pair<std::string, RunStatePtr>>> runInbox;
    std::map<guard::Ticket, QPointer<ApprovalDialog>> dialogs;
};

} // namespace alidade::ui
