// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Values across threads, in batches: a producer appends, at most one wake-up is pending, the consumer drains.
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <stop_token>
#include <utility>
#include <vector>

#include "alidade/guard/clock.hpp"

namespace alidade::cluster {

/// Called on the producer's thread when a mailbox turns from empty to filled; must not block.
class Wakeup {
public:
    virtual ~Wakeup() = default;
    virtual void wake() = 0;
};

/// Any number of producers, one consumer. Thread-safe.
template <class T>
class Mailbox {
public:
    explicit Mailbox(std::shared_ptr<Wakeup> wakeup = nullptr) : wakeup_(std::move(wakeup)) {}

    void post(T value) {
        bool first = false;
        {
            const std::lock_guard lock(mutex_);
            first = items_.empty();
            items_.push_back(std::move(value));
        }
        filled_.notify_one();
        if (first && wakeup_) wakeup_->wake();
    }
    /// Everything there is, in order; never waits.
    [[nodiscard]] std::vector<T> drain() {
        const std::lock_guard lock(mutex_);
        return std::exchange(items_, {});
    }
    /// Waits for at least one value, a stop request or the time limit. Never on the GUI or an I/O thread.
    [[nodiscard]] std::vector<T> waitDrain(std::stop_token stop, guard::Millis limit) {
        std::unique_lock lock(mutex_);
        filled_.wait_for(lock, stop, limit, [this] { return !items_.empty(); });
        return std::exchange(items_, {});
    }

private:
    std::mutex mutex_;
    std::condition_variable_any filled_;
    std::vector<T> items_;
    std::shared_ptr<Wakeup> wakeup_;
};

}  // namespace alidade::cluster
