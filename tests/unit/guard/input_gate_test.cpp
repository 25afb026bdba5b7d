// SPDX-License-Identifier: GPL-3.0-or-later
#include <deque>
#include <map>
#include <random>

#include <gtest/gtest.h>

#include "alidade/guard/input_gate.hpp"

using namespace alidade::guard;
using namespace std::chrono_literals;
using Event = InputGate::Event;

namespace {
struct Dialog : testing::Test {
    ManualClock clock;
    InputGate gate;
    StampCalibration calibration;
    std::uint32_t offset = 500; ///< stamp = our milliseconds + offset

    std::uint32_t stampNow() const {
        return static_cast<std::uint32_t>(std::chrono::duration_cast<Millis>(clock.now().time_since_epoch()).count()) +
               offset;
    }
    void open(bool calibrated = true) {
        clock.advance(1s);
        if (calibrated) {
            for (const auto d : {DeviceClass::Pointer, DeviceClass::Key, DeviceClass::Touch})
                calibration.observe(d, stampNow(), clock.now());
            clock.advance(1s);
        }
        gate.setContent("digest-of-64", "", false, clock.now());
        gate.painted(clock.now());
        gate.turnOfLoop(clock.now());
        gate.focusGained(clock.now());
    }
    std::optional<HumanAct> feed(Event event, std::uint32_t stamp, DeviceClass device = DeviceClass::Pointer,
                                 bool on = true, int button = 1, bool repeat = false) {
        return gate.feed({event, device, stamp, clock.now(), repeat, on, button}, calibration);
    }
    std::optional<HumanAct> click(DeviceClass device = DeviceClass::Pointer) {
        clock.advance(50ms);
        if (feed(Event::Press, stampNow(), device))
            ADD_FAILURE() << "a press alone approves nothing";
        clock.advance(50ms);
        return feed(Event::Release, stampNow(), device);
    }
};
} // namespace

TEST_F(Dialog, a_fresh_press_and_release_after_the_dwell_approve) {
    open();
    clock.advance(Limits::dwell);
    const auto act = click();
    ASSERT_TRUE(act);
    EXPECT_EQ(act->digest(), "digest-of-64");
    EXPECT_EQ(act->how(), "pointer");
    EXPECT_TRUE(click(DeviceClass::Key));
}

TEST_F(Dialog, nothing_approves_before_it_is_armed) {
    open();
    clock.advance(Limits::dwell - 150ms);
    EXPECT_FALSE(gate.armed(clock.now()));
    EXPECT_FALSE(click());
}

TEST_F(Dialog, a_press_from_before_arming_delivered_late_does_not_count) {
    open();
    const std::uint32_t early = stampNow();
    clock.advance(Limits::dwell + 300ms);
    EXPECT_FALSE(feed(Event::Press, early));
    EXPECT_FALSE(feed(Event::Release, early + 80));
    // Held down from before: the release alone is nothing.
    EXPECT_FALSE(feed(Event::Press, early));
    EXPECT_FALSE(feed(Event::Release, stampNow()));
    EXPECT_TRUE(click());
}

TEST_F(Dialog, a_burst_queued_while_the_thread_was_blocked_teaches_but_never_approves) {
    open(false);
    const std::uint32_t early = stampNow();
    clock.advance(5s); // the thread hangs; three clicks wait in the queue, all made before it did
    for (std::uint32_t i = 0; i < 3; ++i) {
        EXPECT_FALSE(feed(Event::Press, early + i * 200 + 1));
        EXPECT_FALSE(feed(Event::Release, early + i * 200 + 90));
    }
    EXPECT_FALSE(click()) << "the first fresh one shows how late the others were";
    EXPECT_TRUE(click());
}

TEST_F(Dialog, without_calibration_the_first_press_teaches_and_the_second_counts) {
    open(false);
    clock.advance(Limits::dwell);
    EXPECT_FALSE(click());
    EXPECT_TRUE(click());
}

TEST_F(Dialog, an_event_never_vouches_for_itself) {
    open(false);
    clock.advance(Limits::dwell);
    clock.advance(50ms);
    const std::uint32_t stamp = stampNow();
    calibration.observe(DeviceClass::Pointer, stamp, clock.now()); // the application-wide filter sees it first
    EXPECT_FALSE(feed(Event::Press, stamp));
    EXPECT_FALSE(feed(Event::Release, stamp));
}

