// SPDX-License-Identifier: GPL-3.0-or-later
#include "incident/incident_dock.hpp"

#include <QEvent>
#include <QHBoxLayout>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSplitter>
#include <QStackedLayout>
#include <QTimer>
#include <QVBoxLayout>

#include "alidade/models/run_models.hpp"
#include "alidade/models/text.hpp"
#include "alidade/ui/appearance.hpp"
#include "incident/diagnosis_card.hpp"
#include "incident/plan_panel.hpp"
#include "incident/run_words.hpp"
#include "incident/signal_strip.hpp"
#include "incident/stage_rail.hpp"
#include "incident/timeline_view.hpp"
#include "parts/parts.hpp"
#include "parts/words.hpp"
#include "theme/icons.hpp"
#include "theme/tokens.hpp"

namespace alidade::ui {
namespace {

constexpr int framesPerRound = 24; // of the moving indicator, at 15 frames a second

/// A scroll area as wide as it is: its content wraps instead of being cut.
QScrollArea* reading(QWidget* content, QWidget* parent) {
    auto* area = new QScrollArea(parent);
    area->setFrameShape(QFrame::NoFrame);
    area->setWidgetResizable(true);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setWidget(content);
    area->setMinimumHeight(80);
    return area;
}

} // namespace

struct IncidentDock::Impl {
    RunStatePtr state;
    ProposalPtr proposal;
    bool startable = true;
    QString note;
    int frame = 0;
    bool signalLeads = false;

    QStackedLayout* pages = nullptr;
    EmptyState* empty = nullptr;
    QWidget* page = nullptr;
    ElidedLabel* title = nullptr;
    ElidedLabel* where = nullptr;
    QPushButton* start = nullptr;
    QPushButton* cancel = nullptr;
    StageRail* rail = nullptr;
    OutcomeBanner* banner = nullptr;
    TimelineView* timeline = nullptr;
    QSplitter* parts = nullptr;
    bool moved = false; ///< the splitter's handle, by a person
    QScrollArea* area = nullptr;
    QVBoxLayout* reading = nullptr;
    SignalStrip* signal = nullptr;
    DiagnosisCard* diagnosis = nullptr;
    PlanPanel* plan = nullptr;
    QTimer motion;

