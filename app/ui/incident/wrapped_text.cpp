// SPDX-License-Identifier: GPL-3.0-or-later
#include "incident/wrapped_text.hpp"

#include <cmath>

#include <QPainter>
#include <QTextLayout>

namespace alidade::ui {
namespace {

/// Lays the text out line by line; the height reached, or of the lines within `mostHeight`.
int breakLines(QTextLayout& layout, int width, int mostLines, Qt::LayoutDirection direction) {
    QTextOption option;
    option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    option.setTextDirection(direction);
    option.setAlignment(direction == Qt::RightToLeft ? Qt::AlignRight : Qt::AlignLeft);
    layout.setTextOption(option);
    layout.setCacheEnabled(true);
    double y = 0;
    int lines = 0;
    layout.beginLayout();
    for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine()) {
        if (mostLines > 0 && lines == mostLines) {
            break;
        }
        line.setLineWidth(width);
        line.setPosition(QPointF(0, y));
        y += line.height();
        ++lines;
    }
    layout.endLayout();
    return static_cast<int>(std::ceil(y));
}

QString separated(QString text) {
    text.replace(QLatin1Char('\n'), QChar(QChar::LineSeparator));
    return text;
}

} // namespace

int wrappedHeight(const QString& text, const QFont& font, int width, int mostLines) {
    QTextLayout layout(separated(text), font);
    return breakLines(layout, width, mostLines, Qt::LeftToRight);
}

void drawWrapped(QPainter& painter, const QString& text, const QFont& font, const QRect& box,
                 Qt::LayoutDirection direction) {
    QTextLayout layout(separated(text), font);
    const int mostLines = qMax(1, (box.height() + 2) / qMax(1, QFontMetrics(font).height()));
    breakLines(layout, box.width(), mostLines, direction);
    layout.draw(&painter, box.topLeft());
}

} // namespace alidade::ui
