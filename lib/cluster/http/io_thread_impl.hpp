// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The thread around a Loop. For this component's own files.
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "alidade/http/io_thread.hpp"
#include "io_loop.hpp"

namespace alidade::http {

struct IoThread::Impl {
    explicit Impl(const std::string& name);
    ~Impl();
    void end();
    Impl(const Impl&) = delete;
    Impl& operator=(const Impl&) = delete;

    std::shared_ptr<Loop> loop;
    std::function<void()> quit; // on the thread only
    std::thread thread; // not a QThread: only a join waits for what libraries free as the thread ends
    std::once_flag ended;
};

} // namespace alidade::http
