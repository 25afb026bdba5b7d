// SPDX-License-Identifier: GPL-3.0-or-later
// What it is for: small widgets used all over: elided labels, chips, empty states, a flow layout.
// What it must not know: clusters and runs.
// Thread: GUI. All text is plain text.
#pragma once

#include <functional>

#include <QAbstractButton>
#include <QFrame>
#include <QLabel>
#include <QLayout>
#include <QPushButton>
#include <QString>
#include <QToolButton>

namespace alidade::ui {

/// Motion may be shown.
[[nodiscard]] bool motionAllowed();

/// One line, elided in the middle or at the end, whole text in the tool tip and for the screen reader.
class ElidedLabel : public QWidget {
    Q_OBJECT

public:
    explicit ElidedLabel(Qt::TextElideMode mode = Qt::ElideMiddle, QWidget* parent = nullptr);
    void setText(const QString& text);
    [[nodiscard]] QString text() const { return text_; }
    /// A role of the palette, or "muted", "good", "warn", "bad", "accent", "blocked".
    void setTone(const QString& tone);
    /// A shape before the text, in the label's tone or one of its own.
    void setMark(const QString& iconName, const QString& tone = {});
    void setAlignment(Qt::Alignment alignment);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Qt::TextElideMode mode_;
    QString text_;
    QString tone_;
    QString mark_;
    QString markTone_;
    Qt::Alignment alignment_ = Qt::AlignLeft | Qt::AlignVCenter;
};

[[nodiscard]] QColor toneColour(const QString& tone, const QPalette& palette);

/// "E3" in a rounded outline. A press opens its place.
class Chip : public QAbstractButton {
    Q_OBJECT

public:
    explicit Chip(const QString& text, QWidget* parent = nullptr);
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
};

/// Text that opens something; focusable, underlined on hover.
class LinkLabel : public QAbstractButton {
    Q_OBJECT

public:
    explicit LinkLabel(const QString& text = {}, QWidget* parent = nullptr);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
};

/// One sentence, one reason, one action.
class EmptyState : public QWidget {
    Q_OBJECT

public:
    explicit EmptyState(QWidget* parent = nullptr);
    void show(const QString& iconName, const QString& tone, const QString& sentence, const QString& reason,
              const QString& action = {}, std::function<void()> run = {});
    using QWidget::show;
    [[nodiscard]] QString sentence() const { return sentence_->text(); }
    [[nodiscard]] QString reason() const { return reason_->text(); }

protected:
    void changeEvent(QEvent* event) override;

private:
    void tint();
    QLabel* picture_;
    QLabel* sentence_;
    QLabel* reason_;
    QPushButton* button_;
    QString iconName_;
    QString tone_;
    std::function<void()> run_;
};

/// Left to right, then a new line.
class FlowLayout : public QLayout {
public:
    explicit FlowLayout(QWidget* parent = nullptr, int gap = 4);
    ~FlowLayout() override;
    void addItem(QLayoutItem* item) override;
    [[nodiscard]] int count() const override;
    [[nodiscard]] QLayoutItem* itemAt(int index) const override;
    QLayoutItem* takeAt(int index) override;
    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSize() const override;
    [[nodiscard]] Qt::Orientations expandingDirections() const override { return {}; }
    void setGeometry(const QRect& rect) override;

private:
    int place(const QRect& rect, bool apply) const;
    QList<QLayoutItem*> items_;
    int gap_;
};

/// A wrapped, selectable, plain-text label.
[[nodiscard]] QLabel* textLabel(const QString& text, QWidget* parent, const QString& tone = {});
/// Small, semibold, muted: the heading of a group.
[[nodiscard]] QLabel* groupLabel(const QString& text, QWidget* parent);
/// A flat button with an icon of the family; the text is its accessible name and tool tip.
[[nodiscard]] QToolButton* iconButton(const QString& iconName, const QString& text, QWidget* parent);

} // namespace alidade::ui
