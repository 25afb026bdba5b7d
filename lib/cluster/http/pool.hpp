// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The connections of one client: which exchange gets which wire. Short reads share a few and wait in line for them.
#include <cstddef>
#include <deque>
#include <memory>
#include <vector>

#include "io_loop.hpp"
#include "wire.hpp"

namespace alidade::http {

class Exchange;

class Pool final : public Hosted, public Wire::User, public std::enable_shared_from_this<Pool> {
public:
    Pool(std::shared_ptr<Loop> loop, std::shared_ptr<const Dial> dial);
    ~Pool();

    [[nodiscard]] const std::shared_ptr<Loop>& loop() const noexcept { return loop_; }
    [[nodiscard]] const Dial& dial() const noexcept { return *dial_; }

    void admit(const std::shared_ptr<Exchange>& exchange);
    /// A pooled exchange is over; its wire comes back when it can carry another one.
    void release(std::unique_ptr<Wire> wire);
    void leaveLine(const Exchange* exchange);
    void closeIdle() { idle_.clear(); }
    void close(); ///< the client is gone: nothing is kept any more

private:
    void wireReady() override {}
    void wireFailed(guard::Error) override {}
    void wireReadable() override; // an idle one closed, or said something unasked
    void threadEnds() override { idle_.clear(); }
    void serve(const std::shared_ptr<Exchange>& exchange);
    void dropStale();

    std::shared_ptr<Loop> loop_;
    std::shared_ptr<const Dial> dial_;
    std::vector<std::unique_ptr<Wire>> idle_;
    std::deque<std::weak_ptr<Exchange>> line_;
    std::unique_ptr<guard::Timers::Token> staleTimer_;
    std::size_t busy_ = 0; // pooled wires in use
    bool closed_ = false;
};

} // namespace alidade::http
