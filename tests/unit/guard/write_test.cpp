// SPDX-License-Identifier: GPL-3.0-or-later
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fakes.hpp"

using namespace alidade::guard;
using namespace alidade::guard::test;
using testing::ElementsAre;
using testing::HasSubstr;
using namespace std::chrono_literals;

namespace {
struct WriteGateTest : testing::Test {
    ManualClock clock;
    FakePorts ports;
    Brake brake;
    WriteGatePolicy policy = policyOf();

    tl::expected<Proposal, WriteRefusal> check(const Draft& draft) {
        return WriteGate::check(draft, ports, policy, brake, clock, {7});
    }
    void expectRefused(const Draft& draft, const std::string& id) {
        auto result = check(draft);
        ASSERT_FALSE(result);
        EXPECT_FALSE(result.error().verdict.passed);
        EXPECT_EQ(result.error().verdict.gate, "write");
        ASSERT_FALSE(result.error().verdict.checks.empty());
        EXPECT_EQ(result.error().verdict.checks.back().id, id);
        EXPECT_FALSE(result.error().verdict.checks.back().passed);
        EXPECT_FALSE(result.error().verdict.reasons.empty());
    }
    /// A run's draft, through both of the run's gates.
    static Draft runDraft(const Action& action) {
        EvidenceLedger evidence;
        static constexpr ToolRow row{"get", Effect::ClusterRead, Gate::None, 1, ""};
        const EvidenceRef ref = evidence.add(CitableTool(row), action.target, "deployment",
                                             {{"image not found", anchor::Section{"x"}}}, {});
        Signals signals;
        WorkloadSignal workload{action.target, 3, 1, 1, 1, true, false, false, "", ref};
        signals.workloads.push_back(workload);
        for (int revision : {5, 4})
            signals.recentDeploys.push_back({action.target, revision, revision == 5, {}, "", {}, ref, -1, {}});
        Diagnosis diagnosis;
        diagnosis.outcome = DiagnosisOutcome::Fault;
        diagnosis.hypothesis = "image does not exist";
        diagnosis.suspect = action.target;
        diagnosis.confidence = 0.9;
        diagnosis.recommended = action;
        diagnosis.claims.push_back({"says so", {ref}, "image not found", true, {}});
        diagnosis.source = "analyst";
        auto quality = QualityGate::check(diagnosis, signals, evidence, std::nullopt);
        const ProtectedLists lists;
        auto result =
            ActionGate::check(*quality.grounded, {{action}, ""}, {signals, lists, "demo", {"shop"}, {1}, {1}, 1});
        Provenance provenance;
        provenance.origin = Origin::Run;
        return Draft::fromPlan(*result.validated, provenance, {1});
    }
};
} // namespace

TEST_F(WriteGateTest, starts_all_four_reads_before_it_waits_for_one) {
    ASSERT_TRUE(check(personDraft({rollback("a"), rollback("b")})));
    ASSERT_EQ(ports.trace.size(), 16U);
    for (std::size_t i = 0; i < 8; ++i)
        EXPECT_THAT(ports.trace[i], HasSubstr("start")) << i;
    for (std::size_t i = 8; i < 16; ++i)
        EXPECT_THAT(ports.trace[i], HasSubstr("wait")) << i;
}

TEST_F(WriteGateTest, a_proposal_holds_everything_the_dialog_shows) {
    auto proposal = check(personDraft());
    ASSERT_TRUE(proposal);
    const ProposalContent& content = *proposal->content();
    EXPECT_EQ(content.digest.size(), 64U);
    EXPECT_EQ(content.context, "demo");
    EXPECT_EQ(content.expiresAt - content.madeAt, Limits::proposalLifetime);
    EXPECT_EQ(content.items.at(0).uid, "uid-1");
    EXPECT_EQ(content.items.at(0).heal, healCheckOf(ActionKind::Rollback));
    EXPECT_EQ(content.risk, Risk::Medium);
    EXPECT_EQ(content.typedConfirmation, "");
    EXPECT_TRUE(content.verdict.passed);
    EXPECT_EQ(content.provenance.origin, Origin::Person);
}

