// SPDX-License-Identifier: GPL-3.0-or-later
// Creating, changing and deleting: conflicts, preconditions, dry runs, defaults, validation, ownership.
#include <gmock/gmock.h>

#include "lab.hpp"

namespace alidade::simulator {
namespace {

using ::testing::HasSubstr;

constexpr auto jsonPatch = "application/json-patch+json";
constexpr auto mergePatch = "application/merge-patch+json";
constexpr auto strategicPatch = "application/strategic-merge-patch+json";
constexpr auto applyPatch = "application/apply-patch+yaml";

class Write : public Lab {
protected:
    Json web(int replicas = 2) { return call("POST", deployments, deployment("web", "nginx:1.27", replicas), 201); }
    const std::string one = "/apis/apps/v1/namespaces/shop/deployments/web";
};

TEST_F(Write, defaultsAreFilledIn) {
    const auto made = web();
    EXPECT_EQ(str(made, {"spec", "strategy", "rollingUpdate", "maxSurge"}), "25%");
    EXPECT_EQ(integer(made, {"spec", "revisionHistoryLimit"}), 10);
    EXPECT_EQ(integer(made, {"metadata", "generation"}), 1);
    EXPECT_EQ(str(items(at(made, {"spec", "template", "spec", "containers"}))[0], {"imagePullPolicy"}), "IfNotPresent");
    const auto service = call("POST", "/api/v1/namespaces/shop/services",
                              {{"metadata", {{"name", "web"}}},
                               {"spec", {{"selector", {{"app", "web"}}}, {"ports", Json::array({{{"port", 80}}})}}}},
                              201);
    EXPECT_THAT(str(service, {"spec", "clusterIP"}), HasSubstr("10.96."));
    EXPECT_EQ(integer(items(at(service, {"spec", "ports"}))[0], {"targetPort"}), 80);
}

TEST_F(Write, aNameIsGeneratedOrRequired) {
    const auto made =
        call("POST", "/api/v1/namespaces/shop/configmaps", {{"metadata", {{"generateName", "job-"}}}}, 201);
    EXPECT_EQ(str(made, {"metadata", "name"}).size(), 9U);
    call("POST", "/api/v1/namespaces/shop/configmaps", {{"metadata", Json::object()}}, 422);
    const auto twice = call("POST", "/api/v1/namespaces/shop/configmaps",
                            {{"metadata", {{"name", str(made, {"metadata", "name"})}}}}, 409);
    EXPECT_EQ(str(twice, {"reason"}), "AlreadyExists");
    const auto nowhere = call("POST", "/api/v1/namespaces/gone/configmaps", {{"metadata", {{"name", "a"}}}}, 404);
    EXPECT_EQ(str(nowhere, {"message"}), "namespaces \"gone\" not found");
}

TEST_F(Write, aStalePutConflictsAndAFreshOneCounts) {
    auto doc = web();
    call("PATCH", one, {{"metadata", {{"labels", {{"a", "b"}}}}}}, 200, mergePatch);
    doc["spec"]["replicas"] = 5;
    const auto stale = call("PUT", one, doc, 409);
    EXPECT_EQ(str(stale, {"reason"}), "Conflict");
    EXPECT_EQ(str(stale, {"message"}), "Operation cannot be fulfilled on deployments.apps \"web\": the object has been "
                                       "modified; please apply your changes to the latest version and try again");
    auto fresh = get(one);
    fresh["spec"]["replicas"] = 5;
    EXPECT_EQ(integer(call("PUT", one, fresh), {"metadata", "generation"}), 2);
}

TEST_F(Write, aConditionalPatchHoldsOrChangesNothing) {
    const auto made = web();
    const auto uid = str(made, {"metadata", "uid"});
    const auto body = [&](const std::string& id, int old) {
        return Json::array({{{"op", "test"}, {"path", "/metadata/uid"}, {"value", id}},
                            {{"op", "test"}, {"path", "/spec/replicas"}, {"value", old}},
                            {{"op", "replace"}, {"path", "/spec/replicas"}, {"value", 7}}});
    };
    call("PATCH", one, body("another", 2), 422, jsonPatch);
    const auto refused = call("PATCH", one + "/scale", body(uid, 3), 422, jsonPatch);
    EXPECT_EQ(
        refused,
        Json::parse(
            R"({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"the server rejected our request due to an error in our request","reason":"Invalid","details":{},"code":422})"));
    EXPECT_EQ(integer(get(one), {"spec", "replicas"}), 2);
    EXPECT_EQ(integer(call("PATCH", one + "/scale", body(uid, 2), 200, jsonPatch), {"spec", "replicas"}), 7);
    EXPECT_EQ(integer(get(one), {"spec", "replicas"}), 7);
}

TEST_F(Write, aDryRunAnswersAndStoresNothing) {
    const auto before = world.rv();
    const auto created = call("POST", deployments + "?dryRun=All", deployment("ghost", "nginx:1", 1), 201);
    EXPECT_EQ(str(created, {"spec", "strategy", "type"}), "RollingUpdate");
    EXPECT_EQ(world.rv(), before);
    call("GET", deployments + "/ghost", nullptr, 404);
    web();
    const auto rv = world.rv();
    EXPECT_EQ(integer(call("PATCH", one + "?dryRun=All", {{"spec", {{"replicas", 9}}}}, 200, mergePatch),
                      {"spec", "replicas"}),
              9);
    EXPECT_EQ(integer(call("PATCH", one + "/scale?dryRun=All", {{"spec", {{"replicas", 9}}}}, 200, mergePatch),
                      {"spec", "replicas"}),
              9);
    call("DELETE", one + "?dryRun=All");
    EXPECT_EQ(world.rv(), rv);
    EXPECT_EQ(integer(get(one), {"spec", "replicas"}), 2);
    call("PATCH", one + "?dryRun=Some", {{"spec", {{"replicas", 9}}}}, 422, mergePatch);
}

TEST_F(Write, aSelectorIsImmutable) {
    web();
    const auto no = call("PATCH", one,
                         {{"spec",
                           {{"selector", {{"matchLabels", {{"app", "other"}}}}},
                            {"template", {{"metadata", {{"labels", {{"app", "other"}}}}}}}}}},
                         422, mergePatch);
    EXPECT_EQ(str(no, {"reason"}), "Invalid");
    EXPECT_EQ(str(items(at(no, {"details", "causes"}))[0], {"field"}), "spec.selector");
    EXPECT_THAT(str(no, {"message"}), HasSubstr("field is immutable"));
    EXPECT_EQ(str(no, {"details", "kind"}), "Deployment");
}

TEST_F(Write, everyMistakeIsNamed) {
    auto bad = deployment("Bad_Name", "", 1);
    bad["spec"]["template"]["metadata"]["labels"] = {{"app", "else"}};
    const auto no = call("POST", deployments, bad, 422);
    std::vector<std::string> fields;
    for (const auto& cause : elements(no, {"details", "causes"}))
        fields.push_back(str(at(cause, "field")));
    EXPECT_THAT(fields, ::testing::ElementsAre("metadata.name", "spec.template.metadata.labels",
                                               "spec.template.spec.containers[0].image"));
}

TEST_F(Write, deletePreconditionsHold) {
    const auto made = web();
    const auto no = call("DELETE", one, {{"preconditions", {{"uid", "another"}}}}, 409);
    EXPECT_EQ(str(no, {"message"}), "Operation cannot be fulfilled on deployments.apps \"web\": Precondition failed: "
                                    "UID in precondition: another, UID in object meta: " +
                                        str(made, {"metadata", "uid"}));
    const auto done = call("DELETE", one, {{"preconditions", {{"uid", str(made, {"metadata", "uid"})}}}});
    EXPECT_EQ(str(done, {"status"}), "Success");
    EXPECT_EQ(str(done, {"details", "uid"}), str(made, {"metadata", "uid"}));
}

TEST_F(Write, dependentsGoWithTheirOwnerUnlessOrphaned) {
    web();
    pass(10);
    EXPECT_EQ(statuses("web").size(), 2U);
    call("DELETE", one);
    pass(10);
    EXPECT_TRUE(statuses("web").empty());
    web();
    pass(10);
    call("DELETE", one + "?propagationPolicy=Orphan");
    pass(10);
    EXPECT_EQ(statuses("web").size(), 2U);
}

TEST_F(Write, aForegroundDeleteWaitsForDependents) {
    web();
    pass(10);
    const auto going = call("DELETE", one + "?propagationPolicy=Foreground");
    EXPECT_EQ(str(items(at(going, {"metadata", "finalizers"}))[0]), "foregroundDeletion");
    EXPECT_FALSE(str(get(one), {"metadata", "deletionTimestamp"}).empty());
    pass(10);
    call("GET", one, nullptr, 404);
    EXPECT_TRUE(statuses("web").empty());
}

TEST_F(Write, aFinalizerHoldsAndNoNewOneIsLetIn) {
    const std::string map = "/api/v1/namespaces/shop/configmaps/held";
    call("POST", "/api/v1/namespaces/shop/configmaps",
         {{"metadata", {{"name", "held"}, {"finalizers", {"example.com/cleanup"}}}}}, 201);
    EXPECT_FALSE(str(call("DELETE", map), {"metadata", "deletionTimestamp"}).empty());
    const auto no = call("PATCH", map, {{"metadata", {{"finalizers", {"example.com/cleanup", "example.com/more"}}}}},
                         422, mergePatch);
    EXPECT_THAT(str(no, {"message"}), HasSubstr("no new finalizers can be added if the object is being deleted"));
    call("PATCH", map, {{"metadata", {{"finalizers", nullptr}}}}, 200, mergePatch);
    call("GET", map, nullptr, 404);
}

TEST_F(Write, aPodIsGivenItsGracePeriod) {
    call("POST", pods, pod("p", "sleep infinity"), 201);
    pass(5);
    const auto going = call("DELETE", pods + "/p");
    EXPECT_EQ(integer(going, {"metadata", "deletionGracePeriodSeconds"}), 30);
    pass(2);
    call("GET", pods + "/p", nullptr, 404);
    EXPECT_THAT(reasons("p"), ::testing::Contains("Killing"));
}

TEST_F(Write, applyOwnsFieldsAndReportsConflicts) {
    const auto config = [&](int replicas) { return deployment("web", "nginx:1.27", replicas); };
    call("PATCH", one + "?fieldManager=ci", config(2), 201, applyPatch);
    call("PATCH", one, {{"spec", {{"replicas", 4}}}}, 200, mergePatch);
    const auto no = call("PATCH", one + "?fieldManager=ci", config(2), 409, applyPatch);
    EXPECT_EQ(str(items(at(no, {"details", "causes"}))[0], {"field"}), ".spec.replicas");
    EXPECT_EQ(str(items(at(no, {"details", "causes"}))[0], {"reason"}), "FieldManagerConflict");
    EXPECT_EQ(integer(get(one), {"spec", "replicas"}), 4);
    EXPECT_EQ(
        integer(call("PATCH", one + "?fieldManager=ci&force=true", config(2), 200, applyPatch), {"spec", "replicas"}),
        2);
    auto less = config(2);
    less["spec"].erase("replicas");
    less["spec"]["paused"] = true;
    call("PATCH", one + "?fieldManager=ci", less, 200, applyPatch);
    // Given up by its only owner, the field falls back to its default.
    EXPECT_EQ(integer(get(one), {"spec", "replicas"}), 1);
    call("PATCH", one, config(1), 422, applyPatch);
}

TEST_F(Write, theScaleOfNothingNegativeAndOfNoDaemonSet) {
    web();
    const auto no = call("PUT", one + "/scale", {{"metadata", {{"name", "web"}}}, {"spec", {{"replicas", -1}}}}, 422);
    EXPECT_THAT(str(no, {"message"}), HasSubstr("must be greater than or equal to 0"));
    EXPECT_EQ(open("GET", "/apis/apps/v1/namespaces/shop/daemonsets/x/scale")->status, 404);
}

TEST_F(Write, anEvictionRespectsTheBudget) {
    web();
    pass(10);
    call("POST", "/apis/policy/v1/namespaces/shop/poddisruptionbudgets",
         {{"metadata", {{"name", "web"}}},
          {"spec", {{"minAvailable", 2}, {"selector", {{"matchLabels", {{"app", "web"}}}}}}}},
         201);
    pass(1);
    const auto name = str(items(at(get(pods + "?labelSelector=app%3Dweb"), "items"))[0], {"metadata", "name"});
    const auto no = call("POST", pods + "/" + name + "/eviction", {{"metadata", {{"name", name}}}}, 429);
    EXPECT_EQ(str(no, {"message"}), "Cannot evict pod as it would violate the pod's disruption budget.");
    EXPECT_EQ(str(items(at(no, {"details", "causes"}))[0], {"reason"}), "DisruptionBudget");
    call("PATCH", "/apis/policy/v1/namespaces/shop/poddisruptionbudgets/web", {{"spec", {{"minAvailable", 1}}}}, 200,
         mergePatch);
    pass(1);
    call("POST", pods + "/" + name + "/eviction", {{"metadata", {{"name", name}}}}, 201);
}

TEST_F(Write, aNamespaceGoesWithWhatIsInIt) {
    web();
    pass(10);
    call("DELETE", "/api/v1/namespaces/shop");
    const auto no = call("POST", "/api/v1/namespaces/shop/configmaps", {{"metadata", {{"name", "late"}}}}, 403);
    EXPECT_THAT(str(no, {"message"}), HasSubstr("because it is being terminated"));
    pass(30);
    call("GET", "/api/v1/namespaces/shop", nullptr, 404);
    EXPECT_TRUE(world.list(world.kind("pods"), "shop").empty());
}

TEST_F(Write, aCustomKindIsServedOnceItsDefinitionIsThere) {
    call(
        "POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
        Json::parse(
            R"({"metadata":{"name":"widgets.example.com"},"spec":{"group":"example.com","scope":"Namespaced","names":{"plural":"widgets","singular":"widget","kind":"Widget","shortNames":["wd"]},
            "versions":[{"name":"v1","served":true,"storage":true,"subresources":{"status":{}},"additionalPrinterColumns":[{"name":"Size","type":"integer","jsonPath":".spec.size"}]}]}})"),
        201);
    pass(1);
    call("POST", "/apis/example.com/v1/namespaces/shop/widgets",
         Json::parse(R"({"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"w"},"spec":{"size":3}})"),
         201);
    const auto rows = table("/apis/example.com/v1/namespaces/shop/widgets");
    EXPECT_EQ(items(at(rows, "rows"))[0]["cells"], Json::parse(R"(["w",3])"));
    call("PATCH", "/apis/example.com/v1/namespaces/shop/widgets/w", {{"spec", {{"size", 4}}}}, 415, strategicPatch);
}

TEST_F(Write, brokenAndForeignBodiesAreRefused) {
    for (const auto* body :
         {"", "{", "[]", "null", "\"x\"", "{\"kind\":\"Pod\",\"apiVersion\":\"v1\"}", "{\"metadata\":7}",
          "{\"metadata\":{\"name\":[1]}}", "{\"spec\":{\"template\":3},\"metadata\":{\"name\":\"x\"}}"}) {
        const auto answer = open("POST", deployments, body);
        EXPECT_GE(answer->status, 400) << body;
        EXPECT_LT(answer->status, 500) << body;
    }
    web();
    for (const auto* body :
         {"[{\"op\":\"test\"}]", "[7]", "{}", "[{\"op\":\"replace\",\"path\":\"/spec\",\"value\":5}]"}) {
        const auto answer = open("PATCH", one, body, {{"Content-Type", jsonPatch}});
        EXPECT_GE(answer->status, 400) << body;
        EXPECT_LT(answer->status, 500) << body;
    }
}

} // namespace
} // namespace alidade::simulator
