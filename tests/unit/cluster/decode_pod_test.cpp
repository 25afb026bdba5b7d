// SPDX-License-Identifier: GPL-3.0-or-later
#include "decode_support.hpp"

#include <gmock/gmock.h>

namespace alidade::cluster::test {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr const char* kOneApp = R"({"containers":[{"name":"app"}]})";
constexpr const char* kTwoApps = R"({"containers":[{"name":"a"},{"name":"b"}]})";

TEST(PodRow, C24_a_SidecarBesideTheAppCounts) {
    const Decoded pod = decodePod(
        R"({"initContainers":[{"name":"setup"},{"name":"proxy","restartPolicy":"Always"}],"containers":[{"name":"app"}]})",
        R"({"phase":"Running","conditions":[{"type":"Initialized","status":"True"},{"type":"Ready","status":"True"}],
            "initContainerStatuses":[
              {"name":"setup","restartCount":2,"ready":true,"state":{"terminated":{"exitCode":0,"reason":"Completed"}}},
              {"name":"proxy","restartCount":1,"ready":true,"started":true,"state":{"running":{}}}],
            "containerStatuses":[{"name":"app","restartCount":4,"ready":true,"state":{"running":{}}}]})");
    EXPECT_EQ(pod["READY"], "2/2");
    EXPECT_EQ(pod["STATUS"], "Running");
    EXPECT_EQ(pod["RESTARTS"], "5");
    EXPECT_EQ(pod.row->health, Health::Ok);
}

TEST(PodRow, C24_b_SidecarThatHasNotStartedHoldsUpInitialisation) {
    const Decoded pod = decodePod(
        R"({"initContainers":[{"name":"setup"},{"name":"proxy","restartPolicy":"Always"}],"containers":[{"name":"app"}]})",
        R"({"phase":"Pending","conditions":[{"type":"Initialized","status":"False"}],
            "initContainerStatuses":[
              {"name":"setup","restartCount":0,"ready":true,"state":{"terminated":{"exitCode":0}}},
              {"name":"proxy","restartCount":0,"ready":false,"started":false,"state":{"running":{}}}],
            "containerStatuses":[{"name":"app","restartCount":0,"ready":false,"state":{"waiting":{"reason":"PodInitializing"}}}]})");
    EXPECT_EQ(pod["READY"], "0/2");
    EXPECT_EQ(pod["STATUS"], "Init:1/2");
    EXPECT_EQ(pod.row->health, Health::Progressing);
}

TEST(PodRow, C26_a_JustCreated) {
    const Decoded pod = decodePod(kOneApp, R"({"phase":"Pending"})");
    EXPECT_EQ(pod["STATUS"], "Pending");
    EXPECT_EQ(pod["READY"], "0/1");
    EXPECT_EQ(pod["RESTARTS"], "0");
    EXPECT_EQ(pod["NODE"], "<none>");
    EXPECT_EQ(pod["IP"], "<none>");
    EXPECT_EQ(pod["READINESS GATES"], "<none>");
}

TEST(PodRow, C26_b_SchedulingGated) {
    const Decoded pod = decodePod(
        kOneApp,
        R"({"phase":"Pending","conditions":[{"type":"PodScheduled","status":"False","reason":"SchedulingGated"}]})");
    EXPECT_EQ(pod["STATUS"], "SchedulingGated");
    EXPECT_EQ(pod["READY"], "0/1");
    EXPECT_EQ(pod.row->health, Health::Progressing);
}

TEST(PodRow, C26_c_EvictedWithItsMessage) {
    const Decoded pod = decodePod(kOneApp, R"({"phase":"Failed","reason":"Evicted","message":"node low on memory"})");
    EXPECT_EQ(pod["STATUS"], "Evicted");
    EXPECT_EQ(pod["READY"], "0/1");
    EXPECT_EQ(pod.row->health, Health::Bad);
    EXPECT_EQ(pod.row->trouble, "Evicted: node low on memory");
}

TEST(PodRow, C26_d_EmptyStatusIsUnknown) {
    const Decoded pod = decodePod(kOneApp, "{}");
    EXPECT_EQ(pod["STATUS"], "Unknown");
    EXPECT_EQ(pod["READY"], "0/1");
    EXPECT_EQ(pod.row->health, Health::Unknown);
}

