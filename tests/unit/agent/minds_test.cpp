// SPDX-License-Identifier: GPL-3.0-or-later
// What another diagnoser says is untrusted: malformed, lying and failing ones.
#include "loop_fixture.hpp"

namespace alidade::test {
namespace {

using testing::HasSubstr;

class ScriptedDiagnoser final : public agent::Diagnoser {
public:
    using Answer = std::function<guard::Result<guard::Diagnosis>(const agent::DiagnoseInput&)>;
    ScriptedDiagnoser(std::string name, Answer answer) : name_(std::move(name)), answer_(std::move(answer)) {}
    [[nodiscard]] std::string name() const override { return name_; }
    [[nodiscard]] guard::Result<guard::Diagnosis> diagnose(const agent::DiagnoseInput& input,
                                                           std::stop_token) override {
        ++asked;
        return answer_(input);
    }
    int asked = 0;

private:
    std::string name_;
    Answer answer_;
};

class ScriptedJudge final : public agent::Judge {
public:
    explicit ScriptedJudge(guard::Result<guard::Review> verdict) : verdict_(std::move(verdict)) {}
    [[nodiscard]] guard::Result<guard::Review> review(const guard::Diagnosis&, const agent::DiagnoseInput&,
                                                      std::stop_token) override {
        return verdict_;
    }

private:
    guard::Result<guard::Review> verdict_;
};

guard::Result<guard::Diagnosis> honest(const agent::DiagnoseInput& input) { return input.analysis.diagnosis; }
/// Sure of itself, about something that was never read, with a quote that nobody wrote.
guard::Result<guard::Diagnosis> lying(const agent::DiagnoseInput& input) {
    guard::Diagnosis out = input.analysis.diagnosis;
    out.hypothesis = "the database is down";
    out.suspect = guard::ObjectRef{{kinds::deployments(), "shop", "prod-db"}, ""};
    out.suspectedRevision.reset();
    out.recommended = guard::Action{*out.suspect, guard::Scope::Object, guard::Restart{}};
    out.confidence = 0.93;
    for (guard::Claim& claim : out.claims)
        claim.quote = "prod-db refused the connection";
    return out;
}
guard::Result<guard::Diagnosis> malformed(const agent::DiagnoseInput&) {
    return guard::fail(guard::ErrorCode::Protocol, "model", "no JSON in the answer");
}
guard::Result<guard::Diagnosis> down(const agent::DiagnoseInput&) {
    return guard::fail(guard::ErrorCode::Unavailable, "model", "503");
}

class MindsTest : public LoopFixture {
protected:
    MindsTest() {
        breakImage(reader(), "checkout");
        healAfterRollback();
    }
    static std::shared_ptr<ScriptedDiagnoser> mind(const std::string& name, ScriptedDiagnoser::Answer answer) {
        return std::make_shared<ScriptedDiagnoser>(name, std::move(answer));
    }
};

TEST_F(MindsTest, AnHonestModelIsReviewedByTheAnalyst) {
    const auto state = run({mind("model", honest), nullptr, nullptr});
    EXPECT_EQ(state->outcome, RunOutcome::Resolved) << text(*state);
    EXPECT_EQ(state->diagnosis->source, "model");
    EXPECT_TRUE(desk->provenance[0].reviewed);
}

TEST_F(MindsTest, AMalformedAnswerFallsBackToTheAnalyst) {
    const auto state = run({mind("model", malformed), nullptr, nullptr});
    EXPECT_EQ(state->outcome, RunOutcome::Resolved);
    EXPECT_EQ(state->diagnosis->source, "analyst");
    EXPECT_EQ(count(*state, RunEventKind::Fallback), 1U);
}

TEST_F(MindsTest, AProviderThatIsDownFallsBackToo) {
    const auto state = run({mind("model", down), nullptr, nullptr});
    EXPECT_EQ(state->outcome, RunOutcome::Resolved);
    EXPECT_EQ(state->diagnosis->source, "analyst");
}

TEST_F(MindsTest, ALieIsRefusedAndAStrongerModelIsAskedOnce) {
    const auto stronger = mind("stronger", honest);
    const auto state = run({mind("model", lying), stronger, nullptr});
    EXPECT_EQ(state->outcome, RunOutcome::Resolved) << text(*state);
    EXPECT_EQ(stronger->asked, 1);
    EXPECT_EQ(desk->plans[0].actions[0].target.key.name, "checkout");
}

TEST_F(MindsTest, TwoLiesEndWithAPersonAndNothingIsProposed) {
    const auto stronger = mind("stronger", lying);
    const auto state = run({mind("model", lying), stronger, nullptr});
    EXPECT_EQ(state->outcome, RunOutcome::Escalated);
    EXPECT_EQ(stronger->asked, 1);
    EXPECT_EQ(desk->submits(), 0U);
    for (const guard::Claim& claim : state->diagnosis->claims)
        EXPECT_FALSE(claim.supported) << claim.text;
}

TEST_F(MindsTest, ALieWithoutAStrongerModelEndsWithAPerson) {
    EXPECT_EQ(run({mind("model", lying), nullptr, nullptr})->outcome, RunOutcome::Escalated);
    EXPECT_EQ(desk->submits(), 0U);
}

TEST_F(MindsTest, ThreeAnomaliesOpenTheBreaker) {
    // The model's answer is malformed; a judge disagrees with the analyst's; the stronger one is malformed as well.
    const auto state = run({mind("model", malformed), mind("stronger", malformed),
                            std::make_shared<ScriptedJudge>(guard::Review{false, "judge", "not grounded"})});
    EXPECT_EQ(state->outcome, RunOutcome::Escalated) << text(*state);
    EXPECT_EQ(count(*state, RunEventKind::Breaker), 1U);
    EXPECT_EQ(desk->submits(), 0U);
}

TEST_F(MindsTest, AJudgeThatFailsIsNotAJudgeThatAgrees) {
    const auto state =
        run({nullptr, nullptr,
             std::make_shared<ScriptedJudge>(guard::fail(guard::ErrorCode::Unavailable, "judge", "503"))});
    EXPECT_EQ(state->outcome, RunOutcome::Resolved);
    EXPECT_FALSE(desk->provenance[0].reviewed);
}

TEST_F(MindsTest, AJudgeThatDisagreesStopsTheRun) {
    const auto state =
        run({nullptr, nullptr,
             std::make_shared<ScriptedJudge>(guard::Review{false, "judge", "the quote is out of context"})});
    EXPECT_EQ(state->outcome, RunOutcome::Escalated);
    EXPECT_THAT(text(*state), HasSubstr("out of context"));
    EXPECT_EQ(desk->submits(), 0U);
}

TEST_F(MindsTest, AModelThatNamesAProtectedTargetIsBlockedByTheActionGate) {
    addWell(reader(), "prod-db");
    reader().objects["deployments"].back()["metadata"]["annotations"] = {{"alidade.dev/protected", "true"}};
    const auto model = mind("model", [](const agent::DiagnoseInput& input) -> guard::Result<guard::Diagnosis> {
        guard::Diagnosis out = input.analysis.diagnosis;
        out.recommended = guard::Action{
            {{kinds::deployments(), "shop", "prod-db"}, "u-prod-db"}, guard::Scope::Object, guard::Restart{}};
        return out;
    });
    const auto state = run({model, nullptr, nullptr});
    EXPECT_EQ(state->outcome, RunOutcome::Blocked);
    EXPECT_EQ(desk->submits(), 0U);
}

TEST_F(MindsTest, AnActionOnEverythingIsBlocked) {
    const auto model = mind("model", [](const agent::DiagnoseInput& input) -> guard::Result<guard::Diagnosis> {
        guard::Diagnosis out = input.analysis.diagnosis;
        out.recommended->scope = guard::Scope::All;
        return out;
    });
    EXPECT_EQ(run({model, nullptr, nullptr})->outcome, RunOutcome::Blocked);
    EXPECT_EQ(desk->submits(), 0U);
}

} // namespace
} // namespace alidade::test
