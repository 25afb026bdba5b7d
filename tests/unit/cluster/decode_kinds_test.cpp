// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of the kinds other than pods, and of server-side Tables.
#include <gmock/gmock.h>

#include "decode_support.hpp"

namespace alidade::cluster::test {
namespace {

std::string event(const std::string& fields) {
    return R"({"metadata":{"name":"e","namespace":"n","uid":"u","creationTimestamp":"2024-05-01T11:50:00Z"},
        "involvedObject":{"kind":"Pod","name":"web-1","fieldPath":"spec.containers{app}"},"type":"Warning","reason":"BackOff",
        "message":"  Back-off restarting\n","source":{"component":"kubelet","host":"node-1"},)" + fields + "}";
}
constexpr const char* kEventA = R"("firstTimestamp":null,"lastTimestamp":null,"eventTime":"2024-05-01T11:58:00.123456Z")";
constexpr const char* kEventB =
    R"("firstTimestamp":null,"lastTimestamp":null,"eventTime":"2024-05-01T11:58:00.123456Z","series":{"count":12,"lastObservedTime":"2024-05-01T11:59:30.000000Z"})";
constexpr const char* kEventC =
    R"("firstTimestamp":"2024-05-01T11:00:00Z","lastTimestamp":"2024-05-01T11:59:00Z","count":30,"eventTime":null,"series":null)";
constexpr const char* kEventD = R"("firstTimestamp":null,"lastTimestamp":null,"eventTime":null)";

TEST(EventRow, C29_a_EventTimeAlone) {
    const Decoded row = decodeObject(guard::kinds::events(), event(kEventA));
    EXPECT_EQ(row["LAST SEEN"], "119s");
    EXPECT_EQ(row["FIRST SEEN"], "119s");
    EXPECT_EQ(row["COUNT"], "1");
}

TEST(EventRow, C29_b_Series) {
    const Decoded row = decodeObject(guard::kinds::events(), event(kEventB));
    EXPECT_EQ(row["LAST SEEN"], "30s");
    EXPECT_EQ(row["FIRST SEEN"], "119s");
    EXPECT_EQ(row["COUNT"], "12");
}

TEST(EventRow, C29_c_FirstLastAndCount) {
    const Decoded row = decodeObject(guard::kinds::events(), event(kEventC));
    EXPECT_EQ(row["LAST SEEN"], "60s");
    EXPECT_EQ(row["FIRST SEEN"], "60m");
    EXPECT_EQ(row["COUNT"], "30");
}

TEST(EventRow, C29_d_NoTimeAtAllIsUnknownAndNever1970) {
    const Decoded row = decodeObject(guard::kinds::events(), event(kEventD));
    EXPECT_EQ(row["LAST SEEN"], "<unknown>");
    EXPECT_EQ(row.row->cells[0].timeNs, 0);
}

TEST(EventRow, C29_e_NewestFirstOrdersBCAD) {
    std::vector<std::pair<std::int64_t, char>> order;
    for (const auto& [fields, name] : {std::pair{kEventA, 'a'}, {kEventB, 'b'}, {kEventC, 'c'}, {kEventD, 'd'}}) {
        order.emplace_back(-decodeObject(guard::kinds::events(), event(fields)).row->cells[0].timeNs, name);
    }
    std::sort(order.begin(), order.end());
    std::string names;
    for (const auto& [time, name] : order) names += name;
    EXPECT_EQ(names, "bcad");
}

TEST(EventRow, C29_f_BothApisGiveTheSameRow) {
    const guard::KindId modern{"events.k8s.io", "v1", "Event", "events", true};
    const Decoded row = decodeObject(
        modern, R"({"metadata":{"name":"e","namespace":"n","uid":"u"},"regarding":{"kind":"Pod","name":"web-1"},
            "type":"Warning","reason":"BackOff","note":"Back-off","eventTime":"2024-05-01T11:58:00.123456Z",
            "reportingController":"kubelet","reportingInstance":"node-1","deprecatedCount":3,
            "deprecatedLastTimestamp":"2024-05-01T11:59:00Z"})");
    EXPECT_EQ(row.row->key, "u");
    EXPECT_EQ(row["OBJECT"], "pod/web-1");
    EXPECT_EQ(row["MESSAGE"], "Back-off");
    EXPECT_EQ(row["SOURCE"], "kubelet, node-1");
    EXPECT_EQ(row["LAST SEEN"], "60s");
    EXPECT_EQ(row["COUNT"], "3");
}

