// SPDX-License-Identifier: GPL-3.0-or-later
#include "theme/style.hpp"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractScrollArea>
#include <QComboBox>
#include <QHeaderView>
#include <QPainter>
#include <QPainterPath>
#include <QScrollBar>
#include <QStyleOption>
#include <QTabBar>
#include <QToolButton>

#include "theme/icons.hpp"
#include "theme/tokens.hpp"

namespace alidade::ui {
namespace {

constexpr double radius = 4;

bool flag(const QWidget* widget, const char* name) { return widget != nullptr && widget->property(name).toBool(); }

bool alarmed(const QStyleOption* option, const QWidget* widget) {
    return widget != nullptr && (option->state & QStyle::State_On) != 0 && widget->property("alarm").isValid();
}

void roundedBox(QPainter* painter, const QRectF& rect, const QColor& fill, const QColor& line, double width = 1) {
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(line.isValid() ? QPen(line, width) : QPen(Qt::NoPen));
    painter->setBrush(fill.isValid() ? QBrush(fill) : QBrush(Qt::NoBrush));
    const double half = width / 2;
    painter->drawRoundedRect(rect.adjusted(half, half, -half, -half), radius, radius);
    painter->restore();
}

void drawButton(const QStyleOption* option, QPainter* painter, const QWidget* widget) {
    const Tokens& t = tokensOf(option->palette);
    const bool enabled = (option->state & QStyle::State_Enabled) != 0;
    const bool hover = enabled && (option->state & QStyle::State_MouseOver) != 0;
    const bool down = (option->state & (QStyle::State_Sunken | QStyle::State_On)) != 0;
    const bool focus = (option->state & QStyle::State_HasFocus) != 0;
    if (flag(widget, "primary") && enabled) {
        const QColor fill = down ? mix(t.accent, t.text, 0.25) : hover ? mix(t.accent, t.text, 0.12) : t.accent;
        roundedBox(painter, option->rect, fill, {});
    } else if (alarmed(option, widget)) {
        roundedBox(painter, option->rect, t.blocked, {});
    } else if (flag(widget, "quiet")) {
        if (hover || down) {
            roundedBox(painter, option->rect, down ? t.selection : t.sunken, {});
        }
    } else {
        const QColor fill = down ? t.selection : hover ? t.sunken : t.surface;
        roundedBox(painter, option->rect, enabled ? fill : t.raised, enabled ? t.border : t.hairline);
    }
    if (focus && (option->state & QStyle::State_KeyboardFocusChange) != 0) {
        roundedBox(painter, QRectF(option->rect), {}, t.accent, 2);
    }
}

/// The colour under a scroll bar: that of what it scrolls.
QColor groundOf(const QWidget* bar, const QColor& otherwise) {
    const QWidget* holder = bar != nullptr ? bar->parentWidget() : nullptr;
    const auto* area = qobject_cast<const QAbstractScrollArea*>(holder != nullptr ? holder->parentWidget() : nullptr);
    return area != nullptr     ? area->viewport()->palette().color(area->viewport()->backgroundRole())
           : holder != nullptr ? holder->palette().color(QPalette::Base)
                               : otherwise;
}

/// Icon, a gap of the grid, text; the mnemonic only while the platform shows it.
void drawButtonLabel(const QStyleOptionButton& button, QPainter* painter, const QWidget* widget) {
    const Tokens& t = tokensOf(button.palette);
    const bool enabled = (button.state & QStyle::State_Enabled) != 0;
    const QColor ink = !enabled                   ? button.palette.color(QPalette::Disabled, QPalette::ButtonText)
                       : flag(widget, "primary")  ? t.onAccent
                       : alarmed(&button, widget) ? (t.dark ? t.onAccent : t.surface)
                                                  : button.palette.color(QPalette::Active, QPalette::ButtonText);
    const int textWidth = button.fontMetrics.size(Qt::TextShowMnemonic, button.text).width();
    const int iconSide = button.icon.isNull() ? 0 : 16;
    const int gap = iconSide > 0 && !button.text.isEmpty() ? 6 : 0;
    int x = button.rect.center().x() - (iconSide + gap + textWidth) / 2;
    if (iconSide > 0) {
        const QRect box(x, button.rect.center().y() - iconSide / 2 + 1, iconSide, iconSide);
        const auto state = (button.state & QStyle::State_On) != 0 ? QIcon::On : QIcon::Off;
        if (alarmed(&button, widget)) {
            paintIcon(*painter, box, widget->property("alarm").toString(), ink, t.blocked);
        } else {
            button.icon.paint(painter, box, Qt::AlignCenter, enabled ? QIcon::Normal : QIcon::Disabled, state);
        }
        x += iconSide + gap;
    }
    painter->setPen(ink);
    painter->drawText(QRect(x, button.rect.top(), textWidth + 2, button.rect.height()),
                      Qt::AlignVCenter | Qt::AlignLeft | Qt::TextShowMnemonic | Qt::TextSingleLine, button.text);
}

} // namespace

AlidadeStyle::AlidadeStyle() : QProxyStyle(QStringLiteral("fusion")) {}

void AlidadeStyle::polish(QWidget* widget) {
    QProxyStyle::polish(widget);
    if (qobject_cast<QAbstractButton*>(widget) != nullptr || qobject_cast<QComboBox*>(widget) != nullptr ||
        qobject_cast<QTabBar*>(widget) != nullptr || qobject_cast<QScrollBar*>(widget) != nullptr ||
        qobject_cast<QHeaderView*>(widget) != nullptr) {
        widget->setAttribute(Qt::WA_Hover);
    }
}

void AlidadeStyle::drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                                 const QWidget* widget) const {
    const Tokens& t = tokensOf(option->palette);
    switch (element) {
    case PE_PanelButtonCommand: drawButton(option, painter, widget); return;
    case PE_PanelButtonTool: {
        const bool on = (option->state & (State_Sunken | State_On)) != 0;
        if (on || ((option->state & State_MouseOver) != 0 && (option->state & State_Enabled) != 0)) {
            roundedBox(painter, option->rect, on ? t.selection : t.sunken, {});
        }
        return;
    }
    case PE_PanelLineEdit:
    case PE_FrameLineEdit: {
        if (flag(widget, "bare")) {
            return;
        }
        const auto* frame = qstyleoption_cast<const QStyleOptionFrame*>(option);
        if (frame != nullptr && frame->lineWidth == 0 && element == PE_PanelLineEdit) {
            painter->fillRect(option->rect, option->palette.brush(QPalette::Base));
            return;
        }
        const bool focus = (option->state & State_HasFocus) != 0;
        const bool enabled = (option->state & State_Enabled) != 0;
        roundedBox(painter, option->rect, enabled ? t.surface : t.raised, focus ? t.accent : t.border, focus ? 2 : 1);
        return;
    }
    case PE_FrameFocusRect:
        if ((option->state & State_KeyboardFocusChange) != 0 ||
            qobject_cast<const QAbstractItemView*>(widget) != nullptr) {
            roundedBox(painter, QRectF(option->rect).adjusted(0.5, 0.5, -0.5, -0.5), {}, t.accent, 2);
        }
        return;
    case PE_Frame:
        if (qobject_cast<const QAbstractScrollArea*>(widget) != nullptr) {
            painter->save();
            painter->setPen(t.hairline);
            painter->setBrush(Qt::NoBrush);
            painter->drawRect(option->rect.adjusted(0, 0, -1, -1));
            painter->restore();
            return;
        }
        break;
    case PE_FrameMenu:
        painter->save();
        painter->setPen(t.border);
        painter->setBrush(Qt::NoBrush);
        painter->drawRect(option->rect.adjusted(0, 0, -1, -1));
        painter->restore();
        return;
    case PE_FrameTabBarBase:
        painter->fillRect(QRect(option->rect.left(), option->rect.bottom(), option->rect.width(), 1), t.hairline);
        return;
    case PE_FrameTabWidget: return;
    case PE_FrameDockWidget: return;
    case PE_IndicatorDockWidgetResizeHandle: {
        const bool vertical = option->rect.height() > option->rect.width();
        QRect line = option->rect;
        if (vertical) {
            line.setLeft(line.center().x());
            line.setWidth(1);
        } else {
            line.setTop(line.center().y());
            line.setHeight(1);
        }
        painter->fillRect(option->rect, t.raised);
        painter->fillRect(line, (option->state & State_MouseOver) != 0 ? t.accent : t.hairline);
        return;
    }
    case PE_FrameStatusBarItem: return;
    case PE_PanelStatusBar:
        painter->fillRect(option->rect, t.raised);
        painter->fillRect(QRect(option->rect.left(), option->rect.top(), option->rect.width(), 1), t.hairline);
        return;
    case PE_IndicatorBranch:
        if ((option->state & State_Children) != 0) {
            QRect box(0, 0, 16, 16);
            box.moveCenter(option->rect.center());
            paintIcon(*painter, box,
                      (option->state & State_Open) != 0 ? QStringLiteral("chevron-down")
                                                        : QStringLiteral("chevron-right"),
                      t.muted, t.raised);
        }
        return;
    case PE_IndicatorHeaderArrow: {
        const auto* header = qstyleoption_cast<const QStyleOptionHeader*>(option);
        if (header != nullptr && header->sortIndicator != QStyleOptionHeader::None) {
            const bool down = header->sortIndicator == QStyleOptionHeader::SortDown;
            QRect box(0, 0, 12, 12);
            const auto* view = qobject_cast<const QHeaderView*>(widget);
            const int middle = view != nullptr ? view->height() / 2 : option->rect.center().y();
            box.moveCenter({option->rect.center().x(), middle}); // on the title's line
            paintIcon(*painter, box, down ? QStringLiteral("arrow-up") : QStringLiteral("arrow-down"), t.accent,
                      t.raised);
        }
        return;
    }
    default: break;
    }
    QProxyStyle::drawPrimitive(element, option, painter, widget);
}

