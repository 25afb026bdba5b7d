// SPDX-License-Identifier: GPL-3.0-or-later
#include "alidade/guard/action.hpp"

namespace alidade::guard {

std::string_view name(ActionKind kind) noexcept {
    switch (kind) {
    case ActionKind::Rollback: return "rollback";
    case ActionKind::Scale: return "scale";
    case ActionKind::Restart: return "restart";
    case ActionKind::Delete: return "delete";
    }
    return "delete";
}

std::string_view name(Scope scope) noexcept {
    switch (scope) {
    case Scope::Object: return "object";
    case Scope::Namespace: return "namespace";
    case Scope::All: return "all";
    }
    return "all";
}

std::string_view name(Delete::Propagation propagation) noexcept {
    switch (propagation) {
    case Delete::Propagation::Background: return "Background";
    case Delete::Propagation::Foreground: return "Foreground";
    case Delete::Propagation::Orphan: return "Orphan";
    }
    return "Background";
}

std::string_view name(HealCheck::Signal signal) noexcept {
    switch (signal) {
    case HealCheck::Signal::ReadyRatio: return "ready_ratio";
    case HealCheck::Signal::Gone: return "gone";
    }
    return "gone";
}

std::string Action::summary() const {
    const std::string target_ = target.key.text();
    switch (kind()) {
    case ActionKind::Rollback:
        return "roll back " + target_ + " to revision " + std::to_string(std::get<Rollback>(change).toRevision);
    case ActionKind::Scale:
        return "scale " + target_ + " to " + std::to_string(std::get<Scale>(change).replicas) + " replicas";
    case ActionKind::Restart: return "restart " + target_;
    case ActionKind::Delete: return "delete " + target_;
    }
    return target_;
}

namespace {
struct HealRow {
    ActionKind kind;
    HealCheck check;
};
constexpr std::array healTable{
    HealRow{ActionKind::Rollback, {HealCheck::Signal::ReadyRatio, 1.0, Millis{10'000}, Millis{120'000}}},
    HealRow{ActionKind::Scale, {HealCheck::Signal::ReadyRatio, 1.0, Millis{10'000}, Millis{120'000}}},
    HealRow{ActionKind::Restart, {HealCheck::Signal::ReadyRatio, 1.0, Millis{10'000}, Millis{120'000}}},
    HealRow{ActionKind::Delete, {HealCheck::Signal::Gone, 1.0, Millis{0}, Millis{120'000}}},
};
static_assert(coversEveryAction(healTable));
} // namespace

const HealCheck& healCheckOf(ActionKind kind) noexcept {
    for (const HealRow& row : healTable)
        if (row.kind == kind)
            return row.check;
    return healTable.front().check; // not reached: the table covers every kind
}

std::string_view name(Risk risk) noexcept {
    switch (risk) {
    case Risk::Low: return "low";
    case Risk::Medium: return "medium";
    case Risk::High: return "high";
    case Risk::Critical: return "critical";
    }
    return "critical";
}

Risk oneStepUp(Risk risk) noexcept {
    return risk == Risk::Critical ? risk : static_cast<Risk>(static_cast<std::uint8_t>(risk) + 1);
}

} // namespace alidade::guard
