// SPDX-License-Identifier: GPL-3.0-or-later
#include "log_follow.hpp"

#include <algorithm>
#include <utility>

#include <nlohmann/json.hpp>

namespace alidade::cluster {
namespace {

using guard::ErrorCode;

constexpr std::int64_t kSecondNs = 1'000'000'000;
constexpr std::size_t kLongLine = 256UL * 1024;
constexpr std::size_t kMaxErrorBody = 64UL * 1024;
constexpr guard::Millis kFirstDelay{800};
constexpr guard::Millis kLongestDelay{30'000};

std::int64_t wholeSecond(std::int64_t ns) { return ns - ns % kSecondNs; }

} // namespace

bool LogPlace::take(std::string_view line, std::string_view& text) {
    text = line;
    const auto blank = line.find(' ');
    const auto stamp = guard::parseRfc3339(line.substr(0, blank));
    if (!stamp) {
        return true; // the kubelet's own words carry no stamp
    }
    text = blank == std::string_view::npos ? std::string_view{} : line.substr(blank + 1);
    const std::int64_t at = stamp->time_since_epoch().count();
    if (const auto repeat = repeats_.find(at); repeat != repeats_.end()) {
        if (--repeat->second == 0) {
            repeats_.erase(repeat);
        }
        return false;
    }
    if (first_ && at < *first_) {
        return false; // older than the beginning, which a tail had cut off
    }
    first_ = first_.value_or(at);
    if (at > last_) {
        if (wholeSecond(at) != wholeSecond(last_)) {
            shown_.erase(shown_.begin(), shown_.lower_bound(wholeSecond(at)));
        }
        last_ = at;
    }
    if (at >= wholeSecond(last_)) {
        ++shown_[at];
    }
    return true;
}

void LogPlace::resume() { repeats_ = shown_; }

std::optional<std::string> LogPlace::sinceTime() const {
    if (last_ == 0) {
        return std::nullopt;
    }
    return guard::formatRfc3339(guard::WallTime(std::chrono::nanoseconds(wholeSecond(last_))));
}

LogFollow::LogFollow(Loop loop, Transport& transport, ClusterReader& reader, ObjectKey pod, LogOptions options,
                     std::shared_ptr<Mailbox<LogChunk>> mailbox, std::uint64_t stream, std::uint64_t seed)
    : loop_(std::move(loop)), transport_(transport), reader_(reader), pod_(std::move(pod)), options_(std::move(options)),
      mailbox_(std::move(mailbox)), stream_(stream), random_(seed) {}

LogFollow::~LogFollow() {
    *alive_ = false;
    call_.reset();
}

void LogFollow::start() { askPod(true); }

void LogFollow::drop() {
    ++generation_;
    if (call_) {
        loop_.post([call = std::shared_ptr<http::Call>(std::move(call_))]() mutable { call.reset(); });
    }
}

void LogFollow::open() {
    drop();
    if (!guard::validNamespace(pod_.ns) || !guard::validObjectName(pod_.name)) {
        finish(guard::fail(ErrorCode::Config, pod_.text(), "not a valid name"));
        return;
    }
    http::Request request;
    request.target = "/api/v1/namespaces/" + pod_.ns + "/pods/" + http::percentEncode(pod_.name) + "/log?timestamps=true";
    if (!options_.container.empty()) {
        request.target += "&container=" + http::percentEncode(options_.container);
    }
    request.target += options_.previous ? "&previous=true" : "&follow=true";
    if (const auto since = place_.sinceTime()) {
        request.target += "&sinceTime=" + http::percentEncode(*since);
        place_.resume();
    } else {
        if (options_.tailLines) {
            request.target += "&tailLines=" + std::to_string(*options_.tailLines);
        }
        if (options_.sinceSeconds) {
            request.target += "&sinceSeconds=" + std::to_string(*options_.sinceSeconds);
        }
    }
    bad_ = false;
    errorBody_.clear();
    pending_.clear();
    insideLine_ = false;
    const std::uint64_t mine = generation_;
    http::CallOptions options;
    options.connection = http::Connection::Dedicated;
    options.acceptGzip = false;
    http::CallHandler handler;
    handler.head = [this, mine](const http::ResponseHead& head) {
        if (mine != generation_) {
            return;
        }
        head_ = head;
        bad_ = head.status != 200;
        if (!bad_) {
            attempt_ = 0;
            refreshTried_ = false;
        }
    };
    handler.body = [this, mine](std::string_view bytes) {
        if (mine == generation_) {
            onBody(bytes);
        }
    };
    handler.done = [this, mine](guard::Result<void> result) {
        if (mine == generation_) {
            onDone(std::move(result));
        }
    };
    call_ = transport_.start(std::move(request), options, std::move(handler));
}

void LogFollow::onBody(std::string_view bytes) {
    if (bad_) {
        errorBody_.append(bytes.substr(0, kMaxErrorBody - std::min(kMaxErrorBody, errorBody_.size())));
        return;
    }
    pending_.append(bytes);
    takeLines(false);
}

void LogFollow::takeLines(bool last) {
    std::string out;
    const auto show = [&](std::string_view line, bool whole) {
        std::string_view text = line;
        if (!insideLine_ && !place_.take(line, text)) {
            return;
        }
        out.append(insideLine_ || !options_.timestamps ? text : line);
        if (whole) {
            out += '\n';
        }
    };
    std::size_t from = 0;
    for (std::size_t end = pending_.find('\n'); end != std::string::npos; end = pending_.find('\n', from)) {
        show(std::string_view(pending_).substr(from, end - from), true);
        insideLine_ = false;
        from = end + 1;
    }
    pending_.erase(0, from);
    if (last && !pending_.empty()) {
        show(pending_, false);
        pending_.clear();
    } else if (pending_.size() > kLongLine) { // an endless line is shown in pieces, not collected
        show(pending_, false);
        insideLine_ = true;
        pending_.clear();
    }
    if (!out.empty()) {
        LogChunk chunk;
        chunk.stream = stream_;
        chunk.bytes = std::move(out);
        chunk.reconnected = std::exchange(resumed_, false);
        chunk.restarted = std::exchange(restarted_, false);
        mailbox_->post(std::move(chunk));
    }
}

void LogFollow::onDone(guard::Result<void> result) {
    if (bad_) {
        guard::Error error = transport_.refusal("GET " + pod_.text() + "/log", head_, errorBody_);
        if (error.code == ErrorCode::NeedsLogin && !refreshTried_) {
            refreshTried_ = true;
            drop();
            transport_.refresh([this, alive = std::weak_ptr<bool>(alive_)](guard::Result<void> refreshed) {
                if (const auto still = alive.lock(); !still || !*still) {
                    return;
                }
                if (refreshed) {
                    open();
                } else {
                    finish(tl::unexpected(refreshed.error()));
                }
            });
            return;
        }
        if (guard::retryable(error.code) || error.code == ErrorCode::ServerError || error.code == ErrorCode::Throttled) {
            retry();
        } else {
            finish(tl::unexpected(std::move(error)));
        }
        return;
    }
    if (!result) {
        pending_.clear(); // the resumed stream brings the whole line
        if (guard::retryable(result.error().code) || result.error().code == ErrorCode::ConnectionLost) {
            retry();
        } else {
            finish(tl::unexpected(std::move(result.error())));
        }
        return;
    }
    takeLines(true);
    if (options_.previous) {
        finish({});
        return;
    }
    drop();
    askPod(false); // an end well framed: of the container, or only of the connection
}

void LogFollow::askPod(bool first) {
    reader_.get(pod_, [this, first, alive = std::weak_ptr<bool>(alive_)](Result<guard::Raw<nlohmann::json>> pod) {
        if (const auto still = alive.lock(); still && *still) {
            onPod(first, std::move(pod));
        }
    });
}

LogFollow::Container LogFollow::container(const nlohmann::json& pod) const {
    Container out;
    const auto status = pod.find("status");
    if (status == pod.end() || !status->is_object()) {
        return out;
    }
    for (const char* list : {"containerStatuses", "initContainerStatuses", "ephemeralContainerStatuses"}) {
        const auto statuses = status->find(list);
        if (statuses == status->end() || !statuses->is_array()) {
            continue;
        }
        for (const auto& one : *statuses) {
            if (!one.is_object() || (!options_.container.empty() && one.value("name", nlohmann::json()) != options_.container)) {
                continue;
            }
            if (const auto restarts = one.find("restartCount"); restarts != one.end() && restarts->is_number_integer()) {
                out.restarts = restarts->get<std::int64_t>();
            }
            if (const auto state = one.find("state"); state != one.end() && state->is_object()) {
                out.running = state->contains("running");
                out.ended = state->contains("terminated") || (state->contains("waiting") && out.restarts > 0);
            }
            return out;
        }
    }
    return out;
}

void LogFollow::onPod(bool first, Result<guard::Raw<nlohmann::json>> pod) {
    if (ended_) {
        return;
    }
    if (!pod) {
        if (pod.error().code == ErrorCode::NotFound || (!guard::retryable(pod.error().code) && !first)) {
            finish(tl::unexpected(std::move(pod.error())));
        } else if (first) {
            open(); // who may read logs may not be allowed to read pods: the log itself decides
        } else {
            retry();
        }
        return;
    }
    const Container now = pod->value().is_object() ? container(pod->value()) : Container{};
    if (first) {
        restarts_ = now.restarts;
        open();
        return;
    }
    if (now.running) {
        restarted_ = restarts_ && now.restarts > *restarts_;
        restarts_ = now.restarts;
        resumed_ = true;
        retry();
    } else if (now.ended) {
        finish({});
    } else {
        retry();
    }
}

void LogFollow::retry() {
    if (ended_) {
        return;
    }
    drop();
    resumed_ = true;
    random_ = random_ * 6364136223846793005ULL + 1442695040888963407ULL;
    const double jitter = 0.75 + static_cast<double>(random_ >> 40) / static_cast<double>(1ULL << 24) / 2;
    const auto base = static_cast<double>(kFirstDelay.count()) * static_cast<double>(1 << std::min(attempt_++, 10));
    const auto delay = std::clamp(guard::Millis(static_cast<std::int64_t>(base * jitter)), kFirstDelay, kLongestDelay);
    timer_ = loop_.timers->after(delay, [this] {
        loop_.post([token = std::shared_ptr<guard::Timers::Token>(std::move(timer_))] {});
        open();
    });
}

void LogFollow::finish(Result<void> how) {
    if (std::exchange(ended_, true)) {
        return;
    }
    drop();
    LogChunk chunk;
    chunk.stream = stream_;
    chunk.ended = std::move(how);
    mailbox_->post(std::move(chunk));
}

} // namespace alidade::cluster
