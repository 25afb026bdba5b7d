// SPDX-License-Identifier: GPL-3.0-or-later
// Deployments and the other controllers, in virtual time.
#include <gmock/gmock.h>

#include "lab.hpp"

namespace alidade::simulator {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::UnorderedElementsAre;

class Rollout : public Lab {
protected:
    const std::string web = "/apis/apps/v1/namespaces/shop/deployments/web";
    void start(int replicas = 3, Json strategy = {{"rollingUpdate", {{"maxUnavailable", 1}, {"maxSurge", 1}}}}) {
        auto doc = deployment("web", "nginx:1.26", replicas);
        doc["spec"]["strategy"] = std::move(strategy);
        doc["spec"]["progressDeadlineSeconds"] = 60;
        call("POST", deployments, doc, 201);
        pass(10);
    }
    void image(const std::string& name) {
        call(
            "PATCH", web,
            {{"spec", {{"template", {{"spec", {{"containers", Json::array({{{"name", "app"}, {"image", name}}})}}}}}}}},
            200, "application/strategic-merge-patch+json");
    }
    std::string condition(const std::string& type) {
        for (const auto& c : elements(get(web), {"status", "conditions"}))
            if (str(at(c, "type")) == type)
                return str(at(c, "status")) + " " + str(at(c, "reason"));
        return {};
    }
    std::map<std::string, std::int64_t> sets() {
        std::map<std::string, std::int64_t> out; // revision -> replicas
        for (const auto& set : elements(get("/apis/apps/v1/namespaces/shop/replicasets"), "items"))
            out[str(set, {"metadata", "annotations", "deployment.kubernetes.io/revision"})] =
                integer(set, {"spec", "replicas"});
        return out;
    }
    std::int64_t ready() { return integer(get(web), {"status", "readyReplicas"}); }
};

TEST_F(Rollout, comesUpAndSaysSo) {
    start();
    EXPECT_EQ(ready(), 3);
    EXPECT_EQ(condition("Progressing"), "True NewReplicaSetAvailable");
    EXPECT_EQ(condition("Available"), "True MinimumReplicasAvailable");
    EXPECT_EQ(integer(get(web), {"status", "observedGeneration"}), 1);
    EXPECT_THAT(reasons("web"), ElementsAre("ScalingReplicaSet"));
}

TEST_F(Rollout, neverFallsBelowWhatItsStrategyAllows) {
    start();
    image("nginx:1.27");
    std::int64_t least = 3;
    for (int i = 0; i < 200; ++i) {
        pass(0.1);
        least = std::min(least, ready());
        EXPECT_LE(statuses("web").size(), 5U); // 3 + 1 surge, and one on its way out
    }
    EXPECT_GE(least, 2);
    EXPECT_EQ(ready(), 3);
    EXPECT_THAT(sets(), UnorderedElementsAre(std::pair("1", 0), std::pair("2", 3)));
}

TEST_F(Rollout, aMissingImageLeavesItStuckAndThenPastItsDeadline) {
    start();
    image("nginx:does-not-exist");
    pass(6);
    EXPECT_THAT(statuses("web"), UnorderedElementsAre("Running", "Running", "ImagePullBackOff", "ImagePullBackOff"));
    EXPECT_EQ(ready(), 2);
    EXPECT_EQ(condition("Progressing"), "True ReplicaSetUpdated");
    pass(61);
    EXPECT_EQ(condition("Progressing"), "False ProgressDeadlineExceeded");
    EXPECT_EQ(condition("Available"), "True MinimumReplicasAvailable");
}

TEST_F(Rollout, theOldTemplateTakesItsReplicaSetBackUnderANewRevision) {
    start();
    image("nginx:does-not-exist");
    pass(6);
    image("nginx:1.26");
    pass(6);
    EXPECT_EQ(ready(), 3);
    EXPECT_THAT(sets(), UnorderedElementsAre(std::pair("2", 0), std::pair("3", 3)));
    EXPECT_EQ(str(get(web), {"metadata", "annotations", "deployment.kubernetes.io/revision"}), "3");
    for (const auto& set : elements(get("/apis/apps/v1/namespaces/shop/replicasets"), "items"))
        if (integer(set, {"spec", "replicas"}) == 3) {
            EXPECT_EQ(str(set, {"metadata", "annotations", "deployment.kubernetes.io/revision-history"}), "1");
        }
    EXPECT_EQ(condition("Progressing"), "True NewReplicaSetAvailable");
}

TEST_F(Rollout, pausedChangesNothingButReplicas) {
    start();
    call("PATCH", web, {{"spec", {{"paused", true}}}}, 200, "application/merge-patch+json");
    image("nginx:1.27");
    call("PATCH", web, {{"spec", {{"replicas", 4}}}}, 200, "application/merge-patch+json");
    pass(10);
    EXPECT_THAT(sets(), UnorderedElementsAre(std::pair("1", 4)));
    EXPECT_EQ(condition("Progressing"), "Unknown DeploymentPaused");
    call("PATCH", web, {{"spec", {{"paused", false}}}}, 200, "application/merge-patch+json");
    pass(20);
    EXPECT_THAT(sets(), UnorderedElementsAre(std::pair("1", 0), std::pair("2", 4)));
}

TEST_F(Rollout, recreateEndsTheOldBeforeItBeginsTheNew) {
    start(2, {{"type", "Recreate"}});
    image("nginx:1.27");
    bool down = false;
    for (int i = 0; i < 100; ++i) {
        pass(0.1);
        down = down || ready() == 0;
    }
    EXPECT_TRUE(down);
    EXPECT_EQ(ready(), 2);
}

TEST_F(Rollout, historyIsCutAtItsLimit) {
    start();
    call("PATCH", web, {{"spec", {{"revisionHistoryLimit", 1}}}}, 200, "application/merge-patch+json");
    for (const auto* tag : {"nginx:1.27", "nginx:1.28", "nginx:1.29"}) {
        image(tag);
        pass(20);
    }
    EXPECT_THAT(sets(), UnorderedElementsAre(std::pair("3", 0), std::pair("4", 3)));
}

TEST_F(Rollout, aQuotaStopsItWithAReason) {
    call("POST", "/api/v1/namespaces/shop/resourcequotas",
         {{"metadata", {{"name", "few"}}}, {"spec", {{"hard", {{"pods", "2"}}}}}}, 201);
    start(3);
    EXPECT_EQ(ready(), 2);
    EXPECT_EQ(condition("ReplicaFailure"), "True FailedCreate");
    EXPECT_EQ(str(get("/api/v1/namespaces/shop/resourcequotas/few"), {"status", "used", "pods"}), "2");
    call("PATCH", "/api/v1/namespaces/shop/resourcequotas/few", {{"spec", {{"hard", {{"pods", "5"}}}}}}, 200,
         "application/merge-patch+json");
    pass(20);
    EXPECT_EQ(ready(), 3);
    EXPECT_EQ(condition("ReplicaFailure"), "");
}

TEST_F(Rollout, endpointsFollowReadiness) {
    start(2);
    call("POST", "/api/v1/namespaces/shop/services",
         {{"metadata", {{"name", "web"}}},
          {"spec", {{"selector", {{"app", "web"}}}, {"ports", Json::array({{{"port", 80}}})}}}},
         201);
    pass(1);
    const auto endpoints = get("/api/v1/namespaces/shop/endpoints/web");
    EXPECT_EQ(items(at(items(at(endpoints, "subsets"))[0], "addresses")).size(), 2U);
    const auto slices =
        get("/apis/discovery.k8s.io/v1/namespaces/shop/endpointslices?labelSelector=kubernetes.io/service-name%3Dweb");
    EXPECT_EQ(items(at(items(at(slices, "items"))[0], "endpoints")).size(), 2U);
    call("PATCH", "/api/v1/namespaces/shop/services/web", {{"spec", {{"selector", {{"app", "nobody"}}}}}}, 200,
         "application/merge-patch+json");
    pass(1);
    EXPECT_TRUE(at(get("/api/v1/namespaces/shop/endpoints/web"), "subsets").is_null());
}

TEST_F(Rollout, aStatefulSetGoesUpInOrderAndRollsFromTheTop) {
    auto set = deployment("db", "postgres:15", 3);
    set["kind"] = "StatefulSet";
    set["spec"]["serviceName"] = "db";
    call("POST", "/apis/apps/v1/namespaces/shop/statefulsets", set, 201);
    pass(0.7);
    EXPECT_EQ(statuses("db").size(), 1U);
    pass(10);
    EXPECT_THAT(statuses("db"), ElementsAre("Running", "Running", "Running"));
    const auto before = str(get(pods + "/db-0"), {"metadata", "uid"});
    set["spec"]["template"]["spec"]["containers"][0]["image"] = "postgres:16";
    call("PATCH", "/apis/apps/v1/namespaces/shop/statefulsets/db", set, 200, "application/merge-patch+json");
    pass(2);
    EXPECT_EQ(str(get(pods + "/db-0"), {"metadata", "uid"}), before);
    pass(20);
    EXPECT_NE(str(get(pods + "/db-0"), {"metadata", "uid"}), before);
    EXPECT_EQ(integer(get("/apis/apps/v1/namespaces/shop/statefulsets/db"), {"status", "updatedReplicas"}), 3);
}

TEST_F(Rollout, aDaemonSetRunsOnEveryNode) {
    auto set = deployment("agent", "busybox:1.35", 1);
    set["kind"] = "DaemonSet";
    set["spec"].erase("replicas");
    set["spec"]["template"]["spec"]["containers"][0]["command"] = {"sleep", "infinity"};
    call("POST", "/apis/apps/v1/namespaces/shop/daemonsets", set, 201);
    pass(5);
    const auto status = at(get("/apis/apps/v1/namespaces/shop/daemonsets/agent"), "status");
    EXPECT_EQ(integer(at(status, "desiredNumberScheduled")), 2);
    EXPECT_EQ(integer(at(status, "numberReady")), 2);
}

TEST_F(Rollout, jobsCompleteFailAndAreScheduled) {
    const auto job = [&](const std::string& name, const std::string& script) {
        return Json{
            {"metadata", {{"name", name}}},
            {"spec",
             {{"backoffLimit", 1},
              {"template",
               {{"spec",
                 {{"restartPolicy", "Never"},
                  {"containers",
                   Json::array({{{"name", "c"}, {"image", "busybox:1.35"}, {"command", {"sh", "-c", script}}}})}}}}}}}};
    };
    call("POST", "/apis/batch/v1/namespaces/shop/jobs", job("good", "echo done"), 201);
    call("POST", "/apis/batch/v1/namespaces/shop/jobs", job("bad", "exit 2"), 201);
    pass(40);
    const auto rows = table("/apis/batch/v1/namespaces/shop/jobs");
    EXPECT_EQ(items(at(rows, "rows"))[0]["cells"][1], "Failed");
    EXPECT_EQ(items(at(rows, "rows"))[1]["cells"][1], "Complete");
    EXPECT_THAT(reasons("bad"), Contains("BackoffLimitExceeded"));
    call("POST", "/apis/batch/v1/namespaces/shop/cronjobs",
         {{"metadata", {{"name", "tick"}}},
          {"spec", {{"schedule", "* * * * *"}, {"jobTemplate", {{"spec", job("", "echo tick")["spec"]}}}}}},
         201);
    pass(190);
    EXPECT_EQ(items(at(get("/apis/batch/v1/namespaces/shop/jobs"), "items")).size(), 5U);
}

} // namespace
} // namespace alidade::simulator
