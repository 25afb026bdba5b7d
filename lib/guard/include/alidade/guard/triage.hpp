// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The contracts of a triage run: what was seen, what is concluded, what happened.
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "alidade/guard/action.hpp"
#include "alidade/guard/clock.hpp"
#include "alidade/guard/coverage.hpp"
#include "alidade/guard/evidence.hpp"
#include "alidade/guard/object.hpp"

namespace alidade::guard {

// --- Signals: the read-only ground truth of a run. All text is redacted. ---

struct ContainerSignal {
    std::string name;
    std::string image;
    bool init = false;
    std::string state;  ///< "waiting", "running", "terminated" or "" when unknown
    std::string reason; ///< of that state
    std::string message;
    int exitCode = 0; ///< of a terminated state
    int restarts = 0;
    bool ready = false;
    std::string lastReason; ///< of lastState.terminated
    int lastExitCode = 0;
    std::string lastMessage;
};
struct PodSignal {
    ObjectRef ref;
    ObjectRef workload; ///< top owner; empty key for a bare pod
    std::string status; ///< kubectl's STATUS
    std::string phase;
    bool ready = false;
    std::string node;
    std::string unschedulable; ///< message of PodScheduled=False
    std::string templateHash;
    std::vector<ContainerSignal> containers;
    EvidenceRef evidence;
};
/// A workload: what people call a service.
struct WorkloadSignal {
    ObjectRef ref;
    int desired = 0;
    int ready = 0;
    int updated = 0;
    int available = 0;
    bool generationObserved = false;
    bool paused = false;
    bool isProtected = false; ///< readable as a suspect, never actionable
    std::string stuckReason;  ///< reason of Progressing=False, e.g. ProgressDeadlineExceeded
    EvidenceRef evidence;
};
/// One place where two pod templates differ. List items are named, not counted: "spec.containers[app].image".
struct TemplateChange {
    std::string field;
    std::string before; ///< empty: was not there
    std::string after;  ///< empty: is no longer there
    friend bool operator==(const TemplateChange&, const TemplateChange&) = default;
};
/// A revision of a workload, newest first in Signals::recentDeploys.
struct DeploySignal {
    ObjectRef workload;
    int revision = 0;
    bool current = false;
    std::vector<std::string> images;
    std::string changeCause;
    std::optional<WallTime> at;
    EvidenceRef evidence;
    int ready = -1;                      ///< pods of this revision that are ready now; -1: not known
    std::vector<TemplateChange> changes; ///< from this revision's template to the current one's
};
struct MetricSignal {
    std::string name; ///< "ready_ratio", "restarts"
    ObjectRef target;
    double value = 0;
    EvidenceRef evidence;
};
struct LogSignal {
    ObjectRef pod;
    std::string container;
    bool previous = false;
    std::string text;
    EvidenceRef evidence;
};
struct EventSignal {
    ObjectRef about;
    std::string type; ///< "Warning", "Normal"
    std::string reason;
    std::string message;
    int count = 1;
    std::optional<WallTime> last;
    EvidenceRef evidence;
};
/// A reference that does not resolve, or other relationship fact that a rule may use.
struct RelationSignal {
    ObjectRef from;
    ObjectKey to;
    std::string relation;   ///< "uses_config", "selects", ...
    std::string resolution; ///< "resolved", "missing", "invalid", "unknown"
    std::string field;      ///< where the reference stands
    bool optional = false;
    EvidenceRef evidence;
};

struct Signals {
    std::string scope; ///< "context demo, namespace shop"
    std::vector<WorkloadSignal> workloads;
    std::vector<PodSignal> pods;
    std::vector<DeploySignal> recentDeploys;
    std::vector<MetricSignal> metrics;
    std::vector<LogSignal> logs;
    std::vector<EventSignal> events;
    std::vector<RelationSignal> relations;
    std::vector<ObjectKey> protectedResources;
    std::vector<Gap> gaps; ///< sources that could not be read
    WallTime at;
};

// --- Conclusions ---

enum class Severity : std::uint8_t { Info, Warning, Critical };
[[nodiscard]] std::string_view name(Severity severity) noexcept;

/// Result of a deterministic rule. Restates what was observed.
struct Finding {
    std::string rule; ///< "image.not_found"
    Severity severity = Severity::Warning;
    ObjectRef primary;
    std::vector<ObjectRef> related;
    std::vector<Claim> claims;
    std::string explanation;
    std::vector<std::string> nextChecks;
    int weight = 0; ///< cause before symptom: the highest leads the diagnosis
    std::optional<Action> action;
    std::optional<int> suspectedRevision;
};

enum class DiagnosisOutcome : std::uint8_t { Fault, NoFault, Undetermined };
[[nodiscard]] std::string_view name(DiagnosisOutcome outcome) noexcept; ///< "fault", "no_fault", "undetermined"

struct Diagnosis {
    DiagnosisOutcome outcome = DiagnosisOutcome::Undetermined;
    std::string hypothesis;
    std::optional<ObjectRef> suspect;
    std::optional<int> suspectedRevision; ///< the deploy blamed, by revision of `suspect`
    double confidence = 0;                ///< 0-1
    std::optional<Action> recommended;
    std::vector<Claim> claims;
    std::vector<std::string> alternatives;
    std::string source; ///< "analyst", or the model's name
};

struct Check {
    std::string id; ///< "suspect_read", "replica_floor"
    bool passed = false;
    std::string reason;
    friend bool operator==(const Check&, const Check&) = default;
};
struct Verdict {
    std::string gate; ///< "quality", "action", "write"
    bool passed = false;
    bool reviewed = true; ///< quality gate: by an independent judge
    std::vector<Check> checks;
    std::vector<std::string> reasons; ///< of what failed
};

// --- The trail ---

enum class Step : std::uint8_t {
    Trigger,
    Gather,
    Redact,
    Diagnose,
    QualityGate,
    Plan,
    ActionGate,
    Approve,
    Execute,
    Verify,
    Notify
};
inline constexpr std::array allSteps{Step::Trigger,     Step::Gather, Step::Redact,     Step::Diagnose,
                                     Step::QualityGate, Step::Plan,   Step::ActionGate, Step::Approve,
                                     Step::Execute,     Step::Verify, Step::Notify};
[[nodiscard]] std::string_view name(Step step) noexcept;

enum class RunEventKind : std::uint8_t { Step, Gate, Fallback, Action, Blocked, Breaker, Done };
[[nodiscard]] std::string_view name(RunEventKind kind) noexcept;

enum class RunOutcome : std::uint8_t {
    Resolved,
    NoFault,
    AwaitingApproval,
    Escalated,
    Blocked,
    Declined,
    Undetermined,
    ExecutedNotVerified,
    Cancelled,
    Failed
};
[[nodiscard]] std::string_view name(RunOutcome outcome) noexcept;

/// One entry of a run's trail. Text is redacted.
struct RunEvent {
    int sequence = 0; ///< from 1, no holes
    RunEventKind kind = RunEventKind::Step;
    Step step = Step::Trigger;
    WallTime at;
    Millis duration{0};
    std::string title;              ///< one line
    std::string detail;             ///< more, may be empty
    std::optional<Verdict> verdict; ///< kind Gate and Blocked
    std::vector<EvidenceRef> refs;
    std::optional<Action> action;      ///< kind Action and Blocked
    std::optional<RunOutcome> outcome; ///< kind Done
};

} // namespace alidade::guard