TEST(EventRow, WordsAsKubectlPrintsThem) {
    const Decoded row = decodeObject(guard::kinds::events(), event(kEventC));
    EXPECT_EQ(row["OBJECT"], "pod/web-1");
    EXPECT_EQ(row["SUBOBJECT"], "spec.containers{app}");
    EXPECT_EQ(row["SOURCE"], "kubelet, node-1");
    EXPECT_EQ(row["MESSAGE"], "Back-off restarting");
    EXPECT_EQ(row.row->health, Health::Warning);
}

Decoded node(const std::string& conditions, const std::string& spec = "{}", const std::string& labels = "{}") {
    return decodeObject(guard::kinds::nodes(), R"({"metadata":{"name":"n1","uid":"u","labels":)" + labels + R"(},"spec":)" + spec +
                                                   R"(,"status":{"nodeInfo":{"kubeletVersion":"v1.31.2"},"conditions":[)" + conditions + "]}}");
}
constexpr const char* kReady = R"({"type":"Ready","status":"True","reason":"KubeletReady"})";

TEST(NodeRow, C31_a_Cordoned) {
    const Decoded row = node(kReady, R"({"unschedulable":true})");
    EXPECT_EQ(row["STATUS"], "Ready,SchedulingDisabled");
    EXPECT_EQ(row.row->health, Health::Warning);
}

TEST(NodeRow, C31_b_KubeletStoppedPosting) {
    const Decoded row = node(
        R"({"type":"Ready","status":"Unknown","reason":"NodeStatusUnknown","message":"Kubelet stopped posting node status."})");
    EXPECT_EQ(row["STATUS"], "NotReady");
    EXPECT_EQ(row.row->health, Health::Bad);
    EXPECT_EQ(row.row->trouble, "NodeStatusUnknown: Kubelet stopped posting node status.");
}

TEST(NodeRow, C31_c_PressureIsVisible) {
    const Decoded row = node(std::string(kReady) + R"(,{"type":"MemoryPressure","status":"True","message":"low"})");
    EXPECT_EQ(row["STATUS"], "Ready");
    EXPECT_EQ(row.row->health, Health::Warning);
    EXPECT_EQ(row.row->trouble, "MemoryPressure: low");
}

TEST(NodeRow, C31_d_NoReadyConditionIsUnknown) {
    const Decoded row = node("");
    EXPECT_EQ(row["STATUS"], "Unknown");
    EXPECT_EQ(row.row->health, Health::Unknown);
}

TEST(NodeRow, C31_e_ReadyListedLast) {
    const Decoded row = node(std::string(R"({"type":"MemoryPressure","status":"False"},{"type":"DiskPressure","status":"False"},
        {"type":"PIDPressure","status":"False"},)") + kReady);
    EXPECT_EQ(row["STATUS"], "Ready");
    EXPECT_EQ(row.row->health, Health::Ok);
}

TEST(NodeRow, C31_f_Roles) {
    EXPECT_EQ(node(kReady)["ROLES"], "<none>");
    EXPECT_EQ(node(kReady, "{}", R"({"node-role.kubernetes.io/control-plane":"","kubernetes.io/role":"worker"})")["ROLES"],
              "control-plane,worker");
}

std::string deployment(const std::string& status, int replicas = 3) {
    return R"({"metadata":{"name":"web","uid":"u","generation":2},"spec":{"replicas":)" + std::to_string(replicas) +
           R"(,"selector":{"matchLabels":{"b":"2","app":"web"},"matchExpressions":[{"key":"t","operator":"In","values":["y","x"]}]},
            "template":{"spec":{"containers":[{"name":"app","image":"web:1"},{"name":"side","image":"s:2"}]}}},"status":)" + status + "}";
}

TEST(DeploymentRow, WordsAsKubectlPrintsThem) {
    const Decoded row = decodeObject(
        guard::kinds::deployments(),
        deployment(R"({"observedGeneration":2,"replicas":3,"updatedReplicas":3,"readyReplicas":3,"availableReplicas":3})"));
    EXPECT_EQ(row["READY"], "3/3");
    EXPECT_EQ(row["UP-TO-DATE"], "3");
    EXPECT_EQ(row["AVAILABLE"], "3");
    EXPECT_EQ(row["CONTAINERS"], "app,side");
    EXPECT_EQ(row["IMAGES"], "web:1,s:2");
    EXPECT_EQ(row["SELECTOR"], "app=web,b=2,t in (x,y)");
    EXPECT_EQ(row.row->health, Health::Ok);
}

