// SPDX-License-Identifier: GPL-3.0-or-later
#include <gmock/gmock.h>

#include "small_cluster.hpp"

namespace alidade::cluster::test {
namespace {

using guard::WriteOutcome;
using testing::HasSubstr;
using Fault = SmallCluster::Fault;

struct Execute : DeskTest {
    void expectOneMutation() {
        EXPECT_EQ(cluster.mutations(false).size(), 1U);
        EXPECT_FALSE(cluster.mutations(true).empty());
        const guard::LedgerReport report = verified();
        EXPECT_TRUE(report.valid);
        EXPECT_TRUE(report.unknownIntents.empty());
    }
};

TEST_F(Execute, a_rollback_is_one_conditional_request) {
    const WriteOutcome outcome = carryOut({rollback()});
    EXPECT_EQ(outcome.kind, WriteOutcome::Kind::Done) << outcome.detail;
    EXPECT_EQ(outcome.observedGeneration, 6);
    EXPECT_EQ(imageNow(), "shop/web:1");
    expectOneMutation();
    EXPECT_THAT(cluster.mutations(false)[0].body, HasSubstr("\"path\":\"/metadata/uid\""));
}

TEST_F(Execute, what_is_sent_is_what_was_previewed_but_for_dry_run) {
    carryOut({rollback()});
    EXPECT_EQ(cluster.mutations(true).at(0).body, cluster.mutations(false).at(0).body);
    EXPECT_EQ(cluster.mutations(true).at(0).target, cluster.mutations(false).at(0).target + "?dryRun=All");
}

TEST_F(Execute, closed_before_the_answer_is_unknown_and_never_sent_again) {
    cluster.next(Fault::CloseCarriedOut);
    const WriteOutcome outcome = carryOut({rollback()});
    EXPECT_EQ(outcome.kind, WriteOutcome::Kind::Unknown);
    EXPECT_THAT(outcome.detail, HasSubstr("the change is in place"));
    expectOneMutation();
}

TEST_F(Execute, closed_without_being_carried_out_is_unknown_too) {
    cluster.next(Fault::CloseNotCarriedOut);
    const WriteOutcome outcome = carryOut({rollback()});
    EXPECT_EQ(outcome.kind, WriteOutcome::Kind::Unknown);
    EXPECT_THAT(outcome.detail, HasSubstr("not in place"));
    EXPECT_EQ(imageNow(), "shop/web:2");
    expectOneMutation();
}

TEST_F(Execute, a_reset_is_unknown) {
    cluster.next(Fault::ResetCarriedOut);
    EXPECT_EQ(carryOut({rollback()}).kind, WriteOutcome::Kind::Unknown);
    expectOneMutation();
}

TEST_F(Execute, C80_gateways_leave_it_unknown) {
    cluster.next(Fault::Gateway504);
    EXPECT_EQ(carryOut({rollback()}).kind, WriteOutcome::Kind::Unknown);
    expectOneMutation();
}

TEST_F(Execute, C80_a_proxys_page_is_not_shown_as_such) {
    cluster.next(Fault::Html502);
    const WriteOutcome outcome = carryOut({rollback()});
    EXPECT_EQ(outcome.kind, WriteOutcome::Kind::Unknown);
    EXPECT_THAT(outcome.detail, testing::Not(HasSubstr("<html>")));
    expectOneMutation();
}

TEST_F(Execute, C80_a_failing_webhook_is_a_failure_once_seen_that_nothing_changed) {
    cluster.next(Fault::Error500);
    const WriteOutcome outcome = carryOut({rollback()});
    EXPECT_EQ(outcome.kind, WriteOutcome::Kind::Failed);
    EXPECT_THAT(outcome.detail, HasSubstr("failed calling webhook"));
    expectOneMutation();
}

TEST_F(Execute, an_accepted_write_with_a_cut_answer_is_done) {
    cluster.next(Fault::Truncate);
    const WriteOutcome outcome = carryOut({rollback()});
    EXPECT_EQ(outcome.kind, WriteOutcome::Kind::Done);
    EXPECT_THAT(outcome.detail, HasSubstr("cut off"));
    expectOneMutation();
}

TEST_F(Execute, a_redirect_is_not_followed) {
    cluster.next(Fault::Redirect);
    const WriteOutcome outcome = carryOut({rollback()});
    EXPECT_EQ(outcome.kind, WriteOutcome::Kind::Failed);
    EXPECT_EQ(imageNow(), "shop/web:2");
    expectOneMutation();
}

TEST_F(Execute, a_value_that_moved_in_between_is_named) {
    cluster.next(Fault::None, [this] {
        json moved = cluster.get(web);
        moved["spec"]["replicas"] = 5;
        cluster.put(web, moved);
    });
    const WriteOutcome outcome = carryOut({scale(6)});
    EXPECT_EQ(outcome.kind, WriteOutcome::Kind::Refused);
    EXPECT_THAT(outcome.detail, HasSubstr("/spec/replicas is 5 now, not 3"));
    EXPECT_EQ(cluster.get(web)["spec"]["replicas"], 5);
    expectOneMutation();
}

TEST_F(Execute, another_incarnation_is_not_written_to) {
    open();
    submit({rollback()});
    const auto proposed = events.waitFor<guard::desk::Proposed>();
    json again = cluster.get(web);
    again["metadata"]["uid"] = "uid-2";
    cluster.put(web, again);
    desk->approve(proposed->content->id, actOn(*proposed->content, *clock));
    const WriteOutcome outcome = events.waitFor<guard::desk::Executed>()->outcome;
    EXPECT_EQ(outcome.kind, WriteOutcome::Kind::NotSent);
    EXPECT_THAT(outcome.detail, HasSubstr("uid-2"));
    EXPECT_TRUE(cluster.mutations(false).empty());
    EXPECT_TRUE(verified().unknownIntents.empty());
}

TEST_F(Execute, the_brake_is_read_last) {
    open();
    submit({rollback()});
    const auto proposed = events.waitFor<guard::desk::Proposed>();
    desk->brake().set(true);
    desk->approve(proposed->content->id, actOn(*proposed->content, *clock));
    const WriteOutcome outcome = events.waitFor<guard::desk::Executed>()->outcome;
    EXPECT_EQ(outcome.kind, WriteOutcome::Kind::NotSent);
    EXPECT_THAT(outcome.detail, HasSubstr("brake"));
    EXPECT_TRUE(cluster.mutations(false).empty());
}

TEST_F(Execute, C80_a_webhooks_refusal_arrives_whole) {
    const std::string text =
        "admission webhook \"policy.example.com\" denied the request: " + std::string(1500, 'x') + "\n<b>no</b>";
    cluster.refuseWith(
        403, {{"kind", "Status"}, {"status", "Failure"}, {"code", 403}, {"reason", "Forbidden"}, {"message", text}},
        false);
    const WriteOutcome outcome = carryOut({rollback()});
    EXPECT_EQ(outcome.kind, WriteOutcome::Kind::Refused);
    EXPECT_EQ(outcome.error->code, guard::ErrorCode::Denied);
    EXPECT_EQ(outcome.error->status->message, text);
    expectOneMutation();
}

TEST_F(Execute, C80_warnings_are_shown_on_success_too) {
    cluster.warn("spec.template: deprecated");
    cluster.warn("second");
    EXPECT_THAT(carryOut({rollback()}).warnings, testing::ElementsAre("spec.template: deprecated", "second"));
}

TEST_F(Execute, C79_accepted_is_not_gone) {
    json held = cluster.get(web);
    held["metadata"]["finalizers"] = {"example.com/cleanup"};
    cluster.put(web, held);
    const WriteOutcome outcome = carryOut({{{web, "uid-1"}, guard::Scope::Object, guard::Delete{}}});
    EXPECT_EQ(outcome.kind, WriteOutcome::Kind::Done);
    EXPECT_THAT(outcome.detail, HasSubstr("held by finalizer example.com/cleanup"));
    expectOneMutation();
}

TEST_F(Execute, a_delete_of_what_is_there_removes_it) {
    EXPECT_EQ(carryOut({{{web, "uid-1"}, guard::Scope::Object, guard::Delete{}}}).kind, WriteOutcome::Kind::Done);
    EXPECT_TRUE(cluster.get(web).is_null());
    expectOneMutation();
}

} // namespace
} // namespace alidade::cluster::test
