// SPDX-License-Identifier: GPL-3.0-or-later
#include "details/details_pane.hpp"

#include <QKeyEvent>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollBar>
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

TEST(Details, ARestartOfTheContainerIsMarkedInItsLog) {
    Pane p;
    p.pane.showTab(DetailsPane::Tab::Logs);
    ASSERT_TRUE(until([&] { return p.pane.logs()->lineCount() > 0; }));
    const int before = p.pane.logs()->lineCount();
    cluster::LogChunk chunk;
    chunk.bytes = "2024-05-01T12:09:00.000000001Z hello again\n";
    chunk.restarted = true;
    p.shop.session->pushLog(chunk);
    ASSERT_TRUE(until([&] { return p.pane.logs()->lineCount() == before + 2; }));
    EXPECT_TRUE(p.pane.logs()->lineText(before).contains(QStringLiteral("started again")));
    EXPECT_EQ(p.pane.logs()->lineText(before + 1), QStringLiteral("hello again"));
}

TEST(Details, KeysThatScrollStopTheFollowingAndTheEndTakesItUpAgain) {
    Pane p;
    std::string log;
    for (int i = 0; i < 500; ++i) {
        log += "2024-05-01T12:00:00.000000001Z line " + std::to_string(i) + "\n";
    }
    p.shop.session->setLog("checkout-58c4f9d7b-m3t6z/side", log);
    p.shop.session->setLog("checkout-58c4f9d7b-m3t6z/app", log);
    p.pane.showTab(DetailsPane::Tab::Logs);
    ASSERT_TRUE(until([&] { return p.pane.logs()->lineCount() >= 500; }));
    auto* text = p.pane.logs()->findChild<QPlainTextEdit*>();
    const auto press = [&](int key) {
        QKeyEvent down(QEvent::KeyPress, key, Qt::NoModifier);
        QCoreApplication::sendEvent(text, &down);
        test::settle();
    };
    press(Qt::Key_End);
    text->moveCursor(QTextCursor::End);
    press(Qt::Key_PageUp);
    press(Qt::Key_PageUp);
    const int place = text->verticalScrollBar()->value();
    ASSERT_LT(place, text->verticalScrollBar()->maximum());
    cluster::LogChunk more;
    more.bytes = "2024-05-01T12:00:01.000000001Z more\n";
    const int before = p.pane.logs()->lineCount();
    p.shop.session->pushLog(more);
    ASSERT_TRUE(until([&] { return p.pane.logs()->lineCount() > before; }));
    EXPECT_EQ(text->verticalScrollBar()->value(), place) << "the reader was pulled away";
    text->moveCursor(QTextCursor::End);
    press(Qt::Key_End);
    p.shop.session->pushLog(more);
    EXPECT_TRUE(until([&] {
        return text->verticalScrollBar()->value() == text->verticalScrollBar()->maximum() &&
               p.pane.logs()->lineCount() > before + 1;
    }));
}

/// A pod that a ReplicaSet owns, on a node, with a ConfigMap that is not there.
guard::Answer<cluster::Graph> relatedToThePod() {
    using cluster::Relation;
    cluster::Graph graph;
    const auto node = [&](const guard::KindId& kind, const char* ns, const char* name,
                          const char* uid) -> cluster::GraphNode& {
        graph.nodes.push_back({{{kind, ns, name}, uid}, cluster::Health::Unknown, {}, false, false, false});
        return graph.nodes.back();
    };
    node(guard::kinds::pods(), "shop", "checkout-58c4f9d7b-m3t6z", "p5");
    node(guard::kinds::replicaSets(), "shop", "checkout-58c4f9d7b", "r1").health = cluster::Health::Bad;
    node(guard::kinds::configMaps(), "shop", "gone", "").missing = true;
    node(guard::kinds::services(), "shop", "checkout", "s1");
    graph.root = 0;
    graph.edges = {{0, 1, Relation::OwnedBy, {}, cluster::Resolution::Resolved, "metadata.ownerReferences[0]"},
                   {0, 2, Relation::UsesConfig, {}, cluster::Resolution::Missing, "spec.volumes[0].configMap.name"},
                   {3, 0, Relation::Selects, {}, cluster::Resolution::Resolved, "spec.selector"},
                   {3, 1, Relation::Selects, {}, cluster::Resolution::Resolved, "of no concern"}};
    return {graph, "shop", {{"secrets in shop", guard::Coverage::Forbidden, "not yours"}}};
}

TEST(Details, RelationsAreReadWhenShownAndSayWhatIsMissingAndWhatIsNotKnown) {
    Pane p;
    p.shop.session->related = relatedToThePod();
    EXPECT_EQ(p.pane.relations()->table()->rows()->rowCount(), 0) << "not before anybody looks";
    p.pane.showTab(DetailsPane::Tab::Relations);
    auto* rows = p.pane.relations()->table()->rows();
    ASSERT_TRUE(until([&] { return rows->rowCount() == 3; })) << rows->rowCount();
    const auto line = [&](int row) {
        QStringList cells;
        for (int column = 0; column < rows->columnCount(); ++column) {
            cells << rows->index(row, column).data().toString();
        }
        return cells.join(QStringLiteral(" | ")).toStdString();
    };
    EXPECT_EQ(line(0), "owned by | ReplicaSet | checkout-58c4f9d7b | Failing | metadata.ownerReferences[0]");
    EXPECT_EQ(line(1), "uses | ConfigMap | gone | missing | spec.volumes[0].configMap.name");
    EXPECT_EQ(line(2), "selected by | Service | checkout | there | spec.selector");
    EXPECT_TRUE(p.pane.relations()->incomplete().contains(QStringLiteral("secrets in shop")));

    QSignalSpy asked(&p.pane, &DetailsPane::objectAsked);
    Q_EMIT p.pane.relations()->table()->objectActivated(rows->refAt(1));
    EXPECT_EQ(asked.count(), 0) << "what is missing cannot be opened";
    Q_EMIT p.pane.relations()->table()->objectActivated(rows->refAt(0));
    ASSERT_EQ(asked.count(), 1);
    EXPECT_EQ(asked.front().front().value<guard::ObjectRef>().uid, "r1");
}

TEST(Details, RelationsThatCannotBeReadSayWhyAndOfferToTryAgain) {
    Pane p;
    p.shop.session->related = tl::unexpected(guard::Error(guard::ErrorCode::Unreachable, "relations", "no route"));
    p.pane.showTab(DetailsPane::Tab::Relations);
    auto* empty = p.pane.relations()->findChild<EmptyState*>();
    ASSERT_TRUE(until([&] { return empty->isVisible() && empty->reason().contains(QStringLiteral("no route")); }));
    p.shop.session->related = relatedToThePod();
    empty->findChild<QPushButton*>()->click();
    EXPECT_TRUE(until([&] { return p.pane.relations()->table()->rows()->rowCount() == 3; }));
}

} // namespace
} // namespace alidade::ui
