// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "controllers/controllers.hpp"
#include "world/selectors.hpp"

namespace alidade::simulator {

namespace {

constexpr std::string_view component = "replicaset-controller";

/// Smaller goes first: unassigned, pending, not ready, more restarts, younger.
std::tuple<int, int, int, std::int64_t, std::string> deletionRank(const Entry& pod) {
    const Json& doc = pod.doc();
    int ready = 0;
    for (const auto& condition : items(at(doc, {"status", "conditions"})))
        if (str(at(condition, "type")) == "Ready" && str(at(condition, "status")) == "True")
            ready = 1;
    std::int64_t restarts = 0;
    for (const auto& status : items(at(doc, {"status", "containerStatuses"})))
        restarts += integer(at(status, "restartCount"));
    std::string age = str(doc, {"metadata", "creationTimestamp"});
    for (auto& c : age)
        c = static_cast<char>(127 - c); // the youngest first
    return {str(doc, {"spec", "nodeName"}).empty() ? 0 : 1, str(doc, {"status", "phase"}) == "Running" ? 1 : 0, ready,
            -restarts, age};
}

} // namespace

void Controllers::replicaSet(const EntryPtr& entry) {
    const auto wanted = integer(entry->doc(), {"spec", "replicas"}, 1);
    std::vector<EntryPtr> pods;
    for (const auto& pod : podsOf(entry))
        if (isActive(*pod))
            pods.push_back(pod);
    std::string error;
    const auto count = static_cast<std::int64_t>(pods.size());
    const auto missing = std::min<std::int64_t>(wanted - count, 500);
    for (std::int64_t i = 0; i < missing; ++i) {
        const auto pod = createPod(entry, at(entry->doc(), {"spec", "template"}), "", entry->name() + "-", error);
        if (!pod) {
            recorder_.record(*entry, true, "FailedCreate", "Error creating: " + error, component);
            const auto ns = entry->ns();
            const auto name = entry->name();
            const Key key{"retry", ns, name};
            if (delayed_.insert(key).second)
                world_.clock().after(Millis(15000), [this, key] {
                    delayed_.erase(key);
                    enqueue("replicasets", std::get<1>(key), std::get<2>(key));
                });
            break;
        }
        recorder_.record(*entry, false, "SuccessfulCreate", "Created pod: " + pod->name(), component);
        pods.push_back(pod);
    }
    if (count > wanted) {
        std::sort(pods.begin(), pods.end(),
                  [](const EntryPtr& a, const EntryPtr& b) { return deletionRank(*a) < deletionRank(*b); });
        const auto surplus = static_cast<std::ptrdiff_t>(count - wanted);
        for (auto it = pods.begin(); it != pods.begin() + surplus; ++it) {
            recorder_.record(*entry, false, "SuccessfulDelete", "Deleted pod: " + (*it)->name(), component);
            (void)registry_.remove(*it);
        }
        pods.erase(pods.begin(), pods.begin() + surplus);
    }
    const auto minReady = integer(entry->doc(), {"spec", "minReadySeconds"});
    std::int64_t ready = 0;
    std::int64_t available = 0;
    auto next = WallTime::max();
    for (const auto& pod : pods) {
        if (isReady(pod->doc()))
            ++ready;
        if (isAvailable(pod->doc(), minReady, &next))
            ++available;
    }
    const auto total = static_cast<std::int64_t>(pods.size());
    const auto now = world_.now();
    registry_.amend(entry->kind(), entry->ns(), entry->name(), [&](Json& doc) {
        Json& status = object(doc, "status");
        status["replicas"] = total;
        status["observedGeneration"] = integer(doc, {"metadata", "generation"}, 1);
        const auto put = [&](const char* key, std::int64_t value) {
            if (value > 0)
                status[key] = value;
            else
                status.erase(key);
        };
        put("fullyLabeledReplicas", total);
        put("readyReplicas", ready);
        put("availableReplicas", available);
        if (!error.empty())
            setCondition(status, "ReplicaFailure", "True", "FailedCreate", error, now, false);
        else if (total >= wanted)
            status.erase("conditions");
    });
    if (next != WallTime::max()) {
        const Key key{"available", entry->ns(), entry->name()};
        if (delayed_.insert(key).second)
            world_.clock().at(next, [this, key] {
                delayed_.erase(key);
                enqueue("replicasets", std::get<1>(key), std::get<2>(key));
            });
    }
}

} // namespace alidade::simulator
