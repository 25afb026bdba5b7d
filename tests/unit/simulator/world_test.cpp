// SPDX-License-Identifier: GPL-3.0-or-later
// Patches, selectors, quantities, cells.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/protobuf.hpp"
#include "api/tables/table.hpp"
#include "world/patch.hpp"
#include "world/quota.hpp"
#include "world/selectors.hpp"

namespace alidade::simulator {
namespace {

TEST(Patch, aFailedTestSaysNoMoreThanInvalid) {
    const Json doc = {{"spec", {{"replicas", 3}}}};
    const auto done = applyJsonPatch(doc, Json::array({{{"op", "test"}, {"path", "/spec/replicas"}, {"value", 4}},
                                                       {{"op", "replace"}, {"path", "/spec/replicas"}, {"value", 5}}}));
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().code, 422);
    EXPECT_EQ(done.error().reason, "Invalid");
    EXPECT_EQ(done.error().message, "the server rejected our request due to an error in our request");
    EXPECT_EQ(done.error().details, Json::object());
}

TEST(Patch, strategicMergesContainersByNameAndDeletesByDirective) {
    const Json doc = Json::parse(
        R"({"spec":{"containers":[{"name":"a","image":"x:1","env":[{"name":"K","value":"1"},{"name":"L","value":"2"}]},{"name":"b","image":"y:1"}]}})");
    const auto done =
        applyStrategicPatch(doc, Json::parse(R"({"spec":{"$setElementOrder/containers":[{"name":"b"},{"name":"a"}],
        "containers":[{"name":"a","image":"x:2","env":[{"name":"K","$patch":"delete"},{"name":"M","value":"3"}]}]}})"));
    ASSERT_TRUE(done);
    EXPECT_EQ(
        *done,
        Json::parse(
            R"({"spec":{"containers":[{"name":"b","image":"y:1"},{"name":"a","image":"x:2","env":[{"name":"L","value":"2"},{"name":"M","value":"3"}]}]}})"));
}

TEST(Patch, strategicReplacesListsWithoutAMergeKeyAndDropsNulls) {
    const auto done = applyStrategicPatch(
        Json::parse(
            R"({"spec":{"template":{"spec":{"containers":[{"name":"a","command":["x","y"]}]}},"paused":true}})"),
        Json::parse(R"({"spec":{"paused":null,"template":{"spec":{"containers":[{"name":"a","command":["z"]}]}}}})"));
    ASSERT_TRUE(done);
    EXPECT_EQ(*done, Json::parse(R"({"spec":{"template":{"spec":{"containers":[{"name":"a","command":["z"]}]}}}})"));
}

TEST(Patch, anElementWithoutItsMergeKeyIsRefused) {
    const auto done = applyStrategicPatch(Json::object(), Json::parse(R"({"spec":{"containers":[{"image":"x"}]}})"));
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().code, 400);
}

TEST(Selectors, labelForms) {
    const Json labels = {{"app", "web"}, {"tier", "front"}};
    const auto matches = [&](const char* text) {
        const auto selector = LabelSelector::parse(text);
        EXPECT_TRUE(selector) << text;
        return selector && selector->matches(labels);
    };
    EXPECT_TRUE(matches("app=web,tier!=back"));
    EXPECT_TRUE(matches("app in (api, web),!gone"));
    EXPECT_TRUE(matches("tier notin (back),app"));
    EXPECT_FALSE(matches("app==api"));
    EXPECT_FALSE(matches("!app"));
    EXPECT_FALSE(matches("app notin (web)"));
    EXPECT_FALSE(LabelSelector::parse("a b=c"));
}

TEST(Selectors, anUnknownFieldIsRefusedAsTheServerDoes) {
    const Kinds kinds;
    const auto done = FieldSelector::parse(*kinds.find("", "pods"), "spec.image=x");
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().message, "field label not supported: spec.image");
}

TEST(Protobuf, decodesATypedClientsReview) {
    const auto field = [](int number, const std::string& bytes) {
        return std::string(1, static_cast<char>(number << 3 | 2)) + static_cast<char>(bytes.size()) + bytes;
    };
    const auto attributes = field(1, "shop") + field(2, "delete") + field(5, "pods");
    const auto review = field(2, field(1, attributes));
    const auto envelope =
        field(1, field(1, "authorization.k8s.io/v1") + field(2, "SelfSubjectAccessReview")) + field(2, review);
    const auto decoded = decodeProtobuf(std::string("k8s\0", 4) + envelope);
    ASSERT_TRUE(decoded);
    EXPECT_EQ(*decoded, Json::parse(R"({"kind":"SelfSubjectAccessReview","apiVersion":"authorization.k8s.io/v1",
        "spec":{"resourceAttributes":{"namespace":"shop","verb":"delete","resource":"pods"}}})"));
    EXPECT_FALSE(decodeProtobuf("k8s"));
    for (std::size_t cut = 4; cut < envelope.size(); ++cut)
        (void)decodeProtobuf(
            (std::string("k8s\0", 4) + envelope).substr(0, cut)); // broken bytes are refused, not followed
}

