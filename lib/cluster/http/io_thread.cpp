// SPDX-License-Identifier: GPL-3.0-or-later
#include "alidade/http/io_thread.hpp"

#include "io_loop.hpp"
#include "io_thread_impl.hpp"

#include <QCoreApplication>
#include <QEvent>
#include <QEventLoop>
#include <QObject>
#include <QTimer>

#include <algorithm>
#include <future>

#include <pthread.h>
#include <sys/types.h>
#include <unistd.h>

namespace alidade::http {
namespace {

const int kWake = QEvent::registerEventType();

void makeApplication() {
    static int argc = 1;
    static char name[] = "alidade";
    static char* argv[] = {name, nullptr};
    new QCoreApplication(argc, argv); // for the rest of the process, as Qt wants it
}

} // namespace

// Qt delivers no event in any thread while the process has no application object (Qt 6.4, notifyInternal2). A program
// with an application makes it first and is left alone; any other gets a plain one, which belongs to the main thread
// or, where that thread cannot be used, to one that stays for as long as the process does.
void ensureApplication() {
    static std::mutex mutex;
    const std::lock_guard lock(mutex);
    if (QCoreApplication::instance() != nullptr) {
        return;
    }
    if (::gettid() == ::getpid()) {
        makeApplication();
        return;
    }
    std::promise<void> made;
    std::thread([&made] {
        makeApplication();
        made.set_value();
        for (;;) {
            ::pause();
        }
    }).detach();
    made.get_future().wait();
}

class Loop::Receiver final : public QObject {
public:
    explicit Receiver(Loop& loop) : loop_(loop) {}
    bool event(QEvent* event) override {
        if (event->type() == kWake) {
            loop_.drain();
            return true;
        }
        return QObject::event(event);
    }

private:
    Loop& loop_;
};

class Loop::TimerToken final : public guard::Timers::Token {
public:
    TimerToken(std::weak_ptr<Loop> loop, Key key) : loop_(std::move(loop)), key_(key) {}
    ~TimerToken() override {
        if (const auto loop = loop_.lock(); loop && !loop->ended()) {
            loop->timers_.erase(key_);
        }
    }

private:
    std::weak_ptr<Loop> loop_;
    Key key_;
};

Loop::Loop() = default;
Loop::~Loop() = default;

void Loop::wakeLocked() {
    if (!wakePending_ && receiver_) {
        wakePending_ = true;
        QCoreApplication::postEvent(receiver_.get(), new QEvent(static_cast<QEvent::Type>(kWake)));
    }
}

bool Loop::post(std::function<void()> call) {
    const std::lock_guard lock(mutex_);
    if (stopping_) {
        return false;
    }
    queue_.push_back(std::move(call));
    wakeLocked();
    return true;
}

void Loop::later(std::function<void()> call) {
    const std::lock_guard lock(mutex_);
    queue_.push_back(std::move(call));
    wakeLocked();
}

void Loop::stop(std::function<void()> lastCall) {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    queue_.push_back(std::move(lastCall));
    wakeLocked();
}

void Loop::drain() {
    std::vector<std::function<void()>> calls;
    {
        const std::lock_guard lock(mutex_);
        wakePending_ = false;
        calls.swap(queue_);
    }
    for (auto& call : calls) {
        call();
        call = nullptr; // what it captured goes before the next one runs
    }
}

std::unique_ptr<guard::Timers::Token> Loop::after(guard::Millis delay, std::function<void()> call) {
    const Key key{std::chrono::steady_clock::now() + std::max(delay, guard::Millis{0}), nextTimer_++};
    if (!ended()) {
        timers_.emplace(key, std::move(call));
        if (timers_.begin()->first == key) {
            armTimer();
        }
    }
    return std::make_unique<TimerToken>(weak_from_this(), key);
}

void Loop::armTimer() {
    if (timer_ == nullptr) {
        return;
    }
    if (timers_.empty()) {
        timer_->stop();
        return;
    }
    const auto wait = timers_.begin()->first.first - std::chrono::steady_clock::now();
    const auto millis = std::chrono::ceil<guard::Millis>(std::max(wait, decltype(wait){0}));
    timer_->start(std::min(millis, guard::Millis{24 * 3'600'000}));
}

void Loop::fireTimers() {
    // Those due now, not those that the calls add: a timer of 0 ms runs in the next round.
    const Key limit{std::chrono::steady_clock::now(), nextTimer_};
    while (!timers_.empty() && timers_.begin()->first < limit) {
        auto node = timers_.extract(timers_.begin());
        node.mapped()();
    }
    armTimer();
}

void Loop::enter() {
    id_.store(std::this_thread::get_id());
    auto receiver = std::make_unique<Receiver>(*this);
    timer_ = new QTimer(receiver.get());
    timer_->setSingleShot(true);
    timer_->setTimerType(Qt::PreciseTimer);
    QObject::connect(timer_, &QTimer::timeout, receiver.get(), [this] { fireTimers(); });
    const std::lock_guard lock(mutex_);
    receiver_ = std::move(receiver);
    if (!queue_.empty()) {
        wakeLocked();
    }
}

void Loop::leave() {
    ending_ = true;
    // Each may take others with it, so never iterate over what they change.
    while (!hosted_.empty()) {
        Hosted* const hosted = *hosted_.begin();
        hosted_.erase(hosted_.begin());
        hosted->threadEnds();
    }
    timers_.clear();
    ended_.store(true);
    std::unique_ptr<QObject> receiver;
    std::vector<std::function<void()>> unrun;
    {
        const std::lock_guard lock(mutex_);
        unrun.swap(queue_);
        receiver = std::move(receiver_);
        timer_ = nullptr;
    }
    unrun.clear();
    receiver.reset(); // and with it every socket
    scratch_ = {};
}

Loop::Scratch::Scratch(Loop& loop, std::size_t size) : loop_(loop), buffer_(std::move(loop.scratch_)) {
    if (buffer_.size() < size) {
        buffer_.resize(size);
    }
}

Loop::Scratch::~Scratch() { loop_.scratch_ = std::move(buffer_); }

IoThread::Impl::Impl(const std::string& name) : loop(std::make_shared<Loop>()) {
    ensureApplication();
    std::promise<void> ready;
    thread = std::thread([this, &ready, name] {
        ::pthread_setname_np(::pthread_self(), name.substr(0, 15).c_str());
        loop->enter();
        ready.set_value();
        QEventLoop events;
        quit = [&events] { events.quit(); };
        events.exec();
        loop->leave();
        quit = nullptr;
    });
    ready.get_future().wait();
}

IoThread::Impl::~Impl() { end(); }

void IoThread::Impl::end() {
    std::call_once(ended, [this] {
        loop->stop([this] { quit(); });
        thread.join();
    });
}

IoThread::IoThread(std::string name) : impl_(std::make_unique<Impl>(name)) {}

IoThread::~IoThread() = default;

void IoThread::post(std::function<void()> call) { impl_->loop->post(std::move(call)); }

void IoThread::run(const std::function<void()>& call) {
    // The waiter is told by whatever happens to the posted call: its end, or its being dropped unrun.
    struct Signal {
        std::promise<void> promise;
        ~Signal() { promise.set_value(); }
    };
    auto signal = std::make_shared<Signal>();
    auto ended = signal->promise.get_future();
    impl_->loop->post([&call, signal = std::move(signal)]() mutable {
        call();
        signal.reset();
    });
    ended.wait();
}

void IoThread::end() { impl_->end(); }

bool IoThread::isCurrent() const noexcept { return impl_->loop->isCurrent(); }

guard::Timers& IoThread::timers() noexcept { return *impl_->loop; }

} // namespace alidade::http
