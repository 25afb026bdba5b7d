// SPDX-License-Identifier: GPL-3.0-or-later
// What it is for: how the run ended (a banner), and what is to be done and has become of it (a panel with one button).
// What it must not know: the desk. The button opens a dialog and approves nothing.
// Thread: GUI.
#pragma once

#include <QLabel>
#include <QPushButton>
#include <QWidget>

#include "incident/incident_dock.hpp"
#include "incident/run_words.hpp"

namespace alidade::ui {

class ElidedLabel;

/// A full-width band: shape, word and reason.
class OutcomeBanner final : public QWidget {
    Q_OBJECT

public:
    explicit OutcomeBanner(QWidget* parent = nullptr);
    /// Hidden while there is no outcome.
    void setState(const RunStatePtr& state);
    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;
    [[nodiscard]] QString word() const { return word_; }
    [[nodiscard]] QString reason() const { return reason_; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    guard::RunOutcome outcome_ = guard::RunOutcome::Resolved;
    QString word_;
    QString reason_;
};

class PlanPanel final : public QWidget {
    Q_OBJECT

public:
    explicit PlanPanel(QWidget* parent = nullptr);
    void show(const RunStatePtr& state, const ProposalPtr& proposal);
    using QWidget::show;

Q_SIGNALS:
    void reviewRequested();
    void openObject(const alidade::guard::ObjectRef& ref);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QLabel* action_;
    ElidedLabel* risk_;
    ElidedLabel* stand_;
    QLabel* why_;
    QPushButton* review_;
    PlanStand::Kind kind_ = PlanStand::Kind::None;
};

} // namespace alidade::ui
