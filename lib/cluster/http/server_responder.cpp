// SPDX-License-Identifier: GPL-3.0-or-later
#include "server_connection.hpp"

#include <utility>

namespace alidade::http {

ServerResponder::~ServerResponder() {
    const auto loop = loop_.lock();
    if (connection_ != nullptr && loop && !loop->ended()) {
        connection_->abandon();
    }
}

void ServerResponder::send(int status, Headers headers, std::string body) {
    if (connection_ != nullptr) {
        connection_->send(status, std::move(headers), std::move(body));
    }
}

void ServerResponder::begin(int status, Headers headers) {
    if (connection_ != nullptr) {
        connection_->begin(status, std::move(headers));
    }
}

void ServerResponder::write(std::string_view bytes) {
    if (connection_ != nullptr) {
        connection_->write(bytes);
    }
}

void ServerResponder::finish() {
    if (connection_ != nullptr) {
        connection_->finish();
    }
}

void ServerResponder::abort(bool reset) {
    if (auto* const connection = std::exchange(connection_, nullptr)) {
        onClosed_ = nullptr; // the peer did not go, we did
        connection->abort(reset);
    }
}

void ServerResponder::writeRaw(std::string_view bytes) {
    if (connection_ != nullptr) {
        connection_->writeRaw(bytes);
    }
}

std::size_t ServerResponder::unsentBytes() const noexcept {
    return connection_ != nullptr ? connection_->unsentBytes() : 0;
}

void ServerResponder::lost() {
    connection_ = nullptr;
    if (const auto call = std::exchange(onClosed_, nullptr)) {
        call();
    }
}

void ServerResponder::drained() {
    if (onDrained_) {
        const auto call = onDrained_; // it may set another one
        call();
    }
}

void ServerResponder::settled() {
    connection_ = nullptr;
    finished_ = true;
    onClosed_ = nullptr;
    onDrained_ = nullptr;
}

} // namespace alidade::http
