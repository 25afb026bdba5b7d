// SPDX-License-Identifier: GPL-3.0-or-later
// The journeys of the product, through every layer, on the embedded cluster: one ends in a verified heal, one at a
// gate, and every citation lands on the place that it names.
#include <algorithm>

#include <QChartView>
#include <QElapsedTimer>
#include <QLineSeries>
#include <QTest>

#include <gtest/gtest.h>

#include "alidade/guard/ledger.hpp"
#include "approval/approval_dialog.hpp"
#include "approval/approve_button.hpp"
#include "details/details_pane.hpp"
#include "driver.hpp"
#include "incident/incident_dock.hpp"
#include "incident/signal_strip.hpp"
#include "incident/stage_rail.hpp"
#include "incident/timeline_view.hpp"
#include "parts/parts.hpp"

namespace alidade::test {
namespace {

bool hasEvent(const ui::RunStatePtr& state, guard::RunEventKind kind) {
    return state && std::any_of(state->events.begin(), state->events.end(),
                                [kind](const auto& event) { return event.kind == kind; });
}

/// The gates of the timeline as it is shown, in order: "quality passed", "action refused".
QStringList gatesShown(Driver& driver) {
    QStringList out;
    const auto* model = driver.window().findChild<ui::TimelineView*>()->model();
    for (int row = 0; row < model->rowCount(); ++row) {
        if (const auto* event = model->eventAt(row); event->kind == guard::RunEventKind::Gate && event->verdict) {
            out << QString::fromStdString(event->verdict->gate) +
                       (event->verdict->passed ? QStringLiteral(" passed") : QStringLiteral(" refused"));
        }
    }
    return out;
}

/// Presses every citation of the diagnosis; the kinds of place that were reached.
std::vector<std::string> citeAll(Driver& driver) {
    std::vector<std::string> kinds;
    std::vector<ui::Chip*> chips;
    waitFor([&] {
        chips.clear();
        for (auto* each : driver.window().findChildren<ui::Chip*>()) {
            if (each->isVisible()) {
                chips.push_back(each);
            }
        }
        return !chips.empty();
    });
    EXPECT_FALSE(chips.empty()) << "a diagnosis cites";
    for (auto* chip : chips) {
        const Landing landing = driver.cite(*chip);
        EXPECT_TRUE(landing.exact) << chip->text().toStdString() << " (" << landing.kind << "): " << landing.says;
        kinds.push_back(landing.kind);
    }
    return kinds;
}

/// The end of a log that the run has read.
std::optional<ui::Citation> lastLogLine(const agent::RunState& run) {
    for (const auto& evidence : run.evidence) {
        if (!evidence->lines.empty() && std::holds_alternative<guard::anchor::LogLine>(evidence->lines.back().anchor)) {
            return ui::Citation{evidence->ref, evidence->lines.back().anchor};
        }
    }
    return std::nullopt;
}

bool contains(const std::vector<std::string>& all, const char* one) {
    return std::find(all.begin(), all.end(), one) != all.end();
}

TEST(Journey, FromTroubleToAVerifiedHeal) {
    Driver driver("checkout-bad-image");
    const std::string broken = driver.imageOf("checkout");
    ASSERT_FALSE(broken.empty());
    ASSERT_TRUE(waitFor([&] { return driver.showsTroubleOf(QStringLiteral("checkout")); }, 60'000))
        << "trouble is seen";

    // The loop is watched: its steps and its gates appear as they happen.
    ASSERT_TRUE(driver.startTriage());
    auto* dock = driver.window().findChild<ui::StageRail*>();
    ASSERT_TRUE(waitFor([&] { return driver.state()->step == guard::Step::Approve; }, 60'000));
    ASSERT_TRUE(waitFor([&] { return gatesShown(driver).size() == 2; }));
    EXPECT_EQ(gatesShown(driver), (QStringList{QStringLiteral("quality passed"), QStringLiteral("action passed")}));
    EXPECT_TRUE(waitFor([&] { return dock->accessibleName().contains(QStringLiteral("Approve")); }))
        << dock->accessibleName().toStdString();
    const auto diagnosed = driver.state();
    ASSERT_TRUE(diagnosed->diagnosis);
    ASSERT_TRUE(diagnosed->diagnosis->suspect);
    EXPECT_EQ(diagnosed->diagnosis->suspect->key.name, "checkout");
    const auto places = citeAll(driver);
    EXPECT_TRUE(contains(places, "event"));
    EXPECT_TRUE(contains(places, "field"));
    const auto line = lastLogLine(*diagnosed);
    ASSERT_TRUE(line) << "logs were read";
    const Landing logged = driver.cite(*line);
    EXPECT_EQ(logged.kind, "log line");
    EXPECT_TRUE(logged.exact) << logged.says;

    // The proposal waits. A press from before the dialog, and acts made by hand, approve nothing; a fresh press does.
    const unsigned long before = stampNow();
    ui::ApprovalDialog* dialog = nullptr;
    ASSERT_TRUE(waitFor([&] { return (dialog = driver.openDialog()) != nullptr; }, 60'000));
    auto* button = dialog->findChild<ui::ApproveButton*>();
    ASSERT_TRUE(Driver::aim(*dialog)) << "the dialog never armed";
    pointer::click(*button, before);
    QTest::mouseClick(button, Qt::LeftButton);
    QTest::keyClick(button, Qt::Key_Space);
    QTest::keyClick(dialog, Qt::Key_Return);
    ASSERT_FALSE(waitFor([&] { return driver.reached(guard::Step::Execute); }, 400)) << "only a fresh act approves";
    EXPECT_EQ(driver.imageOf("checkout"), broken);
    ASSERT_TRUE(Driver::approve(*dialog));
    ASSERT_TRUE(waitFor([&] { return driver.reached(guard::Step::Execute); }, 20'000)) << "a fresh act approves";

    ASSERT_TRUE(waitFor([&] { return driver.state()->outcome.has_value(); }, 180'000));
    EXPECT_EQ(*driver.state()->outcome, guard::RunOutcome::Resolved);
    EXPECT_NE(driver.imageOf("checkout"), broken);
    driver.window().showKind(QStringLiteral("trouble"));
    EXPECT_TRUE(waitFor([&] { return !driver.showsTroubleOf(QStringLiteral("checkout")); })) << "the trouble is gone";

    // The chart tells it: the change, and the ready ratio back at 100 %.
    const auto* strip = driver.window().findChild<ui::SignalStrip*>();
    ASSERT_TRUE(strip->isVisible());
    const auto series = strip->findChild<QChartView*>()->chart()->series();
    ASSERT_EQ(series.size(), 3);
    const auto* ready = qobject_cast<QLineSeries*>(series[0]);
    const auto* executed = qobject_cast<QLineSeries*>(series[2]);
    ASSERT_TRUE(waitFor([&] { return ready->count() > 1 && ready->points().back().y() == 100.0; }));
    ASSERT_EQ(executed->count(), 2) << "where the change was made";
    const double changed = executed->points().front().x();
    const auto points = ready->points();
    EXPECT_TRUE(std::any_of(points.begin(), points.end(), [&](const QPointF& at) {
        return at.x() <= changed + 1.0 && at.y() < 100.0;
    })) << "it was short before the change";

    const auto report = guard::verifyLedger(driver.ledgerBytes());
    EXPECT_TRUE(report.valid) << (report.faults.empty() ? std::string() : report.faults.front());
    EXPECT_TRUE(report.unknownIntents.empty());
    EXPECT_GE(report.records, 2U) << "intent and outcome";
}

TEST(Journey, AProtectedTargetIsBlockedAndEscalated) {
    Driver driver("payments-bad-image");
    const std::string broken = driver.imageOf("payments");
    ASSERT_FALSE(broken.empty());
    ASSERT_TRUE(waitFor([&] { return driver.showsTroubleOf(QStringLiteral("payments")); }, 60'000));
    ASSERT_TRUE(driver.startTriage());
    ASSERT_TRUE(waitFor([&] { return driver.state()->outcome.has_value(); }, 60'000));
    EXPECT_TRUE(hasEvent(driver.state(), guard::RunEventKind::Blocked));
    EXPECT_EQ(*driver.state()->outcome, guard::RunOutcome::Blocked);
    EXPECT_TRUE(driver.reached(guard::Step::Notify)) << "people are told";
    EXPECT_TRUE(waitFor([&] {
        return gatesShown(driver) == QStringList{QStringLiteral("quality passed"), QStringLiteral("action refused")};
    })) << gatesShown(driver).join(u',').toStdString();
    EXPECT_FALSE(driver.reached(guard::Step::Approve));
    EXPECT_FALSE(driver.reached(guard::Step::Execute));
    EXPECT_FALSE(driver.window().reviewProposal()) << "there is nothing to approve";
    EXPECT_EQ(driver.imageOf("payments"), broken);
}

TEST(Journey, ClosingTheWindowDuringARunEndsIt) {
    Driver driver("checkout-bad-image");
    const std::string broken = driver.imageOf("checkout");
    ASSERT_TRUE(driver.startTriage());
    ASSERT_TRUE(waitFor([&] { return driver.state()->step >= guard::Step::Redact; }, 60'000));
    EXPECT_FALSE(driver.state()->outcome);
    QElapsedTimer closing;
    closing.start();
    driver.closeWindow();
    EXPECT_LT(closing.elapsed(), 5'000) << "a run is ended, not waited for";
    EXPECT_EQ(driver.imageOf("checkout"), broken);
    const auto report = guard::verifyLedger(driver.ledgerBytes());
    EXPECT_TRUE(report.valid);
    EXPECT_TRUE(report.unknownIntents.empty());
}

} // namespace
} // namespace alidade::test
