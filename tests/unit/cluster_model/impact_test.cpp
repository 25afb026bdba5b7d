// SPDX-License-Identifier: GPL-3.0-or-later
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "graph_objects.hpp"

namespace alidade::test {
namespace {

using cluster::buildGraph;
using cluster::extractFacts;
using cluster::FactSet;
using cluster::impactOf;
using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;

guard::Action act(const guard::KindId& kind, const std::string& name, const std::string& uid, auto change) {
    return {{{kind, "shop", name}, uid}, guard::Scope::Object, change};
}
std::vector<std::string> names(const guard::Impact& impact) {
    std::vector<std::string> out;
    for (const auto& entry : impact.dependents)
        out.push_back(entry.object.text() + " " + entry.relation + " " + std::to_string(entry.hops));
    return out;
}

TEST(Impact, ARestartReplacesThePodsOfTheWorkload) {
    const auto impact =
        impactOf(act(kinds::deployments(), "checkout", "u-checkout", guard::Restart{}), buildGraph(application(2), {}));
    EXPECT_TRUE(impact.available);
    EXPECT_TRUE(impact.complete);
    EXPECT_THAT(names(impact), ElementsAre("replicaset shop/checkout-1 owned_by 1", "pod shop/checkout-1-0 owned_by 2",
                                           "pod shop/checkout-1-1 owned_by 2"));
    EXPECT_THAT(impact.notes, ElementsAre("2 pods replaced"));
}

TEST(Impact, ScalingToZeroTakesTheEndpointsOfTheService) {
    const auto graph = buildGraph(application(3), {});
    const auto zero = impactOf(act(kinds::deployments(), "checkout", "u-checkout", guard::Scale{0}), graph);
    EXPECT_THAT(zero.notes, ElementsAre("3 pods removed", "service shop/checkout would lose all endpoints"));
    EXPECT_THAT(names(zero), Contains("service shop/checkout selects 3"));
    const auto one = impactOf(act(kinds::deployments(), "checkout", "u-checkout", guard::Scale{1}), graph);
    EXPECT_THAT(one.notes, ElementsAre("2 pods removed"));
    const auto more = impactOf(act(kinds::deployments(), "checkout", "u-checkout", guard::Scale{5}), graph);
    EXPECT_THAT(more.notes, ElementsAre("2 pods added"));
}

TEST(Impact, AServiceWithOtherPodsKeepsItsEndpoints) {
    auto objects = application(2);
    objects.push_back(extractFacts(kinds::pods(), labelled(object("canary", "u-canary"), {{"app", "checkout"}})));
    const auto impact =
        impactOf(act(kinds::deployments(), "checkout", "u-checkout", guard::Scale{0}), buildGraph(objects, {}));
    EXPECT_THAT(impact.notes, ElementsAre("2 pods removed"));
}

TEST(Impact, AnAutoscalerThatWouldUndoAScaleIsNamed) {
    auto objects = application(2);
    json hpa = object("checkout", "u-hpa");
    hpa["spec"]["scaleTargetRef"] = {{"apiVersion", "apps/v1"}, {"kind", "Deployment"}, {"name", "checkout"}};
    objects.push_back(extractFacts({"autoscaling", "v2", "HorizontalPodAutoscaler", "horizontalpodautoscalers"}, hpa));
    const auto impact =
        impactOf(act(kinds::deployments(), "checkout", "u-checkout", guard::Scale{4}), buildGraph(objects, {}));
    EXPECT_THAT(impact.notes,
                Contains("horizontalpodautoscaler shop/checkout would change the number of replicas again"));
}

TEST(GraphSources, HoldEveryKindThatAnImpactCountsOn) {
    for (const char* const resource : {"horizontalpodautoscalers", "ingresses", "jobs", "cronjobs", "serviceaccounts",
                                       "persistentvolumes", "persistentvolumeclaims", "services", "endpointslices"}) {
        EXPECT_TRUE(std::any_of(cluster::graphSources().begin(), cluster::graphSources().end(),
                                [&](const guard::KindId& kind) { return kind.resource == resource; }))
            << resource;
    }
}

TEST(Impact, DeletingAConfigMapNamesItsUsers) {
    json pod = object("web", "u-web");
    pod["metadata"]["annotations"] = {{"alidade.dev/protected", "true"}};
    pod["spec"]["containers"] = {{{"name", "c"}, {"envFrom", {{{"configMapRef", {{"name", "settings"}}}}}}}};
    const auto impact = impactOf(
        act(kinds::configMaps(), "settings", "u-cm", guard::Delete{}),
        buildGraph({extractFacts(kinds::pods(), pod), extractFacts(kinds::configMaps(), object("settings", "u-cm"))},
                   {}));
    EXPECT_THAT(names(impact), ElementsAre("pod shop/web uses_config 1"));
    EXPECT_THAT(impact.notes, ElementsAre("protected: pod shop/web"));
}

TEST(Impact, DeletingAPodThatIsOwnedSaysThatItMayComeAgain) {
    const auto impact =
        impactOf(act(kinds::pods(), "checkout-1-0", "u-checkout-1-0", guard::Delete{}), buildGraph(application(1), {}));
    EXPECT_THAT(impact.notes, ElementsAre("replicaset shop/checkout-1 owns it and may make it anew",
                                          "service shop/checkout would lose all endpoints until a new pod is ready",
                                          "disruption budgets are not looked at"));
    EXPECT_FALSE(impact.complete) << "what was not read is not nothing";
}

TEST(Impact, MoreThanFiftyDependentsAreCutAndSaySo) {
    const auto impact = impactOf(act(kinds::deployments(), "checkout", "u-checkout", guard::Restart{}),
                                 buildGraph(application(80), {}));
    EXPECT_EQ(impact.dependents.size(), 50U);
    EXPECT_FALSE(impact.complete);
    EXPECT_THAT(impact.notes, ElementsAre("80 pods replaced"));
}

TEST(Impact, IncompleteSourcesMakeOrMore) {
    const auto impact =
        impactOf(act(kinds::deployments(), "checkout", "u-checkout", guard::Restart{}),
                 buildGraph(application(2),
                            {cluster::sourceGap(kinds::pods(), "shop", guard::Coverage::Capped, "500 of unknown")}));
    EXPECT_FALSE(impact.complete);
    EXPECT_THAT(impact.notes, ElementsAre("2 or more pods replaced"));
    EXPECT_EQ(impact.gaps.size(), 1U);
}

TEST(Impact, ThreeHopsAndNoFurther) {
    std::vector<FactSet> chain;
    for (int i = 1; i <= 5; ++i)
        chain.push_back(extractFacts(kinds::configMaps(),
                                     ownedBy(object("c" + std::to_string(i), "u-c" + std::to_string(i)), "v1",
                                             "ConfigMap", "c" + std::to_string(i - 1), "u-c" + std::to_string(i - 1))));
    chain.push_back(extractFacts(kinds::configMaps(), object("c0", "u-c0")));
    const auto whole = buildGraph(chain, {});
    const auto impact = impactOf(act(kinds::configMaps(), "c0", "u-c0", guard::Delete{}), whole);
    EXPECT_EQ(impact.dependents.size(), 3U);
    EXPECT_FALSE(impact.complete);
    // A neighbourhood cut at the same depth tells just as much; one cut earlier does not.
    const guard::ObjectRef leaf{{kinds::configMaps(), "shop", "c2"}, "u-c2"};
    const auto enough = impactOf({leaf, guard::Scope::Object, guard::Delete{}}, cluster::around(whole, leaf, 3));
    EXPECT_TRUE(enough.complete);
    EXPECT_EQ(enough.dependents.size(), 3U);
    EXPECT_FALSE(impactOf({leaf, guard::Scope::Object, guard::Delete{}}, cluster::around(whole, leaf, 1)).complete);
}

TEST(Impact, ATargetThatWasNotReadHasNoImpactToShow) {
    const auto impact =
        impactOf(act(kinds::deployments(), "checkout", "u-other", guard::Restart{}), buildGraph(application(2), {}));
    EXPECT_FALSE(impact.available);
    EXPECT_FALSE(impact.complete);
    EXPECT_THAT(impact.dependents, IsEmpty());
}

} // namespace
} // namespace alidade::test
