// SPDX-License-Identifier: GPL-3.0-or-later
#include "approval/approve_button.hpp"

#include <QAccessible>
#include <QAccessibleWidget>
#include <QPainter>

namespace alidade::ui {

namespace {

class ApproveButtonAccessible final : public QAccessibleWidget {
public:
    explicit ApproveButtonAccessible(ApproveButton* button)
        : QAccessibleWidget(button, QAccessible::PushButton), button_(button) {}

    QString text(QAccessible::Text which) const override {
        return which == QAccessible::Name ? button_->text() : QAccessibleWidget::text(which);
    }
    QAccessible::State state() const override {
        QAccessible::State state = QAccessibleWidget::state();
        state.disabled = !button_->ready();
        return state;
    }
    QStringList actionNames() const override { return {pressAction()}; }
    void doAction(const QString& name) override {
        if (name == pressAction() && button_->accessiblePress)
            button_->accessiblePress();
    }
    QStringList keyBindingsForAction(const QString&) const override { return {}; }

private:
    ApproveButton* button_;
};

QAccessibleInterface* makeAccessible(const QString& className, QObject* object) {
    if (className == QLatin1String("alidade::ui::ApproveButton"))
        if (auto* button = qobject_cast<ApproveButton*>(object))
            return new ApproveButtonAccessible(button); // owned by Qt's accessible cache
    return nullptr;
}

} // namespace

ApproveButton::ApproveButton(QWidget* parent) : QWidget(parent) {
    QAccessible::installFactory(makeAccessible); // installing it again is a no-op
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Minimum, QSizePolicy::Fixed);
    setAttribute(Qt::WA_Hover);
    setObjectName(QStringLiteral("approve"));
}

void ApproveButton::setText(const QString& text) {
    if (text == text_)
        return;
    text_ = text;
    setAccessibleName(text);
    updateGeometry();
    update();
}

void ApproveButton::setProgress(double progress, bool ready) {
    if (progress == progress_ && ready == ready_)
        return;
    progress_ = progress;
    ready_ = ready;
    update();
}

void ApproveButton::setColours(const QColor& fill, const QColor& text, const QColor& idle, const QColor& idleText,
                               const QColor& focus) {
    fill_ = fill;
    textColour_ = text;
    idle_ = idle;
    idleText_ = idleText;
    focus_ = focus;
    update();
}

QSize ApproveButton::sizeHint() const { return {fontMetrics().horizontalAdvance(text_) + 16 + 20 + 16, 32}; }

void ApproveButton::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const bool on = ready();
    const QRectF box = QRectF(rect()).adjusted(2, 2, -2, -2);
    painter.setPen(on ? QPen(Qt::NoPen) : QPen(idleText_, 1));
    painter.setBrush(on ? fill_ : idle_);
    painter.drawRoundedRect(box, 4, 4);
    if (hasFocus()) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(focus_, 2));
        painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 5, 5);
    }
    const QRectF ring(box.left() + 10, box.center().y() - 7, 14, 14);
    painter.setBrush(Qt::NoBrush);
    const QColor ink = on ? textColour_ : idleText_;
    if (progress_ < 1.0) {
        QColor faint = ink;
        faint.setAlphaF(0.3F);
        painter.setPen(QPen(faint, 2));
        painter.drawEllipse(ring);
        painter.setPen(QPen(ink, 2));
        painter.drawArc(ring, 90 * 16, -static_cast<int>(progress_ * 360 * 16));
    } else if (on) {
        painter.setPen(QPen(ink, 2, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        painter.drawPolyline(QPolygonF{ring.topLeft() + QPointF(1, 8), ring.topLeft() + QPointF(5, 12),
                                       ring.topLeft() + QPointF(13, 3)});
    } else {
        painter.setPen(QPen(ink, 2));
        painter.drawEllipse(ring);
    }
    painter.setPen(ink);
    painter.drawText(QRectF(ring.right() + 8, box.top(), box.right() - ring.right() - 16, box.height()),
                     Qt::AlignVCenter | Qt::AlignLeft, text_);
}

void ApproveButton::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    update();
}

void ApproveButton::focusOutEvent(QFocusEvent* event) {
    QWidget::focusOutEvent(event);
    update();
}

} // namespace alidade::ui