    void show(IncidentDock* dock);
    void showEmpty(IncidentDock* dock) const;
    void showStart(IncidentDock* dock) const;
    void balance();
    void placeSignal();
    void move();
};

void IncidentDock::Impl::showEmpty(IncidentDock* dock) const {
    if (!startable) {
        empty->show(QStringLiteral("triage"), QStringLiteral("muted"), IncidentDock::tr("No incident is open"),
                    note.isEmpty() ? IncidentDock::tr("Triage cannot be started now.") : note);
        return;
    }
    const QString what = IncidentDock::tr(
        "Triage reads the namespace, says what is wrong and on which evidence, and asks before it changes anything.");
    empty->show(QStringLiteral("triage"), QStringLiteral("muted"), IncidentDock::tr("No incident is open"),
                note.isEmpty() ? what : note + QLatin1Char('\n') + what, IncidentDock::tr("Start triage"),
                [dock] { Q_EMIT dock->startRequested(); });
}

void IncidentDock::Impl::showStart(IncidentDock* dock) const {
    showEmpty(dock);
    start->setEnabled(startable);
    start->setToolTip(plainTip(startable ? IncidentDock::tr("Start a new triage") : note));
}

/// The diagnosis and the signal get what they need, at most about half; the timeline the rest. Where a person has moved
/// the handle, it stays.
void IncidentDock::Impl::balance() {
    const int room = parts->height() - parts->handleWidth();
    if (moved || !state || room <= 0) {
        return;
    }
    const QWidget* content = area->widget();
    content->layout()->activate();
    const int wanted = content->heightForWidth(area->viewport()->width()) + 2 * area->frameWidth();
    const int listed = timeline->wantedHeight();
    const int reads = qBound(area->minimumHeight(), wanted, qMax(room * 55 / 100, room - listed));
    const QList<int> sizes{room - reads, reads};
    if (parts->sizes() != sizes) {
        parts->setSizes(sizes);
    }
}

/// Until something was changed the diagnosis is what matters, from then on whether it heals.
void IncidentDock::Impl::placeSignal() {
    const bool leads = state && sentAt(*state).has_value();
    if (leads == signalLeads) {
        return;
    }
    signalLeads = leads;
    reading->removeWidget(signal);
    reading->insertWidget(leads ? 0 : 1, signal);
    area->verticalScrollBar()->setValue(0);
}

void IncidentDock::Impl::show(IncidentDock* dock) {
    if (!state) {
        motion.stop();
        showEmpty(dock);
        pages->setCurrentWidget(empty);
    }
    timeline->setState(state);
    rail->setState(state);
    banner->setState(state);
    diagnosis->setState(state);
    signal->setState(state);
    plan->show(state, proposal);
    if (!state) {
        return;
    }
    const bool running = !state->outcome;
    const bool waiting = running && planStand(*state, proposal != nullptr).kind == PlanStand::Kind::Awaiting;
    rail->setWaiting(waiting);
    timeline->setWaiting(waiting);
    title->setText(shownTitle(state->incident.title));
    title->setToolTip(plainTip(title->text()));
    QStringList place;
    for (const std::string& part : {state->context, state->incident.ns}) {
        if (!part.empty()) {
            place << shownTitle(part);
        }
    }
    const QString since = models::clockText(state->incident.openedAt);
    where->setText(place.isEmpty() ? IncidentDock::tr("since %1").arg(since)
                                   : IncidentDock::tr("%1, since %2").arg(place.join(QStringLiteral(" / ")), since));
    where->setToolTip(plainTip(where->text()));
    cancel->setVisible(running);
    start->setVisible(!running);
    showStart(dock);
    placeSignal();
    pages->setCurrentWidget(page);
    balance();

    const bool moving = running && !waiting && !reducedMotion();
    if (!moving) {
        motion.stop();
        timeline->setPhase(-1);
        rail->setPhase(0);
    } else if (!motion.isActive()) {
        motion.start();
    }
}

void IncidentDock::Impl::move() {
    if (!page->isVisible()) {
        return;
    }
    frame = (frame + 1) % framesPerRound;
    const double phase = static_cast<double>(frame) / framesPerRound;
    rail->setPhase(phase);
    timeline->setPhase(phase);
}

IncidentDock::IncidentDock(QWidget* parent) : QWidget(parent), impl_(std::make_unique<Impl>()) {
    Impl& d = *impl_;
    setObjectName(QStringLiteral("incident"));
    setAccessibleName(tr("Incident"));
    d.pages = new QStackedLayout(this);
    d.empty = new EmptyState(this);
    d.page = new QWidget(this);
    d.pages->addWidget(d.empty);
    d.pages->addWidget(d.page);

    d.title = new ElidedLabel(Qt::ElideRight, d.page);
    d.title->setFont(headingFont(2));
    d.title->setObjectName(QStringLiteral("title"));
    d.where = new ElidedLabel(Qt::ElideMiddle, d.page);
    d.where->setFont(smallFont());
    d.where->setTone(QStringLiteral("muted"));
    d.start = new QPushButton(tr("New triage"), d.page);
    d.start->setObjectName(QStringLiteral("start"));
    d.cancel = new QPushButton(tr("Cancel"), d.page);
    d.cancel->setObjectName(QStringLiteral("cancel"));
    d.cancel->setIcon(icon(QStringLiteral("stop")));
    d.cancel->setAccessibleName(tr("Cancel the triage"));
    d.cancel->setToolTip(tr("Cancel the triage; a change that was approved is not cut"));
    d.rail = new StageRail(d.page);
    d.rail->setObjectName(QStringLiteral("rail"));
    d.banner = new OutcomeBanner(d.page);
    d.timeline = new TimelineView(d.page);
    auto* content = new QWidget(d.page);
    content->setObjectName(QStringLiteral("reading"));
    d.signal = new SignalStrip(content);
    d.diagnosis = new DiagnosisCard(content);
    d.plan = new PlanPanel(d.page);

    d.reading = new QVBoxLayout(content);
    d.reading->setContentsMargins(0, 0, 0, 0);
    d.reading->setSpacing(grid::s);
    d.reading->addWidget(d.diagnosis);
    d.reading->addWidget(d.signal);
    d.reading->addStretch(1);
    d.area = reading(content, d.page);
    d.area->setAccessibleName(tr("Diagnosis and signal"));
    d.area->verticalScrollBar()->setAccessibleName(tr("Scroll the diagnosis"));
    d.area->horizontalScrollBar()->setAccessibleName(tr("Scroll the diagnosis sideways"));

    auto* under = new QHBoxLayout;
    under->setSpacing(grid::s);
    under->addWidget(d.where, 1);
    under->addWidget(d.start);
    under->addWidget(d.cancel);
    auto* head = new QVBoxLayout;
    head->setSpacing(0);
    head->addWidget(d.title);
    head->addLayout(under);
    d.parts = new QSplitter(Qt::Vertical, d.page);
    d.parts->setObjectName(QStringLiteral("parts"));
    d.parts->setChildrenCollapsible(false);
    d.parts->addWidget(d.timeline);
    d.parts->addWidget(d.area);
    d.parts->installEventFilter(this);
    content->installEventFilter(this);
    connect(d.parts, &QSplitter::splitterMoved, this, [this] { impl_->moved = true; });
    auto* column = new QVBoxLayout(d.page);
    column->setContentsMargins(grid::s, grid::s, grid::s, grid::s);
    column->setSpacing(grid::s);
    column->addLayout(head);
    column->addWidget(d.rail);
    column->addWidget(d.banner);
    column->addWidget(d.parts, 1);
    column->addWidget(d.plan);
    setMinimumWidth(300);

    connect(d.start, &QPushButton::clicked, this, &IncidentDock::startRequested);
    connect(d.cancel, &QPushButton::clicked, this, &IncidentDock::cancelRequested);
    connect(d.plan, &PlanPanel::reviewRequested, this, &IncidentDock::reviewRequested);
    connect(d.diagnosis, &DiagnosisCard::openCitation, this, &IncidentDock::openCitation);
    connect(d.diagnosis, &DiagnosisCard::openObject, this, &IncidentDock::openObject);
    connect(d.timeline, &TimelineView::openReference, this, [this](const guard::EvidenceRef& ref, bool beside) {
        Q_EMIT openCitation(Citation{ref, std::nullopt}, beside);
    });
    d.motion.setInterval(66);
    connect(&d.motion, &QTimer::timeout, this, [this] { impl_->move(); });
    d.show(this);
}

IncidentDock::~IncidentDock() = default;

void IncidentDock::setState(RunStatePtr state) {
    if (impl_->state && (!state || state->incident.id != impl_->state->incident.id)) {
        impl_->proposal = nullptr; // it was the other incident's
    }
    impl_->state = std::move(state);
    impl_->show(this);
}

RunStatePtr IncidentDock::state() const { return impl_->state; }

void IncidentDock::setProposal(ProposalPtr proposal) {
    impl_->proposal = std::move(proposal);
    impl_->show(this);
}

void IncidentDock::setStartable(bool can, const QString& note) {
    impl_->startable = can;
    impl_->note = note;
    impl_->showStart(this);
}

bool IncidentDock::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize || event->type() == QEvent::LayoutRequest) {
        QMetaObject::invokeMethod(
            this, [this] { impl_->balance(); }, Qt::QueuedConnection);
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace alidade::ui
