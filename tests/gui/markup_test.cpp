// SPDX-License-Identifier: GPL-3.0-or-later
// Nothing that a cluster, a kubeconfig or a model says is ever taken for markup: a name like "<b>x</b>" is shown as it
// is, in labels, tool tips, tables and dialogs, and loads nothing.
#include <QAbstractItemView>
#include <QApplication>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QTabBar>
#include <QTextDocumentFragment>

#include <gtest/gtest.h>

#include "approval/approval_dialog.hpp"
#include "details/details_pane.hpp"
#include "incident/made_run.hpp"
#include "shop.hpp"
#include "window/action_dialogs.hpp"

namespace alidade::ui {
namespace {

const std::string hostile = "<b>bold</b><img src=\"file:///etc/hostname\">&amp;";
const QString asWritten = QStringLiteral("<b>bold</b>");

/// Holds and counts what it has looked at.
class Walk {
public:
    int tips = 0;   ///< tool tips with hostile text
    int labels = 0; ///< labels with hostile text

    void everything() {
        for (auto* widget : QApplication::allWidgets()) {
            tip(widget->toolTip(), widget->metaObject()->className());
            if (auto* label = qobject_cast<QLabel*>(widget)) {
                labels += label->text().contains(asWritten) ? 1 : 0;
                EXPECT_TRUE(label->textFormat() == Qt::PlainText || !Qt::mightBeRichText(label->text()))
                    << "a label shows as markup: " << label->text().toStdString();
            } else if (auto* tabs = qobject_cast<QTabBar*>(widget)) {
                for (int i = 0; i < tabs->count(); ++i) {
                    tip(tabs->tabToolTip(i), "a tab");
                }
            } else if (auto* view = qobject_cast<QAbstractItemView*>(widget); view != nullptr && view->model()) {
                items(*view->model(), {}, view->metaObject()->className());
            } else if (auto* box = qobject_cast<QComboBox*>(widget)) {
                items(*box->model(), {}, "a box");
            }
            for (const auto* action : widget->actions()) {
                tip(action->toolTip(), "an action");
            }
        }
    }

private:
    void tip(const QString& text, const char* where) {
        if (!Qt::mightBeRichText(text)) {
            return;
        }
        const QString seen = QTextDocumentFragment::fromHtml(text).toPlainText();
        EXPECT_TRUE(seen.contains(asWritten) || !text.contains(QStringLiteral("bold")))
            << "the tool tip of " << where << " is taken for markup: " << text.toStdString();
        EXPECT_FALSE(text.contains(QStringLiteral("<img"))) << "the tool tip of " << where << " loads a file";
        tips += seen.contains(asWritten) ? 1 : 0;
    }
    void items(const QAbstractItemModel& model, const QModelIndex& parent, const char* where) {
        for (int column = 0; column < model.columnCount(parent); ++column) {
            tip(model.headerData(column, Qt::Horizontal, Qt::ToolTipRole).toString(), where);
            for (int row = 0; row < model.rowCount(parent); ++row) {
                const auto index = model.index(row, column, parent);
                tip(index.data(Qt::ToolTipRole).toString(), where);
                if (model.hasChildren(index)) {
                    items(model, index, where);
                }
            }
        }
    }
};

class Handle final : public RunHandle {
public:
    void cancel() override {}
};

class Desk final : public guard::WriteDesk {
public:
    guard::Ticket submit(guard::Draft, guard::DeskSink) override { return {}; }
    void approve(guard::ProposalId, guard::HumanAct) override {}
    void decline(guard::ProposalId) override {}
    void dismiss(guard::ProposalId) override {}
    std::shared_ptr<void> observe(guard::DeskSink) override { return nullptr; }
    guard::Brake& brake() noexcept override { return brake_; }
    std::optional<guard::Error> auditFault() const override {
        return guard::Error(guard::ErrorCode::Io, hostile, hostile);
    }

private:
    guard::Brake brake_;
};

nlohmann::json hostileObject() {
    const std::string& h = hostile;
    return {
        {"apiVersion", "v1"},
        {"kind", "Pod"},
        {"metadata",
         {{"name", h},
          {"namespace", "shop"},
          {"uid", "h1"},
          {"labels", {{h, h}}},
          {"annotations", {{h, std::string(5000, 'x') + h}}},
          {"ownerReferences", {{{"apiVersion", h}, {"kind", h}, {"name", h}, {"uid", "o"}, {"controller", true}}}}}},
        {"spec", {{"nodeName", h}, {"serviceAccountName", h}, {"containers", {{{"name", h}, {"image", h}}}}}},
        {"status",
         {{"phase", h},
          {"conditions",
           {{{"type", h},
             {"status", "False"},
             {"reason", h},
             {"message", h},
             {"lastTransitionTime", "2024-05-01T11:56:00Z"}}}},
          {"containerStatuses",
           {{{"name", h},
             {"ready", false},
             {"restartCount", 1},
             {"image", h},
             {"state", {{"waiting", {{"reason", h}, {"message", h}}}}}}}}}}};
}

std::shared_ptr<const agent::RunState> hostileRun() {
    test::MadeRun run;
    auto& state = run.state();
    state.incident.title = hostile;
    state.incident.ns = hostile;
    state.context = hostile;
    run.event(guard::RunEventKind::Step, guard::Step::Gather, hostile, 5, hostile);
    const auto ref = run.evidence({{guard::kinds::pods(), "shop", hostile}, "h1"}, hostile,
                                  {{hostile, guard::anchor::Section{hostile}}});
    guard::Diagnosis diagnosis;
    diagnosis.outcome = guard::DiagnosisOutcome::Fault;
    diagnosis.hypothesis = hostile;
    diagnosis.source = hostile;
    diagnosis.suspect = guard::ObjectRef{{guard::kinds::deployments(), hostile, hostile}, "d"};
    diagnosis.claims = {{hostile, {ref}, hostile, true, std::nullopt}, {hostile, {}, "", false, std::nullopt}};
    diagnosis.alternatives = {hostile};
    state.diagnosis = diagnosis;
    state.plan = guard::Plan{{test::MadeRun::rollback(hostile, 4)}, hostile};
    state.gaps.push_back({hostile, guard::Coverage::Forbidden, hostile});
    run.gate(guard::Step::ActionGate, hostile, {{hostile, false, hostile}});
    run.point(0.5, 1);
    run.point(1, 1);
    return run.snapshot();
}

TEST(Markup, AClustersTextIsShownAsItIsWritten) {
    test::Shop shop;
    cluster::ContextEntry bad;
    bad.name = bad.cluster = bad.user = bad.server = hostile;
    bad.problem = guard::Error(guard::ErrorCode::BadRequest, hostile, hostile);
    shop.sessions->entries.push_back(bad);
    shop.session->session.server = hostile;
    auto batch = test::reset({test::makeRow(
        {"shop", hostile, "h1", hostile, hostile, 3, 1, cluster::Health::Bad, hostile, {{hostile, hostile}}})});
    batch.freshness.state = cluster::Freshness::State::Live;
    shop.session->setRows(guard::kinds::pods(), batch);
    shop.session->setObject("h1", hostileObject());
    shop.session->setLog(hostile + "/" + hostile, "2024-05-01T12:00:00.000000001Z " + hostile + "\n");
    shop.session->revisionList = {{2, true, {}, {hostile}, hostile, {}, {}},
                                  {1, false, {}, {hostile}, hostile, {}, {}}};
    const auto desk = std::make_shared<Desk>();
    shop.services.desk = [desk](const auto&) { return desk; };
    const auto state = hostileRun();
    std::function<void(RunStatePtr)> tell;
    shop.services.startRun = [&](agent::Incident, auto, auto, std::function<void(RunStatePtr)> onChange) {
        tell = std::move(onChange);
        return std::make_unique<Handle>();
    };
    shop.open();
    Walk trouble;
    trouble.everything();
    EXPECT_GT(trouble.tips, 0);

    const guard::ObjectRef pod{{guard::kinds::pods(), "shop", hostile}, "h1"};
    shop.window->startTriage(pod);
    auto own = std::make_shared<agent::RunState>(*state);
    own->incident.id = "inc-hostile";
    tell(own);
    shop.window->showObject(pod);
    shop.session->setConnection({cluster::ConnectionState::Kind::Unreachable,
                                 guard::Error(guard::ErrorCode::Unreachable, hostile, hostile),
                                 {},
                                 {}});
    auto* details = shop.window->findChild<DetailsPane*>();
    details->showEvidence(*state->evidence.front(), std::nullopt);
    for (const auto tab : {DetailsPane::Tab::Overview, DetailsPane::Tab::Yaml, DetailsPane::Tab::Events,
                           DetailsPane::Tab::Logs, DetailsPane::Tab::Relations, DetailsPane::Tab::Evidence}) {
        details->showTab(tab);
        test::settle();
        Walk walk;
        walk.everything();
        EXPECT_GT(walk.tips, 1);
        EXPECT_GT(walk.labels, 0);
    }

    auto* rollback = new RollbackDialog(shop.session, test::MadeRun::deployment("checkout"), shop.window.get());
    rollback->show();
    ApprovalDialog::Subject subject;
    subject.desk = desk;
    subject.clock = shop.clock;
    subject.ticket = {1};
    subject.contextHue = Qt::darkCyan;
    auto* approval = new ApprovalDialog(std::move(subject), shop.window.get());
    auto proposal = std::make_shared<guard::ProposalContent>(*test::madeProposal(guard::Risk::High));
    proposal->context = proposal->typedConfirmation = hostile;
    proposal->provenance.principal = hostile;
    proposal->provenance.diagnosis = state->diagnosis;
    auto& item = proposal->items.front();
    item.action = test::MadeRun::rollback(hostile, 4);
    item.preview.available = true;
    item.preview.unifiedDiff = hostile;
    item.preview.warnings = {hostile};
    item.protectedWhy = hostile;
    item.impact.notes = {hostile};
    item.request.preconditions = {hostile};
    item.access = {guard::Access::Denied, hostile, hostile};
    proposal->expiresAt = shop.clock->now() + guard::Limits::proposalLifetime;
    guard::desk::Drafted drafted;
    drafted.plan.actions = {item.action};
    drafted.provenance = proposal->provenance;
    drafted.context = hostile;
    approval->deskEvent({{1}, drafted});
    approval->deskEvent({{1}, guard::desk::Proposed{proposal}});
    approval->show();
    test::settle();
    Walk dialogs;
    dialogs.everything();
    EXPECT_GT(dialogs.labels, 5);
    approval->deskEvent(
        {{1}, guard::desk::ApprovalRejected{{1}, guard::Error(guard::ErrorCode::BadRequest, hostile, hostile)}});
    Walk rejected;
    rejected.everything();
    approval->close();
    rollback->close();
}

} // namespace
} // namespace alidade::ui
