// SPDX-License-Identifier: GPL-3.0-or-later
#include "pool.hpp"

#include "exchange.hpp"

#include <algorithm>

namespace alidade::http {

Pool::Pool(std::shared_ptr<Loop> loop, std::shared_ptr<const Dial> dial)
    : loop_(std::move(loop)), dial_(std::move(dial)) {
    loop_->add(this);
}

Pool::~Pool() { loop_->remove(this); }

void Pool::close() {
    closed_ = true;
    idle_.clear();
    staleTimer_.reset();
}

void Pool::admit(const std::shared_ptr<Exchange>& exchange) {
    if (exchange->connection() != Connection::Pooled) {
        exchange->attach(std::make_unique<Wire>(loop_, dial_));
    } else if (busy_ >= std::max<std::size_t>(dial_->limits.pooledConnections, 1)) {
        line_.push_back(exchange);
    } else {
        serve(exchange);
    }
}

void Pool::serve(const std::shared_ptr<Exchange>& exchange) {
    ++busy_;
    while (!idle_.empty()) {
        auto wire = std::move(idle_.back()); // the one used last is the least likely to be stale
        idle_.pop_back();
        if (wire->fitForReuse()) {
            wire->markReused();
            exchange->attach(std::move(wire));
            return;
        }
    }
    exchange->attach(std::make_unique<Wire>(loop_, dial_));
}

void Pool::release(std::unique_ptr<Wire> wire) {
    --busy_;
    if (wire && !closed_) {
        wire->setUser(this);
        wire->park();
        idle_.push_back(std::move(wire));
    }
    while (!line_.empty()) {
        const auto next = line_.front().lock();
        line_.pop_front();
        if (next && !next->finished()) {
            serve(next);
            return;
        }
    }
    if (!idle_.empty() && !staleTimer_) {
        staleTimer_ = loop_->after(guard::Millis{10'000}, [this] {
            staleTimer_.reset();
            dropStale();
        });
    }
}

void Pool::leaveLine(const Exchange* exchange) {
    std::erase_if(line_, [&](const std::weak_ptr<Exchange>& waiting) {
        const auto other = waiting.lock();
        return !other || other.get() == exchange;
    });
}

void Pool::wireReadable() { dropStale(); }

void Pool::dropStale() {
    std::erase_if(idle_, [](const std::unique_ptr<Wire>& wire) { return !wire->fitForReuse(); });
    if (!idle_.empty() && !staleTimer_) {
        staleTimer_ = loop_->after(guard::Millis{10'000}, [this] {
            staleTimer_.reset();
            dropStale();
        });
    }
}

} // namespace alidade::http