TEST(PodRow, C26_e_ContainerCreating) {
    const Decoded pod = decodePod(
        kOneApp,
        R"({"phase":"Pending","containerStatuses":[{"name":"app","state":{"waiting":{"reason":"ContainerCreating"}}}]})");
    EXPECT_EQ(pod["STATUS"], "ContainerCreating");
    EXPECT_EQ(pod.row->health, Health::Progressing);
}

constexpr const char* kTwoInits = R"({"initContainers":[{"name":"i"},{"name":"j"}],"containers":[{"name":"app"}]})";

TEST(PodRow, C26_f_FirstInitContainerNotBegun) {
    const Decoded pod = decodePod(
        kTwoInits,
        R"({"phase":"Pending","initContainerStatuses":[{"name":"i","state":{"waiting":{"reason":"PodInitializing"}}},
            {"name":"j","state":{"waiting":{"reason":"PodInitializing"}}}]})");
    EXPECT_EQ(pod["STATUS"], "Init:0/2");
}

TEST(PodRow, C26_g_SecondInitContainerCrashes) {
    const Decoded pod = decodePod(
        kTwoInits, R"({"phase":"Pending","initContainerStatuses":[{"name":"i","state":{"terminated":{"exitCode":0}}},
            {"name":"j","restartCount":3,"state":{"waiting":{"reason":"CrashLoopBackOff","message":"back-off 40s"}}}]})");
    EXPECT_EQ(pod["STATUS"], "Init:CrashLoopBackOff");
    EXPECT_EQ(pod["RESTARTS"], "3");
    EXPECT_EQ(pod.row->health, Health::Bad);
    EXPECT_EQ(pod.row->trouble, "Init:CrashLoopBackOff: back-off 40s");
}

TEST(PodRow, C26_h_InitContainerEndedWithoutAReason) {
    const auto status = [](const char* terminated) {
        return std::string(R"({"phase":"Pending","initContainerStatuses":[{"name":"i","state":{"terminated":)") +
               terminated + "}}]}";
    };
    EXPECT_EQ(decodePod(kTwoInits, status(R"({"exitCode":3})"))["STATUS"], "Init:ExitCode:3");
    EXPECT_EQ(decodePod(kTwoInits, status(R"({"exitCode":137,"signal":9})"))["STATUS"], "Init:Signal:9");
}

TEST(PodRow, C28_a_CrashLoopWithTheTimeOfItsLastRestart) {
    const Decoded pod = decodePod(
        kOneApp, R"({"phase":"Running","containerStatuses":[{"name":"app","restartCount":7,"ready":false,
            "state":{"waiting":{"reason":"CrashLoopBackOff","message":"back-off 5m0s restarting failed container"}},
            "lastState":{"terminated":{"exitCode":1,"finishedAt":"2024-05-01T11:55:00Z"}}}]})");
    EXPECT_EQ(pod["STATUS"], "CrashLoopBackOff");
    EXPECT_EQ(pod["READY"], "0/1");
    EXPECT_EQ(pod["RESTARTS"], "7 (5m ago)");
    EXPECT_EQ(pod.row->cells[3].number, 7);
    EXPECT_EQ(pod.row->health, Health::Bad);
    EXPECT_THAT(std::string(pod.row->trouble), StartsWith("CrashLoopBackOff: back-off"));
}

TEST(PodRow, C28_b_LowestIndexWins) {
    const Decoded pod = decodePod(
        kTwoApps, R"({"phase":"Running","containerStatuses":[
            {"name":"a","state":{"waiting":{"reason":"ImagePullBackOff"}}},
            {"name":"b","state":{"waiting":{"reason":"CrashLoopBackOff"}}}]})");
    EXPECT_EQ(pod["STATUS"], "ImagePullBackOff");
}

std::string completedBesideRunning(const char* ready) {
    return std::string(R"({"phase":"Running","conditions":[{"type":"Ready","status":")") + ready +
           R"("}],"containerStatuses":[
            {"name":"a","state":{"terminated":{"exitCode":0,"reason":"Completed"}}},
            {"name":"b","ready":true,"state":{"running":{}}}]})";
}

TEST(PodRow, C28_c_CompletedBesideRunningNotReady) {
    const Decoded pod = decodePod(kTwoApps, completedBesideRunning("False"));
    EXPECT_EQ(pod["STATUS"], "NotReady");
    EXPECT_EQ(pod["READY"], "1/2");
    EXPECT_EQ(pod.row->health, Health::Warning);
}

TEST(PodRow, C28_d_CompletedBesideRunningReady) {
    const Decoded pod = decodePod(kTwoApps, completedBesideRunning("True"));
    EXPECT_EQ(pod["STATUS"], "Running");
    EXPECT_EQ(pod["READY"], "1/2");
    EXPECT_EQ(pod.row->health, Health::Ok);
}