TEST_F(WriteGateTest, refuses_without_asking_the_cluster) {
    brake.set(true);
    expectRefused(personDraft(), "brake");
    brake.set(false);
    policy.readOnly = true;
    expectRefused(personDraft(), "read_only");
    policy.readOnly = false;
    policy.epoch = {2};
    expectRefused(personDraft(), "epoch");
    policy.epoch = {1};
    expectRefused(personDraft({}), "plan");
    Action wide = rollback();
    wide.scope = Scope::All;
    expectRefused(personDraft({wide}), "scope");
    Action escaped = rollback("web/../../secrets/db");
    expectRefused(personDraft({escaped}), "target_name");
    EXPECT_TRUE(ports.trace.empty());
}

TEST_F(WriteGateTest, the_brake_pulled_while_it_reads_counts) {
    ports.onWait = [&] { brake.set(true); };
    expectRefused(personDraft(), "brake");
}

TEST_F(WriteGateTest, protected_namespace_refuses_runs_and_asks_people_for_a_typed_name) {
    policy.protectedLists.namespaces = {"shop"};
    expectRefused(runDraft(rollback()), "protected_namespace");
    EXPECT_TRUE(ports.trace.empty());
    auto person = check(personDraft());
    ASSERT_TRUE(person);
    EXPECT_EQ(person->content()->risk, Risk::High);
    EXPECT_EQ(person->content()->typedConfirmation, "checkout");
    policy.protectedLists.strict = true;
    expectRefused(personDraft(), "protected_namespace");
}

TEST_F(WriteGateTest, protected_resource_by_settings_or_annotation_is_no_target_of_a_run) {
    policy.protectedLists.resources = {{"shop", "Deployment", "check*"}};
    expectRefused(runDraft(rollback()), "protected_resource");
    policy.protectedLists.resources.clear();
    ports.target = TargetState{"uid-1", true, "by annotation of its owner"};
    expectRefused(runDraft(rollback()), "protected_resource");
    auto person = check(personDraft());
    ASSERT_TRUE(person);
    EXPECT_TRUE(person->content()->items[0].targetProtected);
    EXPECT_EQ(person->content()->typedConfirmation, "checkout");
}

TEST_F(WriteGateTest, a_protected_context_asks_for_its_name) {
    policy.protectedLists.contexts = {"dem?"};
    auto proposal = check(personDraft());
    ASSERT_TRUE(proposal);
    EXPECT_EQ(proposal->content()->typedConfirmation, "demo");
}

TEST_F(WriteGateTest, access_denied_ends_the_draft_and_unknown_is_shown) {
    ports.access = AccessReview{Access::Denied, "patch deployments.apps in shop", "no RBAC rule"};
    expectRefused(personDraft(), "access");
    ports.access = fail(ErrorCode::Timeout, "review", "no answer");
    auto proposal = check(personDraft());
    ASSERT_TRUE(proposal);
    EXPECT_EQ(proposal->content()->items[0].access.access, Access::Unknown);
}

TEST_F(WriteGateTest, another_incarnation_or_none_is_refused) {
    ports.target = TargetState{"uid-2", false, ""};
    expectRefused(personDraft(), "incarnation");
    ports.target = fail(ErrorCode::NotFound, "GET", "gone");
    expectRefused(personDraft(), "target_exists");
}

TEST_F(WriteGateTest, a_target_that_cannot_be_read_is_named_only_for_people_and_nothing_for_runs) {
    ports.target = fail(ErrorCode::Forbidden, "GET", "no get");
    Action unnamed = rollback();
    unnamed.target.uid.clear();
    auto proposal = check(personDraft({unnamed}));
    ASSERT_TRUE(proposal);
    EXPECT_TRUE(proposal->content()->namedOnly);
    EXPECT_GE(proposal->content()->risk, Risk::High);
    expectRefused(runDraft(rollback()), "target_read");
}

