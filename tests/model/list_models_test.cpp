// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractItemModelTester>
#include <QSignalSpy>

#include <gtest/gtest.h>

#include "alidade/models/navigator_model.hpp"
#include "alidade/models/run_models.hpp"
#include "alidade/models/trouble_model.hpp"
#include "made_rows.hpp"

namespace alidade::models {
namespace {

constexpr auto fatal = QAbstractItemModelTester::FailureReportingMode::Fatal;

TEST(Trouble, ListsWorstFirstAcrossKindsWithTheClustersReason) {
    TroubleModel model(std::make_shared<guard::ManualClock>());
    const QAbstractItemModelTester tester(&model, fatal);
    model.restart({guard::kinds::deployments(), guard::kinds::pods()}, false);
    EXPECT_FALSE(model.settled());
    test::MadePod fine;
    test::MadePod warned{
        "shop", "noisy-1", "n1", "1/1", "Running", 9, 0, cluster::Health::Warning, "Restarting: 9 restarts", {}};
    test::MadePod bad{"shop", "checkout-1",         "c1",
                      "0/1",  "ImagePullBackOff",   0,
                      0,      cluster::Health::Bad, "ImagePullBackOff: Back-off pulling image",
                      {}};
    test::MadePod rollout{"shop", "checkout", "d1", "2/3", "", 0, 0, cluster::Health::Bad, "ProgressDeadlineExceeded",
                          {}};
    model.feed(guard::kinds::pods(), {test::reset({test::makeRow(fine), test::makeRow(warned), test::makeRow(bad)})});
    model.feed(guard::kinds::deployments(), {test::reset({test::makeRow(rollout)})});
    EXPECT_TRUE(model.settled());
    ASSERT_EQ(model.rowCount(), 3);
    EXPECT_EQ(model.refAt(0).key.kind, guard::kinds::deployments());
    EXPECT_EQ(model.refAt(1).key.name, "checkout-1");
    EXPECT_EQ(model.refAt(1).uid, "c1");
    EXPECT_EQ(model.refAt(2).key.name, "noisy-1");
    EXPECT_EQ(model.index(1, 0).data().toString(), QStringLiteral("ImagePullBackOff"));
    EXPECT_EQ(model.index(1, 3).data().toString(), QStringLiteral("Back-off pulling image"));
    EXPECT_EQ(model.badge(guard::kinds::pods()), 2);
    EXPECT_EQ(model.bad(), 2);
    EXPECT_EQ(model.objects(guard::kinds::pods()), 3U);

    bad.health = cluster::Health::Ok;
    bad.trouble.clear();
    model.feed(guard::kinds::pods(), {test::upsert({test::makeRow(bad)}), test::removal({"n1"})});
    ASSERT_EQ(model.rowCount(), 1);
    model.feed(guard::kinds::deployments(), {test::reset({})});
    EXPECT_EQ(model.rowCount(), 0);
}

TEST(Trouble, SaysWhichSourcesAreNotInSync) {
    TroubleModel model(std::make_shared<guard::ManualClock>());
    model.restart({guard::kinds::nodes(), guard::kinds::pods()}, false);
    auto refused = test::reset({});
    refused.freshness.state = cluster::Freshness::State::Forbidden;
    model.feed(guard::kinds::nodes(), {refused});
    model.feed(guard::kinds::pods(), {test::reset({})});
    ASSERT_EQ(model.incomplete().size(), 1U);
    EXPECT_EQ(model.incomplete()[0].first, guard::kinds::nodes());
}

TEST(Trouble, AnOutageIsOneHereTooAndUnreadIsNotNone) {
    using State = cluster::Freshness::State;
    const guard::WallTime synced{std::chrono::seconds{1'700'000'000}};
    const auto batch = [](State state, guard::WallTime lastSync) {
        cluster::DeltaBatch out;
        out.freshness.state = state;
        out.freshness.lastSync = lastSync;
        if (state != State::Live) {
            out.freshness.error = guard::Error(
                state == State::Forbidden ? guard::ErrorCode::Forbidden : guard::ErrorCode::Unreachable, "test", "why");
        }
        return out;
    };
    TroubleModel model(std::make_shared<guard::ManualClock>());
    const QAbstractItemModelTester tester(&model, fatal);
    const auto nodes = guard::kinds::nodes();
    const auto pods = guard::kinds::pods();

    // Never read: the reason stands for the table, and nothing is counted.
    model.restart({nodes, pods}, false);
    model.feed(nodes, {batch(State::Stale, {})});
    EXPECT_EQ(model.freshness().state, State::Loading) << "the other has not answered yet";
    model.feed(pods, {batch(State::Stale, {})});
    EXPECT_EQ(model.freshness().state, State::Stale);
    ASSERT_TRUE(model.freshness().error);
    EXPECT_EQ(model.objects(pods), std::nullopt);

    // Read, then lost: the rows stay and are stale, whatever the other source does.
    model.restart({nodes, pods}, false);
    model.feed(nodes, {batch(State::Live, synced)});
    auto filled = test::reset(
        {test::makeRow(test::MadePod{"shop", "a-1", "a1", "0/1", "Error", 0, 0, cluster::Health::Bad, "Error", {}})});
    filled.freshness = batch(State::Live, synced).freshness;
    model.feed(pods, {filled});
    EXPECT_EQ(model.freshness().state, State::Live);
    model.feed(pods, {batch(State::Stale, synced)});
    EXPECT_EQ(model.freshness().state, State::Stale);
    EXPECT_EQ(model.freshness().lastSync, synced);
    EXPECT_EQ(model.rowCount(), 1);
    model.feed(pods, {batch(State::Live, synced)});
    EXPECT_EQ(model.freshness().state, State::Live);

    // One kind that this person may not read leaves the rest live, and is named; all of them leave nothing.
    model.feed(nodes, {batch(State::Forbidden, {})});
    EXPECT_EQ(model.freshness().state, State::Live);
    EXPECT_EQ(model.incomplete().size(), 1U);
    EXPECT_EQ(model.objects(nodes), std::nullopt);
    model.feed(pods, {batch(State::Forbidden, {})});
    EXPECT_EQ(model.freshness().state, State::Forbidden);
    EXPECT_TRUE(model.freshness().error);
}

TEST(Navigator, PutsDiscoveredKindsIntoCategories) {
    NavigatorModel model;
    const QAbstractItemModelTester tester(&model, fatal);
    EXPECT_TRUE(model.indexOf(guard::kinds::pods()).isValid()) << "usable before discovery has answered";
    cluster::Catalog catalog;
    const auto add = [&](guard::KindId id) {
        cluster::ResourceKind kind;
        kind.id = std::move(id);
        kind.verbs = {"get", "list", "watch"};
        catalog.kinds.push_back(kind);
    };
    add(guard::kinds::pods());
    add(guard::kinds::events());
    add({"events.k8s.io", "v1", "Event", "events", true});
    add({"networking.k8s.io", "v1", "NetworkPolicy", "networkpolicies", true});
    add({"cert-manager.io", "v1", "Certificate", "certificates", true});
    add({"metrics.k8s.io", "v1beta1", "PodMetrics", "pods", true});
    model.setNumbers(guard::kinds::pods(), 12, 3);
    model.setCatalog(catalog);
    EXPECT_EQ(model.indexOf(guard::kinds::pods()).data().toString(), QStringLiteral("Pods"));
    EXPECT_EQ(model.indexOf({"metrics.k8s.io", "v1beta1", "PodMetrics", "pods", true}).data().toString(),
              QStringLiteral("Pods (metrics.k8s.io)"));
    const QModelIndex pods = model.indexOf(guard::kinds::pods());
    ASSERT_TRUE(pods.isValid());
    EXPECT_EQ(pods.data(NavigatorModel::CountRole).toInt(), 12) << "numbers outlive a new catalog";
    EXPECT_EQ(pods.data(NavigatorModel::BadgeRole).toInt(), 3);
    EXPECT_EQ(pods.parent().data().toString(), QStringLiteral("Workloads"));
    const QModelIndex custom = model.indexOf({"cert-manager.io", "v1", "Certificate", "certificates", true});
    ASSERT_TRUE(custom.isValid());
    EXPECT_EQ(custom.parent().data().toString(), QStringLiteral("Custom"));
    EXPECT_EQ(custom.data().toString(), QStringLiteral("Certificates"));
    EXPECT_FALSE(model.indexOf({"events.k8s.io", "v1", "Event", "events", true}).isValid()) << "the same objects twice";
    EXPECT_EQ(kindTitle({"networking.k8s.io", "v1", "NetworkPolicy", "networkpolicies", true}),
              QStringLiteral("NetworkPolicies"));
    EXPECT_EQ(kindTitle({"", "v1", "Endpoints", "endpoints", true}), QStringLiteral("Endpoints"));
}

std::shared_ptr<agent::RunState> run(int events) {
    auto state = std::make_shared<agent::RunState>();
    state->incident.id = "inc-1";
    for (int i = 1; i <= events; ++i) {
        guard::RunEvent event;
        event.sequence = i;
        event.step = static_cast<guard::Step>(std::min(i - 1, 6));
        event.title = "event " + std::to_string(i);
        event.detail = i % 2 == 0 ? "more" : "";
        state->events.push_back(event);
    }
    return state;
}

TEST(Timeline, LaterSnapshotsOnlyAdd) {
    TimelineModel model;
    const QAbstractItemModelTester tester(&model, fatal);
    model.setState(run(2));
    ASSERT_TRUE(model.setData(model.index(1), true, TimelineModel::ExpandedRole));
    QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
    model.setState(run(5));
    EXPECT_EQ(model.rowCount(), 5);
    EXPECT_EQ(resets.count(), 0);
    EXPECT_TRUE(model.index(1).data(TimelineModel::ExpandedRole).toBool()) << "what was opened stays open";
    EXPECT_FALSE(model.index(0).data(TimelineModel::ExpandableRole).toBool());
    auto other = run(1);
    other->incident.id = "inc-2";
    model.setState(other);
    EXPECT_EQ(model.rowCount(), 1);
    EXPECT_EQ(resets.count(), 1);
    model.setState(nullptr);
    EXPECT_EQ(model.rowCount(), 0);
}

TEST(StageRail, TellsPastPresentFutureAndSkipped) {
    auto state = run(4);
    auto steps = stepStates(*state);
    EXPECT_EQ(steps[0], StepState::Done);
    EXPECT_EQ(steps[3], StepState::Current);
    EXPECT_EQ(steps[4], StepState::Future);
    state->step = guard::Step::QualityGate; // has begun, and has not said anything yet
    steps = stepStates(*state);
    EXPECT_EQ(steps[3], StepState::Done);
    EXPECT_EQ(steps[4], StepState::Current);
    EXPECT_EQ(steps[5], StepState::Future);
    state->step = guard::Step::Trigger;
    guard::RunEvent gate;
    gate.kind = guard::RunEventKind::Blocked;
    gate.step = guard::Step::ActionGate;
    state->events.push_back(gate);
    state->outcome = guard::RunOutcome::Blocked;
    steps = stepStates(*state);
    EXPECT_EQ(steps[6], StepState::Failed);
    EXPECT_EQ(steps[4], StepState::Skipped);
    EXPECT_EQ(steps[8], StepState::Skipped);
}

TEST(Evidence, GrowsWithoutReset) {
    guard::EvidenceLedger ledger;
    static constexpr guard::ToolRow row{"pod_logs", guard::Effect::ClusterRead, guard::Gate::None, 1, ""};
    constexpr guard::CitableTool tool(row);
    EvidenceModel model;
    const QAbstractItemModelTester tester(&model, fatal);
    auto state = run(1);
    const auto first = ledger.add(tool, {}, "logs", {{"line", guard::anchor::Section{"x"}}}, {});
    state->evidence = ledger.all();
    model.setState(state);
    auto later = std::make_shared<agent::RunState>(*state);
    ledger.add(tool, {}, "events", {}, {});
    later->evidence = ledger.all();
    QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
    model.setState(later);
    EXPECT_EQ(model.rowCount(), 2);
    EXPECT_LE(resets.count(), 1);
    ASSERT_TRUE(model.find(first));
    EXPECT_EQ(model.find(first)->title, "logs");
    EXPECT_TRUE(model.index(1).data().toString().startsWith(QStringLiteral("E2")));
}

} // namespace
} // namespace alidade::models
