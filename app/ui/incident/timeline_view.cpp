// SPDX-License-Identifier: GPL-3.0-or-later
#include "incident/timeline_view.hpp"

#include <algorithm>

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QContextMenuEvent>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>
#include <QPushButton>
#include <QScrollBar>
#include <QVBoxLayout>

#include "incident/run_words.hpp"
#include "incident/timeline_delegate.hpp"
#include "parts/parts.hpp"
#include "parts/words.hpp"
#include "theme/icons.hpp"
#include "theme/tokens.hpp"

namespace alidade::ui {

TimelineList::TimelineList(models::TimelineModel* model, QWidget* parent)
    : QListView(parent), model_(model), delegate_(new TimelineDelegate(model, this)), newest_(new QPushButton(this)) {
    setObjectName(QStringLiteral("timeline"));
    setAccessibleName(tr("Timeline of the run"));
    setModel(model);
    setItemDelegate(delegate_);
    setResizeMode(QListView::Adjust);
    setUniformItemSizes(false);
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    verticalScrollBar()->setSingleStep(grid::row);
    verticalScrollBar()->setAccessibleName(tr("Scroll the timeline"));
    horizontalScrollBar()->setAccessibleName(tr("Scroll the timeline sideways"));
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setSelectionMode(QAbstractItemView::SingleSelection);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setMinimumHeight(96);

    newest_->setObjectName(QStringLiteral("newest"));
    newest_->setText(tr("Newest"));
    newest_->setAccessibleName(tr("Go to the newest event"));
    newest_->setToolTip(tr("Go to the newest event and follow"));
    newest_->setIcon(icon(QStringLiteral("arrow-down")));
    newest_->hide();
    connect(newest_, &QPushButton::clicked, this, &TimelineList::follow);

    connect(delegate_, &TimelineDelegate::toggled, this, &TimelineList::toggle);
    connect(delegate_, &TimelineDelegate::openReference, this, &TimelineList::openReference);
    connect(verticalScrollBar(), &QScrollBar::valueChanged, this,
            [this](int value) { setFollowing(value >= verticalScrollBar()->maximum() - 2); });
    connect(verticalScrollBar(), &QScrollBar::rangeChanged, this, [this](int, int maximum) {
        if (following_) {
            verticalScrollBar()->setValue(maximum);
        } else if (verticalScrollBar()->value() >= maximum - 2) {
            setFollowing(true);
        }
    });
}

void TimelineList::setFollowing(bool following) {
    if (following_ == following) {
        return;
    }
    following_ = following;
    newest_->setVisible(!following);
    newest_->raise();
    Q_EMIT followingChanged(following);
}

void TimelineList::follow() {
    setFollowing(true);
    verticalScrollBar()->setValue(verticalScrollBar()->maximum());
}

void TimelineList::refreshLast() {
    const int last = model_->rowCount() - 1;
    if (last >= 0 && !isRowHidden(last)) {
        viewport()->update(visualRect(model_->index(last)));
    }
}

void TimelineList::toggle(const QModelIndex& index) {
    if (!index.data(models::TimelineModel::ExpandableRole).toBool()) {
        return;
    }
    const bool open = !index.data(models::TimelineModel::ExpandedRole).toBool();
    if (open && index.row() + 1 < model_->rowCount()) {
        setFollowing(false); // the person reads here now
    }
    model_->setData(index, open, models::TimelineModel::ExpandedRole);
    doItemsLayout();
    scrollTo(index, QAbstractItemView::EnsureVisible);
    setFollowing(verticalScrollBar()->value() >= verticalScrollBar()->maximum() - 2);
}

void TimelineList::copyEntry() const {
    if (const guard::RunEvent* event = model_->eventAt(currentIndex().row())) {
        QApplication::clipboard()->setText(eventText(*event));
    }
}

void TimelineList::keyPressEvent(QKeyEvent* event) {
    const QModelIndex index = currentIndex();
    if (event->matches(QKeySequence::Copy)) {
        copyEntry();
        return;
    }
    if (index.isValid()) {
        const bool open = index.data(models::TimelineModel::ExpandedRole).toBool();
        switch (event->key()) {
        case Qt::Key_Return:
        case Qt::Key_Enter:
        case Qt::Key_Space: toggle(index); return;
        case Qt::Key_Right:
            if (!open) {
                toggle(index);
            }
            return;
        case Qt::Key_Left:
            if (open) {
                toggle(index);
            }
            return;
        default: break;
        }
    }
    if (event->key() == Qt::Key_End && model_->rowCount() > 0) {
        follow();
    }
    QListView::keyPressEvent(event);
}

void TimelineList::contextMenuEvent(QContextMenuEvent* event) {
    const QModelIndex index = event->reason() == QContextMenuEvent::Mouse ? indexAt(event->pos()) : currentIndex();
    const guard::RunEvent* entry = model_->eventAt(index.row());
    if (!index.isValid() || entry == nullptr) {
        return;
    }
    setCurrentIndex(index);
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setAccessibleName(tr("Event"));
    menu->addAction(icon(QStringLiteral("copy")), tr("Copy event"), this, [this] { copyEntry(); });
    if (index.data(models::TimelineModel::ExpandableRole).toBool()) {
        const QPersistentModelIndex kept(index);
        menu->addAction(index.data(models::TimelineModel::ExpandedRole).toBool() ? tr("Close details")
                                                                                 : tr("Open details"),
                        this, [this, kept] { toggle(kept); });
    }
    for (std::size_t i = 0; i < std::min<std::size_t>(entry->refs.size(), 12); ++i) {
        const guard::EvidenceRef ref = entry->refs[i];
        menu->addAction(icon(QStringLiteral("evidence")),
                        tr("Open evidence %1").arg(QString::fromStdString(ref.text())), this,
                        [this, ref] { Q_EMIT openReference(ref, false); });
    }
    menu->popup(event->reason() == QContextMenuEvent::Mouse ? event->globalPos()
                                                            : viewport()->mapToGlobal(visualRect(index).center()));
}

void TimelineList::paintEvent(QPaintEvent* event) {
    QListView::paintEvent(event);
    if (nothing_.isEmpty()) {
        return;
    }
    QPainter painter(viewport());
    painter.setPen(tokensOf(palette()).muted);
    painter.drawText(viewport()->rect().adjusted(12, 12, -12, -12), Qt::AlignCenter | Qt::TextWordWrap, nothing_);
}

void TimelineList::resizeEvent(QResizeEvent* event) {
    QListView::resizeEvent(event);
    const QSize size = newest_->sizeHint();
    newest_->setGeometry(
        QStyle::visualRect(layoutDirection(), viewport()->geometry(),
                           QRect(viewport()->geometry().right() - size.width() - 6,
                                 viewport()->geometry().bottom() - size.height() - 6, size.width(), size.height())));
    if (following_) {
        verticalScrollBar()->setValue(verticalScrollBar()->maximum());
    }
}

TimelineView::TimelineView(QWidget* parent)
    : QWidget(parent), model_(new models::TimelineModel(this)), list_(new TimelineList(model_, this)),
      kinds_(new QComboBox(this)), count_(new ElidedLabel(Qt::ElideRight, this)) {
    kinds_->setObjectName(QStringLiteral("kinds"));
    kinds_->setAccessibleName(tr("Show events of kind"));
    kinds_->setToolTip(tr("Show events of one kind only"));
    kinds_->addItem(tr("All kinds"), -1);
    for (int kind = 0; kind <= static_cast<int>(guard::RunEventKind::Done); ++kind) {
        kinds_->addItem(models::eventWord(static_cast<guard::RunEventKind>(kind)), kind);
    }
    count_->setTone(QStringLiteral("muted"));
    count_->setFont(smallFont());
    auto* head = new QHBoxLayout;
    head->setContentsMargins(0, 0, 0, 0);
    head->addWidget(groupLabel(tr("Timeline"), this));
    head->addWidget(count_);
    head->addStretch(1);
    head->addWidget(kinds_);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(grid::xs);
    column->addLayout(head);
    column->addWidget(list_, 1);

    connect(list_, &TimelineList::openReference, this, &TimelineView::openReference);
    connect(kinds_, &QComboBox::currentIndexChanged, this, [this] { applyFilter(0); });
}

void TimelineView::setState(const models::RunStatePtr& state) {
    const int had = model_->rowCount();
    guard::Millis longest{0};
    if (state) {
        for (const guard::RunEvent& event : state->events) {
            longest = std::max(longest, event.duration);
        }
    }
    list_->entries()->setLongest(longest);
    model_->setState(state);
    const std::string incident = state ? state->incident.id : std::string();
    const bool other = incident != incident_ || model_->rowCount() < had;
    incident_ = incident;
    if (other) {
        list_->follow();
    }
    applyFilter(other ? 0 : had);
    openBlocked(other ? 0 : had);
    count_->setText(model_->rowCount() > 0 ? tr("%n event(s)", nullptr, model_->rowCount()) : QString());
    if (list_->following()) {
        list_->scrollToBottom();
    }
}

void TimelineView::applyFilter(int from) {
    const int wanted = kinds_->currentData().toInt();
    for (int row = from; row < model_->rowCount(); ++row) {
        list_->setRowHidden(row, wanted >= 0 && static_cast<int>(model_->eventAt(row)->kind) != wanted);
    }
    bool any = false;
    for (int row = 0; row < model_->rowCount() && !any; ++row) {
        any = !list_->isRowHidden(row);
    }
    list_->setNothing(any                      ? QString()
                      : model_->rowCount() > 0 ? tr("No event of this kind in this run")
                                               : tr("No event yet"));
    list_->viewport()->update();
}

void TimelineView::openBlocked(int from) {
    for (int row = from; row < model_->rowCount(); ++row) {
        if (model_->eventAt(row)->kind == guard::RunEventKind::Blocked) {
            const QModelIndex index = model_->index(row);
            if (index.data(models::TimelineModel::ExpandableRole).toBool()) {
                model_->setData(index, true, models::TimelineModel::ExpandedRole);
            }
        }
    }
}

int TimelineView::wantedHeight() const {
    return list_->y() + 2 * list_->frameWidth() + 2 + model_->rowCount() * list_->entries()->closedHeight(list_->font());
}

void TimelineView::setPhase(double phase) {
    list_->entries()->setPhase(phase);
    list_->refreshLast();
}

void TimelineView::setWaiting(bool waiting) {
    list_->entries()->setWaiting(waiting);
    list_->refreshLast();
}

} // namespace alidade::ui
