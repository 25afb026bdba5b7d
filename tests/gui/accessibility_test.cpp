// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAccessible>
#include <QApplication>
#include <QLabel>
#include <QPlainTextEdit>

#include <gtest/gtest.h>

#include "alidade/ui/appearance.hpp"
#include "details/details_pane.hpp"
#include "incident/incident_dock.hpp"
#include "incident/made_run.hpp"
#include "shop.hpp"
#include "theme/tokens.hpp"
#include "window/command_palette.hpp"

namespace alidade::ui {
namespace {

/// What a screen reader can come to must have a name.
void expectNames(const QWidget& root) {
    for (auto* widget : root.findChildren<QWidget*>()) {
        if (widget->focusPolicy() == Qt::NoFocus || !widget->isEnabled() || !widget->isVisible()) {
            continue;
        }
        auto* interface = QAccessible::queryAccessibleInterface(widget);
        ASSERT_NE(interface, nullptr) << widget->metaObject()->className();
        const QString name = interface->text(QAccessible::Name);
        QString path;
        for (const QWidget* each = widget; each != nullptr; each = each->parentWidget()) {
            path = QString::fromLatin1(each->metaObject()->className()) + u'/' + path;
        }
        EXPECT_FALSE(name.trimmed().isEmpty()) << path.toStdString() << " has no accessible name";
    }
}

TEST(Accessibility, EveryControlHasAName) {
    test::Shop shop;
    shop.open();
    shop.window->showKind(QStringLiteral("pods"));
    shop.window->showObject({{guard::kinds::pods(), "shop", "checkout-58c4f9d7b-m3t6z"}, "p5"});
    auto* details = shop.window->findChild<DetailsPane*>();
    for (const auto tab : {DetailsPane::Tab::Overview, DetailsPane::Tab::Yaml, DetailsPane::Tab::Events,
                           DetailsPane::Tab::Logs, DetailsPane::Tab::Relations}) {
        details->showTab(tab);
        test::settle();
        expectNames(*shop.window);
    }
}

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

TEST(Accessibility, AThemeChosenWhileTheWindowIsOpenLeavesNoTextUnreadable) {
    applyAppearance(*qApp, ThemeChoice::Light);
    test::Shop shop;
    shop.open();
    shop.window->showObject({{guard::kinds::pods(), "shop", "checkout-58c4f9d7b-m3t6z"}, "p5"});
    test::MadeRun run;
    run.proposed();
    auto* dock = shop.window->findChild<IncidentDock*>();
    for (const auto theme : {ThemeChoice::Dark, ThemeChoice::HighContrast, ThemeChoice::Light}) {
        dock->setState(run.snapshot());
        test::settle();
        applyAppearance(*qApp, theme);
        test::settle();
        int seen = 0;
        const auto look = [&seen] {
            for (const auto* widget : QApplication::allWidgets()) {
                const auto* label = qobject_cast<const QLabel*>(widget);
                const auto* text = qobject_cast<const QPlainTextEdit*>(widget);
                if (!widget->isVisible() || (text == nullptr && (label == nullptr || label->text().isEmpty()))) {
                    continue;
                }
                // A label stands on what the window paints, whatever its own palette says; a text brings its ground.
                const QPalette& own = widget->palette();
                const QColor ink = own.color(text != nullptr ? QPalette::Text : label->foregroundRole());
                const Tokens& now = tokensOf(QApplication::palette());
                const QColor paper = text != nullptr ? own.color(QPalette::Base) : now.surface;
                const std::string what = label != nullptr ? label->text().toStdString() : "a text";
                EXPECT_GE(contrast(ink, paper), 4.5) << what;
                EXPECT_GE(contrast(now.text, paper), 4.5) << what << " stands on the other theme's ground";
                ++seen;
            }
        };
        look();
        dock->setState(nullptr); // and of the empty state
        test::settle();
        look();
        EXPECT_GT(seen, 20);
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
