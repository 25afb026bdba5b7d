// SPDX-License-Identifier: GPL-3.0-or-later
#include "scenarios/stage.hpp"

namespace alidade::simulator {

void Stage::apply(const Json& wanted) {
    auto& world = registry_.world();
    const auto apiVersion = str(at(wanted, "apiVersion"));
    const auto slash = apiVersion.find('/');
    const auto* kind =
        world.kinds().findKind(slash == std::string::npos ? "" : apiVersion.substr(0, slash), str(at(wanted, "kind")));
    if (kind == nullptr)
        return;
    const auto ns = str(wanted, {"metadata", "namespace"}, kind->namespaced ? "default" : "");
    Actor actor{"kubectl-client-side-apply", apiVersion, false};
    const auto status = at(wanted, "status");
    if (const auto old = world.find(*kind, ns, str(wanted, {"metadata", "name"}))) {
        Json merged = old->doc();
        merged.merge_patch(wanted);
        (void)registry_.update(old, std::move(merged), "", actor);
    } else {
        (void)registry_.create(*kind, ns, wanted, actor);
    }
    if (!status.is_null())
        registry_.amend(*kind, ns, str(wanted, {"metadata", "name"}),
                        [&](Json& doc) { doc["status"].merge_patch(status); });
}

void Stage::change(std::string_view resource, std::string_view ns, std::string_view name,
                   const std::function<void(Json&)>& change) {
    const auto& kind = registry_.world().kind(resource);
    const auto old = registry_.world().find(kind, ns, name);
    if (!old)
        return;
    Json doc = old->doc();
    change(doc);
    (void)registry_.update(old, std::move(doc), "", Actor{"ci-deployer", kind.apiVersion(), false});
}

Json workload(const std::string& kind, const WorkloadSpec& spec) {
    Json labels = {{"app", spec.name}};
    labels.update(spec.labels);
    Json container = {
        {"name", spec.name},
        {"image", spec.image},
        {"resources",
         {{"requests", {{"cpu", spec.cpu}, {"memory", spec.memory}}}, {"limits", {{"memory", spec.memoryLimit}}}}}};
    if (spec.port > 0)
        container["ports"] = Json::array({{{"name", "http"}, {"containerPort", spec.port}}});
    if (!spec.command.empty())
        container["command"] = spec.command;
    if (!spec.env.empty())
        container["env"] = spec.env;
    if (!spec.envFrom.empty())
        container["envFrom"] = spec.envFrom;
    if (!spec.mounts.empty())
        container["volumeMounts"] = spec.mounts;
    if (!spec.probePath.empty())
        container["readinessProbe"] = {{"httpGet", {{"path", spec.probePath}, {"port", "http"}}}, {"periodSeconds", 5}};
    Json pod = {{"containers", Json::array({container})}};
    if (!spec.volumes.empty())
        pod["volumes"] = spec.volumes;
    if (!spec.account.empty())
        pod["serviceAccountName"] = spec.account;
    Json out = {{"apiVersion", "apps/v1"},
                {"kind", kind},
                {"metadata", {{"name", spec.name}, {"namespace", spec.ns}, {"labels", labels}}},
                {"spec",
                 {{"selector", {{"matchLabels", {{"app", spec.name}}}}},
                  {"template", {{"metadata", {{"labels", labels}}}, {"spec", pod}}}}}};
    if (!spec.annotations.empty())
        out["metadata"]["annotations"] = spec.annotations;
    if (kind != "DaemonSet")
        out["spec"]["replicas"] = spec.replicas;
    if (kind == "StatefulSet")
        out["spec"]["serviceName"] = spec.name;
    return out;
}

Json service(const WorkloadSpec& spec, int port) {
    return {{"apiVersion", "v1"},
            {"kind", "Service"},
            {"metadata", {{"name", spec.name}, {"namespace", spec.ns}, {"labels", {{"app", spec.name}}}}},
            {"spec",
             {{"selector", {{"app", spec.name}}},
              {"ports", Json::array({{{"name", "http"}, {"port", port}, {"targetPort", spec.port}}})}}}};
}

} // namespace alidade::simulator
