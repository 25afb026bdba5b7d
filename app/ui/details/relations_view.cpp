// SPDX-License-Identifier: GPL-3.0-or-later
#include "details/relations_view.hpp"

#include <QHBoxLayout>
#include <QVBoxLayout>

#include "alidade/models/text.hpp"
#include "parts/words.hpp"
#include "theme/tokens.hpp"

namespace alidade::ui {

RelationsView::RelationsView(std::shared_ptr<const guard::Clock> clock, QWidget* parent)
    : QWidget(parent), clock_(std::move(clock)), when_(new ElidedLabel(Qt::ElideRight, this)),
      again_(iconButton(QStringLiteral("restart"), tr("Read the relations again"), this)),
      gaps_(textLabel({}, this, QStringLiteral("warn"))), stack_(new QStackedWidget(this)),
      empty_(new EmptyState(this)), model_(new models::RelationsModel(clock_, this)),
      table_(new TableView(clock_, this)) {
    when_->setTone(QStringLiteral("muted"));
    gaps_->setMargin(grid::s);
    gaps_->hide();
    table_->setRows(model_);
    table_->setAccessibleName(tr("Relations"));
    stack_->addWidget(empty_);
    stack_->addWidget(table_);
    auto* line = new QHBoxLayout;
    line->setContentsMargins(grid::s, grid::xs, grid::xs, grid::xs);
    line->addWidget(when_, 1);
    line->addWidget(again_);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(line);
    column->addWidget(gaps_);
    column->addWidget(stack_, 1);

    inbox_ = std::make_unique<models::Inbox<Given>>([this](const std::vector<Given>& all) {
        for (const Given& given : all) {
            if (given.generation == generation_) {
                take(given);
            }
        }
    });
    connect(again_, &QToolButton::clicked, this, &RelationsView::read);
    connect(table_, &TableView::objectActivated, this, [this](const guard::ObjectRef& ref) {
        if (!ref.key.name.empty()) { // what is missing cannot be opened
            Q_EMIT objectAsked(ref);
        }
    });
}

RelationsView::~RelationsView() = default;

void RelationsView::setObject(std::shared_ptr<cluster::ClusterSession> session, const guard::ObjectRef& ref) {
    clear();
    session_ = std::move(session);
    ref_ = ref;
    if (isVisible()) {
        read();
    }
}

void RelationsView::clear() {
    ++generation_; // an answer under way is of another object
    session_.reset();
    asked_ = false;
    model_->restart();
    when_->setText({});
    gaps_->setText({});
    gaps_->hide();
}

void RelationsView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (!asked_) {
        read();
    }
}

void RelationsView::read() {
    if (!session_) {
        return;
    }
    asked_ = true;
    ++generation_;
    again_->setEnabled(false);
    if (model_->rowCount() == 0) {
        empty_->show(QStringLiteral("state-waiting"), QStringLiteral("muted"), tr("Reading the relations"),
                     tr("Several kinds are listed for it."));
        stack_->setCurrentWidget(empty_);
    }
    session_->reader()->relations(
        ref_, {ref_.key.ns, "", ""}, 1,
        [post = inbox_->poster(), generation = generation_](guard::Result<guard::Answer<cluster::Graph>> graph) {
            post({generation, std::make_shared<guard::Result<guard::Answer<cluster::Graph>>>(std::move(graph))});
        });
}

void RelationsView::take(const Given& given) {
    again_->setEnabled(true);
    if (!*given.graph) {
        const guard::Error& error = given.graph->error();
        model_->restart();
        when_->setText({});
        empty_->show(QStringLiteral("state-bad"), QStringLiteral("bad"), errorTitle(error.code),
                     errorDetail(error) + QLatin1Char('\n') + errorAdvice(error.code), tr("Read again"),
                     [this] { read(); });
        stack_->setCurrentWidget(empty_);
        return;
    }
    const guard::Answer<cluster::Graph>& answer = **given.graph;
    model_->show(answer.partial());
    when_->setText(tr("Read at %1").arg(models::clockText(clock_->wall())));
    QStringList unknown;
    for (const guard::Gap& gap : answer.gaps()) {
        if (gap.coverage != guard::Coverage::Capped) { // beyond one step is not asked for here
            unknown << models::shown(gap.source);
        }
    }
    gaps_->setText(unknown.isEmpty()
                       ? QString()
                       : tr("Not all is known: %1 could not be read.").arg(unknown.join(QStringLiteral(", "))));
    gaps_->setVisible(!unknown.isEmpty());
    if (model_->rowCount() > 0) {
        stack_->setCurrentWidget(table_);
        return;
    }
    empty_->show(QStringLiteral("state-unknown"), QStringLiteral("muted"), tr("No relations were found"),
                 tr("Nothing that was read names this object, and it names nothing."));
    stack_->setCurrentWidget(empty_);
}

} // namespace alidade::ui
