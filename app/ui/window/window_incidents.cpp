// SPDX-License-Identifier: GPL-3.0-or-later
// The main window's part that starts runs, follows them, opens citations and the approval dialog.
#include <QApplication>
#include <QDateTime>

#include "alidade/models/text.hpp"
#include "parts/words.hpp"
#include "theme/tokens.hpp"
#include "window/main_window_impl.hpp"

namespace alidade::ui {
namespace {

QString storedTextOf(const guard::Evidence& evidence, const guard::Anchor& anchor) {
    for (const auto& line : evidence.lines) {
        if (line.anchor == anchor) {
            return models::shown(line.text);
        }
    }
    return models::shownLines(evidence.excerpt);
}

std::string uidOf(const guard::Anchor& anchor) {
    if (const auto* log = std::get_if<guard::anchor::LogLine>(&anchor)) {
        return log->podUid;
    }
    if (const auto* field = std::get_if<guard::anchor::Field>(&anchor)) {
        return field->uid;
    }
    if (const auto* cell = std::get_if<guard::anchor::Cell>(&anchor)) {
        return cell->uid;
    }
    return {};
}

} // namespace

MainWindow::Impl::Entry* MainWindow::Impl::current() {
    for (auto& entry : entries) {
        if (entry.incident.id == currentIncident) {
            return &entry;
        }
    }
    return nullptr;
}

void MainWindow::Impl::startTriage(std::optional<guard::ObjectRef> about) {
    if (!link || !services.startRun) {
        return;
    }
    agent::Incident made;
    const guard::WallTime now = services.clock->wall();
    made.id = "inc-" + QDateTime::currentDateTimeUtc().toString(QStringLiteral("yyyyMMdd-HHmmss")).toStdString() + "-" +
              std::to_string(++incidentCount);
    made.trigger = agent::Trigger::Manual;
    made.ns = about && !about->key.ns.empty() ? about->key.ns : ns.empty() ? link->info().ns : ns;
    made.about = about;
    made.openedAt = now;
    made.title =
        about ? about->key.text() : MainWindow::tr("Namespace %1").arg(QString::fromStdString(made.ns)).toStdString();
    currentIncident = made.id;
    Entry entry;
    entry.incident = made;
    entry.link = link;
    entries.push_back(std::move(entry));
    incident->setState(nullptr);
    incident->clearProposal();
    auto run = services.startRun(made, link->session(), link->desk(),
                                 [post = runInbox->poster(), id = made.id](RunStatePtr state) {
                                     post({id, std::move(state)});
                                 });
    if (!run) {
        entries.pop_back();
        currentIncident.clear();
        say(MainWindow::tr("The run could not be started: too many are under way."));
        return;
    }
    current()->run = std::move(run);
    refreshStartable();
}

void MainWindow::Impl::runChanged(std::vector<std::pair<std::string, RunStatePtr>> changes) {
    bool seen = false;
    for (auto& [id, state] : changes) {
        for (auto& entry : entries) {
            if (entry.incident.id == id && state) {
                entry.state = state;
                seen = seen || id == currentIncident;
            }
        }
    }
    if (!seen) {
        return;
    }
    incident->setState(current()->state);
    refreshProposal();
    refreshStartable();
    Q_EMIT self->runChanged();
}

void MainWindow::Impl::refreshProposal() {
    Entry* entry = current();
    if (entry == nullptr || !entry->state || !entry->state->ticket) {
        incident->clearProposal();
        return;
    }
    const auto content = entry->link->pending(*entry->state->ticket);
    incident->setProposal(content);
    if (content && !entry->announced) {
        entry->announced = true;
        Q_EMIT self->proposalReady();
    }
}

void MainWindow::Impl::refreshStartable() {
    if (!link) {
        incident->setStartable(false, MainWindow::tr("No cluster is connected."));
    } else if (!services.startRun) {
        incident->setStartable(false, MainWindow::tr("Runs are not available here."));
    } else if (const int count = trouble->rowCount(); count > 0) {
        incident->setStartable(true, MainWindow::tr("%n object(s) in trouble in %1", nullptr, count)
                                         .arg(ns.empty() ? MainWindow::tr("all namespaces") : models::shown(ns)));
    } else {
        incident->setStartable(true);
    }
}

void MainWindow::Impl::deskEvent(const guard::DeskEvent& event) {
    const auto it = dialogs.find(event.ticket);
    if (it != dialogs.end() && it->second) {
        it->second->deskEvent(event);
    }
    if (const auto* executed = std::get_if<guard::desk::Executed>(&event.what)) {
        const auto& outcome = executed->outcome;
        say(outcome.error ? errorTitle(outcome.error->code) + QStringLiteral(": ") + errorDetail(*outcome.error)
            : outcome.kind == guard::WriteOutcome::Kind::Done ? MainWindow::tr("The change was carried out.")
                                                              : models::shown(outcome.detail));
    }
    refreshProposal();
}

bool MainWindow::reviewProposal() {
    Impl::Entry* entry = impl_->current();
    if (entry == nullptr || !entry->state || !entry->state->ticket || !entry->link->pending(*entry->state->ticket)) {
        return false;
    }
    impl_->openApproval(entry->link, *entry->state->ticket, entry->state);
    return true;
}

void MainWindow::Impl::openApproval(const std::shared_ptr<ClusterLink>& at, guard::Ticket ticket,
                                    RunStatePtr evidence) {
    if (auto& open = dialogs[ticket]; open) {
        open->raise();
        open->activateWindow();
        return;
    }
    const QString context = QString::fromStdString(at->info().context);
    const Tokens& t = tokensOf(QApplication::palette());
    ApprovalDialog::Subject subject;
    subject.desk = at->desk();
    subject.clock = services.clock;
    subject.ticket = ticket;
    subject.contextHue = services.protectedLists.contextProtected(at->info().context) ? t.bad : contextHue(context, t);
    subject.evidence = [state = std::move(evidence)](guard::EvidenceRef ref) -> std::shared_ptr<const guard::Evidence> {
        if (state) {
            for (const auto& each : state->evidence) {
                if (each && each->ref == ref) {
                    return each;
                }
            }
        }
        return nullptr;
    };
    auto* dialog = new ApprovalDialog(std::move(subject), self);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialogs[ticket] = dialog;
    for (const auto& event : at->history(ticket)) {
        dialog->deskEvent(event);
    }
    dialog->open();
}

void MainWindow::Impl::openCitation(const Citation& citation) {
    const Entry* entry = current();
    if (entry == nullptr || !entry->state) {
        return;
    }
    std::shared_ptr<const guard::Evidence> evidence;
    for (const auto& each : entry->state->evidence) {
        if (each && each->ref == citation.ref) {
            evidence = each;
        }
    }
    if (!evidence) {
        return;
    }
    std::optional<guard::Anchor> anchor = citation.anchor;
    if (!anchor && !evidence->lines.empty()) {
        anchor = evidence->lines.front().anchor;
    }
    guard::ObjectRef object = evidence->target;
    if (anchor) {
        if (const std::string uid = uidOf(*anchor); !uid.empty() && uid != object.uid) {
            if (const auto found = trouble->locate(uid)) {
                object = *found;
            }
        }
    }
    if (const auto* event = anchor ? std::get_if<guard::anchor::Event>(&*anchor) : nullptr;
        event != nullptr && object.key.name.empty() && entry->link == link) {
        showCitedEvent(*evidence, *event);
        return;
    }
    const auto opened = resolved(object);
    if (!opened.key.name.empty() && entry->link == link) {
        showDetails(opened);
        selectCited(opened.uid);
    } else if (!opened.key.name.empty()) {
        details->show(entry->link->session(), opened); // the run's own cluster, wherever the window is
        details->show();
    }
    details->showEvidence(*evidence, anchor);
    if (anchor && !opened.key.name.empty()) {
        details->showAnchor(*anchor, storedTextOf(*evidence, *anchor));
    }
}

/// The row of what the details show now; no row where it has none, rather than another object's.
void MainWindow::Impl::selectCited(const std::string& uid) {
    TableView* const view = table->view();
    const models::RowTableModel* const rows = view->rows();
    if (rows == nullptr || !rows->positionOf(uid)) {
        view->clearSelection();
        return;
    }
    const QModelIndexList selected = view->selectionModel()->selectedRows();
    if (selected.size() == 1 && *rows->positionOf(uid) == selected.front().row()) {
        return;
    }
    citedRow = uid; // its selection opens nothing else
    view->selectKey(uid);
}

/// Of a namespace's events: the row in the table of events, and below it the line as it was read.
void MainWindow::Impl::showCitedEvent(const guard::Evidence& evidence, const guard::anchor::Event& event) {
    if (!ns.empty() && ns != evidence.target.key.ns) {
        self->setNamespace(QString::fromStdString(evidence.target.key.ns));
    }
    header->setFilter({});
    if (!kind || !(*kind == guard::kinds::events())) {
        showKind(guard::kinds::events());
    }
    details->clear();
    citedRow = event.uid; // its selection opens nothing else
    table->view()->selectKey(event.uid);
    revealDetails();
    details->showEvidence(evidence, event);
}

void MainWindow::startTriage(std::optional<guard::ObjectRef> about) { impl_->startTriage(std::move(about)); }

RunStatePtr MainWindow::runState() const {
    const auto* entry = impl_->current();
    return entry != nullptr ? entry->state : nullptr;
}

} // namespace alidade::ui