void AlidadeStyle::drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                               const QWidget* widget) const {
    const Tokens& t = tokensOf(option->palette);
    switch (element) {
    case CE_PushButtonLabel:
        if (const auto* button = qstyleoption_cast<const QStyleOptionButton*>(option); button != nullptr) {
            drawButtonLabel(*button, painter, widget);
            return;
        }
        break;
    case CE_HeaderEmptyArea:
        painter->fillRect(option->rect, t.raised);
        painter->fillRect(QRect(option->rect.left(), option->rect.bottom(), option->rect.width(), 1), t.hairline);
        return;
    case CE_HeaderSection: {
        const bool hover = (option->state & State_MouseOver) != 0 && (option->state & State_Enabled) != 0;
        painter->fillRect(option->rect, hover ? t.sunken : t.raised);
        painter->fillRect(QRect(option->rect.left(), option->rect.bottom(), option->rect.width(), 1), t.hairline);
        return;
    }
    case CE_HeaderLabel: {
        const auto* header = qstyleoption_cast<const QStyleOptionHeader*>(option);
        if (header == nullptr) {
            break;
        }
        painter->save();
        QFont font = painter->font();
        font.setWeight(QFont::DemiBold);
        font.setPointSizeF(font.pointSizeF() * 0.86);
        painter->setFont(font);
        const bool sorted = header->sortIndicator != QStyleOptionHeader::None;
        painter->setPen(sorted ? t.text : t.muted);
        const QRect box = option->rect;
        const QString text = QFontMetrics(font).elidedText(header->text, Qt::ElideRight, box.width());
        painter->drawText(box, static_cast<int>(header->textAlignment) | Qt::TextSingleLine, text);
        painter->restore();
        return;
    }
    case CE_TabBarTabShape: {
        const bool selected = (option->state & State_Selected) != 0;
        const bool hover = (option->state & State_MouseOver) != 0 && (option->state & State_Enabled) != 0;
        if (hover && !selected) {
            painter->fillRect(option->rect.adjusted(0, 0, 0, -1), t.sunken);
        }
        if (selected) {
            painter->fillRect(QRect(option->rect.left() + 8, option->rect.bottom() - 1, option->rect.width() - 16, 2),
                              t.accent);
        }
        if ((option->state & State_HasFocus) != 0 && selected) {
            roundedBox(painter, QRectF(option->rect).adjusted(2, 3, -2, -4), {}, t.accent, 2);
        }
        return;
    }
    case CE_TabBarTabLabel: {
        const auto* tab = qstyleoption_cast<const QStyleOptionTab*>(option);
        if (tab == nullptr) {
            break;
        }
        const bool selected = (option->state & State_Selected) != 0;
        painter->save();
        QFont font = painter->font();
        font.setWeight(selected ? QFont::DemiBold : QFont::Normal);
        painter->setFont(font);
        const bool enabled = (option->state & State_Enabled) != 0;
        painter->setPen(!enabled   ? option->palette.color(QPalette::Disabled, QPalette::Text)
                        : selected ? t.text
                                   : t.muted);
        painter->drawText(option->rect, Qt::AlignCenter | Qt::TextShowMnemonic | Qt::TextSingleLine, tab->text);
        painter->restore();
        return;
    }
    case CE_Splitter: {
        const bool vertical = option->rect.height() > option->rect.width();
        QRect line = option->rect;
        if (vertical) {
            line.setLeft(line.center().x());
            line.setWidth(1);
        } else {
            line.setTop(line.center().y());
            line.setHeight(1);
        }
        painter->fillRect(option->rect, t.raised);
        painter->fillRect(line, (option->state & State_MouseOver) != 0 ? t.accent : t.hairline);
        return;
    }
    case CE_ComboBoxLabel: {
        const auto* combo = qstyleoption_cast<const QStyleOptionComboBox*>(option);
        if (combo == nullptr || combo->editable) {
            break;
        }
        QRect box = subControlRect(CC_ComboBox, combo, SC_ComboBoxEditField, widget);
        if (!combo->currentIcon.isNull()) {
            const QRect at(box.left(), box.center().y() - 7, 16, 16);
            combo->currentIcon.paint(painter, at, Qt::AlignCenter);
            box.setLeft(at.right() + 7);
        }
        const bool enabled = (option->state & State_Enabled) != 0;
        painter->setPen(option->palette.color(enabled ? QPalette::Active : QPalette::Disabled, QPalette::ButtonText));
        painter->drawText(box, Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine,
                          option->fontMetrics.elidedText(combo->currentText, Qt::ElideMiddle, box.width()));
        return;
    }
    default: break;
    }
    QProxyStyle::drawControl(element, option, painter, widget);
}

