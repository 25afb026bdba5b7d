// SPDX-License-Identifier: GPL-3.0-or-later
#include "alidade/ui/appearance.hpp"

#include <QApplication>
#include <QEvent>
#include <QFont>
#include <QPalette>
#include <QStyle>
#include <QStyleFactory>

#include "theme/mode.hpp"

namespace alidade::ui {

namespace {

using theme::Mode;
using theme::Tokens;

QPalette paletteOf(const Tokens& t) {
    QPalette p;
    p.setColor(QPalette::Window, t.raised);
    p.setColor(QPalette::WindowText, t.text);
    p.setColor(QPalette::Base, t.surface);
    p.setColor(QPalette::AlternateBase, t.raised);
    p.setColor(QPalette::Text, t.text);
    p.setColor(QPalette::PlaceholderText, t.muted);
    p.setColor(QPalette::Button, t.raised);
    p.setColor(QPalette::ButtonText, t.text);
    p.setColor(QPalette::BrightText, t.bad);
    p.setColor(QPalette::Highlight, t.selection);
    p.setColor(QPalette::HighlightedText, t.text);
    p.setColor(QPalette::ToolTipBase, t.sunken);
    p.setColor(QPalette::ToolTipText, t.text);
    p.setColor(QPalette::Link, t.accent);
    p.setColor(QPalette::LinkVisited, t.accent);
    p.setColor(QPalette::Light, t.surface);
    p.setColor(QPalette::Midlight, t.raised);
    p.setColor(QPalette::Mid, t.line);
    p.setColor(QPalette::Dark, t.border);
    p.setColor(QPalette::Shadow, t.sunken);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        p.setColor(QPalette::Disabled, role, t.muted);
    return p;
}

/// Small parts that a palette cannot say. Only what is named here departs from Fusion.
QString styleSheetOf(const Tokens& t) {
    QString sheet = QStringLiteral(R"(
QToolTip { background: @sunken; color: @text; border: 1px solid @border; padding: 4px 8px; }
QPushButton, QToolButton[outlined="true"] { background: @surface; color: @text; border: 1px solid @border;
    border-radius: 4px; padding: 0 12px; min-height: 26px; }
QPushButton:hover, QToolButton[outlined="true"]:hover { background: @sunken; }
QPushButton:pressed { background: @selection; }
QPushButton:checked { background: @selection; border-color: @accent; }
QPushButton:disabled { color: @muted; background: @raised; border-color: @line; }
QPushButton:focus, QToolButton[outlined="true"]:focus { border: 2px solid @accent; padding: 0 11px; min-height: 24px; }
QPushButton[primary="true"] { background: @accent; color: @onAccent; border-color: @accent; }
QPushButton[primary="true"]:hover { background: @accent; border: 2px solid @text; padding: 0 11px; min-height: 24px; }
QPushButton[primary="true"]:disabled { background: @raised; color: @muted; border-color: @line; }
QToolButton { background: transparent; color: @text; border: 1px solid transparent; border-radius: 4px; padding: 3px 6px; }
QToolButton:hover { background: @sunken; }
QToolButton:checked { background: @selection; }
QToolButton:focus { border: 2px solid @accent; padding: 2px 5px; }
QToolButton[chip="true"] { border: 1px solid @border; border-radius: 8px; padding: 0 6px; color: @accent; background: @surface; }
QToolButton[chip="true"]:hover { background: @selection; }
QToolButton[chip="true"]:focus { border: 2px solid @accent; padding: 0 5px; }
QLineEdit, QComboBox, QSpinBox { background: @surface; color: @text; border: 1px solid @border; border-radius: 4px;
    padding: 0 8px; min-height: 26px; selection-background-color: @selection; selection-color: @text; }
QLineEdit:focus, QComboBox:focus, QSpinBox:focus { border: 2px solid @accent; padding: 0 7px; min-height: 24px; }
QComboBox::drop-down { border: none; width: 20px; }
QComboBox QAbstractItemView { background: @surface; color: @text; border: 1px solid @border; outline: none;
    selection-background-color: @selection; selection-color: @text; }
QHeaderView { background: @raised; border: none; }
QHeaderView::section { background: @raised; color: @muted; border: none; border-bottom: 1px solid @border; padding: 4px 8px; }
QTableView, QTreeView, QListView { background: @surface; color: @text; border: none; outline: none;
    selection-background-color: @selection; selection-color: @text; gridline-color: @line; }
QTableView:focus, QTreeView:focus, QListView:focus { border: none; }
QTabBar { background: transparent; }
QTabBar::tab { background: transparent; color: @muted; border: none; border-bottom: 2px solid transparent; padding: 5px 12px; }
QTabBar::tab:selected { color: @text; border-bottom: 2px solid @accent; }
QTabBar::tab:hover { color: @text; }
QTabBar::tab:focus { color: @accent; }
QTabWidget::pane { border: none; border-top: 1px solid @line; }
QSplitter::handle { background: @line; }
QSplitter::handle:horizontal { width: 1px; }
QSplitter::handle:vertical { height: 1px; }
QMenu { background: @surface; color: @text; border: 1px solid @border; padding: 4px; }
QMenu::item { padding: 4px 24px 4px 12px; border-radius: 4px; }
QMenu::item:selected { background: @selection; color: @text; }
QMenu::item:disabled { color: @muted; }
QMenu::separator { height: 1px; background: @line; margin: 4px 8px; }
QStatusBar { background: @raised; color: @muted; border-top: 1px solid @line; }
QStatusBar::item { border: none; }
QPlainTextEdit, QTextEdit { background: @sunken; color: @text; border: 1px solid @line; border-radius: 4px;
    selection-background-color: @selection; selection-color: @text; }
QPlainTextEdit:focus, QTextEdit:focus { border: 2px solid @accent; }
QDockWidget { color: @text; }
QDockWidget::title { background: @raised; padding: 6px 8px; border-bottom: 1px solid @line; }
QScrollBar:vertical { background: transparent; width: 12px; margin: 0; }
QScrollBar:horizontal { background: transparent; height: 12px; margin: 0; }
QScrollBar::handle { background: @border; border-radius: 3px; margin: 3px; min-height: 24px; min-width: 24px; }
QScrollBar::handle:hover { background: @muted; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QProgressBar { background: @sunken; border: none; border-radius: 2px; max-height: 4px; }
QProgressBar::chunk { background: @accent; border-radius: 2px; }
QCheckBox { color: @text; spacing: 8px; }
QCheckBox:focus { color: @accent; }
)");
    const std::pair<const char*, QColor> names[] = {
        {"@onAccent", t.onAccent}, {"@surface", t.surface},     {"@raised", t.raised},   {"@sunken", t.sunken},
        {"@border", t.border},     {"@line", t.line},           {"@text", t.text},       {"@muted", t.muted},
        {"@accent", t.accent},     {"@selection", t.selection}, {"@changed", t.changed},
    };
    for (const auto& [name, colour] : names)
        sheet.replace(QLatin1String(name), colour.name());
    return sheet;
}

Mode systemMode() {
    QGuiApplication::setPalette(QPalette()); // the platform's own again
    return QGuiApplication::palette().color(QPalette::Window).lightness() < 128 ? Mode::Dark : Mode::Light;
}

} // namespace

void setReducedMotion(bool on) { theme::setReducedMotion(on); }

void applyAppearance(QApplication& application, ThemeChoice choice) {
    if (application.style()->objectName() != QLatin1String("fusion"))
        QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
    Mode mode = Mode::Light;
    switch (choice) {
    case ThemeChoice::System: mode = systemMode(); break;
    case ThemeChoice::Light: mode = Mode::Light; break;
    case ThemeChoice::Dark: mode = Mode::Dark; break;
    case ThemeChoice::HighContrast: mode = Mode::HighContrast; break;
    }
    theme::setMode(mode);
    const Tokens& tokens = theme::tokensOf(mode);
    QApplication::setPalette(paletteOf(tokens));
    application.setStyleSheet(styleSheetOf(tokens));
}

} // namespace alidade::ui