TEST_F(WriteGateTest, a_refused_dry_run_ends_the_draft_with_its_full_reason) {
    Error denied(ErrorCode::Denied, "PATCH",
                 "admission webhook \"policy.example.com\" denied the request: " + std::string(6000, 'x'));
    ports.rendered = tl::unexpected(denied);
    auto refused = check(personDraft());
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().error->detail.size(), denied.detail.size());
}

TEST_F(WriteGateTest, an_unavailable_dry_run_raises_the_risk_one_step) {
    ports.rendered->preview.available = false;
    ports.rendered->preview.unavailableReason = "timed out";
    auto proposal = check(personDraft());
    ASSERT_TRUE(proposal);
    EXPECT_EQ(proposal->content()->risk, Risk::High);
    EXPECT_EQ(proposal->content()->typedConfirmation, "checkout");
}

TEST_F(WriteGateTest, impact_that_fails_is_a_gap_not_an_empty_one) {
    ports.impact = fail(ErrorCode::Forbidden, "list pods", "no");
    auto proposal = check(personDraft());
    ASSERT_TRUE(proposal);
    EXPECT_FALSE(proposal->content()->items[0].impact.available);
    ASSERT_EQ(proposal->content()->items[0].impact.gaps.size(), 1U);
}

TEST_F(WriteGateTest, deletes_of_cluster_scoped_things_are_critical) {
    const Action action{{{kinds::namespaces(), "", "shop"}, "uid-1"}, Scope::Object, Delete{}};
    auto proposal = check(personDraft({action}));
    ASSERT_TRUE(proposal);
    EXPECT_EQ(proposal->content()->risk, Risk::Critical);
    EXPECT_EQ(proposal->content()->typedConfirmation, "shop");
}

TEST_F(WriteGateTest, a_run_cannot_pose_as_a_person) {
    auto proposal = check(runDraft(rollback()));
    ASSERT_TRUE(proposal);
    EXPECT_EQ(proposal->content()->provenance.origin, Origin::Run);
}

TEST(Digest, any_change_of_what_runs_changes_it) {
    ProposalItem item;
    item.uid = "u";
    item.request = {"PATCH", "/p", "t", "b", {"x"}};
    item.heal = healCheckOf(ActionKind::Scale);
    const std::string base = digestOf({item});
    const auto differs = [&](auto change) {
        ProposalItem other = item;
        change(other);
        EXPECT_NE(digestOf({other}), base);
    };
    differs([](ProposalItem& i) { i.uid = "v"; });
    differs([](ProposalItem& i) { i.request.method = "PUT"; });
    differs([](ProposalItem& i) { i.request.path = "/q"; });
    differs([](ProposalItem& i) { i.request.contentType = "u"; });
    differs([](ProposalItem& i) { i.request.body = "c"; });
    differs([](ProposalItem& i) { i.request.preconditions = {"y"}; });
    differs([](ProposalItem& i) { i.request.preconditions = {"x", ""}; });
    differs([](ProposalItem& i) { i.heal.window = Millis{1}; });
    differs([](ProposalItem& i) { i.request.path = "/pt", i.request.contentType = ""; });
    EXPECT_NE(digestOf({item, item}), base);
    EXPECT_EQ(digestOf({item}), base);
}

namespace {
struct Approval : testing::Test {
    ManualClock clock;
    FakePorts ports;
    void expectRefused(Proposal proposal, HumanAct act, const std::string& why, EpochId epoch = {1}) {
        const auto content = proposal.content();
        auto result = approve(std::move(proposal), std::move(act), epoch, clock.now());
        ASSERT_FALSE(result);
        EXPECT_EQ(result.error().first.code, ErrorCode::Refused);
        EXPECT_THAT(result.error().first.detail, HasSubstr(why));
        EXPECT_EQ(result.error().second.content(), content) << "the proposal comes back unused";
    }
};
} // namespace

TEST_F(Approval, yields_its_items_once_and_in_order) {
    Approved yes = approved(clock, ports, {rollback("a"), rollback("b")});
    auto first = yes.next();
    auto second = yes.next();
    ASSERT_TRUE(first && second);
    EXPECT_EQ(first->item().action.target.key.name, "a");
    EXPECT_EQ(second->item().action.target.key.name, "b");
    EXPECT_FALSE(yes.next());
}

