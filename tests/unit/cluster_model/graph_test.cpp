// SPDX-License-Identifier: GPL-3.0-or-later
#include <chrono>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "graph_objects.hpp"

namespace alidade::test {
namespace {

using cluster::buildGraph;
using cluster::extractFacts;
using cluster::FactSet;
using cluster::Graph;
using cluster::GraphLimits;
using cluster::Relation;
using cluster::Resolution;
using guard::Coverage;
using testing::ElementsAre;

Graph graphOf(std::vector<FactSet> objects, std::vector<guard::Gap> gaps = {}) {
    return buildGraph(std::move(objects), std::move(gaps)).partial();
}

TEST(Graph, JoinsAServiceToItsPodsAndTheirWorkload) {
    const Graph graph = graphOf(application(2));
    EXPECT_NE(edge(graph, "replicaset shop/checkout-1", Relation::OwnedBy, "deployment shop/checkout"), nullptr);
    EXPECT_NE(edge(graph, "pod shop/checkout-1-0", Relation::OwnedBy, "replicaset shop/checkout-1"), nullptr);
    EXPECT_NE(edge(graph, "service shop/checkout", Relation::Selects, "pod shop/checkout-1-1"), nullptr);
    EXPECT_NE(edge(graph, "deployment shop/checkout", Relation::Selects, "pod shop/checkout-1-1"), nullptr);
    EXPECT_NE(edge(graph, "service shop/checkout", Relation::RoutesTo, "endpointslice shop/checkout-slice"), nullptr);
    const auto* routed = edge(graph, "endpointslice shop/checkout-slice", Relation::RoutesTo, "pod shop/checkout-1-0");
    ASSERT_NE(routed, nullptr);
    EXPECT_EQ(routed->provenance, cluster::ProvenanceKind::Observed);
    EXPECT_EQ(routed->field, "endpoints[0].targetRef");
    EXPECT_NE(edge(graph, "pod shop/checkout-1-1", Relation::ScheduledOn, "node node-1"), nullptr);
}

TEST(Graph, IsTheSameInEveryInputOrder) {
    std::vector<FactSet> objects = application(5);
    for (FactSet& other : application(4, "cart"))
        objects.push_back(std::move(other));
    json pod = object("lonely", "u-lonely");
    pod["spec"]["volumes"] = {{{"name", "v"}, {"configMap", {{"name", "gone"}}}}};
    objects.push_back(extractFacts(kinds::pods(), pod));
    objects.push_back(extractFacts(kinds::pods(), pod));
    pod["status"]["phase"] = "Running"; // a second reading of the same object
    objects.push_back(extractFacts(kinds::pods(), pod));
    const GraphLimits tight{20, 500, 5};
    const std::string expected = dump(graphOf(objects));
    const std::string capped = dump(buildGraph(objects, {}, tight).partial());
    std::mt19937 random(7);
    for (int i = 0; i < 20; ++i) {
        std::shuffle(objects.begin(), objects.end(), random);
        EXPECT_EQ(dump(graphOf(objects)), expected);
        EXPECT_EQ(dump(buildGraph(objects, {}, tight).partial()), capped);
    }
}

TEST(Graph, TellsMissingFromUnknownByCoverage) {
    json pod = object("web", "u-web");
    pod["spec"]["containers"] = {
        {{"name", "c"},
         {"envFrom", {{{"configMapRef", {{"name", "settings"}}}}, {{"secretRef", {{"name", "keys"}}}}}}}};
    const auto facts = extractFacts(kinds::pods(), pod);
    const auto answer = buildGraph(
        {facts}, {cluster::sourceGap(kinds::secrets(), "shop", Coverage::Forbidden, "secrets is forbidden")});
    EXPECT_FALSE(answer.complete());
    const Graph& graph = answer.partial();
    EXPECT_EQ(edge(graph, "pod shop/web", Relation::UsesConfig, "configmap shop/settings")->resolution,
              Resolution::Missing);
    EXPECT_EQ(edge(graph, "pod shop/web", Relation::UsesConfig, "secret shop/keys")->resolution, Resolution::Unknown);
    EXPECT_TRUE(node(graph, "configmap shop/settings")->missing);
    EXPECT_FALSE(node(graph, "secret shop/keys")->missing);
    EXPECT_TRUE(node(graph, "secret shop/keys")->forbidden);
}

TEST(Graph, DoesNotCallWhatItNeverReadMissing) {
    json hpa = object("web", "u-hpa");
    hpa["spec"]["scaleTargetRef"] = {{"apiVersion", "argoproj.io/v1alpha1"}, {"kind", "Rollout"}, {"name", "web"}};
    json volume = object("pv", "u-pv", "");
    volume["spec"]["csi"]["nodePublishSecretRef"] = {{"name", "n1"}, {"namespace", "storage"}};
    const Graph graph =
        graphOf({extractFacts({"autoscaling", "v2", "HorizontalPodAutoscaler", "horizontalpodautoscalers"}, hpa),
                 extractFacts({"", "v1", "PersistentVolume", "persistentvolumes", false}, volume)});
    EXPECT_EQ(graph.edges.size(), 2U);
    for (const auto& e : graph.edges)
        EXPECT_EQ(e.resolution, Resolution::Unknown) << e.field;
}

TEST(Graph, AReferenceWithAUidNeverFallsBackToTheName) {
    std::vector<FactSet> objects{
        extractFacts(kinds::deployments(), object("web", "u-new")),
        extractFacts(kinds::replicaSets(), ownedBy(object("web-1", "u-rs"), "apps/v1", "Deployment", "web", "u-old"))};
    const Graph graph = graphOf(objects);
    ASSERT_EQ(graph.edges.size(), 1U);
    EXPECT_EQ(graph.edges[0].resolution, Resolution::Missing);
    EXPECT_EQ(graph.nodes[graph.edges[0].to].ref.uid, "u-old");
}

// --- C39: cyclic owner references ---

FactSet configMap(const std::string& name, const std::string& owner) {
    return extractFacts(kinds::configMaps(),
                        ownedBy(object(name, "u-" + name), "v1", "ConfigMap", owner, "u-" + owner));
}

TEST(Graph, C39_a_TwoObjectsThatOwnEachOtherAreMarked) {
    const Graph graph = graphOf({configMap("a", "b"), configMap("b", "a")});
    ASSERT_EQ(graph.edges.size(), 2U);
    EXPECT_TRUE(edge(graph, "configmap shop/a", Relation::OwnedBy, "configmap shop/b")->cycle);
    EXPECT_TRUE(edge(graph, "configmap shop/b", Relation::OwnedBy, "configmap shop/a")->cycle);
}

TEST(Graph, C39_b_AnObjectThatOwnsItselfIsMarked) {
    const Graph graph = graphOf({configMap("s", "s"), configMap("t", "s")});
    EXPECT_TRUE(edge(graph, "configmap shop/s", Relation::OwnedBy, "configmap shop/s")->cycle);
    EXPECT_FALSE(edge(graph, "configmap shop/t", Relation::OwnedBy, "configmap shop/s")->cycle);
    const auto impact =
        cluster::impactOf({{{kinds::configMaps(), "shop", "s"}, "u-s"}, guard::Scope::Object, guard::Delete{}},
                          buildGraph({configMap("s", "s"), configMap("t", "s")}, {}));
    ASSERT_EQ(impact.dependents.size(), 1U);
    EXPECT_EQ(impact.dependents[0].object.name, "t");
}

TEST(Graph, C39_c_ALongChainIsCutAtTheDepthAndSaysSo) {
    std::vector<FactSet> chain;
    for (int i = 0; i < 60; ++i)
        chain.push_back(configMap("c" + std::to_string(i), "c" + std::to_string(i + 1)));
    const auto whole = buildGraph(chain, {});
    for (const auto& e : whole.partial().edges)
        EXPECT_FALSE(e.cycle);
    const auto part = cluster::around(whole, {{kinds::configMaps(), "shop", "c0"}, "u-c0"}, 3);
    EXPECT_EQ(part.partial().nodes.size(), 4U);
    ASSERT_FALSE(part.complete());
    EXPECT_EQ(part.gaps().back().source, "relations beyond 3 steps");
}

TEST(Graph, AroundFindsTheRootByUidOnly) {
    const auto whole = buildGraph(application(2), {});
    const auto wrong = cluster::around(whole, {{kinds::deployments(), "shop", "checkout"}, "u-older"}, 2);
    EXPECT_TRUE(wrong.partial().nodes.empty());
    EXPECT_FALSE(wrong.complete());
    const auto right = cluster::around(whole, {{kinds::deployments(), "shop", "checkout"}, "u-checkout"}, 1);
    ASSERT_TRUE(right.partial().root.has_value());
    EXPECT_EQ(right.partial().nodes[*right.partial().root].ref.uid, "u-checkout");
    EXPECT_EQ(right.partial().nodes.size(), 4U); // itself, its ReplicaSet and the two pods it selects
}

// --- C41: Services without a selector ---

FactSet service(const std::string& name, const json& spec) {
    json body = object(name, "u-svc-" + name);
    body["spec"] = spec;
    return extractFacts(kinds::services(), body);
}

std::vector<FactSet> withPods(std::vector<FactSet> objects) {
    for (int i = 0; i < 10; ++i)
        objects.push_back(extractFacts(
            kinds::pods(), labelled(object("p" + std::to_string(i), "u-p" + std::to_string(i)), {{"app", "other"}})));
    return objects;
}

TEST(Graph, C41_a_AServiceWithoutSelectorHasItsSliceAndNoPods) {
    json slice = labelled(object("db-1", "u-slice"), {{"kubernetes.io/service-name", "db"}});
    slice["endpoints"] = {{{"addresses", {"192.0.2.10"}}}};
    const Graph graph = graphOf(
        withPods({service("db", {{"ports", {{{"port", 5432}}}}}), extractFacts(kinds::endpointSlices(), slice)}));
    ASSERT_EQ(graph.edges.size(), 1U);
    EXPECT_NE(edge(graph, "service shop/db", Relation::RoutesTo, "endpointslice shop/db-1"), nullptr);
}

TEST(Graph, C41_b_AnExternalNameSelectsNothing) {
    EXPECT_TRUE(graphOf(withPods({service("ext", {{"type", "ExternalName"},
                                                  {"externalName", "db.example.com"},
                                                  {"selector", {{"app", "other"}}}})}))
                    .edges.empty());
}

TEST(Graph, C41_c_AnEmptySelectorIsNoSelector) {
    EXPECT_TRUE(graphOf(withPods({service("empty", {{"selector", json::object()}})})).edges.empty());
}

TEST(Graph, C41_d_ASelectorThatMatchesNothingIsSaid) {
    const Graph graph = graphOf(withPods({service("none", {{"selector", {{"app", "gone"}}}})}));
    const auto* e = edge(graph, "service shop/none", Relation::Selects, "pod shop/(app=gone)");
    ASSERT_NE(e, nullptr);
    EXPECT_EQ(e->resolution, Resolution::Missing);
    const Graph unread =
        graphOf(withPods({service("none", {{"selector", {{"app", "gone"}}}})}),
                {cluster::sourceGap(kinds::pods(), "shop", Coverage::Partial, "timeout after page 1")});
    EXPECT_EQ(edge(unread, "service shop/none", Relation::Selects, "pod shop/(app=gone)")->resolution,
              Resolution::Unknown);
}

TEST(Graph, ASelectorNeedsEveryLabel) {
    std::vector<FactSet> objects{
        service("web", {{"selector", {{"app", "web"}, {"tier", "front"}}}}),
        extractFacts(kinds::pods(), labelled(object("both", "u-1"), {{"app", "web"}, {"tier", "front"}})),
        extractFacts(kinds::pods(), labelled(object("one", "u-2"), {{"app", "web"}})),
        extractFacts(kinds::pods(), labelled(object("far", "u-3", "other"), {{"app", "web"}, {"tier", "front"}}))};
    const Graph graph = graphOf(objects);
    ASSERT_EQ(graph.edges.size(), 1U);
    EXPECT_EQ(graph.nodes[graph.edges[0].to].ref.key.name, "both");
}

// --- C44: who uses this Secret or ConfigMap ---

TEST(Graph, C44_EveryWayOfUsingConfigurationIsSeen) {
    json pod = object("web", "u-web");
    pod["spec"] = json::parse(R"({
      "volumes": [{"name": "v", "projected": {"sources": [{"configMap": {"name": "p1"}}, {"secret": {"name": "p2"}}]}},
                  {"name": "w", "persistentVolumeClaim": {"claimName": "data"}}],
      "initContainers": [{"name": "i", "envFrom": [{"configMapRef": {"name": "e1"}}],
                          "env": [{"name": "X", "valueFrom": {"secretKeyRef": {"name": "e2", "key": "k", "optional": true}}}]}],
      "ephemeralContainers": [{"name": "d", "env": [{"name": "Y", "valueFrom": {"configMapKeyRef": {"name": "e3", "key": "k"}}}]}],
      "imagePullSecrets": [{"name": "r1"}], "serviceAccountName": "sa"})");
    json account = object("sa", "u-sa");
    account["imagePullSecrets"] = {{{"name", "r2"}}};
    json ingress = object("in", "u-in");
    ingress["spec"]["tls"] = {{{"secretName", "t1"}}, json::object()};
    ingress["spec"]["rules"] =
        json::parse(R"([{"http": {"paths": [{"path": "/", "backend": {"service": {"name": "web"}}},
                                                                  {"path": "/b", "backend": {"resource": {"kind": "Bucket", "name": "b"}}}]}}, {"host": "h"}])");
    json cron = object("cj", "u-cj");
    cron["spec"]["jobTemplate"]["spec"]["template"]["spec"]["containers"] = {
        {{"name", "c"}, {"envFrom", {{{"configMapRef", {{"name", "c1"}}}}}}}};
    json volume = object("pv", "u-pv", "");
    volume["spec"]["csi"]["nodePublishSecretRef"] = {{"name", "n1"}, {"namespace", "shop"}};
    const Graph graph = graphOf({extractFacts(kinds::pods(), pod), extractFacts(kinds::serviceAccounts(), account),
                                 extractFacts({"networking.k8s.io", "v1", "Ingress", "ingresses"}, ingress),
                                 extractFacts({"batch", "v1", "CronJob", "cronjobs"}, cron),
                                 extractFacts({"", "v1", "PersistentVolume", "persistentvolumes", false}, volume)});
    const auto field = [&](const std::string& from, const std::string& to, Relation relation = Relation::UsesConfig) {
        const auto* e = edge(graph, from, relation, to);
        return e == nullptr ? std::string("none") : e->field;
    };
    EXPECT_EQ(field("pod shop/web", "configmap shop/p1"), "spec.volumes[0].projected.sources[0].configMap.name");
    EXPECT_EQ(field("pod shop/web", "secret shop/p2"), "spec.volumes[0].projected.sources[1].secret.name");
    EXPECT_EQ(field("pod shop/web", "configmap shop/e1"), "spec.initContainers[0].envFrom[0].configMapRef.name");
    EXPECT_EQ(field("pod shop/web", "secret shop/e2"), "spec.initContainers[0].env[0].valueFrom.secretKeyRef.name");
    EXPECT_TRUE(edge(graph, "pod shop/web", Relation::UsesConfig, "secret shop/e2")->optional);
    EXPECT_EQ(field("pod shop/web", "configmap shop/e3"),
              "spec.ephemeralContainers[0].env[0].valueFrom.configMapKeyRef.name");
    EXPECT_EQ(field("pod shop/web", "secret shop/r1"), "spec.imagePullSecrets[0].name");
    EXPECT_EQ(field("serviceaccount shop/sa", "secret shop/r2"), "imagePullSecrets[0].name");
    EXPECT_EQ(field("ingress shop/in", "secret shop/t1"), "spec.tls[0].secretName");
    EXPECT_EQ(field("ingress shop/in", "service shop/web", Relation::RoutesTo),
              "spec.rules[0].http.paths[0].backend.service.name");
    EXPECT_EQ(field("cronjob shop/cj", "configmap shop/c1"),
              "spec.jobTemplate.spec.template.spec.containers[0].envFrom[0].configMapRef.name");
    EXPECT_EQ(field("persistentvolume pv", "secret shop/n1"), "spec.csi.nodePublishSecretRef");
    EXPECT_EQ(field("pod shop/web", "persistentvolumeclaim shop/data", Relation::UsesVolume),
              "spec.volumes[1].persistentVolumeClaim.claimName");
}

