// SPDX-License-Identifier: GPL-3.0-or-later
#include "world/virtual_clock.hpp"

#include <algorithm>

namespace alidade::simulator {

VirtualClock::Id VirtualClock::at(WallTime when, std::function<void()> call) {
    when = std::max(when, now_);
    const Id id = ++lastId_;
    queue_.emplace(std::pair(when, id), std::move(call));
    when_.emplace(id, when);
    return id;
}

void VirtualClock::cancel(Id id) {
    const auto it = when_.find(id);
    if (it == when_.end())
        return;
    queue_.erase({it->second, id});
    when_.erase(it);
}

void VirtualClock::advanceTo(WallTime until) {
    while (!queue_.empty() && queue_.begin()->first.first <= until) {
        auto node = queue_.extract(queue_.begin());
        now_ = std::max(now_, node.key().first);
        when_.erase(node.key().second);
        node.mapped()();
    }
    now_ = std::max(now_, until);
}

std::optional<WallTime> VirtualClock::next() const {
    if (queue_.empty())
        return std::nullopt;
    return queue_.begin()->first.first;
}

} // namespace alidade::simulator
