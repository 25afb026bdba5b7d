// SPDX-License-Identifier: GPL-3.0-or-later
#include <QHeaderView>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QStatusBar>
#include <QTest>

#include <gtest/gtest.h>

#include "incident/incident_dock.hpp"
#include "parts/parts.hpp"
#include "shop.hpp"
#include "table/table_pane.hpp"
#include "window/action_dialogs.hpp"
#include "window/command_palette.hpp"
#include "window/header_strip.hpp"
#include "window/navigator_view.hpp"

namespace alidade::ui {
namespace {

using test::settle;
using test::Shop;
using test::until;

TablePane& table(const Shop& shop) { return *shop.window->findChild<TablePane*>(); }
HeaderStrip& header(const Shop& shop) { return *shop.window->findChild<HeaderStrip*>(); }
QStringList column(const TablePane& pane, int c) {
    QStringList out;
    for (int r = 0; r < pane.rows()->rowCount(); ++r) {
        out << pane.rows()->index(r, c).data().toString();
    }
    return out;
}

TEST(Window, ShowsTroubleFirstWithTheClustersReasons) {
    Shop shop;
    shop.window = std::make_unique<MainWindow>(shop.services, WindowOptions{});
    QSignalSpy painted(shop.window.get(), &MainWindow::firstRowsPainted);
    shop.window->show();
    ASSERT_TRUE(until([&] { return painted.count() == 1; }));
    EXPECT_TRUE(table(shop).showsTrouble());
    EXPECT_EQ(column(table(shop), 0), (QStringList{"ProgressDeadlineExceeded", "ImagePullBackOff", "Restarting"}));
    EXPECT_EQ(column(table(shop), 1), (QStringList{"Deployment", "Pod", "Pod"}));
    EXPECT_EQ(shop.window->windowTitle(), QStringLiteral("Alidade - demo/shop"));
    auto* navigator = shop.window->findChild<NavigatorView*>();
    ASSERT_TRUE(
        until([&] { return navigator->model()->index(0, 0).data(models::NavigatorModel::BadgeRole).toInt() == 3; }));
    EXPECT_TRUE(header(shop).freshness().startsWith(QStringLiteral("Watching, last change")))
        << header(shop).freshness().toStdString();
}

TEST(Window, KindsAreOneStepAwayAndFilteredAtOnce) {
    Shop shop;
    shop.open();
    shop.window->showKind(QStringLiteral("pods"));
    ASSERT_TRUE(until([&] { return table(shop).rows()->rowCount() == 9; }));
    header(shop).setFilter(QStringLiteral("checkout !running"));
    EXPECT_EQ(column(table(shop), 0), QStringList{"checkout-58c4f9d7b-m3t6z"});
    header(shop).setFilter(QStringLiteral("nothing-like-it"));
    auto* empty = table(shop).findChild<EmptyState*>();
    EXPECT_TRUE(empty->isVisible());
    EXPECT_EQ(empty->sentence(), QStringLiteral("Nothing matches the filter"));
    shop.window->showKind(QStringLiteral("deploy"));
    shop.window->showKind(QStringLiteral("deployments"));
    header(shop).setFilter({});
    ASSERT_TRUE(until([&] { return table(shop).rows()->rowCount() == 4; }));
    EXPECT_EQ(column(table(shop), 1)[2],
              QStringLiteral("ProgressDeadlineExceeded: ReplicaSet \"checkout-58c4f9d7b\" has timed out progressing."));
}

TEST(Window, ARowThatChangesKeepsTheSelectionOnItsObject) {
    Shop shop;
    shop.open();
    shop.window->showKind(QStringLiteral("pods"));
    ASSERT_TRUE(until([&] { return table(shop).rows()->rowCount() == 9; }));
    auto* view = table(shop).view();
    view->selectKey("p7");
    ASSERT_TRUE(view->currentObject());
    EXPECT_EQ(view->currentObject()->key.name, "payments-6b8d5f7c9-w4r5t");
    test::MadePod earlier;
    earlier.name = "aaa-first";
    earlier.uid = "p0";
    shop.session->push(guard::kinds::pods(), test::upsert({test::makeRow(earlier)}));
    ASSERT_TRUE(until([&] { return table(shop).rows()->rowCount() == 10; }));
    EXPECT_EQ(view->currentObject()->uid, "p7");
    header(shop).setFilter(QStringLiteral("p")); // a reset-sized change or not: it stays with the object
    EXPECT_EQ(view->currentObject()->uid, "p7");
}

TEST(Window, TellsAnUnusableContextAndTheWayOut) {
    Shop shop;
    shop.sessions->refuse = guard::Error(guard::ErrorCode::Config, "/home/me/.kube/config, user admin",
                                         "client-certificate names a file that is not there");
    shop.open();
    auto* empty = table(shop).findChild<EmptyState*>();
    ASSERT_TRUE(empty->isVisible());
    EXPECT_EQ(empty->sentence(), QStringLiteral("The configuration cannot be used"));
    EXPECT_TRUE(empty->reason().contains(QStringLiteral("user admin")));
    EXPECT_TRUE(empty->reason().contains(QStringLiteral("Mend the entry")));
    // Once it is mended, trying again connects.
    shop.sessions->refuse.reset();
    QTest::mouseClick(empty->findChild<QPushButton*>(), Qt::LeftButton);
    ASSERT_TRUE(until([&] { return table(shop).rows()->rowCount() == 3; }));
}

TEST(Window, StaleAndForbiddenAreSaidInWordsAndNeverShownAsLive) {
    Shop shop;
    shop.open();
    shop.window->showKind(QStringLiteral("pods"));
    ASSERT_TRUE(until([&] { return table(shop).rows()->rowCount() == 9; }));
    cluster::DeltaBatch stale;
    stale.freshness.state = cluster::Freshness::State::Stale;
    stale.freshness.lastSync = shop.clock->wall();
    stale.freshness.error = guard::Error(guard::ErrorCode::Unreachable, "GET /api/v1/pods", "connection refused");
    shop.session->push(guard::kinds::pods(), stale);
    ASSERT_TRUE(until([&] { return header(shop).freshness().contains(QStringLiteral("Stale since")); }));
    EXPECT_TRUE(header(shop).freshness().contains(QStringLiteral("connection refused")));
    EXPECT_EQ(table(shop).rows()->rowCount(), 9) << "the old rows stay, marked";

    cluster::DeltaBatch refused = test::reset({});
    refused.freshness.state = cluster::Freshness::State::Forbidden;
    refused.freshness.error = guard::Error(guard::ErrorCode::Forbidden, "secrets", "you may not list secrets in shop");
    shop.session->setRows(guard::kinds::secrets(), refused);
    shop.window->showKind(QStringLiteral("secrets"));
    auto* empty = table(shop).findChild<EmptyState*>();
    ASSERT_TRUE(
        until([&] { return empty->isVisible() && empty->sentence().startsWith(QStringLiteral("You may not list")); }));
    EXPECT_TRUE(empty->reason().contains(QStringLiteral("you may not list secrets in shop")));
}

TEST(Window, AVersionThatMayNotBeReadIsLeftOut) {
    Shop shop;
    shop.open();
    const auto said = [&](const QString& start) {
        const auto labels = shop.window->statusBar()->findChildren<ElidedLabel*>();
        return std::any_of(labels.begin(), labels.end(), [&](auto* label) { return label->text().startsWith(start); });
    };
    ASSERT_TRUE(until([&] { return said(QStringLiteral("Connected, Kubernetes v1.27.3  ·  ")); }));
    cluster::ConnectionState unknown;
    unknown.kind = cluster::ConnectionState::Kind::Connected;
    shop.session->setConnection(unknown);
    EXPECT_TRUE(until([&] { return said(QStringLiteral("Connected  ·  ")); }));
}

TEST(Window, CommandPaletteGoesToAKind) {
    Shop shop;
    shop.open();
    QTest::keyClick(shop.window.get(), Qt::Key_K, Qt::ControlModifier);
    auto* palette = shop.window->findChild<CommandPalette*>();
    ASSERT_NE(palette, nullptr);
    auto* input = palette->findChild<QLineEdit*>();
    QTest::keyClicks(input, QStringLiteral("deploym"));
    QTest::keyClick(input, Qt::Key_Return);
    ASSERT_TRUE(until([&] { return table(shop).rows()->kind() == guard::kinds::deployments(); }));
}

TEST(Window, KeysFocusTheFilterAndEscapePopsOneStep) {
    Shop shop;
    shop.open();
    shop.window->showKind(QStringLiteral("pods"));
    ASSERT_TRUE(until([&] { return table(shop).rows()->rowCount() == 9; }));
    shop.window->activateWindow();
    ASSERT_TRUE(until([&] { return shop.window->isActiveWindow(); }));
    table(shop).view()->setFocus();
    QTest::keyClick(table(shop).view(), Qt::Key_Slash);
    auto* filter = header(shop).findChild<QLineEdit*>();
    EXPECT_TRUE(filter->hasFocus());
    QTest::keyClicks(filter, QStringLiteral("cart"));
    EXPECT_EQ(table(shop).rows()->rowCount(), 1);
    QTest::keyClick(filter, Qt::Key_Escape);
    EXPECT_EQ(table(shop).rows()->rowCount(), 9);
    QTest::keyClick(filter, Qt::Key_Escape);
    settle();
    EXPECT_TRUE(table(shop).showsTrouble());
}

TEST(Window, ColumnsFillTheTableAlsoAfterAKindWasChosenByMouse) {
    Shop shop;
    shop.open();
    shop.window->resize(1360, 860);
    auto* navigator = shop.window->findChild<NavigatorView*>();
    const auto pods = [&] {
        const auto* model = qobject_cast<models::NavigatorModel*>(navigator->model());
        return navigator->visualRect(model->indexOf(guard::kinds::pods())).center();
    };
    // Its rows come while the button is still down.
    QTest::mousePress(navigator->viewport(), Qt::LeftButton, {}, pods());
    ASSERT_TRUE(until([&] { return table(shop).rows()->rowCount() == 9; }));
    shop.session->push(guard::kinds::pods(), test::upsert({test::makeRow({"shop",
                                                                          "late-and-long-84d6c-jj2vx",
                                                                          "p10",
                                                                          "0/1",
                                                                          "CreateContainerConfigError",
                                                                          0,
                                                                          1,
                                                                          cluster::Health::Bad,
                                                                          "",
                                                                          {}})}));
    ASSERT_TRUE(until([&] { return table(shop).rows()->rowCount() == 10; }));
    QTest::mouseRelease(navigator->viewport(), Qt::LeftButton, {}, pods());
    const auto* view = table(shop).view();
    for (const int width : {1500, 1280}) {
        shop.window->resize(width, 860);
        test::settle();
        EXPECT_EQ(view->horizontalHeader()->length(), view->viewport()->width()) << "in a window of " << width;
    }
}

TEST(Window, AColumnGrowsWithWhatItsCellsSay) {
    Shop shop;
    shop.open();
    shop.window->resize(1360, 860);
    shop.window->showKind(QStringLiteral("pods"));
    ASSERT_TRUE(until([&] { return table(shop).rows()->rowCount() == 9; }));
    const auto* view = table(shop).view();
    const int status = 2;
    ASSERT_EQ(view->model()->headerData(status, Qt::Horizontal).toString(), QStringLiteral("STATUS"));
    const int before = view->columnWidth(status);
    shop.session->push(guard::kinds::pods(), test::upsert({test::makeRow({"shop",
                                                                          "cart-6f7d8c9b5-4kx2p",
                                                                          "p1",
                                                                          "0/1",
                                                                          "CreateContainerConfigErrorOfALongName",
                                                                          0,
                                                                          1,
                                                                          cluster::Health::Bad,
                                                                          "",
                                                                          {}})}));
    EXPECT_TRUE(until([&] { return view->columnWidth(status) > before + 30; }, 2'000));
    EXPECT_EQ(view->horizontalHeader()->length(), view->viewport()->width());
}

TEST(Window, ScalingBeginsWithTheNumberThatIsAskedForNow) {
    Shop shop;
    auto* dialog = new ScaleDialog(shop.session, {{guard::kinds::deployments(), "shop", "checkout"}, "d3"}, nullptr);
    QSignalSpy chosen(dialog, &ScaleDialog::chosen);
    auto* number = dialog->findChild<QSpinBox*>();
    EXPECT_FALSE(number->isEnabled()) << "nothing is known yet";
    dialog->show();
    ASSERT_TRUE(until([&] { return number->isEnabled(); }));
    EXPECT_EQ(number->value(), 3);
    number->setValue(4);
    for (auto* button : dialog->findChildren<QPushButton*>()) {
        if (button->text().startsWith(QStringLiteral("Review"))) {
            button->click();
        }
    }
    ASSERT_EQ(chosen.count(), 1);
    EXPECT_EQ(chosen.front().front().toInt(), 4);

    auto* gone = new ScaleDialog(shop.session, {{guard::kinds::deployments(), "shop", "not-there"}, "x"}, nullptr);
    gone->show();
    test::settle();
    EXPECT_FALSE(gone->findChild<QSpinBox*>()->isEnabled()) << "an unknown number is not guessed";
    gone->close();
}

TEST(Window, FitsASmallScreen) {
    Shop shop;
    shop.open();
    shop.window->resize(1024, 768);
    settle();
    EXPECT_EQ(shop.window->size(), QSize(1024, 768));
    for (auto* child : header(shop).findChildren<QWidget*>(Qt::FindDirectChildrenOnly)) {
        if (child->isVisible()) {
            EXPECT_TRUE(header(shop).rect().contains(child->geometry())) << child->accessibleName().toStdString();
            EXPECT_GE(child->width(), 20) << child->accessibleName().toStdString();
        }
    }
    EXPECT_GT(table(shop).view()->width(), 380);
}

} // namespace
} // namespace alidade::ui
