// SPDX-License-Identifier: GPL-3.0-or-later
#include "fault_responder.hpp"

#include <utility>

namespace alidade::simulator {

void NotingResponder::send(int status, http::Headers headers, std::string body) {
    if (const auto note = std::exchange(note_, nullptr))
        note(status);
    inner_->send(status, std::move(headers), std::move(body));
}

void NotingResponder::begin(int status, http::Headers headers) {
    if (const auto note = std::exchange(note_, nullptr))
        note(status);
    inner_->begin(status, std::move(headers));
}

FaultyResponder::FaultyResponder(ResponderPtr inner, Fault fault, http::IoThread& io)
    : inner_(std::move(inner)), fault_(std::move(fault)), io_(io) {}

namespace {

std::string rawAnswer(int status, const http::Headers& headers, const std::string& body, std::size_t length) {
    std::string out = "HTTP/1.1 " + std::to_string(status) + " Answer\r\n";
    for (const auto& [name, value] : headers.fields())
        out += name + ": " + value + "\r\n";
    return out + "Content-Length: " + std::to_string(length) + "\r\n\r\n" + body;
}

} // namespace

void FaultyResponder::send(int status, http::Headers headers, std::string body) {
    if (!inner_)
        return;
    switch (fault_.kind) {
    case Fault::Kind::AnswerTwice: {
        const auto once = rawAnswer(status, headers, body, body.size());
        inner_->writeRaw(once + once);
        inner_->finish();
        return;
    }
    case Fault::Kind::Truncate:
        inner_->writeRaw(rawAnswer(status, headers, body.substr(0, body.size() / 2), body.size()));
        inner_->finish();
        return;
    case Fault::Kind::SlowChunks:
    case Fault::Kind::SplitChunks:
    case Fault::Kind::HalfOpen:
        begin(status, std::move(headers));
        write(body);
        finish();
        return;
    default: inner_->send(status, std::move(headers), std::move(body));
    }
}

void FaultyResponder::begin(int status, http::Headers headers) {
    if (!inner_)
        return;
    if (fault_.kind == Fault::Kind::HalfOpen) {
        if (fault_.delay <= guard::Millis(0)) {
            dead_ = true;
            return;
        }
        timer_ = io_.timers().after(fault_.delay, [this] { dead_ = true; });
    }
    inner_->begin(status, std::move(headers));
}

void FaultyResponder::write(std::string_view bytes) {
    if (!inner_ || dead_)
        return;
    switch (fault_.kind) {
    case Fault::Kind::SplitChunks:
        for (const char& c : bytes)
            inner_->write(std::string_view(&c, 1));
        return;
    case Fault::Kind::SlowChunks: {
        const std::size_t piece = std::max<std::size_t>(1, bytes.size() / 8);
        for (std::size_t i = 0; i < bytes.size(); i += piece)
            pieces_.emplace_back(bytes.substr(i, piece));
        if (!timer_)
            feed();
        return;
    }
    case Fault::Kind::Truncate:
        inner_->write(bytes.substr(0, bytes.size() / 2));
        inner_->abort(false);
        dead_ = true;
        return;
    default: inner_->write(bytes);
    }
}

void FaultyResponder::feed() {
    timer_.reset();
    if (pieces_.empty()) {
        if (finishing_)
            inner_->finish();
        return;
    }
    inner_->write(pieces_.front());
    pieces_.pop_front();
    timer_ = io_.timers().after(fault_.delay, [self = shared_from_this()] {
        const auto keep = self;
        keep->feed();
    });
}

void FaultyResponder::finish() {
    if (!inner_ || dead_ || fault_.kind == Fault::Kind::HalfOpen)
        return;
    if (fault_.kind == Fault::Kind::SlowChunks && (timer_ || !pieces_.empty())) {
        finishing_ = true;
        return;
    }
    inner_->finish();
}

void FaultyResponder::abort(bool reset) {
    if (inner_)
        inner_->abort(reset);
}

void FaultyResponder::writeRaw(std::string_view bytes) {
    if (inner_)
        inner_->writeRaw(bytes);
}

std::size_t FaultyResponder::unsentBytes() const noexcept { return inner_ && !dead_ ? inner_->unsentBytes() : 0; }

void FaultyResponder::onClosed(std::function<void()> call) {
    if (inner_)
        inner_->onClosed(std::move(call));
}

void FaultyResponder::onDrained(std::function<void()> call) {
    if (inner_)
        inner_->onDrained(std::move(call));
}

} // namespace alidade::simulator
