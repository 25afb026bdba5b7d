// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What a store publishes: freshness, snapshots, delta batches.
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "alidade/cluster_model/rows.hpp"
#include "alidade/guard/clock.hpp"
#include "alidade/guard/result.hpp"

namespace alidade::cluster {

/// Stale data is never shown as current: every table has one of these.
struct Freshness {
    enum class State : std::uint8_t {
        Empty,       ///< nothing asked yet
        Loading,     ///< first list under way: `loaded`, and `total` where the server said how many remain
        Live,        ///< watching, in sync
        CatchingUp,  ///< a re-list or a re-watch is under way; rows are the old ones
        Stale,       ///< not in sync, retrying; rows are of `lastSync` (the epoch: never synced); see error
        Polling,     ///< the kind cannot be watched, or too many watches: listed every 30 s
        Forbidden,   ///< stopped; see error
        Failed,      ///< stopped; see error
    };
    State state = State::Empty;
    std::size_t loaded = 0;
    std::optional<std::size_t> total;
    guard::WallTime lastSync{};    ///< when rows were last known to be current
    guard::WallTime lastEvent{};   ///< last change or bookmark
    std::optional<guard::Error> error;
    int attempt = 0;               ///< of reconnecting
};
[[nodiscard]] std::string_view name(Freshness::State state) noexcept;

/// Rows by Row::key (the UID). `upserts` are new or changed; a row changes by replacement. A batch with `reset` replaces everything.
struct DeltaBatch {
    std::uint64_t subscription = 0;
    std::uint64_t sequence = 0;   ///< per subscription, from 1, no holes
    bool reset = false;
    Schema schema;                ///< set on reset, and when it changed
    std::vector<RowPtr> upserts;
    std::vector<std::string> removals;  ///< Row::key
    Freshness freshness;
    guard::MonoTime receivedAt{};  ///< when the oldest event of the batch left the socket (latency measurement)
};

}  // namespace alidade::cluster
