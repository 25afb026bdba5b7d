// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The shared handle of one connection to one context: it *is* the epoch's lifetime. Reads only.
// The only implementation is in lib/cluster, over http.
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "alidade/cluster_model/deltas.hpp"
#include "alidade/cluster_model/graph.hpp"
#include "alidade/cluster_model/mailbox.hpp"
#include "alidade/guard/coverage.hpp"
#include "alidade/guard/object.hpp"
#include "alidade/guard/payload.hpp"
#include "alidade/guard/write.hpp"

namespace alidade::cluster {

using guard::Answer;
using guard::KindId;
using guard::ObjectKey;
using guard::ObjectRef;
using guard::Result;

/// Calls `done` on the session's I/O thread, exactly once unless the session ended. Callers put the value into a mailbox.
template <class T>
using Done = std::function<void(Result<T>)>;

/// "" is all namespaces.
struct ListScope {
    std::string ns;
    std::string labelSelector;
    std::string fieldSelector;
};

struct LogOptions {
    std::string container;
    bool previous = false;
    std::optional<int> tailLines = 500;
    std::optional<int> sinceSeconds;
    bool timestamps = true;
    std::size_t maxBytes = 1024UL * 1024;
};

/// One revision of a workload, newest first. `templateJson` is the pod template without the pod-template-hash label.
struct Revision {
    int number = 0;
    bool current = false;
    ObjectRef source;                 ///< the ReplicaSet or ControllerRevision
    std::vector<std::string> images;
    std::string changeCause;
    std::optional<guard::WallTime> at;
    std::string templateJson;
};

struct EventRecord {
    std::string uid;
    ObjectRef about;
    std::string type;
    std::string reason;
    std::string message;
    std::string source;
    int count = 1;
    std::optional<guard::WallTime> first;
    std::optional<guard::WallTime> last;
};

struct ResourceKind {
    KindId id;
    std::vector<std::string> shortNames;
    std::vector<std::string> verbs;
    std::vector<std::string> categories;
    [[nodiscard]] bool can(std::string_view verb) const noexcept;
};
/// What the server serves; partial when an aggregated API is down (a gap names the group).
struct Catalog {
    std::vector<ResourceKind> kinds;  ///< preferred versions, core first
    std::string serverVersion;        ///< "v1.20.2"
    /// By plural, singular, kind, short name or "plural.group", as kubectl resolves.
    [[nodiscard]] const ResourceKind* find(std::string_view word) const noexcept;
    [[nodiscard]] const ResourceKind* find(const KindId& id) const noexcept;
};

/// Read-only reads. Verbs: GET, LIST, and the review POSTs. Any thread; answers arrive on the I/O thread.
class ClusterReader {
public:
    virtual ~ClusterReader() = default;
    virtual void get(const ObjectKey& key, Done<guard::Raw<nlohmann::json>> done) = 0;
    /// At most `limit` objects; a gap says so when there are more.
    virtual void list(const KindId& kind, const ListScope& scope, std::size_t limit,
                      Done<Answer<std::vector<guard::Raw<nlohmann::json>>>> done) = 0;
    virtual void events(const ObjectRef& about, Done<Answer<std::vector<EventRecord>>> done) = 0;
    virtual void logs(const ObjectKey& pod, const LogOptions& options, Done<guard::Raw<guard::LogText>> done) = 0;
    virtual void revisions(const ObjectRef& workload, Done<Answer<std::vector<Revision>>> done) = 0;
    /// kubectl describe's content, as plain text with events.
    virtual void describe(const ObjectKey& key, Done<guard::Raw<std::string>> done) = 0;
    virtual void catalog(Done<Answer<Catalog>> done) = 0;
    /// SelfSubjectAccessReview.
    virtual void access(std::string verb, const KindId& kind, std::string subresource, std::string ns, std::string name,
                        Done<guard::AccessReview> done) = 0;
    /// Bounded lists (4 at once), then the pure graph. Around one root to `depth`, or a namespace when the root is empty.
    virtual void relations(std::optional<ObjectRef> root, const ListScope& scope, int depth, Done<Answer<Graph>> done) = 0;
};

/// The reader for agent and write threads: waits, with a stop token. Asserts that it is on neither the I/O nor GUI thread.
class BlockingReader {
public:
    explicit BlockingReader(std::shared_ptr<ClusterReader> reader, std::function<void()> assertThread = {});
    [[nodiscard]] Result<guard::Raw<nlohmann::json>> get(const ObjectKey& key, std::stop_token stop) const;
    [[nodiscard]] Result<Answer<std::vector<guard::Raw<nlohmann::json>>>> list(const KindId& kind, const ListScope& scope,
                                                                               std::size_t limit,
                                                                               std::stop_token stop) const;
    [[nodiscard]] Result<Answer<std::vector<EventRecord>>> events(const ObjectRef& about, std::stop_token stop) const;
    [[nodiscard]] Result<guard::Raw<guard::LogText>> logs(const ObjectKey& pod, const LogOptions& options,
                                                          std::stop_token stop) const;
    [[nodiscard]] Result<Answer<std::vector<Revision>>> revisions(const ObjectRef& workload, std::stop_token stop) const;
    [[nodiscard]] Result<guard::Raw<std::string>> describe(const ObjectKey& key, std::stop_token stop) const;
    [[nodiscard]] Result<Answer<Catalog>> catalog(std::stop_token stop) const;
    [[nodiscard]] Result<guard::AccessReview> access(std::string verb, const KindId& kind, std::string subresource,
                                                     std::string ns, std::string name, std::stop_token stop) const;
    [[nodiscard]] Result<Answer<Graph>> relations(std::optional<ObjectRef> root, const ListScope& scope, int depth,
                                                  std::stop_token stop) const;

private:
    std::shared_ptr<ClusterReader> reader_;
    std::function<void()> assertThread_;
};

/// What the header strip shows of a connection.
struct ConnectionState {
    enum class Kind : std::uint8_t { Connecting, Connected, Unreachable, NeedsLogin, Failed };
    Kind kind = Kind::Connecting;
    std::optional<guard::Error> error;
    std::string serverVersion;
    guard::WallTime since{};
};

struct SessionInfo {
    guard::EpochId epoch;
    std::string context;       ///< the kubeconfig context's name
    std::string cluster;
    std::string server;        ///< URL, never with credentials
    std::string user;          ///< kubeconfig user entry
    std::string ns;            ///< the context's default namespace, "default" when none
    bool tlsVerified = true;   ///< false: insecure-skip-tls-verify, or plain http
    bool embedded = false;     ///< the simulator of this process
};

/// A live log stream; dropping it stops it.
struct LogChunk {
    std::uint64_t stream = 0;
    std::string bytes;          ///< whole lines but for the last chunk
    bool reconnected = false;   ///< a mark to show before the bytes
    bool restarted = false;     ///< the bytes are of a new run of the container
    std::optional<Result<void>> ended;  ///< set once: clean end or error
};

/// Thread-safe. Everything asked of it is carried out on its I/O thread.
class ClusterSession {
public:
    virtual ~ClusterSession() = default;
    [[nodiscard]] virtual const SessionInfo& info() const noexcept = 0;
    [[nodiscard]] virtual std::shared_ptr<ClusterReader> reader() = 0;
    /// Live rows of a kind. The first batch is a reset. Subscriptions to one (kind, scope) share one watch.
    /// Dropping the handle ends the subscription; the watch ends with its last one.
    [[nodiscard]] virtual std::shared_ptr<void> subscribe(const KindId& kind, const ListScope& scope,
                                                          std::shared_ptr<Mailbox<DeltaBatch>> mailbox,
                                                          std::uint64_t subscription) = 0;
    /// One object, live: the whole object at first and at each change; an Error NotFound when it is gone.
    [[nodiscard]] virtual std::shared_ptr<void> watchObject(
        const ObjectRef& ref, std::function<void(Result<guard::Raw<nlohmann::json>>)> onChange) = 0;
    [[nodiscard]] virtual std::shared_ptr<void> followLogs(const ObjectKey& pod, const LogOptions& options,
                                                           std::shared_ptr<Mailbox<LogChunk>> mailbox,
                                                           std::uint64_t stream) = 0;
    /// Called on the I/O thread with the state now and at each change.
    [[nodiscard]] virtual std::shared_ptr<void> observeConnection(std::function<void(const ConnectionState&)> call) = 0;
    /// After a wall-clock jump or network change: probe, and reconnect what does not answer.
    virtual void probe() = 0;
};

/// One entry of a kubeconfig, for a chooser: usable or not, and why not.
struct ContextEntry {
    std::string name;
    std::string cluster;
    std::string user;
    std::string ns;
    std::string server;
    bool current = false;
    bool insecure = false;
    std::optional<guard::Error> problem;  ///< names file and entry and the way out
};

/// Implemented by the composition roots.
class SessionFactory {
public:
    virtual ~SessionFactory() = default;
    [[nodiscard]] virtual Result<std::vector<ContextEntry>> contexts() = 0;
    /// Returns at once; connection faults arrive through observeConnection.
    [[nodiscard]] virtual Result<std::shared_ptr<ClusterSession>> open(const std::string& context) = 0;
};

}  // namespace alidade::cluster
