// SPDX-License-Identifier: GPL-3.0-or-later
#include "kubelet/kubelet.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

namespace alidade::simulator {

namespace {

constexpr std::string_view component = "kubelet";

std::string took(Millis time) {
    if (time < Millis(1000))
        return std::to_string(time.count()) + "ms";
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.3fs", static_cast<double>(time.count()) / 1000);
    std::string out = text.data();
    while (out.size() > 2 && out[out.size() - 2] == '0' && out.find('.') != std::string::npos)
        out.erase(out.size() - 2, 1);
    return out;
}

int addressBase(const std::string& node) { return static_cast<int>(hash64(node) % 200U); }

} // namespace

Kubelet::Kubelet(Registry& registry, Recorder& recorder, ImageBook& images)
    : registry_(registry), world_(registry.world()), recorder_(recorder), images_(images) {}

Kubelet::Pod* Kubelet::pod(const std::string& uid) {
    const auto it = pods_.find(uid);
    return it == pods_.end() ? nullptr : &it->second;
}

EntryPtr Kubelet::entry(const Pod& pod) const {
    auto found = world_.find(world_.kind("pods"), pod.ns, pod.name);
    return found && found->uid() == pod.uid ? found : nullptr;
}

const Json& Kubelet::spec(const Entry& entry, const Container& container) const {
    for (const auto& c : items(at(entry.doc(), {"spec", container.init ? "initContainers" : "containers"})))
        if (str(at(c, "name")) == container.name)
            return c;
    return at(entry.doc(), "no such container");
}

void Kubelet::cancel(Container& container) {
    for (const auto id : container.timers)
        world_.clock().cancel(id);
    container.timers.clear();
}

void Kubelet::later(const std::string& uid, std::size_t index, Millis delay, std::function<void()> call) {
    auto* p = pod(uid);
    if (p == nullptr)
        return;
    p->containers[index].timers.push_back(world_.clock().after(delay, std::move(call)));
}

void Kubelet::event(const Pod& p, const Container* container, bool warning, std::string_view reason,
                    const std::string& message) {
    if (const auto about = entry(p)) {
        const auto path =
            container == nullptr
                ? std::string()
                : std::string(container->init ? "spec.initContainers{" : "spec.containers{") + container->name + "}";
        recorder_.record(*about, warning, reason, message, component, path, p.node);
    }
}

void Kubelet::gone(const std::string& uid) {
    auto* p = pod(uid);
    if (p == nullptr)
        return;
    for (auto& container : p->containers)
        cancel(container);
    pods_.erase(uid);
}

void Kubelet::changed(const EntryPtr& entry) {
    if (str(entry->doc(), {"spec", "nodeName"}).empty())
        return;
    auto* p = pod(entry->uid());
    if (p == nullptr) {
        const auto phase = str(entry->doc(), {"status", "phase"});
        if (entry->deleting()) {
            world_.clock().after(Millis(50), [this, entry] { registry_.finish(entry); });
        } else if (phase != "Succeeded" && phase != "Failed") {
            admit(entry);
        }
        return;
    }
    if (entry->deleting()) {
        if (!p->stopping)
            stop(entry);
        return;
    }
    for (std::size_t i = 0; i < p->containers.size(); ++i) {
        auto& c = p->containers[i];
        const auto image = str(at(spec(*entry, c), "image"));
        if (c.state == State::Running && !image.empty() && !c.imageId.empty() && c.imageId != image) {
            event(*p, &c, false, "Killing", "Container " + c.name + " definition changed, will be restarted");
            ended(entry->uid(), i, 0, "Completed", false);
            return;
        }
    }
}

void Kubelet::admit(const EntryPtr& entry) {
    Pod p;
    p.ns = entry->ns();
    p.name = entry->name();
    p.uid = entry->uid();
    p.node = str(entry->doc(), {"spec", "nodeName"});
    for (const auto* list : {"initContainers", "containers"})
        for (const auto& c : items(at(entry->doc(), {"spec", list}))) {
            Container container;
            container.name = str(at(c, "name"));
            container.init = std::string_view(list) == "initContainers";
            container.sidecar = container.init && str(at(c, "restartPolicy")) == "Always";
            if (!container.init && !items(at(entry->doc(), {"spec", "initContainers"})).empty())
                container.reason = "PodInitializing";
            p.containers.push_back(std::move(container));
        }
    const auto uid = p.uid;
    const bool empty = p.containers.empty();
    pods_.emplace(uid, std::move(p));
    if (empty)
        return;
    publish(uid);
    later(uid, 0, Millis(150), [this, uid] { mount(uid); });
}

std::string Kubelet::missingVolume(const Entry& entry) const {
    for (const auto& volume : items(at(entry.doc(), {"spec", "volumes"}))) {
        const auto name = str(at(volume, "name"));
        const auto check = [&](const char* source, const char* key, const char* resource,
                               const char* word) -> std::string {
            const Json& from = at(volume, source);
            const auto wanted = str(at(from, key));
            if (wanted.empty() || boolean(at(from, "optional")))
                return {};
            if (world_.find(world_.kind(resource), entry.ns(), wanted))
                return {};
            return "MountVolume.SetUp failed for volume \"" + name + "\" : " + word + " \"" + wanted + "\" not found";
        };
        if (auto missing = check("configMap", "name", "configmaps", "configmap"); !missing.empty())
            return missing;
        if (auto missing = check("secret", "secretName", "secrets", "secret"); !missing.empty())
            return missing;
    }
    return {};
}

void Kubelet::mount(const std::string& uid) {
    auto* p = pod(uid);
    const auto e = p == nullptr ? nullptr : entry(*p);
    if (!e || p->stopping)
        return;
    cancel(p->containers.front());
    if (const auto missing = missingVolume(*e); !missing.empty()) {
        event(*p, nullptr, true, "FailedMount", missing);
        later(uid, 0, Millis(8000), [this, uid] { mount(uid); });
        return;
    }
    p->sandbox = true;
    const int n = ++addresses_[p->node];
    if (boolean(at(e->doc(), {"spec", "hostNetwork"}))) {
        const auto node = world_.find(world_.kind("nodes"), "", p->node);
        p->ip = node ? str(at(items(at(node->doc(), {"status", "addresses"})).empty()
                                  ? Json()
                                  : at(node->doc(), {"status", "addresses"})[0],
                              "address"))
                     : "";
    } else {
        p->ip = "10.244." + std::to_string(addressBase(p->node)) + "." + std::to_string(1 + n % 254);
    }
    publish(uid);
    advance(uid);
}

/// Starts what may start now: init containers one after the other, then everything else.
void Kubelet::advance(const std::string& uid) {
    auto* p = pod(uid);
    if (p == nullptr || p->stopping)
        return;
    for (std::size_t i = 0; i < p->containers.size(); ++i) {
        auto& c = p->containers[i];
        if (!c.init)
            continue;
        const bool done = (c.state == State::Terminated && c.exitCode == 0 && !c.sidecar) || (c.sidecar && c.started);
        if (done)
            continue;
        if (c.state == State::Waiting && c.timers.empty())
            pull(uid, i);
        return;
    }
    for (std::size_t i = 0; i < p->containers.size(); ++i) {
        auto& c = p->containers[i];
        if (!c.init && c.state == State::Waiting && c.timers.empty() && c.restarts == 0) {
            if (c.reason == "PodInitializing")
                c.reason = "ContainerCreating";
            pull(uid, i);
        }
    }
}

void Kubelet::pull(const std::string& uid, std::size_t index) {
    auto* p = pod(uid);
    const auto e = p == nullptr ? nullptr : entry(*p);
    if (!e || p->stopping)
        return;
    auto& c = p->containers[index];
    cancel(c);
    const Json& container = spec(*e, c);
    const auto image = str(at(container, "image"));
    const auto policy = str(at(container, "imagePullPolicy"));
    const bool present = present_.count({p->node, image}) != 0;
    if (present && policy != "Always") {
        event(*p, &c, false, "Pulled", "Container image \"" + image + "\" already present on machine");
        later(uid, index, Millis(60), [this, uid, index] { create(uid, index); });
        return;
    }
    event(*p, &c, false, "Pulling", "Pulling image \"" + image + "\"");
    const Image* known = images_.find(image);
    if (known != nullptr && policy != "Never") {
        const Millis time = present ? Millis(120) : known->pullTime;
        later(uid, index, time, [this, uid, index, image, time, size = known->sizeBytes] {
            auto* pod_ = pod(uid);
            if (pod_ == nullptr)
                return;
            present_.insert({pod_->node, image});
            pod_->containers[index].pullFailures = 0;
            event(*pod_, &pod_->containers[index], false, "Pulled",
                  "Successfully pulled image \"" + image + "\" in " + took(time) + " (" + took(time) +
                      " including waiting). Image size: " + std::to_string(size) + " bytes.");
            create(uid, index);
        });
        return;
    }
    later(uid, index, Millis(700), [this, uid, index, image] {
        auto* pod_ = pod(uid);
        if (pod_ == nullptr)
            return;
        auto& failed = pod_->containers[index];
        const auto error = images_.pullError(image);
        event(*pod_, &failed, true, "Failed", "Failed to pull image \"" + image + "\": " + error);
        event(*pod_, &failed, true, "Failed", "Error: ErrImagePull");
        failed.state = State::Waiting;
        failed.reason = "ErrImagePull";
        failed.message = error;
        ++failed.pullFailures;
        publish(uid);
        const auto wait = std::min<std::int64_t>(300, 10LL << std::min(5, failed.pullFailures - 1));
        later(uid, index, Millis(1500), [this, uid, index, image, error] {
            auto* backing = pod(uid);
            if (backing == nullptr)
                return;
            auto& waiting = backing->containers[index];
            event(*backing, &waiting, false, "BackOff", "Back-off pulling image \"" + image + "\"");
            event(*backing, &waiting, true, "Failed", "Error: ImagePullBackOff");
            waiting.reason = "ImagePullBackOff";
            waiting.message = "Back-off pulling image \"" + image + "\": ErrImagePull: " + error;
            publish(uid);
        });
        later(uid, index, Millis(wait * 1000), [this, uid, index] { pull(uid, index); });
    });
}

std::string Kubelet::missingConfig(const Entry& entry, const Json& container) const {
    const auto check = [&](const Json& reference, const char* resource, const char* word, const char* title,
                           bool key) -> std::string {
        const auto name = str(at(reference, "name"));
        if (name.empty() || boolean(at(reference, "optional")))
            return {};
        const auto object = world_.find(world_.kind(resource), entry.ns(), name);
        if (!object)
            return std::string(word) + " \"" + name + "\" not found";
        const auto wanted = str(at(reference, "key"));
        if (key && at(object->doc(), {"data", wanted}).is_null())
            return "couldn't find key " + wanted + " in " + title + " " + entry.ns() + "/" + name;
        return {};
    };
    for (const auto& from : items(at(container, "envFrom"))) {
        if (auto m = check(at(from, "configMapRef"), "configmaps", "configmap", "ConfigMap", false); !m.empty())
            return m;
        if (auto m = check(at(from, "secretRef"), "secrets", "secret", "Secret", false); !m.empty())
            return m;
    }
    for (const auto& env : items(at(container, "env"))) {
        if (auto m = check(at(env, {"valueFrom", "configMapKeyRef"}), "configmaps", "configmap", "ConfigMap", true);
            !m.empty())
            return m;
        if (auto m = check(at(env, {"valueFrom", "secretKeyRef"}), "secrets", "secret", "Secret", true); !m.empty())
            return m;
    }
    return {};
}

void Kubelet::create(const std::string& uid, std::size_t index) {
    auto* p = pod(uid);
    const auto e = p == nullptr ? nullptr : entry(*p);
    if (!e || p->stopping)
        return;
    auto& c = p->containers[index];
    cancel(c);
    const Json& container = spec(*e, c);
    if (const auto missing = missingConfig(*e, container); !missing.empty()) {
        event(*p, &c, true, "Failed", "Error: " + missing);
        c.state = State::Waiting;
        c.reason = "CreateContainerConfigError";
        c.message = missing;
        publish(uid);
        later(uid, index, Millis(10000), [this, uid, index] { create(uid, index); });
        return;
    }
    event(*p, &c, false, "Created", "Created container: " + c.name);
    const auto behaviour = images_.behaviour(container, e->doc());
    c.id = "containerd://";
    for (int i = 0; i < 4; ++i) {
        std::array<char, 20> part{};
        std::snprintf(part.data(), part.size(), "%016llx", static_cast<unsigned long long>(world_.random()));
        c.id += part.data();
    }
    c.imageId = str(at(container, "image"));
    if (!behaviour.startError.empty()) {
        event(*p, &c, true, "Failed", "Error: " + behaviour.startError);
        c.startedAt = WallTime{};
        c.message = behaviour.startError;
        ended(uid, index, behaviour.exitCode == 0 ? 128 : behaviour.exitCode, "StartError", false);
        return;
    }
    later(uid, index, Millis(80), [this, uid, index, behaviour] { run(uid, index, behaviour); });
}

void Kubelet::run(const std::string& uid, std::size_t index, const Behaviour& behaviour) {
    auto* p = pod(uid);
    const auto e = p == nullptr ? nullptr : entry(*p);
    if (!e || p->stopping)
        return;
    auto& c = p->containers[index];
    cancel(c);
    c.state = State::Running;
    c.reason.clear();
    c.message.clear();
    c.startedAt = world_.now();
    c.started = at(spec(*e, c), "startupProbe").is_null();
    auto log = std::make_shared<RunLog>();
    log->started = world_.now();
    log->behaviour = behaviour;
    log->seed = hash64(uid + c.name + std::to_string(c.restarts));
    log->pod = p->name;
    if (c.current)
        c.previous = c.current;
    c.current = log;
    event(*p, &c, false, "Started", "Started container " + c.name);
    const Json& container = spec(*e, c);
    const Json& readiness = at(container, "readinessProbe");
    const Json& startup = at(container, "startupProbe");
    c.ready = readiness.is_null() && startup.is_null();
    if (!c.ready) {
        const Json& probe = readiness.is_null() ? startup : readiness;
        const auto delay = std::max(behaviour.readyAfter, Millis(integer(at(probe, "initialDelaySeconds")) * 1000));
        later(uid, index, delay, [this, uid, index, behaviour] { probeReadiness(uid, index, behaviour); });
    }
    if (!at(container, "livenessProbe").is_null() && !behaviour.livenessFailure.empty()) {
        const auto delay = std::max(behaviour.livenessFailsFrom,
                                    Millis(integer(at(container, {"livenessProbe", "initialDelaySeconds"})) * 1000));
        later(uid, index, delay, [this, uid, index, behaviour] { probeLiveness(uid, index, behaviour, 0); });
    }
    if (behaviour.runsFor)
        later(uid, index, *behaviour.runsFor, [this, uid, index, behaviour] {
            ended(uid, index, behaviour.exitCode,
                  !behaviour.endReason.empty() ? behaviour.endReason
                  : behaviour.exitCode == 0    ? "Completed"
                                               : "Error",
                  true);
        });
    publish(uid);
    if (c.init)
        advance(uid);
}

void Kubelet::probeReadiness(const std::string& uid, std::size_t index, const Behaviour& behaviour) {
    auto* p = pod(uid);
    const auto e = p == nullptr ? nullptr : entry(*p);
    if (!e || p->stopping || p->containers[index].state != State::Running)
        return;
    auto& c = p->containers[index];
    if (behaviour.readinessFailure.empty()) {
        c.ready = true;
        c.started = true;
        publish(uid);
        return;
    }
    c.started = true;
    event(*p, &c, true, "Unhealthy", "Readiness probe failed: " + behaviour.readinessFailure);
    const auto period = integer(at(spec(*e, c), {"readinessProbe", "periodSeconds"}), 10);
    later(uid, index, Millis(std::max<std::int64_t>(1, period) * 1000),
          [this, uid, index, behaviour] { probeReadiness(uid, index, behaviour); });
}

void Kubelet::probeLiveness(const std::string& uid, std::size_t index, const Behaviour& behaviour, int failures) {
    auto* p = pod(uid);
    const auto e = p == nullptr ? nullptr : entry(*p);
    if (!e || p->stopping || p->containers[index].state != State::Running)
        return;
    auto& c = p->containers[index];
    event(*p, &c, true, "Unhealthy", "Liveness probe failed: " + behaviour.livenessFailure);
    const Json& probe = at(spec(*e, c), "livenessProbe");
    if (++failures >= integer(at(probe, "failureThreshold"), 3)) {
        event(*p, &c, false, "Killing", "Container " + c.name + " failed liveness probe, will be restarted");
        later(uid, index, behaviour.stopsIn, [this, uid, index] { ended(uid, index, 137, "Error", false); });
        return;
    }
    later(uid, index, Millis(std::max<std::int64_t>(1, integer(at(probe, "periodSeconds"), 10)) * 1000),
          [this, uid, index, behaviour, failures] { probeLiveness(uid, index, behaviour, failures); });
}

void Kubelet::ended(const std::string& uid, std::size_t index, int exitCode, const std::string& reason, bool byItself) {
    auto* p = pod(uid);
    const auto e = p == nullptr ? nullptr : entry(*p);
    if (!e)
        return;
    auto& c = p->containers[index];
    cancel(c);
    c.state = State::Terminated;
    c.reason = reason;
    c.exitCode = exitCode;
    c.finishedAt = world_.now();
    c.ready = false;
    c.started = false;
    if (c.current && reason != "StartError") {
        c.current->ended = world_.now();
        c.current->closed = byItself;
    }
    publish(uid);
    if (p->stopping)
        return;
    const auto policy = str(e->doc(), {"spec", "restartPolicy"}, "Always");
    const bool again = c.init ? (c.sidecar || (exitCode != 0 && policy != "Never"))
                              : policy == "Always" || (policy == "OnFailure" && exitCode != 0);
    if (!again) {
        if (c.init && exitCode == 0)
            advance(uid);
        return;
    }
    if (reason != "StartError" && c.finishedAt - c.startedAt > std::chrono::minutes(10))
        c.backoffSeconds = 0;
    const auto wait = c.backoffSeconds;
    c.backoffSeconds = wait == 0 ? 10 : std::min<std::int64_t>(300, wait * 2);
    if (wait == 0) {
        later(uid, index, Millis(900), [this, uid, index] { restart(uid, index); });
        return;
    }
    later(uid, index, Millis(1000), [this, uid, index, wait] {
        auto* backing = pod(uid);
        if (backing == nullptr)
            return;
        auto& waiting = backing->containers[index];
        waiting.lastState = at(containerStatus(*entry(*backing), waiting), "state");
        waiting.state = State::Waiting;
        waiting.reason = "CrashLoopBackOff";
        const auto text =
            wait >= 60 ? std::to_string(wait / 60) + "m" + std::to_string(wait % 60) + "s" : std::to_string(wait) + "s";
        waiting.message = "back-off " + text + " restarting failed container=" + waiting.name +
                          " pod=" + backing->name + "_" + backing->ns + "(" + uid + ")";
        event(*backing, &waiting, true, "BackOff",
              "Back-off restarting failed container " + waiting.name + " in pod " + backing->name + "_" + backing->ns +
                  "(" + uid + ")");
        publish(uid);
    });
    later(uid, index, Millis(wait * 1000), [this, uid, index] { restart(uid, index); });
}

void Kubelet::restart(const std::string& uid, std::size_t index) {
    auto* p = pod(uid);
    const auto e = p == nullptr ? nullptr : entry(*p);
    if (!e || p->stopping)
        return;
    auto& c = p->containers[index];
    if (c.state == State::Terminated)
        c.lastState = at(containerStatus(*e, c), "state");
    ++c.restarts;
    pull(uid, index);
}

void Kubelet::stop(const EntryPtr& e) {
    auto* p = pod(e->uid());
    p->stopping = true;
    const auto uid = e->uid();
    Millis longest{100};
    for (auto& c : p->containers) {
        cancel(c);
        if (c.state != State::Running)
            continue;
        event(*p, &c, false, "Killing", "Stopping container " + c.name);
        if (c.current)
            longest = std::max(longest, c.current->behaviour.stopsIn);
    }
    longest = std::min(
        longest,
        Millis(1000 * std::max<std::int64_t>(0, integer(e->doc(), {"metadata", "deletionGracePeriodSeconds"}, 30))));
    world_.clock().after(longest, [this, uid] {
        auto* ending = pod(uid);
        if (ending == nullptr)
            return;
        for (std::size_t i = 0; i < ending->containers.size(); ++i)
            if (ending->containers[i].state == State::Running)
                ended(uid, i, 0, "Completed", false);
        const auto last = entry(*ending);
        world_.clock().after(Millis(120), [this, last] {
            if (last)
                registry_.finish(last);
        });
    });
}

std::shared_ptr<const RunLog> Kubelet::log(const Entry& entry, const std::string& name, bool previous,
                                           std::string& why) const {
    const auto missing = "previous terminated container \"" + name + "\" in pod \"" + entry.name() + "\" not found";
    const auto it = pods_.find(entry.uid());
    const Container* c = nullptr;
    if (it != pods_.end())
        for (const auto& candidate : it->second.containers)
            if (candidate.name == name)
                c = &candidate;
    if (c == nullptr || (!c->current && !previous)) {
        const bool pulling = c != nullptr && (c->reason == "ErrImagePull" || c->reason == "ImagePullBackOff");
        why = previous ? missing
                       : "container \"" + name + "\" in pod \"" + entry.name() + "\" is waiting to start: " +
                             (pulling        ? std::string("trying and failing to pull image")
                              : c == nullptr ? std::string("ContainerCreating")
                                             : c->reason);
        return nullptr;
    }
    if (!previous)
        return c->current;
    // While a container is down, the run before the next one is the run that has just ended.
    auto run = c->current && c->current->ended ? c->current : c->previous;
    if (c->restarts == 0 && c->state == State::Running)
        run.reset();
    if (!run)
        why = missing;
    return run;
}

} // namespace alidade::simulator
