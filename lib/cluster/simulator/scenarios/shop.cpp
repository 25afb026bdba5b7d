// SPDX-License-Identifier: GPL-3.0-or-later
// The shop: what runs in it, what it logs, and its past.
#include <cstdlib>

#include "scenarios/stage.hpp"

namespace alidade::simulator {

namespace {

constexpr auto registry = "registry.shop.example/";

using Lines = std::vector<std::string>;

std::string probePath(const Json& container) { return str(container, {"readinessProbe", "httpGet", "path"}, "/ready"); }

/// A web service of ours: serves /ready, needs some memory, logs requests.
Image webService(const std::string& program, Lines opening, Lines steady, std::int64_t needsMebibytes = 96) {
    Image image;
    image.programs = {"/app/" + program};
    image.behaviour = [opening = std::move(opening), steady = std::move(steady), needsMebibytes](const Json& container,
                                                                                                 const Json&) {
        Behaviour b;
        Millis when{40};
        for (const auto& line : opening) {
            b.opening.push_back({when, line});
            when += Millis(60);
        }
        b.steady = steady;
        b.every = Millis(1500);
        b.readyAfter = Millis(2500);
        const auto limit = str(container, {"resources", "limits", "memory"});
        if (limit.ends_with("Mi") && std::strtoll(limit.c_str(), nullptr, 10) < needsMebibytes) {
            b.runsFor = Millis(7000);
            b.exitCode = 137;
            b.endReason = "OOMKilled";
            b.closing = {"level=warn msg=\"heap growing\" used_mib=" + std::to_string(needsMebibytes - 4)};
        }
        if (probePath(container) != "/ready")
            b.readinessFailure = "HTTP probe failed with statuscode: 404";
        return b;
    };
    return image;
}

void addImages(Stage& stage, bool noise) {
    auto& images = stage.images();
    // Made up here, so that no password stands in the program or its sources.
    const auto password = stage.world().randomSuffix(6) + "-" + stage.world().randomSuffix(8);
    const auto dsn = "postgres://app:" + password + "@prod-db:5432/shop?sslmode=disable";
    const Lines checkoutLines{"level=info msg=\"order placed\" order={id} items=3 duration_ms={ms}",
                              "level=info msg=\"POST /checkout\" status=200 duration_ms={ms}",
                              "level=info msg=\"GET /cart\" status=200 duration_ms={ms}",
                              "level=info msg=\"payment authorised\" order={id} duration_ms={ms}",
                              "level=info msg=\"POST /checkout\" status=200 duration_ms={ms}",
                              "level=debug msg=\"db pool reconnect\" dsn=" + dsn,
                              "level=info msg=\"stock reserved\" order={id}",
                              "level=info msg=\"POST /checkout\" status=200 duration_ms={ms}"};
    for (const auto* version : {"2.3.0", "2.3.1", "2.4.0", "2.4.1"})
        images.add(
            std::string(registry) + "checkout:" + version,
            webService("checkout",
                       {std::string("level=info msg=\"checkout starting\" version=") + version,
                        "level=debug msg=\"opening database\" dsn=" + dsn, "level=info msg=\"listening\" port=8080"},
                       checkoutLines));
    for (const auto* version : {"1.9.0", "1.9.1"})
        images.add(std::string(registry) + "cart:" + version,
                   webService("cart", {"level=info msg=\"cart starting\"", "level=info msg=\"listening\" port=8080"},
                              {"level=info msg=\"GET /cart\" status=200 duration_ms={ms}",
                               "level=info msg=\"item added\" cart={id} duration_ms={ms}"}));
    for (const auto* version : {"3.1.0", "3.2.0"})
        images.add(std::string(registry) + "frontend:" + version,
                   webService("frontend", {"frontend starting", "listening on :8080"},
                              {"GET / 200 {ms}ms", "GET /product/{id} 200 {ms}ms", "GET /assets/app.css 304 {ms}ms",
                               "POST /checkout 200 {ms}ms"}));
    for (const auto* version : {"1.4.2", "1.5.0"})
        images.add(std::string(registry) + "catalog:" + version,
                   webService("catalog", {"catalog starting", "index loaded products=48211"},
                              {"search q=lamp hits={ms} took={ms}ms", "product {id} served"}, 128));
    for (const auto* version : {"5.0.3", "5.1.0"})
        images.add(std::string(registry) + "payments:" + version,
                   webService("payments", {"payments starting", "acquirer connected"},
                              {"authorised {id} in {ms}ms", "captured {id} in {ms}ms"}));
    Image recommender = webService("recommender", {"recommender starting", "model loaded size_mib=212"},
                                   {"scored {id} in {ms}ms", "cache hit ratio 0.{ms}"});
    if (noise) {
        const auto calm = recommender.behaviour;
        recommender.behaviour = [calm](const Json& container, const Json& pod) {
            auto b = calm(container, pod);
            b.runsFor = Millis(660'000);
            b.exitCode = 1;
            b.closing = {"ERROR embedding cache refresh timed out after 30s", "fatal: giving up, exiting"};
            return b;
        };
    }
    images.add(std::string(registry) + "recommender:0.7.3", std::move(recommender));
    Image database;
    database.sizeBytes = 151'830'528;
    database.behaviour = [](const Json&, const Json&) {
        Behaviour b;
        b.opening = {{Millis(50), "LOG:  starting PostgreSQL 15.8"},
                     {Millis(300), "LOG:  database system is ready to accept connections"}};
        b.steady = {"LOG:  checkpoint starting: time", "LOG:  checkpoint complete: wrote {ms} buffers"};
        b.every = Millis(60'000);
        return b;
    };
    images.add("postgres:15.8", std::move(database));
}

WorkloadSpec checkoutSpec(const std::string& version) {
    WorkloadSpec spec{.name = "checkout",
                      .image = std::string(registry) + "checkout:" + version,
                      .replicas = 3,
                      .cpu = "150m",
                      .memory = "192Mi",
                      .memoryLimit = "384Mi",
                      .probePath = "/ready"};
    spec.labels = {{"tier", "backend"}};
    spec.envFrom = Json::array({{{"configMapRef", {{"name", "checkout-config"}}}}});
    spec.env =
        Json::array({{{"name", "DATABASE_PASSWORD"},
                      {"valueFrom", {{"secretKeyRef", {{"name", "prod-db-credentials"}, {"key", "password"}}}}}}});
    return spec;
}

Json checkout(const std::string& version, const std::string& cause) {
    auto doc = workload("Deployment", checkoutSpec(version));
    doc["metadata"]["annotations"]["kubernetes.io/change-cause"] = cause;
    doc["spec"]["progressDeadlineSeconds"] = 60;
    doc["spec"]["strategy"] = {{"type", "RollingUpdate"}, {"rollingUpdate", {{"maxUnavailable", 1}, {"maxSurge", 1}}}};
    return doc;
}

void configuration(Stage& stage) {
    const auto secret = [&](const char* name, const char* key) {
        stage.apply({{"apiVersion", "v1"},
                     {"kind", "Secret"},
                     {"metadata", {{"name", name}, {"namespace", "shop"}}},
                     {"type", "Opaque"},
                     {"data", {{key, encodeBase64(stage.world().randomSuffix(20))}, {"user", encodeBase64("app")}}}});
    };
    secret("prod-db-credentials", "password");
    secret("payments-acquirer", "api-key");
    const auto config = [&](const char* name, const Json& data) {
        stage.apply({{"apiVersion", "v1"},
                     {"kind", "ConfigMap"},
                     {"metadata", {{"name", name}, {"namespace", "shop"}}},
                     {"data", data}});
    };
    config("checkout-config", {{"LOG_LEVEL", "debug"},
                               {"DATABASE_HOST", "prod-db"},
                               {"PAYMENTS_URL", "http://payments"},
                               {"CART_URL", "http://cart"}});
    config("cart-config", {{"SESSION_TTL", "1800"}});
    config("frontend-config", {{"nginx.conf", "upstream checkout { server checkout:80; }\n"}});
    config("feature-flags", {{"flags.json", "{\"newCheckout\":false}"}});
    stage.apply({{"apiVersion", "v1"},
                 {"kind", "PersistentVolumeClaim"},
                 {"metadata", {{"name", "prod-db-data"}, {"namespace", "shop"}}},
                 {"spec", {{"accessModes", {"ReadWriteOnce"}}, {"resources", {{"requests", {{"storage", "50Gi"}}}}}}}});
}

} // namespace

void buildShop(Stage& stage, bool noise) {
    using namespace std::chrono_literals;
    addImages(stage, noise);
    configuration(stage);
    stage.pass(1s);
    WorkloadSpec db{.name = "prod-db",
                    .image = "postgres:15.8",
                    .replicas = 1,
                    .port = 5432,
                    .cpu = "500m",
                    .memory = "1Gi",
                    .memoryLimit = "2Gi"};
    db.annotations = {{"alidade.dev/protected", "true"}};
    db.labels = {{"tier", "data"}};
    db.volumes = Json::array({{{"name", "data"}, {"persistentVolumeClaim", {{"claimName", "prod-db-data"}}}}});
    db.mounts = Json::array({{{"name", "data"}, {"mountPath", "/var/lib/postgresql/data"}}});
    db.env = Json::array({{{"name", "POSTGRES_PASSWORD"},
                           {"valueFrom", {{"secretKeyRef", {{"name", "prod-db-credentials"}, {"key", "password"}}}}}}});
    auto database = workload("Deployment", db);
    database["spec"]["strategy"] = {{"type", "Recreate"}};
    stage.apply(database);
    stage.apply(service(db, 5432));

    WorkloadSpec payments{
        .name = "payments", .image = std::string(registry) + "payments:5.0.3", .replicas = 2, .probePath = "/ready"};
    payments.annotations = {{"alidade.dev/protected", "true"}, {"kubernetes.io/change-cause", "release 5.0.3"}};
    payments.labels = {{"tier", "backend"}};
    payments.env =
        Json::array({{{"name", "ACQUIRER_KEY"},
                      {"valueFrom", {{"secretKeyRef", {{"name", "payments-acquirer"}, {"key", "api-key"}}}}}}});
    auto paying = workload("Deployment", payments);
    paying["spec"]["progressDeadlineSeconds"] = 60;
    paying["spec"]["strategy"] = {{"type", "RollingUpdate"},
                                  {"rollingUpdate", {{"maxUnavailable", 1}, {"maxSurge", 1}}}};
    stage.apply(paying);
    stage.apply(service(payments));

    WorkloadSpec cart{
        .name = "cart", .image = std::string(registry) + "cart:1.9.0", .replicas = 2, .probePath = "/ready"};
    cart.labels = {{"tier", "backend"}};
    cart.envFrom = Json::array({{{"configMapRef", {{"name", "cart-config"}}}}});
    stage.apply(workload("Deployment", cart));
    stage.apply(service(cart));
    WorkloadSpec catalog{.name = "catalog",
                         .image = std::string(registry) + "catalog:1.4.2",
                         .replicas = 2,
                         .memory = "160Mi",
                         .probePath = "/ready",
                         .command = {"/app/catalog"}};
    catalog.labels = {{"tier", "backend"}};
    stage.apply(workload("Deployment", catalog));
    stage.apply(service(catalog));
    WorkloadSpec frontend{
        .name = "frontend", .image = std::string(registry) + "frontend:3.1.0", .replicas = 2, .probePath = "/ready"};
    frontend.labels = {{"tier", "web"}};
    frontend.volumes = Json::array({{{"name", "config"}, {"configMap", {{"name", "frontend-config"}}}}});
    frontend.mounts = Json::array({{{"name", "config"}, {"mountPath", "/etc/frontend"}}});
    stage.apply(workload("Deployment", frontend));
    stage.apply(service(frontend));
    stage.apply(checkout("2.3.0", "release 2.3.0: new basket view"));
    stage.apply(service(checkoutSpec("2.3.0")));
    stage.apply(
        {{"apiVersion", "networking.k8s.io/v1"},
         {"kind", "Ingress"},
         {"metadata", {{"name", "shop"}, {"namespace", "shop"}}},
         {"spec",
          {{"ingressClassName", "nginx"},
           {"rules",
            Json::array(
                {{{"host", "shop.example.com"},
                  {"http",
                   {{"paths",
                     Json::array(
                         {{{"path", "/"},
                           {"pathType", "Prefix"},
                           {"backend", {{"service", {{"name", "frontend"}, {"port", {{"name", "http"}}}}}}}}})}}}}})}}},
         {"status", {{"loadBalancer", {{"ingress", Json::array({{{"ip", "203.0.113.10"}}})}}}}}});
    stage.apply({{"apiVersion", "policy/v1"},
                 {"kind", "PodDisruptionBudget"},
                 {"metadata", {{"name", "checkout"}, {"namespace", "shop"}}},
                 {"spec", {{"minAvailable", 1}, {"selector", {{"matchLabels", {{"app", "checkout"}}}}}}}});
    stage.apply(
        {{"apiVersion", "autoscaling/v2"},
         {"kind", "HorizontalPodAutoscaler"},
         {"metadata", {{"name", "frontend"}, {"namespace", "shop"}}},
         {"spec",
          {{"scaleTargetRef", {{"apiVersion", "apps/v1"}, {"kind", "Deployment"}, {"name", "frontend"}}},
           {"minReplicas", 2},
           {"maxReplicas", 6},
           {"metrics",
            Json::array({{{"type", "Resource"},
                          {"resource",
                           {{"name", "cpu"}, {"target", {{"type", "Utilization"}, {"averageUtilization", 70}}}}}}})}}},
         {"status",
          {{"currentReplicas", 2},
           {"desiredReplicas", 2},
           {"currentMetrics",
            Json::array(
                {{{"type", "Resource"},
                  {"resource",
                   {{"name", "cpu"}, {"current", {{"averageUtilization", 34}, {"averageValue", "34m"}}}}}}})}}}});
    stage.pass(24h);
    stage.apply(checkout("2.3.1", "release 2.3.1: fix rounding of totals"));
    stage.pass(70h);
    stage.apply(checkout("2.4.0", "release 2.4.0: gift cards"));
    stage.pass(25h);
    stage.apply(checkout("2.4.1", "release 2.4.1: gift card limits"));
    stage.pass(26h);
    WorkloadSpec recommender{.name = "recommender",
                             .image = std::string(registry) + "recommender:0.7.3",
                             .replicas = 1,
                             .cpu = "200m",
                             .memory = "256Mi",
                             .memoryLimit = "512Mi",
                             .probePath = "/ready"};
    recommender.labels = {{"tier", "batch"}};
    stage.apply(workload("Deployment", recommender));
    stage.apply(service(recommender));
    stage.pass(noise ? 175min : 180min);
}

namespace {

std::string imageOf(const char* name, const char* version) { return std::string(registry) + name + ":" + version; }

void roll(Stage& stage, const char* name, const std::string& cause,
          const std::function<void(Json& container, Json& podSpec)>& edit) {
    stage.change("deployments", "shop", name, [&](Json& doc) {
        object(object(doc, "metadata"), "annotations")["kubernetes.io/change-cause"] = cause;
        Json& podSpec = doc["spec"]["template"]["spec"];
        edit(podSpec["containers"][0], podSpec);
    });
}

} // namespace

const std::vector<Scenario>& allScenarios() {
    static const std::vector<Scenario> list{
        {{"checkout-bad-image", "Checkout rolled to an image that does not exist",
          "A release of checkout names an image that no registry has. The rollout is stuck and one replica short.",
          "shop"},
         true,
         [](Stage& s) {
             roll(s, "checkout", "release 2.5.1: express checkout",
                  [](Json& c, Json&) { c["image"] = imageOf("checkout", "2.5.1"); });
         }},
        {{"payments-bad-image", "Payments, a protected service, rolled to an image that does not exist",
          "The same fault on a Deployment that is protected: it may be named, never touched by a run.", "shop"},
         true,
         [](Stage& s) {
             roll(s, "payments", "release 5.2.0: faster capture",
                  [](Json& c, Json&) { c["image"] = imageOf("payments", "5.2.0"); });
         }},
        {{"healthy", "Nothing is wrong", "Every workload is as it should be.", "shop"}, false, [](Stage&) {}},
        {{"crash-loop-bad-command", "Catalog started with a command that is not in its image",
          "A typo in the command of catalog's container: it never starts.", "shop"},
         false,
         [](Stage& s) {
             roll(s, "catalog", "set explicit command",
                  [](Json& c, Json&) { c["command"] = Json::array({"/app/catalogue"}); });
         }},
        {{"missing-configmap", "Cart reads a ConfigMap that is not there",
          "The new revision of cart takes its environment from a ConfigMap that nobody created.", "shop"},
         false,
         [](Stage& s) {
             roll(s, "cart", "release 1.9.1", [](Json& c, Json&) {
                 c["image"] = imageOf("cart", "1.9.1");
                 c["envFrom"] = Json::array({{{"configMapRef", {{"name", "cart-config-v2"}}}}});
             });
         }},
        {{"oom", "Catalog is killed for using too much memory", "Its memory limit was lowered below what it needs.",
          "shop"},
         false,
         [](Stage& s) {
             roll(s, "catalog", "lower memory limit", [](Json& c, Json&) {
                 c["resources"] = {{"requests", {{"cpu", "100m"}, {"memory", "64Mi"}}},
                                   {"limits", {{"memory", "64Mi"}}}};
             });
         }},
        {{"failing-probe", "Frontend's readiness probe asks for a path that is not there",
          "The new pods run, and never become ready.", "shop"},
         false,
         [](Stage& s) {
             roll(s, "frontend", "release 3.2.0", [](Json& c, Json&) {
                 c["image"] = imageOf("frontend", "3.2.0");
                 c["readinessProbe"]["httpGet"]["path"] = "/healthz";
             });
         }},
        {{"unschedulable", "Catalog asks for more CPU than any node has", "The new pod stays Pending.", "shop"},
         false,
         [](Stage& s) {
             roll(s, "catalog", "raise CPU request", [](Json& c, Json&) { c["resources"]["requests"]["cpu"] = "16"; });
         }},
        {{"selector-mismatch", "Service cart selects no pod",
          "Its selector was changed; the pods are healthy and get no traffic.", "shop"},
         false,
         [](Stage& s) {
             s.change("services", "shop", "cart", [](Json& doc) { doc["spec"]["selector"] = {{"app", "carts"}}; });
         }},
        {{"stuck-quota", "A quota stops catalog's rollout",
          "The namespace has as many pods as its quota allows; the new ReplicaSet cannot create one.", "shop"},
         false,
         [](Stage& s) {
             const auto count = s.world().list(s.world().kind("pods"), "shop").size();
             s.apply({{"apiVersion", "v1"},
                      {"kind", "ResourceQuota"},
                      {"metadata", {{"name", "shop-pods"}, {"namespace", "shop"}}},
                      {"spec", {{"hard", {{"pods", std::to_string(count)}}}}}});
             roll(s, "catalog", "release 1.5.0", [](Json& c, Json&) { c["image"] = imageOf("catalog", "1.5.0"); });
         }},
    };
    return list;
}

std::vector<ScenarioInfo> scenarios() {
    std::vector<ScenarioInfo> out;
    for (const auto& scenario : allScenarios())
        out.push_back(scenario.info);
    return out;
}

} // namespace alidade::simulator
