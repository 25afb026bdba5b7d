// SPDX-License-Identifier: GPL-3.0-or-later
#include "api/log_stream.hpp"

#include <algorithm>
#include <utility>

namespace alidade::simulator {

namespace {
constexpr std::size_t rotated = 5000; // a kubelet keeps so much of a log before it rotates
constexpr Millis lookEvery{500};      // how soon the end of a container is noticed
} // namespace

std::string logText(const RunLog& run, const LogOptions& options, WallTime now, std::optional<WallTime>& last) {
    std::optional<WallTime> after = last;
    if (!after && options.since)
        after = *options.since - std::chrono::nanoseconds(1);
    const auto lines = run.lines(after, now, std::min(options.tail.value_or(rotated), rotated));
    std::string out;
    for (const auto& line : lines) {
        if (options.timestamps)
            out += guard::formatRfc3339(line.time, 9) + " ";
        out += line.text + "\n";
        last = line.time;
    }
    if (options.limitBytes && out.size() > *options.limitBytes)
        out.resize(*options.limitBytes);
    return out;
}

LogStream::LogStream(World& world, ResponderPtr out, std::shared_ptr<const RunLog> run, LogOptions options)
    : world_(world), out_(std::move(out)), run_(std::move(run)), options_(options) {}

LogStream::~LogStream() { world_.clock().cancel(timer_); }

void LogStream::start() {
    out_->onClosed([weak = weak_from_this()] {
        if (const auto self = weak.lock())
            self->end(false);
    });
    const auto text = logText(*run_, options_, world_.now(), last_);
    if (!text.empty())
        out_->write(text);
    if (!last_)
        last_ = world_.now();
    options_.tail.reset();
    next();
}

void LogStream::next() {
    if (done_)
        return;
    if (run_->ended) {
        const auto text = logText(*run_, options_, world_.now(), last_);
        if (!text.empty())
            out_->write(text);
        return end(true);
    }
    const auto due = run_->nextAfter(*last_);
    const auto look = world_.now() + lookEvery;
    timer_ = world_.clock().at(due ? std::min(*due, look) : look, [weak = weak_from_this()] {
        const auto self = weak.lock();
        if (!self || self->done_)
            return;
        const auto text = logText(*self->run_, self->options_, self->world_.now(), self->last_);
        if (!text.empty())
            self->out_->write(text);
        self->next();
    });
}

void LogStream::end(bool finish) {
    if (std::exchange(done_, true))
        return;
    if (finish)
        out_->finish();
    world_.clock().cancel(timer_);
    if (const auto call = std::exchange(finished, nullptr))
        call();
}

} // namespace alidade::simulator
