// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/navigator_view.hpp"

#include <algorithm>

#include <QHeaderView>
#include <QLocale>
#include <QPainter>
#include <QStyledItemDelegate>

#include "parts/words.hpp"
#include "theme/icons.hpp"
#include "theme/tokens.hpp"

namespace alidade::ui {
namespace {

using Model = models::NavigatorModel;

class NavigatorDelegate final : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        const Tokens& t = tokensOf(option.palette);
        const auto type = static_cast<Model::Type>(index.data(Model::TypeRole).toInt());
        const int badge = index.data(Model::BadgeRole).toInt();
        const bool selected = (option.state & QStyle::State_Selected) != 0;
        const QRect all = option.rect;
        QRect box = all.adjusted(grid::m, 0, -grid::m, 0);
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        if (type == Model::Type::Category) {
            QFont font = smallFont();
            font.setWeight(QFont::DemiBold);
            painter->setFont(font);
            painter->setPen(t.muted);
            painter->drawText(box.adjusted(0, 6, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, index.data().toString());
            painter->restore();
            return;
        }
        const bool hover = (option.state & QStyle::State_MouseOver) != 0;
        const bool focus = selected && (option.state & QStyle::State_HasFocus) != 0;
        if (selected || hover) {
            painter->setPen(focus ? QPen(t.accent, 2) : QPen(Qt::NoPen));
            painter->setBrush(selected ? t.selection : t.sunken);
            painter->drawRoundedRect(QRectF(all).adjusted(grid::xs, 1, -grid::xs, -1), 4, 4);
        }
        QFont font = option.font;
        if (type == Model::Type::Trouble) {
            paintIcon(*painter, QRectF(box.left(), box.center().y() - 7, 15, 15),
                      badge > 0    ? QStringLiteral("state-bad")
                      : badge == 0 ? QStringLiteral("state-ok")
                                   : QStringLiteral("state-unknown"),
                      badge > 0    ? t.bad
                      : badge == 0 ? t.good
                                   : t.muted,
                      selected ? t.selection : t.raised);
            box.setLeft(box.left() + 22);
            font.setWeight(QFont::DemiBold);
        } else {
            box.setLeft(box.left() + grid::s);
        }
        box.setRight(box.right() - paintNumbers(painter, box, index, t));
        painter->setFont(font);
        painter->setPen(t.text);
        painter->drawText(box, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
                          QFontMetrics(font).elidedText(index.data().toString(), Qt::ElideRight, box.width()));
        painter->restore();
    }

    QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex& index) const override {
        const auto type = static_cast<Model::Type>(index.data(Model::TypeRole).toInt());
        return {120, type == Model::Type::Category ? 30 : type == Model::Type::Trouble ? 32 : 26};
    }

private:
    /// Count and badge at the right; the width they took.
    static int paintNumbers(QPainter* painter, const QRect& box, const QModelIndex& index, const Tokens& t) {
        const QFont small = smallFont();
        const QFontMetrics metrics(small);
        const QLocale locale;
        const int badge = index.data(Model::BadgeRole).toInt();
        painter->setFont(small);
        int taken = 0;
        if (const QVariant count = index.data(Model::CountRole); count.isValid()) {
            const QString text = locale.toString(count.toInt());
            painter->setPen(t.muted);
            painter->drawText(box, Qt::AlignRight | Qt::AlignVCenter, text);
            taken = std::max(20, metrics.horizontalAdvance(text)) + grid::s;
        }
        if (badge > 0) {
            const QString text = locale.toString(badge);
            const int width = std::max(18, metrics.horizontalAdvance(text) + 10);
            const QRectF pill(box.right() + 1 - taken - width, box.center().y() - 7.5, width, 16);
            painter->setPen(Qt::NoPen);
            painter->setBrush(t.bad);
            painter->drawRoundedRect(pill, 8, 8);
            painter->setPen(t.dark ? t.onAccent : t.surface);
            painter->drawText(pill, Qt::AlignCenter, text);
            taken += width + grid::xs;
        }
        return taken;
    }
};

} // namespace

NavigatorView::NavigatorView(models::NavigatorModel* model, QWidget* parent) : QTreeView(parent), model_(model) {
    setItemDelegate(new NavigatorDelegate(this));
    setModel(model);
    setHeaderHidden(true);
    setRootIsDecorated(false);
    setIndentation(0);
    setFrameShape(NoFrame);
    setEditTriggers(NoEditTriggers);
    setMouseTracking(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setAccessibleName(tr("Navigator"));
    header()->setStretchLastSection(true);
    header()->setAccessibleName(tr("Navigator"));
    setItemsExpandable(false);
    expandAll();
    viewport()->setBackgroundRole(QPalette::Window);
    connect(model, &QAbstractItemModel::modelReset, this, &NavigatorView::expandAll);
}

void NavigatorView::setHere(const QModelIndex& index) {
    quiet_ = true;
    setCurrentIndex(index);
    quiet_ = false;
}

void NavigatorView::currentChanged(const QModelIndex& current, const QModelIndex& previous) {
    QTreeView::currentChanged(current, previous);
    if (quiet_ || !current.isValid()) {
        return;
    }
    if (static_cast<Model::Type>(current.data(Model::TypeRole).toInt()) == Model::Type::Trouble) {
        Q_EMIT troubleChosen();
    } else if (const auto kind = model_->kindAt(current)) {
        Q_EMIT kindChosen(*kind);
    }
}

} // namespace alidade::ui