TEST(DeploymentRow, StuckRolloutIsBadInItsOwnWords) {
    const Decoded row = decodeObject(
        guard::kinds::deployments(),
        deployment(R"({"observedGeneration":2,"replicas":4,"updatedReplicas":1,"readyReplicas":3,"availableReplicas":3,
            "conditions":[{"type":"Available","status":"True"},{"type":"Progressing","status":"False","reason":"ProgressDeadlineExceeded","message":"ReplicaSet has timed out progressing."}]})"));
    EXPECT_EQ(row.row->health, Health::Bad);
    EXPECT_EQ(row.row->trouble, "ProgressDeadlineExceeded: ReplicaSet has timed out progressing.");
}

TEST(DeploymentRow, RolloutThatWasNotSeenByItsControllerIsUnderWay) {
    const Decoded row = decodeObject(
        guard::kinds::deployments(),
        deployment(R"({"observedGeneration":1,"replicas":3,"updatedReplicas":3,"readyReplicas":3,"availableReplicas":3})"));
    EXPECT_EQ(row.row->health, Health::Progressing);
}

TEST(ReplicaSetRow, QuotaIsItsTrouble) {
    const Decoded row = decodeObject(
        guard::kinds::replicaSets(),
        R"({"metadata":{"name":"web-1","uid":"u"},"spec":{"replicas":2},"status":{"replicas":0,"conditions":[{"type":"ReplicaFailure","status":"True","reason":"FailedCreate","message":"exceeded quota"}]}})");
    EXPECT_EQ(row["DESIRED"], "2");
    EXPECT_EQ(row["CURRENT"], "0");
    EXPECT_EQ(row["READY"], "0");
    EXPECT_EQ(row.row->trouble, "FailedCreate: exceeded quota");
}

Decoded service(const std::string& spec, const std::string& status = "{}") {
    return decodeObject(guard::kinds::services(),
                        R"({"metadata":{"name":"s","uid":"u"},"spec":)" + spec + R"(,"status":)" + status + "}");
}

TEST(ServiceRow, TypesAndAddresses) {
    const Decoded node = service(
        R"({"type":"NodePort","clusterIP":"10.0.0.1","ports":[{"port":80,"nodePort":30080,"protocol":"TCP"},{"port":53,"protocol":"UDP"}],"selector":{"b":"2","a":"1"}})");
    EXPECT_EQ(node["TYPE"], "NodePort");
    EXPECT_EQ(node["CLUSTER-IP"], "10.0.0.1");
    EXPECT_EQ(node["EXTERNAL-IP"], "<none>");
    EXPECT_EQ(node["PORT(S)"], "80:30080/TCP,53/UDP");
    EXPECT_EQ(node["SELECTOR"], "a=1,b=2");
    const Decoded waiting = service(R"({"type":"LoadBalancer","clusterIPs":["10.0.0.2","fd00::2"],"clusterIP":"10.0.0.2"})");
    EXPECT_EQ(waiting["EXTERNAL-IP"], "<pending>");
    EXPECT_EQ(waiting.row->health, Health::Progressing);
    const Decoded balanced = service(R"({"type":"LoadBalancer","externalIPs":["192.0.2.9"]})",
                                     R"({"loadBalancer":{"ingress":[{"hostname":"z.example.com"},{"ip":"192.0.2.1"}]}})");
    EXPECT_EQ(balanced["EXTERNAL-IP"], "192.0.2.1,z.example.com,192.0.2.9");
    const Decoded external = service(R"({"type":"ExternalName","externalName":"db.example.com"})");
    EXPECT_EQ(external["CLUSTER-IP"], "<none>");
    EXPECT_EQ(external["EXTERNAL-IP"], "db.example.com");
    EXPECT_EQ(external["PORT(S)"], "<none>");
}

TEST(EndpointSliceRow, FirstThreeAndHowManyMore) {
    const Decoded row = decodeObject(
        guard::kinds::endpointSlices(),
        R"({"metadata":{"name":"s-1","uid":"u"},"addressType":"IPv4","ports":[{"port":8080},{"name":"x"},{}],
            "endpoints":[{"addresses":["10.0.0.1","10.0.0.2"]},{"addresses":["10.0.0.3"]},{"addresses":["10.0.0.4","10.0.0.5"]}]})");
    EXPECT_EQ(row["PORTS"], "8080,x,*");
    EXPECT_EQ(row["ENDPOINTS"], "10.0.0.1,10.0.0.2,10.0.0.3 + 2 more...");
    const Decoded empty =
        decodeObject(guard::KindId{"discovery.k8s.io", "v1beta1", "EndpointSlice", "endpointslices", true},
                     R"({"metadata":{"name":"s-2"},"addressType":"IPv4","ports":null,"endpoints":null})");
    EXPECT_EQ(empty["PORTS"], "<unset>");
    EXPECT_EQ(empty["ENDPOINTS"], "<unset>");
}

