// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange.hpp"

#include "text_rules.hpp"

#include <algorithm>
#include <array>

namespace alidade::http {
namespace {

using guard::ErrorCode;
using guard::Millis;

constexpr std::size_t kReadBlock = 256UL * 1024; // small enough to stay in the cache from socket to decoder

std::string inSeconds(Millis time) {
    if (time < Millis{1000}) {
        return std::to_string(time.count()) + " ms";
    }
    return std::to_string(time.count() / 1000) + " s";
}

} // namespace

Exchange::Exchange(std::shared_ptr<Pool> pool, Request request, CallOptions options, CallHandler handler)
    : pool_(std::move(pool)), request_(std::move(request)), options_(options), handler_(std::move(handler)),
      framer_(FramingLimits{pool_->dial().limits.maxHeaderBytes, pool_->dial().limits.maxGzipRatio, std::nullopt},
              request_.method == "HEAD", *this) {}

Exchange::~Exchange() { pool_->loop()->remove(this); }

void Exchange::begin() {
    auto& loop = *pool_->loop();
    loop.add(this);
    if (options_.deadline) {
        deadline_ = loop.after(*options_.deadline, [this] {
            fail(ErrorCode::Timeout, waitingFor() + " within " + inSeconds(*options_.deadline));
        });
    }
    auto refused = refusal();
    if (!refused.empty() || pool_->dial().fault) {
        // From the loop: the caller has no Call yet.
        phaseTimer_ = loop.after(Millis{0}, [this, refused = std::move(refused)] {
            const auto self = shared_from_this();
            if (pool_->dial().fault) {
                finish(tl::unexpected(*pool_->dial().fault), false);
            } else {
                finish(tl::unexpected(pool_->dial().error(ErrorCode::Refused, refused)), false);
            }
        });
        return;
    }
    pool_->admit(shared_from_this());
}

std::string Exchange::waitingFor() const {
    if (!wire_) {
        return "other requests to the same server have not left a connection free";
    }
    if (!wire_->ready()) {
        return wire_->waitingFor();
    }
    return headSeen_ ? "the answer has begun and did not end" : "the server accepted the request and did not answer";
}

std::string Exchange::refusal() const {
    if (!isToken(request_.method)) {
        return "the request's method is not a word";
    }
    const auto& target = request_.target;
    if (target.empty() || target.front() != '/' || !std::all_of(target.begin(), target.end(), isTargetChar)) {
        return "the request's target does not begin with '/' or holds a character that must be percent-encoded";
    }
    constexpr std::array<std::string_view, 5> kOurs{"Host", "Content-Length", "Accept-Encoding", "Connection",
                                                    "Transfer-Encoding"};
    for (const auto& [name, value] : request_.headers.fields()) {
        if (!isToken(name)) {
            return "a header's name holds a character that is not allowed there";
        }
        if (!isFieldValue(value)) {
            return "the value of the header '" + name + "' holds a line break or another control character";
        }
        for (const auto ours : kOurs) {
            if (sameName(ours, name)) {
                return "the header '" + name + "' is set by the connection itself";
            }
        }
    }
    return {};
}

std::string Exchange::requestHead() const {
    const auto& endpoint = pool_->dial().endpoint;
    const bool v6 = endpoint.host.find(':') != std::string::npos;
    std::string head;
    head.reserve(512);
    head += request_.method + ' ' + request_.target + " HTTP/1.1\r\nHost: ";
    head += v6 ? '[' + endpoint.host + ']' : endpoint.host;
    if (endpoint.port != (endpoint.tls ? 443 : 80)) {
        head += ':' + std::to_string(endpoint.port);
    }
    head += options_.acceptGzip ? "\r\nAccept-Encoding: gzip\r\n" : "\r\nAccept-Encoding: identity\r\n";
    if (options_.connection != Connection::Pooled) {
        head += "Connection: close\r\n";
    }
    for (const auto& [name, value] : request_.headers.fields()) {
        head += name + ": " + value + "\r\n";
    }
    const bool bodyExpected = request_.method != "GET" && request_.method != "HEAD" && request_.method != "DELETE";
    if (!request_.body.empty() || bodyExpected) {
        head += "Content-Length: " + std::to_string(request_.body.size()) + "\r\n";
    }
    head += "\r\n";
    return head;
}

void Exchange::attach(std::unique_ptr<Wire> wire) {
    wire_ = std::move(wire);
    wire_->setUser(this);
    if (wire_->ready()) {
        wireReady();
        return;
    }
    const auto limit = pool_->dial().limits.connectTimeout;
    phaseTimer_ = pool_->loop()->after(
        limit, [this, limit] { fail(ErrorCode::Timeout, wire_->waitingFor() + " within " + inSeconds(limit)); });
}

void Exchange::wireReady() {
    sent_ = true;
    wire_->write(requestHead());
    if (!request_.body.empty()) {
        wire_->write(request_.body);
        request_.body = {};
    }
    lastActivity_ = std::chrono::steady_clock::now();
    armHeadTimer();
}

void Exchange::armHeadTimer() {
    const auto limit = pool_->dial().limits.headTimeout;
    phaseTimer_ = pool_->loop()->after(limit, [this, limit] {
        fail(ErrorCode::Timeout, "the server accepted the request and did not answer within " + inSeconds(limit));
    });
}

void Exchange::armIdleTimer() {
    phaseTimer_.reset();
    if (!options_.idleTimeout) {
        return;
    }
    const auto silence = std::chrono::steady_clock::now() - lastActivity_;
    const auto left = std::chrono::ceil<Millis>(*options_.idleTimeout - silence);
    phaseTimer_ = pool_->loop()->after(left, [this] {
        if (paused_) {
            lastActivity_ = std::chrono::steady_clock::now(); // the silence is ours
        }
        if (std::chrono::steady_clock::now() - lastActivity_ < *options_.idleTimeout) {
            armIdleTimer();
            return;
        }
        fail(ErrorCode::Timeout, "the server has said nothing for " + inSeconds(*options_.idleTimeout) +
                                     "; the connection may be half-open");
    });
}

void Exchange::wireFailed(guard::Error error) {
    const auto self = shared_from_this();
    error.detail = request_.method + " " + request_.target.substr(0, request_.target.find('?')) + ": " + error.detail;
    finish(tl::unexpected(std::move(error)), false);
}

void Exchange::threadEnds() {
    const auto self = shared_from_this();
    fail(ErrorCode::Cancelled, "the connection's thread has been stopped");
}

void Exchange::onHead(ResponseHead head) {
    headSeen_ = true;
    armIdleTimer();
    if (handler_.head) {
        ++inCallback_;
        handler_.head(head);
        --inCallback_;
    }
}

void Exchange::onBody(std::string_view bytes) {
    if (handler_.body) {
        ++inCallback_;
        handler_.body(bytes);
        --inCallback_;
    }
}

void Exchange::pump() {
    const auto self = shared_from_this();
    if (stopped() || !sent_) {
        return;
    }
    const std::size_t most = kReadBlock + 2 * pool_->dial().limits.maxHeaderBytes;
    Loop::Scratch buffer(*pool_->loop(), std::max(most, carry_.size()));
    std::size_t have = carry_.size();
    std::copy(carry_.begin(), carry_.end(), buffer.data());
    carry_.clear();
    for (bool first = true; !finished_; first = false) {
        const std::size_t room = std::min(kReadBlock, buffer.size() - have);
        const std::size_t got = wire_->read(buffer.data() + have, room);
        have += got;
        if (got > 0) {
            answered_ = true;
            lastActivity_ = std::chrono::steady_clock::now();
        } else if (!first && !wire_->ended()) {
            break;
        }
        std::size_t consumed = 0;
        const FrameState state = framer_.feed({buffer.data(), have}, consumed);
        if (finished_) {
            return; // cancelled by its handler
        }
        std::copy(buffer.data() + consumed, buffer.data() + have, buffer.data());
        have -= consumed;
        if (state == FrameState::Stopped) {
            break;
        }
        if (state == FrameState::Failed) {
            failFrom(framer_.error());
            return;
        }
        if (state == FrameState::Complete) {
            // Bytes behind the answer belong to nothing that was asked.
            finish({}, have == 0 && framer_.keepAlive());
            return;
        }
        if (got == 0 && room > 0 && wire_->ended()) {
            if (wire_->fault()) {
                finish(tl::unexpected(*wire_->fault()), false);
            } else if (framer_.eof({buffer.data(), have}) == FrameState::Complete) {
                finish({}, false);
            } else {
                failFrom(framer_.error());
            }
            return;
        }
    }
    carry_.assign(buffer.data(), have);
}

void Exchange::failFrom(const FrameError& error) {
    std::string detail = error.detail;
    if (error.code == ErrorCode::ConnectionLost && !answered_) {
        if (wire_->reused()) {
            detail += " on a connection that had been idle; the request was not sent again";
        } else if (wire_->clientCertificateMayBeMissing()) {
            detail += " after the TLS handshake; a server that requires a client certificate does this, and none is "
                      "configured";
        }
    }
    fail(error.code, detail);
}

void Exchange::fail(ErrorCode code, const std::string& detail) {
    const auto self = shared_from_this();
    const auto path = request_.target.substr(0, request_.target.find('?')); // the query may hold what is not for logs
    finish(tl::unexpected(pool_->dial().error(code, request_.method + " " + path + ": " + detail)), false);
}

void Exchange::finish(guard::Result<void> result, bool reusable) {
    if (finished_) {
        return;
    }
    letGo(reusable);
    auto done = std::move(handler_.done);
    if (inCallback_ == 0) {
        handler_ = {}; // what it captured may hold our Call
    }
    if (done) {
        done(std::move(result));
    }
}

void Exchange::cancel() {
    const auto self = weak_from_this().lock();
    if (!finished_) {
        letGo(false);
        if (inCallback_ == 0) {
            handler_ = {};
        }
    }
}

void Exchange::letGo(bool reusable) {
    finished_ = true;
    phaseTimer_.reset();
    deadline_.reset();
    pool_->loop()->remove(this);
    auto wire = std::move(wire_);
    if (options_.connection != Connection::Pooled) {
        return;
    }
    if (!wire) {
        pool_->leaveLine(this);
        return;
    }
    wire->setUser(nullptr);
    if (!reusable || wire->ended() || !wire->allWritten()) {
        wire.reset();
    }
    pool_->release(std::move(wire));
}

void Exchange::setPaused(bool paused) {
    if (paused == paused_ || finished_) {
        return;
    }
    paused_ = paused;
    if (!paused) {
        lastActivity_ = std::chrono::steady_clock::now();
        pool_->loop()->post([weak = weak_from_this()] {
            if (const auto self = weak.lock()) {
                self->pump();
            }
        });
    }
}

} // namespace alidade::http
