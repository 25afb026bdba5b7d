// SPDX-License-Identifier: GPL-3.0-or-later
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "alidade/guard/gates.hpp"
#include "fakes.hpp"

using namespace alidade::guard;
using namespace alidade::guard::test;

namespace {
constexpr ToolRow readRow{"get", Effect::ClusterRead, Gate::None, 1, ""};

struct Triage : testing::Test {
    EvidenceLedger evidence;
    Signals signals;
    ProtectedLists lists;
    Diagnosis diagnosis;
    EvidenceRef ref =
        evidence.add(CitableTool(readRow), rollback().target, "deployment",
                     {{"nothing here", anchor::Section{"a"}}, {"image not found", anchor::Section{"b"}}}, {});

    Triage() {
        signals.workloads.push_back({rollback().target, 3, 1, 1, 1, true, false, false, "", ref});
        for (const int revision : {5, 4})
            signals.recentDeploys.push_back({rollback().target, revision, revision == 5, {}, "", {}, ref, -1, {}});
        diagnosis.outcome = DiagnosisOutcome::Fault;
        diagnosis.hypothesis = "the image does not exist";
        diagnosis.suspect = rollback().target;
        diagnosis.suspectedRevision = 5;
        diagnosis.confidence = 0.9;
        diagnosis.recommended = rollback();
        diagnosis.claims.push_back({"it says so", {ref}, "image not found", true, {}});
        diagnosis.source = "model-a";
    }
    QualityGate::Result quality(const std::optional<Review>& review = {}) {
        return QualityGate::check(diagnosis, signals, evidence, review);
    }
    void expectUngrounded(const std::string& id) {
        const auto result = quality();
        EXPECT_FALSE(result.grounded);
        EXPECT_FALSE(result.verdict.passed);
        EXPECT_FALSE(passed(result.verdict, id));
    }
    static bool passed(const Verdict& verdict, const std::string& id) {
        for (const Check& check : verdict.checks)
            if (check.id == id && !check.passed)
                return false;
        return true;
    }
    ActionGate::Input input() { return {signals, lists, "demo", {"shop"}, {1}, {1}, 1}; }
    ActionGate::Result action(const Plan& plan) { return ActionGate::check(*quality().grounded, plan, input()); }
    void expectBlocked(const Action& a, const std::string& id) {
        const auto result = action({{a}, ""});
        EXPECT_FALSE(result.validated);
        EXPECT_FALSE(passed(result.verdict, id)) << id;
        EXPECT_FALSE(result.verdict.reasons.empty());
    }
};
using Quality = Triage;
using ActionGateTest = Triage;
} // namespace

TEST_F(Quality, a_grounded_fault_passes_and_says_whether_it_was_reviewed) {
    const auto alone = quality();
    ASSERT_TRUE(alone.grounded);
    EXPECT_FALSE(alone.grounded->reviewed());
    EXPECT_FALSE(alone.verdict.reviewed);
    EXPECT_EQ(std::get<anchor::Section>(*alone.marked.claims[0].anchor).title, "b");
    EXPECT_TRUE(quality(Review{true, "analyst", ""}).grounded->reviewed());
    EXPECT_FALSE(quality(Review{true, "model-a", ""}).grounded->reviewed()) << "the diagnoser is no judge of itself";
    EXPECT_FALSE(quality(Review{false, "analyst", "wrong object"}).grounded);
}

TEST_F(Quality, the_suspect_must_have_been_read_in_this_run) {
    diagnosis.suspect->key.name = "web";
    expectUngrounded("suspect_read");
    diagnosis.suspect = rollback().target;
    diagnosis.suspect->uid = "uid-of-an-older-one";
    expectUngrounded("suspect_read");
    diagnosis.suspect.reset();
    expectUngrounded("suspect_read");
    // Evidence alone is enough: a ConfigMap that was read may be the suspect.
    diagnosis.suspect = ObjectRef{{kinds::configMaps(), "shop", "config"}, "c"};
    diagnosis.suspectedRevision.reset();
    evidence.add(CitableTool(readRow), *diagnosis.suspect, "config", {}, {});
    EXPECT_TRUE(quality().grounded);
}

TEST_F(Quality, a_blamed_revision_must_be_a_recent_one) {
    diagnosis.suspectedRevision = 9;
    expectUngrounded("revision_recent");
}

