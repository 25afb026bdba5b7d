// SPDX-License-Identifier: GPL-3.0-or-later
// What it is for: a cluster that says what a test told it to, for tests and benchmarks of models and views.
// What it must not know: HTTP, the store. The real session is tested against the simulator.
// Thread: the test's; answers arrive at once, as if from another thread.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "alidade/cluster_model/session.hpp"
#include "alidade/guard/write_desk.hpp"

namespace alidade::test {

class FakeSession final : public cluster::ClusterSession,
                          public cluster::ClusterReader,
                          public std::enable_shared_from_this<FakeSession> {
public:
    explicit FakeSession(std::string context = "demo", std::string ns = "shop");

    /// What subscribers of the kind get, now and in future; `push` sends one more batch to those there are.
    void setRows(const guard::KindId& kind, cluster::DeltaBatch batch);
    void push(const guard::KindId& kind, cluster::DeltaBatch batch);
    void setObject(const std::string& uid, nlohmann::json object);
    void removeObject(const std::string& uid);
    /// By "pod/container", or "pod/container/previous".
    void setLog(const std::string& name, std::string text);
    /// More of every log that is followed.
    void pushLog(cluster::LogChunk chunk);
    void setConnection(cluster::ConnectionState state);

    cluster::SessionInfo session;
    cluster::Catalog served;
    std::vector<cluster::Revision> revisionList;
    guard::Result<guard::Answer<cluster::Graph>> related = guard::Answer<cluster::Graph>({}, "nothing");

    // ClusterSession
    [[nodiscard]] const cluster::SessionInfo& info() const noexcept override { return session; }
    [[nodiscard]] std::shared_ptr<cluster::ClusterReader> reader() override { return shared_from_this(); }
    [[nodiscard]] std::shared_ptr<void> subscribe(const guard::KindId& kind, const cluster::ListScope& scope,
                                                  std::shared_ptr<cluster::Mailbox<cluster::DeltaBatch>> mailbox,
                                                  std::uint64_t subscription) override;
    [[nodiscard]] std::shared_ptr<void>
    watchObject(const guard::ObjectRef& ref,
                std::function<void(guard::Result<guard::Raw<nlohmann::json>>)> onChange) override;
    [[nodiscard]] std::shared_ptr<void> followLogs(const guard::ObjectKey& pod, const cluster::LogOptions& options,
                                                   std::shared_ptr<cluster::Mailbox<cluster::LogChunk>> mailbox,
                                                   std::uint64_t stream) override;
    [[nodiscard]] std::shared_ptr<void>
    observeConnection(std::function<void(const cluster::ConnectionState&)> call) override;
    void probe() override {}

    // ClusterReader
    void get(const guard::ObjectKey& key, cluster::Done<guard::Raw<nlohmann::json>> done) override;
    void list(const guard::KindId& kind, const cluster::ListScope& scope, std::size_t limit,
              cluster::Done<guard::Answer<std::vector<guard::Raw<nlohmann::json>>>> done) override;
    void events(const guard::ObjectRef& about,
                cluster::Done<guard::Answer<std::vector<cluster::EventRecord>>> done) override;
    void logs(const guard::ObjectKey& pod, const cluster::LogOptions& options,
              cluster::Done<guard::Raw<guard::LogText>> done) override;
    void revisions(const guard::ObjectRef& workload,
                   cluster::Done<guard::Answer<std::vector<cluster::Revision>>> done) override;
    void describe(const guard::ObjectKey& key, cluster::Done<guard::Raw<std::string>> done) override;
    void catalog(cluster::Done<guard::Answer<cluster::Catalog>> done) override;
    void access(std::string verb, const guard::KindId& kind, std::string subresource, std::string ns, std::string name,
                cluster::Done<guard::AccessReview> done) override;
    void relations(std::optional<guard::ObjectRef> root, const cluster::ListScope& scope, int depth,
                   cluster::Done<guard::Answer<cluster::Graph>> done) override;

private:
    struct Subscriber {
        guard::KindId kind;
        std::shared_ptr<cluster::Mailbox<cluster::DeltaBatch>> mailbox;
        std::uint64_t subscription = 0;
        std::weak_ptr<void> alive;
    };
    struct Watcher {
        std::string uid;
        std::function<void(guard::Result<guard::Raw<nlohmann::json>>)> call;
        std::weak_ptr<void> alive;
    };
    struct Observer {
        std::function<void(const cluster::ConnectionState&)> call;
        std::weak_ptr<void> alive;
    };
    std::map<guard::KindId, cluster::DeltaBatch> rows_;
    std::map<std::string, nlohmann::json> objects_;
    std::map<std::string, std::string> logs_;
    std::vector<std::pair<std::shared_ptr<cluster::Mailbox<cluster::LogChunk>>, std::uint64_t>> followers_;
    std::vector<Subscriber> subscribers_;
    std::vector<Watcher> watchers_;
    std::vector<Observer> observers_;
    cluster::ConnectionState connection_;
};

class FakeSessions final : public cluster::SessionFactory {
public:
    std::vector<cluster::ContextEntry> entries;
    std::map<std::string, std::shared_ptr<FakeSession>> sessions;
    std::optional<guard::Error> refuse;

    [[nodiscard]] guard::Result<std::vector<cluster::ContextEntry>> contexts() override { return entries; }
    [[nodiscard]] guard::Result<std::shared_ptr<cluster::ClusterSession>> open(const std::string& context) override;
};

} // namespace alidade::test
