// SPDX-License-Identifier: GPL-3.0-or-later
#include "parts/parts.hpp"

#include <QApplication>
#include <QEvent>
#include <QPainter>
#include <QStyle>
#include <QStyleOption>
#include <QVBoxLayout>

#include "alidade/models/text.hpp"
#include "alidade/ui/appearance.hpp"
#include "parts/words.hpp"
#include "theme/icons.hpp"
#include "theme/tokens.hpp"

namespace alidade::ui {

bool motionAllowed() { return !reducedMotion(); }

QColor toneColour(const QString& tone, const QPalette& palette) {
    const Tokens& t = tokensOf(palette);
    if (tone == u"muted") {
        return t.muted;
    }
    if (tone == u"good") {
        return t.good;
    }
    if (tone == u"warn") {
        return t.warn;
    }
    if (tone == u"bad") {
        return t.bad;
    }
    if (tone == u"accent") {
        return t.accent;
    }
    if (tone == u"blocked") {
        return t.blocked;
    }
    return palette.color(QPalette::WindowText);
}

ElidedLabel::ElidedLabel(Qt::TextElideMode mode, QWidget* parent) : QWidget(parent), mode_(mode) {
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

void ElidedLabel::setText(const QString& text) {
    if (text == text_) {
        return;
    }
    text_ = text;
    setAccessibleName(text);
    setToolTip(models::plainTip(text));
    updateGeometry();
    update();
}
void ElidedLabel::setTone(const QString& tone) {
    tone_ = tone;
    update();
}
void ElidedLabel::setMark(const QString& iconName, const QString& tone) {
    mark_ = iconName;
    markTone_ = tone;
    updateGeometry();
    update();
}
void ElidedLabel::setAlignment(Qt::Alignment alignment) {
    alignment_ = alignment;
    update();
}

QSize ElidedLabel::sizeHint() const {
    const QFontMetrics metrics(font());
    return {metrics.horizontalAdvance(text_) + (mark_.isEmpty() ? 2 : 22), qMax(metrics.height(), 18)};
}
QSize ElidedLabel::minimumSizeHint() const { return {24, sizeHint().height()}; }

void ElidedLabel::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    QRect box = rect();
    const QColor colour = toneColour(tone_, palette());
    const QFontMetrics metrics(font());
    if (!mark_.isEmpty()) {
        int x = 0;
        const int needed = metrics.horizontalAdvance(text_) + 20;
        if ((alignment_ & Qt::AlignRight) != 0) {
            x = qMax(0, width() - needed);
        }
        paintIcon(painter, QRectF(x, (height() - 14) / 2.0, 14, 14), mark_,
                  markTone_.isEmpty() ? colour : toneColour(markTone_, palette()), tokensOf(palette()).raised);
        box.setLeft(x + 19);
    }
    painter.setPen(colour);
    painter.drawText(box, static_cast<int>(alignment_) | Qt::TextSingleLine,
                     metrics.elidedText(text_, mode_, box.width()));
}

Chip::Chip(const QString& text, QWidget* parent) : QAbstractButton(parent) {
    setText(text);
    QFont font = monoFont();
    font.setPointSizeF(font.pointSizeF() * 0.88);
    setFont(font);
    setCursor(Qt::PointingHandCursor);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_Hover);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}
QSize Chip::sizeHint() const { return {fontMetrics().horizontalAdvance(text()) + 12, fontMetrics().height() + 4}; }

void Chip::paintEvent(QPaintEvent*) {
    const Tokens& t = tokensOf(palette());
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const bool lit = underMouse() || isDown();
    painter.setPen(QPen(hasFocus() ? t.accent : lit ? t.accent : t.border, hasFocus() ? 2 : 1));
    painter.setBrush(lit ? t.selection : t.surface);
    painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 4, 4);
    painter.setPen(t.accent);
    painter.drawText(rect(), Qt::AlignCenter, text());
}

LinkLabel::LinkLabel(const QString& text, QWidget* parent) : QAbstractButton(parent) {
    setText(text);
    setCursor(Qt::PointingHandCursor);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_Hover);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}
QSize LinkLabel::sizeHint() const { return {fontMetrics().horizontalAdvance(text()) + 4, fontMetrics().height() + 4}; }
QSize LinkLabel::minimumSizeHint() const { return {32, sizeHint().height()}; }

void LinkLabel::paintEvent(QPaintEvent*) {
    const Tokens& t = tokensOf(palette());
    QPainter painter(this);
    QFont drawn = font();
    drawn.setUnderline(underMouse() && isEnabled());
    painter.setFont(drawn);
    painter.setPen(isEnabled() ? t.accent : t.muted);
    painter.drawText(rect().adjusted(0, 0, -2, 0), Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
                     fontMetrics().elidedText(text(), Qt::ElideMiddle, width() - 2));
    if (hasFocus()) {
        QStyleOptionFocusRect option;
        option.initFrom(this);
        style()->drawPrimitive(QStyle::PE_FrameFocusRect, &option, &painter, this);
    }
}

