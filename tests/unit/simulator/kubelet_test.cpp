// SPDX-License-Identifier: GPL-3.0-or-later
// What containers go through, and what their logs say.
#include <sstream>

#include <gmock/gmock.h>

#include "lab.hpp"

namespace alidade::simulator {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class Containers : public Lab {
protected:
    std::string log(const std::string& name, const std::string& query = {}, int expect = 200) {
        const auto answer = open("GET", pods + "/" + name + "/log" + (query.empty() ? "" : "?" + query));
        EXPECT_EQ(answer->status, expect) << answer->body;
        return expect == 200 ? answer->body : str(answer->json(), {"message"});
    }
    std::string status(const std::string& name) {
        return str(items(at(items(at(table(pods + "?fieldSelector=metadata.name%3D" + name), "rows"))[0], "cells"))[2]);
    }
    Json container(const std::string& name) {
        return items(at(get(pods + "/" + name), {"status", "containerStatuses"}))[0];
    }
};

TEST_F(Containers, aCrashLoopBacksOffAndKeepsThePreviousLog) {
    call("POST", pods, pod("p", "echo hello; sleep 2; echo bye; exit 3"), 201);
    pass(3);
    EXPECT_EQ(log("p"), "hello\n");
    EXPECT_EQ(log("p", "previous=true", 400), "previous terminated container \"app\" in pod \"p\" not found");
    pass(8); // the first restart comes at once, the second after 10 s
    EXPECT_EQ(status("p"), "CrashLoopBackOff");
    EXPECT_EQ(integer(at(container("p"), "restartCount")), 1);
    EXPECT_EQ(log("p"), "hello\nbye\n");
    EXPECT_EQ(log("p", "previous=true"), "hello\nbye\n");
    EXPECT_EQ(integer(container("p"), {"lastState", "terminated", "exitCode"}), 3);
    pass(8);
    EXPECT_EQ(integer(at(container("p"), "restartCount")), 2);
    pass(600);
    const auto restarts = integer(at(container("p"), "restartCount"));
    EXPECT_GE(restarts, 6); // 10, 20, 40, 80, 160, 300, 300 ...
    EXPECT_LE(restarts, 8);
    EXPECT_THAT(reasons("p"), Contains("BackOff"));
}

TEST_F(Containers, logsCanBeCutAndFollowed) {
    call("POST", pods, pod("p", "while true; do echo tick {n}; sleep 1; done"), 201);
    pass(10);
    const auto all = log("p");
    EXPECT_THAT(all, StartsWith("tick 1\ntick 2\n"));
    EXPECT_THAT(log("p", "tailLines=1"), StartsWith("tick "));
    EXPECT_EQ(log("p", "tailLines=2").size(), 14U);
    EXPECT_EQ(log("p", "limitBytes=4"), "tick");
    const auto stamped = log("p", "timestamps=true&tailLines=1");
    EXPECT_TRUE(guard::parseRfc3339(stamped.substr(0, stamped.find(' '))));
    EXPECT_THAT(log("p", "sinceSeconds=3"), ::testing::Not(HasSubstr("tick 2\n")));
    const auto follow = open("GET", pods + "/p/log?follow=true&tailLines=1");
    const auto first = follow->body;
    pass(3);
    EXPECT_GE(follow->body.size(), first.size() + 14);
    EXPECT_FALSE(follow->finished);
    call("DELETE", pods + "/p");
    pass(5);
    EXPECT_TRUE(follow->finished);
    // Nothing missing and nothing twice: the numbers follow each other.
    int last = 0;
    std::istringstream lines(follow->body);
    for (std::string line; std::getline(lines, line);) {
        const int number = std::stoi(line.substr(5));
        EXPECT_TRUE(last == 0 || number == last + 1) << line;
        last = number;
    }
}

TEST_F(Containers, logsThatAreNotThereSayWhy) {
    auto two = pod("two", "sleep infinity");
    two["spec"]["containers"].push_back({{"name", "side"}, {"image", "nothing.example.com/none:1"}});
    call("POST", pods, two, 201);
    pass(5);
    EXPECT_EQ(log("two", "", 400), "a container name must be specified for pod two, choose one of: [app side]");
    EXPECT_EQ(log("two", "container=side", 400),
              "container \"side\" in pod \"two\" is waiting to start: trying and failing to pull image");
    EXPECT_EQ(log("two", "container=none", 400), "container none is not valid for pod two");
}

TEST_F(Containers, aMissingConfigMapIsWaitedFor) {
    auto p = pod("p", "sleep infinity");
    p["spec"]["containers"][0]["envFrom"] = Json::array({{{"configMapRef", {{"name", "settings"}}}}});
    call("POST", pods, p, 201);
    pass(5);
    EXPECT_EQ(status("p"), "CreateContainerConfigError");
    EXPECT_EQ(str(container("p"), {"state", "waiting", "message"}), "configmap \"settings\" not found");
    call("POST", "/api/v1/namespaces/shop/configmaps", {{"metadata", {{"name", "settings"}}}}, 201);
    pass(12);
    EXPECT_EQ(status("p"), "Running");
}

TEST_F(Containers, aMissingVolumeKeepsThemFromBeingMade) {
    auto p = pod("p", "sleep infinity");
    p["spec"]["volumes"] = Json::array({{{"name", "v"}, {"secret", {{"secretName", "keys"}}}}});
    call("POST", pods, p, 201);
    pass(5);
    EXPECT_EQ(status("p"), "ContainerCreating");
    EXPECT_THAT(reasons("p"), Contains("FailedMount"));
}

TEST_F(Containers, anUnknownImageBacksOff) {
    auto p = pod("p", "");
    p["spec"]["containers"][0]["image"] = "nginx:9.9.9-does-not-exist";
    call("POST", pods, p, 201);
    pass(1.5);
    EXPECT_EQ(status("p"), "ErrImagePull");
    pass(2);
    EXPECT_EQ(status("p"), "ImagePullBackOff");
    EXPECT_THAT(str(container("p"), {"state", "waiting", "message"}),
                StartsWith("Back-off pulling image \"nginx:9.9.9-does-not-exist\": ErrImagePull: rpc error: code = "));
    call("PATCH", pods + "/p", {{"spec", {{"containers", Json::array({{{"name", "app"}, {"image", "nginx:1.27"}}})}}}},
         200, "application/strategic-merge-patch+json");
    pass(25);
    EXPECT_EQ(status("p"), "Running");
}

TEST_F(Containers, aCommandThatIsNotThereNeverStarts) {
    auto p = pod("p", "");
    p["spec"]["containers"][0]["command"] = {"/bin/chekout"};
    call("POST", pods, p, 201);
    pass(6);
    EXPECT_EQ(status("p"), "CrashLoopBackOff");
    EXPECT_EQ(str(container("p"), {"lastState", "terminated", "reason"}), "StartError");
    EXPECT_EQ(integer(container("p"), {"lastState", "terminated", "exitCode"}), 128);
    EXPECT_THAT(str(container("p"), {"lastState", "terminated", "message"}), HasSubstr("/bin/chekout"));
}

TEST_F(Containers, aPodThatIsDoneStaysDone) {
    call("POST", pods, pod("ok", "echo yes", "Never"), 201);
    call("POST", pods, pod("no", "exit 5", "Never"), 201);
    pass(20);
    EXPECT_EQ(status("ok"), "Completed");
    EXPECT_EQ(status("no"), "Error");
    EXPECT_EQ(str(get(pods + "/ok"), {"status", "phase"}), "Succeeded");
    EXPECT_EQ(str(get(pods + "/no"), {"status", "phase"}), "Failed");
    EXPECT_EQ(log("ok"), "yes\n");
}

TEST_F(Containers, initContainersGoFirst) {
    auto p = pod("p", "sleep infinity");
    p["spec"]["initContainers"] =
        Json::array({{{"name", "i"}, {"image", "busybox:1.35"}, {"command", {"sh", "-c", "sleep 5"}}}});
    call("POST", pods, p, 201);
    pass(3);
    EXPECT_EQ(status("p"), "Init:0/1");
    pass(5);
    EXPECT_EQ(status("p"), "Running");
}

TEST_F(Containers, probesDecideReadinessAndLife) {
    auto p = pod("p", "");
    p["metadata"]["annotations"] = {
        {"simulator.alidade.dev/behaviour",
         R"({"readinessFailure":"HTTP probe failed with statuscode: 503","livenessFailure":"connection refused"})"}};
    p["spec"]["containers"][0]["readinessProbe"] = {{"httpGet", {{"path", "/r"}, {"port", 80}}}};
    p["spec"]["containers"][0]["livenessProbe"] = {{"httpGet", {{"path", "/l"}, {"port", 80}}},
                                                   {"initialDelaySeconds", 5}};
    call("POST", pods, p, 201);
    pass(4);
    EXPECT_EQ(status("p"), "Running");
    EXPECT_FALSE(boolean(at(container("p"), "ready"), true));
    pass(40);
    EXPECT_GE(integer(at(container("p"), "restartCount")), 1);
    EXPECT_EQ(integer(container("p"), {"lastState", "terminated", "exitCode"}), 137);
    EXPECT_THAT(reasons("p"), Contains("Unhealthy"));
}

TEST_F(Containers, whatFitsNowhereWaits) {
    auto p = pod("p", "sleep infinity");
    p["spec"]["containers"][0]["resources"] = {{"requests", {{"cpu", "64"}}}};
    call("POST", pods, p, 201);
    pass(2);
    EXPECT_EQ(status("p"), "Pending");
    const auto conditions = items(at(get(pods + "/p"), {"status", "conditions"}));
    EXPECT_EQ(str(at(conditions[0], "message")), "0/2 nodes are available: 2 Insufficient cpu. preemption: 0/2 nodes "
                                                 "are available: 2 No preemption victims found for incoming pod.");
    EXPECT_THAT(reasons("p"), Contains("FailedScheduling"));
}

TEST_F(Containers, aRepeatedEventCountsUp) {
    auto p = pod("p", "sleep infinity");
    p["spec"]["containers"][0]["envFrom"] = Json::array({{{"configMapRef", {{"name", "settings"}}}}});
    call("POST", pods, p, 201);
    pass(45);
    std::int64_t count = 0;
    for (const auto& event : elements(get("/api/v1/namespaces/shop/events"), "items"))
        if (str(at(event, "message")) == "Error: configmap \"settings\" not found")
            count = integer(at(event, "count"));
    EXPECT_GE(count, 4);
}

} // namespace
} // namespace alidade::simulator
