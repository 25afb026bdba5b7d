// SPDX-License-Identifier: GPL-3.0-or-later
#include "gather/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <thread>

namespace alidade::agent {

void runAll(const std::vector<std::function<void()>>& tasks, const std::stop_token& stop) {
    std::atomic<std::size_t> next{0};
    const auto work = [&] {
        for (std::size_t i = next.fetch_add(1); i < tasks.size() && !stop.stop_requested(); i = next.fetch_add(1))
            tasks[i]();
    };
    std::vector<std::jthread> pool;
    for (std::size_t i = 1; i < std::min(poolSize, tasks.size()); ++i)
        pool.emplace_back(work);
    work();
}

} // namespace alidade::agent
