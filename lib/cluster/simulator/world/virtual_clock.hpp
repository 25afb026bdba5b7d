// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The world's time: a queue of due calls. It moves only when told to; a driver may tie it to the wall clock.
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>

#include "world/json.hpp"

namespace alidade::simulator {

/// Thread: the world's own. Calls due at one time run in the order they were asked for.
class VirtualClock {
public:
    using Id = std::uint64_t;
    explicit VirtualClock(WallTime start) : now_(start) {}
    [[nodiscard]] WallTime now() const noexcept { return now_; }
    Id at(WallTime when, std::function<void()> call);
    Id after(Millis delay, std::function<void()> call) { return at(now_ + delay, std::move(call)); }
    void cancel(Id id);
    /// Runs everything due up to `until`, each at its own time, and ends there.
    void advanceTo(WallTime until);
    [[nodiscard]] std::optional<WallTime> next() const;

private:
    WallTime now_;
    Id lastId_ = 0;
    std::map<std::pair<WallTime, Id>, std::function<void()>> queue_;
    std::unordered_map<Id, WallTime> when_;
};

} // namespace alidade::simulator
