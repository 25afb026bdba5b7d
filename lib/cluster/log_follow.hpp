// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Follows a container's log across broken connections without a gap or a double. I/O thread only.
// Source: pod log API (follow, timestamps, sinceTime with whole-second grain).
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "source.hpp"

namespace alidade::cluster {

/// Which lines were shown, as far as a resumed stream may repeat them. Pure.
class LogPlace {
public:
    /// One line with its timestamp in front, without its end. True when it is new; then `text` is the line without stamp.
    [[nodiscard]] bool take(std::string_view line, std::string_view& text);
    /// Before the first byte of a resumed stream.
    void resume();
    /// What to ask for when resuming; nullopt when nothing was shown yet.
    [[nodiscard]] std::optional<std::string> sinceTime() const;

private:
    std::optional<std::int64_t> first_;
    std::int64_t last_ = 0;
    std::map<std::int64_t, std::size_t> shown_;   // lines by stamp, within the last whole second
    std::map<std::int64_t, std::size_t> repeats_; // of those, what a resumed stream will repeat
};

class LogFollow {
public:
    LogFollow(Loop loop, Transport& transport, ClusterReader& reader, ObjectKey pod, LogOptions options,
              std::shared_ptr<Mailbox<LogChunk>> mailbox, std::uint64_t stream, std::uint64_t seed);
    ~LogFollow();
    LogFollow(const LogFollow&) = delete;
    LogFollow& operator=(const LogFollow&) = delete;
    void start();

private:
    struct Container {
        std::int64_t restarts = 0;
        bool running = false;
        bool ended = false;
    };
    void open();
    void onBody(std::string_view bytes);
    void onDone(guard::Result<void> result);
    void takeLines(bool last);
    void askPod(bool first);
    void onPod(bool first, Result<guard::Raw<nlohmann::json>> pod);
    void retry();
    void finish(Result<void> how);
    void drop();
    [[nodiscard]] Container container(const nlohmann::json& pod) const;

    Loop loop_;
    Transport& transport_;
    ClusterReader& reader_;
    ObjectKey pod_;
    LogOptions options_;
    std::shared_ptr<Mailbox<LogChunk>> mailbox_;
    std::uint64_t stream_;
    std::uint64_t random_;

    LogPlace place_;
    std::unique_ptr<http::Call> call_;
    std::uint64_t generation_ = 0;
    std::string pending_;    // an unfinished line
    bool insideLine_ = false; // its beginning was shown already
    bool resumed_ = false;   // the next chunk carries the mark
    bool restarted_ = false;
    bool bad_ = false;
    bool refreshTried_ = false;
    bool ended_ = false;
    int attempt_ = 0;
    std::optional<std::int64_t> restarts_;
    http::ResponseHead head_;
    std::string errorBody_;
    std::unique_ptr<guard::Timers::Token> timer_;
    std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

} // namespace alidade::cluster