TEST_F(Quality, confidence_is_a_number_of_at_least_a_half) {
    diagnosis.confidence = Limits::minimumConfidence;
    EXPECT_TRUE(quality().grounded);
    for (const double bad :
         {0.499, 1.5, -1.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
        diagnosis.confidence = bad;
        expectUngrounded("confidence");
    }
}

TEST_F(Quality, C62_h_what_is_not_in_the_evidence_is_marked_and_does_not_ground) {
    diagnosis.claims[0].quote = "image is fine";
    const auto result = quality();
    EXPECT_FALSE(result.grounded);
    EXPECT_FALSE(result.marked.claims[0].supported);
    EXPECT_FALSE(result.marked.claims[0].anchor);
    diagnosis.claims.push_back({"also", {ref}, "", true, {}});
    EXPECT_TRUE(quality().grounded);
    // A reference of another run's ledger names nothing here.
    EvidenceLedger other;
    EvidenceRef foreign = ref;
    for (int i = 0; i < 5; ++i)
        foreign = other.add(CitableTool(readRow), {}, "x", {}, {});
    diagnosis.claims = {{"foreign", {foreign}, "", true, {}}};
    const auto cited = quality();
    EXPECT_FALSE(cited.marked.claims[0].supported);
    EXPECT_TRUE(cited.marked.claims[0].refs.empty());
}

TEST_F(Quality, no_fault_needs_every_source) {
    diagnosis.outcome = DiagnosisOutcome::NoFault;
    EXPECT_TRUE(quality().grounded);
    signals.gaps.push_back({"events in shop", Coverage::Forbidden, "403"});
    expectUngrounded("sources_complete");
}

TEST_F(Quality, undetermined_names_its_gaps) {
    diagnosis.outcome = DiagnosisOutcome::Undetermined;
    expectUngrounded("gaps_named");
    signals.gaps.push_back({"events in shop", Coverage::Forbidden, "403"});
    EXPECT_TRUE(quality().grounded);
}

TEST_F(ActionGateTest, the_recommended_action_on_a_known_object_passes) {
    const auto result = action({{rollback()}, ""});
    EXPECT_TRUE(result.validated) << (result.verdict.reasons.empty() ? "" : result.verdict.reasons[0]);
}

TEST_F(ActionGateTest, refuses_what_reaches_too_far_or_elsewhere) {
    Action wide = rollback();
    wide.scope = Scope::Namespace;
    expectBlocked(wide, "scope_is_object");
    Action elsewhere = rollback();
    elsewhere.target.key.ns = "kube-system";
    expectBlocked(elsewhere, "namespace");
    expectBlocked(elsewhere, "not_protected");
    expectBlocked(rollback("web"), "target_exists");
    expectBlocked(rollback("web"), "matches_diagnosis");
    expectBlocked(rollback("a/b"), "target_name");
    Action older = rollback();
    older.target.uid = "uid-0";
    expectBlocked(older, "target_exists");
}

TEST_F(ActionGateTest, protection_by_any_list_annotation_or_owner_blocks) {
    signals.protectedResources = {rollback().target.key};
    expectBlocked(rollback(), "not_protected");
    signals.protectedResources.clear();
    signals.workloads[0].isProtected = true;
    expectBlocked(rollback(), "not_protected");
    PodSignal pod{{{kinds::pods(), "shop", "checkout-1"}, "p"}, rollback().target, "", "", false, "", "", "", {}, ref};
    signals.pods.push_back(pod);
    expectBlocked({pod.ref, Scope::Object, Delete{}}, "not_protected");
    signals.workloads[0].isProtected = false;
    lists.resources = {{"*", "Deployment", "check*"}};
    expectBlocked(rollback(), "not_protected");
}

TEST_F(ActionGateTest, the_change_must_be_the_recommended_one_and_possible) {
    expectBlocked({rollback().target, Scope::Object, Delete{}}, "matches_diagnosis");
    expectBlocked(rollback("checkout", 3), "revision_kept");
    expectBlocked(rollback("checkout", 5), "revision_kept");
    diagnosis.recommended = Action{rollback().target, Scope::Object, Scale{0}};
    expectBlocked(*diagnosis.recommended, "replica_floor");
    diagnosis.recommended = Action{rollback().target, Scope::Object, Scale{1}};
    EXPECT_TRUE(action({{*diagnosis.recommended}, ""}).validated);
    diagnosis.recommended.reset();
    expectBlocked(rollback(), "matches_diagnosis");
}

TEST_F(ActionGateTest, an_empty_plan_or_another_epoch_is_refused) {
    EXPECT_FALSE(action({}).validated);
    auto moved = input();
    moved.currentEpoch = {2};
    EXPECT_FALSE(ActionGate::check(*quality().grounded, {{rollback()}, ""}, moved).validated);
}

TEST_F(ActionGateTest, a_request_without_diagnosis_passes_all_other_checks) {
    EXPECT_TRUE(ActionGate::checkRequest({{{rollback().target, Scope::Object, Restart{}}}, ""}, input()).validated);
    EXPECT_FALSE(ActionGate::checkRequest({{rollback("web")}, ""}, input()).validated);
    signals.workloads[0].isProtected = true;
    EXPECT_FALSE(ActionGate::checkRequest({{rollback()}, ""}, input()).validated);
}