void AlidadeStyle::drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                                      const QWidget* widget) const {
    const Tokens& t = tokensOf(option->palette);
    if (control == CC_ScrollBar) {
        const auto* slider = qstyleoption_cast<const QStyleOptionSlider*>(option);
        painter->fillRect(option->rect, groundOf(widget, t.surface));
        if (slider != nullptr && slider->maximum > slider->minimum) {
            const QRect box = subControlRect(CC_ScrollBar, option, SC_ScrollBarSlider, widget);
            const bool active =
                (option->activeSubControls & SC_ScrollBarSlider) != 0 || (option->state & State_Sunken) != 0;
            painter->save();
            painter->setRenderHint(QPainter::Antialiasing);
            painter->setPen(Qt::NoPen);
            painter->setBrush(active ? t.border : mix(t.border, t.surface, 0.45));
            painter->drawRoundedRect(QRectF(box).adjusted(2, 2, -2, -2), 3, 3);
            painter->restore();
        }
        return;
    }
    if (control == CC_ComboBox) {
        const auto* combo = qstyleoption_cast<const QStyleOptionComboBox*>(option);
        if (combo != nullptr && !combo->editable) {
            QStyleOption frame = *option;
            frame.rect = option->rect;
            if ((option->state & State_On) != 0) {
                frame.state |= State_Sunken;
            }
            drawButton(&frame, painter, widget);
            const QRect arrow(option->rect.right() - 22, option->rect.center().y() - 6, 14, 14);
            paintIcon(*painter, arrow, QStringLiteral("chevron-down"), t.muted, t.surface);
            return;
        }
    }
    QProxyStyle::drawComplexControl(control, option, painter, widget);
}

