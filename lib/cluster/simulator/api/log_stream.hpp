// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A followed log: what there is, then each line when its time comes.
#include <memory>
#include <string>

#include "api/server.hpp"

namespace alidade::simulator {

struct LogOptions {
    bool timestamps = false;
    std::optional<std::size_t> tail;
    std::optional<WallTime> since;
    std::optional<std::size_t> limitBytes;
};

/// The lines of one run as the kubelet's log endpoint writes them. `last` is moved to the newest line's time.
[[nodiscard]] std::string logText(const RunLog& run, const LogOptions& options, WallTime now,
                                  std::optional<WallTime>& last);

class LogStream : public std::enable_shared_from_this<LogStream> {
public:
    LogStream(World& world, ResponderPtr out, std::shared_ptr<const RunLog> run, LogOptions options);
    ~LogStream();
    void start();
    std::function<void()> finished;

private:
    void next();
    void end(bool finish);
    World& world_;
    ResponderPtr out_;
    std::shared_ptr<const RunLog> run_;
    LogOptions options_;
    std::optional<WallTime> last_;
    VirtualClock::Id timer_ = 0;
    bool done_ = false;
};

} // namespace alidade::simulator
