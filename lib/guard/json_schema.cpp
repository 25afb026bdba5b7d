// SPDX-License-Identifier: GPL-3.0-or-later
#include "alidade/guard/json_schema.hpp"

#include <algorithm>
#include <array>

#include <nlohmann/json.hpp>

namespace alidade::guard {

using nlohmann::json;

namespace {
constexpr std::array outcomes{DiagnosisOutcome::Fault, DiagnosisOutcome::NoFault, DiagnosisOutcome::Undetermined};
constexpr std::array runOutcomes{RunOutcome::Resolved,  RunOutcome::NoFault,      RunOutcome::AwaitingApproval,
                                 RunOutcome::Escalated, RunOutcome::Blocked,      RunOutcome::Declined,
                                 RunOutcome::Cancelled, RunOutcome::Undetermined, RunOutcome::ExecutedNotVerified,
                                 RunOutcome::Failed};
constexpr std::array eventKinds{RunEventKind::Step,   RunEventKind::Gate,    RunEventKind::Fallback,
                                RunEventKind::Action, RunEventKind::Blocked, RunEventKind::Breaker,
                                RunEventKind::Done};
constexpr std::array scopes{Scope::Object, Scope::Namespace, Scope::All};

template<class List>
json words(const List& list) {
    json out = json::array();
    for (const auto& value : list)
        out.push_back(name(value));
    return {{"type", "string"}, {"enum", std::move(out)}};
}
json text() { return {{"type", "string"}}; }
json integer() { return {{"type", "integer"}}; }
json listOf(json items) { return {{"type", "array"}, {"items", std::move(items)}}; }
json object(json properties, json required) {
    return {{"type", "object"}, {"properties", std::move(properties)}, {"required", std::move(required)}};
}
json refSchema() { return {{"type", "string"}, {"pattern", "^E[1-9][0-9]{0,7}$"}}; }
json objectRefSchema() {
    return object({{"group", text()},
                   {"resource", text()},
                   {"kind", text()},
                   {"namespace", text()},
                   {"name", text()},
                   {"uid", text()}},
                  {"group", "resource", "kind", "namespace", "name"});
}
json claimSchema() {
    return object(
        {{"text", text()}, {"refs", listOf(refSchema())}, {"quote", text()}, {"supported", {{"type", "boolean"}}}},
        {"text", "refs"});
}
json titled(json schema, const char* title) {
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema";
    schema["title"] = title;
    return schema;
}
json actionBody() {
    return object({{"kind", words(allActionKinds)},
                   {"scope", words(scopes)},
                   {"target", objectRefSchema()},
                   {"toRevision", integer()},
                   {"replicas", integer()},
                   {"propagation", {{"type", "string"}, {"enum", {"Background", "Foreground", "Orphan"}}}}},
                  {"kind", "scope", "target"});
}
json verdictBody() {
    return object({{"gate", text()},
                   {"passed", {{"type", "boolean"}}},
                   {"reviewed", {{"type", "boolean"}}},
                   {"checks", listOf(object({{"id", text()}, {"passed", {{"type", "boolean"}}}, {"reason", text()}},
                                            {"id", "passed", "reason"}))}},
                  {"gate", "passed", "reviewed", "checks"});
}
} // namespace

json actionSchema() { return titled(actionBody(), "Action"); }
json verdictSchema() { return titled(verdictBody(), "Verdict"); }

json diagnosisSchema() {
    return titled(object({{"outcome", words(outcomes)},
                          {"hypothesis", text()},
                          {"suspect", objectRefSchema()},
                          {"suspectedRevision", integer()},
                          {"confidence", {{"type", "number"}, {"minimum", 0}, {"maximum", 1}}},
                          {"recommended", actionBody()},
                          {"claims", listOf(claimSchema())},
                          {"alternatives", listOf(text())},
                          {"source", text()}},
                         {"outcome", "hypothesis", "confidence", "claims"}),
                  "Diagnosis");
}

json runEventSchema() {
    return titled(object({{"sequence", integer()},
                          {"kind", words(eventKinds)},
                          {"step", words(allSteps)},
                          {"at", text()},
                          {"durationMs", integer()},
                          {"title", text()},
                          {"detail", text()},
                          {"refs", listOf(refSchema())},
                          {"verdict", verdictBody()},
                          {"action", actionBody()},
                          {"outcome", words(runOutcomes)}},
                         {"sequence", "kind", "step", "at", "durationMs", "title", "detail", "refs"}),
                  "RunEvent");
}

namespace {
/// Reads member by member; the first fault stays.
class Reader {
public:
    explicit Reader(const EvidenceLedger& evidence) : evidence_(evidence) {}
    std::optional<Error> fault;

    void blame(const std::string& where, const std::string& what) {
        if (!fault)
            fault = Error(ErrorCode::Protocol, where.empty() ? "/" : where, what);
    }
    /// Null when it is not there; a fault when it must be.
    const json* member(const json& object, const std::string& where, const char* key, bool required) {
        const auto found = object.find(key);
        if (found != object.end() && !found->is_null())
            return &*found;
        if (required)
            blame(where + "/" + key, "is missing");
        return nullptr;
    }
    std::string text(const json& object, const std::string& where, const char* key, bool required) {
        const json* value = member(object, where, key, required);
        if (value && !value->is_string())
            blame(where + "/" + key, "is no string");
        return value && value->is_string() ? value->get<std::string>() : std::string();
    }
    std::optional<int> integer(const json& object, const std::string& where, const char* key) {
        const json* value = member(object, where, key, false);
        if (!value)
            return std::nullopt;
        const bool whole =
            value->is_number_integer() ||
            (value->is_number_float() &&
             value->get<double>() ==
                 static_cast<double>(static_cast<std::int64_t>(std::min(std::max(value->get<double>(), -1e9), 1e9))));
        const double number = value->is_number() ? value->get<double>() : 0;
        if (!whole || number < 0 || number > 1e9) {
            blame(where + "/" + key, "is no whole number");
            return std::nullopt;
        }
        return static_cast<int>(number);
    }
    template<class List>
    auto word(const json& object, const std::string& where, const char* key, const List& list) {
        const std::string given = text(object, where, key, true);
        for (const auto& value : list)
            if (name(value) == given)
                return value;
        blame(where + "/" + key, "is not one of the words it may be");
        return list.front();
    }
    bool isObject(const json& value, const std::string& where) {
        if (!value.is_object())
            blame(where, "is no object");
        return value.is_object();
    }

