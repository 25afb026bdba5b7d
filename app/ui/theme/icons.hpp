// SPDX-License-Identifier: GPL-3.0-or-later
// What it is for: the SVG family of resources/icons in any colour and size; icons that follow the palette.
// What it must not know: what an icon means.
// Thread: GUI.
#pragma once

#include <QColor>
#include <QIcon>
#include <QPixmap>
#include <QString>

class QPainter;
class QRectF;

namespace alidade::ui {

/// Drawn in the palette's text colour of the moment (the accent when it is on).
[[nodiscard]] QIcon icon(const QString& name);
/// Cached; `size` in device-independent pixels. `hole` is the colour of what is cut out of filled shapes.
[[nodiscard]] QPixmap iconPixmap(const QString& name, int size, const QColor& colour, const QColor& hole, double ratio);
void paintIcon(QPainter& painter, const QRectF& where, const QString& name, const QColor& colour, const QColor& hole);

} // namespace alidade::ui
