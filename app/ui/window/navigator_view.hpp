// SPDX-License-Identifier: GPL-3.0-or-later
// What it is for: the navigator on screen: headings, kinds, counts, trouble badges.
// What it must not know: sessions.
// Thread: GUI.
#pragma once

#include <QTreeView>

#include "alidade/models/navigator_model.hpp"

namespace alidade::ui {

class NavigatorView : public QTreeView {
    Q_OBJECT

public:
    explicit NavigatorView(models::NavigatorModel* model, QWidget* parent = nullptr);
    /// Shows where the window is, without asking for anything.
    void setHere(const QModelIndex& index);

Q_SIGNALS:
    void troubleChosen();
    void kindChosen(const alidade::guard::KindId& kind);

protected:
    void currentChanged(const QModelIndex& current, const QModelIndex& previous) override;

private:
    models::NavigatorModel* model_;
    bool quiet_ = false;
};

} // namespace alidade::ui
