// SPDX-License-Identifier: GPL-3.0-or-later
// The cluster around the shop: three nodes, system workloads, storage, monitoring; and generated pods for benchmarks.
#include <algorithm>
#include <array>
#include <cstdio>

#include "scenarios/stage.hpp"

namespace alidade::simulator {

namespace {

Json condition(const char* type, const char* status, const char* reason, const char* message, const std::string& time) {
    return {{"type", type},       {"status", status},          {"reason", reason},
            {"message", message}, {"lastHeartbeatTime", time}, {"lastTransitionTime", time}};
}

Json node(const std::string& name, const std::string& ip, bool controlPlane, const std::string& zone,
          const std::string& time) {
    Json labels = {{"kubernetes.io/hostname", name},
                   {"kubernetes.io/os", "linux"},
                   {"kubernetes.io/arch", "amd64"},
                   {"topology.kubernetes.io/region", "north"},
                   {"topology.kubernetes.io/zone", zone}};
    if (controlPlane)
        labels["node-role.kubernetes.io/control-plane"] = "";
    const Json resources = {
        {"cpu", "4"}, {"memory", "8145524Ki"}, {"pods", "110"}, {"ephemeral-storage", "61255492Ki"}};
    return {{"apiVersion", "v1"},
            {"kind", "Node"},
            {"metadata", {{"name", name}, {"labels", labels}}},
            {"spec", {{"podCIDR", "10.244." + std::to_string(hash64(name) % 200U) + ".0/24"}}},
            {"status",
             {{"capacity", resources},
              {"allocatable", resources},
              {"addresses",
               Json::array({{{"type", "InternalIP"}, {"address", ip}}, {{"type", "Hostname"}, {"address", name}}})},
              {"conditions",
               Json::array({condition("MemoryPressure", "False", "KubeletHasSufficientMemory",
                                      "kubelet has sufficient memory available", time),
                            condition("DiskPressure", "False", "KubeletHasNoDiskPressure",
                                      "kubelet has no disk pressure", time),
                            condition("PIDPressure", "False", "KubeletHasSufficientPID",
                                      "kubelet has sufficient PID available", time),
                            condition("Ready", "True", "KubeletReady", "kubelet is posting ready status", time)})},
              {"nodeInfo",
               {{"kubeletVersion", "v1.32.4"},
                {"osImage", "Debian GNU/Linux 12 (bookworm)"},
                {"kernelVersion", "6.1.0-18-amd64"},
                {"architecture", "amd64"},
                {"operatingSystem", "linux"},
                {"containerRuntimeVersion", "containerd://1.7.24"}}}}}};
}

Image quiet(std::vector<std::string> steady, Millis every = Millis(15'000)) {
    Image image;
    image.behaviour = [steady = std::move(steady), every](const Json&, const Json&) {
        Behaviour b;
        b.opening = {{Millis(30), "starting"}, {Millis(120), "ready"}};
        b.steady = steady;
        b.every = every;
        return b;
    };
    return image;
}

} // namespace

void buildCluster(Stage& stage) {
    const auto time = stamp(stage.world().now());
    for (const auto* ns : {"default", "kube-system", "kube-public", "kube-node-lease", "monitoring", "shop"})
        stage.apply({{"apiVersion", "v1"}, {"kind", "Namespace"}, {"metadata", {{"name", ns}}}});
    stage.apply(node("ember-1", "10.20.0.11", true, "north-a", time));
    stage.apply(node("ember-2", "10.20.0.12", false, "north-b", time));
    stage.apply(node("ember-3", "10.20.0.13", false, "north-c", time));
    stage.apply({{"apiVersion", "storage.k8s.io/v1"},
                 {"kind", "StorageClass"},
                 {"metadata",
                  {{"name", "standard"}, {"annotations", {{"storageclass.kubernetes.io/is-default-class", "true"}}}}},
                 {"provisioner", "disk.csi.example.com"},
                 {"allowVolumeExpansion", true}});
    stage.apply({{"apiVersion", "v1"},
                 {"kind", "Service"},
                 {"metadata",
                  {{"name", "kubernetes"},
                   {"namespace", "default"},
                   {"labels", {{"component", "apiserver"}, {"provider", "kubernetes"}}}}},
                 {"spec",
                  {{"clusterIP", "10.96.0.1"},
                   {"ports", Json::array({{{"name", "https"}, {"port", 443}, {"targetPort", 6443}}})}}}});
    stage.images().add("registry.k8s.io/coredns/coredns:v1.11.3",
                       quiet({"[INFO] 10.244.0.{ms}:{id} - A IN checkout.shop.svc.cluster.local. NOERROR 0.000{ms}s"}));
    stage.images().add("registry.k8s.io/metrics-server/metrics-server:v0.7.2",
                       quiet({"I0501 scrape ok nodes=3 pods={ms}"}));
    stage.images().add("registry.k8s.io/kube-proxy:v1.32.4",
                       quiet({"I0501 proxier: syncProxyRules complete elapsed={ms}ms"}, Millis(30'000)));
    stage.images().add(
        "quay.example.com/prometheus/prometheus:v2.54.1",
        quiet({"ts=now level=info component=tsdb msg=\"Head GC completed\" duration={ms}ms"}, Millis(60'000)));
    stage.images().add("quay.example.com/grafana/grafana:11.2.0",
                       quiet({"logger=context level=info msg=\"Request Completed\" status=200 duration={ms}ms"}));
    stage.images().add(
        "quay.example.com/prometheus/node-exporter:v1.8.2",
        quiet({"level=debug msg=\"collector succeeded\" name=cpu duration_seconds=0.000{ms}"}, Millis(60'000)));

    WorkloadSpec dns{.ns = "kube-system",
                     .name = "coredns",
                     .image = "registry.k8s.io/coredns/coredns:v1.11.3",
                     .replicas = 2,
                     .port = 9153,
                     .memory = "70Mi",
                     .memoryLimit = "170Mi"};
    dns.labels = {{"k8s-app", "kube-dns"}};
    stage.apply(workload("Deployment", dns));
    stage.apply({{"apiVersion", "v1"},
                 {"kind", "Service"},
                 {"metadata", {{"name", "kube-dns"}, {"namespace", "kube-system"}}},
                 {"spec",
                  {{"clusterIP", "10.96.0.10"},
                   {"selector", {{"k8s-app", "kube-dns"}}},
                   {"ports", Json::array({{{"name", "dns"}, {"port", 53}, {"protocol", "UDP"}},
                                          {{"name", "dns-tcp"}, {"port", 53}},
                                          {{"name", "metrics"}, {"port", 9153}}})}}}});
    stage.apply(workload("Deployment", {.ns = "kube-system",
                                        .name = "metrics-server",
                                        .image = "registry.k8s.io/metrics-server/metrics-server:v0.7.2",
                                        .port = 10250,
                                        .memory = "200Mi"}));
    auto proxy = workload("DaemonSet", {.ns = "kube-system",
                                        .name = "kube-proxy",
                                        .image = "registry.k8s.io/kube-proxy:v1.32.4",
                                        .port = 0,
                                        .cpu = "20m",
                                        .memory = "32Mi"});
    proxy["spec"]["template"]["spec"]["hostNetwork"] = true;
    proxy["spec"]["template"]["spec"]["tolerations"] = Json::array({{{"operator", "Exists"}}});
    stage.apply(proxy);

    auto prometheus = workload("StatefulSet", {.ns = "monitoring",
                                               .name = "prometheus",
                                               .image = "quay.example.com/prometheus/prometheus:v2.54.1",
                                               .port = 9090,
                                               .cpu = "200m",
                                               .memory = "512Mi",
                                               .memoryLimit = "1Gi"});
    prometheus["spec"]["volumeClaimTemplates"] = Json::array(
        {{{"metadata", {{"name", "data"}}},
          {"spec", {{"accessModes", {"ReadWriteOnce"}}, {"resources", {{"requests", {{"storage", "20Gi"}}}}}}}}});
    stage.apply(prometheus);
    stage.apply(service({.ns = "monitoring", .name = "prometheus", .port = 9090}, 9090));
    WorkloadSpec grafana{.ns = "monitoring",
                         .name = "grafana",
                         .image = "quay.example.com/grafana/grafana:11.2.0",
                         .port = 3000,
                         .probePath = "/api/health"};
    stage.apply(workload("Deployment", grafana));
    stage.apply(service(grafana));
    stage.apply(workload("DaemonSet", {.ns = "monitoring",
                                       .name = "node-exporter",
                                       .image = "quay.example.com/prometheus/node-exporter:v1.8.2",
                                       .port = 9100,
                                       .cpu = "20m",
                                       .memory = "24Mi",
                                       .memoryLimit = "64Mi"}));
    for (const auto* name : {"cluster-admin", "view", "edit"})
        stage.apply(
            {{"apiVersion", "rbac.authorization.k8s.io/v1"},
             {"kind", "ClusterRole"},
             {"metadata", {{"name", name}}},
             {"rules",
              Json::array({{{"apiGroups", {"*"}},
                            {"resources", {"*"}},
                            {"verbs", std::string(name) == "view" ? Json{"get", "list", "watch"} : Json{"*"}}}})}});
    stage.apply(
        {{"apiVersion", "rbac.authorization.k8s.io/v1"},
         {"kind", "ClusterRoleBinding"},
         {"metadata", {{"name", "cluster-admin"}}},
         {"roleRef", {{"apiGroup", "rbac.authorization.k8s.io"}, {"kind", "ClusterRole"}, {"name", "cluster-admin"}}},
         {"subjects",
          Json::array({{{"kind", "Group"}, {"apiGroup", "rbac.authorization.k8s.io"}, {"name", "system:masters"}}})}});
}

void buildBulk(Stage& stage, int pods, int padding) {
    if (pods <= 0)
        return;
    auto& world = stage.world();
    constexpr int spaces = 20;
    for (int i = 0; i < std::min(spaces, pods); ++i)
        stage.apply(
            {{"apiVersion", "v1"}, {"kind", "Namespace"}, {"metadata", {{"name", "bulk-" + std::to_string(100 + i)}}}});
    const auto time = stamp(world.now());
    // managedFields as a rollout leaves them: most of a pod's bytes.
    Json fields = Json::object();
    for (const auto* name : {"command", "env", "image", "imagePullPolicy", "livenessProbe", "ports", "readinessProbe",
                             "resources", "terminationMessagePath", "terminationMessagePolicy", "volumeMounts"}) {
        Json& field = fields["f:spec"]["f:containers"]["k:{\"name\":\"app\"}"]["f:" + std::string(name)];
        field = {{".", Json::object()},
                 {"f:httpGet", {{"f:path", Json::object()}, {"f:port", Json::object()}, {"f:scheme", Json::object()}}},
                 {"f:periodSeconds", Json::object()}};
    }
    for (const auto* name : {"ContainersReady", "Initialized", "Ready", "PodReadyToStartContainers"})
        fields["f:status"]["f:conditions"]["k:{\"type\":\"" + std::string(name) + "\"}"] = {
            {".", Json::object()},
            {"f:lastProbeTime", Json::object()},
            {"f:lastTransitionTime", Json::object()},
            {"f:status", Json::object()},
            {"f:type", Json::object()}};
    const std::string managed = dump(Json::array({{{"manager", "kube-controller-manager"},
                                                   {"operation", "Update"},
                                                   {"apiVersion", "v1"},
                                                   {"time", time},
                                                   {"fieldsType", "FieldsV1"},
                                                   {"fieldsV1", fields}},
                                                  {{"manager", "kubelet"},
                                                   {"operation", "Update"},
                                                   {"apiVersion", "v1"},
                                                   {"subresource", "status"},
                                                   {"time", time},
                                                   {"fieldsType", "FieldsV1"},
                                                   {"fieldsV1", fields}}}));
    const std::string pad(padding > 0 ? static_cast<std::size_t>(padding) : 0, 'x');
    const std::string spec =
        R"("spec":{"containers":[{"name":"app","image":"registry.shop.example/worker:1.8.2","command":["/app/worker","--queue","orders"],"env":[{"name":"QUEUE","value":"orders"},{"name":"POD_NAME","valueFrom":{"fieldRef":{"apiVersion":"v1","fieldPath":"metadata.name"}}}],"ports":[{"name":"http","containerPort":8080,"protocol":"TCP"}],"resources":{"requests":{"cpu":"10m","memory":"16Mi"},"limits":{"memory":"64Mi"}},"imagePullPolicy":"IfNotPresent","terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File"}],"restartPolicy":"Always","terminationGracePeriodSeconds":30,"dnsPolicy":"ClusterFirst","serviceAccountName":"default","schedulerName":"default-scheduler","tolerations":[{"key":"node.kubernetes.io/not-ready","operator":"Exists","effect":"NoExecute","tolerationSeconds":300},{"key":"node.kubernetes.io/unreachable","operator":"Exists","effect":"NoExecute","tolerationSeconds":300}],"nodeName":")";
    const std::string conditions =
        R"("conditions":[{"type":"Initialized","status":"True","lastProbeTime":null,"lastTransitionTime":")" + time +
        R"("},{"type":"Ready","status":"True","lastProbeTime":null,"lastTransitionTime":")" + time +
        R"("},{"type":"ContainersReady","status":"True","lastProbeTime":null,"lastTransitionTime":")" + time +
        R"("},{"type":"PodScheduled","status":"True","lastProbeTime":null,"lastTransitionTime":")" + time + R"("}])";
    for (int i = 0; i < pods; ++i) {
        std::array<char, 64> name{};
        std::snprintf(name.data(), name.size(), "worker-7d9f8b6c5d-%05x", static_cast<unsigned>(i));
        const auto ns = "bulk-" + std::to_string(100 + i % spaces);
        world.writeBulk(world.kind("pods"), ns, name.data(), [&](std::uint64_t rv, const std::string& uid) {
            const auto nodeName = "ember-" + std::to_string(1 + i % 3);
            const auto ip = "10.245." + std::to_string(i / 250 % 250) + "." + std::to_string(1 + i % 250);
            std::string out;
            out.reserve(managed.size() + spec.size() + 2048 + pad.size());
            out.append(R"({"metadata":{"name":")")
                .append(name.data())
                .append(R"(","generateName":"worker-7d9f8b6c5d-","namespace":")")
                .append(ns)
                .append(R"(","uid":")")
                .append(uid);
            out.append(R"(","resourceVersion":")")
                .append(std::to_string(rv))
                .append(R"(","creationTimestamp":")")
                .append(time);
            out.append(R"(","labels":{"app":"worker","pod-template-hash":"7d9f8b6c5d"})");
            if (!pad.empty())
                out.append(R"(,"annotations":{"padding":")").append(pad).append("\"}");
            out.append(R"(,"managedFields":)").append(managed).append("},");
            out.append(spec).append(nodeName).append(R"("},"status":{"phase":"Running",)").append(conditions);
            out.append(R"(,"hostIP":"10.20.0.11","podIP":")")
                .append(ip)
                .append(R"(","podIPs":[{"ip":")")
                .append(ip)
                .append(R"("}],"startTime":")")
                .append(time);
            out.append(R"(","containerStatuses":[{"name":"app","state":{"running":{"startedAt":")").append(time);
            out.append(
                R"("}},"lastState":{},"ready":true,"restartCount":0,"image":"registry.shop.example/worker:1.8.2","imageID":"registry.shop.example/worker@sha256:2b1a7f0c4be09e0d7f6a0b1d2f4c9a6b8e3d5c7f1a2b3c4d5e6f708192a3b4c5","containerID":"containerd://)");
            out.append(uid).append(R"(","started":true}],"qosClass":"Burstable"}})");
            return out;
        });
    }
}

} // namespace alidade::simulator
