// SPDX-License-Identifier: GPL-3.0-or-later
// What it is for: the live trail of a run: follows the newest unless scrolled away, filters by kind, opens in place.
// What it must not know: what the events are about.
// Thread: GUI.
#pragma once

#include <string>

#include <QListView>
#include <QWidget>

#include "alidade/models/run_models.hpp"

class QComboBox;
class QPushButton;

namespace alidade::ui {

class ElidedLabel;
class TimelineDelegate;

/// The list itself: keys, the context menu, and following.
class TimelineList final : public QListView {
    Q_OBJECT

public:
    TimelineList(models::TimelineModel* model, QWidget* parent);

    [[nodiscard]] TimelineDelegate* entries() const { return delegate_; }
    [[nodiscard]] bool following() const { return following_; }
    void toggle(const QModelIndex& index);
    void follow();                                            ///< to the newest, and stay there
    void refreshLast();                                       ///< repaints the moving entry
    void setNothing(const QString& text) { nothing_ = text; } ///< said when the list has nothing to show
    [[nodiscard]] QString nothing() const { return nothing_; }

Q_SIGNALS:
    void followingChanged(bool following);
    void openReference(const alidade::guard::EvidenceRef& ref, bool beside);

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void copyEntry() const;
    void setFollowing(bool following);
    models::TimelineModel* model_;
    TimelineDelegate* delegate_;
    QPushButton* newest_;
    QString nothing_;
    bool following_ = true;
};

class TimelineView final : public QWidget {
    Q_OBJECT

public:
    explicit TimelineView(QWidget* parent = nullptr);

    void setState(const models::RunStatePtr& state);
    void setPhase(double phase); ///< below 0: no motion
    void setWaiting(bool waiting);
    [[nodiscard]] int wantedHeight() const; ///< that shows every entry, closed
    [[nodiscard]] TimelineList* list() const { return list_; }
    [[nodiscard]] models::TimelineModel* model() const { return model_; }

Q_SIGNALS:
    void openReference(const alidade::guard::EvidenceRef& ref, bool beside);

private:
    void applyFilter(int from);
    void openBlocked(int from);
    models::TimelineModel* model_;
    TimelineList* list_;
    QComboBox* kinds_;
    ElidedLabel* count_;
    std::string incident_;
};

} // namespace alidade::ui
