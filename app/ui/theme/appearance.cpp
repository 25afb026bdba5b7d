// SPDX-License-Identifier: GPL-3.0-or-later
#include "alidade/ui/appearance.hpp"

#include <QApplication>
#include <QPixmapCache>
#include <QStyleFactory>
#include <QToolTip>

#include "theme/style.hpp"
#include "theme/tokens.hpp"

static void initialiseResources() { Q_INIT_RESOURCE(alidade_icons); }

namespace alidade::ui {

namespace {
bool motionReduced = false; // of this process, as the style is
}

void setReducedMotion(bool on) { motionReduced = on; }
bool reducedMotion() { return motionReduced; }

void applyAppearance(QApplication& application, ThemeChoice choice) {
    initialiseResources();
    if (qobject_cast<AlidadeStyle*>(application.style()) == nullptr) {
        QApplication::setStyle(new AlidadeStyle);
        QPixmapCache::setCacheLimit(16 * 1024);
    }
    const Tokens* tokens = nullptr;
    switch (choice) {
    case ThemeChoice::System: {
        const QPalette platform = QApplication::style()->standardPalette();
        const bool dark = QPalette().color(QPalette::Window).lightnessF() < 0.5 ||
                          platform.color(QPalette::Window).lightnessF() < 0.5;
        tokens = dark ? &darkTokens() : &lightTokens();
        break;
    }
    case ThemeChoice::Light: tokens = &lightTokens(); break;
    case ThemeChoice::Dark: tokens = &darkTokens(); break;
    case ThemeChoice::HighContrast: tokens = &contrastTokens(); break;
    }
    const QPalette palette = paletteOf(*tokens);
    QApplication::setPalette(palette);
    QToolTip::setPalette(palette);
}

} // namespace alidade::ui
