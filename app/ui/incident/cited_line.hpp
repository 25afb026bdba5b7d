// SPDX-License-Identifier: GPL-3.0-or-later
// What it is for: a short wrapped line of plain text that ends in small widgets (citation chips, a mark).
// What it must not know: what the widgets mean.
// Thread: GUI.
#pragma once

#include <memory>
#include <vector>

#include <QString>
#include <QWidget>

class QTextLayout;

namespace alidade::ui {

class CitedLine final : public QWidget {
    Q_OBJECT

public:
    /// `quiet`: drawn in the muted colour, with a hollow bullet.
    CitedLine(const QString& text, bool quiet, QWidget* parent);
    ~CitedLine() override;

    /// Takes the widget as a child; stands after the last word, or on a line of its own when there is no room.
    void addInline(QWidget* widget);
    [[nodiscard]] QString text() const { return text_; }

    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    /// Breaks the text and, when `apply`, places the widgets. The height needed.
    int place(int width, bool apply) const;

    QString text_;
    bool quiet_;
    std::vector<QWidget*> inline_;
    std::unique_ptr<QTextLayout> layout_;
};

} // namespace alidade::ui