TEST_F(Dialog, an_event_without_a_stamp_never_counts) {
    open();
    clock.advance(Limits::dwell + 50ms);
    EXPECT_FALSE(feed(Event::Press, 0));
    EXPECT_FALSE(feed(Event::Release, 0));
    EXPECT_FALSE(feed(Event::Press, 0, DeviceClass::Key));
    EXPECT_FALSE(feed(Event::Release, 0, DeviceClass::Key));
}

TEST_F(Dialog, stamps_of_a_mere_counter_never_count) {
    open();
    clock.advance(Limits::dwell + 1s);
    std::uint32_t counter = 2;
    for (int i = 0; i < 20; ++i) {
        EXPECT_FALSE(feed(Event::Press, counter++));
        EXPECT_FALSE(feed(Event::Release, counter));
        counter += 500;
        clock.advance(900ms);
    }
}

TEST_F(Dialog, auto_repeat_counts_for_nothing) {
    open();
    clock.advance(Limits::dwell + 50ms);
    for (int i = 0; i < 5; ++i) {
        clock.advance(30ms);
        EXPECT_FALSE(feed(Event::Press, stampNow(), DeviceClass::Key, true, 32, true));
        EXPECT_FALSE(feed(Event::Release, stampNow(), DeviceClass::Key, true, 32, true));
    }
    // The end of a key held since before.
    EXPECT_FALSE(feed(Event::Release, stampNow(), DeviceClass::Key, true, 32));
}

TEST_F(Dialog, press_and_release_agree_in_place_device_and_button) {
    open();
    clock.advance(Limits::dwell + 50ms);
    const auto step = [&] { clock.advance(20ms); };
    EXPECT_FALSE(feed(Event::Press, stampNow()));
    step();
    EXPECT_FALSE(feed(Event::Release, stampNow(), DeviceClass::Pointer, false));
    step();
    EXPECT_FALSE(feed(Event::Release, stampNow()));
    step();
    EXPECT_FALSE(feed(Event::Press, stampNow(), DeviceClass::Pointer, false));
    step();
    EXPECT_FALSE(feed(Event::Release, stampNow()));
    step();
    EXPECT_FALSE(feed(Event::Press, stampNow(), DeviceClass::Pointer, true, 1));
    step();
    EXPECT_FALSE(feed(Event::Release, stampNow(), DeviceClass::Pointer, true, 2));
    step();
    EXPECT_FALSE(feed(Event::Press, stampNow(), DeviceClass::Key, true, 1));
    step();
    EXPECT_FALSE(feed(Event::Release, stampNow(), DeviceClass::Pointer, true, 1));
}

TEST_F(Dialog, change_of_content_focus_and_exposure_restart_the_dwell) {
    open();
    clock.advance(Limits::dwell);
    ASSERT_TRUE(gate.armed(clock.now()));
    gate.setContent("digest-of-64", "", false, clock.now());
    EXPECT_TRUE(gate.armed(clock.now())) << "the same content is no change";
    gate.setContent("another", "", false, clock.now());
    EXPECT_FALSE(gate.armed(clock.now()));
    clock.advance(Limits::dwell);
    EXPECT_FALSE(gate.armed(clock.now())) << "the new content has not been painted";
    gate.painted(clock.now());
    gate.turnOfLoop(clock.now());
    clock.advance(Limits::dwell);
    EXPECT_TRUE(gate.armed(clock.now()));
    EXPECT_EQ(click()->digest(), "another");
    gate.exposed(clock.now());
    EXPECT_FALSE(gate.armed(clock.now()));
    clock.advance(Limits::dwell);
    gate.focusLost();
    EXPECT_FALSE(gate.armed(clock.now()));
    gate.focusGained(clock.now());
    EXPECT_FALSE(gate.armed(clock.now()));
    clock.advance(Limits::dwell);
    EXPECT_TRUE(gate.armed(clock.now()));
    gate.clearContent();
    EXPECT_FALSE(gate.armed(clock.now()));
}

