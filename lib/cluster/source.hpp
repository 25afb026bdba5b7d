// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// One live collection: drives a WatchMachine over a Transport and feeds what comes into a sink. I/O thread only.
// Knows no Qt: the loop's timers and its queue are passed in, so that it runs in virtual time as well.
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "alidade/cluster/transport.hpp"
#include "alidade/cluster_model/session.hpp"
#include "alidade/guard/clock.hpp"
#include "decode.hpp"
#include "framing.hpp"
#include "watch.hpp"

namespace alidade::cluster {

/// One event loop. `post` runs the call later on the loop, never at once.
struct Loop {
    std::function<void(std::function<void()>)> post;
    guard::Timers* timers = nullptr;
    std::shared_ptr<const guard::Clock> clock;
    [[nodiscard]] Now now() const { return {clock->now(), clock->wall()}; }
};

/// Where documents go. Called on the loop.
class Sink {
public:
    virtual ~Sink() = default;
    [[nodiscard]] virtual std::string_view accept() const = 0;
    [[nodiscard]] virtual std::string_view query() const = 0;
    virtual void begin() = 0;
    virtual void head(const ListHead& head) = 0; ///< before the first item, and at a page's end
    [[nodiscard]] virtual bool item(Padded document) = 0;
    virtual void commit() = 0;
    /// Applies the event; false when it is not JSON. `out` is valid until the next call.
    [[nodiscard]] virtual bool line(Padded document, WatchLine& out) = 0;
    /// What was decoded now has other columns than what is held.
    [[nodiscard]] virtual bool columnsChanged() const { return false; }
    virtual void received(guard::MonoTime) {}
    /// Bytes or the state changed: publish, soon.
    virtual void changed(const Freshness& freshness) = 0;
};

/// What a session wants to know of its sources.
struct SourceEvents {
    std::function<void()> heard;                       ///< an answer's head or bytes came
    std::function<void(const guard::Error&)> failed;   ///< a request failed
    std::function<void()> watchListRefused;
    std::function<void()> budget;                      ///< may have begun or stopped to need a watch
};

class Source {
public:
    struct Target {
        KindId kind;
        ListScope scope;
        bool gzip = true;
    };
    Source(Loop loop, Transport& transport, Target target, WatchMachine::Options options, Sink& sink,
           SourceEvents events = {});
    ~Source();
    Source(const Source&) = delete;
    Source& operator=(const Source&) = delete;

    void start();
    void mayWatch(bool allowed);
    void reconnect();
    void lost(const guard::Error& error);
    void retryNow();

    [[nodiscard]] Freshness freshness() const;
    [[nodiscard]] bool wantsWatch() const noexcept { return machine_.wantsWatch(); }
    [[nodiscard]] bool polling() const noexcept { return machine_.polling(); }
    /// "/api/v1/namespaces/shop/pods"; an error for names that cannot be path segments.
    [[nodiscard]] static guard::Result<std::string> path(const KindId& kind, const std::string& ns);

private:
    void run(Effects effects);
    void list(const ListRequest& request);
    void watch(const WatchRequest& request);
    void begin(std::string target, http::CallOptions options, bool isWatch);
    void onHead(const http::ResponseHead& head);
    void onBody(std::string_view bytes);
    void onDone(guard::Result<void> result);
    bool onLine(Padded line);
    void drop();
    void fail(guard::Error error);
    [[nodiscard]] std::string selectors() const;

    Loop loop_;
    Transport& transport_;
    Target target_;
    WatchMachine machine_;
    Sink& sink_;
    SourceEvents events_;
    std::string where_;

    std::unique_ptr<http::Call> call_;
    std::uint64_t generation_ = 0; // of the call; what an older one still says is ignored
    bool isWatch_ = false;
    bool bad_ = false; // the answer is an error's; its body is collected
    http::ResponseHead head_;
    std::string errorBody_;
    std::unique_ptr<ListFramer> list_;
    std::unique_ptr<LineFramer> lines_;
    bool headShown_ = false;
    std::size_t loadedBefore_ = 0;
    std::optional<std::size_t> total_;
    std::optional<guard::Error> lineError_;
    Effects afterLines_;
    std::unique_ptr<guard::Timers::Token> timer_;
    std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

/// Makes `changed` calls sparse: at once when quiet, at most every 15 ms while busy.
class Throttle {
public:
    Throttle(Loop loop, std::function<void()> call);
    void request();

private:
    void fire();
    Loop loop_;
    std::function<void()> call_;
    bool pending_ = false;
    guard::MonoTime last_{};
    std::unique_ptr<guard::Timers::Token> timer_;
    std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

} // namespace alidade::cluster