std::vector<std::string> podCells(const char* spec, const char* status) {
    static const Kinds kinds;
    Json doc = {{"metadata", {{"name", "p"}, {"namespace", "n"}, {"creationTimestamp", "2024-05-01T11:00:00Z"}}},
                {"spec", Json::parse(spec)},
                {"status", Json::parse(status)}};
    const Entry entry(*kinds.find("", "pods"), std::move(doc), 1);
    const auto cells = podTable().cells(entry, *guard::parseRfc3339("2024-05-01T12:00:00Z"));
    return {cells[1].get<std::string>(), cells[2].get<std::string>(), cells[3].get<std::string>()};
}

using ::testing::ElementsAre;

TEST(PodRow, saysWhatKubectlSays) {
    const char* one = R"({"containers":[{"name":"app"}]})";
    const char* two = R"({"containers":[{"name":"a"},{"name":"b"}]})";
    EXPECT_THAT(podCells(one, R"({"phase":"Pending"})"), ElementsAre("0/1", "Pending", "0"));
    EXPECT_THAT(podCells(one, R"({"phase":"Failed","reason":"Evicted"})"), ElementsAre("0/1", "Evicted", "0"));
    EXPECT_THAT(
        podCells(
            one,
            R"({"phase":"Pending","conditions":[{"type":"PodScheduled","status":"False","reason":"SchedulingGated"}]})"),
        ElementsAre("0/1", "SchedulingGated", "0"));
    EXPECT_THAT(
        podCells(
            one,
            R"({"phase":"Running","containerStatuses":[{"name":"app","restartCount":7,"state":{"waiting":{"reason":"CrashLoopBackOff"}},
        "lastState":{"terminated":{"finishedAt":"2024-05-01T11:55:00Z"}}}]})"),
        ElementsAre("0/1", "CrashLoopBackOff", "7 (5m ago)"));
    EXPECT_THAT(
        podCells(two, R"({"phase":"Running","conditions":[{"type":"Ready","status":"False"}],"containerStatuses":[
        {"name":"a","state":{"terminated":{"reason":"Completed","exitCode":0}}},{"name":"b","ready":true,"state":{"running":{}}}]})"),
        ElementsAre("1/2", "NotReady", "0"));
    EXPECT_THAT(
        podCells(
            one,
            R"({"phase":"Running","containerStatuses":[{"name":"app","state":{"terminated":{"exitCode":1,"signal":15}}}]})"),
        ElementsAre("0/1", "Signal:15", "0"));
    EXPECT_THAT(
        podCells(
            R"({"initContainers":[{"name":"setup"},{"name":"proxy","restartPolicy":"Always"}],"containers":[{"name":"app"}]})",
            R"({"phase":"Running","conditions":[{"type":"Initialized","status":"True"},{"type":"Ready","status":"True"}],
        "initContainerStatuses":[{"name":"setup","restartCount":2,"state":{"terminated":{"exitCode":0}}},
        {"name":"proxy","restartCount":1,"ready":true,"started":true,"state":{"running":{}}}],
        "containerStatuses":[{"name":"app","ready":true,"restartCount":4,"state":{"running":{}}}]})"),
        ElementsAre("2/2", "Running", "5"));
    EXPECT_THAT(
        podCells(R"({"initContainers":[{"name":"i"},{"name":"j"}],"containers":[{"name":"app"}]})",
                 R"({"phase":"Pending","initContainerStatuses":[{"name":"i","state":{"terminated":{"exitCode":0}}},
        {"name":"j","state":{"waiting":{"reason":"CrashLoopBackOff"}}}]})"),
        ElementsAre("0/1", "Init:CrashLoopBackOff", "0"));
}

TEST(Quantities, aPodAsksForTheSumOfItsContainersOrItsLargestInitContainer) {
    const Json spec =
        Json::parse(R"({"containers":[{"resources":{"requests":{"cpu":"250m"}}},{"resources":{"limits":{"cpu":"1"}}}],
        "initContainers":[{"resources":{"requests":{"cpu":"3"}}}]})");
    EXPECT_DOUBLE_EQ(podRequest(spec, "cpu"), 3);
    EXPECT_EQ(quantityText(0.75, false), "750m");
    EXPECT_EQ(quantityText(512.0 * 1024 * 1024, true), "512Mi");
}

} // namespace
} // namespace alidade::simulator
