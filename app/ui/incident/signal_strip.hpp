// SPDX-License-Identifier: GPL-3.0-or-later
// What it is for: the named signal over the run, ready ratio and restarts, with a mark where a change was executed.
// What it must not know: where the points come from.
// Thread: GUI. Redrawn at most four times a second.
#pragma once

#include <optional>
#include <vector>

#include <QPointF>
#include <QTimer>
#include <QWidget>

#include "alidade/models/run_models.hpp"

class QChartView;
class QLineSeries;
class QValueAxis;

namespace alidade::ui {

/// Fewer points that still show every dip (`lowest`) or every peak: the extreme of each of `most` buckets, and the
/// ends.
[[nodiscard]] QList<QPointF> thinned(const QList<QPointF>& points, int most, bool lowest);

class SignalStrip final : public QWidget {
    Q_OBJECT

public:
    explicit SignalStrip(QWidget* parent = nullptr);
    /// Hidden while there are fewer than two points.
    void setState(const models::RunStatePtr& state);
    [[nodiscard]] int redraws() const { return redraws_; } ///< for tests of the pace

protected:
    void changeEvent(QEvent* event) override;

private:
    void redraw();
    void recolour();
    void describe(const agent::SignalPoint& last, bool executed);

    class Legend;
    Legend* legend_;
    QChartView* view_;
    QLineSeries* ready_;
    QLineSeries* restarts_;
    QLineSeries* executed_;
    QValueAxis* time_;
    QValueAxis* ratio_;
    QValueAxis* count_;
    QTimer pace_;
    models::RunStatePtr state_;
    bool pending_ = false;
    int redraws_ = 0;
};

} // namespace alidade::ui
