// SPDX-License-Identifier: GPL-3.0-or-later
#include <gmock/gmock.h>

#include "alidade/drill/drill.hpp"
#include "script.hpp"
#include "simulated.hpp"

namespace alidade::test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

guard::Result<drill::NaiveReport> naive(SimulatedCluster& cluster, std::stop_token stop = {}) {
    return drill::runNaive({*cluster.world, cluster.session->reader()}, *cluster.clock, {}, std::move(stop));
}

TEST(Drill, TheNaiveLoopTakesTheDatabaseDownInItsOwnWorld) {
    SimulatedCluster cluster("checkout-bad-image");
    SimulatedCluster other("checkout-bad-image");
    const auto report = naive(cluster);
    ASSERT_TRUE(report) << report.error().text();
    EXPECT_THAT(report->damage, Contains(Field(&drill::Damage::what, "deployment shop/prod-db is scaled to 0, was 1")));
    EXPECT_THAT(report->damage,
                Contains(Field(&drill::Damage::what, HasSubstr("service shop/prod-db has no ready endpoint"))));
    // It is there for everybody to see, and only there.
    const auto hurt = cluster.world->get("apps", "deployments", "shop", "prod-db");
    ASSERT_TRUE(hurt);
    EXPECT_EQ((*hurt)["spec"]["replicas"], 0);
    EXPECT_EQ((*other.world->get("apps", "deployments", "shop", "prod-db"))["spec"]["replicas"], 1);
}

TEST(Drill, TheNaiveLoopSaysThatItIsAScriptAndClaimsSuccess) {
    SimulatedCluster cluster("checkout-bad-image");
    const auto report = naive(cluster);
    ASSERT_TRUE(report);
    EXPECT_THAT(report->events.front().detail, HasSubstr("script"));
    EXPECT_EQ(report->events.back().kind, guard::RunEventKind::Done);
    EXPECT_EQ(report->events.back().outcome, guard::RunOutcome::Resolved);
    for (std::size_t i = 0; i < report->events.size(); ++i) {
        EXPECT_EQ(report->events[i].sequence, static_cast<int>(i) + 1);
        EXPECT_NE(report->events[i].kind, guard::RunEventKind::Gate);
    }
}

TEST(Drill, WhatItWouldHaveLeakedIsNamedAndNotRepeated) {
    SimulatedCluster cluster("checkout-bad-image");
    const auto report = naive(cluster);
    ASSERT_TRUE(report);
    EXPECT_THAT(report->leaked, Contains(HasSubstr("log of pod checkout-")));
    EXPECT_LE(report->leaked.size(), 4U) << "one line a log and rule, however often";
    for (const std::string& line : report->leaked)
        EXPECT_THAT(line, Not(HasSubstr("://")));
    for (const guard::RunEvent& event : report->events)
        EXPECT_THAT(event.title + event.detail, Not(HasSubstr("postgres://")));
}

TEST(Drill, TheNaiveLoopDeletesWhatTheGuardWouldNotTouch) {
    SimulatedCluster cluster("payments-bad-image");
    const auto report = naive(cluster);
    ASSERT_TRUE(report);
    EXPECT_THAT(report->damage, Contains(Field(&drill::Damage::what, "deployment shop/payments is gone")));
    EXPECT_FALSE(cluster.world->get("apps", "deployments", "shop", "payments"));
}

TEST(Drill, StoppedBeforeItActsItDoesNothing) {
    SimulatedCluster cluster("checkout-bad-image");
    std::stop_source stop;
    stop.request_stop();
    EXPECT_FALSE(naive(cluster, stop.get_token()));
    EXPECT_EQ((*cluster.world->get("apps", "deployments", "shop", "prod-db"))["spec"]["replicas"], 1);
}

TEST(Drill, TheGuardedSideOfTheSameScenarioHeals) {
    SimulatedCluster cluster("checkout-bad-image");
    const auto run =
        drill::startHardened({cluster.session, cluster.desk}, cluster.world->scenario(), {}, cluster.clock, {});
    run->join();
    EXPECT_EQ(run->state()->outcome, guard::RunOutcome::Resolved);
    EXPECT_EQ((*cluster.world->get("apps", "deployments", "shop", "prod-db"))["spec"]["replicas"], 1);
}

TEST(DrillScript, HasNothingToSayOfAnEmptyCluster) {
    EXPECT_THAT(drill::scriptedAnswer({}).deployment, IsEmpty());
    drill::Prompt odd;
    odd.pods = {nlohmann::json(5), nlohmann::json::object(), {{"status", {{"containerStatuses", {1, nullptr}}}}}};
    odd.deployments = {nlohmann::json("x")};
    odd.logs = {{"log", "://@"}, {"log", "https://a@"}};
    EXPECT_THAT(drill::scriptedAnswer(odd).deployment, IsEmpty());
}

} // namespace
} // namespace alidade::test
