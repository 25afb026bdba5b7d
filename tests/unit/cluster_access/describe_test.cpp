// SPDX-License-Identifier: GPL-3.0-or-later
#include "describe/describe.hpp"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

namespace alidade::cluster {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;
namespace kinds = guard::kinds;

const guard::WallTime kNow = *guard::parseRfc3339("2024-05-01T12:00:00Z");

json pod() {
    return json::parse(R"({
"metadata": {"name": "web-1", "namespace": "shop", "creationTimestamp": "2024-05-01T11:00:00Z",
  "labels": {"app": "web", "tier": "front"},
  "annotations": {"note": "hello", "kubectl.kubernetes.io/last-applied-configuration": "{\"secret\":1}"},
  "ownerReferences": [{"kind": "ReplicaSet", "name": "web-abc", "controller": true}]},
"spec": {"nodeName": "node-1", "serviceAccountName": "web",
  "containers": [{"name": "app", "image": "shop/web:2", "command": ["run", "--fast"],
    "ports": [{"containerPort": 8080, "protocol": "TCP"}],
    "resources": {"limits": {"memory": "64Mi"}, "requests": {"cpu": "100m"}},
    "readinessProbe": {"httpGet": {"path": "/ready", "port": 8080}, "periodSeconds": 5},
    "env": [{"name": "MODE", "value": "fast"}, {"name": "PASSWORD", "valueFrom": {"secretKeyRef": {"name": "db", "key": "pw"}}}],
    "volumeMounts": [{"name": "conf", "mountPath": "/etc/web", "readOnly": true}]}],
  "volumes": [{"name": "conf", "configMap": {"name": "web-conf"}}],
  "tolerations": [{"key": "node.kubernetes.io/not-ready", "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 300}]},
"status": {"phase": "Running", "hostIP": "10.0.0.1", "podIP": "10.1.0.5", "qosClass": "Burstable",
  "conditions": [{"type": "Ready", "status": "False", "reason": "ContainersNotReady", "message": "containers with unready status: [app]"}],
  "containerStatuses": [{"name": "app", "ready": false, "restartCount": 7, "containerID": "containerd://1", "imageID": "sha256:2",
    "state": {"waiting": {"reason": "CrashLoopBackOff", "message": "back-off 5m0s"}},
    "lastState": {"terminated": {"exitCode": 137, "reason": "OOMKilled", "startedAt": "2024-05-01T11:50:00Z", "finishedAt": "2024-05-01T11:51:00Z"}}}]}})");
}

TEST(Describe, a_pod_as_kubectl_tells_it) {
    DescribeExtras extras;
    EventRecord event;
    event.type = "Warning";
    event.reason = "BackOff";
    event.message = "Back-off restarting failed container";
    event.source = "kubelet, node-1";
    event.count = 12;
    event.first = kNow - std::chrono::minutes(30);
    event.last = kNow - std::chrono::seconds(20);
    extras.events.push_back(event);
    const std::string text = describeText(kinds::pods(), pod(), extras, kNow);
    for (const char* part : {"Name:               web-1\n",
                             "Namespace:          shop\n",
                             "Labels:             app=web\n                    tier=front\n",
                             "Annotations:        note: hello\n",
                             "Node:               node-1/10.0.0.1",
                             "Controlled By:",
                             "ReplicaSet/web-abc",
                             "Containers:\n  app:\n",
                             "Image:         shop/web:2",
                             "Reason:   CrashLoopBackOff",
                             "Last State:",
                             "Exit Code:  137",
                             "Reason:     OOMKilled",
                             "Restart Count:  7",
                             "memory:  64Mi",
                             "cpu:  100m",
                             "http-get http://:8080/ready delay=0s timeout=1s period=5s #success=1 #failure=3",
                             "<set to the key 'pw' of secret 'db'>  Optional: false",
                             "/etc/web from conf (ro)",
                             "ConfigMap (a volume populated by a ConfigMap)",
                             "node.kubernetes.io/not-ready:NoExecute op=Exists for 300s",
                             "QoS Class:",
                             "Burstable",
                             "ContainersNotReady",
                             "--fast",
                             "20s (x12 over 30m)",
                             "Back-off restarting failed container"}) {
        EXPECT_THAT(text, HasSubstr(part));
    }
    EXPECT_THAT(text, Not(HasSubstr("last-applied-configuration")));
}

TEST(Describe, a_secret_shows_sizes_alone) {
    const json secret = {
        {"metadata", {{"name", "db"}}}, {"type", "Opaque"}, {"data", {{"password", "aHVudGVyMg=="}, {"odd", 5}}}};
    const std::string text = describeText(kinds::secrets(), secret, {}, kNow);
    EXPECT_THAT(text, HasSubstr("password:  7 bytes"));
    EXPECT_THAT(text, Not(HasSubstr("aHVudGVyMg")));
    EXPECT_THAT(text, Not(HasSubstr("hunter2")));
}

TEST(Describe, the_other_kinds_have_what_one_looks_for) {
    DescribeExtras extras;
    extras.replicaSets = {
        json::parse(
            R"({"metadata":{"name":"web-new","annotations":{"deployment.kubernetes.io/revision":"2"}},"spec":{"replicas":1},"status":{"replicas":1}})"),
        json::parse(
            R"({"metadata":{"name":"web-old","annotations":{"deployment.kubernetes.io/revision":"1"}},"spec":{"replicas":3},"status":{"replicas":3}})")};
    const std::string deployment =
        describeText(kinds::deployments(),
                     json::parse(R"({"metadata":{"name":"web","annotations":{"deployment.kubernetes.io/revision":"2"}},
"spec":{"replicas":3,"selector":{"matchLabels":{"app":"web"}},"strategy":{"type":"RollingUpdate","rollingUpdate":{"maxSurge":"25%","maxUnavailable":1}},
"template":{"metadata":{"labels":{"app":"web"}},"spec":{"containers":[{"name":"c","image":"i:2"}]}}},
"status":{"replicas":4,"updatedReplicas":1,"availableReplicas":3,"unavailableReplicas":1,"conditions":[{"type":"Progressing","status":"True","reason":"ReplicaSetUpdated"}]}})"),
                     extras, kNow);
    EXPECT_THAT(deployment, HasSubstr("3 desired | 1 updated | 4 total | 3 available | 1 unavailable"));
    EXPECT_THAT(deployment, HasSubstr("1 max unavailable, 25% max surge"));
    EXPECT_THAT(deployment, HasSubstr("OldReplicaSets:"));
    EXPECT_THAT(deployment, HasSubstr("web-old (3/3 replicas created)"));
    EXPECT_THAT(deployment, HasSubstr("web-new (1/1 replicas created)"));
    EXPECT_THAT(deployment, HasSubstr("Selector:"));

    DescribeExtras served;
    served.endpoints = json::parse(
        R"({"subsets":[{"addresses":[{"ip":"10.1.0.5"},{"ip":"fd00::1"}],"ports":[{"name":"http","port":8080}]}]})");
    const std::string service = describeText(
        kinds::services(),
        json::parse(R"({"metadata":{"name":"web","namespace":"shop"},"spec":{"type":"ClusterIP","clusterIP":"10.96.0.1",
"selector":{"app":"web"},"ports":[{"name":"http","port":80,"targetPort":"web","protocol":"TCP"}]}})"),
        served, kNow);
    EXPECT_THAT(service, HasSubstr("10.1.0.5:8080,[fd00::1]:8080"));
    EXPECT_THAT(service, HasSubstr("http  80/TCP"));

