// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Keeping one collection in step with the server, as a pure step function: inputs are what happened and when, the output
// is what to do next. Knows no sockets, rows or threads; time is passed in.
// Source: Kubernetes API concepts (efficient detection of changes, 410 Gone, watch bookmarks, streaming lists).
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "alidade/cluster_model/deltas.hpp"
#include "alidade/guard/clock.hpp"
#include "alidade/guard/result.hpp"

namespace alidade::cluster {

struct Now {
    guard::MonoTime mono;
    guard::WallTime wall;
};

struct ListRequest {
    bool fromCache = false; ///< resourceVersion=0; otherwise no resourceVersion at all
    std::size_t limit = 500;
    std::string continueToken; ///< then neither of the above versions
};
struct WatchRequest {
    std::string resourceVersion;
    bool initialEvents = false;    ///< sendInitialEvents (WatchList)
    guard::Millis serverTimeout{}; ///< timeoutSeconds
};

/// To be carried out in the order of the members.
struct Effects {
    bool cancel = false; ///< drop the request that is under way
    bool begin = false;  ///< a list starts: collect what comes apart from what is there
    bool commit = false; ///< the list is whole: put it in place
    bool refresh = false;
    std::optional<ListRequest> list;
    std::optional<WatchRequest> watch;
    std::optional<guard::Millis> timer; ///< replaces the earlier one; answer with timer()
    [[nodiscard]] bool idle() const noexcept {
        return !cancel && !begin && !commit && !refresh && !list && !watch && !timer;
    }
};

class WatchMachine {
public:
    struct Options {
        bool canWatch = true;   ///< discovery lists the verb
        bool watchList = true;  ///< try a streamed list first
        bool mayWatch = true;   ///< the session's budget of watches allows it
        std::uint64_t seed = 1; ///< of the jitter
        std::size_t pageLimit = 500;
        guard::Millis pollEvery{30'000};
    };
    explicit WatchMachine(Options options);

    [[nodiscard]] Effects start(Now now);
    /// The answer to a list began to arrive.
    void answered() noexcept;
    /// One page ended well.
    [[nodiscard]] Effects page(Now now, const std::string& resourceVersion, const std::string& continueToken);
    /// The watch's answer began (HTTP 200).
    void opened(Now now) noexcept;
    /// An object's event, already applied to the store.
    [[nodiscard]] Effects event(Now now, std::string_view resourceVersion);
    [[nodiscard]] Effects bookmark(Now now, std::string_view resourceVersion, bool initialEventsEnd);
    /// The watch's answer ended as its framing says.
    [[nodiscard]] Effects ended(Now now);
    /// The request under way failed, or a watch said so in its stream.
    [[nodiscard]] Effects failed(Now now, guard::Error error);
    [[nodiscard]] Effects refreshed(Now now, guard::Result<void> result);
    [[nodiscard]] Effects timer(Now now);
    /// The budget changed.
    [[nodiscard]] Effects mayWatch(Now now, bool allowed);
    /// Open connections are not to be trusted any more (sleep, network change): resume on a new one.
    [[nodiscard]] Effects reconnect(Now now);
    /// The server does not answer: what is open is dead.
    [[nodiscard]] Effects lost(Now now, guard::Error error);
    /// The server answers again: do not wait any longer.
    [[nodiscard]] Effects retryNow(Now now);
    /// What is held was made under other columns: list again.
    [[nodiscard]] Effects relist(Now now);

    /// Everything but `loaded` and `total`, which the store knows.
    [[nodiscard]] Freshness freshness() const;
    /// Holds one of the session's watches, or wants to.
    [[nodiscard]] bool wantsWatch() const noexcept { return options_.canWatch && phase_ != Phase::Stopped; }
    [[nodiscard]] bool polling() const noexcept { return phase_ == Phase::PollWait; }
    /// Set once the server refused a streamed list.
    [[nodiscard]] bool watchListRefused() const noexcept { return !options_.watchList; }

private:
    enum class Phase : std::uint8_t { Idle, Listing, Streaming, Opening, Watching, Backoff, Refreshing, PollWait, Stopped };
    enum class Next : std::uint8_t { List, Watch };
    Effects startList();
    Effects resume(Now now);
    Effects startWatch();
    Effects startStream(Now now);
    Effects backOff(guard::Error error, Next next, std::optional<int> retryAfterSeconds = std::nullopt);
    Effects stop(guard::Error error);
    Effects poll();
    Effects refused(guard::Error error);
    guard::Millis serverTimeout();
    double random() noexcept;
    [[nodiscard]] bool inWatch() const noexcept {
        return phase_ == Phase::Streaming || phase_ == Phase::Opening || phase_ == Phase::Watching;
    }

    Options options_;
    Phase phase_ = Phase::Idle;
    Next next_ = Next::List;
    std::string version_;  // to resume from
    bool fresh_ = false;   // the next list must not come from the cache
    bool inPages_ = false; // the list under way is past its first page
    bool answered_ = true; // the request under way got an answer
    bool synced_ = false;
    bool polls_ = false; // the last sync was a poll
    bool refreshTried_ = false;
    int attempt_ = 0;
    int gone_ = 0; // 410s since a watch lasted
    guard::MonoTime opened_{};
    guard::MonoTime heard_{};
    guard::WallTime lastSync_{};
    guard::WallTime lastEvent_{};
    std::optional<guard::Error> error_;
    std::uint64_t random_;
};

} // namespace alidade::cluster
