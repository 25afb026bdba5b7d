// SPDX-License-Identifier: GPL-3.0-or-later
#include "incident/incident_dock.hpp"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "alidade/models/run_models.hpp"
#include "alidade/models/text.hpp"

namespace alidade::ui {

struct IncidentDock::Impl {
    RunStatePtr state;
    ProposalPtr proposal;
    bool startable = true;
    QString whyNot;
    QLabel* title = nullptr;
    QLabel* progress = nullptr;
    QPushButton* start = nullptr;
    QPushButton* cancel = nullptr;
    QPushButton* review = nullptr;

    void show() const {
        const bool running = state && !state->outcome;
        title->setText(state ? models::shown(state->incident.title) : IncidentDock::tr("No incident is open"));
        progress->setText(!state           ? whyNot
                          : state->outcome ? models::outcomeWord(*state->outcome)
                          : state->events.empty() ? QString()
                                                  : models::stepWord(state->events.back().step));
        start->setEnabled(startable && !running);
        cancel->setVisible(running);
        review->setEnabled(proposal != nullptr);
    }
};

IncidentDock::IncidentDock(QWidget* parent) : QWidget(parent), impl_(std::make_unique<Impl>()) {
    Impl& d = *impl_;
    d.title = new QLabel(this);
    d.progress = new QLabel(this);
    for (QLabel* label : {d.title, d.progress}) {
        label->setTextFormat(Qt::PlainText);
        label->setWordWrap(true);
    }
    d.start = new QPushButton(tr("Start triage"), this);
    d.cancel = new QPushButton(tr("Cancel triage"), this);
    d.review = new QPushButton(tr("Review and approve…"), this);
    auto* column = new QVBoxLayout(this);
    auto* buttons = new QHBoxLayout;
    for (QWidget* each : std::initializer_list<QWidget*>{d.start, d.cancel, d.review}) {
        buttons->addWidget(each);
    }
    column->addWidget(d.title);
    column->addWidget(d.progress);
    column->addLayout(buttons);
    column->addStretch(1);
    connect(d.start, &QPushButton::clicked, this, &IncidentDock::startRequested);
    connect(d.cancel, &QPushButton::clicked, this, &IncidentDock::cancelRequested);
    connect(d.review, &QPushButton::clicked, this, &IncidentDock::reviewRequested);
    d.show();
}

IncidentDock::~IncidentDock() = default;

void IncidentDock::setState(RunStatePtr state) {
    impl_->state = std::move(state);
    impl_->show();
}

RunStatePtr IncidentDock::state() const { return impl_->state; }

void IncidentDock::setProposal(ProposalPtr proposal) {
    impl_->proposal = std::move(proposal);
    impl_->show();
}

void IncidentDock::setStartable(bool can, const QString& whyNot) {
    impl_->startable = can;
    impl_->whyNot = whyNot;
    impl_->show();
}

void IncidentDock::changeEvent(QEvent* event) { QWidget::changeEvent(event); }

} // namespace alidade::ui
