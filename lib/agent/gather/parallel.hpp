// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The run's own pool: blocking reads side by side. Thread: called on the run's; tasks run on up to four others.
#include <functional>
#include <stop_token>
#include <vector>

namespace alidade::agent {

inline constexpr std::size_t poolSize = 4;

/// Runs every task and returns when all have ended. After a stop request no further task is begun.
void runAll(const std::vector<std::function<void()>>& tasks, const std::stop_token& stop);

} // namespace alidade::agent