TEST_F(Approval, needs_an_act_on_these_very_contents) {
    Proposal one = propose(clock, ports);
    ports.rendered->request.body = "[1]";
    Proposal other = propose(clock, ports);
    auto act = actOn(*other.content(), clock);
    ASSERT_TRUE(act);
    expectRefused(std::move(one), std::move(*act), "another content");
}

TEST_F(Approval, is_for_this_epoch_and_before_it_expires) {
    Proposal first = propose(clock, ports);
    auto act = actOn(*first.content(), clock);
    expectRefused(std::move(first), std::move(*act), "connection", {2});
    Proposal second = propose(clock, ports);
    auto late = actOn(*second.content(), clock);
    clock.advance(Limits::proposalLifetime);
    expectRefused(std::move(second), std::move(*late), "expired");
}

TEST_F(Approval, an_act_from_before_the_proposal_does_not_count) {
    auto early = actOn(*propose(clock, ports).content(), clock);
    clock.advance(1s);
    expectRefused(propose(clock, ports), std::move(*early), "not made on this proposal");
}

TEST_F(Approval, named_only_needs_the_override) {
    ports.target = fail(ErrorCode::Forbidden, "GET", "no get");
    Action unnamed = rollback();
    unnamed.target.uid.clear();
    Proposal proposal = propose(clock, ports, {unnamed});
    const auto content = proposal.content();
    EXPECT_FALSE(
        TerminalGate::typed(*content, content->digest.substr(0, 8) + " checkout", clock.now() - 1ms, clock.now()));
    auto act = TerminalGate::typed(*content, content->digest.substr(0, 8) + " checkout by-name\n", clock.now() - 1ms,
                                   clock.now());
    ASSERT_TRUE(act);
    EXPECT_TRUE(approve(std::move(proposal), std::move(*act), {1}, clock.now()));
}

TEST_F(Approval, spent_proofs_are_inert) {
    Proposal proposal = propose(clock, ports);
    const auto content = proposal.content();
    Proposal moved = std::move(proposal);
    EXPECT_EQ(proposal.content(), nullptr); // NOLINT(bugprone-use-after-move): the point of the test
    auto act = actOn(*content, clock);
    auto refused = approve(std::move(proposal), std::move(*act), {1}, clock.now());
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().first.detail, HasSubstr("spent"));

    HumanAct first = std::move(*actOn(*content, clock));
    HumanAct second = std::move(first);
    EXPECT_TRUE(first.digest().empty()); // NOLINT(bugprone-use-after-move)
    auto again = approve(std::move(moved), std::move(first), {1}, clock.now());
    ASSERT_FALSE(again);
    EXPECT_THAT(again.error().first.detail, HasSubstr("the act is spent"));

    auto yes = approve(std::move(again.error().second), std::move(second), {1}, clock.now());
    ASSERT_TRUE(yes);
    Approved taken = std::move(*yes);
    EXPECT_FALSE(yes->next());
    EXPECT_TRUE(yes->content().items.empty());
    auto item = taken.next();
    ApprovedItem last = std::move(*item);
    EXPECT_TRUE(item->spent());
    EXPECT_EQ(item->item().uid, "");
    EXPECT_EQ(last.item().uid, "uid-1");
}

TEST_F(Approval, in_a_terminal_wants_the_digest_and_what_is_to_be_typed) {
    const auto content = propose(clock, ports).content();
    const MonoTime shown = clock.now();
    clock.advance(1s);
    const std::string prefix = content->digest.substr(0, 8);
    EXPECT_TRUE(TerminalGate::typed(*content, prefix, shown, clock.now()));
    EXPECT_TRUE(TerminalGate::typed(*content, " " + prefix + "\r\n", shown, clock.now()));
    for (const std::string& bad :
         {std::string(), std::string("y"), content->digest.substr(0, 7), prefix + " x", content->digest})
        EXPECT_FALSE(TerminalGate::typed(*content, bad, shown, clock.now())) << bad;
    EXPECT_FALSE(TerminalGate::typed(*content, prefix, clock.now(), clock.now()));
}
