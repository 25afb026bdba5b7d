// SPDX-License-Identifier: GPL-3.0-or-later
#include "shop.hpp"

namespace alidade::test {
namespace {

std::int64_t ago(const guard::Clock& clock, std::chrono::seconds by) {
    return (clock.wall() - by).time_since_epoch().count();
}

cluster::DeltaBatch live(cluster::DeltaBatch batch, const guard::Clock& clock) {
    batch.freshness.state = cluster::Freshness::State::Live;
    batch.freshness.lastEvent = clock.wall();
    batch.freshness.lastSync = clock.wall();
    return batch;
}

} // namespace

cluster::Schema deploymentSchema() {
    using cluster::ColumnType;
    static const cluster::Schema schema =
        std::make_shared<const std::vector<cluster::Column>>(std::vector<cluster::Column>{
            {"NAME", ColumnType::Text, false, ""},
            {"READY", ColumnType::Text, false, ""},
            {"UP-TO-DATE", ColumnType::Number, false, ""},
            {"AVAILABLE", ColumnType::Number, false, ""},
            {"AGE", ColumnType::Age, false, ""},
        });
    return schema;
}

cluster::RowPtr deploymentRow(const std::string& name, const std::string& uid, int ready, int want,
                              cluster::Health health, const std::string& trouble) {
    cluster::RowBuilder b;
    b.ns("shop").name(name).uid(uid).health(health).trouble(trouble).created(1'700'000'000'000'000'000);
    b.nameCell().cell(std::to_string(ready) + '/' + std::to_string(want)).numberCell(want).numberCell(ready);
    b.ageCell(1'700'000'000'000'000'000);
    return b.build();
}

std::shared_ptr<FakeSession> makeShop(const std::shared_ptr<const guard::Clock>& clock) {
    using cluster::Health;
    auto session = std::make_shared<FakeSession>();
    std::vector<cluster::RowPtr> pods;
    const auto add = [&](const std::string& name, const std::string& uid, const std::string& ready,
                         const std::string& status, int restarts, std::chrono::seconds age, Health health,
                         const std::string& trouble) {
        pods.push_back(makeRow({"shop", name, uid, ready, status, restarts, ago(*clock, age), health, trouble, {}}));
    };
    using namespace std::chrono_literals;
    add("cart-6f7d8c9b5-4kx2p", "p1", "1/1", "Running", 0, 90h, Health::Ok, "");
    add("catalog-5c9d7b6f4-9hj8w", "p2", "1/1", "Running", 0, 75h, Health::Ok, "");
    add("checkout-7d9f8b6c5-x2kl9", "p3", "1/1", "Running", 0, 40h, Health::Ok, "");
    add("checkout-7d9f8b6c5-q8w7n", "p4", "1/1", "Running", 0, 40h, Health::Ok, "");
    add("checkout-58c4f9d7b-m3t6z", "p5", "0/1", "ImagePullBackOff", 0, 4min, Health::Bad,
        "ImagePullBackOff: Back-off pulling image \"registry.example/checkout:v2.4.1-hotfix\"");
    add("noisy-neighbour-84d6c-jj2vx", "p6", "1/1", "Running", 14, 30h, Health::Warning,
        "Restarting: 14 restarts, last 2m ago");
    add("payments-6b8d5f7c9-w4r5t", "p7", "1/1", "Running", 0, 200h, Health::Ok, "");
    add("prod-db-0", "p8", "1/1", "Running", 0, 400h, Health::Ok, "");
    add("migrate-28412-zz81k", "p9", "0/1", "Completed", 0, 5h, Health::Done, "");
    session->setRows(guard::kinds::pods(), live(reset(pods), *clock));
    session->setRows(
        guard::kinds::deployments(),
        live(reset({deploymentRow("cart", "d1", 1, 1, Health::Ok, ""),
                    deploymentRow("catalog", "d2", 1, 1, Health::Ok, ""),
                    deploymentRow(
                        "checkout", "d3", 2, 3, Health::Bad,
                        "ProgressDeadlineExceeded: ReplicaSet \"checkout-58c4f9d7b\" has timed out progressing."),
                    deploymentRow("payments", "d4", 1, 1, Health::Ok, "")},
                   deploymentSchema()),
             *clock));
    std::vector<cluster::RowPtr> spaces;
    for (const auto* name : {"default", "kube-system", "shop", "tools"}) {
        cluster::RowBuilder b;
        b.name(name).uid(std::string("ns-") + name).nameCell();
        spaces.push_back(b.build());
    }
    session->setRows(
        guard::kinds::namespaces(),
        live(reset(spaces, std::make_shared<const std::vector<cluster::Column>>(
                               std::vector<cluster::Column>{{"NAME", cluster::ColumnType::Text, false, ""}})),
             *clock));
    session->setObject("p5", nlohmann::json::parse(R"({
      "apiVersion": "v1", "kind": "Pod",
      "metadata": {"name": "checkout-58c4f9d7b-m3t6z", "namespace": "shop", "uid": "p5", "creationTimestamp": "2024-05-01T11:56:00Z",
        "labels": {"app": "checkout", "pod-template-hash": "58c4f9d7b"},
        "ownerReferences": [{"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "checkout-58c4f9d7b", "uid": "r1", "controller": true}]},
      "spec": {"nodeName": "node-2", "serviceAccountName": "default",
        "containers": [{"name": "app", "image": "registry.example/checkout:v2.4.1-hotfix", "ports": [{"containerPort": 8080}],
           "env": [{"name": "CART_URL", "value": "http://cart:8080"}]}]},
      "status": {"phase": "Pending", "podIP": "10.1.4.17",
        "conditions": [{"type": "PodScheduled", "status": "True", "lastTransitionTime": "2024-05-01T11:56:00Z"},
          {"type": "Initialized", "status": "True"},
          {"type": "ContainersReady", "status": "False", "reason": "ContainersNotReady", "message": "containers with unready status: [app]"},
          {"type": "Ready", "status": "False", "reason": "ContainersNotReady", "message": "containers with unready status: [app]"}],
        "containerStatuses": [{"name": "app", "ready": false, "restartCount": 0, "image": "registry.example/checkout:v2.4.1-hotfix",
          "state": {"waiting": {"reason": "ImagePullBackOff", "message": "Back-off pulling image \"registry.example/checkout:v2.4.1-hotfix\""}}}]}})"));
    session->setObject("d3", nlohmann::json::parse(R"({
      "apiVersion": "apps/v1", "kind": "Deployment",
      "metadata": {"name": "checkout", "namespace": "shop", "uid": "d3", "annotations": {"deployment.kubernetes.io/revision": "5"}},
      "spec": {"replicas": 3, "strategy": {"type": "RollingUpdate"}, "selector": {"matchLabels": {"app": "checkout"}},
        "template": {"spec": {"containers": [{"name": "app", "image": "registry.example/checkout:v2.4.1-hotfix"}]}}},
      "status": {"readyReplicas": 2, "conditions": [
        {"type": "Progressing", "status": "False", "reason": "ProgressDeadlineExceeded", "message": "ReplicaSet \"checkout-58c4f9d7b\" has timed out progressing."},
        {"type": "Available", "status": "True", "reason": "MinimumReplicasAvailable"}]}})"));
    std::string log;
    for (int i = 0; i < 60; ++i) {
        const std::string second = (i < 10 ? "0" : "") + std::to_string(i);
        log += "2024-05-01T12:00:" + second + ".123456789Z " +
               (i == 41 ? "\x1b[31mERROR\x1b[0m upstream cart: connection refused" : "GET /healthz 200 0.4ms") + "\n";
    }
    session->setLog("checkout-58c4f9d7b-m3t6z/app", log);
    return session;
}

Shop::Shop() {
    cluster::ContextEntry demo;
    demo.name = "demo";
    demo.server = session->session.server;
    demo.user = "admin";
    demo.current = true;
    sessions->entries = {demo};
    sessions->sessions["demo"] = session;
    services.sessions = sessions;
    services.clock = clock;
    services.principal = "tester";
}

void Shop::open() {
    window = std::make_unique<ui::MainWindow>(services, ui::WindowOptions{});
    window->show();
    settle();
}

} // namespace alidade::test
