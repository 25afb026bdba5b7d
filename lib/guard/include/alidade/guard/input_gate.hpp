// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Decides whether one input event is a fresh human approval of what is shown. Pure: fed with times, kinds and stamps.
// The rules are those of the design's "The dialog's input gate" (docs and SECURITY.md).
#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>

#include "alidade/guard/write.hpp"

namespace alidade::guard {

enum class DeviceClass : std::uint8_t { Pointer, Key, Touch };

/// Learns the offset between an input device's stamps and our clock: the smallest difference between arrival and stamp
/// over the last 10 minutes, per device class. Fed by an application-wide event filter. Stamps are 32 bit milliseconds
/// and wrap; 0 means "no stamp".
class StampCalibration {
public:
    void observe(DeviceClass device, std::uint32_t stamp, MonoTime arrival);
    /// When the event was made, by our clock; nullopt without calibration or stamp.
    [[nodiscard]] std::optional<MonoTime> madeAt(DeviceClass device, std::uint32_t stamp, MonoTime arrival) const;

private:
    struct Sample {
        MonoTime arrival;
        std::uint32_t difference;
    };
    std::array<std::deque<Sample>, 3> samples_;
};

/// One per open dialog.
class InputGate {
public:
    enum class Event : std::uint8_t { Press, Release };
    struct Input {
        Event event = Event::Press;
        DeviceClass device = DeviceClass::Pointer;
        std::uint32_t stamp = 0;
        MonoTime arrival;
        bool autoRepeat = false;
        bool onApprove = false;  ///< on the approve button (pointer) or with focus on it (key)
        int button = 0;          ///< button or key code: press and release must agree
    };

    explicit InputGate(Millis dwell = Limits::dwell) : dwell_(dwell) {}

    /// Decision content (digest, target, diff, impact, preconditions) is complete and has this digest. A change of it
    /// restarts the dwell.
    void setContent(std::string digest, std::string typedConfirmation, bool needsOverride, MonoTime now);
    void clearContent();
    void painted(MonoTime now);          ///< target, risk and summary have been painted
    void turnOfLoop(MonoTime now);       ///< a turn of the event loop after the first paint
    void focusGained(MonoTime now);      ///< restarts the dwell
    void focusLost();
    void exposed(MonoTime now);          ///< re-exposure restarts the dwell
    void setTyped(std::string text);     ///< typed confirmation as it stands
    void setOverride(bool on);
    [[nodiscard]] bool armed(MonoTime now) const;
    /// 0..1, for the arming ring.
    [[nodiscard]] double progress(MonoTime now) const;
    [[nodiscard]] std::optional<MonoTime> armedSince() const;

    /// A pointer press and release, or a key press and release, both after arming, on the same target, both made after
    /// the arming moment. Without calibration a first press only calibrates and a second one counts.
    [[nodiscard]] std::optional<HumanAct> feed(const Input& input, StampCalibration& calibration);
    /// The accessible action: dwell plus typed confirmation (always asked for on this path).
    [[nodiscard]] std::optional<HumanAct> accessiblePress(MonoTime now);

private:
    [[nodiscard]] bool confirmed() const;
    Millis dwell_;
    std::string digest_;
    std::string typedConfirmation_;
    std::string typed_;
    bool needsOverride_ = false;
    bool override_ = false;
    bool painted_ = false;
    bool turned_ = false;
    bool focused_ = false;
    std::optional<MonoTime> dwellFrom_;
    struct Down {
        DeviceClass device;
        int button;
    };
    std::optional<Down> down_;
};

/// Approval in a terminal: input is flushed first, then the digest's first 8 characters are typed.
class TerminalGate {
public:
    [[nodiscard]] static std::optional<HumanAct> typed(const ProposalContent& shown, std::string_view line,
                                                       MonoTime shownAt, MonoTime now);
};

}  // namespace alidade::guard
