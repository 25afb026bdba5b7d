// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The inside of an IoThread: its queue, its timers, and the list of what lives on it. Clients, calls and servers hold
// the loop by shared_ptr, so that they can be destroyed after the thread has ended; by then they own nothing of Qt.
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <unordered_set>
#include <utility>
#include <vector>

#include "alidade/guard/clock.hpp"

class QObject;
class QTimer;

namespace alidade::http {

/// Something with sockets on the loop. When the thread ends it has to let go of all of them.
class Hosted {
public:
    virtual void threadEnds() = 0;

protected:
    ~Hosted() = default;
};

class Loop final : public guard::Timers, public std::enable_shared_from_this<Loop> {
public:
    Loop();
    ~Loop() override;

    // Any thread.
    bool post(std::function<void()> call); ///< false: the thread is ending, the call was dropped
    [[nodiscard]] bool isCurrent() const noexcept { return std::this_thread::get_id() == id_.load(); }
    [[nodiscard]] bool ended() const noexcept { return ended_.load(); }

    // The thread's own.
    void
    later(std::function<void()> call); ///< like post(), but taken until the very end: for what must leave the stack
    [[nodiscard]] std::unique_ptr<Token> after(guard::Millis delay, std::function<void()> call) override;
    void add(Hosted* hosted) { hosted_.insert(hosted); }
    void remove(Hosted* hosted) {
        if (!ended_.load()) {
            hosted_.erase(hosted);
        }
    }
    [[nodiscard]] bool ending() const noexcept { return ending_; } ///< nothing new begins
    /// Parent of every socket; null once the thread has ended.
    [[nodiscard]] QObject* parent() const noexcept { return receiver_.get(); }

    /// A buffer for one read; shared by all connections, since callbacks never nest reads.
    class Scratch {
    public:
        Scratch(Loop& loop, std::size_t size);
        ~Scratch();
        Scratch(const Scratch&) = delete;
        Scratch& operator=(const Scratch&) = delete;
        [[nodiscard]] char* data() noexcept { return buffer_.data(); }
        [[nodiscard]] std::size_t size() const noexcept { return buffer_.size(); }

    private:
        Loop& loop_;
        std::vector<char> buffer_;
    };

    // For IoThread.
    void enter();                              ///< first thing on the thread
    void leave();                              ///< last thing on the thread
    void stop(std::function<void()> lastCall); ///< runs after everything posted before; nothing is taken any more

private:
    class Receiver;
    class TimerToken;
    using Key = std::pair<guard::MonoTime, std::uint64_t>;

    void drain();
    void fireTimers();
    void armTimer();
    void wakeLocked();

    std::atomic<std::thread::id> id_;
    std::atomic<bool> ended_{false};

    std::mutex mutex_;
    std::vector<std::function<void()>> queue_;
    bool wakePending_ = false;
    bool stopping_ = false;

    std::unique_ptr<QObject> receiver_;
    QTimer* timer_ = nullptr; // a child of the receiver
    std::map<Key, std::function<void()>> timers_;
    std::uint64_t nextTimer_ = 0;
    std::unordered_set<Hosted*> hosted_;
    bool ending_ = false;
    std::vector<char> scratch_;
};

} // namespace alidade::http
