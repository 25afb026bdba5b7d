// SPDX-License-Identifier: GPL-3.0-or-later
#include "loop/heal_watch.hpp"

#include <algorithm>

#include "alidade/cluster_model/json_read.hpp"
#include "gather/objects.hpp"

namespace alidade::agent {
namespace {

using nlohmann::json;
namespace kinds = guard::kinds;
namespace read = cluster::read;

constexpr std::size_t podLimit = 2000;

bool scalable(const guard::KindId& kind) {
    return kind == kinds::deployments() || kind == kinds::statefulSets() || kind == kinds::daemonSets() ||
           kind == kinds::replicaSets();
}

std::string selectorOf(const json& workload) {
    std::string out;
    for (const auto& [key, value] : read::pairs(read::path(workload, {"spec", "selector", "matchLabels"})))
        out += (out.empty() ? "" : ",") + key + "=" + value;
    return out;
}

} // namespace

double readyRatio(const guard::KindId& kind, const json& workload) {
    const json none = json::object();
    const json* found = read::member(workload, "status");
    const json& status = found == nullptr ? none : *found;
    if (kind == kinds::daemonSets()) {
        const int desired = read::number(status, "desiredNumberScheduled");
        const int good = std::min(read::number(status, "numberReady"), read::number(status, "updatedNumberScheduled"));
        return desired <= 0 ? 1.0 : std::clamp(static_cast<double>(good) / desired, 0.0, 1.0);
    }
    const json* spec = read::member(workload, "spec");
    const int desired = spec == nullptr ? 1 : read::number(*spec, "replicas", 1);
    if (desired <= 0)
        return read::number(status, "replicas") == 0 ? 1.0 : 0.0;
    const int ready = read::number(status, "readyReplicas");
    int old = 0;
    if (kind == kinds::deployments())
        old = std::max(0, read::number(status, "replicas") - read::number(status, "updatedReplicas"));
    if (kind == kinds::statefulSets() && read::text(status, "currentRevision") != read::text(status, "updateRevision"))
        old = std::max(0, read::number(status, "replicas") - read::number(status, "updatedReplicas"));
    return std::clamp(static_cast<double>(ready - old) / desired, 0.0, 1.0);
}

std::optional<Sample> HealWatch::read(const std::stop_token& stop) const {
    if (!target_)
        return std::nullopt;
    Sample out;
    out.point.at = clock_->wall();
    const auto object = reader_.get(target_->key, stop);
    if (!object) {
        if (object.error().code != guard::ErrorCode::NotFound)
            return std::nullopt;
        return out;
    }
    const json& value = object->value();
    out.present = target_->uid.empty() || read::text(value, {"metadata", "uid"}) == target_->uid;
    if (!out.present || !scalable(target_->key.kind))
        return out;
    out.generation = read::integer(read::path(value, {"metadata", "generation"})).value_or(0);
    const auto observed = read::integer(read::path(value, {"status", "observedGeneration"}));
    out.observed = observed && *observed >= out.generation;
    out.point.readyRatio = readyRatio(target_->key.kind, value);
    const std::string selector = selectorOf(value);
    if (selector.empty())
        return out;
    if (const auto pods = reader_.list(kinds::pods(), {target_->key.ns, selector, ""}, podLimit, stop))
        for (const auto& pod : pods->partial()) // a cut list undercounts restarts; the ratio does not come from it
            for (const guard::ContainerSignal& container : containersOf(pod.value()))
                out.point.restarts += container.restarts;
    return out;
}

bool HealHold::add(const std::optional<Sample>& sample, guard::MonoTime at) {
    bool good = false;
    if (sample && check_.signal == guard::HealCheck::Signal::Gone)
        good = !sample->present;
    else if (sample)
        good = sample->present && sample->observed && sample->generation >= generation_ &&
               sample->point.readyRatio >= check_.threshold;
    if (!good) {
        since_.reset();
        return false;
    }
    if (!since_)
        since_ = at;
    return at - *since_ >= check_.hold;
}

} // namespace alidade::agent
