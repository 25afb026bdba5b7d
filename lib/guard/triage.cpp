// SPDX-License-Identifier: GPL-3.0-or-later
#include "alidade/guard/triage.hpp"

namespace alidade::guard {

std::string_view name(Severity severity) noexcept {
    switch (severity) {
    case Severity::Info: return "info";
    case Severity::Warning: return "warning";
    case Severity::Critical: return "critical";
    }
    return "critical";
}

std::string_view name(DiagnosisOutcome outcome) noexcept {
    switch (outcome) {
    case DiagnosisOutcome::Fault: return "fault";
    case DiagnosisOutcome::NoFault: return "no_fault";
    case DiagnosisOutcome::Undetermined: return "undetermined";
    }
    return "undetermined";
}

std::string_view name(Step step) noexcept {
    switch (step) {
    case Step::Trigger: return "trigger";
    case Step::Gather: return "gather";
    case Step::Redact: return "redact";
    case Step::Diagnose: return "diagnose";
    case Step::QualityGate: return "quality_gate";
    case Step::Plan: return "plan";
    case Step::ActionGate: return "action_gate";
    case Step::Approve: return "approve";
    case Step::Execute: return "execute";
    case Step::Verify: return "verify";
    case Step::Notify: return "notify";
    }
    return "trigger";
}

std::string_view name(RunEventKind kind) noexcept {
    switch (kind) {
    case RunEventKind::Step: return "step";
    case RunEventKind::Gate: return "gate";
    case RunEventKind::Fallback: return "fallback";
    case RunEventKind::Action: return "action";
    case RunEventKind::Blocked: return "blocked";
    case RunEventKind::Breaker: return "breaker";
    case RunEventKind::Done: return "done";
    }
    return "step";
}

std::string_view name(RunOutcome outcome) noexcept {
    switch (outcome) {
    case RunOutcome::Resolved: return "resolved";
    case RunOutcome::NoFault: return "no_fault";
    case RunOutcome::AwaitingApproval: return "awaiting_approval";
    case RunOutcome::Escalated: return "escalated";
    case RunOutcome::Blocked: return "blocked";
    case RunOutcome::Declined: return "declined";
    case RunOutcome::Undetermined: return "undetermined";
    case RunOutcome::ExecutedNotVerified: return "executed_not_verified";
    case RunOutcome::Cancelled: return "cancelled";
    case RunOutcome::Failed: return "failed";
    }
    return "failed";
}

} // namespace alidade::guard
