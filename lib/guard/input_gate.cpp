// SPDX-License-Identifier: GPL-3.0-or-later
#include "alidade/guard/input_gate.hpp"

#include <algorithm>
#include <vector>

namespace alidade::guard {

namespace {
constexpr std::chrono::minutes memory{10};
/// How much earlier than all before it an event may arrive and still be judged by them: scheduling noise.
constexpr std::int32_t noiseMs = 30;

std::uint32_t millis(MonoTime time) noexcept {
    return static_cast<std::uint32_t>(std::chrono::duration_cast<Millis>(time.time_since_epoch()).count());
}
/// a - b on the circle of 32 bit.
std::int32_t circular(std::uint32_t a, std::uint32_t b) noexcept { return static_cast<std::int32_t>(a - b); }
} // namespace

void StampCalibration::observe(DeviceClass device, std::uint32_t stamp, MonoTime arrival) {
    if (stamp == 0)
        return;
    Device& d = devices_[static_cast<std::size_t>(device)];
    while (!d.samples.empty() && arrival - d.samples.front().arrival > memory)
        d.samples.pop_front();
    if (stamp != d.lastStamp) {
        d.lastStamp = stamp;
        d.before = d.samples.empty() ? std::nullopt : std::optional(d.samples.front().difference);
    }
    const std::uint32_t difference = millis(arrival) - stamp;
    while (!d.samples.empty() && circular(d.samples.back().difference, difference) >= 0)
        d.samples.pop_back();
    d.samples.push_back({arrival, difference});
}

std::optional<MonoTime> StampCalibration::madeAt(DeviceClass device, std::uint32_t stamp, MonoTime arrival) const {
    if (stamp == 0)
        return std::nullopt;
    const Device& d = devices_[static_cast<std::size_t>(device)];
    std::optional<std::uint32_t> smallest;
    if (stamp == d.lastStamp) {
        smallest = d.before;
    } else {
        const auto young = std::find_if(d.samples.begin(), d.samples.end(),
                                        [&](const Sample& s) { return arrival - s.arrival <= memory; });
        if (young != d.samples.end())
            smallest = young->difference;
    }
    if (!smallest)
        return std::nullopt;
    const std::int32_t late = circular(millis(arrival) - stamp, *smallest);
    if (late < -noiseMs || late > Limits::inputLateness.count())
        return std::nullopt;
    return arrival - Millis{std::max(late, 0)};
}

void InputGate::restart(MonoTime now) {
    dwellFrom_ = now;
    down_.reset();
}

void InputGate::setContent(std::string digest, std::string typedConfirmation, bool needsOverride, MonoTime now) {
    if (digest == digest_ && typedConfirmation == typedConfirmation_ && needsOverride == needsOverride_)
        return;
    digest_ = std::move(digest);
    typedConfirmation_ = std::move(typedConfirmation);
    needsOverride_ = needsOverride;
    painted_ = false;
    turned_ = false;
    restart(now);
}

void InputGate::clearContent() {
    digest_.clear();
    painted_ = false;
    turned_ = false;
    down_.reset();
}

void InputGate::painted(MonoTime now) {
    if (digest_.empty() || painted_)
        return;
    painted_ = true;
    restart(now);
}

void InputGate::turnOfLoop(MonoTime now) {
    if (!painted_ || turned_)
        return;
    turned_ = true;
    restart(now);
}

void InputGate::focusGained(MonoTime now) {
    focused_ = true;
    restart(now);
}

void InputGate::focusLost() {
    focused_ = false;
    down_.reset();
}

void InputGate::exposed(MonoTime now) { restart(now); }
void InputGate::setTyped(std::string text) { typed_ = std::move(text); }
void InputGate::setOverride(bool on) { override_ = on; }

bool InputGate::ready() const { return !digest_.empty() && painted_ && turned_ && focused_ && dwellFrom_.has_value(); }

std::optional<MonoTime> InputGate::armedSince() const {
    if (!ready())
        return std::nullopt;
    return *dwellFrom_ + dwell_;
}

bool InputGate::armed(MonoTime now) const {
    const std::optional<MonoTime> since = armedSince();
    return since && now >= *since;
}

double InputGate::progress(MonoTime now) const {
    if (!ready() || now <= *dwellFrom_)
        return 0.0;
    if (dwell_.count() <= 0)
        return 1.0;
    return std::min(1.0, std::chrono::duration<double>(now - *dwellFrom_) / std::chrono::duration<double>(dwell_));
}

bool InputGate::confirmed() const {
    return (typedConfirmation_.empty() || typed_ == typedConfirmation_) && (!needsOverride_ || override_);
}

bool InputGate::fresh(const Input& input, const StampCalibration& calibration) const {
    if (input.autoRepeat || !armed(input.arrival))
        return false;
    const std::optional<MonoTime> made = calibration.madeAt(input.device, input.stamp, input.arrival);
    return made && *made > *armedSince();
}

std::optional<HumanAct> InputGate::feed(const Input& input, StampCalibration& calibration) {
    const bool counts = input.onApprove && fresh(input, calibration);
    calibration.observe(input.device, input.stamp, input.arrival);
    if (input.autoRepeat)
        return std::nullopt;
    if (input.event == Event::Press) {
        down_ = counts && confirmed() ? std::optional(Down{input.device, input.button}) : std::nullopt;
        return std::nullopt;
    }
    const std::optional<Down> down = std::exchange(down_, std::nullopt);
    if (!counts || !confirmed() || !down || down->device != input.device || down->button != input.button)
        return std::nullopt;
    return HumanAct(digest_, input.device == DeviceClass::Key ? "key" : "pointer", typed_, override_, input.arrival);
}

bool InputGate::acceptsTyping(const Input& key, StampCalibration& calibration) const {
    Input typing = key;
    typing.autoRepeat = false; // a held letter is typing too
    const bool counts = fresh(typing, calibration);
    calibration.observe(key.device, key.stamp, key.arrival);
    return counts;
}

std::string InputGate::accessibleConfirmation() const {
    return typedConfirmation_.empty() ? digest_.substr(0, 8) : typedConfirmation_;
}

std::optional<HumanAct> InputGate::accessiblePress(MonoTime now) {
    down_.reset();
    if (!armed(now) || typed_.empty() || typed_ != accessibleConfirmation() || (needsOverride_ && !override_))
        return std::nullopt;
    return HumanAct(digest_, "typed", typed_, override_, now);
}

std::optional<HumanAct> TerminalGate::typed(const ProposalContent& shown, std::string_view line, MonoTime shownAt,
                                            MonoTime now) {
    if (shown.digest.size() < 8 || now <= shownAt)
        return std::nullopt;
    std::vector<std::string> words;
    for (std::size_t i = 0; i < line.size();) {
        const std::size_t begin = line.find_first_not_of(" \t\r\n", i);
        if (begin == std::string_view::npos)
            break;
        const std::size_t end = std::min(line.find_first_of(" \t\r\n", begin), line.size());
        words.emplace_back(line.substr(begin, end - begin));
        i = end;
    }
    std::vector<std::string> wanted{shown.digest.substr(0, 8)};
    if (!shown.typedConfirmation.empty())
        wanted.push_back(shown.typedConfirmation);
    if (shown.namedOnly)
        wanted.emplace_back("by-name");
    if (words != wanted)
        return std::nullopt;
    return HumanAct(shown.digest, "terminal", shown.typedConfirmation, shown.namedOnly, now);
}

} // namespace alidade::guard
