// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of the window in its states and themes, for people to look at: kept in the build folder. What can be said
// of them without eyes is asserted: they are of the right size and not of one colour.
#include <QApplication>
#include <QDir>
#include <QTest>

#include <gtest/gtest.h>

#include "alidade/ui/appearance.hpp"
#include "details/details_pane.hpp"
#include "shop.hpp"
#include "table/table_view.hpp"
#include "window/command_palette.hpp"

namespace alidade::ui {
namespace {

void keep(QWidget& widget, const QString& name) {
    QDir().mkpath(QStringLiteral(ALIDADE_SHOTS));
    const QImage picture = widget.grab().toImage();
    ASSERT_TRUE(picture.save(QStringLiteral(ALIDADE_SHOTS "/") + name + QStringLiteral(".png")));
    EXPECT_EQ(picture.size(), widget.size() * widget.devicePixelRatioF());
    QSet<QRgb> colours;
    for (int y = 0; y < picture.height(); y += 7) {
        for (int x = 0; x < picture.width(); x += 7) {
            colours.insert(picture.pixel(x, y));
        }
    }
    EXPECT_GT(colours.size(), 20) << name.toStdString();
}

class Look : public testing::TestWithParam<std::pair<ThemeChoice, const char*>> {};

TEST_P(Look, OfTheWindow) {
    const auto [theme, word] = GetParam();
    applyAppearance(*qApp, theme);
    const QString suffix = QStringLiteral("-") + QLatin1String(word);
    test::Shop shop;
    shop.open();
    shop.window->resize(1360, 860);
    test::until([] { return false; }, 300);
    keep(*shop.window, QStringLiteral("trouble") + suffix);
    shop.window->showObject({{guard::kinds::pods(), "shop", "checkout-58c4f9d7b-m3t6z"}, "p5"});
    test::until([] { return false; }, 300);
    keep(*shop.window, QStringLiteral("overview") + suffix);
    auto* details = shop.window->findChild<DetailsPane*>();
    details->showTab(DetailsPane::Tab::Yaml);
    test::until([] { return false; }, 200);
    keep(*shop.window, QStringLiteral("yaml") + suffix);
    details->showAnchor(guard::anchor::LogLine{"p5", "app", "", false, "2024-05-01T12:00:41.123456789Z", 0}, {});
    test::until([&] { return details->logs()->markedLine().has_value(); });
    shop.window->resize(1024, 768);
    test::until([] { return false; }, 200);
    keep(*shop.window, QStringLiteral("log-small") + suffix);
    shop.window->resize(1360, 860);
    QTest::keyClick(shop.window.get(), Qt::Key_K, Qt::ControlModifier);
    if (auto* palette = shop.window->findChild<CommandPalette*>()) {
        test::until([] { return false; }, 100);
        keep(*palette, QStringLiteral("palette") + suffix);
        palette->close();
    }
    applyAppearance(*qApp, ThemeChoice::Light);
}

INSTANTIATE_TEST_SUITE_P(Themes, Look,
                         testing::Values(std::pair(ThemeChoice::Light, "light"), std::pair(ThemeChoice::Dark, "dark"),
                                         std::pair(ThemeChoice::HighContrast, "contrast")),
                         [](const auto& chosen) { return chosen.param.second; });

} // namespace
} // namespace alidade::ui
