// SPDX-License-Identifier: GPL-3.0-or-later
// What it is for: a run in words and marks: what a plan has come to, how sure a diagnosis is, what one event says.
// What it must not know: widgets.
// Thread: GUI (colours come from the palette's tokens).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include <QString>

#include "alidade/models/run_models.hpp"
#include "alidade/models/text.hpp"
#include "theme/tokens.hpp"

namespace alidade::ui {

using models::plainTip;
/// One line of a cluster or model, cut to what can ever be read on a line.
[[nodiscard]] QString shownTitle(std::string_view text);
/// Several lines, cut likewise.
[[nodiscard]] QString shownDetail(std::string_view text);

/// markOf(kind), and a gate that did not pass looks it.
[[nodiscard]] Mark markOfEvent(const guard::RunEvent& event, const Tokens& tokens);
/// "14:02:07  gate  Action gate: 5 of 6 checks passed", detail and checks: what Ctrl+C copies.
[[nodiscard]] QString eventText(const guard::RunEvent& event);
[[nodiscard]] QString checkName(const guard::Check& check); ///< "replica floor"

[[nodiscard]] QString outcomeText(guard::DiagnosisOutcome outcome);
[[nodiscard]] Mark markOf(guard::DiagnosisOutcome outcome, const Tokens& tokens);
[[nodiscard]] QString confidenceText(double confidence); ///< "High confidence, 92 %"
[[nodiscard]] QString riskWord(guard::Risk risk);
[[nodiscard]] QString coverageWord(guard::Coverage coverage);

/// When the change went out, if it did: the run has gone on from it to verifying.
[[nodiscard]] std::optional<guard::WallTime> sentAt(const agent::RunState& state);

/// What the run's plan has come to.
struct PlanStand {
    enum class Kind : std::uint8_t {
        None, ///< nothing is proposed
        Proposed,
        Checking,
        Awaiting,
        Sending,
        Executed,
        Verified,
        NotVerified,
        Blocked,
        Declined,
        Escalated,
        Cancelled,
        Failed
    };
    Kind kind = Kind::None;
    QString words;                         ///< a sentence, without the action itself
    QString why;                           ///< of a block or failure, may be empty
    const guard::Action* action = nullptr; ///< in the snapshot; null when there is none
    int more = 0;                          ///< further actions of the plan
};
[[nodiscard]] PlanStand planStand(const agent::RunState& state, bool proposalWaits);
[[nodiscard]] Mark markOf(PlanStand::Kind kind, const Tokens& tokens);

} // namespace alidade::ui
