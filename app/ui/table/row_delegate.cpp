// SPDX-License-Identifier: GPL-3.0-or-later
#include "table/row_delegate.hpp"

#include <QPainter>

#include "alidade/models/row_table_model.hpp"
#include "parts/parts.hpp"
#include "theme/icons.hpp"
#include "theme/tokens.hpp"

namespace alidade::ui {
namespace {

using Model = models::RowTableModel;
constexpr int margin = grid::s;
constexpr int shape = 14;

} // namespace

void RowDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const Tokens& t = tokensOf(option.palette);
    const bool selected = (option.state & QStyle::State_Selected) != 0;
    const double changed = index.data(Model::ChangedRole).toDouble();
    QColor ground = selected ? t.selection : t.surface;
    if (changed > 0) {
        ground = mix(ground, t.changed, motionAllowed() ? changed : 1.0);
    }
    painter->fillRect(option.rect, ground);
    painter->fillRect(QRect(option.rect.left(), option.rect.bottom(), option.rect.width(), 1),
                      selected ? t.selection : mix(t.hairline, t.surface, 0.35));

    QRect box = option.rect.adjusted(margin, 0, -margin, 0);
    QColor pen = t.text;
    const auto health = static_cast<cluster::Health>(index.data(Model::HealthRole).toInt());
    if (index.data(Model::StatusRole).toBool()) {
        const Mark mark = markOf(health, t);
        paintIcon(*painter, QRectF(box.left(), box.center().y() - shape / 2.0 + 0.5, shape, shape),
                  QString::fromLatin1(mark.shape), mark.colour, ground);
        box.setLeft(box.left() + shape + 6);
        pen = health == cluster::Health::Bad || health == cluster::Health::Warning ? mark.colour : t.text;
    } else if (index.column() > 0 && !index.data(Model::ElideMiddleRole).toBool()) {
        pen = selected ? t.text : mix(t.text, t.muted, 0.55);
    }
    if (health == cluster::Health::Done) {
        pen = t.muted;
    }
    painter->setPen(pen);
    painter->setFont(option.font);
    const bool middle = index.data(Model::ElideMiddleRole).toBool();
    const QString text =
        option.fontMetrics.elidedText(index.data().toString(), middle ? Qt::ElideMiddle : Qt::ElideRight, box.width());
    painter->drawText(box, index.data(Qt::TextAlignmentRole).toInt() | Qt::TextSingleLine, text);
    if ((option.state & QStyle::State_HasFocus) != 0) {
        painter->fillRect(QRect(option.rect.left(), option.rect.bottom() - 1, option.rect.width(), 2), t.accent);
    }
}

int RowDelegate::widthOf(const QModelIndex& index, const QFontMetrics& metrics) {
    const int marked = index.data(Model::StatusRole).toBool() ? shape + 6 : 0;
    return metrics.horizontalAdvance(index.data().toString()) + 2 * margin + marked + 6;
}

} // namespace alidade::ui
