// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Time is passed in, so that back-off, watchdogs and dwell run in virtual time in tests.
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>

#include "alidade/guard/result.hpp"

namespace alidade::guard {

using Millis = std::chrono::milliseconds;
using MonoTime = std::chrono::time_point<std::chrono::steady_clock, std::chrono::nanoseconds>;
using WallTime = std::chrono::time_point<std::chrono::system_clock, std::chrono::nanoseconds>;

/// Thread-safe. now() never goes back; wall() may.
class Clock {
public:
    virtual ~Clock() = default;
    [[nodiscard]] virtual MonoTime now() const = 0;
    [[nodiscard]] virtual WallTime wall() const = 0;
    /// Blocks the calling thread until `until` or a stop request; true when the time was reached.
    /// Never called on the GUI or an I/O thread. The manual clock returns when it is advanced that far.
    virtual bool sleepUntil(MonoTime until, std::stop_token stop) const = 0;
};

/// The machine's clocks.
class SystemClock final : public Clock {
public:
    [[nodiscard]] MonoTime now() const override;
    [[nodiscard]] WallTime wall() const override;
    bool sleepUntil(MonoTime until, std::stop_token stop) const override;
};

/// A clock that moves only when told to (tests, simulator). Thread-safe; advance() wakes sleepers.
class ManualClock final : public Clock {
public:
    explicit ManualClock(WallTime start = WallTime{std::chrono::seconds{1'700'000'000}});
    ~ManualClock() override;
    [[nodiscard]] MonoTime now() const override;
    [[nodiscard]] WallTime wall() const override;
    bool sleepUntil(MonoTime until, std::stop_token stop) const override;
    void advance(std::chrono::nanoseconds by);

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// One-shot timers of one event loop. Thread: the loop's own. Destroying the token cancels.
class Timers {
public:
    class Token {
    public:
        virtual ~Token() = default;
    };
    virtual ~Timers() = default;
    [[nodiscard]] virtual std::unique_ptr<Token> after(Millis delay, std::function<void()> call) = 0;
};

/// RFC 3339. Parses 'Z' and offsets, any number of fraction digits; nullopt for anything else.
[[nodiscard]] std::optional<WallTime> parseRfc3339(std::string_view text) noexcept;
/// "2024-05-01T12:00:00Z"; with fraction digits 0, 3, 6 or 9.
[[nodiscard]] std::string formatRfc3339(WallTime time, int fractionDigits = 0);

}  // namespace alidade::guard
