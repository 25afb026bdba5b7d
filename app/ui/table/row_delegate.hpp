// SPDX-License-Identifier: GPL-3.0-or-later
// What it is for: one cell of a live table: state as shape and word, numbers right, names elided in the middle.
// What it must not know: where rows come from.
// Thread: GUI.
#pragma once

#include <QStyledItemDelegate>

namespace alidade::ui {

class RowDelegate final : public QStyledItemDelegate {
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    /// Width a cell wants, with its margins and shape.
    [[nodiscard]] static int widthOf(const QModelIndex& index, const QFontMetrics& metrics);
};

} // namespace alidade::ui
