// SPDX-License-Identifier: GPL-3.0-or-later
#include "facts_health.hpp"

#include "alidade/cluster_model/json_read.hpp"

namespace alidade::cluster {
namespace {

using nlohmann::json;

void podHealth(const json& object, FactSet& out) {
    const std::string phase = read::text(object, {"status", "phase"});
    out.status = phase;
    std::size_t containers = 0;
    std::size_t ready = 0;
    bool bad = false;
    for (const std::string_view list : {"initContainerStatuses", "containerStatuses"})
        read::each(read::path(object, {"status", list}), [&](const json& status, std::size_t) {
            if (list == "containerStatuses") {
                ++containers;
                if (read::flag(status, "ready"))
                    ++ready;
            }
            const std::string waiting = read::text(status, {"state", "waiting", "reason"});
            if (!waiting.empty() && waiting != "ContainerCreating" && waiting != "PodInitializing") {
                out.status = waiting;
                bad = true;
            }
        });
    if (read::path(object, {"metadata", "deletionTimestamp"}) != nullptr) {
        out.status = "Terminating";
        out.health = Health::Progressing;
    } else if (bad || phase == "Failed") {
        out.health = Health::Bad;
    } else if (phase == "Succeeded") {
        out.health = Health::Done;
    } else if (phase == "Running") {
        out.health = containers > 0 && ready == containers ? Health::Ok : Health::Warning;
    } else if (phase == "Pending") {
        out.health = Health::Progressing;
        read::each(read::path(object, {"status", "conditions"}), [&](const json& condition, std::size_t) {
            if (read::text(condition, "type") == "PodScheduled" && read::text(condition, "status") == "False") {
                out.health = Health::Bad;
                out.status = read::text(condition, "reason");
            }
        });
    }
}

void ratio(int desired, int ready, FactSet& out) {
    out.status = std::to_string(ready) + "/" + std::to_string(desired);
    if (ready >= desired)
        out.health = Health::Ok;
    else
        out.health = ready == 0 ? Health::Bad : Health::Warning;
}

} // namespace

void factHealth(const guard::KindId& kind, const json& object, FactSet& out) {
    const json* status = read::member(object, "status");
    if (kind == guard::kinds::pods())
        return podHealth(object, out);
    if (status == nullptr)
        return;
    if (kind.group == "apps" && kind.resource == "daemonsets")
        return ratio(read::number(*status, "desiredNumberScheduled"), read::number(*status, "numberReady"), out);
    if (kind.group == "apps" &&
        (kind.resource == "deployments" || kind.resource == "replicasets" || kind.resource == "statefulsets")) {
        const json* spec = read::member(object, "spec");
        return ratio(spec == nullptr ? 1 : read::number(*spec, "replicas", 1), read::number(*status, "readyReplicas"),
                     out);
    }
    if (kind == guard::kinds::nodes())
        read::each(*status, "conditions", [&](const json& condition, std::size_t) {
            if (read::text(condition, "type") != "Ready")
                return;
            const bool ready = read::text(condition, "status") == "True";
            out.health = ready ? Health::Ok : Health::Bad;
            out.status = ready ? "Ready" : "NotReady";
        });
    if (kind == guard::kinds::persistentVolumeClaims()) {
        out.status = read::text(*status, "phase");
        if (out.status == "Bound")
            out.health = Health::Ok;
        if (out.status == "Lost")
            out.health = Health::Bad;
    }
}

} // namespace alidade::cluster