TEST(ConfigMapRow, CountsBothKindsOfData) {
    const Decoded row = decodeObject(
        guard::kinds::configMaps(),
        R"({"metadata":{"name":"c"},"data":{"a":"1","b":"2"},"binaryData":{"c":"AA=="}})");
    EXPECT_EQ(row["DATA"], "3");
}

TEST(NamespaceRow, SaysWhatHoldsUpItsDeletion) {
    const Decoded row = decodeObject(
        guard::kinds::namespaces(),
        R"({"metadata":{"name":"n"},"status":{"phase":"Terminating","conditions":[{"type":"NamespaceDeletionContentFailure","status":"True","reason":"ContentDeletionFailed","message":"unexpected items"}]}})");
    EXPECT_EQ(row["STATUS"], "Terminating");
    EXPECT_EQ(row.row->trouble, "ContentDeletionFailed: unexpected items");
}

TEST(SecretRow, IsAskedForAsATableOnly) {
    const Decoder decoder(guard::kinds::secrets());
    EXPECT_EQ(decoder.accept(), "application/json;as=Table;v=v1;g=meta.k8s.io");
    EXPECT_EQ(decoder.query(), "includeObject=Metadata");
}

TEST(TableRow, CellsOfEveryTypeAndTimesThatGoOn) {
    Decoder decoder(guard::KindId{"batch", "v1", "CronJob", "cronjobs", true});
    decoder.setNow(kNow);
    decoder.columns(
        R"([{"name":"Name","type":"string","priority":0,"description":"d"},{"name":"Suspend","type":"boolean"},{"name":"Active","type":"integer"},
            {"name":"Last Schedule","type":"string"},{"name":"Capacity","type":"string"},{"name":"Age","type":"string"},{"name":"Images","type":"string","priority":1}])");
    Decoded row;
    row.schema = decoder.schema();
    ASSERT_TRUE(decoder.item(
        PaddedText(R"({"cells":["job",false,2,"5m10s","10Gi","9d",null],"object":{"metadata":{"name":"job","uid":"u","creationTimestamp":"2024-05-01T10:00:00Z"}}})").padded(),
        row.row));
    EXPECT_EQ(row["NAME"], "job");
    EXPECT_EQ(row["SUSPEND"], "false");
    EXPECT_EQ(row["ACTIVE"], "2");
    EXPECT_EQ(row.row->cells[2].number, 2);
    EXPECT_EQ(row["LAST SCHEDULE"], "5m10s");
    EXPECT_EQ(row.row->cells[3].timeNs, kNow.time_since_epoch().count() - 310'000'000'000);
    EXPECT_EQ(row.row->cells[4].number, 10.0 * 1024 * 1024 * 1024);
    EXPECT_EQ(row["AGE"], "120m"); // by the creation time, not by the word of the server
    EXPECT_EQ(row["IMAGES"], "");
    EXPECT_TRUE((*row.schema)[6].wide);
}

TEST(TableRow, FewerOrMoreCellsThanColumnsStillMakeARow) {
    Decoder decoder(guard::KindId{"x.example.com", "v1", "X", "xs", true});
    decoder.columns(R"([{"name":"Name","type":"string"},{"name":"B","type":"string"}])");
    RowPtr row;
    for (const char* cells : {"[]", R"(["a"])", R"(["a","b","c","d"])", "null", "7", R"([{"deep":[1]},["x"]])"}) {
        ASSERT_TRUE(decoder.item(PaddedText(std::string(R"({"cells":)") + cells + R"(,"object":{"metadata":{"name":"a"}}})").padded(), row));
        ASSERT_TRUE(row) << cells;
        EXPECT_EQ(row->cells.size(), 2U) << cells;
    }
}

TEST(TableRow, ReadyCellTellsHealth) {
    Decoder decoder(guard::kinds::statefulSets());
    decoder.columns(R"([{"name":"Name","type":"string"},{"name":"Ready","type":"string"}])");
    RowPtr row;
    ASSERT_TRUE(decoder.item(PaddedText(R"({"cells":["db","2/3"],"object":{"metadata":{"name":"db"}}})").padded(), row));
    EXPECT_EQ(row->health, Health::Progressing);
    ASSERT_TRUE(decoder.item(PaddedText(R"({"cells":["db","3/3"],"object":{"metadata":{"name":"db"}}})").padded(), row));
    EXPECT_EQ(row->health, Health::Ok);
}

} // namespace
} // namespace alidade::cluster::test