    const std::string map = describeText(
        kinds::configMaps(), json{{"metadata", {{"name", "m"}}}, {"data", {{"a.conf", "x=1\ny=2\n"}}}}, {}, kNow);
    EXPECT_THAT(map, HasSubstr("a.conf:\n----\nx=1\ny=2\n"));

    DescribeExtras onNode;
    onNode.pods = {pod()};
    const std::string node = describeText(
        kinds::nodes(),
        json::parse(R"({"metadata":{"name":"node-1"},"spec":{"taints":[{"key":"k","value":"v","effect":"NoSchedule"}]},
"status":{"allocatable":{"cpu":"2","memory":"128Mi"},"addresses":[{"type":"InternalIP","address":"10.0.0.1"}],"nodeInfo":{"kubeletVersion":"v1.20.2"}}})"),
        onNode, kNow);
    EXPECT_THAT(node, HasSubstr("k=v:NoSchedule"));
    EXPECT_THAT(node, HasSubstr("100m (5%)"));
    EXPECT_THAT(node, HasSubstr("64Mi (50%)"));
    EXPECT_THAT(node, HasSubstr("Kubelet Version:  v1.20.2"));

    const KindId claims{"", "v1", "PersistentVolumeClaim", "persistentvolumeclaims", true};
    const std::string any = describeText(
        claims,
        json::parse(
            R"({"metadata":{"name":"data"},"spec":{"storageClassName":"fast","accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"1Gi"}}}})"),
        {}, kNow);
    EXPECT_THAT(any, HasSubstr("Storage Class Name:  fast"));
    EXPECT_THAT(any, HasSubstr("- ReadWriteOnce"));
    EXPECT_THAT(any, HasSubstr("Events:  <none>"));
}

TEST(Describe, what_could_not_be_read_is_said_and_odd_objects_do_no_harm) {
    DescribeExtras extras;
    extras.gaps.push_back({"events", guard::Coverage::Forbidden, "events is forbidden"});
    EXPECT_THAT(describeText(kinds::pods(), pod(), extras, kNow),
                HasSubstr("Not read: events (forbidden): events is forbidden"));
    json deep = 1;
    for (int i = 0; i < 500; ++i) {
        deep = json{{"a", std::move(deep)}};
    }
    const std::vector<json> odd{
        json(),
        json(3),
        json::array(),
        json{{"metadata", 3}, {"spec", json::array({1})}, {"status", "x"}},
        json{{"spec",
              {{"containers", {{"a", 1}}}, {"ports", {1, "x"}}, {"template", 7}, {"volumes", {1, {{"name", 2}}}}}},
             {"status", {{"conditions", {1, nullptr}}}}},
        std::move(deep)};
    for (const json& object : odd) {
        for (const KindId* kind :
             {&kinds::pods(), &kinds::deployments(), &kinds::replicaSets(), &kinds::services(), &kinds::configMaps(),
              &kinds::secrets(), &kinds::nodes(), &kinds::namespaces(), &kinds::events(), &kinds::serviceAccounts()}) {
            DescribeExtras all;
            all.pods = all.replicaSets = all.quotas = all.limits = odd;
            all.endpoints = object;
            EXPECT_FALSE(describeText(*kind, object, all, kNow).empty());
        }
    }
}

} // namespace
} // namespace alidade::cluster
