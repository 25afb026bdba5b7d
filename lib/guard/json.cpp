// SPDX-License-Identifier: GPL-3.0-or-later
#include "alidade/guard/json.hpp"

#include <nlohmann/json.hpp>

#include "alidade/guard/clock.hpp"
#include "alidade/guard/text.hpp"

namespace alidade::guard {

namespace {
using Json = nlohmann::json;

/// Cluster text may be any bytes; JSON is UTF-8.
std::string utf8(const std::string& text) { return validUtf8(text); }

Json refsOf(const std::vector<EvidenceRef>& refs) {
    Json out = Json::array();
    for (const EvidenceRef& ref : refs)
        out.push_back(ref.text());
    return out;
}

const char* outcomeWord(DiagnosisOutcome outcome) {
    switch (outcome) {
    case DiagnosisOutcome::Fault: return "fault";
    case DiagnosisOutcome::NoFault: return "no_fault";
    case DiagnosisOutcome::Undetermined: return "undetermined";
    }
    return "undetermined";
}

Json itemOf(const ProposalItem& item) {
    Json dependents = Json::array();
    for (const ImpactEntry& entry : item.impact.dependents)
        dependents.push_back(
            {{"object", utf8(entry.object.text())}, {"relation", entry.relation}, {"hops", entry.hops}});
    return {
        {"action", toJson(item.action)},
        {"method", item.request.method},
        {"path", utf8(item.request.path)},
        {"preconditions", item.request.preconditions},
        {"uid", item.uid},
        {"previewed", item.preview.available},
        {"diff", utf8(item.preview.unifiedDiff)},
        {"impact",
         {{"complete", item.impact.complete}, {"dependents", std::move(dependents)}, {"notes", item.impact.notes}}}};
}
} // namespace

Json toJson(const ObjectRef& ref) {
    return {{"group", ref.key.kind.group},   {"resource", ref.key.kind.resource}, {"kind", ref.key.kind.kind},
            {"namespace", utf8(ref.key.ns)}, {"name", utf8(ref.key.name)},        {"uid", utf8(ref.uid)}};
}

Json toJson(const Action& action) {
    Json out{{"kind", name(action.kind())}, {"scope", name(action.scope)}, {"target", toJson(action.target)}};
    if (const auto* rollback = std::get_if<Rollback>(&action.change))
        out["toRevision"] = rollback->toRevision;
    if (const auto* scale = std::get_if<Scale>(&action.change))
        out["replicas"] = scale->replicas;
    if (const auto* removal = std::get_if<Delete>(&action.change))
        out["propagation"] = name(removal->propagation);
    return out;
}

Json toJson(const Verdict& verdict) {
    Json checks = Json::array();
    for (const Check& check : verdict.checks)
        checks.push_back({{"id", check.id}, {"passed", check.passed}, {"reason", utf8(check.reason)}});
    return {{"gate", verdict.gate},
            {"passed", verdict.passed},
            {"reviewed", verdict.reviewed},
            {"checks", std::move(checks)}};
}

Json toJson(const Claim& claim) {
    return {{"text", utf8(claim.text)},
            {"refs", refsOf(claim.refs)},
            {"quote", utf8(claim.quote)},
            {"supported", claim.supported}};
}

Json toJson(const Diagnosis& diagnosis) {
    Json claims = Json::array();
    for (const Claim& claim : diagnosis.claims)
        claims.push_back(toJson(claim));
    Json out{{"outcome", outcomeWord(diagnosis.outcome)},
             {"hypothesis", utf8(diagnosis.hypothesis)},
             {"confidence", diagnosis.confidence},
             {"source", utf8(diagnosis.source)},
             {"claims", std::move(claims)}};
    if (!diagnosis.alternatives.empty()) {
        Json alternatives = Json::array();
        for (const std::string& alternative : diagnosis.alternatives)
            alternatives.push_back(utf8(alternative));
        out["alternatives"] = std::move(alternatives);
    }
    if (diagnosis.suspect)
        out["suspect"] = toJson(*diagnosis.suspect);
    if (diagnosis.suspectedRevision)
        out["suspectedRevision"] = *diagnosis.suspectedRevision;
    if (diagnosis.recommended)
        out["recommended"] = toJson(*diagnosis.recommended);
    return out;
}

Json toJson(const RunEvent& event) {
    Json out{{"sequence", event.sequence},
             {"kind", name(event.kind)},
             {"step", name(event.step)},
             {"at", formatRfc3339(event.at, 3)},
             {"durationMs", event.duration.count()},
             {"title", utf8(event.title)},
             {"detail", utf8(event.detail)},
             {"refs", refsOf(event.refs)}};
    if (event.verdict)
        out["verdict"] = toJson(*event.verdict);
    if (event.action)
        out["action"] = toJson(*event.action);
    if (event.outcome)
        out["outcome"] = name(*event.outcome);
    return out;
}

Json toJson(const ProposalContent& content) {
    Json items = Json::array();
    for (const ProposalItem& item : content.items)
        items.push_back(itemOf(item));
    return {{"kind", "proposal"},
            {"context", utf8(content.context)},
            {"risk", name(content.risk)},
            {"digest", content.digest},
            {"items", std::move(items)},
            {"reviewed", content.provenance.reviewed},
            {"madeAt", formatRfc3339(content.madeAtWall, 3)}};
}

} // namespace alidade::guard