TEST(PodRow, C28_e_ExitCodeWithoutAReason) {
    const Decoded pod = decodePod(
        kOneApp,
        R"({"phase":"Running","containerStatuses":[{"name":"app","state":{"terminated":{"exitCode":1,"signal":0}}}]})");
    EXPECT_EQ(pod["STATUS"], "ExitCode:1");
    EXPECT_EQ(pod.row->health, Health::Bad);
}

TEST(PodRow, C28_f_SignalWithoutAReason) {
    const Decoded pod = decodePod(
        kOneApp,
        R"({"phase":"Running","containerStatuses":[{"name":"app","state":{"terminated":{"exitCode":143,"signal":15}}}]})");
    EXPECT_EQ(pod["STATUS"], "Signal:15");
}

TEST(PodRow, C28_g_RunningButNotReady) {
    const Decoded pod = decodePod(
        kOneApp, R"({"phase":"Running","conditions":[{"type":"Ready","status":"False","reason":"ContainersNotReady",
            "message":"containers with unready status: [app]"}],
            "containerStatuses":[{"name":"app","ready":false,"state":{"running":{}}}]})");
    EXPECT_EQ(pod["STATUS"], "Running");
    EXPECT_EQ(pod["READY"], "0/1");
    EXPECT_EQ(pod.row->health, Health::Warning);
    EXPECT_EQ(pod.row->trouble, "ContainersNotReady: containers with unready status: [app]");
}

TEST(PodRow, CompletedContainerDoesNotHideAnotherThatCrashes) {
    const Decoded pod = decodePod(
        kTwoApps, R"({"phase":"Running","containerStatuses":[
            {"name":"a","state":{"terminated":{"exitCode":0,"reason":"Completed"}}},
            {"name":"b","state":{"waiting":{"reason":"CrashLoopBackOff"}}}]})");
    EXPECT_EQ(pod["STATUS"], "Completed"); // as kubectl
    EXPECT_EQ(pod.row->health, Health::Bad);
    EXPECT_EQ(pod.row->trouble, "CrashLoopBackOff");
}

TEST(PodRow, UnschedulableSaysWhy) {
    const Decoded pod = decodePod(
        kOneApp, R"({"phase":"Pending","conditions":[{"type":"PodScheduled","status":"False","reason":"Unschedulable",
            "message":"0/3 nodes are available: 3 Insufficient memory."}]})");
    EXPECT_EQ(pod["STATUS"], "Pending");
    EXPECT_EQ(pod.row->health, Health::Bad);
    EXPECT_EQ(pod.row->trouble, "Unschedulable: 0/3 nodes are available: 3 Insufficient memory.");
}

TEST(PodRow, DeletionIsTerminatingUnlessItHasEndedOrItsNodeIsLost) {
    constexpr const char* deleted = R"(,"deletionTimestamp":"2024-05-01T11:59:00Z")";
    EXPECT_EQ(decodePod(kOneApp, R"({"phase":"Running"})", deleted)["STATUS"], "Terminating");
    EXPECT_EQ(decodePod(kOneApp, R"({"phase":"Running","reason":"NodeLost"})", deleted)["STATUS"], "Unknown");
    EXPECT_EQ(decodePod(kOneApp, R"({"phase":"Succeeded"})", deleted)["STATUS"], "Succeeded");
    EXPECT_TRUE(decodePod(kOneApp, R"({"phase":"Running"})", deleted).row->deleting);
}

TEST(PodRow, WideCellsAndReadinessGates) {
    const Decoded pod = decodePod(
        R"({"nodeName":"node-1","containers":[{"name":"app"}],"readinessGates":[{"conditionType":"x"},{"conditionType":"y"}]})",
        R"({"phase":"Running","podIP":"10.0.0.9","podIPs":[{"ip":"10.0.0.1"},{"ip":"fd00::1"}],"nominatedNodeName":"node-2",
            "conditions":[{"type":"x","status":"True"},{"type":"Ready","status":"True"}],
            "containerStatuses":[{"name":"app","ready":true,"state":{"running":{}}}]})");
    EXPECT_EQ(pod["IP"], "10.0.0.1");
    EXPECT_EQ(pod["NODE"], "node-1");
    EXPECT_EQ(pod["NOMINATED NODE"], "node-2");
    EXPECT_EQ(pod["READINESS GATES"], "1/2");
}

