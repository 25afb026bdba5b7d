// SPDX-License-Identifier: GPL-3.0-or-later
#include "watch.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace alidade::cluster {
namespace {

using guard::ErrorCode;
using guard::Millis;

constexpr Millis kFirstDelay{800};
constexpr Millis kLongestDelay{30'000};
constexpr Millis kLongestRetryAfter{120'000};
constexpr Millis kShortWatch{1'000};   // one that ends sooner counts as a failure
constexpr Millis kLastingWatch{5'000}; // one that lives longer shows that all is well again
constexpr Millis kStreamSilence{10'000};

bool isStatus(const guard::Error& error, int code) { return error.status && error.status->code == code; }

} // namespace

WatchMachine::WatchMachine(Options options) : options_(options), random_(options.seed) {}

double WatchMachine::random() noexcept { // splitmix64
    std::uint64_t z = (random_ += 0x9e3779b97f4a7c15ULL);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return static_cast<double>((z ^ (z >> 31)) >> 11) / 9007199254740992.0;
}

Millis WatchMachine::serverTimeout() {
    return std::chrono::seconds(180 + static_cast<int>(random() * 120)); // spread, so that watches do not end together
}

Effects WatchMachine::start(Now now) {
    if (options_.canWatch && options_.mayWatch && options_.watchList) {
        return startStream(now);
    }
    return startList();
}

Effects WatchMachine::startStream(Now now) {
    phase_ = Phase::Streaming;
    answered_ = false;
    heard_ = now.mono;
    Effects out;
    out.begin = true;
    out.watch = WatchRequest{"", true, serverTimeout()};
    out.timer = kStreamSilence;
    return out;
}

Effects WatchMachine::startList() {
    phase_ = Phase::Listing;
    inPages_ = false;
    answered_ = false;
    Effects out;
    out.begin = true;
    out.list = ListRequest{!fresh_, options_.pageLimit, ""};
    return out;
}

Effects WatchMachine::startWatch() {
    phase_ = Phase::Opening;
    answered_ = false;
    Effects out;
    out.watch = WatchRequest{version_, false, serverTimeout()};
    return out;
}

/// Where to go on from: the last version seen, or from the beginning.
Effects WatchMachine::resume(Now now) {
    if (!synced_ || version_.empty()) {
        return fresh_ ? startList() : start(now);
    }
    return options_.canWatch && options_.mayWatch ? startWatch() : startList();
}

Effects WatchMachine::poll() {
    phase_ = Phase::PollWait;
    polls_ = true;
    Effects out;
    out.timer = options_.pollEvery;
    return out;
}

Effects WatchMachine::stop(guard::Error error) {
    phase_ = Phase::Stopped;
    error_ = std::move(error);
    Effects out;
    out.cancel = true;
    return out;
}

Effects WatchMachine::backOff(guard::Error error, Next next, std::optional<int> retryAfterSeconds) {
    phase_ = Phase::Backoff;
    next_ = next;
    error_ = std::move(error);
    const double base = std::min<double>(static_cast<double>(kFirstDelay.count()) * static_cast<double>(1 << std::min(attempt_, 10)),
                                         static_cast<double>(kLongestDelay.count()));
    Millis delay = std::clamp(Millis(static_cast<std::int64_t>(base * (0.75 + random() / 2))), kFirstDelay, kLongestDelay);
    if (retryAfterSeconds) {
        delay = std::max(delay, std::min<Millis>(std::chrono::seconds(std::max(0, *retryAfterSeconds)), kLongestRetryAfter));
    }
    ++attempt_;
    Effects out;
    out.cancel = true;
    out.timer = delay;
    return out;
}

void WatchMachine::answered() noexcept {
    answered_ = true;
    refreshTried_ = false;
}

Effects WatchMachine::page(Now now, const std::string& resourceVersion, const std::string& continueToken) {
    answered();
    if (!continueToken.empty()) {
        inPages_ = true;
        Effects out;
        out.list = ListRequest{false, options_.pageLimit, continueToken};
        return out;
    }
    version_ = resourceVersion;
    synced_ = true;
    fresh_ = false;
    lastSync_ = now.wall;
    error_.reset();
    Effects out = options_.canWatch && options_.mayWatch && !version_.empty() ? startWatch() : poll();
    if (phase_ == Phase::PollWait) {
        attempt_ = 0;
    } else {
        answered_ = true; // the list was the answer: rows are current, only the watch is still to open
    }
    out.commit = true;
    return out;
}

void WatchMachine::opened(Now now) noexcept {
    answered();
    opened_ = now.mono;
    heard_ = now.mono;
    if (phase_ == Phase::Opening) {
        phase_ = Phase::Watching;
        polls_ = false;
        error_.reset();
    }
}

Effects WatchMachine::event(Now now, std::string_view resourceVersion) {
    heard_ = now.mono;
    lastEvent_ = now.wall;
    if (phase_ == Phase::Watching) {
        if (!resourceVersion.empty()) {
            version_ = resourceVersion;
        }
        lastSync_ = now.wall;
        if (now.mono - opened_ >= kLastingWatch) {
            attempt_ = gone_ = 0;
        }
    }
    return {};
}

Effects WatchMachine::bookmark(Now now, std::string_view resourceVersion, bool initialEventsEnd) {
    Effects out = event(now, resourceVersion);
    if (phase_ != Phase::Streaming || !initialEventsEnd) {
        return out;
    }
    version_ = resourceVersion;
    phase_ = Phase::Watching;
    synced_ = true;
    fresh_ = polls_ = false;
    lastSync_ = now.wall;
    error_.reset();
    out.commit = true;
    return out;
}

Effects WatchMachine::ended(Now now) {
    if (phase_ == Phase::Streaming || now.mono - opened_ < kShortWatch) {
        return failed(now, guard::Error(ErrorCode::ConnectionLost, "watch", "the server ended the watch at once"));
    }
    if (now.mono - opened_ >= kLastingWatch) {
        attempt_ = gone_ = 0;
    }
    lastSync_ = now.wall;
    return resume(now); // an ordinary end
}

Effects WatchMachine::refused(guard::Error error) {
    // The streamed list, or the watch itself, is not for us; a list may be.
    if (phase_ == Phase::Streaming) {
        options_.watchList = false;
        return startList();
    }
    if (phase_ == Phase::Opening && error.code == ErrorCode::Forbidden) {
        options_.canWatch = false;
        error_ = std::move(error);
        Effects out = poll();
        out.cancel = true;
        return out;
    }
    return stop(std::move(error));
}

Effects WatchMachine::failed(Now now, guard::Error error) {
    const bool watching = inWatch();
    const bool wasOpen = phase_ == Phase::Watching;
    if (wasOpen && now.mono - opened_ >= kLastingWatch) {
        attempt_ = gone_ = 0;
    }
    if (watching && isStatus(error, 405)) {
        options_.canWatch = false;
        if (phase_ == Phase::Streaming || !synced_) {
            return startList();
        }
        Effects out = poll();
        out.cancel = true;
        return out;
    }
    if (error.code != ErrorCode::NeedsLogin && error.status) {
        refreshTried_ = false; // whoever answers otherwise has taken the credentials
    }
    const auto retryAfter = error.status ? error.status->retryAfterSeconds : std::optional<int>{};
    switch (error.code) {
    case ErrorCode::Gone: {
        const bool expired = watching || inPages_;
        fresh_ = true;
        if (expired && gone_++ == 0) {
            error_ = std::move(error);
            Effects out = startList();
            out.cancel = true;
            return out;
        }
        return backOff(std::move(error), Next::List);
    }
    case ErrorCode::NeedsLogin: {
        if (refreshTried_) {
            return stop(std::move(error));
        }
        refreshTried_ = true;
        next_ = watching && synced_ && phase_ != Phase::Streaming ? Next::Watch : Next::List;
        phase_ = Phase::Refreshing;
        error_ = std::move(error);
        Effects out;
        out.cancel = true;
        out.refresh = true;
        return out;
    }
    case ErrorCode::Forbidden: return refused(std::move(error));
    case ErrorCode::NotFound:
    case ErrorCode::Unsupported:
    case ErrorCode::BadRequest:
    case ErrorCode::Invalid:
        if (phase_ == Phase::Opening || wasOpen) {
            return backOff(std::move(error), Next::List);
        }
        return refused(std::move(error));
    case ErrorCode::Config:
    case ErrorCode::Refused: return stop(std::move(error));
    case ErrorCode::TooLarge:
    case ErrorCode::Protocol: return backOff(std::move(error), Next::List); // the same bytes would come again
    default: break;
    }
    const bool lasted = wasOpen && now.mono - opened_ >= kShortWatch;
    if (lasted && attempt_ == 0 && (error.code == ErrorCode::ConnectionLost || error.code == ErrorCode::Timeout)) {
        ++attempt_;
        error_ = std::move(error);
        Effects out = resume(now);
        out.cancel = true;
        return out;
    }
    const bool keepsPlace = watching && synced_ && phase_ != Phase::Streaming;
    return backOff(std::move(error), keepsPlace ? Next::Watch : Next::List, retryAfter);
}

Effects WatchMachine::refreshed(Now now, guard::Result<void> result) {
    if (phase_ != Phase::Refreshing) {
        return {};
    }
    if (!result) {
        return stop(std::move(result.error()));
    }
    return next_ == Next::Watch ? startWatch() : resume(now);
}

Effects WatchMachine::timer(Now now) {
    switch (phase_) {
    case Phase::Backoff:
        if (next_ == Next::Watch) {
            return resume(now);
        }
        return synced_ || fresh_ ? startList() : start(now);
    case Phase::PollWait: return startList();
    case Phase::Streaming: {
        const auto silent = now.mono - heard_;
        Effects out;
        if (silent < kStreamSilence) {
            out.timer = std::chrono::ceil<Millis>(kStreamSilence - silent);
            return out;
        }
        // No end of the list in sight: the server does not know the parameter and sent plain events.
        options_.watchList = false;
        out = startList();
        out.cancel = true;
        return out;
    }
    default: return {};
    }
}

Effects WatchMachine::mayWatch(Now, bool allowed) {
    options_.mayWatch = allowed;
    if (allowed && phase_ == Phase::PollWait && options_.canWatch && !version_.empty()) {
        return startWatch();
    }
    if (!allowed && (phase_ == Phase::Watching || phase_ == Phase::Opening)) {
        Effects out = poll();
        out.cancel = true;
        return out;
    }
    return {};
}

Effects WatchMachine::reconnect(Now now) {
    if (phase_ == Phase::Stopped) {
        return retryNow(now);
    }
    if (phase_ == Phase::Backoff || phase_ == Phase::PollWait) {
        return timer(now);
    }
    if (phase_ != Phase::Watching && phase_ != Phase::Opening && phase_ != Phase::Streaming && phase_ != Phase::Listing) {
        return {};
    }
    Effects out = resume(now);
    out.cancel = true;
    return out;
}

Effects WatchMachine::lost(Now, guard::Error error) {
    if (!inWatch() && phase_ != Phase::Listing) {
        return {};
    }
    const bool keepsPlace = inWatch() && synced_ && phase_ != Phase::Streaming;
    return backOff(std::move(error), keepsPlace ? Next::Watch : Next::List);
}

Effects WatchMachine::retryNow(Now now) {
    if (phase_ == Phase::Stopped && error_ && error_->code == ErrorCode::NeedsLogin) {
        refreshTried_ = false; // the person has logged in
        return resume(now);
    }
    if ((inWatch() || phase_ == Phase::Listing) && !answered_) { // asked into the void
        Effects out = resume(now);
        out.cancel = true;
        return out;
    }
    return phase_ == Phase::Backoff ? timer(now) : Effects{};
}

Effects WatchMachine::relist(Now) {
    if (phase_ == Phase::Stopped || phase_ == Phase::Listing) {
        return {};
    }
    Effects out = startList();
    out.cancel = true;
    return out;
}

Freshness WatchMachine::freshness() const {
    using State = Freshness::State;
    Freshness out;
    out.lastSync = lastSync_;
    out.lastEvent = lastEvent_;
    out.error = error_;
    out.attempt = attempt_;
    switch (phase_) {
    case Phase::Idle: out.state = State::Empty; break;
    case Phase::Listing:
    case Phase::Streaming:
    case Phase::Opening:
        if (error_ && !answered_) {
            out.state = State::Stale; // still the same outage until something answers
        } else if (!synced_) {
            out.state = State::Loading;
        } else {
            out.state = polls_ && phase_ == Phase::Listing ? State::Polling : State::CatchingUp;
        }
        break;
    case Phase::Watching:
        out.state = State::Live;
        out.attempt = 0;
        break;
    case Phase::Backoff:
    case Phase::Refreshing: out.state = State::Stale; break;
    case Phase::PollWait: out.state = State::Polling; break;
    case Phase::Stopped:
        out.state = error_ && error_->code == ErrorCode::Forbidden ? State::Forbidden : State::Failed;
        break;
    }
    return out;
}

} // namespace alidade::cluster
