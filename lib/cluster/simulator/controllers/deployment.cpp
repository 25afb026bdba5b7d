// SPDX-License-Identifier: GPL-3.0-or-later
// Deployments: rolling updates and re-creation, revisions and their history, progress and its deadline.
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "controllers/controllers.hpp"
#include "world/selectors.hpp"

namespace alidade::simulator {

namespace {

constexpr auto revisionKey = "deployment.kubernetes.io/revision";
constexpr auto historyKey = "deployment.kubernetes.io/revision-history";
constexpr auto desiredKey = "deployment.kubernetes.io/desired-replicas";
constexpr auto maxKey = "deployment.kubernetes.io/max-replicas";
constexpr std::string_view component = "deployment-controller";

std::int64_t resolve(const Json& value, std::int64_t total, bool up) {
    if (value.is_number())
        return integer(value);
    const auto text = str(value);
    if (text.empty() || text.back() != '%')
        return 0;
    const double share = std::strtod(text.c_str(), nullptr) * static_cast<double>(total) / 100.0;
    return static_cast<std::int64_t>(up ? std::ceil(share) : std::floor(share));
}

struct Room {
    std::int64_t surge = 0;
    std::int64_t unavailable = 0;
};

Room roomOf(const Json& spec) {
    if (str(spec, {"strategy", "type"}) != "RollingUpdate")
        return {};
    const auto replicas = integer(at(spec, "replicas"), 1);
    const Json& rolling = at(spec, {"strategy", "rollingUpdate"});
    Room room{resolve(at(rolling, "maxSurge"), replicas, true),
              resolve(at(rolling, "maxUnavailable"), replicas, false)};
    if (room.surge == 0 && room.unavailable == 0)
        room.unavailable = 1;
    room.unavailable = std::min(room.unavailable, replicas);
    return room;
}

std::int64_t revisionOf(const Entry& set) {
    return std::strtoll(str(set.doc(), {"metadata", "annotations", revisionKey}).c_str(), nullptr, 10);
}
std::int64_t wanted(const Entry& set) { return integer(set.doc(), {"spec", "replicas"}); }
std::int64_t statusOf(const Entry& set, std::string_view field) { return integer(set.doc(), {"status", field}); }

Json withoutHash(Json podTemplate) {
    if (podTemplate.contains("metadata") && podTemplate["metadata"].is_object() &&
        podTemplate["metadata"].contains("labels"))
        podTemplate["metadata"]["labels"].erase("pod-template-hash");
    return podTemplate;
}

bool copied(const std::string& key) {
    return key != "kubectl.kubernetes.io/last-applied-configuration" && key != revisionKey && key != historyKey &&
           key != desiredKey && key != maxKey && key != "deprecated.deployment.rollback.to";
}

const Json& conditionOf(const Json& status, std::string_view type) {
    for (const auto& condition : items(at(status, "conditions")))
        if (str(at(condition, "type")) == type)
            return condition;
    return at(status, "no such condition");
}

std::int64_t sum(const std::vector<EntryPtr>& sets, std::string_view field) {
    std::int64_t total = 0;
    for (const auto& set : sets)
        total += field == "spec" ? wanted(*set) : statusOf(*set, field);
    return total;
}

} // namespace

std::string templateHash(const Json& podTemplate, std::int64_t collisions) {
    static constexpr std::string_view letters = "bcdfghjklmnpqrstvwxz2456789";
    const auto hash = static_cast<std::uint32_t>(
        hash64(dump(withoutHash(podTemplate)) + (collisions == 0 ? "" : std::to_string(collisions))) >> 16U);
    std::string out;
    for (const unsigned char c : std::to_string(hash))
        out += letters[c % letters.size()];
    return out;
}

void Controllers::deployment(const EntryPtr& entry) {
    std::vector<EntryPtr> all;
    for (const auto& child : world_.dependents(entry->uid()))
        if (child->kind().resource == "replicasets")
            all.push_back(child);
    std::sort(all.begin(), all.end(), [](const EntryPtr& a, const EntryPtr& b) {
        const auto ca = str(a->doc(), {"metadata", "creationTimestamp"});
        const auto cb = str(b->doc(), {"metadata", "creationTimestamp"});
        return ca != cb ? ca < cb : a->name() < b->name();
    });
    const bool paused = boolean(at(entry->doc(), {"spec", "paused"}));
    const bool recreate = str(entry->doc(), {"spec", "strategy", "type"}) == "Recreate";
    const auto had = all.size();
    EntryPtr fresh = newReplicaSet(entry, all, false);
    std::vector<EntryPtr> old;
    for (const auto& set : all)
        if (!fresh || set->uid() != fresh->uid())
            old.push_back(set);
    bool mayCreate = !paused;
    if (recreate && !paused) {
        for (const auto& set : old)
            if (wanted(*set) > 0)
                scaleReplicaSet(entry, set, 0);
        for (const auto& set : old)
            mayCreate = mayCreate && podsOf(set).empty();
    }
    if (mayCreate) {
        fresh = newReplicaSet(entry, all, true);
        if (fresh && std::none_of(all.begin(), all.end(), [&](const EntryPtr& s) { return s->uid() == fresh->uid(); }))
            all.push_back(fresh);
    }
    if (paused) {
        // A paused rollout still follows the number of replicas: the newest active ReplicaSet takes the difference.
        const auto target = fresh && wanted(*fresh) > 0 ? fresh : old.empty() ? fresh : old.back();
        if (target) {
            const auto others = sum(all, "spec") - wanted(*target);
            const auto replicas = std::max<std::int64_t>(0, integer(entry->doc(), {"spec", "replicas"}) - others);
            if (replicas != wanted(*target))
                scaleReplicaSet(entry, target, replicas);
        }
    } else if (recreate) {
        if (fresh && wanted(*fresh) != integer(entry->doc(), {"spec", "replicas"}))
            scaleReplicaSet(entry, fresh, integer(entry->doc(), {"spec", "replicas"}));
    } else if (fresh) {
        rollOut(entry, fresh, old);
    }
    for (auto& set : all)
        if (auto now = world_.find(set->kind(), set->ns(), set->name()))
            set = now;
    if (fresh)
        fresh = world_.find(fresh->kind(), fresh->ns(), fresh->name());
    const auto current = world_.find(entry->kind(), entry->ns(), entry->name());
    if (!current || current->deleting())
        return;
    deploymentStatus(current, fresh, all, all.size() > had);
    if (fresh)
        cleanUpHistory(current, fresh, old);
}

EntryPtr Controllers::newReplicaSet(const EntryPtr& entry, const std::vector<EntryPtr>& all, bool create) {
    const Json wantedTemplate = withoutHash(at(entry->doc(), {"spec", "template"}));
    EntryPtr found;
    std::int64_t newest = 0;
    for (const auto& set : all)
        if (!found && withoutHash(at(set->doc(), {"spec", "template"})) == wantedTemplate)
            found = set;
    for (const auto& set : all)
        if (!found || set->uid() != found->uid())
            newest = std::max(newest, revisionOf(*set));
    if (!create)
        return found;
    const auto replicas = integer(entry->doc(), {"spec", "replicas"}, 1);
    const auto most = replicas + roomOf(at(entry->doc(), "spec")).surge;
    const auto annotate = [&](Json& doc) {
        Json& annotations = object(object(doc, "metadata"), "annotations");
        for (const auto& [key, value] : members(at(entry->doc(), {"metadata", "annotations"})))
            if (copied(key))
                annotations[key] = value;
        const auto before = str(at(annotations, revisionKey));
        const auto number = std::strtoll(before.c_str(), nullptr, 10);
        if (number < newest + 1) {
            if (!before.empty()) {
                const auto history = str(at(annotations, historyKey));
                annotations[historyKey] = history.empty() ? before : history + "," + before;
            }
            annotations[revisionKey] = std::to_string(newest + 1);
        }
        annotations[desiredKey] = std::to_string(replicas);
        annotations[maxKey] = std::to_string(most);
    };
    if (found) {
        registry_.amend(found->kind(), found->ns(), found->name(), annotate);
    } else {
        const auto hash =
            templateHash(at(entry->doc(), {"spec", "template"}), integer(entry->doc(), {"status", "collisionCount"}));
        Json set = {
            {"metadata",
             {{"name", entry->name() + "-" + hash}, {"ownerReferences", Json::array({ownerReference(*entry)})}}},
            {"spec",
             {{"replicas", 0}, {"selector", at(entry->doc(), {"spec", "selector"})}, {"template", wantedTemplate}}}};
        if (const Json& seconds = at(entry->doc(), {"spec", "minReadySeconds"}); seconds.is_number())
            set["spec"]["minReadySeconds"] = seconds;
        object(object(set["spec"]["template"], "metadata"), "labels")["pod-template-hash"] = hash;
        set["metadata"]["labels"] = set["spec"]["template"]["metadata"]["labels"];
        object(set["spec"]["selector"], "matchLabels")["pod-template-hash"] = hash;
        annotate(set);
        auto made = registry_.create(world_.kind("replicasets"), entry->ns(), std::move(set),
                                     Actor{"kube-controller-manager", "", false});
        if (!made)
            return nullptr;
        found = *made;
    }
    found = world_.find(found->kind(), found->ns(), found->name());
    registry_.amend(entry->kind(), entry->ns(), entry->name(), [&](Json& doc) {
        object(object(doc, "metadata"), "annotations")[revisionKey] = std::to_string(revisionOf(*found));
    });
    return found;
}

void Controllers::scaleReplicaSet(const EntryPtr& owner, const EntryPtr& set, std::int64_t replicas) {
    const auto before = wanted(*set);
    if (before == replicas)
        return;
    const auto desired = integer(owner->doc(), {"spec", "replicas"}, 1);
    registry_.amend(set->kind(), set->ns(), set->name(), [&](Json& doc) {
        doc["spec"]["replicas"] = replicas;
        Json& annotations = object(object(doc, "metadata"), "annotations");
        annotations[desiredKey] = std::to_string(desired);
        annotations[maxKey] = std::to_string(desired + roomOf(at(owner->doc(), "spec")).surge);
    });
    recorder_.record(*owner, false, "ScalingReplicaSet",
                     std::string("Scaled ") + (replicas > before ? "up" : "down") + " replica set " + set->name() +
                         " from " + std::to_string(before) + " to " + std::to_string(replicas),
                     component);
}

bool Controllers::rollOut(const EntryPtr& entry, const EntryPtr& fresh, const std::vector<EntryPtr>& old) {
    const auto replicas = integer(entry->doc(), {"spec", "replicas"}, 1);
    const auto room = roomOf(at(entry->doc(), "spec"));
    const auto total = wanted(*fresh) + sum(old, "spec");
    if (wanted(*fresh) > replicas) {
        scaleReplicaSet(entry, fresh, replicas);
        return true;
    }
    if (wanted(*fresh) < replicas) {
        const auto more = std::min(replicas + room.surge - total, replicas - wanted(*fresh));
        if (more > 0) {
            scaleReplicaSet(entry, fresh, wanted(*fresh) + more);
            return true;
        }
    }
    if (sum(old, "spec") == 0)
        return false;
    const auto least = replicas - room.unavailable;
    const auto newUnavailable = wanted(*fresh) - statusOf(*fresh, "availableReplicas");
    auto most = total - least - newUnavailable;
    if (most <= 0)
        return false;
    std::int64_t cleaned = 0;
    std::vector<std::pair<EntryPtr, std::int64_t>> plan; // what is left of each old one
    for (const auto& set : old) {
        auto left = wanted(*set);
        const auto unhealthy = left - statusOf(*set, "availableReplicas");
        if (left > 0 && unhealthy > 0 && cleaned < most) {
            const auto take = std::min(most - cleaned, unhealthy);
            left -= take;
            cleaned += take;
        }
        plan.emplace_back(set, left);
    }
    auto spare = statusOf(*fresh, "availableReplicas") + sum(old, "availableReplicas") - least;
    for (auto& [set, left] : plan) {
        if (spare <= 0)
            break;
        const auto take = std::min(left, spare);
        left -= take;
        spare -= take;
    }
    bool did = false;
    for (const auto& [set, left] : plan)
        if (left != wanted(*set)) {
            scaleReplicaSet(entry, set, left);
            did = true;
        }
    return did;
}

void Controllers::deploymentStatus(const EntryPtr& entry, const EntryPtr& fresh, const std::vector<EntryPtr>& all,
                                   bool created) {
    const auto now = world_.now();
    const auto replicas = integer(entry->doc(), {"spec", "replicas"}, 1);
    const auto updated = fresh ? statusOf(*fresh, "replicas") : 0;
    const auto total = sum(all, "replicas");
    const auto ready = sum(all, "readyReplicas");
    const auto available = sum(all, "availableReplicas");
    std::optional<WallTime> deadline;
    registry_.amend(entry->kind(), entry->ns(), entry->name(), [&](Json& doc) {
        Json& status = object(doc, "status");
        const Json before = status;
        status["observedGeneration"] = integer(doc, {"metadata", "generation"}, 1);
        const auto count = [&](const char* key, std::int64_t value) {
            if (value > 0)
                status[key] = value;
            else
                status.erase(key);
        };
        count("replicas", total);
        count("updatedReplicas", updated);
        count("readyReplicas", ready);
        count("availableReplicas", available);
        count("unavailableReplicas", std::max<std::int64_t>(0, sum(all, "spec") - available));
        const bool enough = available >= replicas - roomOf(at(doc, "spec")).unavailable;
        setCondition(status, "Available", enough ? "True" : "False",
                     enough ? "MinimumReplicasAvailable" : "MinimumReplicasUnavailable",
                     enough ? "Deployment has minimum availability." : "Deployment does not have minimum availability.",
                     now, true);
        const auto quoted = fresh ? "ReplicaSet \"" + fresh->name() + "\"" : "Deployment \"" + entry->name() + "\"";
        const auto reason = str(conditionOf(before, "Progressing"), {"reason"});
        const bool complete = updated == replicas && total == replicas && available == replicas;
        const bool wasComplete = reason == "NewReplicaSetAvailable" && total == updated;
        const bool paused = boolean(at(doc, {"spec", "paused"}));
        const auto seconds = integer(doc, {"spec", "progressDeadlineSeconds"}, 600);
        if (paused) {
            if (reason != "DeploymentPaused")
                setCondition(status, "Progressing", "Unknown", "DeploymentPaused", "Deployment is paused", now, true);
        } else if (reason == "DeploymentPaused") {
            setCondition(status, "Progressing", "Unknown", "DeploymentResumed", "Deployment is resumed", now, true);
            deadline = now + std::chrono::seconds(seconds);
        } else if (created) {
            setCondition(status, "Progressing", "True", "NewReplicaSetCreated",
                         "Created new replica set \"" + fresh->name() + "\"", now, true);
            deadline = now + std::chrono::seconds(seconds);
        } else if (!wasComplete) {
            const auto was = [&](std::string_view key) { return integer(at(before, key)); };
            const auto oldTotal = was("replicas") - was("updatedReplicas");
            const bool progress = updated > was("updatedReplicas") || total - updated < oldTotal ||
                                  ready > was("readyReplicas") || available > was("availableReplicas");
            const auto updatedAt =
                guard::parseRfc3339(str(conditionOf(before, "Progressing"), {"lastUpdateTime"})).value_or(now);
            if (complete) {
                setCondition(status, "Progressing", "True", "NewReplicaSetAvailable",
                             quoted + " has successfully progressed.", now, true);
            } else if (progress) {
                setCondition(status, "Progressing", "True", "ReplicaSetUpdated", quoted + " is progressing.", now,
                             true);
                for (auto& condition : status["conditions"])
                    if (str(at(condition, "type")) == "Progressing")
                        condition["lastUpdateTime"] = stamp(now);
                deadline = now + std::chrono::seconds(seconds);
            } else if (reason != "ProgressDeadlineExceeded" && now >= updatedAt + std::chrono::seconds(seconds)) {
                setCondition(status, "Progressing", "False", "ProgressDeadlineExceeded",
                             quoted + " has timed out progressing.", now, true);
            } else if (reason != "ProgressDeadlineExceeded") {
                deadline = updatedAt + std::chrono::seconds(seconds);
            }
        }
        Json failure;
        if (fresh)
            for (const auto& condition : items(at(fresh->doc(), {"status", "conditions"})))
                if (str(at(condition, "type")) == "ReplicaFailure" && str(at(condition, "status")) == "True")
                    failure = condition;
        Json& conditions = status["conditions"];
        if (!failure.is_null()) {
            setCondition(status, "ReplicaFailure", "True", str(at(failure, "reason")), str(at(failure, "message")), now,
                         true);
        } else {
            conditions.erase(std::remove_if(conditions.begin(), conditions.end(),
                                            [](const Json& c) { return str(at(c, "type")) == "ReplicaFailure"; }),
                             conditions.end());
        }
    });
    if (deadline) {
        const Key key{"deadline " + stamp(*deadline), entry->ns(), entry->name()};
        if (delayed_.insert(key).second)
            world_.clock().at(*deadline + Millis(500), [this, key] {
                delayed_.erase(key);
                enqueue("deployments", std::get<1>(key), std::get<2>(key));
            });
    }
}

void Controllers::cleanUpHistory(const EntryPtr& entry, const EntryPtr& fresh, std::vector<EntryPtr> old) {
    const auto limit = static_cast<std::size_t>(
        std::max<std::int64_t>(0, integer(entry->doc(), {"spec", "revisionHistoryLimit"}, 10)));
    if (statusOf(*fresh, "availableReplicas") < integer(entry->doc(), {"spec", "replicas"}, 1))
        return;
    std::sort(old.begin(), old.end(),
              [](const EntryPtr& a, const EntryPtr& b) { return revisionOf(*a) < revisionOf(*b); });
    std::size_t surplus = old.size() > limit ? old.size() - limit : 0;
    for (const auto& set : old) {
        if (surplus == 0)
            break;
        --surplus;
        if (wanted(*set) == 0 && statusOf(*set, "replicas") == 0 && !set->deleting())
            (void)registry_.remove(set);
    }
}

} // namespace alidade::simulator
