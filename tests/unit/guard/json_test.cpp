// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <regex>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "alidade/guard/json.hpp"
#include "alidade/guard/json_schema.hpp"

using namespace alidade::guard;
using nlohmann::json;

namespace {
constexpr ToolRow readRow{"get", Effect::ClusterRead, Gate::None, 1, ""};

/// The part of JSON Schema that our schemas use; the empty string when `value` conforms.
std::string fault(const json& schema, const json& value, const std::string& where = "") {
    const std::string type = schema["type"];
    const bool fits = type == "object"    ? value.is_object()
                      : type == "array"   ? value.is_array()
                      : type == "string"  ? value.is_string()
                      : type == "integer" ? value.is_number_integer()
                      : type == "number"  ? value.is_number()
                                          : value.is_boolean();
    if (!fits)
        return where + " is no " + type;
    if (schema.contains("enum") &&
        std::find(schema["enum"].begin(), schema["enum"].end(), value) == schema["enum"].end())
        return where + " is no word of the list";
    if (schema.contains("pattern") &&
        !std::regex_match(value.get<std::string>(), std::regex(schema["pattern"].get<std::string>())))
        return where + " does not match";
    if (schema.contains("minimum") && (value < schema["minimum"] || value > schema["maximum"]))
        return where + " is out of range";
    if (type == "array")
        for (std::size_t i = 0; i < value.size(); ++i)
            if (const std::string f = fault(schema["items"], value[i], where + "/" + std::to_string(i)); !f.empty())
                return f;
    if (type == "object") {
        for (const json& key : schema["required"])
            if (!value.contains(key.get<std::string>()))
                return where + "/" + key.get<std::string>() + " is missing";
        for (const auto& [key, member] : value.items()) {
            if (!schema["properties"].contains(key))
                return where + "/" + key + " is not in the schema";
            if (const std::string f = fault(schema["properties"][key], member, where + "/" + key); !f.empty())
                return f;
        }
    }
    return {};
}

struct Contracts : testing::Test {
    EvidenceLedger evidence;
    ObjectRef target{{kinds::deployments(), "shop", "checkout"}, "uid-1"};
    EvidenceRef ref = evidence.add(CitableTool(readRow), target, "deployment", {}, {});
    Diagnosis diagnosis;
    Contracts() {
        diagnosis.outcome = DiagnosisOutcome::Fault;
        diagnosis.hypothesis = "the image does not exist";
        diagnosis.suspect = target;
        diagnosis.suspectedRevision = 5;
        diagnosis.confidence = 0.75;
        diagnosis.recommended = Action{target, Scope::Object, Rollback{4}};
        diagnosis.claims.push_back({"it says so", {ref}, "not found", true, {}});
        diagnosis.source = "model-a";
    }
    void expectFault(const std::string& pointer, const json& value, const std::string& where = {}) {
        json changed = toJson(diagnosis);
        changed[json::json_pointer(pointer)] = value;
        const auto read = diagnosisFromJson(changed, evidence);
        ASSERT_FALSE(read) << pointer << " = " << value;
        EXPECT_EQ(read.error().code, ErrorCode::Protocol);
        EXPECT_EQ(read.error().where, where.empty() ? pointer : where);
    }
};
} // namespace

TEST_F(Contracts, what_is_written_conforms_to_its_schema) {
    EXPECT_EQ(fault(diagnosisSchema(), toJson(diagnosis)), "");
    RunEvent event;
    event.sequence = 1;
    event.refs = {ref};
    event.verdict = Verdict{"quality", true, true, {{"suspect_read", true, "read"}}, {}};
    event.outcome = RunOutcome::Resolved;
    for (const ActionKind kind : allActionKinds) {
        Action action = *diagnosis.recommended;
        if (kind == ActionKind::Scale)
            action.change = Scale{3};
        if (kind == ActionKind::Restart)
            action.change = Restart{};
        if (kind == ActionKind::Delete)
            action.change = Delete{};
        event.action = action;
        EXPECT_EQ(fault(actionSchema(), toJson(action)), "");
        EXPECT_EQ(fault(runEventSchema(), toJson(event)), "");
    }
    EXPECT_EQ(fault(verdictSchema(), toJson(*event.verdict)), "");
    EXPECT_NE(fault(diagnosisSchema(), json::object()), "");
}

TEST_F(Contracts, a_diagnosis_comes_back_as_it_was) {
    const auto read = diagnosisFromJson(toJson(diagnosis), evidence);
    ASSERT_TRUE(read) << read.error().text();
    EXPECT_EQ(toJson(*read)["recommended"], toJson(diagnosis)["recommended"]);
    EXPECT_EQ(read->suspect, diagnosis.suspect);
    EXPECT_EQ(read->suspect->key.kind.version, "v1") << "as it was read in this run";
    EXPECT_EQ(read->suspectedRevision, 5);
    EXPECT_EQ(read->claims[0].refs, diagnosis.claims[0].refs);
    EXPECT_FALSE(read->claims[0].supported) << "the quality gate says so, not the model";
}

TEST_F(Contracts, wrong_types_are_faults_and_never_guessed_at) {
    expectFault("/outcome", "broken");
    expectFault("/outcome", 3);
    expectFault("/hypothesis", json::array());
    expectFault("/confidence", "0.9");
    expectFault("/confidence", 1.5);
    expectFault("/claims", json::object());
    expectFault("/claims/0", "text");
    expectFault("/claims/0/refs", "E1");
    expectFault("/claims/0/refs/0", 1);
    expectFault("/claims/0/refs/0", "see the log");
    expectFault("/suspect", "checkout");
    expectFault("/suspect/name", nullptr);
    expectFault("/suspectedRevision", "5");
    expectFault("/suspectedRevision", 4.5);
    expectFault("/suspectedRevision", -1);
    expectFault("/recommended/kind", "drop");
    expectFault("/recommended/scope", "everything");
    expectFault("/recommended/toRevision", "4");
    expectFault("/recommended/toRevision", 1e300);
    for (const char* text : {"null", "3", "[]", "\"fault\"", "{}"})
        EXPECT_FALSE(diagnosisFromJson(json::parse(text), evidence)) << text;
}

TEST_F(Contracts, a_reference_to_nothing_is_left_out) {
    json value = toJson(diagnosis);
    value["claims"][0]["refs"] = {"E9", "E1"};
    value["suspectedRevision"] = 5.0;
    const auto read = diagnosisFromJson(value, evidence);
    ASSERT_TRUE(read);
    EXPECT_EQ(read->claims[0].refs, std::vector{ref});
}
