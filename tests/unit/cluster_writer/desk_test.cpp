// SPDX-License-Identifier: GPL-3.0-or-later
#include <fstream>

#include <gmock/gmock.h>

#include "small_cluster.hpp"

namespace alidade::cluster::test {
namespace {

using guard::WriteOutcome;
using testing::HasSubstr;
namespace what = guard::desk;
using Desk = DeskTest;

TEST_F(Desk, a_proposal_shows_diff_and_server_and_waits) {
    open();
    submit({rollback()});
    const auto proposed = events.waitFor<what::Proposed>();
    ASSERT_TRUE(proposed);
    const guard::ProposalItem& item = proposed->content->items.at(0);
    EXPECT_EQ(item.uid, "uid-1");
    EXPECT_TRUE(item.preview.available);
    ASSERT_EQ(item.preview.diff.size(), 1U);
    EXPECT_EQ(item.preview.diff[0].pointer, "/spec/template/spec/containers/0/image");
    EXPECT_THAT(item.preview.unifiedDiff, HasSubstr("shop/web:1"));
    EXPECT_EQ(item.access.access, guard::Access::Allowed);
    EXPECT_EQ(events.count<what::Drafted>(), 1U);
    EXPECT_TRUE(cluster.mutations(false).empty());
}

TEST_F(Desk, an_approval_is_good_for_one_execution) {
    EXPECT_EQ(carryOut({rollback()}).kind, WriteOutcome::Kind::Done);
    const auto proposed = events.waitFor<what::Proposed>();
    desk->approve(proposed->content->id, actOn(*proposed->content, *clock));
    // Commands are carried out in order: once the next draft has been answered, the second approval has been too.
    submit({scale(6)});
    static_cast<void>(events.waitFor<what::Proposed>(1));
    EXPECT_EQ(cluster.mutations(false).size(), 1U);
    EXPECT_EQ(events.count<what::Executed>(), 1U);
}

TEST_F(Desk, an_act_on_other_contents_leaves_the_proposal_pending) {
    open();
    submit({rollback()});
    submit({scale(6)});
    const auto first = events.waitFor<what::Proposed>(0);
    const auto second = events.waitFor<what::Proposed>(1);
    desk->approve(first->content->id, actOn(*second->content, *clock));
    const auto rejected = events.waitFor<what::ApprovalRejected>();
    EXPECT_EQ(rejected->id, first->content->id);
    EXPECT_TRUE(cluster.mutations(false).empty());
    desk->approve(first->content->id, actOn(*first->content, *clock));
    EXPECT_EQ(events.waitFor<what::Executed>()->outcome.kind, WriteOutcome::Kind::Done);
}

TEST_F(Desk, decline_ends_it_and_dismiss_does_not) {
    open();
    submit({rollback()});
    const auto proposed = events.waitFor<what::Proposed>();
    desk->dismiss(proposed->content->id);
    static_cast<void>(events.waitFor<what::Dismissed>());
    Events late;
    auto handle = desk->observe(late.sink());
    EXPECT_EQ(late.waitFor<what::Proposed>()->content, proposed->content) << "still pending for who comes later";
    desk->decline(proposed->content->id);
    static_cast<void>(late.waitFor<what::Declined>());
    desk->approve(proposed->content->id, actOn(*proposed->content, *clock));
    submit({scale(6)});
    static_cast<void>(events.waitFor<what::Proposed>(1));
    EXPECT_TRUE(cluster.mutations(false).empty());
    handle.reset();
}

TEST_F(Desk, a_proposal_expires) {
    open();
    submit({rollback()});
    const auto proposed = events.waitFor<what::Proposed>();
    clock->advance(guard::Limits::proposalLifetime);
    EXPECT_EQ(events.waitFor<what::Expired>()->id, proposed->content->id);
    EXPECT_TRUE(cluster.mutations(false).empty());
}

TEST_F(Desk, a_list_stops_at_its_first_failure) {
    const ObjectKey other{guard::kinds::deployments(), "shop", "other"};
    json copy = cluster.get(web);
    copy["metadata"]["name"] = "other";
    copy["metadata"]["uid"] = "uid-9";
    cluster.put(other, copy);
    cluster.next(SmallCluster::Fault::None, [&] {
        json moved = cluster.get(web);
        moved["spec"]["replicas"] = 8;
        cluster.put(web, moved);
    });
    const WriteOutcome outcome = carryOut({scale(6), {{other, "uid-9"}, guard::Scope::Object, guard::Scale{6}}});
    EXPECT_EQ(outcome.kind, WriteOutcome::Kind::Refused);
    EXPECT_FALSE(events.waitFor<what::Finished>()->allDone);
    EXPECT_EQ(events.count<what::Executed>(), 1U);
    EXPECT_EQ(cluster.get(other)["spec"]["replicas"], 3);
}

TEST_F(Desk, without_a_ledger_nothing_is_written) {
    ledger.reset();
    open();
    EXPECT_TRUE(desk->auditFault());
    submit({rollback()});
    EXPECT_EQ(events.waitFor<what::Refused>()->refusal.verdict.checks.back().id, "audit");
}

TEST_F(Desk, a_ledger_that_fails_stops_the_write_and_all_later_ones) {
    open();
    submit({rollback()});
    const auto proposed = events.waitFor<what::Proposed>();
    std::ofstream(ledgerPath(), std::ios::app) << "{\"tampered\":true}\n";
    desk->approve(proposed->content->id, actOn(*proposed->content, *clock));
    EXPECT_EQ(events.waitFor<what::Executed>()->outcome.kind, WriteOutcome::Kind::NotSent);
    EXPECT_TRUE(desk->auditFault());
    EXPECT_TRUE(cluster.mutations(false).empty());
    submit({scale(6)});
    EXPECT_EQ(events.waitFor<what::Refused>()->refusal.verdict.checks.back().id, "audit");
}

TEST_F(Desk, a_protecting_annotation_of_the_owner_counts) {
    const ObjectKey set{guard::kinds::replicaSets(), "shop", "web-1"};
    cluster.put(
        set,
        json::parse(
            R"({"metadata":{"name":"web-1","namespace":"shop","uid":"rs-1","ownerReferences":[{"apiVersion":"apps/v1","kind":"Deployment","name":"web","controller":true}]},"spec":{"replicas":1}})"));
    json owner = cluster.get(web);
    owner["metadata"]["annotations"] = {{"alidade.dev/protected", "true"}};
    cluster.put(web, owner);
    open();
    submit({{{set, "rs-1"}, guard::Scope::Object, guard::Scale{2}}});
    const auto proposed = events.waitFor<what::Proposed>();
    ASSERT_TRUE(proposed);
    EXPECT_TRUE(proposed->content->items[0].targetProtected);
    EXPECT_THAT(proposed->content->items[0].protectedWhy, HasSubstr("deployment shop/web"));
    EXPECT_EQ(proposed->content->typedConfirmation, "web-1");
    EXPECT_THAT(proposed->content->items[0].impact.notes, testing::Contains(HasSubstr("owns it")));
}

TEST_F(Desk, C80_a_refused_dry_run_ends_the_draft_with_every_cause) {
    cluster.refuseWith(
        422,
        json::parse(
            R"({"kind":"Status","status":"Failure","code":422,"reason":"Invalid","message":"invalid","details":{"causes":[
        {"reason":"FieldValueInvalid","field":"spec.selector","message":"field is immutable"},{"reason":"FieldValueRequired","field":"spec.x","message":"Required value"}]}})"));
    open();
    submit({rollback()});
    const auto refused = events.waitFor<what::Refused>();
    ASSERT_TRUE(refused->refusal.error && refused->refusal.error->status);
    EXPECT_EQ(refused->refusal.error->status->causes.size(), 2U);
    EXPECT_TRUE(cluster.mutations(false).empty());
}

TEST_F(Desk, a_dry_run_without_an_answer_is_not_previewed_and_raises_the_risk) {
    cluster.holdDryRuns();
    open();
    submit({rollback()});
    const auto proposed = events.waitFor<what::Proposed>();
    ASSERT_TRUE(proposed);
    EXPECT_FALSE(proposed->content->items[0].preview.available);
    EXPECT_EQ(proposed->content->risk, guard::Risk::High);
    EXPECT_EQ(proposed->content->typedConfirmation, "web");
    EXPECT_FALSE(proposed->content->items[0].request.body.empty());
}

TEST_F(Desk, a_session_without_a_transport_gets_no_desk) {
    EXPECT_FALSE(makeWriteDesk(nullptr, ledger, clock, {}));
    EXPECT_FALSE(makeWriteDesk(session, ledger, nullptr, {}));
}

} // namespace
} // namespace alidade::cluster::test
