// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <mutex>
#include <optional>

#include "alidade/cluster_model/json_read.hpp"
#include "gather/gather.hpp"
#include "gather/objects.hpp"
#include "gather/parallel.hpp"

namespace alidade::agent {
namespace {

using nlohmann::json;
namespace kinds = guard::kinds;
namespace read = cluster::read;

constexpr std::size_t listLimit = 2000;
constexpr std::size_t logReads = 24;
constexpr std::size_t logPodsPerWorkload = 2;
constexpr std::size_t revisionReads = 12;
constexpr int logLines = 200;
constexpr std::size_t logBytes = 256UL * 1024;

struct Source {
    const guard::KindId& (*kind)();
    bool required; ///< a "no fault" needs it
};
constexpr std::array sources{
    Source{kinds::deployments, true},  Source{kinds::pods, true},
    Source{kinds::replicaSets, true},  Source{kinds::events, true},
    Source{kinds::statefulSets, true}, Source{kinds::daemonSets, true},
    Source{kinds::services, true},     Source{kinds::endpointSlices, false},
    Source{kinds::configMaps, false},  Source{kinds::secrets, false},
};

class Gatherer {
public:
    Gatherer(const cluster::BlockingReader& reader, const std::stop_token& stop, Reading& out)
        : reader_(reader), stop_(stop), out_(out) {}

    void lists() {
        out_.lists.resize(sources.size());
        std::vector<std::function<void()>> tasks;
        tasks.emplace_back([this] { nsObject(); });
        for (std::size_t i = 0; i < sources.size(); ++i) {
            out_.lists[i].kind = sources[i].kind();
            tasks.emplace_back([this, i] { list(sources[i], out_.lists[i]); });
        }
        runAll(tasks, stop_);
    }

    void details() {
        for (const RawObject& replicaSet : out_.objects(kinds::replicaSets()))
            if (guard::ObjectRef owner = controllerOf(replicaSet.value()); !owner.key.name.empty())
                aboveReplicaSet_.emplace(read::text(replicaSet.value(), {"metadata", "uid"}), std::move(owner));
        std::vector<std::function<void()>> tasks;
        for (const guard::ObjectRef& workload : troubledWorkloads())
            tasks.emplace_back([this, workload] { revisions(workload); });
        for (const Log& log : wantedLogs())
            tasks.emplace_back([this, log] { logOf(log); });
        runAll(tasks, stop_);
        std::sort(out_.revisions.begin(), out_.revisions.end(),
                  [](const auto& a, const auto& b) { return a.workload.key < b.workload.key; });
        std::sort(out_.logs.begin(), out_.logs.end(), [](const auto& a, const auto& b) {
            return std::tie(a.pod.key, a.container, b.previous) < std::tie(b.pod.key, b.container, a.previous);
        });
    }

private:
    /// Once two reads have timed out with none answered in between, or the first of all has, asking on would only add
    /// their limits up: the rest are gaps with the same reason, at once.
    std::optional<guard::Error> givenUp() {
        const std::lock_guard lock(mutex_);
        return unanswered_ >= (answered_ ? 2 : 1) ? unansweredWhy_ : std::nullopt;
    }
    template<class T>
    guard::Result<T> noted(guard::Result<T> answer) {
        const std::lock_guard lock(mutex_);
        if (answer || answer.error().code != guard::ErrorCode::Timeout) {
            unanswered_ = 0;
            answered_ = true;
        } else {
            ++unanswered_;
            unansweredWhy_ = answer.error();
        }
        return answer;
    }
    template<class Ask>
    auto asked(Ask ask) -> decltype(ask()) {
        if (auto error = givenUp())
            return tl::unexpected(std::move(*error));
        return noted(ask());
    }

    struct Log {
        guard::ObjectRef pod;
        std::string container;
        std::string containerId;
        bool previous = false;
    };

    void gap(std::string source, const guard::Error& error, bool required) {
        if (error.code == guard::ErrorCode::Cancelled && stop_.stop_requested())
            return;
        const std::lock_guard lock(mutex_);
        (required ? out_.gaps : out_.otherGaps)
            .push_back({std::move(source), guard::coverageOf(error.code), error.detail});
    }

    void nsObject() {
        auto answer = asked([&] { return reader_.get({kinds::namespaces(), "", out_.ns}, stop_); });
        const std::lock_guard lock(mutex_);
        ++out_.reads;
        if (answer)
            out_.nsObject = std::move(*answer);
        else if (answer.error().code == guard::ErrorCode::NotFound)
            out_.nsMissing = true;
        else if (!stop_.stop_requested())
            out_.otherGaps.push_back({"namespace " + out_.ns, guard::coverageOf(answer.error().code),
                                      "whether it exists could not be verified: " + answer.error().detail});
    }

