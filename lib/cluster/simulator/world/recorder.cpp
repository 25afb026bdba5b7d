// SPDX-License-Identifier: GPL-3.0-or-later
#include "world/recorder.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <vector>

namespace alidade::simulator {

Recorder::Recorder(Registry& registry) : registry_(registry) {}

bool Recorder::allowed(const std::string& uid) {
    const auto now = registry_.world().now();
    auto [it, fresh] = buckets_.try_emplace(uid);
    if (fresh)
        it->second.filled = now;
    auto& bucket = it->second;
    bucket.tokens = std::min(25.0, bucket.tokens + std::chrono::duration<double>(now - bucket.filled).count() / 300.0);
    bucket.filled = now;
    if (bucket.tokens < 1)
        return false;
    bucket.tokens -= 1;
    return true;
}

void Recorder::record(const Entry& about, bool warning, std::string_view reason, const std::string& message,
                      std::string_view component, std::string_view fieldPath, std::string_view host) {
    auto& world = registry_.world();
    const auto& kind = world.kind("events");
    const auto ns = about.ns().empty() ? std::string("default") : about.ns();
    const auto identity = about.uid() + "\n" + std::string(reason) + "\n" + message + "\n" + std::string(component) +
                          "\n" + std::string(fieldPath);
    if (!allowed(about.uid() + "/" + std::string(component)))
        return;
    if (const auto known = known_.find(identity); known != known_.end()) {
        if (const auto event = world.find(kind, ns, known->second)) {
            registry_.amend(kind, ns, known->second, [&](Json& doc) {
                doc["count"] = integer(doc, {"count"}, 1) + 1;
                doc["lastTimestamp"] = stamp(world.now());
            });
            return;
        }
        known_.erase(known);
    }
    std::array<char, 24> suffix{};
    std::snprintf(suffix.data(), suffix.size(), "%016llx",
                  static_cast<unsigned long long>(0x1700000000000000ULL | (world.random() & 0xffffffffffffffULL)));
    const auto name = about.name() + "." + suffix.data();
    Json involved = {{"kind", about.kind().kind},
                     {"name", about.name()},
                     {"uid", about.uid()},
                     {"apiVersion", about.kind().apiVersion()},
                     {"resourceVersion", std::to_string(about.rv())}};
    if (!about.ns().empty())
        involved["namespace"] = about.ns();
    if (!fieldPath.empty())
        involved["fieldPath"] = fieldPath;
    Json source = {{"component", component}};
    if (!host.empty())
        source["host"] = host;
    const auto now = stamp(world.now());
    world.write(kind, {{"metadata", {{"name", name}, {"namespace", ns}}},
                       {"involvedObject", involved},
                       {"reason", reason},
                       {"message", message},
                       {"type", warning ? "Warning" : "Normal"},
                       {"source", source},
                       {"firstTimestamp", now},
                       {"lastTimestamp", now},
                       {"eventTime", nullptr},
                       {"count", 1},
                       {"reportingComponent", component},
                       {"reportingInstance", host}});
    known_[identity] = name;
}

void Recorder::expire() {
    auto& world = registry_.world();
    const auto& kind = world.kind("events");
    const auto limit = world.now() - std::chrono::hours(1);
    std::vector<EntryPtr> old;
    for (const auto& event : world.list(kind, "")) {
        const auto last = guard::parseRfc3339(
            str(at(event->doc(), "lastTimestamp"), str(event->doc(), {"metadata", "creationTimestamp"})));
        if (last && *last < limit)
            old.push_back(event);
    }
    for (const auto& event : old)
        world.erase(kind, event->ns(), event->name());
    std::erase_if(known_, [&](const auto& pair) {
        return std::any_of(old.begin(), old.end(), [&](const EntryPtr& event) { return event->name() == pair.second; });
    });
}

} // namespace alidade::simulator
