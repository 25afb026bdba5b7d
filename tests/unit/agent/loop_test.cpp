// SPDX-License-Identifier: GPL-3.0-or-later
#include <future>
#include <map>
#include <mutex>
#include <stdexcept>

#include "alidade/guard/json.hpp"
#include "alidade/guard/text.hpp"
#include "loop_fixture.hpp"

namespace alidade::test {
namespace {

using guard::WriteOutcome;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

using LoopTest = LoopFixture;

TEST_F(LoopTest, ARolloutToAMissingImageIsRolledBackAndTheHealIsHeld) {
    breakImage(reader(), "checkout");
    healAfterRollback();
    const auto begun = clock->now();
    const auto state = run();
    EXPECT_EQ(state->outcome, RunOutcome::Resolved) << text(*state);
    EXPECT_THAT(steps(*state),
                ElementsAre(Step::Trigger, Step::Gather, Step::Redact, Step::Diagnose, Step::QualityGate, Step::Plan,
                            Step::ActionGate, Step::Approve, Step::Execute, Step::Verify, Step::Notify));
    ASSERT_EQ(desk->submits(), 1U);
    EXPECT_EQ(desk->plans[0].actions[0].summary(), "roll back deployment shop/checkout to revision 1");
    EXPECT_EQ(desk->plans[0].actions[0].target.uid, "u-checkout");
    EXPECT_EQ(desk->provenance[0].incident, "inc-1");
    EXPECT_FALSE(desk->provenance[0].reviewed);
    EXPECT_EQ(state->diagnosis->suspectedRevision, 2);
    EXPECT_GE(clock->now() - begun, guard::Millis{10'000}); // held, not glanced at
    EXPECT_LT(state->signal.front().readyRatio, 1.0);
    EXPECT_EQ(state->signal.back().readyRatio, 1.0);
    EXPECT_EQ(count(*state, RunEventKind::Gate), 2U);
}

TEST_F(LoopTest, EveryClaimLandsOnStoredEvidence) {
    breakImage(reader(), "checkout");
    healAfterRollback();
    const auto state = run();
    ASSERT_TRUE(state->diagnosis);
    EXPECT_GE(state->diagnosis->claims.size(), 4U);
    for (const guard::Claim& claim : state->diagnosis->claims) {
        EXPECT_TRUE(claim.supported) << claim.text;
        EXPECT_FALSE(claim.quote.empty()) << claim.text;
        EXPECT_TRUE(claim.anchor.has_value()) << claim.text;
    }
}

TEST_F(LoopTest, NoSecretOfTheClusterIsInTheRunsState) {
    breakImage(reader(), "checkout");
    healAfterRollback();
    const auto state = run();
    std::string all = text(*state) + state->diagnosis->hypothesis;
    for (const auto& evidence : state->evidence) {
        all += evidence->title + evidence->excerpt;
        for (const auto& line : evidence->lines)
            all += line.text + "\n";
    }
    EXPECT_THAT(all, HasSubstr("order placed"));
    EXPECT_THAT(all, Not(HasSubstr(plantedPassword)));
}

TEST_F(LoopTest, LogLinesCarryTheirStampAndAnOrdinalAmongEqualOnes) {
    breakImage(reader(), "checkout");
    healAfterRollback();
    const auto state = run();
    for (const auto& evidence : state->evidence) {
        if (evidence->tool != "get_logs")
            continue;
        ASSERT_EQ(evidence->lines.size(), 3U);
        const auto& line = std::get<guard::anchor::LogLine>(evidence->lines[2].anchor);
        EXPECT_EQ(line.stamp, "2024-05-01T12:00:02.000000002Z");
        EXPECT_EQ(line.ordinal, 1);
        EXPECT_EQ(line.podUid, "u-checkout-aaa-1");
        EXPECT_EQ(evidence->lines[2].text, "level=info msg=\"order placed\"");
        return;
    }
    FAIL() << "no log was stored";
}

TEST_F(LoopTest, AHealThatDoesNotHoldIsNotVerified) {
    breakImage(reader(), "checkout");
    healAfterRollback();
    // Ready for eight seconds, then not for one, over and over.
    reader().onGet = [this, n = 0](json& object) mutable {
        if (!healed)
            return;
        object["metadata"]["generation"] = 2;
        const bool good = n++ % 9 != 8;
        object["status"] = {
            {"observedGeneration", 2}, {"replicas", 3}, {"readyReplicas", good ? 3 : 2}, {"updatedReplicas", 3}};
    };
    const auto begun = clock->now();
    const auto state = run();
    EXPECT_EQ(state->outcome, RunOutcome::ExecutedNotVerified);
    EXPECT_GE(clock->now() - begun, guard::Millis{120'000});
    EXPECT_EQ(desk->submits(), 1U);
}

TEST_F(LoopTest, OldReplicasThatAreReadyAreNoHeal) {
    breakImage(reader(), "checkout");
    healAfterRollback();
    // All three wanted are ready, but of the old template: the new pod does not come up.
    reader().onGet = [this](json& object) {
        if (healed) {
            object["metadata"]["generation"] = 2;
            object["status"] = {
                {"observedGeneration", 2}, {"replicas", 4}, {"readyReplicas", 3}, {"updatedReplicas", 1}};
        }
    };
    EXPECT_EQ(run()->outcome, RunOutcome::ExecutedNotVerified);
}

TEST_F(LoopTest, AStatusOfTheGenerationBeforeIsNoHeal) {
    breakImage(reader(), "checkout");
    healAfterRollback();
    reader().onGet = [this](json& object) {
        if (healed)
            object["status"] = {
                {"observedGeneration", 1}, {"replicas", 3}, {"readyReplicas", 3}, {"updatedReplicas", 3}};
    };
    EXPECT_EQ(run()->outcome, RunOutcome::ExecutedNotVerified);
}

TEST_F(LoopTest, AProtectedTargetIsNamedAndNeverProposed) {
    breakImage(reader(), "payments", true);
    std::optional<RunOutcome> told;
    notify = [&](const RunState& state) { told = state.outcome; };
    const auto state = run();
    EXPECT_EQ(state->outcome, RunOutcome::Blocked) << text(*state);
    EXPECT_EQ(state->diagnosis->suspect->key.name, "payments");
    EXPECT_EQ(count(*state, RunEventKind::Blocked), 1U);
    EXPECT_EQ(desk->submits(), 0U);
    EXPECT_EQ(told, RunOutcome::Blocked);
    for (const guard::RunEvent& event : state->events)
        if (event.kind == RunEventKind::Blocked) {
            ASSERT_TRUE(event.verdict && event.action);
            EXPECT_THAT(event.detail, HasSubstr("protected"));
        }
}

TEST_F(LoopTest, AProtectedResourceOfTheSettingsIsBlockedToo) {
    breakImage(reader(), "checkout");
    options.protectedLists.resources.push_back({"shop", "Deployment", "check*"});
    EXPECT_EQ(run()->outcome, RunOutcome::Blocked);
    EXPECT_EQ(desk->submits(), 0U);
}

TEST_F(LoopTest, AHealthyNamespaceHasNoFault) {
    addWell(reader(), "cart");
    const auto state = run();
    EXPECT_EQ(state->outcome, RunOutcome::NoFault) << text(*state);
    EXPECT_EQ(desk->submits(), 0U);
    EXPECT_FALSE(state->plan);
}

TEST_F(LoopTest, AFaultWithoutATypedActionGoesToAPerson) {
    addWell(reader(), "cart");
    reader().objects["services"].push_back(
        {{"metadata", meta("cart", "u-svc")}, {"spec", {{"selector", {{"app", "crat"}}}}}});
    const auto state = run();
    EXPECT_EQ(state->outcome, RunOutcome::Escalated) << text(*state);
    EXPECT_EQ(state->diagnosis->suspect->key.text(), "service shop/cart");
    EXPECT_EQ(desk->submits(), 0U);
}

// --- C62: empty is not healthy; unread is not read ---

guard::Error refusal(guard::ErrorCode code) { return {code, "test", "refused by the test"}; }

TEST_F(LoopTest, C62_a_ANamespaceThatIsNotThereIsSaid) {
    reader().objects["namespaces"].clear();
    const auto state = run();
    EXPECT_EQ(state->outcome, RunOutcome::Undetermined);
    EXPECT_THAT(state->diagnosis->hypothesis, HasSubstr("namespace shop"));
}

TEST_F(LoopTest, C62_a_AnEmptyNamespaceThatCannotBeVerifiedIsNotHealthy) {
    reader().refusals["get namespaces"] = refusal(guard::ErrorCode::Forbidden);
    EXPECT_EQ(run()->outcome, RunOutcome::Undetermined);
}

TEST_F(LoopTest, C62_b_ForbiddenPodsAreNotNoPods) {
    addWell(reader(), "cart");
    reader().refusals["list pods"] = refusal(guard::ErrorCode::Forbidden);
    const auto state = run();
    EXPECT_EQ(state->outcome, RunOutcome::Undetermined);
    EXPECT_THAT(state->diagnosis->hypothesis, HasSubstr("pods in shop (forbidden)"));
    ASSERT_EQ(state->gaps.size(), 1U);
    EXPECT_EQ(state->gaps[0].coverage, guard::Coverage::Forbidden);
}

TEST_F(LoopTest, C62_c_TimeoutsAndFailuresAreGapsAndNoAnomalies) {
    addWell(reader(), "cart");
    for (const auto& [what, code] : {std::pair{"list events", guard::ErrorCode::Timeout},
                                     {"list services", guard::ErrorCode::ServerError},
                                     {"list replicasets", guard::ErrorCode::Unavailable}})
        reader().refusals[what] = refusal(code);
    const auto state = run();
    EXPECT_EQ(state->outcome, RunOutcome::Undetermined);
    EXPECT_EQ(state->gaps.size(), 3U);
    EXPECT_EQ(count(*state, RunEventKind::Breaker), 0U);
}

TEST_F(LoopTest, C62_c_WhereNothingCanBeReadOneReasonStandsForAll) {
    addWell(reader(), "cart");
    for (const char* what :
         {"get namespaces", "list deployments", "list pods", "list replicasets", "list events", "list statefulsets",
          "list daemonsets", "list services", "list endpointslices", "list configmaps", "list secrets"})
        reader().refusals[what] = refusal(guard::ErrorCode::Forbidden);
    const auto state = run();
    EXPECT_EQ(state->outcome, RunOutcome::Undetermined);
    EXPECT_THAT(state->diagnosis->hypothesis, HasSubstr("Nothing could be read of"));
    EXPECT_THAT(state->diagnosis->hypothesis, HasSubstr("refused by the test"));
    EXPECT_THAT(state->diagnosis->hypothesis, ::testing::Not(HasSubstr("Nothing wrong")));
    const auto gathered = std::find_if(state->events.begin(), state->events.end(), [](const guard::RunEvent& event) {
        return event.title.find("11 gaps") != std::string::npos;
    });
    ASSERT_NE(gathered, state->events.end()) << text(*state);
    EXPECT_EQ(gathered->detail.find("refused by the test"),
              gathered->detail.rfind("forbidden, refused by the test") + 11)
        << gathered->detail;
}

TEST_F(LoopTest, AServerThatAnswersNoReadIsNotAskedOnForEver) {
    addWell(reader(), "cart");
    for (const char* what :
         {"get namespaces", "list deployments", "list pods", "list replicasets", "list events", "list statefulsets",
          "list daemonsets", "list services", "list endpointslices", "list configmaps", "list secrets"})
        reader().refusals[what] = refusal(guard::ErrorCode::Timeout);
    const auto state = run();
    EXPECT_EQ(state->outcome, RunOutcome::Undetermined);
    EXPECT_THAT(state->diagnosis->hypothesis, HasSubstr("Nothing could be read of"));
    EXPECT_THAT(state->diagnosis->hypothesis, HasSubstr("pods in shop (failed)"));
    EXPECT_LE(reader().asked.size(), 4U) << "those under way when the first one timed out, and no more";
}

TEST_F(LoopTest, C62_f_AContainerThatHasNotStartedHasNoLogAndThatIsNoGap) {
    breakImage(reader(), "checkout");
    healAfterRollback();
    EXPECT_TRUE(run()->gaps.empty());
}

TEST_F(LoopTest, SecretsThatMayNotBeListedAreNamedButHideNoFault) {
    addWell(reader(), "cart");
    reader().refusals["list secrets"] = refusal(guard::ErrorCode::Forbidden);
    const auto state = run();
    EXPECT_EQ(state->outcome, RunOutcome::NoFault) << text(*state);
    ASSERT_EQ(state->gaps.size(), 1U);
    EXPECT_EQ(state->gaps[0].source, "secrets in shop");
}

TEST_F(LoopTest, AnIncidentAboutSomethingThatIsGoneIsNotNoFault) {
    addWell(reader(), "cart");
    about = guard::ObjectRef{{kinds::deployments(), "shop", "vanished"}, ""};
    EXPECT_EQ(run()->outcome, RunOutcome::Undetermined);
    about = guard::ObjectRef{{kinds::deployments(), "shop", "cart"}, "u-older"};
    EXPECT_EQ(run()->outcome, RunOutcome::Undetermined);
}

TEST_F(LoopTest, C61_AllReadsStayInTheBoundNamespace) {
    breakImage(reader(), "checkout");
    healAfterRollback();
    auto stray = deployment("stray", 1, 0, 0);
    stray["metadata"]["namespace"] = "other";
    reader().objects["deployments"].push_back(stray);
    session->about.ns = "other"; // what the window shows now
    const auto state = run();
    EXPECT_EQ(state->outcome, RunOutcome::Resolved);
    for (const auto& evidence : state->evidence)
        EXPECT_TRUE(evidence->target.key.ns == "shop" || evidence->target.key.ns.empty()) << evidence->title;
}

TEST_F(LoopTest, C85_PreviousLogsAreChosenByContainerStateNotByPhase) {
    reader().objects["deployments"].push_back(deployment("cart", 1, 0, 1));
    reader().objects["replicasets"].push_back(replicaSet("cart", "aaa", 0));
    reader().objects["pods"].push_back(
        pod("cart", "aaa", "1", "r/cart:1",
            {{"restartCount", 3},
             {"state", {{"waiting", {{"reason", "CrashLoopBackOff"}, {"message", "back-off"}}}}},
             {"lastState",
              {{"terminated", {{"exitCode", 1}, {"reason", "Error"}, {"containerID", "containerd://last"}}}}}}));
    reader().texts["cart-aaa-1/app/previous"] = "2024-05-01T12:00:00.1Z fatal: cannot open /data: permission denied\n";
    const auto state = run();
    const auto found = std::find_if(state->evidence.begin(), state->evidence.end(),
                                    [](const auto& each) { return each->tool == "get_logs"; });
    ASSERT_NE(found, state->evidence.end());
    EXPECT_THAT((*found)->title, HasSubstr("previous run"));
    const auto& line = std::get<guard::anchor::LogLine>((*found)->lines[0].anchor);
    EXPECT_TRUE(line.previous);
    EXPECT_EQ(line.containerId, "containerd://last");
    EXPECT_THAT(state->diagnosis->claims.back().quote, HasSubstr("cannot open /data"));
}

TEST_F(LoopTest, C37_c_BytesOfNoEncodingLoseNothingAndBecomeValidText) {
    using namespace std::string_literals;
    reader().objects["deployments"].push_back(deployment("cart", 1, 0, 1));
    reader().objects["replicasets"].push_back(replicaSet("cart", "aaa", 0));
    reader().objects["pods"].push_back(
        pod("cart", "aaa", "1", "r/cart:1",
            {{"restartCount", 3},
             {"state", {{"waiting", {{"reason", "CrashLoopBackOff"}, {"message", "back-off"}}}}},
             {"lastState",
              {{"terminated", {{"exitCode", 1}, {"reason", "Error"}, {"containerID", "containerd://last"}}}}}}));
    reader().texts["cart-aaa-1/app/previous"] =
        "caf\xE9 au lait\nnul\0here\nfatal: cannot open /data\xFF: permission denied\n"s;
    const auto state = run();
    const auto found = std::find_if(state->evidence.begin(), state->evidence.end(),
                                    [](const auto& each) { return each->tool == "get_logs"; });
    ASSERT_NE(found, state->evidence.end());
    ASSERT_EQ((*found)->lines.size(), 3U);
    EXPECT_EQ(guard::validUtf8((*found)->lines[0].text), "caf\xEF\xBF\xBD au lait");
    EXPECT_THAT((*found)->lines[2].text, HasSubstr("permission denied"));
    for (const guard::RunEvent& event : state->events)
        EXPECT_NO_THROW(static_cast<void>(guard::toJson(event).dump())) << event.title; // dump() wants valid UTF-8
    EXPECT_NO_THROW(static_cast<void>(guard::toJson(*state->diagnosis).dump()));
}

// --- the desk's answers ---

TEST_F(LoopTest, WithoutADeskARunEndsAwaitingApproval) {
    breakImage(reader(), "checkout");
    desk.reset();
    const auto state = run();
    EXPECT_EQ(state->outcome, RunOutcome::AwaitingApproval);
    EXPECT_TRUE(state->plan);
}

TEST_F(LoopTest, WithoutAPersonTheProposalIsMadeAndLeft) {
    breakImage(reader(), "checkout");
    options.waitForApproval = false;
    desk->script = [](const guard::Draft&, const FakeDesk::Say& say) { say(FakeDesk::proposed()); };
    const auto state = run();
    EXPECT_EQ(state->outcome, RunOutcome::AwaitingApproval);
    EXPECT_THAT(text(*state), HasSubstr(std::string(64, 'a')));
    EXPECT_EQ(desk->declined(), 0);
}

TEST_F(LoopTest, DeclinedExpiredAndRefusedAreThreeThings) {
    breakImage(reader(), "checkout");
    const auto outcome = [&](auto what) {
        desk = std::make_shared<FakeDesk>();
        desk->script = [what](const guard::Draft&, const FakeDesk::Say& say) {
            if constexpr (!std::is_same_v<decltype(what), guard::desk::Refused>)
                say(FakeDesk::proposed());
            say(what);
        };
        return run()->outcome;
    };
    EXPECT_EQ(outcome(guard::desk::Declined{{1}}), RunOutcome::Declined);
    EXPECT_EQ(outcome(guard::desk::Expired{{1}}), RunOutcome::Escalated);
    guard::desk::Refused refused;
    refused.refusal.verdict.gate = "write";
    refused.refusal.verdict.reasons = {"brake"};
    EXPECT_EQ(outcome(refused), RunOutcome::Blocked);
}

TEST_F(LoopTest, ARejectedApprovalAndADismissalLeaveTheProposalPending) {
    breakImage(reader(), "checkout");
    healAfterRollback();
    desk->script = [this](const guard::Draft&, const FakeDesk::Say& say) {
        say(FakeDesk::proposed());
        say(guard::desk::Dismissed{{1}});
        say(guard::desk::ApprovalRejected{{1}, refusal(guard::ErrorCode::Refused)});
        healed = true;
        FakeDesk::approveAndExecute(say, WriteOutcome::Kind::Done, 2);
    };
    const auto state = run();
    EXPECT_EQ(state->outcome, RunOutcome::Resolved);
    EXPECT_THAT(text(*state), HasSubstr("still pending"));
}

TEST_F(LoopTest, AFailedWriteIsHandedToAPerson) {
    breakImage(reader(), "checkout");
    for (const auto kind : {WriteOutcome::Kind::Failed, WriteOutcome::Kind::Refused, WriteOutcome::Kind::NotSent}) {
        desk = std::make_shared<FakeDesk>();
        desk->script = [kind](const guard::Draft&, const FakeDesk::Say& say) {
            say(FakeDesk::proposed());
            FakeDesk::approveAndExecute(say, kind);
        };
        EXPECT_EQ(run()->outcome, RunOutcome::Escalated);
        EXPECT_EQ(desk->submits(), 1U);
    }
}

TEST_F(LoopTest, AnUnknownOutcomeIsReadAgainAndNeverSentAgain) {
    breakImage(reader(), "checkout");
    healAfterRollback();
    desk->script = [](const guard::Draft&, const FakeDesk::Say& say) {
        say(FakeDesk::proposed());
        FakeDesk::approveAndExecute(say, WriteOutcome::Kind::Unknown);
    };
    EXPECT_EQ(run()->outcome, RunOutcome::ExecutedNotVerified);
    EXPECT_EQ(desk->submits(), 1U);
    healed = true;
    const auto state = run();
    EXPECT_EQ(state->outcome, RunOutcome::Resolved); // it had gone through
    EXPECT_THAT(text(*state), HasSubstr("outcome unknown"));
}

TEST_F(LoopTest, ANotifierThatFailsIsNotFatal) {
    addWell(reader(), "cart");
    reader().refusals["list pods"] = refusal(guard::ErrorCode::Forbidden);
    notify = [](const RunState&) { throw std::runtime_error("pager is down"); };
    const auto state = run();
    EXPECT_EQ(state->outcome, RunOutcome::Undetermined);
    EXPECT_THAT(text(*state), HasSubstr("pager is down"));
}

TEST_F(LoopTest, EveryStepStaysVisibleForThePace) {
    breakImage(reader(), "checkout");
    healAfterRollback();
    options.pace = guard::Millis{800};
    const auto begun = clock->now();
    const auto state = run();
    EXPECT_EQ(state->outcome, RunOutcome::Resolved);
    EXPECT_GE(clock->now() - begun, 8 * options.pace + guard::Millis{10'000});
}

// --- telling ---

TEST_F(LoopTest, AStepIsToldWhenItBegins) {
    breakImage(reader(), "checkout");
    healAfterRollback();
    std::map<Step, int> told; // how many events there were by then
    onChange = [&](const RunState& state) { told.try_emplace(state.step, static_cast<int>(state.events.size())); };
    const auto state = run();
    ASSERT_EQ(state->outcome, RunOutcome::Resolved);
    for (const guard::RunEvent& event : state->events) {
        ASSERT_TRUE(told.contains(event.step)) << event.title;
        EXPECT_LT(told[event.step], event.sequence) << event.title;
    }
}

// --- cancelling ---

TEST_F(LoopTest, ARunCanBeCancelledAtEveryEvent) {
    breakImage(reader(), "checkout");
    std::size_t events = 0;
    healAfterRollback();
    events = run()->events.size();
    ASSERT_GT(events, 12U);
    for (std::size_t at = 1; at < events; ++at) {
        healed = false;
        stop = {};
        desk = std::make_shared<FakeDesk>();
        healAfterRollback();
        onChange = [&](const RunState& state) {
            if (state.events.size() == at)
                stop.request_stop();
        };
        const auto state = run();
        const bool executed = text(*state).find("Executed:") != std::string::npos;
        const bool finished = state->outcome == RunOutcome::Resolved; // too late to cancel
        EXPECT_TRUE(finished || state->outcome == (executed ? RunOutcome::ExecutedNotVerified : RunOutcome::Cancelled))
            << at << "\n"
            << text(*state);
    }
}

TEST_F(LoopTest, CancellingWhileAPersonThinksTakesTheProposalBack) {
    breakImage(reader(), "checkout");
    desk->script = [this](const guard::Draft&, const FakeDesk::Say& say) {
        say(FakeDesk::proposed());
        stop.request_stop();
    };
    const auto state = run();
    EXPECT_EQ(state->outcome, RunOutcome::Cancelled);
    EXPECT_EQ(desk->declined(), 1);
}

TEST_F(LoopTest, AProposalThatComesAfterTheCancelIsTakenBackToo) {
    breakImage(reader(), "checkout");
    std::promise<void> ended;
    std::promise<void> proposed;
    desk->script = [&](const guard::Draft&, const FakeDesk::Say& say) {
        stop.request_stop();
        ended.get_future().wait();
        say(FakeDesk::proposed());
        proposed.set_value();
    };
    EXPECT_EQ(run()->outcome, RunOutcome::Cancelled);
    EXPECT_EQ(desk->declined(), 0);
    ended.set_value();
    proposed.get_future().wait();
    EXPECT_EQ(desk->declined(), 1);
}

TEST_F(LoopTest, AnApprovedChangeIsNotCutByCancelling) {
    breakImage(reader(), "checkout");
    healAfterRollback();
    desk->onDecline = [](const FakeDesk::Say&) {};
    desk->script = [this](const guard::Draft&, const FakeDesk::Say& say) {
        say(FakeDesk::proposed());
        say(guard::desk::Approved{{1}, "pointer"});
        stop.request_stop();
        WriteOutcome outcome;
        outcome.kind = WriteOutcome::Kind::Done;
        say(guard::desk::Executed{{1}, 0, outcome});
        say(guard::desk::Finished{{1}, true});
    };
    const auto state = run();
    EXPECT_EQ(state->outcome, RunOutcome::ExecutedNotVerified) << text(*state);
    EXPECT_THAT(text(*state), HasSubstr("Executed:"));
}

TEST_F(LoopTest, DestroyingARunWhileItReadsCancelsIt) {
    breakImage(reader(), "checkout");
    std::promise<void> reading;
    std::once_flag once;
    std::promise<void> release;
    auto released = release.get_future().share();
    reader().onRead = [&](const std::string&) {
        std::call_once(once, [&] { reading.set_value(); });
        released.wait();
    };
    auto run = agent::Run::start(incident(), options, ports());
    reading.get_future().wait();
    run->cancel();
    release.set_value();
    run->join();
    EXPECT_EQ(run->state()->outcome, RunOutcome::Cancelled);
    expectOrderly(*run->state());
    run.reset();
    EXPECT_EQ(desk->submits(), 0U);
}

} // namespace
} // namespace alidade::test
