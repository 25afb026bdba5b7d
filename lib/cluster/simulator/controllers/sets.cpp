// SPDX-License-Identifier: GPL-3.0-or-later
// StatefulSets (ordered, rolling from the highest ordinal), DaemonSets (one pod a node), and their ControllerRevisions.
#include <algorithm>
#include <cstdlib>
#include <map>

#include "controllers/controllers.hpp"
#include "world/selectors.hpp"

namespace alidade::simulator {

void Controllers::controllerRevision(const EntryPtr& owner, std::int64_t& revision, std::string& hash) {
    const auto& kind = world_.kind("controllerrevisions");
    hash = templateHash(at(owner->doc(), {"spec", "template"}), 0);
    std::vector<EntryPtr> all;
    for (const auto& child : world_.dependents(owner->uid()))
        if (child->kind().index == kind.index)
            all.push_back(child);
    std::int64_t newest = 0;
    EntryPtr same;
    for (const auto& one : all) {
        newest = std::max(newest, integer(one->doc(), {"revision"}));
        if (one->name() == owner->name() + "-" + hash)
            same = one;
    }
    if (same && integer(same->doc(), {"revision"}) == newest) {
        revision = newest;
        return;
    }
    revision = newest + 1;
    if (same) {
        registry_.amend(kind, same->ns(), same->name(), [&](Json& doc) { doc["revision"] = revision; });
    } else {
        Json podTemplate = at(owner->doc(), {"spec", "template"});
        podTemplate["$patch"] = "replace";
        Json labels = at(owner->doc(), {"spec", "template", "metadata", "labels"});
        labels["controller-revision-hash"] = hash;
        Json annotations = Json::object();
        for (const auto& [key, value] : members(at(owner->doc(), {"metadata", "annotations"})))
            if (key != "kubectl.kubernetes.io/last-applied-configuration")
                annotations[key] = value;
        world_.write(kind, {{"metadata",
                             {{"name", owner->name() + "-" + hash},
                              {"namespace", owner->ns()},
                              {"labels", labels},
                              {"annotations", annotations},
                              {"ownerReferences", Json::array({ownerReference(*owner)})}}},
                            {"data", {{"spec", {{"template", podTemplate}}}}},
                            {"revision", revision}});
    }
    const auto limit = static_cast<std::size_t>(integer(owner->doc(), {"spec", "revisionHistoryLimit"}, 10));
    std::sort(all.begin(), all.end(), [](const EntryPtr& a, const EntryPtr& b) {
        return integer(a->doc(), {"revision"}) < integer(b->doc(), {"revision"});
    });
    for (std::size_t i = 0; all.size() - i > limit + 1; ++i)
        (void)registry_.remove(all[i]);
}

void Controllers::statefulSet(const EntryPtr& entry) {
    std::int64_t revision = 0;
    std::string hash;
    controllerRevision(entry, revision, hash);
    const auto wanted = integer(entry->doc(), {"spec", "replicas"}, 1);
    const bool parallel = str(entry->doc(), {"spec", "podManagementPolicy"}) == "Parallel";
    const bool onDelete = str(entry->doc(), {"spec", "updateStrategy", "type"}) == "OnDelete";
    const auto partition = integer(entry->doc(), {"spec", "updateStrategy", "rollingUpdate", "partition"});
    std::map<std::int64_t, EntryPtr> pods;
    for (const auto& pod : podsOf(entry))
        if (pod->name().size() > entry->name().size() + 1)
            pods[std::strtoll(pod->name().c_str() + entry->name().size() + 1, nullptr, 10)] = pod;
    const auto current = str(entry->doc(), {"status", "currentRevision"}, entry->name() + "-" + hash);
    const auto update = entry->name() + "-" + hash;
    std::string error;
    bool busy = false;
    for (std::int64_t i = 0; i < wanted && !busy; ++i) {
        const auto it = pods.find(i);
        if (it == pods.end()) {
            const auto name = entry->name() + "-" + std::to_string(i);
            Json podTemplate = at(entry->doc(), {"spec", "template"});
            for (const auto& claimTemplate : items(at(entry->doc(), {"spec", "volumeClaimTemplates"}))) {
                const auto claimName = str(claimTemplate, {"metadata", "name"}) + "-" + name;
                if (!world_.find(world_.kind("persistentvolumeclaims"), entry->ns(), claimName)) {
                    Json made = {
                        {"metadata",
                         {{"name", claimName}, {"labels", at(entry->doc(), {"spec", "selector", "matchLabels"})}}},
                        {"spec", at(claimTemplate, "spec")}};
                    (void)registry_.create(world_.kind("persistentvolumeclaims"), entry->ns(), std::move(made));
                }
                Json& volumes = object(podTemplate, "spec")["volumes"];
                if (!volumes.is_array())
                    volumes = Json::array();
                volumes.push_back({{"name", str(claimTemplate, {"metadata", "name"})},
                                   {"persistentVolumeClaim", {{"claimName", claimName}}}});
            }
            const auto pod = createPod(entry, podTemplate, name, "", error, [&](Json& doc) {
                Json& labels = object(doc["metadata"], "labels");
                labels["controller-revision-hash"] = update;
                labels["statefulset.kubernetes.io/pod-name"] = name;
                labels["apps.kubernetes.io/pod-index"] = std::to_string(i);
                doc["spec"]["hostname"] = name;
                doc["spec"]["subdomain"] = at(entry->doc(), {"spec", "serviceName"});
            });
            if (pod)
                recorder_.record(*entry, false, "SuccessfulCreate",
                                 "create Pod " + name + " in StatefulSet " + entry->name() + " successful",
                                 "statefulset-controller");
            else
                recorder_.record(*entry, true, "FailedCreate",
                                 "create Pod " + name + " in StatefulSet " + entry->name() + " failed error: " + error,
                                 "statefulset-controller");
            busy = !parallel || !pod;
        } else if (it->second->deleting() || !isReady(it->second->doc())) {
            busy = !parallel;
        }
    }
    for (auto it = pods.rbegin(); it != pods.rend() && it->first >= wanted; ++it) {
        if (!it->second->deleting()) {
            recorder_.record(*entry, false, "SuccessfulDelete",
                             "delete Pod " + it->second->name() + " in StatefulSet " + entry->name() + " successful",
                             "statefulset-controller");
            (void)registry_.remove(it->second);
        }
        busy = true;
        if (!parallel)
            break;
    }
    const auto revisionOf = [](const Entry& pod) {
        return str(pod.doc(), {"metadata", "labels", "controller-revision-hash"});
    };
    if (!busy && !onDelete)
        for (auto it = pods.rbegin(); it != pods.rend(); ++it) {
            if (it->first < partition)
                break;
            if (revisionOf(*it->second) != update) {
                if (!it->second->deleting())
                    (void)registry_.remove(it->second);
                break;
            }
            if (!isReady(it->second->doc()))
                break;
        }
    std::int64_t ready = 0;
    std::int64_t updated = 0;
    std::int64_t total = 0;
    for (const auto& pod : podsOf(entry)) {
        if (!isActive(*pod))
            continue;
        ++total;
        if (isReady(pod->doc()))
            ++ready;
        if (revisionOf(*pod) == update)
            ++updated;
    }
    registry_.amend(entry->kind(), entry->ns(), entry->name(), [&](Json& doc) {
        const bool complete = updated == wanted && ready == wanted && total == wanted;
        object(doc, "status") = {{"replicas", total},
                                 {"readyReplicas", ready},
                                 {"availableReplicas", ready},
                                 {"updatedReplicas", updated},
                                 {"currentReplicas", complete || current == update ? total : total - updated},
                                 {"currentRevision", complete ? update : current},
                                 {"updateRevision", update},
                                 {"collisionCount", 0},
                                 {"observedGeneration", integer(doc, {"metadata", "generation"}, 1)}};
    });
}

void Controllers::daemonSet(const EntryPtr& entry) {
    std::int64_t revision = 0;
    std::string hash;
    controllerRevision(entry, revision, hash);
    std::map<std::string, EntryPtr> byNode;
    for (const auto& pod : podsOf(entry)) {
        const auto& terms =
            items(at(pod->doc(), {"spec", "affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution",
                                  "nodeSelectorTerms"}));
        std::string node = str(pod->doc(), {"spec", "nodeName"});
        if (node.empty() && !terms.empty() && !items(at(terms.front(), "matchFields")).empty())
            node = str(items(at(items(at(terms.front(), "matchFields")).front(), "values")).front());
        byNode[node] = pod;
    }
    const Json& spec = at(entry->doc(), {"spec", "template", "spec"});
    const bool onDelete = str(entry->doc(), {"spec", "updateStrategy", "type"}) == "OnDelete";
    const auto revisionOf = [](const Entry& pod) {
        return str(pod.doc(), {"metadata", "labels", "controller-revision-hash"});
    };
    std::int64_t desired = 0;
    std::int64_t scheduled = 0;
    std::int64_t ready = 0;
    std::int64_t updated = 0;
    std::int64_t wrong = 0;
    bool replaced = false;
    for (const auto& node : world_.list(world_.kind("nodes"), "")) {
        const Json& selector = at(spec, "nodeSelector");
        bool fits = members(selector).empty() || matchesAll(selector, at(node->doc(), {"metadata", "labels"}));
        for (const auto& taint : items(at(node->doc(), {"spec", "taints"}))) {
            const auto& tolerations = items(at(spec, "tolerations"));
            const bool fine =
                str(at(taint, "key")).starts_with("node.kubernetes.io/") ||
                std::any_of(tolerations.begin(), tolerations.end(), [&](const Json& t) {
                    return (str(at(t, "key")).empty() || str(at(t, "key")) == str(at(taint, "key"))) &&
                           (str(at(t, "effect")).empty() || str(at(t, "effect")) == str(at(taint, "effect")));
                });
            fits = fits && fine;
        }
        const auto it = byNode.find(node->name());
        if (!fits) {
            if (it != byNode.end()) {
                ++wrong;
                if (!it->second->deleting())
                    (void)registry_.remove(it->second);
            }
            continue;
        }
        ++desired;
        if (it == byNode.end()) {
            std::string error;
            const auto pod = createPod(entry, at(entry->doc(), {"spec", "template"}), "", entry->name() + "-", error,
                                       [&](Json& doc) {
                                           object(doc["metadata"], "labels")["controller-revision-hash"] = hash;
                                           // The daemon set controller names the node by affinity; binding it here is
                                           // what the scheduler would do next.
                                           doc["spec"]["nodeName"] = node->name();
                                       });
            if (pod)
                recorder_.record(*entry, false, "SuccessfulCreate", "Created pod: " + pod->name(),
                                 "daemonset-controller");
            continue;
        }
        ++scheduled;
        if (isReady(it->second->doc()))
            ++ready;
        if (revisionOf(*it->second) == hash)
            ++updated;
        else if (!onDelete && !replaced) {
            replaced = true;
            if (!it->second->deleting())
                (void)registry_.remove(it->second);
        }
    }
    registry_.amend(entry->kind(), entry->ns(), entry->name(), [&](Json& doc) {
        Json& status = object(doc, "status");
        status = {{"currentNumberScheduled", scheduled},
                  {"desiredNumberScheduled", desired},
                  {"numberMisscheduled", wrong},
                  {"numberReady", ready},
                  {"numberAvailable", ready},
                  {"updatedNumberScheduled", updated},
                  {"observedGeneration", integer(doc, {"metadata", "generation"}, 1)}};
        if (desired - ready > 0)
            status["numberUnavailable"] = desired - ready;
    });
}

} // namespace alidade::simulator
