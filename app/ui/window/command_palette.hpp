// SPDX-License-Identifier: GPL-3.0-or-later
// What it is for: Ctrl+K: everything the window can do or show, by typing a part of its name; and F1's list of keys.
// What it must not know: what the entries do.
// Thread: GUI.
#pragma once

#include <functional>
#include <vector>

#include <QDialog>

class QLineEdit;
class QListWidget;

namespace alidade::ui {

class CommandPalette : public QDialog {
    Q_OBJECT

public:
    struct Entry {
        QString icon;
        QString title;
        QString group; ///< "Kind", "Namespace", "Action"
        QString keys;  ///< shown at the right; may be empty
        std::function<void()> run;
    };
    CommandPalette(std::vector<Entry> entries, QWidget* parent);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    void fill(const QString& filter);
    void runCurrent();

    std::vector<Entry> entries_;
    QLineEdit* input_;
    QListWidget* list_;
};

class ShortcutList : public QDialog {
    Q_OBJECT

public:
    struct Shortcut {
        QString keys;
        QString what;
    };
    ShortcutList(const std::vector<Shortcut>& shortcuts, QWidget* parent);
};

} // namespace alidade::ui