QRect AlidadeStyle::subControlRect(ComplexControl control, const QStyleOptionComplex* option, SubControl sub,
                                   const QWidget* widget) const {
    if (control == CC_ComboBox && sub == SC_ComboBoxEditField) {
        return option->rect.adjusted(10, 2, -26, -2);
    }
    if (control == CC_ScrollBar) {
        const auto* slider = qstyleoption_cast<const QStyleOptionSlider*>(option);
        if (slider != nullptr) {
            const bool horizontal = slider->orientation == Qt::Horizontal;
            const int length = horizontal ? option->rect.width() : option->rect.height();
            const int range = slider->maximum - slider->minimum;
            int size = length;
            if (range > 0) {
                size = static_cast<int>(static_cast<qint64>(slider->pageStep) * length /
                                        (qint64{range} + slider->pageStep));
                size = qBound(qMin(28, length), size, length);
            }
            const int start = sliderPositionFromValue(slider->minimum, slider->maximum, slider->sliderPosition,
                                                      length - size, slider->upsideDown);
            const QRect groove = option->rect;
            const auto part = [&](int from, int to) {
                return horizontal ? QRect(groove.left() + from, groove.top(), to - from, groove.height())
                                  : QRect(groove.left(), groove.top() + from, groove.width(), to - from);
            };
            switch (sub) {
            case SC_ScrollBarSlider: return part(start, start + size);
            case SC_ScrollBarGroove: return groove;
            case SC_ScrollBarSubPage: return part(0, start);
            case SC_ScrollBarAddPage: return part(start + size, length);
            default: return {};
            }
        }
    }
    return QProxyStyle::subControlRect(control, option, sub, widget);
}

