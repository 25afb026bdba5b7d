// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Answers that go wrong on purpose, and the record of what was answered.
#include <deque>
#include <functional>
#include <memory>
#include <string>

#include "alidade/http/io_thread.hpp"
#include "alidade/http/server.hpp"
#include "alidade/simulator/simulator.hpp"

namespace alidade::simulator {

using ResponderPtr = std::shared_ptr<http::Responder>;

/// Passes everything on and tells the status once.
class NotingResponder final : public http::Responder {
public:
    NotingResponder(ResponderPtr inner, std::function<void(int)> note)
        : inner_(std::move(inner)), note_(std::move(note)) {}
    void send(int status, http::Headers headers, std::string body) override;
    void begin(int status, http::Headers headers) override;
    void write(std::string_view bytes) override { inner_->write(bytes); }
    void finish() override { inner_->finish(); }
    void abort(bool reset) override { inner_->abort(reset); }
    void writeRaw(std::string_view bytes) override { inner_->writeRaw(bytes); }
    [[nodiscard]] std::size_t unsentBytes() const noexcept override { return inner_->unsentBytes(); }
    [[nodiscard]] bool closed() const noexcept override { return inner_->closed(); }
    void onClosed(std::function<void()> call) override { inner_->onClosed(std::move(call)); }
    void onDrained(std::function<void()> call) override { inner_->onDrained(std::move(call)); }

private:
    ResponderPtr inner_;
    std::function<void(int)> note_;
};

/// Takes an answer apart as the fault says. `inner` null: nobody hears the answer.
class FaultyResponder final : public http::Responder, public std::enable_shared_from_this<FaultyResponder> {
public:
    FaultyResponder(ResponderPtr inner, Fault fault, http::IoThread& io);
    void send(int status, http::Headers headers, std::string body) override;
    void begin(int status, http::Headers headers) override;
    void write(std::string_view bytes) override;
    void finish() override;
    void abort(bool reset) override;
    void writeRaw(std::string_view bytes) override;
    [[nodiscard]] std::size_t unsentBytes() const noexcept override;
    [[nodiscard]] bool closed() const noexcept override { return inner_ != nullptr && inner_->closed(); }
    void onClosed(std::function<void()> call) override;
    void onDrained(std::function<void()> call) override;

private:
    void feed();
    ResponderPtr inner_;
    Fault fault_;
    http::IoThread& io_;
    std::deque<std::string> pieces_;
    bool finishing_ = false;
    bool dead_ = false; ///< half open: nothing goes out any more
    std::unique_ptr<guard::Timers::Token> timer_;
};

} // namespace alidade::simulator
