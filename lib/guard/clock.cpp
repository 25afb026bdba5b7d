// SPDX-License-Identifier: GPL-3.0-or-later
#include "alidade/guard/clock.hpp"

#include <condition_variable>
#include <cstdio>
#include <limits>
#include <mutex>

namespace alidade::guard {

MonoTime SystemClock::now() const { return std::chrono::steady_clock::now(); }

WallTime SystemClock::wall() const {
    return std::chrono::time_point_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now());
}

bool SystemClock::sleepUntil(MonoTime until, std::stop_token stop) const {
    std::mutex mutex;
    std::condition_variable_any wake;
    std::unique_lock lock(mutex);
    wake.wait_until(lock, stop, until, [&] { return now() >= until; });
    return now() >= until;
}

struct ManualClock::State {
    mutable std::mutex mutex;
    mutable std::condition_variable_any wake;
    std::chrono::nanoseconds elapsed{0};
    WallTime start;
};

ManualClock::ManualClock(WallTime start) : state_(std::make_unique<State>()) { state_->start = start; }
ManualClock::~ManualClock() = default;

MonoTime ManualClock::now() const {
    const std::lock_guard lock(state_->mutex);
    return MonoTime{state_->elapsed};
}

WallTime ManualClock::wall() const {
    const std::lock_guard lock(state_->mutex);
    return state_->start + state_->elapsed;
}

bool ManualClock::sleepUntil(MonoTime until, std::stop_token stop) const {
    std::unique_lock lock(state_->mutex);
    return state_->wake.wait(lock, stop, [&] { return MonoTime{state_->elapsed} >= until; });
}

void ManualClock::advance(std::chrono::nanoseconds by) {
    {
        const std::lock_guard lock(state_->mutex);
        state_->elapsed += by;
    }
    state_->wake.notify_all();
}

namespace {
/// Reads exactly `digits` decimal digits.
bool number(std::string_view& text, std::size_t digits, int& out) noexcept {
    if (text.size() < digits)
        return false;
    out = 0;
    for (std::size_t i = 0; i < digits; ++i) {
        if (text[i] < '0' || text[i] > '9')
            return false;
        out = out * 10 + (text[i] - '0');
    }
    text.remove_prefix(digits);
    return true;
}
bool literal(std::string_view& text, char upper) noexcept {
    if (text.empty())
        return false;
    const char c = text.front() >= 'a' && text.front() <= 'z' ? static_cast<char>(text.front() - 32) : text.front();
    if (c != upper)
        return false;
    text.remove_prefix(1);
    return true;
}
} // namespace

std::optional<WallTime> parseRfc3339(std::string_view text) noexcept {
    int year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0;
    if (!number(text, 4, year) || !literal(text, '-') || !number(text, 2, month) || !literal(text, '-') ||
        !number(text, 2, day) || !literal(text, 'T') || !number(text, 2, hour) || !literal(text, ':') ||
        !number(text, 2, minute) || !literal(text, ':') || !number(text, 2, second))
        return std::nullopt;
    const std::chrono::year_month_day date{std::chrono::year{year}, std::chrono::month{static_cast<unsigned>(month)},
                                           std::chrono::day{static_cast<unsigned>(day)}};
    // 60 is a leap second. The years outside do not fit a 64-bit count of nanoseconds.
    if (!date.ok() || hour > 23 || minute > 59 || second > 60 || year < 1678 || year > 2261)
        return std::nullopt;
    std::int64_t nanos = 0;
    if (literal(text, '.')) {
        std::int64_t unit = 100'000'000;
        bool any = false;
        while (!text.empty() && text.front() >= '0' && text.front() <= '9') {
            nanos += unit * (text.front() - '0');
            unit /= 10;
            any = true;
            text.remove_prefix(1);
        }
        if (!any)
            return std::nullopt;
    }
    int offset = 0;
    if (!literal(text, 'Z')) {
        if (text.empty() || (text.front() != '+' && text.front() != '-'))
            return std::nullopt;
        const int sign = text.front() == '-' ? -1 : 1;
        text.remove_prefix(1);
        int hours = 0, minutes = 0;
        if (!number(text, 2, hours) || !literal(text, ':') || !number(text, 2, minutes) || hours > 23 || minutes > 59)
            return std::nullopt;
        offset = sign * (hours * 60 + minutes);
    }
    if (!text.empty())
        return std::nullopt;
    return WallTime{std::chrono::sys_days{date}.time_since_epoch() + std::chrono::hours{hour} +
                    std::chrono::minutes{minute - offset} + std::chrono::seconds{second} +
                    std::chrono::nanoseconds{nanos}};
}

std::string formatRfc3339(WallTime time, int fractionDigits) {
    const auto days = std::chrono::floor<std::chrono::days>(time);
    const std::chrono::year_month_day date{days};
    std::int64_t rest = (time - days).count();
    const std::int64_t nanos = rest % 1'000'000'000;
    rest /= 1'000'000'000;
    char buffer[64];
    std::snprintf(buffer, sizeof buffer, "%04d-%02u-%02uT%02d:%02d:%02d", static_cast<int>(date.year()),
                  static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()), static_cast<int>(rest / 3600),
                  static_cast<int>(rest / 60 % 60), static_cast<int>(rest % 60));
    std::string out = buffer;
    if (fractionDigits > 0) {
        char fraction[16];
        std::snprintf(fraction, sizeof fraction, ".%09d", static_cast<int>(nanos));
        out.append(fraction, static_cast<std::size_t>(fractionDigits > 9 ? 9 : fractionDigits) + 1);
    }
    return out + "Z";
}

} // namespace alidade::guard
