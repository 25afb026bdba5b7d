// SPDX-License-Identifier: GPL-3.0-or-later
#include "session_core.hpp"

#include <algorithm>
#include <utility>

#include <nlohmann/json.hpp>

namespace alidade::cluster {
namespace {

using guard::ErrorCode;
using Kind = ConnectionState::Kind;

constexpr guard::Millis kHeartbeat{5'000};
constexpr std::chrono::seconds kSilence{15}; // nothing heard for this long: ask
constexpr guard::Millis kPingDeadline{10'000};
constexpr guard::Millis kHurriedPingDeadline{5'000};
constexpr std::chrono::seconds kClockJump{10};
constexpr std::chrono::seconds kStillTalking{5};

bool isConnectionFault(ErrorCode code) {
    return code == ErrorCode::Unreachable || code == ErrorCode::ConnectionLost || code == ErrorCode::Timeout ||
           code == ErrorCode::Tls;
}

/// /version asks nothing of the store and is open to everyone: where it fails like this, no API server is behind it.
bool isNoServer(ErrorCode code) {
    return isConnectionFault(code) || code == ErrorCode::Unavailable || code == ErrorCode::ServerError;
}

std::string sourceKey(const KindId& kind, const ListScope& scope) {
    std::string key;
    for (const std::string* part :
         {&kind.group, &kind.version, &kind.resource, &scope.ns, &scope.labelSelector, &scope.fieldSelector}) {
        key.append(*part).push_back('\0');
    }
    return key;
}

} // namespace

SessionCore::SessionCore(Loop loop, Transport& transport, ClusterReader& reader, Options options)
    : loop_(std::move(loop)), transport_(transport), reader_(reader), options_(options) {
    connection_.since = loop_.clock->wall();
}

SessionCore::~SessionCore() { *alive_ = false; }

template<class Call>
void SessionCore::eachSource(Call call) {
    for (Rows& rows : rows_)
        call(rows.live->source());
    for (auto& [handle, object] : objects_)
        call(object->source());
}

void SessionCore::start() {
    heard_ = beat_ = loop_.now();
    ping(kPingDeadline);
    scheduleHeartbeat();
}

SourceEvents SessionCore::events() {
    SourceEvents out;
    out.heard = [this] {
        heard_ = loop_.now();
        if (connection_.kind == Kind::Connecting || connection_.kind == Kind::Unreachable) {
            become(Kind::Connected, std::nullopt);
        }
    };
    out.failed = [this](const guard::Error& error) {
        if (error.code == ErrorCode::NeedsLogin) {
            become(Kind::NeedsLogin, error);
        } else if (isConnectionFault(error.code)) {
            ping(kHurriedPingDeadline); // one broken stream is not a lost server: ask it
        }
    };
    out.watchListRefused = [this] { watchList_ = false; };
    out.budget = [this] { scheduleRebalance(); };
    return out;
}

WatchMachine::Options SessionCore::machineOptions() {
    WatchMachine::Options out;
    out.watchList = watchList_;
    out.seed = options_.seed = options_.seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return out;
}

void SessionCore::subscribe(std::uint64_t handle, const KindId& kind, const ListScope& scope,
                            std::shared_ptr<Mailbox<DeltaBatch>> mailbox, std::uint64_t subscription) {
    const std::string key = sourceKey(kind, scope);
    subscriptions_[handle] = key;
    const auto found = std::find_if(rows_.begin(), rows_.end(), [&](const Rows& rows) { return rows.key == key; });
    if (found != rows_.end()) {
        found->live->subscribe(handle, subscription, std::move(mailbox));
        return;
    }
    const auto watching =
        objects_.size() + static_cast<std::size_t>(std::count_if(rows_.begin(), rows_.end(), [](const Rows& rows) {
            return rows.mayWatch && rows.live->source().wantsWatch();
        }));
    WatchMachine::Options options = machineOptions();
    options.mayWatch = watching < options_.maxWatches;
    Rows& rows = rows_.emplace_back();
    rows.key = key;
    rows.mayWatch = options.mayWatch;
    rows.live =
        std::make_unique<LiveRows>(loop_, transport_, Source::Target{kind, scope, options_.gzip}, options, events());
    LiveRows& live = *rows.live;
    live.subscribe(handle, subscription, std::move(mailbox));
    live.start();
}

void SessionCore::watchObject(std::uint64_t handle, const ObjectRef& ref, ObjectWatch::OnChange onChange) {
    WatchMachine::Options options = machineOptions();
    options.watchList = false; // one object needs no streamed list
    auto& object = objects_[handle] =
        std::make_unique<ObjectWatch>(loop_, transport_, ref, options_.gzip, options, events(), std::move(onChange));
    object->start();
}

void SessionCore::followLogs(std::uint64_t handle, const ObjectKey& pod, const LogOptions& options,
                             std::shared_ptr<Mailbox<LogChunk>> mailbox, std::uint64_t stream) {
    auto& log = logs_[handle] = std::make_unique<LogFollow>(loop_, transport_, reader_, pod, options,
                                                            std::move(mailbox), stream, machineOptions().seed);
    log->start();
}

void SessionCore::observe(std::uint64_t handle, std::function<void(const ConnectionState&)> call) {
    call(connection_);
    observers_[handle] = std::move(call);
}

void SessionCore::release(std::uint64_t handle) {
    observers_.erase(handle);
    logs_.erase(handle);
    if (objects_.erase(handle) > 0) {
        scheduleRebalance();
    }
    const auto subscription = subscriptions_.find(handle);
    if (subscription == subscriptions_.end()) {
        return;
    }
    const auto found =
        std::find_if(rows_.begin(), rows_.end(), [&](const Rows& rows) { return rows.key == subscription->second; });
    subscriptions_.erase(subscription);
    if (found == rows_.end()) {
        return;
    }
    found->live->unsubscribe(handle);
    if (!found->live->hasSubscribers()) {
        rows_.erase(found);
        scheduleRebalance();
    }
}

void SessionCore::scheduleRebalance() {
    if (std::exchange(rebalancePending_, true)) {
        return;
    }
    loop_.post([this, alive = std::weak_ptr<bool>(alive_)] {
        if (const auto still = alive.lock(); still && *still) {
            rebalancePending_ = false;
            rebalance();
        }
    });
}

/// Those that came first keep their watches; a freed one goes to the next that polls.
void SessionCore::rebalance() {
    std::size_t used = objects_.size();
    for (const Rows& rows : rows_)
        used += rows.mayWatch && rows.live->source().wantsWatch() ? 1 : 0;
    for (std::size_t i = 0; i < rows_.size() && used < options_.maxWatches; ++i) {
        if (!rows_[i].mayWatch && rows_[i].live->source().wantsWatch()) {
            ++used;
            rows_[i].mayWatch = true;
            rows_[i].live->source().mayWatch(true);
        }
    }
}

void SessionCore::ping(guard::Millis deadline) {
    if (ping_) {
        return;
    }
    http::Request request;
    request.target = "/version";
    request.headers.set("Accept", "application/json");
    http::CallOptions options;
    options.deadline = deadline;
    ping_ = transport_.fetch(std::move(request), options,
                             [this](Result<http::Response> answer, bool) { onPing(std::move(answer)); });
}

void SessionCore::onPing(Result<http::Response> answer) {
    loop_.post([call = std::shared_ptr<http::Call>(std::move(ping_))]() mutable { call.reset(); });
    ping_ = nullptr;
    if (!answer && answer.error().code == ErrorCode::NeedsLogin) {
        heard_ = loop_.now();
        if (std::exchange(pingRefreshed_, true)) {
            become(Kind::NeedsLogin, answer.error());
            return;
        }
        transport_.refresh([this, alive = std::weak_ptr<bool>(alive_)](Result<void> refreshed) {
            const auto still = alive.lock();
            if (!still || !*still) {
                return;
            }
            if (refreshed) {
                ping(kPingDeadline);
            } else {
                become(Kind::NeedsLogin, refreshed.error());
            }
        });
        return;
    }
    std::string version;
    if (answer) {
        const auto body = nlohmann::json::parse(answer->body, nullptr, false);
        if (!body.is_object()) {
            answer = tl::unexpected(transport_.misread("GET /version", "the answer is not a JSON object"));
        } else if (const auto git = body.find("gitVersion"); git != body.end() && git->is_string()) {
            version = git->get<std::string>();
        }
    }
    const bool notOurs =
        !answer && (answer.error().code == ErrorCode::Config || answer.error().code == ErrorCode::Protocol);
    if (!answer && (notOurs || isNoServer(answer.error().code))) {
        guard::Error error = answer.error();
        if (error.code == ErrorCode::Unavailable || error.code == ErrorCode::ServerError) {
            error.detail = transport_.misread("GET /version", error.detail).detail; // with the entry and the way out
        }
        if (error.code == ErrorCode::Timeout && loop_.now().mono - heard_.mono < kStillTalking) {
            return; // a large list fills the line: the server is there
        }
        become(notOurs ? Kind::Failed : Kind::Unreachable, error);
        eachSource([&](Source& source) { source.lost(error); });
        return;
    }
    // Any other answer, a refusal too, is an answer: the server is there.
    pingRefreshed_ = false;
    heard_ = loop_.now();
    if (!version.empty()) {
        observersStale_ = observersStale_ || connection_.serverVersion != version;
        connection_.serverVersion = version;
    }
    const bool back = connection_.kind != Kind::Connected;
    become(Kind::Connected, std::nullopt);
    if (back) {
        eachSource([](Source& source) { source.retryNow(); });
    }
}

void SessionCore::scheduleHeartbeat() {
    heartbeat_ = loop_.timers->after(kHeartbeat, [this] {
        loop_.post([token = std::shared_ptr<guard::Timers::Token>(std::move(heartbeat_))] {});
        heartbeat();
        scheduleHeartbeat();
    });
}

void SessionCore::heartbeat() {
    const Now now = loop_.now();
    const auto drift = (now.wall - beat_.wall) - (now.mono - beat_.mono);
    beat_ = now;
    if (drift > kClockJump || drift < -kClockJump) {
        probe(); // the machine slept
    } else if (connection_.kind == Kind::Unreachable || connection_.kind == Kind::Failed ||
               now.mono - heard_.mono >= kSilence) {
        ping(kPingDeadline);
    }
}

void SessionCore::probe() {
    ping_.reset(); // it may hang on a dead connection
    pingRefreshed_ = false;
    ping(kHurriedPingDeadline);
    eachSource([](Source& source) { source.reconnect(); });
}

void SessionCore::become(Kind kind, std::optional<guard::Error> error) {
    const bool changed = connection_.kind != kind;
    if (!changed && kind == Kind::Connected && !error && !connection_.error && !observersStale_) {
        return;
    }
    if (changed) {
        connection_.since = loop_.clock->wall();
    }
    connection_.kind = kind;
    connection_.error = std::move(error);
    observersStale_ = false;
    const auto observers = observers_; // one of them may let go of its handle
    for (const auto& [handle, call] : observers)
        call(connection_);
}

} // namespace alidade::cluster
