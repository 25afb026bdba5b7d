// SPDX-License-Identifier: GPL-3.0-or-later
// What it is for: Fusion drawn flat, on the 4 px grid, in the visual system's colours.
// What it must not know: what a widget is for. Buttons may carry the dynamic properties "primary" and "quiet".
// Thread: GUI.
#pragma once

#include <QProxyStyle>

namespace alidade::ui {

class AlidadeStyle final : public QProxyStyle {
    Q_OBJECT

public:
    AlidadeStyle();

    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                       const QWidget* widget) const override;
    void drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                     const QWidget* widget) const override;
    void drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                            const QWidget* widget) const override;
    [[nodiscard]] QRect subControlRect(ComplexControl control, const QStyleOptionComplex* option, SubControl sub,
                                       const QWidget* widget) const override;
    [[nodiscard]] QRect subElementRect(SubElement element, const QStyleOption* option,
                                       const QWidget* widget) const override;
    [[nodiscard]] QSize sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& size,
                                         const QWidget* widget) const override;
    [[nodiscard]] int pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const override;
    [[nodiscard]] int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                                QStyleHintReturn* data) const override;
    void polish(QWidget* widget) override;
    using QProxyStyle::polish;
};

} // namespace alidade::ui
