// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The I/O thread's half of a session: its sources, its budget of watches, the state of its connection. I/O thread only.
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "live_rows.hpp"
#include "log_follow.hpp"
#include "object_watch.hpp"
#include "source.hpp"

namespace alidade::cluster {

class SessionCore {
public:
    struct Options {
        std::size_t maxWatches = 48;
        bool gzip = true;
        std::uint64_t seed = 1;
    };
    SessionCore(Loop loop, Transport& transport, ClusterReader& reader, Options options);
    ~SessionCore();
    SessionCore(const SessionCore&) = delete;
    SessionCore& operator=(const SessionCore&) = delete;

    void start();
    void subscribe(std::uint64_t handle, const KindId& kind, const ListScope& scope,
                   std::shared_ptr<Mailbox<DeltaBatch>> mailbox, std::uint64_t subscription);
    void watchObject(std::uint64_t handle, const ObjectRef& ref, ObjectWatch::OnChange onChange);
    void followLogs(std::uint64_t handle, const ObjectKey& pod, const LogOptions& options,
                    std::shared_ptr<Mailbox<LogChunk>> mailbox, std::uint64_t stream);
    void observe(std::uint64_t handle, std::function<void(const ConnectionState&)> call);
    /// Ends whatever the handle stands for. In a turn of the loop of its own, not from inside of a callback.
    void release(std::uint64_t handle);
    void probe();

private:
    struct Rows {
        std::string key;
        std::unique_ptr<LiveRows> live;
        bool mayWatch = true;
    };
    [[nodiscard]] SourceEvents events();
    [[nodiscard]] WatchMachine::Options machineOptions();
    void scheduleRebalance();
    void rebalance();
    void ping(guard::Millis deadline);
    void onPing(Result<http::Response> answer);
    void scheduleHeartbeat();
    void heartbeat();
    void become(ConnectionState::Kind kind, std::optional<guard::Error> error);
    template <class Call>
    void eachSource(Call call);

    Loop loop_;
    Transport& transport_;
    ClusterReader& reader_;
    Options options_;
    std::vector<Rows> rows_; // in the order of their first subscription
    std::map<std::uint64_t, std::string> subscriptions_;
    std::map<std::uint64_t, std::unique_ptr<ObjectWatch>> objects_;
    std::map<std::uint64_t, std::unique_ptr<LogFollow>> logs_;
    std::map<std::uint64_t, std::function<void(const ConnectionState&)>> observers_;
    ConnectionState connection_;
    bool observersStale_ = false; // something but the kind changed
    bool watchList_ = true;
    bool rebalancePending_ = false;
    std::unique_ptr<http::Call> ping_;
    bool pingRefreshed_ = false;
    Now heard_{};
    Now beat_{};
    std::unique_ptr<guard::Timers::Token> heartbeat_;
    std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

} // namespace alidade::cluster
