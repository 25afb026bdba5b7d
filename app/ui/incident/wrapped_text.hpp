// SPDX-License-Identifier: GPL-3.0-or-later
// What it is for: plain text broken between words where that is possible, and anywhere where it is not.
// What it must not know: what is written.
// Thread: GUI.
#pragma once

#include <QFont>
#include <QRect>
#include <QString>

class QPainter;

namespace alidade::ui {

/// The height of `text` in lines of at most `width`, at most `mostLines` of them (0: all).
[[nodiscard]] int wrappedHeight(const QString& text, const QFont& font, int width, int mostLines = 0);
/// Draws it into `box` with the painter's pen, as far as the box reaches; right-aligned for right to left.
void drawWrapped(QPainter& painter, const QString& text, const QFont& font, const QRect& box,
                 Qt::LayoutDirection direction);

} // namespace alidade::ui