QRect AlidadeStyle::subElementRect(SubElement element, const QStyleOption* option, const QWidget* widget) const {
    const QRect rect = QProxyStyle::subElementRect(element, option, widget);
    const auto* frame = qstyleoption_cast<const QStyleOptionFrame*>(option);
    return element == SE_LineEditContents && frame != nullptr && frame->lineWidth > 0 ? rect.adjusted(4, 0, -2, 0)
                                                                                      : rect;
}

QSize AlidadeStyle::sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& size,
                                     const QWidget* widget) const {
    QSize out = QProxyStyle::sizeFromContents(type, option, size, widget);
    switch (type) {
    case CT_PushButton:
        out.setHeight(qMax(grid::control, size.height() + 10));
        out.setWidth(qMax(out.width(), size.width() + 28));
        break;
    case CT_LineEdit: out.setHeight(qMax(grid::control, out.height())); break;
    case CT_ComboBox:
        out.setHeight(qMax(grid::control, size.height() + 8));
        out.setWidth(size.width() + 40);
        break;
    case CT_TabBarTab:
        out.setHeight(32);
        out.setWidth(out.width() + 8);
        break;
    case CT_HeaderSection: out.setHeight(qMax(26, out.height())); break;
    case CT_ToolButton: out = QSize(qMax(grid::control, out.width()), qMax(grid::control, out.height())); break;
    case CT_MenuItem:
        if (const auto* item = qstyleoption_cast<const QStyleOptionMenuItem*>(option);
            item != nullptr && item->menuItemType != QStyleOptionMenuItem::Separator) {
            out.setHeight(qMax(26, out.height()));
        }
        break;
    default: break;
    }
    return out;
}

int AlidadeStyle::pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const {
    switch (metric) {
    case PM_ScrollBarExtent: return 12;
    case PM_DockWidgetSeparatorExtent:
    case PM_SplitterWidth: return 5;
    case PM_DockWidgetTitleMargin: return 0;
    case PM_HeaderMargin: return 8;
    case PM_TabBarBaseOverlap: return 0;
    case PM_TabBarTabShiftVertical:
    case PM_TabBarTabShiftHorizontal: return 0;
    case PM_ButtonShiftHorizontal:
    case PM_ButtonShiftVertical: return 0;
    case PM_ToolBarIconSize:
    case PM_ButtonIconSize:
    case PM_SmallIconSize: return 16;
    case PM_LayoutLeftMargin:
    case PM_LayoutTopMargin:
    case PM_LayoutRightMargin:
    case PM_LayoutBottomMargin: return grid::s;
    case PM_LayoutHorizontalSpacing:
    case PM_LayoutVerticalSpacing: return grid::s;
    default: return QProxyStyle::pixelMetric(metric, option, widget);
    }
}

int AlidadeStyle::styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                            QStyleHintReturn* data) const {
    switch (hint) {
    case SH_ComboBox_Popup: return 0;
    case SH_EtchDisabledText:
    case SH_DitherDisabledText: return 0;
    case SH_ItemView_ShowDecorationSelected: return 1;
    case SH_ScrollView_FrameOnlyAroundContents: return 0;
    case SH_Menu_SloppySubMenus: return 1;
    default: return QProxyStyle::styleHint(hint, option, widget, data);
    }
}

} // namespace alidade::ui
