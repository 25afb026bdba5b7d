// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// One thread with an event loop that hosts clients and servers. Qt's event loop inside; nothing of Qt shows.
#include <functional>
#include <memory>
#include <string>

#include "alidade/guard/clock.hpp"

namespace alidade::http {

/// Makes a plain QCoreApplication for the rest of the process where there is none: Qt delivers no events and loads no TLS
/// without one. The first IoThread does it; who reads certificates before that calls it. Any thread.
void ensureApplication();

/// Owns its thread: starts in the constructor, stops and joins in the destructor (never destroyed on itself).
/// Works without a QCoreApplication in the process: the first one then makes a plain one for the rest of the process. So a
/// program that has an application object of its own makes it before its first IoThread.
class IoThread {
public:
    explicit IoThread(std::string name);
    ~IoThread();
    IoThread(const IoThread&) = delete;
    IoThread& operator=(const IoThread&) = delete;

    /// Runs `call` on the thread. Any thread. After the thread has been told to stop, the call is dropped.
    void post(std::function<void()> call);
    /// Runs `call` on the thread and waits for its end. Any thread but this one.
    void run(const std::function<void()>& call);
    [[nodiscard]] bool isCurrent() const noexcept;
    /// Stops and joins now, whoever else still holds this object: from then on every call is dropped. Any thread but
    /// this one; again does nothing.
    void end();
    /// Timers of this thread's loop; use them on this thread only.
    [[nodiscard]] guard::Timers& timers() noexcept;

    struct Impl;
    [[nodiscard]] Impl& impl() noexcept { return *impl_; } ///< for this component's own files

private:
    std::unique_ptr<Impl> impl_;
};

} // namespace alidade::http
