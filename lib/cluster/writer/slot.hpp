// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// One answer that is waited for on the write thread and arrives on the I/O thread. Thread-safe.
#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "alidade/guard/clock.hpp"
#include "alidade/guard/result.hpp"

namespace alidade::cluster::writer {

template<class T>
class Slot {
public:
    void complete(guard::Result<T> value) {
        std::vector<std::function<void(const guard::Result<T>&)>> calls;
        {
            const std::lock_guard lock(mutex_);
            if (value_)
                return;
            value_.emplace(std::move(value));
            calls.swap(calls_);
        }
        filled_.notify_all();
        for (const auto& call : calls)
            call(*value_);
    }
    /// Calls at once when the answer is there, else on the thread that completes.
    void then(std::function<void(const guard::Result<T>&)> call) {
        {
            const std::lock_guard lock(mutex_);
            if (!value_) {
                calls_.push_back(std::move(call));
                return;
            }
        }
        call(*value_);
    }
    /// The answer, or nothing when the deadline passes first. It stays here and does not change.
    [[nodiscard]] const guard::Result<T>* wait(guard::MonoTime deadline, const guard::Clock& clock) {
        std::unique_lock lock(mutex_);
        const auto limit =
            std::chrono::steady_clock::now() + std::max(deadline - clock.now(), std::chrono::nanoseconds{0});
        filled_.wait_until(lock, limit, [this] { return value_.has_value(); });
        return value_ ? &*value_ : nullptr;
    }

private:
    std::mutex mutex_;
    std::condition_variable filled_;
    std::optional<guard::Result<T>> value_;
    std::vector<std::function<void(const guard::Result<T>&)>> calls_;
};
template<class T>
using SlotPtr = std::shared_ptr<Slot<T>>;

/// A callback for a slot. If it is dropped uncalled (the session ended), the slot is completed as cancelled.
template<class T>
std::function<void(guard::Result<T>)> filling(const SlotPtr<T>& slot) {
    struct Guard {
        explicit Guard(SlotPtr<T> s) : slot(std::move(s)) {}
        Guard(const Guard&) = delete;
        Guard& operator=(const Guard&) = delete;
        ~Guard() { slot->complete(guard::fail(guard::ErrorCode::Cancelled, "cluster", "the connection was closed")); }
        SlotPtr<T> slot;
    };
    return [held = std::make_shared<Guard>(slot)](guard::Result<T> value) { held->slot->complete(std::move(value)); };
}

} // namespace alidade::cluster::writer
