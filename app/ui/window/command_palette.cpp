// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/command_palette.hpp"

#include <algorithm>

#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QTreeWidget>
#include <QVBoxLayout>

#include "parts/words.hpp"
#include "theme/icons.hpp"
#include "theme/tokens.hpp"

namespace alidade::ui {
namespace {

enum Role : int { EntryRole = Qt::UserRole + 1, RightRole, IconRole };

class EntryDelegate final : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        const Tokens& t = tokensOf(option.palette);
        painter->fillRect(option.rect, (option.state & QStyle::State_Selected) != 0 ? t.selection : t.surface);
        QRect box = option.rect.adjusted(grid::m, 0, -grid::m, 0);
        paintIcon(*painter, QRectF(box.left(), box.center().y() - 7, 16, 16), index.data(IconRole).toString(), t.muted,
                  t.surface);
        box.setLeft(box.left() + 24);
        const QString right = index.data(RightRole).toString();
        painter->setFont(smallFont());
        painter->setPen(t.muted);
        painter->drawText(box, Qt::AlignRight | Qt::AlignVCenter, right);
        box.setRight(box.right() - QFontMetrics(smallFont()).horizontalAdvance(right) - grid::m);
        painter->setFont(option.font);
        painter->setPen(t.text);
        painter->drawText(box, Qt::AlignLeft | Qt::AlignVCenter,
                          option.fontMetrics.elidedText(index.data().toString(), Qt::ElideMiddle, box.width()));
    }
    QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override { return {200, grid::control}; }
};

/// 0 is best; negative: no match. Prefix, then the start of a word, then anywhere, then letters in order.
int rank(const QString& title, const QString& wanted) {
    const qsizetype at = wanted.isEmpty() ? 0 : title.indexOf(wanted, 0, Qt::CaseInsensitive);
    if (at == 0) {
        return 0;
    }
    if (at > 0) {
        return title[at - 1].isLetterOrNumber() ? 2 : 1;
    }
    qsizetype i = 0;
    for (const QChar c : title) {
        if (i < wanted.size() && c.toLower() == wanted[i].toLower()) {
            ++i;
        }
    }
    return i == wanted.size() ? 3 : -1;
}

} // namespace

CommandPalette::CommandPalette(std::vector<Entry> entries, QWidget* parent)
    : QDialog(parent), entries_(std::move(entries)), input_(new QLineEdit(this)), list_(new QListWidget(this)) {
    setWindowTitle(tr("Commands"));
    setAttribute(Qt::WA_DeleteOnClose);
    resize(520, 420);
    input_->setPlaceholderText(tr("Go to a kind or namespace, or run a command"));
    input_->setAccessibleName(tr("Command"));
    list_->setAccessibleName(tr("Matching commands"));
    list_->setItemDelegate(new EntryDelegate(list_));
    list_->setUniformItemSizes(true);
    list_->setFocusPolicy(Qt::NoFocus);
    list_->setFrameShape(QFrame::NoFrame);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(grid::m, grid::m, grid::m, grid::m);
    column->addWidget(input_);
    column->addWidget(list_, 1);
    input_->installEventFilter(this);
    connect(input_, &QLineEdit::textChanged, this, &CommandPalette::fill);
    connect(input_, &QLineEdit::returnPressed, this, &CommandPalette::runCurrent);
    connect(list_, &QListWidget::itemClicked, this, &CommandPalette::runCurrent);
    fill({});
}

void CommandPalette::showEvent(QShowEvent* event) {
    QDialog::showEvent(event);
    input_->setFocus();
}

void CommandPalette::fill(const QString& filter) {
    const QString wanted = filter.trimmed();
    std::vector<std::pair<int, std::size_t>> found;
    for (std::size_t i = 0; i < entries_.size(); ++i) {
        if (const int r = rank(entries_[i].title, wanted); r >= 0) {
            found.emplace_back(r, i);
        }
    }
    std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    list_->clear();
    for (const auto& [r, i] : found) {
        const Entry& entry = entries_[i];
        auto* item = new QListWidgetItem(entry.title, list_);
        item->setData(EntryRole, static_cast<qulonglong>(i));
        item->setData(RightRole, entry.keys.isEmpty() ? entry.group : entry.keys);
        item->setData(IconRole, entry.icon);
        item->setData(Qt::AccessibleTextRole, entry.title + QStringLiteral(", ") + entry.group);
    }
    list_->setCurrentRow(0);
}

void CommandPalette::runCurrent() {
    const QListWidgetItem* item = list_->currentItem();
    if (item == nullptr) {
        return;
    }
    const auto run = entries_[item->data(EntryRole).toULongLong()].run;
    close();
    if (run) {
        run();
    }
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::KeyPress && list_->count() > 0) {
        int step = 0;
        switch (static_cast<QKeyEvent*>(event)->key()) {
        case Qt::Key_Down: step = 1; break;
        case Qt::Key_Up: step = -1; break;
        case Qt::Key_PageDown: step = 10; break;
        case Qt::Key_PageUp: step = -10; break;
        default: break;
        }
        if (step != 0) {
            list_->setCurrentRow(std::clamp(list_->currentRow() + step, 0, list_->count() - 1));
            return true;
        }
    }
    return QDialog::eventFilter(watched, event);
}

ShortcutList::ShortcutList(const std::vector<Shortcut>& shortcuts, QWidget* parent) : QDialog(parent) {
    setWindowTitle(tr("Keyboard"));
    setAttribute(Qt::WA_DeleteOnClose);
    resize(480, 520);
    auto* filter = new QLineEdit(this);
    filter->setPlaceholderText(tr("Search the keys"));
    filter->setAccessibleName(tr("Search the keys"));
    auto* list = new QTreeWidget(this);
    list->setColumnCount(2);
    list->setHeaderLabels({tr("Key"), tr("What it does")});
    list->header()->setAccessibleName(tr("Columns"));
    list->setRootIsDecorated(false);
    list->setAccessibleName(tr("Keyboard"));
    for (const auto& [keys, what] : shortcuts) {
        (new QTreeWidgetItem(list, {keys, what}))->setSizeHint(0, {0, grid::row});
    }
    list->resizeColumnToContents(0);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(grid::l, grid::l, grid::l, grid::l);
    column->addWidget(filter);
    column->addWidget(list, 1);
    connect(filter, &QLineEdit::textChanged, this, [list](const QString& text) {
        for (int i = 0; i < list->topLevelItemCount(); ++i) {
            auto* item = list->topLevelItem(i);
            item->setHidden(!item->text(0).contains(text, Qt::CaseInsensitive) &&
                            !item->text(1).contains(text, Qt::CaseInsensitive));
        }
    });
}

} // namespace alidade::ui
