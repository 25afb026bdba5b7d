// SPDX-License-Identifier: GPL-3.0-or-later
// What it is for: one entry of the trail: time, shape, kind word, title, duration; opened, its detail and checks.
// What it must not know: where the list scrolls.
// Thread: GUI.
#pragma once

#include <vector>

#include <QStyledItemDelegate>

#include "alidade/models/run_models.hpp"

class QAbstractItemView;

namespace alidade::ui {

class TimelineDelegate final : public QStyledItemDelegate {
    Q_OBJECT

public:
    TimelineDelegate(models::TimelineModel* model, QAbstractItemView* view);

    /// The longest duration of the run: a full bar.
    void setLongest(guard::Millis longest) { longest_ = longest; }
    /// The last entry of a running run carries a moving bar at this phase (0..1); below 0 it stands still.
    void setPhase(double phase) { phase_ = phase; }
    void setWaiting(bool waiting) { waiting_ = waiting; }
    [[nodiscard]] int closedHeight(const QFont& font) const;

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    bool helpEvent(QHelpEvent* event, QAbstractItemView* view, const QStyleOptionViewItem& option,
                   const QModelIndex& index) override;
    bool editorEvent(QEvent* event, QAbstractItemModel* model, const QStyleOptionViewItem& option,
                     const QModelIndex& index) override;

Q_SIGNALS:
    void toggled(const QModelIndex& index);
    void openReference(const alidade::guard::EvidenceRef& ref, bool beside);

private:
    struct Chip {
        QRect where;
        std::size_t ref;
    };
    /// Draws the opened part below `top` (or only measures it, without a painter); the height it takes.
    int detail(QPainter* painter, const QRect& row, int top, const guard::RunEvent& event,
               const QStyleOptionViewItem& option, std::vector<Chip>* chips) const;
    void header(QPainter& painter, const QRect& row, const guard::RunEvent& event, const QModelIndex& index,
                const QStyleOptionViewItem& option) const;
    /// A shape per check, or their sum when there is no room; the left edge of what was drawn.
    int checksInARow(QPainter& painter, const guard::Verdict& verdict, int right, int room, const QRect& row,
                     const QStyleOptionViewItem& option, const QColor& inverted) const;
    [[nodiscard]] int kindWidth(const QFont& font) const;

    models::TimelineModel* model_;
    QAbstractItemView* view_;
    guard::Millis longest_{0};
    double phase_ = -1;
    bool waiting_ = false;
};

} // namespace alidade::ui
