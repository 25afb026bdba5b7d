// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Proofs for tests, made the only way there is: through the real gates, with fake ports.
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "alidade/guard/input_gate.hpp"
#include "alidade/guard/write.hpp"

namespace alidade::guard::test {

template<class T>
class Ready final : public Pending<T> {
public:
    Ready(Result<T> value, std::function<void()> onWait) : value_(std::move(value)), onWait_(std::move(onWait)) {}
    Result<T> wait(MonoTime) override {
        if (onWait_)
            onWait_();
        return value_;
    }

private:
    Result<T> value_;
    std::function<void()> onWait_;
};

class FakePorts : public WriteGatePorts {
public:
    Result<AccessReview> access = AccessReview{Access::Allowed, "patch deployments.apps in shop", ""};
    Result<TargetState> target = TargetState{"uid-1", false, ""};
    Result<Rendered> rendered = makeRendered();
    Result<Impact> impact = Impact{true, {}, true, {}, {}};
    std::vector<std::string> trace; ///< starts and waits, in order
    std::function<void()> onWait;

    static Rendered makeRendered() {
        Rendered r;
        r.request = {"PATCH",
                     "/apis/apps/v1/namespaces/shop/deployments/checkout",
                     "application/json-patch+json",
                     "[]",
                     {"uid is uid-1"}};
        r.preview.available = true;
        return r;
    }
    std::unique_ptr<Pending<AccessReview>> startAccessReview(const Action&) override { return start("access", access); }
    std::unique_ptr<Pending<TargetState>> startTarget(const Action&) override { return start("target", target); }
    std::unique_ptr<Pending<Rendered>> startPreview(const Action&) override { return start("preview", rendered); }
    std::unique_ptr<Pending<Impact>> startImpact(const Action&) override { return start("impact", impact); }

private:
    template<class T>
    std::unique_ptr<Pending<T>> start(const std::string& what, const Result<T>& value) {
        trace.push_back("start " + what);
        return std::make_unique<Ready<T>>(value, [this, what] {
            trace.push_back("wait " + what);
            if (onWait)
                onWait();
        });
    }
};

inline Action rollback(const std::string& name = "checkout", int revision = 4) {
    return {{{kinds::deployments(), "shop", name}, "uid-1"}, Scope::Object, Rollback{revision}};
}
inline WriteGatePolicy policyOf(EpochId epoch = {1}) {
    WriteGatePolicy policy;
    policy.context = "demo";
    policy.epoch = epoch;
    return policy;
}
inline Draft personDraft(std::vector<Action> actions = {rollback()}) {
    return Draft::fromPerson({std::move(actions), ""}, {}, {1});
}

/// A deliberate act of a person on these contents, by key, past the dwell.
inline std::optional<HumanAct> actOn(const ProposalContent& content, ManualClock& clock, const std::string& typed = {},
                                     bool override_ = false) {
    InputGate gate;
    StampCalibration calibration;
    gate.setContent(content.digest, content.typedConfirmation, content.namedOnly, clock.now());
    gate.painted(clock.now());
    gate.turnOfLoop(clock.now());
    gate.focusGained(clock.now());
    gate.setTyped(typed.empty() ? content.typedConfirmation : typed);
    gate.setOverride(override_ || content.namedOnly);
    clock.advance(Limits::dwell + Millis{1});
    std::uint32_t stamp = 1000;
    calibration.observe(DeviceClass::Key, stamp, clock.now());
    std::optional<HumanAct> act;
    for (const auto event : {InputGate::Event::Press, InputGate::Event::Release}) {
        clock.advance(Millis{20});
        stamp += 20;
        act = gate.feed({event, DeviceClass::Key, stamp, clock.now(), false, true, 32}, calibration);
    }
    return act;
}

inline Proposal propose(ManualClock& clock, FakePorts& ports, std::vector<Action> actions = {rollback()}) {
    const Brake brake;
    auto proposal = WriteGate::check(personDraft(std::move(actions)), ports, policyOf(), brake, clock, {7});
    if (!proposal)
        throw std::runtime_error(proposal.error().verdict.reasons.front());
    return std::move(*proposal);
}

inline Approved approved(ManualClock& clock, FakePorts& ports, std::vector<Action> actions = {rollback()}) {
    Proposal proposal = propose(clock, ports, std::move(actions));
    const auto content = proposal.content();
    std::optional<HumanAct> act = actOn(*content, clock);
    auto yes = approve(std::move(proposal), std::move(*act), {1}, clock.now());
    if (!yes)
        throw std::runtime_error(yes.error().first.text());
    return std::move(*yes);
}

} // namespace alidade::guard::test
