// SPDX-License-Identifier: GPL-3.0-or-later
#include "details/details_pane.hpp"

#include <QSignalSpy>

#include <gtest/gtest.h>

#include "shop.hpp"

namespace alidade::ui {
namespace {

using test::until;

const guard::ObjectRef brokenPod{{guard::kinds::pods(), "shop", "checkout-58c4f9d7b-m3t6z"}, "p5"};

struct Pane {
    test::Shop shop;
    DetailsPane pane{shop.clock};
    Pane() {
        pane.resize(800, 500);
        static_cast<QWidget&>(pane).show();
        pane.show(shop.session, brokenPod);
        test::settle();
    }
};

TEST(Details, ALogCitationLandsOnTheLineItself) {
    Pane p;
    guard::anchor::LogLine line;
    line.podUid = "p5";
    line.container = "app";
    line.stamp = "2024-05-01T12:00:41.123456789Z";
    p.pane.showAnchor(line, QStringLiteral("ERROR upstream cart"));
    ASSERT_TRUE(until([&] { return p.pane.logs()->markedLine().has_value(); }));
    EXPECT_EQ(p.pane.tab(), DetailsPane::Tab::Logs);
    EXPECT_EQ(*p.pane.logs()->markedLine(), 41);
    EXPECT_EQ(p.pane.logs()->lineText(41), QStringLiteral("ERROR upstream cart: connection refused"))
        << "colour codes have no effect";
}

TEST(Details, AnEqualStampIsToldApartByItsOrdinal) {
    Pane p;
    p.shop.session->setLog("checkout-58c4f9d7b-m3t6z/side",
                           "2024-05-01T12:00:00.000000001Z first\n2024-05-01T12:00:00.000000001Z second\n");
    guard::anchor::LogLine line{"p5", "side", "", false, "2024-05-01T12:00:00.000000001Z", 1};
    p.pane.showAnchor(line, QStringLiteral("second"));
    ASSERT_TRUE(until([&] { return p.pane.logs()->markedLine().has_value(); }));
    EXPECT_EQ(p.pane.logs()->lineText(*p.pane.logs()->markedLine()), QStringLiteral("second"));
}

TEST(Details, ALineTheServerNoLongerHasOpensAsItWasRead) {
    Pane p;
    QSignalSpy missing(p.pane.logs(), &LogView::lineMissing);
    guard::anchor::LogLine line{"p5", "app", "", false, "2024-05-01T10:00:00.000000000Z", 0};
    p.pane.showAnchor(line, QStringLiteral("panic: nil map"));
    ASSERT_TRUE(until([&] { return missing.count() == 1; }));
    bool told = false;
    for (const auto* label : p.pane.logs()->findChildren<QLabel*>()) {
        told = told || (label->isVisible() && label->text().contains(QStringLiteral("No longer on the server")) &&
                        label->text().contains(QStringLiteral("panic: nil map")));
    }
    EXPECT_TRUE(told);
}

TEST(Details, AFieldCitationMarksTheFieldInTheYaml) {
    Pane p;
    p.pane.showAnchor(guard::anchor::Field{"p5", "/spec/containers/0/image", "1"}, QStringLiteral("image"));
    ASSERT_TRUE(until([&] { return p.pane.yaml()->markedLine().has_value(); }));
    EXPECT_EQ(p.pane.tab(), DetailsPane::Tab::Yaml);
    const QString line = p.pane.yaml()->text().split(u'\n')[*p.pane.yaml()->markedLine()];
    EXPECT_EQ(line.trimmed(), QStringLiteral("image: registry.example/checkout:v2.4.1-hotfix"));
}

TEST(Details, AnEventCitationSelectsItsRow) {
    Pane p;
    p.shop.session->setRows(
        guard::kinds::events(),
        test::reset({[] {
                        cluster::RowBuilder b;
                        b.ns("shop").name("checkout.1").uid("e7");
                        b.nameCell();
                        return b.build();
                    }()},
                    std::make_shared<const std::vector<cluster::Column>>(
                        std::vector<cluster::Column>{{"NAME", cluster::ColumnType::Text, false, ""}})));
    p.pane.showAnchor(guard::anchor::Event{"e7", 1}, QStringLiteral("Failed to pull image"));
    ASSERT_TRUE(until([&] { return p.pane.events()->currentObject().has_value(); }));
    EXPECT_EQ(p.pane.tab(), DetailsPane::Tab::Events);
    EXPECT_EQ(p.pane.events()->currentObject()->uid, "e7");
    p.pane.showAnchor(guard::anchor::Event{"gone", 1}, QStringLiteral("Failed to pull image"));
    test::settle();
    EXPECT_TRUE(p.pane.announcement().contains(QStringLiteral("no longer on the server")));
    EXPECT_TRUE(p.pane.announcement().contains(QStringLiteral("Failed to pull image")));
}

TEST(Details, ADeletedObjectIsAnnouncedAndARecreatedOneIsNotTakenForIt) {
    Pane p;
    p.shop.session->removeObject("p5");
    test::settle();
    EXPECT_TRUE(p.pane.announcement().contains(QStringLiteral("Deleted")));

    test::Shop shop;
    DetailsPane other(shop.clock);
    auto successor = nlohmann::json::parse(R"({"kind": "Pod", "metadata": {"name": "x", "uid": "new"}})");
    shop.session->setObject("old", successor); // what the API returns under the name that was asked for
    other.show(shop.session, {{guard::kinds::pods(), "shop", "x"}, "old"});
    test::settle();
    EXPECT_TRUE(other.announcement().contains(QStringLiteral("Replaced")));
}

TEST(Details, ManyLogLinesAreKeptBoundedAndTheLossIsSaid) {
    Pane p;
    std::string log;
    for (int i = 0; i < LogView::maxLines + 500; ++i) {
        log += "2024-05-01T12:00:00.000000001Z line " + std::to_string(i) + "\n";
    }
    p.shop.session->setLog("big/app", log);
    const guard::ObjectRef big{{guard::kinds::pods(), "shop", "big"}, "big"};
    p.shop.session->setObject(
        "big",
        nlohmann::json::parse(
            R"({"kind": "Pod", "metadata": {"name": "big", "uid": "big"}, "spec": {"containers": [{"name": "app"}]}})"));
    p.pane.show(p.shop.session, big);
    p.pane.showTab(DetailsPane::Tab::Logs);
    ASSERT_TRUE(until([&] { return p.pane.logs()->lineCount() == LogView::maxLines; }, 30'000));
    EXPECT_EQ(p.pane.logs()->lineText(0), QStringLiteral("line 500"));
    bool said = false;
    for (const auto* label : p.pane.logs()->findChildren<ElidedLabel*>()) {
        said = said || label->text().contains(QStringLiteral("older ones dropped"));
    }
    EXPECT_TRUE(said);
}

} // namespace
} // namespace alidade::ui
