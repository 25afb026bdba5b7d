// SPDX-License-Identifier: GPL-3.0-or-later
// What it is for: all steps of the loop in one row: past, present, future, skipped and failed, by shape and word.
// What it must not know: how a run gets on.
// Thread: GUI.
#pragma once

#include <array>

#include <QString>
#include <QWidget>

#include "alidade/models/run_models.hpp"

namespace alidade::ui {

class StageRail final : public QWidget {
    Q_OBJECT

public:
    explicit StageRail(QWidget* parent = nullptr);

    void setState(const models::RunStatePtr& state);
    /// A person is waited for: the current step shows a clock and does not move.
    void setWaiting(bool waiting);
    /// 0..1, of the moving indicator.
    void setPhase(double phase);

    /// Where a step's shape stands, for tests and tool tips.
    [[nodiscard]] QRect stepRect(int index) const;
    /// "Gather: done, 1.2 s".
    [[nodiscard]] QString stepText(int index) const;
    /// The line below the shapes.
    [[nodiscard]] QString caption() const;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    bool event(QEvent* event) override;

private:
    static constexpr int steps = static_cast<int>(guard::allSteps.size());
    [[nodiscard]] int stepAt(const QPoint& where) const;
    void paintStep(class QPainter& painter, int index) const;

    std::array<models::StepState, guard::allSteps.size()> states_{};
    std::array<guard::Millis, guard::allSteps.size()> spent_{};
    std::array<bool, guard::allSteps.size()> blocked_{};
    int current_ = -1; ///< the last step reached
    bool ended_ = false;
    bool waiting_ = false;
    double phase_ = 0;
    int hovered_ = -1;
};

} // namespace alidade::ui
