// SPDX-License-Identifier: GPL-3.0-or-later
// Each scenario shows its fault, its neighbours stay healthy, and undoing the change heals it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "alidade/simulator/simulator.hpp"
#include "world/json.hpp"

namespace alidade::simulator {
namespace {

using ::testing::HasSubstr;

class ScenarioTest : public ::testing::Test {
protected:
    void start(const std::string& id, double incidentAfter = 4) {
        SimulatorOptions options;
        options.scenario = id;
        options.tls = false;
        options.realTime = false;
        options.incidentAfterSeconds = incidentAfter;
        auto made = Simulator::start(options);
        ASSERT_TRUE(made) << made.error().text();
        sim = std::move(*made);
    }
    Json deployment(const std::string& name) { return *sim->get("apps", "deployments", "shop", name); }
    std::int64_t ready(const std::string& name) { return integer(deployment(name), {"status", "readyReplicas"}); }
    std::int64_t wanted(const std::string& name) { return integer(deployment(name), {"spec", "replicas"}); }
    void expectHealthyBut(const std::string& one) {
        for (const auto* name : {"checkout", "cart", "catalog", "frontend", "payments", "prod-db", "recommender"})
            if (name != one) {
                EXPECT_EQ(ready(name), wanted(name)) << name;
            }
    }
    /// The condition of the named type, "" without one.
    std::string condition(const std::string& name, const std::string& type) {
        const Json doc = deployment(name);
        for (const auto& c : items(at(doc, {"status", "conditions"})))
            if (str(at(c, "type")) == type)
                return str(at(c, "reason"));
        return {};
    }
    std::unique_ptr<Simulator> sim;
};

TEST_F(ScenarioTest, allOfThemStartHealthyAndOnlyHealthyStaysSo) {
    for (const auto& info : scenarios()) {
        start(info.id);
        expectHealthyBut("");
        sim->advance(std::chrono::seconds(40));
        // The others leave enough of the old pods, or harm a Service only; what runs out of memory was ready for a
        // moment.
        expectHealthyBut(info.id == "checkout-bad-image"   ? "checkout"
                         : info.id == "payments-bad-image" ? "payments"
                         : info.id == "oom"                ? "catalog"
                                                           : "");
        EXPECT_EQ(sim->scenario().id, info.id);
        EXPECT_FALSE(info.title.empty());
    }
    SimulatorOptions options;
    options.scenario = "nothing-like-it";
    EXPECT_FALSE(Simulator::start(options));
}

TEST_F(ScenarioTest, checkoutLosesOneReplicaAndARollbackHealsIt) {
    start("checkout-bad-image");
    const Json before = at(deployment("checkout"), {"spec", "template"});
    sim->advance(std::chrono::seconds(15));
    EXPECT_EQ(ready("checkout"), 2);
    EXPECT_EQ(wanted("checkout"), 3);
    expectHealthyBut("checkout");
    sim->advance(std::chrono::seconds(60));
    EXPECT_EQ(condition("checkout", "Progressing"), "ProgressDeadlineExceeded");
    ASSERT_TRUE(
        sim->mutate("apps", "deployments", "shop", "checkout", [&](Json& doc) { doc["spec"]["template"] = before; }));
    sim->advance(std::chrono::seconds(20));
    EXPECT_EQ(ready("checkout"), 3);
    EXPECT_EQ(condition("checkout", "Progressing"), "NewReplicaSetAvailable");
}

TEST_F(ScenarioTest, anIncidentOfThePastHasUnfolded) {
    start("checkout-bad-image", -120);
    EXPECT_EQ(ready("checkout"), 2);
    EXPECT_EQ(condition("checkout", "Progressing"), "ProgressDeadlineExceeded");
}

TEST_F(ScenarioTest, theProtectedOnesSaySo) {
    start("payments-bad-image", -60);
    EXPECT_EQ(ready("payments"), 1);
    for (const auto* name : {"payments", "prod-db"})
        EXPECT_EQ(str(deployment(name), {"metadata", "annotations", "alidade.dev/protected"}), "true");
    EXPECT_TRUE(at(deployment("checkout"), {"metadata", "annotations", "alidade.dev/protected"}).is_null());
}

TEST_F(ScenarioTest, theNeighbourIsRestlessAndReady) {
    start("checkout-bad-image");
    EXPECT_EQ(ready("recommender"), 1);
    const auto pods = *sim->get("apps", "deployments", "shop", "recommender");
    EXPECT_EQ(condition("recommender", "Available"), "MinimumReplicasAvailable");
}

TEST_F(ScenarioTest, putObjectsAreStoredAsTheyStand) {
    start("healthy");
    for (const auto* apiVersion : {"triggers.a.example.com/v1", "triggers.b.example.org/v1"})
        ASSERT_TRUE(sim->put({{"apiVersion", apiVersion},
                              {"kind", "Trigger"},
                              {"metadata", {{"name", "t1"}, {"namespace", "elsewhere"}}},
                              {"spec", {{"from", apiVersion}}}}));
    EXPECT_EQ(str(*sim->get("triggers.b.example.org", "triggers", "elsewhere", "t1"), {"spec", "from"}),
              "triggers.b.example.org/v1");
    EXPECT_TRUE(sim->get("", "namespaces", "", "elsewhere"));
    EXPECT_FALSE(sim->put({{"kind", "Pod"}}));
    ASSERT_TRUE(sim->remove("triggers.a.example.com", "triggers", "elsewhere", "t1"));
    EXPECT_FALSE(sim->get("triggers.a.example.com", "triggers", "elsewhere", "t1"));
    EXPECT_FALSE(sim->remove("", "pods", "shop", "nobody"));
    EXPECT_FALSE(sim->mutate("", "pods", "shop", "nobody", [](Json&) {}));
}

} // namespace
} // namespace alidade::simulator
