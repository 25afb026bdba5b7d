// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The controller manager and the scheduler: a work queue on the virtual clock that reconciles what changed.
#include <functional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "kubelet/kubelet.hpp"
#include "world/recorder.hpp"
#include "world/registry.hpp"

namespace alidade::simulator {

class Controllers {
public:
    Controllers(Registry& registry, Recorder& recorder, Kubelet& kubelet);
    /// Node heartbeats and the end of events; begins once the scenario's past has been played.
    void startHousekeeping();

private:
    void onChange(const Change& change);
    void enqueue(std::string_view controller, std::string_view ns, std::string_view name, Millis delay = Millis(15));
    void enqueueOwner(const Json& doc, const std::string& ns);
    void drain();
    void reconcile(const std::string& controller, const std::string& ns, const std::string& name);

    // deployment.cpp
    void deployment(const EntryPtr& entry);
    EntryPtr newReplicaSet(const EntryPtr& entry, const std::vector<EntryPtr>& all, bool create);
    void scaleReplicaSet(const EntryPtr& deployment, const EntryPtr& replicaSet, std::int64_t replicas);
    bool rollOut(const EntryPtr& entry, const EntryPtr& fresh, const std::vector<EntryPtr>& old);
    void deploymentStatus(const EntryPtr& entry, const EntryPtr& fresh, const std::vector<EntryPtr>& all, bool created);
    void cleanUpHistory(const EntryPtr& entry, const EntryPtr& fresh, std::vector<EntryPtr> old);
    // replica_set.cpp
    void replicaSet(const EntryPtr& entry);
    // stateful.cpp, daemon.cpp, jobs.cpp
    void statefulSet(const EntryPtr& entry);
    void daemonSet(const EntryPtr& entry);
    void job(const EntryPtr& entry);
    void cronJob(const EntryPtr& entry);
    // endpoints.cpp
    void endpoints(const EntryPtr& service);
    // scheduler.cpp
    void schedule(const EntryPtr& pod);
    void retryPending();
    // housekeeping.cpp
    void namespaceEnd(const EntryPtr& space);
    void disruptionBudget(const EntryPtr& budget);
    void quota(const EntryPtr& entry);
    void claim(const EntryPtr& entry);
    void customKind(const EntryPtr& entry);
    void heartbeat();
    void namespaceDefaults(const EntryPtr& space);

    EntryPtr createPod(const EntryPtr& owner, const Json& podTemplate, const std::string& name,
                       const std::string& generateName, std::string& error,
                       const std::function<void(Json&)>& adjust = {});
    std::vector<EntryPtr> podsOf(const EntryPtr& owner) const;
    static bool isReady(const Json& pod);
    static bool isActive(const Entry& pod);
    bool isAvailable(const Json& pod, std::int64_t minReadySeconds, WallTime* when) const;
    /// Sets a condition; its transition time moves only when its status does. True when something changed.
    static void setCondition(Json& status, const std::string& type, const std::string& value, const std::string& reason,
                             const std::string& message, WallTime now, bool withUpdateTime);
    void controllerRevision(const EntryPtr& owner, std::int64_t& revision, std::string& hash);

    Registry& registry_;
    World& world_;
    Recorder& recorder_;
    Kubelet& kubelet_;
    using Key = std::tuple<std::string, std::string, std::string>;
    std::set<Key> queue_;
    std::set<Key> delayed_;
    bool draining_ = false;
};

[[nodiscard]] std::string templateHash(const Json& podTemplate, std::int64_t collisions);

} // namespace alidade::simulator
