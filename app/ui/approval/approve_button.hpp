// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Looks and reads like a button, and approves nothing: the dialog's event filter feeds its input to the gate. It has no
// mnemonic, no shortcut, is never default, and its accessible press goes the typed path.
#include <functional>

#include <QColor>
#include <QString>
#include <QWidget>

namespace alidade::ui {

class ApproveButton final : public QWidget {
    Q_OBJECT

public:
    explicit ApproveButton(QWidget* parent = nullptr);
    void setText(const QString& text);
    /// 0..1; the ring is drawn below 1, the button looks pressable at 1 and `ready`.
    void setProgress(double progress, bool ready);
    void setColours(const QColor& fill, const QColor& text, const QColor& idle, const QColor& idleText,
                    const QColor& focus);
    [[nodiscard]] QString text() const { return text_; }
    [[nodiscard]] bool ready() const noexcept { return ready_ && progress_ >= 1.0; }
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

    std::function<void()> accessiblePress; ///< what assistive technology's press does

protected:
    void paintEvent(QPaintEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    QString text_;
    double progress_ = 0;
    bool ready_ = false;
    QColor fill_, textColour_, idle_, idleText_, focus_;
};

} // namespace alidade::ui
