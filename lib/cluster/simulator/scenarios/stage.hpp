// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What scenarios are written with: objects applied as people apply them, and time that passes.
#include <functional>
#include <string>
#include <vector>

#include "alidade/simulator/simulator.hpp"
#include "kubelet/behaviour.hpp"
#include "world/registry.hpp"

namespace alidade::simulator {

class Stage {
public:
    Stage(Registry& registry, ImageBook& images) : registry_(registry), images_(images) {}
    /// Creates the object, or updates the one of that name by merging.
    void apply(const Json& object);
    /// Changes an object that is there.
    void change(std::string_view resource, std::string_view ns, std::string_view name,
                const std::function<void(Json&)>& change);
    void pass(Millis time) { registry_.world().clock().advanceTo(registry_.world().now() + time); }
    [[nodiscard]] ImageBook& images() noexcept { return images_; }
    [[nodiscard]] World& world() noexcept { return registry_.world(); }

private:
    Registry& registry_;
    ImageBook& images_;
};

struct Scenario {
    ScenarioInfo info;
    bool noise = false; ///< the restless neighbour is there
    std::function<void(Stage&)> incident;
};
[[nodiscard]] const std::vector<Scenario>& allScenarios();

/// Nodes, system namespaces, storage, monitoring.
void buildCluster(Stage& stage);
/// The shop, healthy, with a past of some days. Ends about `leadIn` before now.
void buildShop(Stage& stage, bool noise);
/// Generated pods for benchmarks, about 5.6 kB each when `padding` is 0.
void buildBulk(Stage& stage, int pods, int padding);

struct WorkloadSpec {
    std::string ns = "shop";
    std::string name = {};
    std::string image = {};
    int replicas = 1;
    int port = 8080;
    std::string cpu = "100m", memory = "128Mi", memoryLimit = "256Mi";
    std::string probePath = {}; ///< of the readiness probe; empty: none
    std::vector<std::string> command = {};
    Json env = Json::array();
    Json envFrom = Json::array();
    Json volumes = Json::array();
    Json mounts = Json::array();
    Json labels = Json::object();
    Json annotations = Json::object();
    std::string account = {};
};
/// apps/v1 Deployment, StatefulSet or DaemonSet.
[[nodiscard]] Json workload(const std::string& kind, const WorkloadSpec& spec);
[[nodiscard]] Json service(const WorkloadSpec& spec, int port = 80);

} // namespace alidade::simulator
