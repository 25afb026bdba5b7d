// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The kubelets of all nodes: pulls images, starts, probes, restarts and stops containers, and reports pod status.
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "kubelet/behaviour.hpp"
#include "world/recorder.hpp"
#include "world/registry.hpp"

namespace alidade::simulator {

class Kubelet {
public:
    Kubelet(Registry& registry, Recorder& recorder, ImageBook& images);
    /// A pod was bound, changed, or asked to go.
    void changed(const EntryPtr& pod);
    void gone(const std::string& uid);

    /// The log of a container's present or previous run; null when there is none. `why` is then the API's message.
    [[nodiscard]] std::shared_ptr<const RunLog> log(const Entry& pod, const std::string& container, bool previous,
                                                    std::string& why) const;

private:
    enum class State : std::uint8_t { Waiting, Running, Terminated };
    struct Container {
        std::string name;
        bool init = false;
        bool sidecar = false;
        State state = State::Waiting;
        std::string reason = "ContainerCreating";
        std::string message;
        int restarts = 0;
        bool ready = false;
        bool started = false;
        std::string id;
        std::string imageId;
        WallTime startedAt;
        WallTime finishedAt;
        int exitCode = 0;
        Json lastState = Json::object();
        int pullFailures = 0;
        std::int64_t backoffSeconds = 0;
        std::shared_ptr<RunLog> current, previous;
        std::vector<VirtualClock::Id> timers;
    };
    struct Pod {
        std::string ns, name, uid, node, ip;
        bool sandbox = false;
        bool stopping = false;
        std::vector<Container> containers; ///< init containers first
    };

    void admit(const EntryPtr& entry);
    void mount(const std::string& uid);
    void advance(const std::string& uid);
    void pull(const std::string& uid, std::size_t index);
    void create(const std::string& uid, std::size_t index);
    void run(const std::string& uid, std::size_t index, const Behaviour& behaviour);
    void probeReadiness(const std::string& uid, std::size_t index, const Behaviour& behaviour);
    void probeLiveness(const std::string& uid, std::size_t index, const Behaviour& behaviour, int failures);
    void ended(const std::string& uid, std::size_t index, int exitCode, const std::string& reason, bool byItself);
    void restart(const std::string& uid, std::size_t index);
    void stop(const EntryPtr& entry);
    void publish(const std::string& uid);

    Pod* pod(const std::string& uid);
    EntryPtr entry(const Pod& pod) const;
    const Json& spec(const Entry& entry, const Container& container) const;
    void cancel(Container& container);
    void later(const std::string& uid, std::size_t index, Millis delay, std::function<void()> call);
    void event(const Pod& pod, const Container* container, bool warning, std::string_view reason,
               const std::string& message);
    [[nodiscard]] std::string missingVolume(const Entry& entry) const;
    [[nodiscard]] std::string missingConfig(const Entry& entry, const Json& container) const;
    [[nodiscard]] Json containerStatus(const Entry& entry, const Container& container) const;
    [[nodiscard]] std::string phase(const Entry& entry, const Pod& pod) const;

    Registry& registry_;
    World& world_;
    Recorder& recorder_;
    ImageBook& images_;
    std::map<std::string, Pod> pods_;
    std::map<std::string, int> addresses_;                  ///< node -> last address
    std::set<std::pair<std::string, std::string>> present_; ///< node, image
};

} // namespace alidade::simulator
