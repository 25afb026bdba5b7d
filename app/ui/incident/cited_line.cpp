// SPDX-License-Identifier: GPL-3.0-or-later
#include "incident/cited_line.hpp"

#include <QEvent>
#include <QPainter>
#include <QStyle>
#include <QTextLayout>

#include "theme/icons.hpp"
#include "theme/tokens.hpp"

namespace alidade::ui {
namespace {

constexpr int indent = 16;

} // namespace

CitedLine::CitedLine(const QString& text, bool quiet, QWidget* parent)
    : QWidget(parent), text_(text), quiet_(quiet), layout_(std::make_unique<QTextLayout>()) {
    layout_->setText(text_);
    layout_->setCacheEnabled(true);
    setAccessibleName(text_);
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Preferred);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}
CitedLine::~CitedLine() = default;

void CitedLine::addInline(QWidget* widget) {
    widget->setParent(this);
    inline_.push_back(widget);
    updateGeometry();
}

int CitedLine::place(int width, bool apply) const {
    QTextOption option;
    option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    option.setTextDirection(layoutDirection());
    layout_->setTextOption(option);
    layout_->setFont(font());

    int needed = 0;
    for (const QWidget* each : inline_) {
        needed = qMax(needed, each->sizeHint().height());
    }
    const int room = qMax(40, width - indent);
    const QFontMetrics metrics(font());
    const int pitch = metrics.height() + 2;
    int y = 1;
    int x = 0;
    layout_->beginLayout();
    for (QTextLine line = layout_->createLine(); line.isValid(); line = layout_->createLine()) {
        line.setLineWidth(room);
        line.setPosition(QPointF(layoutDirection() == Qt::RightToLeft ? 0 : indent, y));
        x = qCeil(line.naturalTextWidth());
        y += pitch;
    }
    layout_->endLayout();
    if (inline_.empty()) {
        return y + 1;
    }
    // The row of chips is taller than the text: it is centred on the last line.
    int rowTop = qMax(0, y - pitch);
    int rowHeight = pitch;
    bool first = true;
    for (QWidget* each : inline_) {
        const QSize size = each->sizeHint().boundedTo({room, QWIDGETSIZE_MAX});
        const int gap = first ? 6 : 4;
        if (x > 0 && x + gap + size.width() > room) {
            rowTop += rowHeight + (first ? 2 : 4);
            x = 0;
        } else if (x > 0) {
            x += gap;
        }
        first = false;
        if (apply) {
            const int top = rowTop + (pitch - size.height()) / 2;
            each->setGeometry(QStyle::visualRect(layoutDirection(), QRect(0, 0, width, height()),
                                                 QRect(QPoint(indent + x, qMax(0, top)), size)));
            each->show();
        }
        x += size.width();
        rowHeight = qMax(pitch, size.height());
    }
    return rowTop + qMax(pitch, (pitch + needed) / 2) + 2;
}

int CitedLine::heightForWidth(int width) const { return place(width, false); }
QSize CitedLine::sizeHint() const { return {280, heightForWidth(280)}; }
QSize CitedLine::minimumSizeHint() const { return {120, fontMetrics().height() + 4}; }

void CitedLine::resizeEvent(QResizeEvent*) { place(width(), true); }

void CitedLine::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::LayoutDirectionChange) {
        place(width(), true);
        updateGeometry();
    }
}

void CitedLine::paintEvent(QPaintEvent*) {
    const Tokens& t = tokensOf(palette());
    QPainter painter(this);
    painter.setPen(quiet_ ? t.muted : t.text);
    layout_->draw(&painter, QPointF(0, 0));
    const int middle = 1 + fontMetrics().height() / 2;
    const QRect bullet =
        QStyle::visualRect(layoutDirection(), rect(), QRect(2, middle - 4, quiet_ ? 10 : 8, quiet_ ? 10 : 8));
    paintIcon(painter, bullet, quiet_ ? QStringLiteral("state-unknown") : QStringLiteral("state-ok"), t.muted,
              t.surface);
}

} // namespace alidade::ui