TEST(Graph, OddObjectsGiveFewerFactsAndNeverFail) {
    const std::vector<std::string> odd{
        "null",
        "[]",
        "7",
        "\"x\"",
        R"({"metadata": 5})",
        R"({"metadata": {"name": 3, "uid": [], "labels": [1], "ownerReferences": {"a": 1}}})",
        R"({"metadata": {"name": "a", "ownerReferences": [null, 5, {"kind": 7, "name": "x"}]}, "spec": {"containers": "no", "volumes": [[], {"configMap": "x"}, {"secret": {"secretName": 9}}], "selector": "a", "template": [], "nodeName": {}}})",
        R"({"spec": {"selector": {"matchLabels": {"a": 1}, "matchExpressions": [{"operator": "In", "values": [2]}]}}, "endpoints": [{"targetRef": {"kind": "Pod", "name": null}}]})"};
    for (const guard::KindId& kind : cluster::graphSources())
        for (const std::string& text : odd)
            EXPECT_NO_THROW((void)buildGraph({extractFacts(kind, json::parse(text))}, {}))
                << kind.resource << " " << text;
    json pod = object("p", "u-p");
    pod["spec"]["volumes"] = {{{"name", "v"}, {"configMap", {{"name", "../secret"}}}}};
    const Graph graph = graphOf({extractFacts(kinds::pods(), pod)});
    ASSERT_EQ(graph.edges.size(), 1U);
    EXPECT_EQ(graph.edges[0].resolution, Resolution::Invalid);
}

TEST(Graph, KeepsAtMostSoManyEdgesAndSaysHowManyAreLeftOut) {
    const auto answer = buildGraph(application(40), {}, {50, 500, 5});
    EXPECT_EQ(answer.partial().edges.size(), 50U);
    ASSERT_EQ(answer.gaps().size(), 1U);
    EXPECT_EQ(answer.gaps()[0].coverage, Coverage::Capped);
    EXPECT_THAT(answer.gaps()[0].reason, testing::HasSubstr("left out"));
}

} // namespace
} // namespace alidade::test
