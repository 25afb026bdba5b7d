// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A session over objects in memory: scripted answers, refusals and changes. And a clock that moves when somebody waits.
#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "alidade/cluster_model/session.hpp"
#include "alidade/guard/clock.hpp"

namespace alidade::test {

using nlohmann::json;
namespace kinds = guard::kinds;

/// sleepUntil() goes there at once.
class LeapingClock final : public guard::Clock {
public:
    [[nodiscard]] guard::MonoTime now() const override {
        const std::lock_guard lock(mutex_);
        return now_;
    }
    [[nodiscard]] guard::WallTime wall() const override {
        const std::lock_guard lock(mutex_);
        return guard::WallTime{std::chrono::seconds{1'700'000'000}} + now_.time_since_epoch();
    }
    bool sleepUntil(guard::MonoTime until, std::stop_token stop) const override {
        const std::lock_guard lock(mutex_);
        if (stop.stop_requested())
            return false;
        now_ = std::max(now_, until);
        return true;
    }

private:
    mutable std::mutex mutex_;
    mutable guard::MonoTime now_{};
};

class FakeReader final : public cluster::ClusterReader {
public:
    std::map<std::string, std::vector<json>> objects; ///< by plural
    std::map<std::string, guard::Error> refusals;     ///< "list pods", "logs", "get namespaces", "revisions"
    std::map<std::string, std::string> texts;         ///< "pod/container" or "pod/container/previous"
    std::map<std::string, std::vector<cluster::Revision>> history; ///< by workload name
    std::function<void(const std::string&)> onRead;                ///< before each answer; any thread
    std::function<void(json&)> onGet;                              ///< may change what a get of a workload gives
    std::mutex mutex;
    std::vector<std::string> asked;

    void get(const cluster::ObjectKey& key, cluster::Done<guard::Raw<json>> done) override {
        if (refused("get " + key.kind.resource, done))
            return;
        for (const json& object : of(objects, key.kind.resource))
            if (object["metadata"]["name"] == key.name) {
                json copy = object;
                if (onGet)
                    onGet(copy);
                return done(guard::Raw<json>(std::move(copy)));
            }
        done(guard::fail(guard::ErrorCode::NotFound, "GET " + key.text(), "not found"));
    }
    void list(const cluster::KindId& kind, const cluster::ListScope& scope, std::size_t,
              cluster::Done<cluster::Answer<std::vector<guard::Raw<json>>>> done) override {
        if (refused("list " + kind.resource, done))
            return;
        std::vector<guard::Raw<json>> out;
        for (const json& object : of(objects, kind.resource))
            if (object["metadata"].value("namespace", "") == scope.ns)
                out.emplace_back(object);
        done(cluster::Answer<std::vector<guard::Raw<json>>>(std::move(out), kind.resource));
    }
    void events(const cluster::ObjectRef&,
                cluster::Done<cluster::Answer<std::vector<cluster::EventRecord>>> done) override {
        done(cluster::Answer<std::vector<cluster::EventRecord>>({}, "events"));
    }
    void logs(const cluster::ObjectKey& pod, const cluster::LogOptions& options,
              cluster::Done<guard::Raw<guard::LogText>> done) override {
        if (refused("logs", done))
            return;
        const auto found = texts.find(pod.name + "/" + options.container + (options.previous ? "/previous" : ""));
        if (found == texts.end())
            return done(guard::fail(guard::ErrorCode::BadRequest, "logs", "previous terminated container not found"));
        guard::LogText text;
        text.text = found->second;
        done(guard::Raw<guard::LogText>(std::move(text)));
    }
    void revisions(const cluster::ObjectRef& workload,
                   cluster::Done<cluster::Answer<std::vector<cluster::Revision>>> done) override {
        if (refused("revisions", done))
            return;
        done(cluster::Answer<std::vector<cluster::Revision>>(of(history, workload.key.name), "revisions"));
    }
    void describe(const cluster::ObjectKey& key, cluster::Done<guard::Raw<std::string>> done) override {
        done(guard::fail(guard::ErrorCode::Unsupported, key.text(), "not asked for"));
    }
    void catalog(cluster::Done<cluster::Answer<cluster::Catalog>> done) override {
        done(cluster::Answer<cluster::Catalog>(cluster::Catalog{}, "catalog"));
    }
    void access(std::string, const cluster::KindId&, std::string, std::string, std::string,
                cluster::Done<guard::AccessReview> done) override {
        done(guard::AccessReview{});
    }
    void relations(std::optional<cluster::ObjectRef>, const cluster::ListScope&, int,
                   cluster::Done<cluster::Answer<cluster::Graph>> done) override {
        done(cluster::Answer<cluster::Graph>(cluster::Graph{}, "relations"));
    }

private:
    /// Reads come from several threads at once: looking must not make an entry.
    template<class T>
    static const std::vector<T>& of(const std::map<std::string, std::vector<T>>& all, const std::string& name) {
        static const std::vector<T> none;
        const auto found = all.find(name);
        return found == all.end() ? none : found->second;
    }
    template<class T>
    bool refused(const std::string& what, const cluster::Done<T>& done) {
        {
            const std::lock_guard lock(mutex);
            asked.push_back(what);
        }
        if (onRead)
            onRead(what);
        const auto found = refusals.find(what);
        if (found == refusals.end())
            return false;
        done(tl::unexpected(found->second));
        return true;
    }
};

class FakeSession final : public cluster::ClusterSession {
public:
    std::shared_ptr<FakeReader> fake = std::make_shared<FakeReader>();
    cluster::SessionInfo about;

    FakeSession() {
        about.epoch = {7};
        about.context = "test";
        about.user = "tester";
        about.ns = "shop";
    }
    [[nodiscard]] const cluster::SessionInfo& info() const noexcept override { return about; }
    [[nodiscard]] std::shared_ptr<cluster::ClusterReader> reader() override { return fake; }
    [[nodiscard]] std::shared_ptr<void> subscribe(const cluster::KindId&, const cluster::ListScope&,
                                                  std::shared_ptr<cluster::Mailbox<cluster::DeltaBatch>>,
                                                  std::uint64_t) override {
        return nullptr;
    }
    [[nodiscard]] std::shared_ptr<void> watchObject(const cluster::ObjectRef&,
                                                    std::function<void(cluster::Result<guard::Raw<json>>)>) override {
        return nullptr;
    }
    [[nodiscard]] std::shared_ptr<void> followLogs(const cluster::ObjectKey&, const cluster::LogOptions&,
                                                   std::shared_ptr<cluster::Mailbox<cluster::LogChunk>>,
                                                   std::uint64_t) override {
        return nullptr;
    }
    [[nodiscard]] std::shared_ptr<void>
    observeConnection(std::function<void(const cluster::ConnectionState&)>) override {
        return nullptr;
    }
    void probe() override {}
};

// --- a shop in which checkout was rolled to an image that is not there ---

inline constexpr const char* plantedPassword = "hunter2-quite-long";

inline json meta(const std::string& name, const std::string& uid) {
    return {{"name", name}, {"namespace", "shop"}, {"uid", uid}, {"resourceVersion", "41"}, {"generation", 1}};
}
inline json owned(json object, const std::string& kind, const std::string& name, const std::string& uid) {
    object["metadata"]["ownerReferences"] = {
        {{"apiVersion", "apps/v1"}, {"kind", kind}, {"name", name}, {"uid", uid}, {"controller", true}}};
    return object;
}
inline json deployment(const std::string& name, int desired, int ready, int updated) {
    return {{"metadata", meta(name, "u-" + name)},
            {"spec", {{"replicas", desired}, {"selector", {{"matchLabels", {{"app", name}}}}}}},
            {"status",
             {{"observedGeneration", 1},
              {"replicas", desired + (updated < desired ? 1 : 0)},
              {"readyReplicas", ready},
              {"updatedReplicas", updated}}}};
}
inline json replicaSet(const std::string& workload, const std::string& hash, int ready) {
    json out = {{"metadata", meta(workload + "-" + hash, "u-" + workload + "-" + hash)},
                {"status", {{"readyReplicas", ready}}}};
    return owned(out, "Deployment", workload, "u-" + workload);
}
inline json pod(const std::string& workload, const std::string& hash, const std::string& suffix,
                const std::string& image, const json& status) {
    const std::string name = workload + "-" + hash + "-" + suffix;
    json out = {
        {"metadata", meta(name, "u-" + name)},
        {"spec", {{"containers", {{{"name", "app"}, {"image", image}}}}}},
        {"status", {{"phase", "Running"}, {"containerStatuses", json::array()}, {"conditions", json::array()}}}};
    out["metadata"]["labels"] = {{"app", workload}};
    json one = {{"name", "app"}, {"image", image}, {"restartCount", 0}, {"ready", false}};
    one.update(status);
    out["status"]["containerStatuses"].push_back(one);
    out["status"]["conditions"].push_back({{"type", "Ready"}, {"status", one["ready"].get<bool>() ? "True" : "False"}});
    return owned(out, "ReplicaSet", workload + "-" + hash, "u-" + workload + "-" + hash);
}
inline json up() { return {{"ready", true}, {"state", {{"running", {{"startedAt", "2024-05-01T12:00:00Z"}}}}}}; }
inline json backOff(const std::string& image) {
    return {{"state",
             {{"waiting", {{"reason", "ImagePullBackOff"}, {"message", "Back-off pulling image \"" + image + "\""}}}}}};
}
inline cluster::Revision revision(const std::string& workload, int number, bool current, const std::string& hash,
                                  const std::string& image) {
    cluster::Revision out;
    out.number = number;
    out.current = current;
    out.source = {{kinds::replicaSets(), "shop", workload + "-" + hash}, "u-" + workload + "-" + hash};
    out.images = {image};
    out.templateJson = json({{"spec", {{"containers", {{{"name", "app"}, {"image", image}}}}}}}).dump();
    return out;
}

/// The named workload's rollout to ":2" is stuck, ":1" is well beside it.
inline void breakImage(FakeReader& reader, const std::string& name, bool isProtected = false) {
    const std::string before = "registry.example/" + name + ":1";
    const std::string after = "registry.example/" + name + ":2";
    json workload = deployment(name, 3, 2, 1);
    if (isProtected)
        workload["metadata"]["annotations"] = {{"alidade.dev/protected", "true"}};
    reader.objects["deployments"].push_back(workload);
    reader.objects["replicasets"].push_back(replicaSet(name, "aaa", 2));
    reader.objects["replicasets"].push_back(replicaSet(name, "bbb", 0));
    reader.objects["pods"].push_back(pod(name, "aaa", "1", before, up()));
    reader.objects["pods"].push_back(pod(name, "aaa", "2", before, up()));
    reader.objects["pods"].push_back(pod(name, "bbb", "1", after, backOff(after)));
    reader.history[name] = {revision(name, 2, true, "bbb", after), revision(name, 1, false, "aaa", before)};
    reader.objects["events"].push_back(
        {{"metadata", meta(name + "-ev", "u-ev-" + name)},
         {"involvedObject",
          {{"apiVersion", "v1"},
           {"kind", "Pod"},
           {"namespace", "shop"},
           {"name", name + "-bbb-1"},
           {"uid", "u-" + name + "-bbb-1"}}},
         {"type", "Warning"},
         {"reason", "Failed"},
         {"count", 4},
         {"lastTimestamp", "2024-05-01T12:05:00Z"},
         {"message", "Failed to pull image \"" + after + "\": rpc error: code = NotFound: not found"}});
    reader.texts[name + "-aaa-1/app"] = "2024-05-01T12:00:01.000000001Z level=info msg=started\n"
                                        "2024-05-01T12:00:02.000000002Z level=debug dsn=postgres://app:" +
                                        std::string(plantedPassword) +
                                        "@prod-db:5432/shop\n"
                                        "2024-05-01T12:00:02.000000002Z level=info msg=\"order placed\"\n";
}
inline void addWell(FakeReader& reader, const std::string& name) {
    const std::string image = "registry.example/" + name + ":1";
    reader.objects["deployments"].push_back(deployment(name, 1, 1, 1));
    reader.objects["replicasets"].push_back(replicaSet(name, "ccc", 1));
    reader.objects["pods"].push_back(pod(name, "ccc", "1", image, up()));
    reader.history[name] = {revision(name, 1, true, "ccc", image)};
}
inline void addNamespace(FakeReader& reader) {
    reader.objects["namespaces"].push_back({{"metadata", {{"name", "shop"}, {"uid", "u-shop"}}}});
}

} // namespace alidade::test
