// SPDX-License-Identifier: GPL-3.0-or-later
// Every scenario of the simulator, read over its API: the root cause, the action or none, and how the run ends.
#include <chrono>

#include <gmock/gmock.h>

#include "alidade/agent/run.hpp"
#include "simulated.hpp"

namespace alidade::test {
namespace {

using guard::RunOutcome;
using testing::HasSubstr;
using testing::Not;

struct Expected {
    const char* scenario;
    const char* rule;
    const char* suspect;
    const char* action; ///< empty: none
    RunOutcome outcome;
};
void PrintTo(const Expected& e, std::ostream* out) { *out << e.scenario; }

class Scenario : public testing::TestWithParam<Expected> {};

TEST_P(Scenario, EndsAsItShould) {
    const Expected& expected = GetParam();
    SimulatedCluster cluster(expected.scenario);
    ASSERT_TRUE(cluster.session);
    agent::Incident incident;
    incident.id = "inc-1";
    incident.ns = "shop";
    agent::RunPorts ports;
    ports.session = cluster.session;
    ports.desk = cluster.desk;
    ports.clock = cluster.clock;
    const auto run = agent::Run::start(incident, {}, ports);
    run->join();
    const auto state = run->state();

    std::string trail;
    for (const auto& event : state->events)
        trail += std::string(name(event.step)) + " " + std::string(name(event.kind)) + ": " + event.title + " | " +
                 event.detail + "\n";
    SCOPED_TRACE(trail);
    EXPECT_EQ(state->outcome, expected.outcome);
    ASSERT_TRUE(state->diagnosis);
    EXPECT_EQ(state->diagnosis->outcome,
              *expected.rule == '\0' ? guard::DiagnosisOutcome::NoFault : guard::DiagnosisOutcome::Fault);
    if (*expected.rule != '\0') {
        ASSERT_FALSE(state->findings.empty());
        EXPECT_EQ(state->findings.front().rule, expected.rule);
        EXPECT_EQ(state->diagnosis->suspect->key.text(), expected.suspect);
    }
    EXPECT_EQ(state->plan ? state->plan->actions.front().summary() : "", expected.action);
    EXPECT_EQ(cluster.desk->submits(), expected.outcome == RunOutcome::Resolved ? 1U : 0U);
    EXPECT_TRUE(state->gaps.empty()) << state->gaps.front().source << ": " << state->gaps.front().reason;
    for (const guard::Claim& claim : state->diagnosis->claims) {
        EXPECT_TRUE(claim.supported) << claim.text;
        EXPECT_FALSE(claim.quote.empty()) << claim.text;
    }
    if (expected.outcome == RunOutcome::Resolved) {
        EXPECT_EQ(state->signal.back().readyRatio, 1.0);
        EXPECT_LT(state->signal.front().readyRatio, 1.0);
    }
}

INSTANTIATE_TEST_SUITE_P(
    Simulator, Scenario,
    testing::Values(Expected{"checkout-bad-image", "image.not_found", "deployment shop/checkout",
                             "roll back deployment shop/checkout to revision 4", RunOutcome::Resolved},
                    Expected{"payments-bad-image", "image.not_found", "deployment shop/payments",
                             "roll back deployment shop/payments to revision 1", RunOutcome::Blocked},
                    Expected{"healthy", "", "", "", RunOutcome::NoFault},
                    Expected{"crash-loop-bad-command", "crash.bad_command", "deployment shop/catalog",
                             "roll back deployment shop/catalog to revision 1", RunOutcome::Resolved},
                    Expected{"missing-configmap", "config.missing_configmap", "deployment shop/cart",
                             "roll back deployment shop/cart to revision 1", RunOutcome::Resolved},
                    Expected{"oom", "memory.oom", "deployment shop/catalog",
                             "roll back deployment shop/catalog to revision 1", RunOutcome::Resolved},
                    Expected{"failing-probe", "probe.readiness", "deployment shop/frontend",
                             "roll back deployment shop/frontend to revision 1", RunOutcome::Resolved},
                    Expected{"unschedulable", "schedule.cpu", "deployment shop/catalog",
                             "roll back deployment shop/catalog to revision 1", RunOutcome::Resolved},
                    Expected{"selector-mismatch", "service.selector", "service shop/cart", "", RunOutcome::Escalated},
                    Expected{"stuck-quota", "rollout.quota", "deployment shop/catalog", "", RunOutcome::Escalated}),
    [](const auto& one) {
        std::string out;
        for (const char c : std::string(one.param.scenario))
            out += c == '-' ? '_' : c;
        return out;
    });

TEST(ScenarioList, IsWholeInTheseTests) { EXPECT_EQ(simulator::scenarios().size(), 10U); }

} // namespace
} // namespace alidade::test