TEST(PodRow, IdentityLabelsOwnerAndProtection) {
    const Decoded pod = decodePod(
        kOneApp, "{}",
        R"(,"resourceVersion":"12","creationTimestamp":"2024-05-01T10:00:00Z","labels":{"app":"web","tier":"front"},
           "annotations":{"alidade.dev/protected":"true","other":"x"},
           "ownerReferences":[{"kind":"Other","name":"o","uid":"u0"},
             {"kind":"ReplicaSet","name":"web-abc","uid":"u9","controller":true}],
           "managedFields":[{"manager":"m","fieldsV1":{"f:spec":{}}}])");
    ASSERT_TRUE(pod.row);
    EXPECT_EQ(pod.row->name, "p");
    EXPECT_EQ(pod.row->ns, "n");
    EXPECT_EQ(pod.row->uid, "u1");
    EXPECT_EQ(pod.row->key, "u1");
    EXPECT_EQ(pod.row->resourceVersion, "12");
    EXPECT_EQ(pod["AGE"], "120m");
    EXPECT_EQ(pod.row->ownerKind, "ReplicaSet");
    EXPECT_EQ(pod.row->ownerName, "web-abc");
    EXPECT_EQ(pod.row->ownerUid, "u9");
    EXPECT_TRUE(pod.row->isProtected);
    ASSERT_EQ(pod.row->labels.size(), 2U);
    EXPECT_EQ(pod.row->labels[1], Label("tier", "front"));
}

class OddPod : public ::testing::TestWithParam<const char*> {};

TEST_P(OddPod, StillHasARowWithWhatCanBeKnown) {
    const Decoded pod = decodeObject(guard::kinds::pods(), GetParam());
    ASSERT_TRUE(pod.row) << GetParam();
    EXPECT_EQ(pod.row->name, "p");
    EXPECT_EQ(pod.row->cells.size(), pod.schema->size());
}

INSTANTIATE_TEST_SUITE_P(
    All, OddPod,
    ::testing::Values(
        R"({"metadata":{"name":"p"}})", R"({"status":null,"spec":null,"metadata":{"name":"p"}})",
        R"({"status":[],"spec":"x","metadata":{"name":"p","labels":[],"annotations":7,"ownerReferences":{}}})",
        R"({"metadata":{"labels":{"a":null,"b":1},"name":"p","uid":5,"creationTimestamp":"yesterday","deletionTimestamp":null}})",
        R"({"metadata":{"name":"p"},"spec":{"containers":null,"initContainers":[null,1,"x",{}]},"status":{"phase":3,"containerStatuses":[null,{"restartCount":"x","state":[]},{"state":{"waiting":null}}],"conditions":[1,{"type":null}]}})",
        R"({"metadata":{"name":"p"},"status":{"containerStatuses":[{"restartCount":1e99,"ready":"yes","state":{"terminated":{"exitCode":null,"finishedAt":7}}}],"podIPs":[{"ip":null}],"podIP":{}}})"));

TEST(PodRow, ObjectsWithoutUidAreNamedByNamespaceAndName) {
    const Decoded pod = decodeObject(guard::kinds::pods(), R"({"metadata":{"name":"p","namespace":"n"}})");
    EXPECT_EQ(pod.row->uid, "");
    EXPECT_EQ(pod.row->key, "/n/p");
}

TEST(PodRow, NamelessObjectIsNoRowAndBrokenTextIsSaid) {
    Decoder decoder(guard::kinds::pods());
    RowPtr row;
    EXPECT_TRUE(decoder.item(PaddedText(R"({"metadata":{}})").padded(), row));
    EXPECT_FALSE(row);
    EXPECT_FALSE(decoder.item(PaddedText(R"({"metadata":{"name":"p",,}})").padded(), row));
    EXPECT_FALSE(decoder.item(PaddedText(R"({"metadata" "x"})").padded(), row));
}

TEST(PodRow, BytesThatAreNotUtf8CostOnlyThemselves) {
    Decoder decoder(guard::kinds::pods());
    RowPtr row;
    ASSERT_TRUE(decoder.item(
        PaddedText("{\"metadata\":{\"name\":\"p\"},\"status\":{\"phase\":\"Failed\",\"reason\":\"caf\xE9\"}}").padded(), row));
    ASSERT_TRUE(row);
    EXPECT_THAT(std::string(row->cells[2].text), HasSubstr("caf\xEF\xBF\xBD"));
}

} // namespace
} // namespace alidade::cluster::test