    void list(const Source& source, ListRead& out) {
        auto answer = asked([&] { return reader_.list(source.kind(), {out_.ns, "", ""}, listLimit, stop_); });
        const std::string name = cluster::sourceGap(source.kind(), out_.ns, guard::Coverage::Failed, "").source;
        {
            const std::lock_guard lock(mutex_);
            ++out_.reads;
        }
        if (!answer) {
            // A kind that this server does not serve has no objects.
            if (answer.error().code != guard::ErrorCode::NotFound)
                gap(name, answer.error(), source.required);
            return;
        }
        {
            const std::lock_guard lock(mutex_);
            for (const guard::Gap& each : answer->gaps())
                // Whether the namespace is there is asked once, above, not by every empty list.
                if (each.source.rfind("namespace ", 0) != 0)
                    (source.required ? out_.gaps : out_.otherGaps).push_back({name, each.coverage, each.reason});
        }
        out.objects = std::move(*answer).partial();
    }

    void revisions(const guard::ObjectRef& workload) {
        auto answer = asked([&] { return reader_.revisions(workload, stop_); });
        const std::string name = "revisions of " + workload.key.text();
        if (!answer)
            return gap(name, answer.error(), false);
        const std::lock_guard lock(mutex_);
        ++out_.reads;
        for (const guard::Gap& each : answer->gaps())
            out_.otherGaps.push_back({name, each.coverage, each.reason});
        out_.revisions.push_back({workload, std::move(*answer).partial()});
    }

    void logOf(const Log& log) {
        cluster::LogOptions options;
        options.container = log.container;
        options.previous = log.previous;
        options.tailLines = logLines;
        options.maxBytes = logBytes;
        auto answer = asked([&] { return reader_.logs(log.pod.key, options, stop_); });
        if (!answer) {
            // 400 and 404: not started yet, no earlier run, or gone meanwhile. The container's state tells which.
            if (answer.error().code != guard::ErrorCode::BadRequest &&
                answer.error().code != guard::ErrorCode::NotFound)
                gap("log of " + log.pod.key.text() + ", container " + log.container +
                        (log.previous ? " (previous)" : ""),
                    answer.error(), false);
            return;
        }
        const std::lock_guard lock(mutex_);
        ++out_.reads;
        out_.logs.push_back({log.pod, log.container, log.containerId, log.previous, std::move(*answer)});
    }

    [[nodiscard]] std::vector<guard::ObjectRef> troubledWorkloads() const {
        std::vector<guard::ObjectRef> out;
        const std::set<guard::ObjectKey> owners = troubledOwners();
        for (const guard::KindId& kind : {kinds::deployments(), kinds::statefulSets(), kinds::daemonSets()})
            for (const RawObject& object : out_.objects(kind)) {
                const guard::ObjectRef ref = refOf(kind, object.value());
                if (!ref.key.name.empty() && (!whole(kind, object.value()) || owners.contains(ref.key)))
                    out.push_back(ref);
            }
        // The Services' selectors may have lost their pods to a new template: then every Deployment's history tells.
        if (out.size() < revisionReads)
            for (const RawObject& object : out_.objects(kinds::deployments())) {
                const guard::ObjectRef ref = refOf(kinds::deployments(), object.value());
                if (out.size() < revisionReads && std::find(out.begin(), out.end(), ref) == out.end())
                    out.push_back(ref);
            }
        if (out.size() > revisionReads)
            out.resize(revisionReads);
        return out;
    }
    [[nodiscard]] static bool whole(const guard::KindId& kind, const json& object) {
        const json* status = read::member(object, "status");
        if (status == nullptr)
            return false;
        if (kind == kinds::daemonSets()) {
            const int desired = read::number(*status, "desiredNumberScheduled");
            return read::number(*status, "numberReady") >= desired &&
                   read::number(*status, "updatedNumberScheduled") >= desired;
        }
        const int desired =
            read::member(object, "spec") == nullptr ? 1 : read::number(*read::member(object, "spec"), "replicas", 1);
        return read::number(*status, "readyReplicas") >= desired &&
               read::number(*status, "updatedReplicas") >= desired && read::number(*status, "unavailableReplicas") == 0;
    }
    /// The top owner as far as the ReplicaSets tell.
    [[nodiscard]] guard::ObjectRef topOwner(const json& pod) const {
        guard::ObjectRef owner = controllerOf(pod);
        const auto above = aboveReplicaSet_.find(owner.uid);
        return above == aboveReplicaSet_.end() ? owner : above->second;
    }
    [[nodiscard]] static bool troubled(const guard::ContainerSignal& container, bool podDone) {
        if (container.restarts > 0 || !container.lastReason.empty())
            return true;
        if (container.init)
            return container.state == "waiting" || (container.state == "terminated" && container.exitCode != 0);
        return !podDone && !container.ready;
    }
    [[nodiscard]] std::set<guard::ObjectKey> troubledOwners() const {
        std::set<guard::ObjectKey> out;
        for (const RawObject& pod : out_.objects(kinds::pods()))
            for (const guard::ContainerSignal& container : containersOf(pod.value()))
                if (troubled(container, read::text(pod.value(), {"status", "phase"}) == "Succeeded"))
                    out.insert(topOwner(pod.value()).key);
        return out;
    }

