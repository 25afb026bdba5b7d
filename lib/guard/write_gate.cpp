// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "alidade/guard/write.hpp"

namespace alidade::guard {

namespace {
struct Started {
    std::unique_ptr<Pending<AccessReview>> access;
    std::unique_ptr<Pending<TargetState>> target;
    std::unique_ptr<Pending<WriteGatePorts::Rendered>> preview;
    std::unique_ptr<Pending<Impact>> impact;
};

template<class T>
Result<T> waitFor(const std::unique_ptr<Pending<T>>& pending, MonoTime deadline) {
    if (!pending)
        return fail(ErrorCode::Internal, "write gate", "a read was not started");
    return pending->wait(deadline);
}

class Checks {
public:
    void pass(std::string id, std::string reason = {}) {
        verdict_.checks.push_back({std::move(id), true, std::move(reason)});
    }
    WriteRefusal refuse(std::string id, std::string reason, std::optional<Error> error = std::nullopt) {
        verdict_.checks.push_back({std::move(id), false, reason});
        verdict_.reasons.push_back(std::move(reason));
        verdict_.gate = "write";
        verdict_.passed = false;
        return {std::move(verdict_), std::move(error)};
    }
    Verdict passed(bool reviewed) {
        verdict_.gate = "write";
        verdict_.passed = true;
        verdict_.reviewed = reviewed;
        return std::move(verdict_);
    }

private:
    Verdict verdict_;
};

Risk baseRisk(const Action& action) noexcept {
    switch (action.kind()) {
    case ActionKind::Restart: return Risk::Low;
    case ActionKind::Scale: return std::get<Scale>(action.change).replicas == 0 ? Risk::Medium : Risk::Low;
    case ActionKind::Rollback: return Risk::Medium;
    case ActionKind::Delete:
        if (!action.target.key.kind.namespaced)
            return Risk::Critical;
        return action.target.key.kind == kinds::pods() ? Risk::Medium : Risk::High;
    }
    return Risk::Critical;
}

/// A refusal of the server that no approval could change, apart from "could not be asked".
bool endsDraft(ErrorCode code) noexcept {
    switch (code) {
    case ErrorCode::Timeout:
    case ErrorCode::Unreachable:
    case ErrorCode::ConnectionLost:
    case ErrorCode::Throttled:
    case ErrorCode::Unavailable:
    case ErrorCode::ServerError: return false;
    default: return true;
    }
}
} // namespace

tl::expected<Proposal, WriteRefusal> WriteGate::check(const Draft& draft, WriteGatePorts& ports,
                                                      const WriteGatePolicy& policy, const Brake& brake,
                                                      const Clock& clock, ProposalId id) {
    using Refused = tl::unexpected<WriteRefusal>;
    Checks checks;
    const Plan& plan = draft.plan();
    const bool person = draft.provenance().origin == Origin::Person;
    const ProtectedLists& lists = policy.protectedLists;

    // --- what needs no read ---
    if (brake.engaged())
        return Refused(checks.refuse("brake", "the brake is on: no write leaves this program"));
    checks.pass("brake");
    if (policy.readOnly)
        return Refused(checks.refuse("read_only", "this session is read-only"));
    checks.pass("read_only");
    if (draft.epoch() != policy.epoch)
        return Refused(checks.refuse("epoch", "the request is for another connection than this desk's"));
    checks.pass("epoch", policy.context);
    if (plan.actions.empty())
        return Refused(checks.refuse("plan", "there is nothing to do"));
    for (const Action& action : plan.actions) {
        const ObjectKey& key = action.target.key;
        if (action.scope != Scope::Object)
            return Refused(
                checks.refuse("scope", "only single objects may be changed, not a " + std::string(name(action.scope))));
        if (key.kind.resource.empty() || key.kind.version.empty() || !validObjectName(key.name) ||
            (key.kind.namespaced ? !validNamespace(key.ns) : !key.ns.empty()))
            return Refused(checks.refuse("target_name", key.text() + " is no valid name of an object"));
        if (lists.namespaceProtected(key.ns) && !key.ns.empty() && (!person || lists.strict))
            return Refused(checks.refuse("protected_namespace", "namespace " + key.ns + " is protected"));
        if (lists.resourceProtected(key) && !person)
            return Refused(checks.refuse("protected_resource", key.text() + " is protected by the settings"));
    }
    checks.pass("scope");
    checks.pass("target_name");
    checks.pass("protected_namespace");

    // --- the four reads of each item, all started before the first wait ---
    const MonoTime start = clock.now();
    std::vector<Started> started;
    for (const Action& action : plan.actions)
        started.push_back({ports.startAccessReview(action), ports.startTarget(action), ports.startPreview(action),
                           ports.startImpact(action)});

    auto content = std::make_shared<ProposalContent>();
    const bool contextProtected = lists.contextProtected(policy.context);
    Risk risk = Risk::Low;
    const ProposalItem* riskiest = nullptr;
    content->items.reserve(plan.actions.size());
    for (std::size_t i = 0; i < plan.actions.size(); ++i) {
        const Action& action = plan.actions[i];
        const std::string what = action.target.key.text();
        ProposalItem item;
        item.action = action;
        item.heal = healCheckOf(action.kind());
        Risk itemRisk = baseRisk(action);

        Result<AccessReview> access = waitFor(started[i].access, start + Limits::accessReviewTimeout);
        item.access = access ? std::move(*access) : AccessReview{Access::Unknown, {}, access.error().text()};
        if (item.access.access == Access::Denied)
            return Refused(checks.refuse("access",
                                         "not permitted: " + item.access.verb +
                                             (item.access.reason.empty() ? "" : " (" + item.access.reason + ")"),
                                         Error(ErrorCode::Forbidden, item.access.verb, item.access.reason)));
        checks.pass("access",
                    std::string(name(item.access.access)) + (item.access.verb.empty() ? "" : ": " + item.access.verb));

        Result<TargetState> target = waitFor(started[i].target, start + Limits::uidTimeout);
        if (!target && target.error().code == ErrorCode::NotFound)
            return Refused(checks.refuse("target_exists", what + " does not exist", target.error()));
        if (target && !action.target.uid.empty() && target->uid != action.target.uid)
            return Refused(
                checks.refuse("incarnation", what + " is another object now than the one this was asked for"));
        item.uid = target ? target->uid : action.target.uid;
        item.targetProtected =
            lists.resourceProtected(action.target.key) || lists.namespaceProtected(action.target.key.ns);
        if (item.targetProtected)
            item.protectedWhy = "by the settings";
        if (target && target->annotatedProtected) {
            item.targetProtected = true;
            item.protectedWhy = target->protectedWhy.empty() ? "by annotation" : target->protectedWhy;
        }
        if (item.targetProtected && !person)
            return Refused(checks.refuse("protected_resource", what + " is protected: " + item.protectedWhy));
        if (!target) {
            // Neither its incarnation nor its protection could be seen.
            if (!person)
                return Refused(checks.refuse("target_read", what + " could not be read", target.error()));
            itemRisk = oneStepUp(itemRisk);
        }
        checks.pass("incarnation", item.uid.empty() ? "known by name only" : "uid " + item.uid);

        Result<WriteGatePorts::Rendered> rendered = waitFor(started[i].preview, start + Limits::dryRunTimeout);
        if (!rendered) {
            const bool refused = endsDraft(rendered.error().code);
            return Refused(
                checks.refuse(refused ? "dry_run" : "rendered",
                              (refused ? "refused: " : "the request could not be prepared: ") + rendered.error().text(),
                              rendered.error()));
        }
        item.request = std::move(rendered->request);
        item.preview = std::move(rendered->preview);
        if (!item.preview.available)
            itemRisk = oneStepUp(itemRisk);
        checks.pass("dry_run",
                    item.preview.available ? "previewed" : "not previewed: " + item.preview.unavailableReason);

        Result<Impact> impact = waitFor(started[i].impact, start + Limits::impactTimeout);
        if (impact) {
            item.impact = std::move(*impact);
        } else {
            item.impact.gaps.push_back({"impact of " + what, coverageOf(impact.error().code), impact.error().text()});
        }
        checks.pass("impact", item.impact.available
                                  ? countText(item.impact.dependents.size(), item.impact.complete) + " dependents"
                                  : "not available");

        if (item.uid.empty()) {
            content->namedOnly = true;
            itemRisk = std::max(itemRisk, Risk::High);
        }
        if (item.targetProtected)
            itemRisk = std::max(itemRisk, Risk::High);
        content->items.push_back(std::move(item));
        if (!riskiest || itemRisk > risk)
            riskiest = &content->items.back();
        risk = std::max(risk, itemRisk);
    }
    if (brake.engaged())
        return Refused(checks.refuse("brake", "the brake is on: no write leaves this program"));

    content->id = id;
    content->epoch = policy.epoch;
    content->context = policy.context;
    content->provenance = draft.provenance();
    content->risk = risk;
    if (contextProtected)
        content->typedConfirmation = policy.context;
    else if (risk >= Risk::High && riskiest)
        content->typedConfirmation = riskiest->action.target.key.name;
    content->digest = digestOf(content->items);
    content->verdict = checks.passed(draft.provenance().reviewed);
    content->madeAt = clock.now();
    content->expiresAt = content->madeAt + Limits::proposalLifetime;
    content->madeAtWall = clock.wall();
    return Proposal(std::move(content));
}

} // namespace alidade::guard