    ObjectRef ref(const json& value, const std::string& where) {
        ObjectRef out;
        if (!isObject(value, where))
            return out;
        KindId& kind = out.key.kind;
        kind.group = text(value, where, "group", true);
        kind.resource = text(value, where, "resource", true);
        kind.kind = text(value, where, "kind", true);
        out.key.ns = text(value, where, "namespace", true);
        out.key.name = text(value, where, "name", true);
        out.uid = text(value, where, "uid", false);
        kind.namespaced = !out.key.ns.empty();
        // A name that was read in this run brings the version it was read with; nothing is guessed for the others.
        for (const auto& read : evidence_.all())
            if (read->target.key.kind == kind)
                kind = read->target.key.kind;
        return out;
    }
    Action action(const json& value, const std::string& where) {
        Action out;
        if (!isObject(value, where))
            return out;
        const json* target = member(value, where, "target", true);
        if (target)
            out.target = ref(*target, where + "/target");
        out.scope = word(value, where, "scope", scopes);
        const ActionKind kind = word(value, where, "kind", allActionKinds);
        const std::optional<int> revision = integer(value, where, "toRevision");
        const std::optional<int> replicas = integer(value, where, "replicas");
        switch (kind) {
        case ActionKind::Rollback:
            if (!revision)
                blame(where + "/toRevision", "is missing");
            out.change = Rollback{revision.value_or(0)};
            break;
        case ActionKind::Scale:
            if (!replicas)
                blame(where + "/replicas", "is missing");
            out.change = Scale{replicas.value_or(0)};
            break;
        case ActionKind::Restart: out.change = Restart{}; break;
        case ActionKind::Delete: {
            Delete change;
            if (member(value, where, "propagation", false))
                change.propagation = word(value, where, "propagation",
                                          std::array{Delete::Propagation::Background, Delete::Propagation::Foreground,
                                                     Delete::Propagation::Orphan});
            out.change = change;
            break;
        }
        }
        return out;
    }
    Claim claim(const json& value, const std::string& where) {
        Claim out;
        if (!isObject(value, where))
            return out;
        out.text = text(value, where, "text", true);
        out.quote = text(value, where, "quote", false);
        out.supported = false; // for the quality gate to say
        const json* refs = member(value, where, "refs", true);
        if (refs && !refs->is_array())
            blame(where + "/refs", "is no list");
        if (refs && refs->is_array())
            for (std::size_t i = 0; i < refs->size(); ++i) {
                const json& given = (*refs)[i];
                const std::string place = where + "/refs/" + std::to_string(i);
                if (!given.is_string() || given.get_ref<const std::string&>().size() < 2 ||
                    given.get_ref<const std::string&>().front() != 'E' ||
                    given.get_ref<const std::string&>().find_first_not_of("0123456789", 1) != std::string::npos)
                    blame(place, "is no reference of the form E<n>");
                else if (const auto resolved = evidence_.resolve(given.get_ref<const std::string&>()))
                    out.refs.push_back(*resolved);
            }
        return out;
    }

private:
    const EvidenceLedger& evidence_;
};
} // namespace

Result<Diagnosis> diagnosisFromJson(const json& value, const EvidenceLedger& evidence) {
    Reader reader(evidence);
    Diagnosis out;
    if (reader.isObject(value, "")) {
        out.outcome = reader.word(value, "", "outcome", outcomes);
        out.hypothesis = reader.text(value, "", "hypothesis", true);
        out.source = reader.text(value, "", "source", false);
        out.suspectedRevision = reader.integer(value, "", "suspectedRevision");
        if (const json* suspect = reader.member(value, "", "suspect", false))
            out.suspect = reader.ref(*suspect, "/suspect");
        if (const json* confidence = reader.member(value, "", "confidence", true)) {
            if (confidence->is_number() && confidence->get<double>() >= 0 && confidence->get<double>() <= 1)
                out.confidence = confidence->get<double>();
            else
                reader.blame("/confidence", "is no number between 0 and 1");
        }
        if (const json* action = reader.member(value, "", "recommended", false))
            out.recommended = reader.action(*action, "/recommended");
        const json* claims = reader.member(value, "", "claims", true);
        if (claims && !claims->is_array())
            reader.blame("/claims", "is no list");
        if (claims && claims->is_array())
            for (std::size_t i = 0; i < claims->size(); ++i)
                out.claims.push_back(reader.claim((*claims)[i], "/claims/" + std::to_string(i)));
        const json* alternatives = reader.member(value, "", "alternatives", false);
        if (alternatives && !alternatives->is_array())
            reader.blame("/alternatives", "is no list");
        if (alternatives && alternatives->is_array())
            for (std::size_t i = 0; i < alternatives->size(); ++i) {
                if ((*alternatives)[i].is_string())
                    out.alternatives.push_back((*alternatives)[i].get<std::string>());
                else
                    reader.blame("/alternatives/" + std::to_string(i), "is no string");
            }
    }
    if (reader.fault)
        return tl::unexpected(*reader.fault);
    return out;
}

} // namespace alidade::guard
