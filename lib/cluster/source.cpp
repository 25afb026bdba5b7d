// SPDX-License-Identifier: GPL-3.0-or-later
#include "source.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

namespace alidade::cluster {
namespace {

using guard::ErrorCode;

constexpr std::size_t kMaxErrorBody = 64UL * 1024;
constexpr guard::Millis kWatchGrace{5'000};
constexpr guard::Millis kListIdle{30'000};
constexpr guard::Millis kFlushEvery{15};

guard::Error withRetryAfter(guard::Error error, const http::ResponseHead& head) {
    if (error.status && error.status->retryAfterSeconds) {
        return error;
    }
    const auto text = head.headers.get("Retry-After");
    int seconds = 0;
    if (!text || std::from_chars(text->data(), text->data() + text->size(), seconds).ec != std::errc{}) {
        return error;
    }
    if (!error.status) {
        error.status.emplace();
        error.status->code = head.status;
    }
    error.status->retryAfterSeconds = seconds;
    return error;
}

/// A Status that came as a body or an event, as an error.
guard::Error errorFromStatus(const std::string& where, std::string_view status) {
    http::ResponseHead head;
    head.status = 500;
    // The code decides; without one it is the server's fault.
    if (const auto at = status.find("\"code\":"); at != std::string_view::npos) {
        std::string_view digits = status.substr(at + 7);
        while (!digits.empty() && digits.front() == ' ') digits.remove_prefix(1);
        int code = 0;
        if (std::from_chars(digits.data(), digits.data() + digits.size(), code).ec == std::errc{} && code >= 400 && code < 600) {
            head.status = code;
        }
    }
    return errorFromResponse(where, head, std::string(status));
}

} // namespace

Source::Source(Loop loop, Transport& transport, Target target, WatchMachine::Options options, Sink& sink,
               SourceEvents events)
    : loop_(std::move(loop)), transport_(transport), target_(std::move(target)), machine_(options), sink_(sink),
      events_(std::move(events)) {
    const auto place = path(target_.kind, target_.scope.ns);
    where_ = "GET " + place.value_or(target_.kind.resource);
}

Source::~Source() {
    *alive_ = false;
    call_.reset();
}

guard::Result<std::string> Source::path(const KindId& kind, const std::string& ns) {
    const auto bad = [&](const std::string& what) {
        return guard::fail(ErrorCode::Config, kind.resource, "not a valid " + what);
    };
    if (!guard::validObjectName(kind.resource) || kind.resource.find('/') != std::string::npos) {
        return bad("resource name");
    }
    if (!guard::validObjectName(kind.version) || (!kind.group.empty() && !guard::validObjectName(kind.group))) {
        return bad("API version");
    }
    std::string out = kind.group.empty() ? "/api/" + kind.version : "/apis/" + kind.group + "/" + kind.version;
    if (kind.namespaced && !ns.empty()) {
        if (!guard::validNamespace(ns)) {
            return bad("namespace");
        }
        out += "/namespaces/" + ns;
    }
    return out + "/" + kind.resource;
}

std::string Source::selectors() const {
    std::string out;
    if (!target_.scope.labelSelector.empty()) {
        out += "&labelSelector=" + http::percentEncode(target_.scope.labelSelector);
    }
    if (!target_.scope.fieldSelector.empty()) {
        out += "&fieldSelector=" + http::percentEncode(target_.scope.fieldSelector);
    }
    if (!sink_.query().empty()) {
        out.append("&").append(sink_.query());
    }
    return out;
}

void Source::start() {
    if (auto place = path(target_.kind, target_.scope.ns); !place) {
        run(machine_.failed(loop_.now(), place.error()));
        return;
    }
    run(machine_.start(loop_.now()));
}

void Source::mayWatch(bool allowed) { run(machine_.mayWatch(loop_.now(), allowed)); }
void Source::reconnect() { run(machine_.reconnect(loop_.now())); }
void Source::lost(const guard::Error& error) { run(machine_.lost(loop_.now(), error)); }
void Source::retryNow() { run(machine_.retryNow(loop_.now())); }

Freshness Source::freshness() const {
    Freshness out = machine_.freshness();
    out.total = total_;
    return out;
}

void Source::drop() {
    ++generation_;
    if (call_) { // perhaps from inside of its own callback
        loop_.post([call = std::shared_ptr<http::Call>(std::move(call_))]() mutable { call.reset(); });
    }
    list_.reset();
    lines_.reset();
}

void Source::run(Effects effects) {
    if (effects.cancel || effects.list || effects.watch) {
        drop();
    }
    if (effects.commit) {
        sink_.commit();
        total_.reset();
        loadedBefore_ = 0;
    }
    if (effects.begin) {
        sink_.begin();
        total_.reset();
        loadedBefore_ = 0;
    }
    if (effects.timer) {
        timer_ = loop_.timers->after(*effects.timer, [this] {
            // The token goes when this call is over, not from inside of it.
            loop_.post([token = std::shared_ptr<guard::Timers::Token>(std::move(timer_))] {});
            run(machine_.timer(loop_.now()));
        });
    }
    if (effects.refresh) {
        transport_.refresh([this, alive = std::weak_ptr<bool>(alive_)](guard::Result<void> result) {
            if (const auto still = alive.lock(); still && *still) {
                run(machine_.refreshed(loop_.now(), std::move(result)));
            }
        });
    }
    if (effects.list) {
        list(*effects.list);
    } else if (effects.watch) {
        watch(*effects.watch);
    }
    if (!effects.idle()) {
        sink_.changed(freshness());
        if (events_.budget) {
            events_.budget();
        }
    }
}

void Source::list(const ListRequest& request) {
    std::string target = *path(target_.kind, target_.scope.ns) + "?limit=" + std::to_string(request.limit);
    if (!request.continueToken.empty()) {
        target += "&continue=" + http::percentEncode(request.continueToken);
    } else if (request.fromCache) {
        target += "&resourceVersion=0";
    }
    list_ = std::make_unique<ListFramer>([this](Padded item) {
        if (!headShown_) {
            headShown_ = true;
            sink_.head(list_->head());
        }
        return sink_.item(item);
    });
    headShown_ = false;
    http::CallOptions options;
    options.connection = http::Connection::Dedicated; // its body may be large; short reads must not wait for it
    options.acceptGzip = target_.gzip;
    options.idleTimeout = kListIdle;
    begin(std::move(target), options, false);
}

void Source::watch(const WatchRequest& request) {
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(request.serverTimeout).count();
    std::string target = *path(target_.kind, target_.scope.ns) + "?watch=true&allowWatchBookmarks=true&timeoutSeconds=" +
                         std::to_string(seconds);
    if (request.initialEvents) {
        target += "&sendInitialEvents=true&resourceVersionMatch=NotOlderThan";
    } else {
        target += "&resourceVersion=" + http::percentEncode(request.resourceVersion);
    }
    lines_ = std::make_unique<LineFramer>([this](Padded line) { return onLine(line); });
    http::CallOptions options;
    options.connection = http::Connection::Dedicated;
    options.acceptGzip = false; // a compressor would hold events back
    options.idleTimeout = request.serverTimeout + kWatchGrace;
    options.deadline = request.serverTimeout + kListIdle;
    begin(std::move(target), options, true);
}

void Source::begin(std::string target, http::CallOptions options, bool isWatch) {
    isWatch_ = isWatch;
    bad_ = false;
    errorBody_.clear();
    head_ = {};
    lineError_.reset();
    http::Request request;
    request.target = std::move(target) + selectors();
    request.headers.set("Accept", std::string(sink_.accept()));
    const std::uint64_t mine = generation_;
    const auto current = [this, mine] { return mine == generation_; };
    http::CallHandler handler;
    handler.head = [this, current](const http::ResponseHead& head) {
        if (current()) {
            onHead(head);
        }
    };
    handler.body = [this, current](std::string_view bytes) {
        if (current()) {
            onBody(bytes);
        }
    };
    handler.done = [this, current](guard::Result<void> result) {
        if (current()) {
            onDone(std::move(result));
        }
    };
    call_ = transport_.start(std::move(request), options, std::move(handler));
}

void Source::onHead(const http::ResponseHead& head) {
    if (events_.heard && head.status != 401) {
        events_.heard();
    }
    head_ = head;
    bad_ = head.status != 200;
    if (bad_) {
        return;
    }
    if (isWatch_) {
        machine_.opened(loop_.now());
    } else {
        machine_.answered();
    }
    sink_.changed(freshness());
}

void Source::onBody(std::string_view bytes) {
    if (events_.heard) {
        events_.heard();
    }
    if (bad_) {
        errorBody_.append(bytes.substr(0, kMaxErrorBody - std::min(kMaxErrorBody, errorBody_.size())));
        return;
    }
    const std::uint64_t mine = generation_;
    sink_.received(loop_.now().mono);
    guard::Result<void> result = isWatch_ ? lines_->feed(bytes) : list_->feed(bytes);
    if (mine != generation_) {
        return;
    }
    if (lineError_) {
        fail(std::move(*std::exchange(lineError_, std::nullopt)));
        return;
    }
    if (!result) {
        result.error().where = where_;
        fail(std::move(result.error()));
        return;
    }
    if (const Effects after = std::exchange(afterLines_, {}); !after.idle()) {
        run(after);
    } else {
        sink_.changed(freshness());
    }
}

bool Source::onLine(Padded document) {
    WatchLine line;
    if (!sink_.line(document, line)) {
        lineError_.emplace(ErrorCode::Protocol, where_, "a line of the watch is not valid JSON");
        return false;
    }
    Effects effects;
    switch (line.type) {
    case WatchLine::Type::Error: lineError_ = errorFromStatus(where_, line.status); return false;
    case WatchLine::Type::Bookmark:
        effects = machine_.bookmark(loop_.now(), line.resourceVersion, line.initialEventsEnd);
        break;
    case WatchLine::Type::Unknown: return true;
    default:
        effects = machine_.event(loop_.now(), line.resourceVersion);
        if (sink_.columnsChanged()) {
            effects = machine_.relist(loop_.now());
        }
    }
    if (effects.idle()) {
        return true;
    }
    if (!effects.cancel && !effects.list && !effects.watch) { // the end of a streamed list: lines go on
        run(effects);
        return true;
    }
    afterLines_ = effects;
    return false;
}

void Source::onDone(guard::Result<void> result) {
    if (bad_) {
        auto error = head_.status < 400 ? guard::Error(ErrorCode::Protocol, where_,
                                                       "the server answered with HTTP " + std::to_string(head_.status))
                                        : withRetryAfter(transport_.refusal(where_, head_, errorBody_), head_);
        fail(std::move(error));
        return;
    }
    if (!result) {
        fail(std::move(result.error()));
        return;
    }
    if (isWatch_) {
        run(machine_.ended(loop_.now()));
        return;
    }
    if (auto whole = list_->finish(); !whole) {
        whole.error().where = where_;
        fail(std::move(whole.error()));
        return;
    }
    const ListHead head = list_->head();
    if (!head.status.empty()) {
        fail(errorFromStatus(where_, head.status));
        return;
    }
    loadedBefore_ += list_->items();
    total_ = head.remaining ? std::optional(loadedBefore_ + static_cast<std::size_t>(*head.remaining)) : std::nullopt;
    sink_.head(head);
    run(machine_.page(loop_.now(), head.resourceVersion, head.continueToken));
}

void Source::fail(guard::Error error) {
    const bool refusedBefore = machine_.watchListRefused();
    const guard::Error told = error;
    run(machine_.failed(loop_.now(), std::move(error)));
    if (machine_.watchListRefused() && !refusedBefore && events_.watchListRefused) {
        events_.watchListRefused();
    }
    if (events_.failed) {
        events_.failed(told);
    }
}

Throttle::Throttle(Loop loop, std::function<void()> call) : loop_(std::move(loop)), call_(std::move(call)) {}

void Throttle::request() {
    if (pending_) {
        return;
    }
    pending_ = true;
    const auto since = loop_.now().mono - last_;
    if (since >= kFlushEvery) {
        loop_.post([this, alive = std::weak_ptr<bool>(alive_)] {
            if (!alive.expired()) {
                fire();
            }
        });
        return;
    }
    timer_ = loop_.timers->after(std::chrono::ceil<guard::Millis>(kFlushEvery - since), [this] { fire(); });
}

void Throttle::fire() {
    pending_ = false;
    last_ = loop_.now().mono;
    call_();
}

} // namespace alidade::cluster
