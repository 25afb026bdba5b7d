// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// One request and its answer on one wire, with its time limits. Kept alive by its Call and by whatever callback is
// running.
#include <chrono>
#include <memory>
#include <string>

#include "alidade/http/client.hpp"
#include "framing.hpp"
#include "io_loop.hpp"
#include "pool.hpp"
#include "wire.hpp"

namespace alidade::http {

class Exchange final : public std::enable_shared_from_this<Exchange>,
                       public Wire::User,
                       public Hosted,
                       public ResponseFramer::Sink {
public:
    Exchange(std::shared_ptr<Pool> pool, Request request, CallOptions options, CallHandler handler);
    ~Exchange();

    void begin();
    void cancel();
    void setPaused(bool paused);
    /// Ends the exchange with an error that names the request.
    void fail(guard::ErrorCode code, const std::string& detail);
    [[nodiscard]] bool sent() const noexcept { return sent_; }
    [[nodiscard]] bool finished() const noexcept { return finished_; }
    [[nodiscard]] Connection connection() const noexcept { return options_.connection; }

    /// From the pool: a wire to use, ready or still connecting.
    void attach(std::unique_ptr<Wire> wire);

private:
    void wireReady() override;
    void wireFailed(guard::Error error) override;
    void wireReadable() override { pump(); }
    void threadEnds() override;
    void onHead(ResponseHead head) override;
    void onBody(std::string_view bytes) override;
    [[nodiscard]] bool stopped() const noexcept override { return paused_ || finished_; }

    [[nodiscard]] std::string refusal() const; ///< why the request may not be sent, or empty
    [[nodiscard]] std::string waitingFor() const; ///< for the message of a deadline that passed
    [[nodiscard]] std::string requestHead() const;
    void pump();
    void armHeadTimer();
    void armIdleTimer();
    void failFrom(const FrameError& error);
    void finish(guard::Result<void> result, bool reusable);
    void letGo(bool reusable);

    std::shared_ptr<Pool> pool_;
    Request request_;
    CallOptions options_;
    CallHandler handler_;
    std::unique_ptr<Wire> wire_;
    ResponseFramer framer_;
    std::string carry_; // bytes read and not yet consumed
    bool sent_ = false;
    bool headSeen_ = false;
    bool answered_ = false; // a byte of the answer has arrived
    bool paused_ = false;
    bool finished_ = false;
    int inCallback_ = 0;
    std::chrono::steady_clock::time_point lastActivity_;
    std::unique_ptr<guard::Timers::Token> phaseTimer_; // connecting, then head, then idle
    std::unique_ptr<guard::Timers::Token> deadline_;
};

} // namespace alidade::http
