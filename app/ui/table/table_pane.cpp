// SPDX-License-Identifier: GPL-3.0-or-later
#include "table/table_pane.hpp"

#include <QHBoxLayout>
#include <QLocale>
#include <QVBoxLayout>

#include "alidade/models/navigator_model.hpp"
#include "alidade/models/text.hpp"
#include "parts/words.hpp"
#include "theme/tokens.hpp"

namespace alidade::ui {
namespace {

/// Whether no rows means none: what was never read is not counted.
bool known(const cluster::Freshness& freshness) {
    using State = cluster::Freshness::State;
    switch (freshness.state) {
    case State::Empty:
    case State::Loading:
    case State::Forbidden: return false;
    case State::Stale:
    case State::Failed: return freshness.lastSync != guard::WallTime{};
    default: return true;
    }
}

} // namespace

TablePane::TablePane(std::shared_ptr<const guard::Clock> clock, models::TroubleModel* trouble, QWidget* parent)
    : QWidget(parent), clock_(std::move(clock)), trouble_(trouble), kindRows_(new models::RowTableModel(clock_, this)),
      view_(new TableView(clock_, this)), empty_(new EmptyState(this)), stack_(new QStackedWidget(this)),
      title_(new QLabel(this)), counts_(new ElidedLabel(Qt::ElideRight, this)),
      notice_(new ElidedLabel(Qt::ElideRight, this)) {
    title_->setTextFormat(Qt::PlainText);
    title_->setFont(headingFont(2));
    counts_->setTone(QStringLiteral("muted"));
    notice_->setTone(QStringLiteral("warn"));
    notice_->setMark(QStringLiteral("state-warning"));
    notice_->hide();
    auto* caption = new QHBoxLayout;
    caption->setContentsMargins(grid::s, grid::s, grid::s, grid::s);
    caption->setSpacing(grid::m);
    caption->addWidget(title_);
    caption->addWidget(counts_, 1);
    caption->addWidget(notice_, 1);
    stack_->addWidget(view_);
    stack_->addWidget(empty_);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(caption);
    column->addWidget(stack_, 1);
    setFocusProxy(view_);

    for (auto* model : {kindRows_, static_cast<models::RowTableModel*>(trouble_)}) {
        connect(model, &models::RowTableModel::countsChanged, this, [this, model] {
            if (model == view_->rows()) {
                update();
            }
        });
    }
    inbox_ = std::make_unique<models::Inbox<cluster::DeltaBatch>>([this](std::vector<cluster::DeltaBatch> batches) {
        std::erase_if(batches, [this](const auto& batch) { return batch.subscription != subscription_; });
        kindRows_->apply(batches);
    });
    view_->setRows(trouble_);
}

TablePane::~TablePane() = default;

void TablePane::showKind(const std::shared_ptr<cluster::ClusterSession>& session, const guard::KindId& kind,
                         const std::string& ns) {
    watch_.reset();
    ++subscription_;
    problem_ = false;
    kindRows_->begin(kind, ns.empty());
    kindRows_->setFilter(filter_);
    if (view_->rows() != kindRows_) {
        view_->setRows(kindRows_);
    }
    title_->setText(models::kindTitle(kind));
    where_ = kind.namespaced ? ns.empty() ? tr("all namespaces") : models::shown(ns) : tr("cluster-wide");
    nowhere_ = !kind.namespaced ? tr("There are no %1 in this cluster").arg(title_->text())
               : ns.empty()     ? tr("There are no %1 in any namespace").arg(title_->text())
                                : tr("There are no %1 in %2").arg(title_->text(), where_);
    view_->setAccessibleName(title_->text());
    cluster::ListScope scope;
    scope.ns = kind.namespaced ? ns : std::string();
    watch_ = session->subscribe(kind, scope, inbox_->mailbox(), subscription_);
    update();
}

void TablePane::showTrouble(const std::string& ns) {
    watch_.reset();
    ++subscription_;
    problem_ = false;
    trouble_->setFilter(filter_);
    if (view_->rows() != trouble_) {
        view_->setRows(trouble_);
    }
    title_->setText(tr("Trouble"));
    where_ = ns.empty() ? tr("all namespaces") : models::shown(ns);
    view_->setAccessibleName(title_->text());
    update();
}

void TablePane::showProblem(const QString& sentence, const QString& reason, const QString& action,
                            std::function<void()> run) {
    problem_ = true;
    counts_->setText({});
    notice_->hide();
    empty_->show(QStringLiteral("state-bad"), QStringLiteral("bad"), sentence, reason, action, std::move(run));
    stack_->setCurrentWidget(empty_);
    Q_EMIT freshnessChanged();
}

void TablePane::setFilter(const QString& text) {
    filter_ = text;
    view_->rows()->setFilter(text);
}

QString TablePane::freshness() const {
    return problem_ ? QString() : freshnessText(view_->rows()->freshness(), clock_->wall());
}

QString TablePane::freshnessTone() const {
    const auto& freshness = view_->rows()->freshness();
    using State = cluster::Freshness::State;
    switch (freshness.state) {
    case State::Live:
    case State::Polling: return QStringLiteral("good");
    case State::Empty:
    case State::Loading:
    case State::CatchingUp: return QStringLiteral("muted");
    case State::Stale: return QStringLiteral("warn");
    case State::Forbidden:
    case State::Failed: return QStringLiteral("bad");
    }
    return {};
}

void TablePane::refreshWords() { Q_EMIT freshnessChanged(); }

void TablePane::update() {
    if (problem_) {
        return;
    }
    const auto* rows = view_->rows();
    const QLocale locale;
    const auto shown = rows->rowCount();
    const auto total = static_cast<int>(rows->total());
    counts_->setText(total == 0 && !known(rows->freshness()) ? where_
                     : shown == total ? tr("%n object(s)", nullptr, total) + QStringLiteral("  ·  ") + where_
                                      : tr("%1 of %2 match").arg(locale.toString(shown), locale.toString(total)) +
                                            QStringLiteral("  ·  ") + where_);
    QString notice = rows->filter().error();
    if (notice.isEmpty() && showsTrouble()) {
        QStringList missing;
        for (const auto& [kind, freshness] : trouble_->incomplete()) {
            missing << models::kindTitle(kind);
        }
        if (!missing.isEmpty()) {
            notice = tr("May be more: %1 cannot be watched").arg(missing.join(QStringLiteral(", ")));
        }
    }
    notice_->setText(notice);
    notice_->setVisible(!notice.isEmpty());
    updateEmpty();
    Q_EMIT freshnessChanged();
}

void TablePane::updateEmpty() {
    using State = cluster::Freshness::State;
    const auto* rows = view_->rows();
    if (rows->rowCount() > 0) {
        stack_->setCurrentWidget(view_);
        return;
    }
    const auto& freshness = rows->freshness();
    const QString kind = title_->text();
    if (freshness.state == State::Forbidden && freshness.error) {
        empty_->show(QStringLiteral("lock"), QStringLiteral("warn"),
                     showsTrouble() ? tr("You may not list what trouble is found in")
                                    : tr("You may not list %1 here").arg(kind),
                     errorDetail(*freshness.error) + QLatin1Char('\n') + errorAdvice(freshness.error->code));
    } else if ((freshness.state == State::Failed || freshness.state == State::Stale) && freshness.error &&
               rows->total() == 0) {
        empty_->show(QStringLiteral("state-bad"), QStringLiteral("bad"), errorTitle(freshness.error->code),
                     errorDetail(*freshness.error) + QLatin1Char('\n') + errorAdvice(freshness.error->code));
    } else if (freshness.state == State::Empty || freshness.state == State::Loading) {
        empty_->show(QStringLiteral("state-waiting"), QStringLiteral("muted"), tr("Reading %1").arg(kind),
                     freshnessText(freshness, clock_->wall()));
    } else if (rows->total() > 0) {
        empty_->show(QStringLiteral("search"), QStringLiteral("muted"), tr("Nothing matches the filter"),
                     tr("%n object(s) are hidden by it.", nullptr, static_cast<int>(rows->total())),
                     tr("Clear the filter"), [this] { Q_EMIT clearFilterAsked(); });
    } else if (showsTrouble() && !trouble_->incomplete().empty()) {
        const auto unread = trouble_->incomplete();
        const auto& why = unread.front().second.error;
        empty_->show(QStringLiteral("state-unknown"), QStringLiteral("warn"),
                     tr("Nothing is in trouble in what can be read"),
                     notice_->text() + (why ? QLatin1Char('\n') + errorDetail(*why) : QString()));
    } else if (showsTrouble()) {
        empty_->show(QStringLiteral("state-ok"), QStringLiteral("good"), tr("Nothing is in trouble"),
                     tr("Nodes, workloads, pods and volume claims in view are as they should be."));
    } else {
        empty_->show(QStringLiteral("state-unknown"), QStringLiteral("muted"), nowhere_,
                     tr("The server answered with an empty list, and is being watched."));
    }
    stack_->setCurrentWidget(empty_);
}

} // namespace alidade::ui
