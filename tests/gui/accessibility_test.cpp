// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAccessible>
#include <QApplication>

#include <gtest/gtest.h>

#include "alidade/ui/appearance.hpp"
#include "details/details_pane.hpp"
#include "shop.hpp"
#include "theme/tokens.hpp"
#include "window/command_palette.hpp"

namespace alidade::ui {
namespace {


TEST(Accessibility, EveryTextTokenHasContrastOnEverySurface) {
    for (const Tokens* t : {&lightTokens(), &darkTokens(), &contrastTokens()}) {
        const std::pair<const char*, QColor> texts[] = {
            {"text", t->text}, {"muted", t->muted}, {"accent", t->accent}, {"good", t->good},
            {"warn", t->warn}, {"bad", t->bad},     {"info", t->info},     {"blocked", t->blocked}};
        const std::pair<const char*, QColor> grounds[] = {
            {"surface", t->surface}, {"raised", t->raised}, {"sunken", t->sunken}};
        for (const auto& [name, ink] : texts) {
            for (const auto& [ground, paper] : grounds) {
                EXPECT_GE(contrast(ink, paper), 4.5) << name << " on " << ground << (t->dark ? " (dark)" : " (light)");
            }
        }
        EXPECT_GE(contrast(t->text, t->selection), 4.5);
        EXPECT_GE(contrast(t->text, t->changed), 4.5);
        EXPECT_GE(contrast(t->bad, t->selection), 4.5);
        EXPECT_GE(contrast(t->warn, t->selection), 4.5);
        EXPECT_GE(contrast(t->onAccent, t->accent), 4.5);
        for (const auto& [ground, paper] : grounds) {
            EXPECT_GE(contrast(t->border, paper), 2.5) << "outline on " << ground;
        }
        EXPECT_GE(contrast(t->border, t->surface), 3.0);
        EXPECT_GE(contrast(t->border, t->raised), 2.8);
    }
}

TEST(Accessibility, TheThemeIsKnownFromThePalette) {
    applyAppearance(*qApp, ThemeChoice::Dark);
    EXPECT_TRUE(tokensOf(QApplication::palette()).dark);
    applyAppearance(*qApp, ThemeChoice::HighContrast);
    EXPECT_EQ(tokensOf(QApplication::palette()).accent, contrastTokens().accent);
    applyAppearance(*qApp, ThemeChoice::Light);
    EXPECT_FALSE(tokensOf(QApplication::palette()).dark);
}

} // namespace
} // namespace alidade::ui
