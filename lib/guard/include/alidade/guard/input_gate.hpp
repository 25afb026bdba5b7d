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
/// and wrap; 0 means "no stamp". An event never vouches for itself: it is judged by what earlier events taught, and one
/// that was notably shorter on its way than all before it shows that those were late, and only teaches. One that was
/// longer on its way than Limits::inputLateness does not count either (a queue, or stamps that are no time at all).
class StampCalibration {
public:
    void observe(DeviceClass device, std::uint32_t stamp, MonoTime arrival);
    /// When the event was made, by our clock; nullopt when that cannot be said, or was too long ago.
    /// May be asked before or after observe() of the same event.
    [[nodiscard]] std::optional<MonoTime> madeAt(DeviceClass device, std::uint32_t stamp, MonoTime arrival) const;

private:
    struct Sample {
        MonoTime arrival;
        std::uint32_t difference;
    };
    struct Device {
        std::deque<Sample> samples; ///< differences rise from the front: the front is the smallest
        std::uint32_t lastStamp = 0;
        std::optional<std::uint32_t> before; ///< the smallest before the event of lastStamp
    };
    std::array<Device, 3> devices_;
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
        bool onApprove = false; ///< on the approve button (pointer) or with focus on it (key)
        int button = 0;         ///< button or key code: press and release must agree
    };

    explicit InputGate(Millis dwell = Limits::dwell) : dwell_(dwell) {}

    /// Decision content (digest, target, diff, impact, preconditions) is complete and has this digest. A change of it
    /// restarts the dwell, and painted() and turnOfLoop() have to be reported anew.
    void setContent(std::string digest, std::string typedConfirmation, bool needsOverride, MonoTime now);
    void clearContent();
    void painted(MonoTime now);     ///< target, risk and summary have been painted
    void turnOfLoop(MonoTime now);  ///< a turn of the event loop after the first paint
    void focusGained(MonoTime now); ///< restarts the dwell
    void focusLost();
    void exposed(MonoTime now);      ///< re-exposure restarts the dwell
    void setTyped(std::string text); ///< typed confirmation as it stands
    void setOverride(bool on);
    [[nodiscard]] bool armed(MonoTime now) const;
    /// 0..1, for the arming ring.
    [[nodiscard]] double progress(MonoTime now) const;
    [[nodiscard]] std::optional<MonoTime> armedSince() const;

    /// A pointer press and release, or a key press and release, both after arming, on the same target, both made after
    /// the arming moment. Without calibration a first press only calibrates and a second one counts.
    [[nodiscard]] std::optional<HumanAct> feed(const Input& input, StampCalibration& calibration);
    /// A key typed into the confirmation counts only when it was made after arming (type-ahead is dropped).
    [[nodiscard]] bool acceptsTyping(const Input& key, StampCalibration& calibration) const;
    /// What has to be typed for the accessible action: the typed confirmation, or the digest's first 8 characters.
    [[nodiscard]] std::string accessibleConfirmation() const;
    /// The accessible action: dwell plus typed confirmation (always asked for on this path).
    [[nodiscard]] std::optional<HumanAct> accessiblePress(MonoTime now);

private:
    [[nodiscard]] bool confirmed() const;
    void restart(MonoTime now);
    [[nodiscard]] bool ready() const;
    [[nodiscard]] bool fresh(const Input& input, const StampCalibration& calibration) const;
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

/// Approval in a terminal: input is flushed first, then the digest's first 8 characters are typed, followed by the
/// typed confirmation where one is asked for, and by "by-name" where the target is known by name only.
class TerminalGate {
public:
    [[nodiscard]] static std::optional<HumanAct> typed(const ProposalContent& shown, std::string_view line,
                                                       MonoTime shownAt, MonoTime now);
};

} // namespace alidade::guard
