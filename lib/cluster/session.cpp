// SPDX-License-Identifier: GPL-3.0-or-later
#include "session.hpp"

#include <atomic>
#include <thread>
#include <utility>

#include "session_core.hpp"

namespace alidade::cluster {
namespace {

bool isLoopback(const std::string& server) {
    const auto url = http::parseUrl(server);
    return url && (url->host == "127.0.0.1" || url->host == "::1" || url->host == "localhost");
}

/// The caller's half: any thread. Everything is carried out by the core, which lives and dies on the I/O thread.
class Session final : public TransportSession, public std::enable_shared_from_this<Session> {
public:
    Session(SessionInfo info, std::shared_ptr<http::IoThread> io, std::shared_ptr<Transport> transport,
            std::shared_ptr<ClusterReader> reader, std::shared_ptr<const guard::Clock> clock, std::size_t maxWatches)
        : info_(std::move(info)), io_(std::move(io)), transport_(std::move(transport)), reader_(std::move(reader)) {
        Loop loop;
        loop.post = [thread = io_.get()](std::function<void()> call) { thread->post(std::move(call)); };
        loop.timers = &io_->timers();
        loop.clock = clock;
        SessionCore::Options options;
        options.maxWatches = maxWatches;
        options.gzip = !isLoopback(info_.server); // inflating costs more than the loopback does
        options.seed = static_cast<std::uint64_t>(clock->now().time_since_epoch().count()) ^ info_.epoch.value;
        core_ = std::make_shared<SessionCore>(std::move(loop), *transport_, *reader_, options);
        onCore([](SessionCore& core) { core.start(); });
    }

    ~Session() override {
        const auto end = [this] {
            core_.reset();
            reader_.reset();
            transport_.reset();
        };
        if (!io_->isCurrent()) {
            io_->run(end);
            io_->end(); // a call under way may hold the thread for longer; nothing of ours is to outlive the session
            return;
        }
        // Dropped by a callback: what called it goes only when it has returned, and the thread cannot join itself.
        http::IoThread& io = *io_;
        io.post([core = std::move(core_), reader = std::move(reader_), transport = std::move(transport_),
                 thread = std::move(io_)]() mutable {
            core.reset();
            reader.reset();
            transport.reset();
            std::thread([last = std::move(thread)]() mutable { last.reset(); }).detach();
        });
    }

    const SessionInfo& info() const noexcept override { return info_; }
    /// Holding the reader holds the session.
    std::shared_ptr<ClusterReader> reader() override { return {shared_from_this(), reader_.get()}; }
    Transport& transport() noexcept override { return *transport_; }

    std::shared_ptr<void> subscribe(const KindId& kind, const ListScope& scope, std::shared_ptr<Mailbox<DeltaBatch>> mailbox,
                                    std::uint64_t subscription) override {
        const std::uint64_t handle = next_++;
        onCore([=, mailbox = std::move(mailbox)](SessionCore& core) { core.subscribe(handle, kind, scope, mailbox, subscription); });
        return makeHandle(handle);
    }
    std::shared_ptr<void> watchObject(const ObjectRef& ref,
                                      std::function<void(Result<guard::Raw<nlohmann::json>>)> onChange) override {
        const std::uint64_t handle = next_++;
        onCore([=, onChange = std::move(onChange)](SessionCore& core) { core.watchObject(handle, ref, onChange); });
        return makeHandle(handle);
    }
    std::shared_ptr<void> followLogs(const ObjectKey& pod, const LogOptions& options,
                                     std::shared_ptr<Mailbox<LogChunk>> mailbox, std::uint64_t stream) override {
        const std::uint64_t handle = next_++;
        onCore([=, mailbox = std::move(mailbox)](SessionCore& core) { core.followLogs(handle, pod, options, mailbox, stream); });
        return makeHandle(handle);
    }
    std::shared_ptr<void> observeConnection(std::function<void(const ConnectionState&)> call) override {
        const std::uint64_t handle = next_++;
        onCore([=, call = std::move(call)](SessionCore& core) { core.observe(handle, call); });
        return makeHandle(handle);
    }
    void probe() override {
        onCore([](SessionCore& core) { core.probe(); });
    }

private:
    /// Posts; the core is only ever held for the length of a call on its thread.
    template <class Call>
    void onCore(Call call) {
        io_->post([weak = std::weak_ptr(core_), call = std::move(call)] {
            if (const auto core = weak.lock()) {
                call(*core);
            }
        });
    }
    std::shared_ptr<void> makeHandle(std::uint64_t handle) {
        auto release = [weak = weak_from_this(), handle](void*) {
            if (const auto session = weak.lock()) {
                session->onCore([handle](SessionCore& core) { core.release(handle); });
            }
        };
        return {static_cast<void*>(this), std::move(release)};
    }

    SessionInfo info_;
    std::shared_ptr<http::IoThread> io_;
    std::shared_ptr<Transport> transport_;
    std::shared_ptr<ClusterReader> reader_;
    std::shared_ptr<SessionCore> core_;
    std::atomic<std::uint64_t> next_{1};
};

} // namespace

std::shared_ptr<ClusterSession> makeSession(SessionInfo info, std::shared_ptr<http::IoThread> io,
                                            std::shared_ptr<Transport> transport, std::shared_ptr<ClusterReader> reader,
                                            std::shared_ptr<const guard::Clock> clock, std::size_t maxWatches) {
    return std::make_shared<Session>(std::move(info), std::move(io), std::move(transport), std::move(reader),
                                     std::move(clock), maxWatches);
}

} // namespace alidade::cluster
