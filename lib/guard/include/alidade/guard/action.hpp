// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A typed change, never a command string; and the plan of a run.
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "alidade/guard/clock.hpp"
#include "alidade/guard/object.hpp"

namespace alidade::guard {

enum class ActionKind : std::uint8_t { Rollback, Scale, Restart, Delete };
inline constexpr std::array allActionKinds{ActionKind::Rollback, ActionKind::Scale, ActionKind::Restart,
                                           ActionKind::Delete};
[[nodiscard]] std::string_view name(ActionKind kind) noexcept;

/// Refuses, at compile time, a table keyed by action (`Row::kind`) that leaves an action out or names one twice.
template<class Row, std::size_t N>
consteval bool coversEveryAction(const std::array<Row, N>& table) {
    for (const ActionKind kind : allActionKinds) {
        std::size_t rows = 0;
        for (const Row& row : table)
            if (row.kind == kind)
                ++rows;
        if (rows == 0)
            throw "action table: an action has no row";
        if (rows > 1)
            throw "action table: an action has two rows";
    }
    return true;
}

/// How far an action reaches. Only Object ever passes the action gate.
enum class Scope : std::uint8_t { Object, Namespace, All };
[[nodiscard]] std::string_view name(Scope scope) noexcept;

/// Restores the chosen revision's pod template exactly.
struct Rollback {
    int toRevision = 0;
    friend bool operator==(const Rollback&, const Rollback&) = default;
};
struct Scale {
    int replicas = 0;
    friend bool operator==(const Scale&, const Scale&) = default;
};
/// Sets kubectl.kubernetes.io/restartedAt in the pod template; the time is fixed when the Proposal is made.
struct Restart {
    friend bool operator==(const Restart&, const Restart&) = default;
};
struct Delete {
    enum class Propagation : std::uint8_t { Background, Foreground, Orphan };
    Propagation propagation = Propagation::Background;
    friend bool operator==(const Delete&, const Delete&) = default;
};
[[nodiscard]] std::string_view name(Delete::Propagation propagation) noexcept; ///< as the API spells it

struct Action {
    ObjectRef target;
    Scope scope = Scope::Object;
    std::variant<Rollback, Scale, Restart, Delete> change;
    [[nodiscard]] ActionKind kind() const noexcept { return static_cast<ActionKind>(change.index()); }
    [[nodiscard]] std::string
    summary() const; ///< "roll back deployment shop/checkout to revision 4" (English, for logs)
    friend bool operator==(const Action&, const Action&) = default;
};

/// How a heal is verified. One row per ActionKind in a constexpr table (action.cpp); part of the digest.
struct HealCheck {
    enum class Signal : std::uint8_t { ReadyRatio, Gone };
    Signal signal = Signal::ReadyRatio; ///< at the observed generation
    double threshold = 1.0;             ///< signal >= threshold
    Millis hold{10'000};
    Millis window{120'000};
    friend bool operator==(const HealCheck&, const HealCheck&) = default;
};
[[nodiscard]] std::string_view name(HealCheck::Signal signal) noexcept;
[[nodiscard]] const HealCheck& healCheckOf(ActionKind kind) noexcept;

/// Ordered actions for one diagnosis (or for a request without one).
struct Plan {
    std::vector<Action> actions;
    std::string rationale; ///< untrusted when a model wrote it
};

enum class Risk : std::uint8_t { Low, Medium, High, Critical };
[[nodiscard]] std::string_view name(Risk risk) noexcept;
[[nodiscard]] Risk oneStepUp(Risk risk) noexcept;

} // namespace alidade::guard