TEST_F(Dialog, a_restart_between_press_and_release_cancels) {
    open();
    clock.advance(Limits::dwell + 50ms);
    EXPECT_FALSE(feed(Event::Press, stampNow()));
    gate.exposed(clock.now());
    clock.advance(Limits::dwell + 50ms);
    EXPECT_FALSE(feed(Event::Release, stampNow()));
}

TEST_F(Dialog, stamps_wrap_around) {
    offset = 0xffffffffU - 3500; // wraps while the dialog is open
    open();
    clock.advance(Limits::dwell);
    for (int i = 0; i < 20; ++i) {
        EXPECT_TRUE(click()) << i;
        clock.advance(200ms);
    }
    EXPECT_LT(stampNow(), 10'000U);
}

TEST_F(Dialog, calibration_is_forgotten_after_ten_minutes) {
    open();
    clock.advance(11min);
    EXPECT_FALSE(calibration.madeAt(DeviceClass::Pointer, stampNow(), clock.now()));
    EXPECT_FALSE(click());
    EXPECT_TRUE(click());
}

TEST_F(Dialog, typed_confirmation_and_override_are_wanted_at_press_and_release) {
    clock.advance(1s);
    calibration.observe(DeviceClass::Pointer, stampNow(), clock.now());
    gate.setContent("digest-of-64", "checkout", true, clock.now());
    gate.painted(clock.now());
    gate.turnOfLoop(clock.now());
    gate.focusGained(clock.now());
    clock.advance(Limits::dwell);
    EXPECT_FALSE(click());
    gate.setTyped("checkou");
    gate.setOverride(true);
    EXPECT_FALSE(click());
    gate.setTyped("checkout");
    gate.setOverride(false);
    EXPECT_FALSE(click());
    gate.setOverride(true);
    const auto act = click();
    ASSERT_TRUE(act);
    EXPECT_EQ(act->typed(), "checkout");
    EXPECT_TRUE(act->namedOnlyOverride());
}

TEST_F(Dialog, type_ahead_is_dropped) {
    open();
    const std::uint32_t early = stampNow();
    clock.advance(Limits::dwell + 50ms);
    EXPECT_FALSE(
        gate.acceptsTyping({Event::Press, DeviceClass::Key, early, clock.now(), false, false, 'a'}, calibration));
    EXPECT_TRUE(
        gate.acceptsTyping({Event::Press, DeviceClass::Key, stampNow(), clock.now(), false, false, 'a'}, calibration));
}

TEST_F(Dialog, the_accessible_action_wants_dwell_and_typing) {
    open();
    gate.setTyped("digest-o");
    EXPECT_EQ(gate.accessibleConfirmation(), "digest-o");
    EXPECT_FALSE(gate.accessiblePress(clock.now()));
    clock.advance(Limits::dwell);
    gate.setTyped("");
    EXPECT_FALSE(gate.accessiblePress(clock.now()));
    gate.setTyped("digest-o");
    const auto act = gate.accessiblePress(clock.now());
    ASSERT_TRUE(act);
    EXPECT_EQ(act->how(), "typed");
}

TEST_F(Dialog, progress_follows_the_dwell) {
    EXPECT_EQ(gate.progress(clock.now()), 0.0);
    open();
    clock.advance(Limits::dwell / 2);
    EXPECT_NEAR(gate.progress(clock.now()), 0.5, 0.01);
    clock.advance(1s);
    EXPECT_EQ(gate.progress(clock.now()), 1.0);
}

namespace {
/// The rules once more, written as a search through the whole history instead of as a state machine.
struct Oracle {
    struct Entry {
        enum Kind { Content, Clear, Paint, Turn, Gain, Lose, Expose, Typed, Input } kind;
        std::int64_t at = 0; ///< ms
        int content = 0;
        bool typedRight = false;
        InputGate::Input input{};
    };
    std::vector<Entry> log;

    static bool restarts(const std::vector<Entry>& log, std::size_t i) {
        // Content, paint and turn count only when they change something: the first of their kind after what they need.
        const auto last = [&](Entry::Kind kind, std::size_t before) {
            for (std::size_t j = before; j-- > 0;)
                if (log[j].kind == kind)
                    return static_cast<std::int64_t>(j);
            return std::int64_t{-1};
        };
        const auto base = [&](std::size_t before) { // what began the present content
            for (std::size_t j = before; j-- > 0;)
                if (log[j].kind == Entry::Clear || (log[j].kind == Entry::Content && restarts(log, j)))
                    return static_cast<std::int64_t>(j);
            return std::int64_t{-1};
        };
        switch (log[i].kind) {
        case Entry::Gain:
        case Entry::Expose: return true;
        case Entry::Content: {
            const std::int64_t b = base(i);
            return b < 0 || log[static_cast<std::size_t>(b)].kind == Entry::Clear ||
                   log[static_cast<std::size_t>(b)].content != log[i].content;
        }
        case Entry::Paint: {
            const std::int64_t b = base(i);
            return b >= 0 && log[static_cast<std::size_t>(b)].kind == Entry::Content && last(Entry::Paint, i) < b;
        }
        case Entry::Turn: {
            const std::int64_t b = base(i);
            if (b < 0 || log[static_cast<std::size_t>(b)].kind != Entry::Content)
                return false;
            std::int64_t paint = -1;
            for (std::size_t j = static_cast<std::size_t>(b) + 1; j < i; ++j) {
                if (log[j].kind == Entry::Paint && paint < 0)
                    paint = static_cast<std::int64_t>(j);
                if (log[j].kind == Entry::Turn && paint >= 0)
                    return false;
            }
            return paint >= 0;
        }
        default: return false;
        }
    }
    /// When it was armed, as seen before entry i; -1 when it is not.
    std::int64_t armedSince(std::size_t i) const {
        bool content = false, painted = false, turned = false, focused = false;
        std::int64_t from = -1;
        for (std::size_t j = 0; j < i; ++j) {
            const bool restart = restarts(log, j);
            if (restart)
                from = log[j].at;
            if (log[j].kind == Entry::Clear)
                content = painted = turned = false;
            if (log[j].kind == Entry::Content && restart)
                content = true, painted = turned = false;
            if (log[j].kind == Entry::Paint && restart)
                painted = true;
            if (log[j].kind == Entry::Turn && restart)
                turned = true;
            if (log[j].kind == Entry::Gain)
                focused = true;
            if (log[j].kind == Entry::Lose)
                focused = false;
        }
        return content && painted && turned && focused ? from + Limits::dwell.count() : -1;
    }
    bool typedRight(std::size_t i) const {
        for (std::size_t j = i; j-- > 0;)
            if (log[j].kind == Entry::Typed)
                return log[j].typedRight;
        return false;
    }
    /// Made after arming, on the approve button, no repeat.
    bool counts(std::size_t i) const {
        const InputGate::Input& in = log[i].input;
        const std::int64_t since = armedSince(i);
        if (in.autoRepeat || !in.onApprove || in.stamp == 0 || since < 0 || log[i].at < since)
            return false;
        std::optional<std::int64_t> smallest; // of (arrival - stamp), over 10 minutes, without this stamp's own repeats
        for (std::size_t j = i; j-- > 0;) {
            if (log[j].kind != Entry::Input || log[j].input.device != in.device || log[j].input.stamp == 0)
                continue;
            const bool own = log[j].input.stamp == in.stamp;
            if (own || log[i].at - log[j].at > 600'000)
                continue;
            const auto d = static_cast<std::int64_t>(
                static_cast<std::int32_t>(static_cast<std::uint32_t>(log[j].at) - log[j].input.stamp));
            if (!smallest || d < *smallest)
                smallest = d;
        }
        if (!smallest)
            return false;
        const std::int64_t late =
            static_cast<std::int32_t>(static_cast<std::uint32_t>(log[i].at) - in.stamp) - *smallest;
        if (late < -30 || late > 150)
            return false;
        return log[i].at - std::max<std::int64_t>(late, 0) > since;
    }
    bool approves(std::size_t i) const {
        if (log[i].kind != Entry::Input || log[i].input.event != Event::Release || !counts(i) || !typedRight(i))
            return false;
        for (std::size_t j = i; j-- > 0;) {
            if (restarts(log, j) || log[j].kind == Entry::Clear || log[j].kind == Entry::Lose)
                return false;
            if (log[j].kind != Entry::Input || log[j].input.autoRepeat)
                continue;
            const InputGate::Input& press = log[j].input;
            return press.event == Event::Press && counts(j) && typedRight(j) && press.device == log[i].input.device &&
                   press.button == log[i].input.button;
        }
        return false;
    }
};
} // namespace

TEST(InputGateHistories, ten_thousand_random_ones_agree_with_the_rules) {
    std::mt19937 random(20240501);
    const auto pick = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
    int approvals = 0;
    for (int history = 0; history < 10'000; ++history) {
        ManualClock clock;
        InputGate gate;
        StampCalibration calibration;
        Oracle oracle;
        const std::uint32_t offset =
            pick(4) == 0 ? 0xffffffffU - static_cast<std::uint32_t>(pick(4000)) : static_cast<std::uint32_t>(random());
        const auto ms = [&] { return std::chrono::duration_cast<Millis>(clock.now().time_since_epoch()).count(); };
        const auto add = [&](Oracle::Entry entry) {
            entry.at = ms();
            oracle.log.push_back(entry);
        };
        clock.advance(1s);
        if (pick(3) > 0) { // most dialogs open in an orderly way
            for (const auto device : {DeviceClass::Pointer, DeviceClass::Key}) {
                const InputGate::Input move{Event::Release,
                                            device,
                                            static_cast<std::uint32_t>(ms()) + offset -
                                                static_cast<std::uint32_t>(device == DeviceClass::Key),
                                            clock.now(),
                                            false,
                                            false,
                                            0};
                static_cast<void>(gate.feed(move, calibration));
                add({Oracle::Entry::Input, 0, 0, false, move});
            }
            gate.setContent("1", "name", false, clock.now());
            add({Oracle::Entry::Content, 0, 1});
            gate.painted(clock.now());
            add({Oracle::Entry::Paint});
            gate.turnOfLoop(clock.now());
            add({Oracle::Entry::Turn});
            gate.focusGained(clock.now());
            add({Oracle::Entry::Gain});
            gate.setTyped("name");
            add({Oracle::Entry::Typed, 0, 0, true});
            clock.advance(Millis{pick(1200)});
        }
        const int length = 5 + pick(25);
        for (int step = 0; step < length; ++step) {
            clock.advance(pick(12) == 0 ? Millis{pick(2000)} : Millis{1 + pick(90)});
            const int what = pick(24);
            if (what == 0) {
                const int content = 1 + pick(2);
                gate.setContent(std::to_string(content), "name", false, clock.now());
                add({Oracle::Entry::Content, 0, content});
            } else if (what == 1 && pick(3) == 0) {
                gate.clearContent();
                add({Oracle::Entry::Clear});
            } else if (what == 2) {
                gate.painted(clock.now());
                add({Oracle::Entry::Paint});
            } else if (what == 3) {
                gate.turnOfLoop(clock.now());
                add({Oracle::Entry::Turn});
            } else if (what == 4) {
                gate.focusGained(clock.now());
                add({Oracle::Entry::Gain});
            } else if (what == 5 && pick(3) == 0) {
                gate.focusLost();
                add({Oracle::Entry::Lose});
            } else if (what == 6 && pick(3) == 0) {
                gate.exposed(clock.now());
                add({Oracle::Entry::Expose});
            } else if (what == 7) {
                const bool right = pick(4) > 0;
                gate.setTyped(right ? "name" : "nam");
                add({Oracle::Entry::Typed, 0, 0, right});
            } else {
                const auto stamped = pick(10) == 0
                                         ? 0U
                                         : static_cast<std::uint32_t>(ms()) + offset -
                                               static_cast<std::uint32_t>(pick(6) == 0 ? pick(1500) : pick(12));
                const InputGate::Input input{step % 2 == 0 ? Event::Press : Event::Release,
                                             pick(5) == 0 ? DeviceClass::Key : DeviceClass::Pointer,
                                             stamped,
                                             clock.now(),
                                             pick(12) == 0,
                                             pick(12) > 0,
                                             pick(12) == 0 ? 2 : 1};
                add({Oracle::Entry::Input, 0, 0, false, input});
                const bool expected = oracle.approves(oracle.log.size() - 1);
                const bool approved = gate.feed(input, calibration).has_value();
                ASSERT_EQ(approved, expected) << "history " << history << ", step " << step;
                approvals += approved ? 1 : 0;
            }
        }
    }
    EXPECT_GT(approvals, 200) << "histories that never approve prove little";
}