EmptyState::EmptyState(QWidget* parent)
    : QWidget(parent), picture_(new QLabel(this)), sentence_(new QLabel(this)), reason_(new QLabel(this)),
      button_(new QPushButton(this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(grid::xl, grid::xl, grid::xl, grid::xl);
    column->setSpacing(grid::s);
    column->addStretch(2);
    column->addWidget(picture_, 0, Qt::AlignHCenter);
    sentence_->setTextFormat(Qt::PlainText);
    sentence_->setWordWrap(true);
    sentence_->setAlignment(Qt::AlignHCenter);
    sentence_->setFont(headingFont(2));
    reason_->setTextFormat(Qt::PlainText);
    reason_->setWordWrap(true);
    reason_->setAlignment(Qt::AlignHCenter | Qt::AlignTop);
    reason_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    column->addWidget(sentence_);
    column->addWidget(reason_);
    column->addSpacing(grid::xs);
    column->addWidget(button_, 0, Qt::AlignHCenter);
    column->addStretch(3);
    picture_->setAccessibleName(tr("State"));
    connect(button_, &QPushButton::clicked, this, [this] {
        if (run_) {
            run_();
        }
    });
}

void EmptyState::show(const QString& iconName, const QString& tone, const QString& sentence, const QString& reason,
                      const QString& action, std::function<void()> run) {
    iconName_ = iconName;
    tone_ = tone;
    sentence_->setText(sentence);
    reason_->setText(reason);
    reason_->setVisible(!reason.isEmpty());
    button_->setText(action);
    button_->setVisible(!action.isEmpty());
    run_ = std::move(run);
    tint();
}

void EmptyState::tint() {
    const QPalette now = QApplication::palette();
    const Tokens& t = tokensOf(now);
    QPalette quiet;
    if (!iconName_.isEmpty()) {
        picture_->setPixmap(iconPixmap(iconName_, 32, toneColour(tone_, now), t.surface, devicePixelRatioF()));
    }
    quiet.setColor(QPalette::WindowText, t.muted);
    quiet.setColor(QPalette::Text, t.muted);
    reason_->setPalette(quiet);
}

void EmptyState::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) { // the application's own comes to windows only
        tint();
    }
}

FlowLayout::FlowLayout(QWidget* parent, int gap) : QLayout(parent), gap_(gap) { setContentsMargins(0, 0, 0, 0); }
FlowLayout::~FlowLayout() { qDeleteAll(items_); }
void FlowLayout::addItem(QLayoutItem* item) { items_.append(item); }
int FlowLayout::count() const { return static_cast<int>(items_.size()); }
QLayoutItem* FlowLayout::itemAt(int index) const { return items_.value(index); }
QLayoutItem* FlowLayout::takeAt(int index) {
    return index >= 0 && index < items_.size() ? items_.takeAt(index) : nullptr;
}
int FlowLayout::heightForWidth(int width) const { return place({0, 0, width, 0}, false); }
QSize FlowLayout::sizeHint() const { return minimumSize(); }
QSize FlowLayout::minimumSize() const {
    QSize size;
    for (const auto* item : items_) {
        size = size.expandedTo(item->minimumSize());
    }
    return size;
}
void FlowLayout::setGeometry(const QRect& rect) {
    QLayout::setGeometry(rect);
    place(rect, true);
}

int FlowLayout::place(const QRect& rect, bool apply) const {
    int x = rect.x();
    int y = rect.y();
    int lineHeight = 0;
    for (auto* item : items_) {
        if (item->widget() != nullptr && item->widget()->isHidden()) {
            continue;
        }
        const QSize size = item->sizeHint().boundedTo({rect.width(), QWIDGETSIZE_MAX});
        if (x > rect.x() && x + size.width() > rect.x() + rect.width()) {
            x = rect.x();
            y += lineHeight + gap_;
            lineHeight = 0;
        }
        if (apply) {
            item->setGeometry({QPoint(x, y), size});
        }
        x += size.width() + gap_;
        lineHeight = qMax(lineHeight, size.height());
    }
    return y + lineHeight - rect.y();
}

namespace {
/// A label that keeps its tone over palette changes.
class TonedLabel final : public QLabel {
public:
    TonedLabel(const QString& text, QString tone, QWidget* parent) : QLabel(text, parent), tone_(std::move(tone)) {
        setTextFormat(Qt::PlainText);
        tint();
    }

protected:
    void changeEvent(QEvent* event) override {
        QLabel::changeEvent(event);
        if (event->type() == QEvent::PaletteChange) {
            tint();
        }
    }

private:
    void tint() {
        if (!tone_.isEmpty()) {
            QPalette toned; // only these roles are its own: the others follow, and tell of a change
            for (const auto role : {QPalette::WindowText, QPalette::Text}) { // either, by what it stands on
                toned.setColor(role, toneColour(tone_, QApplication::palette()));
            }
            setPalette(toned);
        }
    }
    QString tone_;
};
} // namespace

QLabel* textLabel(const QString& text, QWidget* parent, const QString& tone) {
    auto* label = new TonedLabel(text, tone, parent);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

QLabel* groupLabel(const QString& text, QWidget* parent) {
    auto* label = new TonedLabel(text, QStringLiteral("muted"), parent);
    QFont font = smallFont();
    font.setWeight(QFont::DemiBold);
    label->setFont(font);
    return label;
}

QToolButton* iconButton(const QString& iconName, const QString& text, QWidget* parent) {
    auto* button = new QToolButton(parent);
    button->setIcon(icon(iconName));
    button->setToolTip(models::plainTip(text));
    button->setAccessibleName(text);
    button->setAutoRaise(true);
    button->setIconSize({16, 16});
    return button;
}

} // namespace alidade::ui
