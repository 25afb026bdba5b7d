// SPDX-License-Identifier: GPL-3.0-or-later
#include "table/table_view.hpp"

#include <algorithm>
#include <numeric>

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QHeaderView>
#include <QKeyEvent>
#include <QScopedValueRollback>
#include <QScrollBar>

#include "parts/parts.hpp"
#include "table/row_delegate.hpp"
#include "theme/tokens.hpp"

namespace alidade::ui {
namespace {

constexpr int sampledRows = 200;
constexpr int widest = 420;
constexpr int narrowest = 100; // that a long column gives way to

std::string keyOf(const QModelIndex& index) {
    return index.data(models::RowTableModel::KeyRole).toString().toStdString();
}

} // namespace

TableView::TableView(std::shared_ptr<const guard::Clock> clock, QWidget* parent)
    : QTableView(parent), clock_(std::move(clock)) {
    setItemDelegate(new RowDelegate(this));
    setShowGrid(false);
    setFrameShape(QFrame::NoFrame);
    setSelectionBehavior(SelectRows);
    setSelectionMode(ExtendedSelection);
    setEditTriggers(NoEditTriggers);
    setWordWrap(false);
    setSortingEnabled(true);
    setTabKeyNavigation(false);
    setHorizontalScrollMode(ScrollPerPixel);
    setAccessibleName(tr("Objects"));
    verticalHeader()->hide();
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    verticalHeader()->setMinimumSectionSize(grid::row);
    verticalHeader()->setDefaultSectionSize(grid::row);
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setMinimumSectionSize(48);
    horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
    horizontalHeader()->setSortIndicatorClearable(true);
    horizontalHeader()->setAccessibleName(tr("Columns"));
    connect(horizontalHeader(), &QHeaderView::sectionResized, this, [this] {
        if (!fitting_ && QApplication::mouseButtons() != Qt::NoButton) {
            userSized_ = true;
        }
    });
    fitTimer_.setSingleShot(true);
    fitTimer_.setInterval(100);
    connect(&fitTimer_, &QTimer::timeout, this, &TableView::fitColumns);
    connect(this, &QTableView::doubleClicked, this, [this](const QModelIndex& index) {
        if (model_ != nullptr) {
            Q_EMIT objectActivated(model_->refAt(index.row()));
        }
    });
    ageTimer_.setInterval(1000);
    fadeTimer_.setInterval(50);
    connect(&ageTimer_, &QTimer::timeout, this, &TableView::tick);
    connect(&fadeTimer_, &QTimer::timeout, this, &TableView::fade);
}

void TableView::setRows(models::RowTableModel* model) {
    if (model_ != nullptr) {
        model_->disconnect(this);
    }
    model_ = model;
    {
        const QScopedValueRollback ours(fitting_, true);
        setModel(model);
    }
    horizontalHeader()->setSortIndicator(model->sortColumn(), model->sortOrder());
    painted_ = userSized_ = false;
    fittedRows_ = 0;
    connect(model, &QAbstractItemModel::modelAboutToBeReset, this, &TableView::remember);
    connect(model, &QAbstractItemModel::modelReset, this, &TableView::restore);
    connect(model, &QAbstractItemModel::rowsInserted, this, &TableView::restore);
    connect(model, &QAbstractItemModel::dataChanged, this, &TableView::growColumns);
    connect(model, &models::RowTableModel::columnsChanged, this, [this] {
        userSized_ = painted_ = false;
        fittedRows_ = 0;
        horizontalHeader()->setSortIndicator(model_->sortColumn(), model_->sortOrder());
        fitColumns();
    });
    connect(model, &QAbstractItemModel::dataChanged, this, [this] {
        if (motionAllowed() && isVisible() && !fadeTimer_.isActive()) {
            fadeTimer_.start();
        }
    });
    fitColumns();
}

std::optional<guard::ObjectRef> TableView::currentObject() const {
    const QModelIndex index = currentIndex();
    if (model_ == nullptr || !index.isValid()) {
        return std::nullopt;
    }
    return model_->refAt(index.row());
}

void TableView::selectKey(const std::string& key) {
    wantedKey_ = key;
    restore();
}

void TableView::remember() {
    if (restoring_ || selectionModel() == nullptr) {
        return;
    }
    selectedKeys_.clear();
    for (const QModelIndex& index : selectionModel()->selectedRows()) {
        selectedKeys_.push_back(keyOf(index));
    }
    currentKey_ = currentIndex().isValid() ? keyOf(currentIndex()) : std::string();
}

void TableView::restore() {
    if (model_ == nullptr || selectionModel() == nullptr) {
        return;
    }
    // Measured again as the first rows come in, then left alone.
    if (fittedRows_ < sampledRows && model_->rowCount() > fittedRows_) {
        fitColumns();
    }
    restoring_ = true;
    if (!wantedKey_.empty()) {
        if (const auto row = model_->positionOf(wantedKey_)) {
            wantedKey_.clear();
            selectedKeys_.clear();
            currentKey_.clear();
            const QModelIndex index = model_->index(*row, 0);
            selectionModel()->setCurrentIndex(index, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
            scrollTo(index, PositionAtCenter);
        }
    } else if (!currentIndex().isValid() && !currentKey_.empty()) {
        QItemSelection selection;
        for (const auto& key : selectedKeys_) {
            if (const auto row = model_->positionOf(key)) {
                selection.select(model_->index(*row, 0), model_->index(*row, model_->columnCount() - 1));
            }
        }
        if (const auto row = model_->positionOf(currentKey_)) {
            selectionModel()->setCurrentIndex(model_->index(*row, 0), QItemSelectionModel::NoUpdate);
        }
        selectionModel()->select(selection, QItemSelectionModel::ClearAndSelect);
    }
    restoring_ = false;
}

void TableView::currentChanged(const QModelIndex& current, const QModelIndex& previous) {
    QTableView::currentChanged(current, previous);
    announce();
}

void TableView::selectionChanged(const QItemSelection& selected, const QItemSelection& deselected) {
    QTableView::selectionChanged(selected, deselected);
    announce();
}

/// A row is chosen when it is current *and* selected: gaining focus makes the first row current, and chooses nothing.
void TableView::announce() {
    const QModelIndex current = currentIndex();
    if (model_ == nullptr || !current.isValid() || !selectionModel()->isSelected(current)) {
        return;
    }
    const std::string key = keyOf(current);
    if (key != announcedKey_) {
        announcedKey_ = key;
        Q_EMIT objectSelected(model_->refAt(current.row()));
    }
}

void TableView::fitColumns() {
    if (model_ == nullptr || model_->columnCount() == 0 || userSized_) {
        return;
    }
    const int columns = model_->columnCount();
    const int rows = std::min(model_->rowCount(), sampledRows);
    QFont headerFont = font();
    headerFont.setWeight(QFont::DemiBold);
    headerFont.setPointSizeF(headerFont.pointSizeF() * 0.86);
    const QFontMetrics headerMetrics(headerFont);
    std::vector<int> widths(static_cast<std::size_t>(columns));
    int flexible = 0;
    int total = 0;
    for (int c = 0; c < columns; ++c) {
        const QString title = model_->headerData(c, Qt::Horizontal).toString();
        int width = headerMetrics.horizontalAdvance(title) + 2 * grid::s + 26; // with its arrow
        for (int r = 0; r < rows; ++r) {
            width = std::max(width, RowDelegate::widthOf(model_->index(r, c), fontMetrics()));
        }
        widths[static_cast<std::size_t>(c)] = std::min(width, widest);
        total += widths[static_cast<std::size_t>(c)];
        if (title == u"NAME" && flexible >= 0) {
            flexible = c;
        }
        if (title == u"MESSAGE") {
            flexible = -c;
        }
    }
    flexible = flexible_ = std::abs(flexible);
    const int room = viewport()->width();
    auto& stretch = widths[static_cast<std::size_t>(flexible)];
    stretch = std::max(std::min(stretch, 160), stretch + room - total);
    for (int over = std::accumulate(widths.begin(), widths.end(), 0) - room; over > 0;) { // the widest gives way
        auto& most = *std::max_element(widths.begin(), widths.end());
        if (most <= narrowest) {
            break;
        }
        const int less = std::min({over, 8, most - narrowest});
        most -= less;
        over -= less;
    }
    const QScopedValueRollback ours(fitting_, true);
    for (int c = 0; c < columns; ++c) {
        setColumnWidth(c, widths[static_cast<std::size_t>(c)]);
    }
    fittedRows_ = rows;
}

/// A cell that says more than before ("ErrImagePull", "ImagePullBackOff") is not cut where there is room.
void TableView::growColumns(const QModelIndex& from, const QModelIndex& to) {
    for (int c = from.column(); c <= to.column() && !fitTimer_.isActive(); ++c) {
        for (int r = from.row(); r <= std::min(to.row(), sampledRows); ++r) {
            const int width = RowDelegate::widthOf(model_->index(r, c), fontMetrics());
            if (c != flexible_ && columnWidth(c) < std::min(width, widest)) {
                fitTimer_.start();
                break;
            }
        }
    }
}

void TableView::resizeEvent(QResizeEvent* event) {
    QTableView::resizeEvent(event);
    fitColumns();
}

void TableView::paintEvent(QPaintEvent* event) {
    QTableView::paintEvent(event);
    if (!painted_ && model_ != nullptr && model_->rowCount() > 0) {
        painted_ = true;
        Q_EMIT rowsPainted();
    }
}

void TableView::tick() {
    if (model_ == nullptr || model_->rowCount() == 0) {
        return;
    }
    for (int c = 0; c < model_->columnCount(); ++c) {
        if (model_->movesWithTime(c)) {
            viewport()->update(columnViewportPosition(c), 0, columnWidth(c), viewport()->height());
        }
    }
}

void TableView::fade() {
    viewport()->update();
    if (model_ == nullptr || clock_->now() > model_->fadingUntil()) {
        fadeTimer_.stop();
    }
}

void TableView::showEvent(QShowEvent* event) {
    QTableView::showEvent(event);
    ageTimer_.start();
    fitColumns();
}
void TableView::hideEvent(QHideEvent* event) {
    QTableView::hideEvent(event);
    ageTimer_.stop();
    fadeTimer_.stop();
}

void TableView::copySelection() const {
    if (model_ == nullptr || selectionModel() == nullptr) {
        return;
    }
    QStringList lines;
    QStringList cells;
    for (int c = 0; c < model_->columnCount(); ++c) {
        cells << model_->headerData(c, Qt::Horizontal).toString();
    }
    lines << cells.join(u'\t');
    QModelIndexList chosen = selectionModel()->selectedRows();
    std::sort(chosen.begin(), chosen.end());
    for (const QModelIndex& row : chosen) {
        cells.clear();
        for (int c = 0; c < model_->columnCount(); ++c) {
            cells << row.siblingAtColumn(c).data().toString();
        }
        lines << cells.join(u'\t');
    }
    QApplication::clipboard()->setText(lines.join(u'\n') + u'\n');
}

void TableView::keyPressEvent(QKeyEvent* event) {
    if (event->matches(QKeySequence::Copy)) {
        copySelection();
        return;
    }
    if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) && currentObject()) {
        Q_EMIT objectActivated(*currentObject());
        return;
    }
    QTableView::keyPressEvent(event);
}

void TableView::contextMenuEvent(QContextMenuEvent* event) {
    const QModelIndex index = event->reason() == QContextMenuEvent::Mouse ? indexAt(event->pos()) : currentIndex();
    if (model_ == nullptr || !index.isValid()) {
        return;
    }
    const QPoint at = event->reason() == QContextMenuEvent::Mouse
                          ? event->globalPos()
                          : viewport()->mapToGlobal(visualRect(index).bottomLeft());
    Q_EMIT objectMenu(model_->refAt(index.row()), at);
}

} // namespace alidade::ui
