// SPDX-License-Identifier: GPL-3.0-or-later
#include "world/quota.hpp"

#include <algorithm>
#include <cmath>

#include "alidade/cluster_model/rows.hpp"

namespace alidade::simulator {

double quantity(const Json& value) {
    if (value.is_number())
        return value.get<double>();
    return cluster::parseQuantity(str(value)).value_or(0);
}

double podRequest(const Json& podSpec, std::string_view resource) {
    double sum = 0;
    double initial = 0;
    for (const auto& container : items(at(podSpec, "containers"))) {
        const Json& request = at(container, {"resources", "requests", resource});
        sum += quantity(request.is_null() ? at(container, {"resources", "limits", resource}) : request);
    }
    for (const auto& container : items(at(podSpec, "initContainers")))
        initial = std::max(initial, quantity(at(container, {"resources", "requests", resource})));
    return std::max(sum, initial);
}

std::string quantityText(double value, bool memory) {
    if (!memory) {
        const auto milli = std::llround(value * 1000);
        return milli % 1000 == 0 ? std::to_string(milli / 1000) : std::to_string(milli) + "m";
    }
    auto bytes = std::llround(value);
    if (bytes == 0)
        return "0";
    for (const auto* suffix : {"", "Ki", "Mi", "Gi", "Ti"}) {
        if (bytes % 1024 != 0 || std::string_view(suffix) == "Ti")
            return std::to_string(bytes) + suffix;
        bytes /= 1024;
    }
    return std::to_string(bytes);
}

namespace {

double amount(const Json& pod, const std::string& what) {
    const Json& spec = at(pod, "spec");
    if (what == "pods" || what == "count/pods")
        return 1;
    if (what == "cpu" || what == "requests.cpu")
        return podRequest(spec, "cpu");
    if (what == "memory" || what == "requests.memory")
        return podRequest(spec, "memory");
    return 0;
}

bool counts(const Json& pod) {
    const auto phase = str(pod, {"status", "phase"});
    return phase != "Succeeded" && phase != "Failed";
}

bool isMemory(const std::string& what) { return what.find("memory") != std::string::npos; }

double used(const World& world, std::string_view ns, const std::string& what) {
    double sum = 0;
    for (const auto& pod : world.list(world.kind("pods"), ns))
        if (counts(pod->doc()))
            sum += amount(pod->doc(), what);
    return sum;
}

} // namespace

std::optional<Refusal> checkQuota(const World& world, std::string_view ns, const Json& pod) {
    for (const auto& quota : world.list(world.kind("resourcequotas"), ns)) {
        std::string requested;
        std::string usedText;
        std::string limited;
        for (const auto& [what, hard] : members(at(quota->doc(), {"spec", "hard"}))) {
            const double wants = amount(pod, what);
            const double has = used(world, ns, what);
            if (wants <= 0 || has + wants <= quantity(hard) + 1e-9)
                continue;
            const auto append = [&name = what](std::string& list, const std::string& value) {
                list += (list.empty() ? "" : ",") + (name + "=" + value);
            };
            append(requested, quantityText(wants, isMemory(what)));
            append(usedText, quantityText(has, isMemory(what)));
            append(limited, str(hard));
        }
        if (!requested.empty())
            return forbidden(world.kind("pods"), str(pod, {"metadata", "name"}),
                             "exceeded quota: " + quota->name() + ", requested: " + requested + ", used: " + usedText +
                                 ", limited: " + limited);
    }
    return std::nullopt;
}

Json quotaUsed(const World& world, const Entry& quota) {
    Json out = Json::object();
    for (const auto& [what, hard] : members(at(quota.doc(), {"spec", "hard"})))
        out[what] = quantityText(used(world, quota.ns(), what), isMemory(what));
    return out;
}

} // namespace alidade::simulator
