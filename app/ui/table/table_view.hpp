// SPDX-License-Identifier: GPL-3.0-or-later
// What it is for: a table of live rows. Selection follows the object; ages and fades repaint what is in view, only.
// What it must not know: the session.
// Thread: GUI.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <QTableView>
#include <QTimer>

#include "alidade/guard/object.hpp"
#include "alidade/models/row_table_model.hpp"

namespace alidade::ui {

class TableView : public QTableView {
    Q_OBJECT

public:
    TableView(std::shared_ptr<const guard::Clock> clock, QWidget* parent = nullptr);

    void setRows(models::RowTableModel* model);
    [[nodiscard]] models::RowTableModel* rows() const { return model_; }
    [[nodiscard]] std::optional<guard::ObjectRef> currentObject() const;
    /// Selects and scrolls to the row with this key; remembered until it arrives.
    void selectKey(const std::string& key);
    /// Tab-separated, with a header line.
    void copySelection() const;

Q_SIGNALS:
    void objectSelected(const alidade::guard::ObjectRef& ref);
    void objectActivated(const alidade::guard::ObjectRef& ref);
    void objectMenu(const alidade::guard::ObjectRef& ref, const QPoint& globalPosition);
    /// Once per model: rows are on the screen.
    void rowsPainted();

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void currentChanged(const QModelIndex& current, const QModelIndex& previous) override;
    void selectionChanged(const QItemSelection& selected, const QItemSelection& deselected) override;

private:
    void announce();
    void remember();
    void restore();
    void fitColumns();
    void growColumns(const QModelIndex& from, const QModelIndex& to);
    void tick();
    void fade();

    std::shared_ptr<const guard::Clock> clock_;
    models::RowTableModel* model_ = nullptr;
    QTimer ageTimer_;
    QTimer fadeTimer_;
    QTimer fitTimer_;
    std::vector<std::string> selectedKeys_;
    std::string currentKey_;
    std::string wantedKey_;
    std::string announcedKey_;
    bool restoring_ = false;
    bool fitting_ = false; ///< sections are resized by the program
    bool painted_ = false;
    int flexible_ = -1;  ///< the column that takes what room there is
    int fittedRows_ = 0; ///< columns have been measured on so many rows
    bool userSized_ = false;
};

} // namespace alidade::ui