    /// By the containers' states, never by the pod's phase: the previous run of everything that restarted, the present
    /// run of everything that is not ready, and of a healthy neighbour in the same workload one.
    [[nodiscard]] std::vector<Log> wantedLogs() const {
        std::vector<Log> out;
        std::map<guard::ObjectKey, std::size_t> perWorkload;
        std::set<guard::ObjectKey> sick;
        const auto want = [&](const json& pod, const std::string& container, bool previous) {
            if (out.size() < logReads)
                out.push_back({refOf(kinds::pods(), pod), container, containerId(pod, container, previous), previous});
        };
        for (const RawObject& each : out_.objects(kinds::pods())) {
            const json& pod = each.value();
            const bool done = read::text(pod, {"status", "phase"}) == "Succeeded";
            const guard::ObjectKey owner = topOwner(pod).key;
            bool counted = false;
            for (const guard::ContainerSignal& container : containersOf(pod)) {
                if (!troubled(container, done))
                    continue;
                sick.insert(owner);
                if (!counted && !owner.name.empty() && ++perWorkload[owner] > logPodsPerWorkload)
                    break;
                counted = true;
                const bool ran = container.restarts > 0 || !container.lastReason.empty();
                if (ran)
                    want(pod, container.name, true);
                // In back-off the present log is the ended run's own, read above.
                if (container.state == "running" || (container.state == "terminated" && !ran))
                    want(pod, container.name, false);
            }
        }
        for (const RawObject& each : out_.objects(kinds::pods())) {
            const guard::ObjectKey owner = topOwner(each.value()).key;
            if (!podReady(each.value()) || !sick.contains(owner))
                continue;
            sick.erase(owner);
            for (const guard::ContainerSignal& container : containersOf(each.value()))
                if (container.state == "running" && container.restarts == 0)
                    want(each.value(), container.name, false);
        }
        return out;
    }

    const cluster::BlockingReader& reader_;
    const std::stop_token& stop_;
    Reading& out_;
    std::map<std::string, guard::ObjectRef> aboveReplicaSet_; ///< by the ReplicaSet's UID
    std::mutex mutex_;
    bool answered_ = false; ///< anything, a refusal too
    int unanswered_ = 0;    ///< timeouts since the last answer of any kind
    std::optional<guard::Error> unansweredWhy_;
};

} // namespace

const std::vector<RawObject>& Reading::objects(const guard::KindId& kind) const {
    for (const ListRead& list : lists)
        if (list.kind == kind)
            return list.objects;
    static const std::vector<RawObject> none;
    return none;
}

Reading readNamespace(const cluster::BlockingReader& reader, const cluster::SessionInfo& info, const Incident& incident,
                      guard::WallTime now, const std::stop_token& stop) {
    Reading out;
    out.context = info.context;
    out.ns = incident.ns;
    out.at = now;
    if (!guard::validNamespace(out.ns)) {
        out.nsMissing = true;
        return out;
    }
    Gatherer gatherer(reader, stop, out);
    gatherer.lists();
    if (!stop.stop_requested() && !out.nsMissing)
        gatherer.details();
    const auto byName = [](const guard::Gap& a, const guard::Gap& b) { return a.source < b.source; };
    std::sort(out.gaps.begin(), out.gaps.end(), byName);
    std::sort(out.otherGaps.begin(), out.otherGaps.end(), byName);
    return out;
}

} // namespace alidade::agent
