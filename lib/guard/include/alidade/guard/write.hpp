// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The write path's values and proofs:
//   Draft -> WriteGate::check(Draft, ports) -> Proposal -> approve(Proposal&&, HumanAct&&) -> Approved (items one at a
//   time) -> Ledger::intent(item) -> Audited -> writer.execute(Audited&&).
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "alidade/guard/action.hpp"
#include "alidade/guard/clock.hpp"
#include "alidade/guard/coverage.hpp"
#include "alidade/guard/gates.hpp"
#include "alidade/guard/settings.hpp"

namespace alidade::guard {

/// Who asked. One path for all; only provenance differs.
enum class Origin : std::uint8_t { Person, Run, Skill, Mcp, Rest, CustomResource };
[[nodiscard]] std::string_view name(Origin origin) noexcept;

struct Provenance {
    Origin origin = Origin::Person;
    std::string principal;              ///< the OS or authenticated user
    std::string incident;               ///< incident id, may be empty
    std::optional<Diagnosis> diagnosis; ///< "why", with claims and their evidence
    bool reviewed = true;               ///< false: the dialog says "not independently reviewed"
};

/// Ordered actions with their provenance, not yet checked by the write gate.
class Draft {
public:
    /// Runs, skills, MCP and REST have no other way.
    [[nodiscard]] static Draft fromPlan(Validated<Plan> plan, Provenance provenance, EpochId epoch);
    /// A person's act at the desk. Provenance::origin becomes Person.
    [[nodiscard]] static Draft fromPerson(Plan plan, Provenance provenance, EpochId epoch);
    [[nodiscard]] const Plan& plan() const noexcept { return plan_; }
    [[nodiscard]] const Provenance& provenance() const noexcept { return provenance_; }
    [[nodiscard]] EpochId epoch() const noexcept { return epoch_; }

private:
    Draft(Plan plan, Provenance provenance, EpochId epoch)
        : plan_(std::move(plan)), provenance_(std::move(provenance)), epoch_(epoch) {}
    Plan plan_;
    Provenance provenance_;
    EpochId epoch_;
};

/// One request as it will be sent: rendered by the writer before the digest is taken, and sent as those bytes.
struct WriteRequest {
    std::string method; ///< "PATCH", "DELETE", "PUT", "POST"
    std::string path;   ///< with query, percent-encoded, without the server's base path
    std::string contentType;
    std::string body;
    /// For people and the digest: "uid is 3f25...", "/spec/template is as shown".
    std::vector<std::string> preconditions;
    friend bool operator==(const WriteRequest&, const WriteRequest&) = default;
};

/// One changed field. Values are masked where secret; equal masks mean equal values.
struct FieldDiff {
    enum class Kind : std::uint8_t { Added, Removed, Changed, AddedByServer };
    Kind kind = Kind::Changed;
    std::string pointer; ///< RFC 6901
    std::string before;
    std::string after;
    friend bool operator==(const FieldDiff&, const FieldDiff&) = default;
};
[[nodiscard]] std::string_view
name(FieldDiff::Kind kind) noexcept; ///< "added", "removed", "changed", "added_by_server"

enum class Access : std::uint8_t { Allowed, Denied, Unknown };
[[nodiscard]] std::string_view name(Access access) noexcept;
struct AccessReview {
    Access access = Access::Unknown;
    std::string verb; ///< "patch deployments.apps in shop"
    std::string reason;
};

struct PreviewResult {
    bool available = false; ///< false: "not previewed", raises the risk one step
    std::string unavailableReason;
    std::vector<FieldDiff> diff;
    std::string unifiedDiff;           ///< of the object as YAML, folded, secrets masked
    std::vector<std::string> warnings; ///< Warning headers of the server
};

struct ImpactEntry {
    ObjectKey object;
    std::string relation;
    int hops = 1;
};
/// Who depends on the target, by the closed relation set of the action's kind.
struct Impact {
    bool available = false;
    std::vector<ImpactEntry> dependents; ///< at most Limits::impactDependents
    bool complete = false;               ///< false: "N or more"
    std::vector<std::string> notes;      ///< budgets, autoscalers that would undo a scale, pods replaced, downtime
    std::vector<Gap> gaps;
};

/// One item of a proposal, everything the dialog shows.
struct ProposalItem {
    Action action;
    WriteRequest request;
    std::string uid; ///< of the target; empty: NamedOnly, needs the override
    AccessReview access;
    PreviewResult preview;
    Impact impact;
    HealCheck heal;
    bool targetProtected = false;
    std::string protectedWhy;
};

struct ProposalId {
    std::uint64_t value = 0;
    friend auto operator<=>(const ProposalId&, const ProposalId&) = default;
};

/// The immutable content of a proposal, shared with views. SHA-256 digest over the canonical form of what will run.
struct ProposalContent {
    ProposalId id;
    EpochId epoch;
    std::string context;
    Provenance provenance;
    std::vector<ProposalItem> items;
    Risk risk = Risk::Low;
    std::string typedConfirmation; ///< text to be typed; empty when none is asked for
    bool namedOnly = false;        ///< needs the separate, visible override
    std::string digest;            ///< 64 hex digits
    Verdict verdict;
    MonoTime madeAt;
    MonoTime expiresAt;
    WallTime madeAtWall;
};

/// The canonical digest: UID, method, path, contentType, body and preconditions of each request in order, and its heal
/// check. 64 hex digits of SHA-256.
[[nodiscard]] std::string digestOf(const std::vector<ProposalItem>& items);

/// Proof of one fresh human act on one digest. Made by the input gate (window) or the terminal gate alone.
class HumanAct {
public:
    HumanAct(HumanAct&& other) noexcept; ///< leaves the source spent: an empty digest fits nothing
    HumanAct& operator=(HumanAct&& other) noexcept;
    ~HumanAct() = default;
    HumanAct(const HumanAct&) = delete;
    HumanAct& operator=(const HumanAct&) = delete;
    [[nodiscard]] const std::string& digest() const noexcept { return digest_; }
    [[nodiscard]] const std::string& how() const noexcept { return how_; } ///< "pointer", "key", "typed", "terminal"
    [[nodiscard]] const std::string& typed() const noexcept { return typed_; }
    [[nodiscard]] bool namedOnlyOverride() const noexcept { return override_; }
    [[nodiscard]] MonoTime at() const noexcept { return at_; }

private:
    friend class InputGate;
    friend class TerminalGate;
    HumanAct(std::string digest, std::string how, std::string typed, bool override, MonoTime at)
        : digest_(std::move(digest)), how_(std::move(how)), typed_(std::move(typed)), override_(override), at_(at) {}
    std::string digest_;
    std::string how_;
    std::string typed_;
    bool override_;
    MonoTime at_;
};

class Approved;

/// An immutable write waiting for a human: single use (move-only), expires. Only the write gate makes one. Moved from,
/// its content is null and approve() refuses it.
class Proposal {
public:
    Proposal(Proposal&&) noexcept = default;
    Proposal& operator=(Proposal&&) noexcept = default;
    Proposal(const Proposal&) = delete;
    Proposal& operator=(const Proposal&) = delete;
    [[nodiscard]] const std::shared_ptr<const ProposalContent>& content() const noexcept { return content_; }

private:
    friend class WriteGate;
    friend tl::expected<Approved, std::pair<Error, Proposal>> approve(Proposal proposal, HumanAct act, EpochId current,
                                                                      MonoTime now);
    explicit Proposal(std::shared_ptr<const ProposalContent> content) : content_(std::move(content)) {}
    std::shared_ptr<const ProposalContent> content_;
};

/// One approved item, to be audited.
class ApprovedItem {
public:
    ApprovedItem(ApprovedItem&&) noexcept = default;
    ApprovedItem& operator=(ApprovedItem&&) noexcept = default;
    ApprovedItem(const ApprovedItem&) = delete;
    ApprovedItem& operator=(const ApprovedItem&) = delete;
    /// Moved from: item() and content() are then empty, and nothing accepts it.
    [[nodiscard]] bool spent() const noexcept { return content_ == nullptr; }
    [[nodiscard]] const ProposalItem& item() const noexcept;
    [[nodiscard]] const ProposalContent& content() const noexcept;
    [[nodiscard]] std::size_t index() const noexcept { return index_; }
    [[nodiscard]] const std::string& how() const noexcept { return how_; } ///< of the human act

private:
    friend class Approved;
    friend class Ledger;
    ApprovedItem(std::shared_ptr<const ProposalContent> content, std::size_t index, std::string how)
        : content_(std::move(content)), index_(index), how_(std::move(how)) {}
    std::shared_ptr<const ProposalContent> content_;
    std::size_t index_;
    std::string how_;
};

/// A human's yes to one proposal; yields its items one at a time, in order.
class Approved {
public:
    Approved(Approved&&) noexcept = default;
    Approved& operator=(Approved&&) noexcept = default;
    Approved(const Approved&) = delete;
    Approved& operator=(const Approved&) = delete;
    [[nodiscard]] std::optional<ApprovedItem> next(); ///< nullopt at the end, and when moved from
    [[nodiscard]] const ProposalContent& content() const noexcept;

private:
    friend tl::expected<Approved, std::pair<Error, Proposal>> approve(Proposal proposal, HumanAct act, EpochId current,
                                                                      MonoTime now);
    Approved(std::shared_ptr<const ProposalContent> content, std::string how)
        : content_(std::move(content)), how_(std::move(how)) {}
    std::shared_ptr<const ProposalContent> content_;
    std::string how_;
    std::size_t next_ = 0;
};

/// Digest, epoch, expiry, typed confirmation and override must fit; otherwise the proposal comes back unused.
[[nodiscard]] tl::expected<Approved, std::pair<Error, Proposal>> approve(Proposal proposal, HumanAct act,
                                                                         EpochId current, MonoTime now);

/// An approved item whose intent is durable in the ledger; only Ledger::intent makes one. writer.execute consumes it.
class Audited {
public:
    Audited(Audited&&) noexcept = default;
    Audited& operator=(Audited&&) noexcept = default;
    Audited(const Audited&) = delete;
    Audited& operator=(const Audited&) = delete;
    [[nodiscard]] bool spent() const noexcept { return approved_.spent(); } ///< executed or moved from
    [[nodiscard]] const ProposalItem& item() const noexcept { return approved_.item(); }
    [[nodiscard]] const WriteRequest& request() const noexcept { return approved_.item().request; }
    [[nodiscard]] const ProposalContent& content() const noexcept { return approved_.content(); }
    [[nodiscard]] std::uint64_t intentSequence() const noexcept { return sequence_; }

private:
    friend class Ledger;
    Audited(ApprovedItem approved, std::uint64_t sequence) : approved_(std::move(approved)), sequence_(sequence) {}
    ApprovedItem approved_;
    std::uint64_t sequence_;
};

/// What became of one request. Unknown is unknown: re-read, never retried.
struct WriteOutcome {
    enum class Kind : std::uint8_t { Done, Refused, NotSent, Failed, Unknown };
    Kind kind = Kind::Unknown;
    std::optional<Error> error;
    std::string detail;                  ///< "accepted; held by finalizer example.com/cleanup", "value changed: ..."
    std::vector<std::string> warnings;   ///< of the server, shown also on success
    std::int64_t observedGeneration = 0; ///< metadata.generation of the answer, 0 when unknown
};
[[nodiscard]] std::string_view name(WriteOutcome::Kind kind) noexcept;

/// A human's refusal of all writes. One switch; the writer reads it last. Thread-safe.
class Brake {
public:
    void set(bool engaged) noexcept { engaged_.store(engaged, std::memory_order_seq_cst); }
    [[nodiscard]] bool engaged() const noexcept { return engaged_.load(std::memory_order_seq_cst); }

private:
    std::atomic<bool> engaged_{false};
};

// --- Write gate ---

/// A read that has been started; wait() ends at the deadline with Timeout.
template<class T>
class Pending {
public:
    virtual ~Pending() = default;
    [[nodiscard]] virtual Result<T> wait(MonoTime deadline) = 0;
};

struct TargetState {
    std::string uid;
    bool annotatedProtected = false; ///< by its own or its owner's annotation
    std::string protectedWhy;
};

/// What the write gate asks of the outside. All four are started before the first wait.
class WriteGatePorts {
public:
    virtual ~WriteGatePorts() = default;
    [[nodiscard]] virtual std::unique_ptr<Pending<AccessReview>> startAccessReview(const Action& action) = 0;
    [[nodiscard]] virtual std::unique_ptr<Pending<TargetState>> startTarget(const Action& action) = 0;
    /// Renders the request (times fixed) and sends it as a dry run.
    struct Rendered {
        WriteRequest request;
        PreviewResult preview;
    };
    [[nodiscard]] virtual std::unique_ptr<Pending<Rendered>> startPreview(const Action& action) = 0;
    [[nodiscard]] virtual std::unique_ptr<Pending<Impact>> startImpact(const Action& action) = 0;
};

struct WriteGatePolicy {
    std::string context;
    ProtectedLists protectedLists;
    bool readOnly = false;
    EpochId epoch; ///< the desk's own
};

/// A refusal by the write gate: the verdict says which check, `error` the full reason (a webhook's text, a 422's
/// causes).
struct WriteRefusal {
    Verdict verdict;
    std::optional<Error> error;
};

class WriteGate {
public:
    /// Thread: the write thread. Blocks for at most the sum rule of Limits (the reads overlap).
    [[nodiscard]] static tl::expected<Proposal, WriteRefusal> check(const Draft& draft, WriteGatePorts& ports,
                                                                    const WriteGatePolicy& policy, const Brake& brake,
                                                                    const Clock& clock, ProposalId id);
};

} // namespace alidade::guard
