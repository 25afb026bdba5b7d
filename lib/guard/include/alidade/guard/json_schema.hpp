// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What the contracts look like as JSON (JSON Schema 2020-12), and the strict way back for what a model returns: wrong
// types are faults, never guessed at; nothing is read out of prose. Thread: any.
#include <nlohmann/json_fwd.hpp>

#include "alidade/guard/evidence.hpp"
#include "alidade/guard/result.hpp"
#include "alidade/guard/triage.hpp"

namespace alidade::guard {

[[nodiscard]] nlohmann::json diagnosisSchema(); ///< what toJson(Diagnosis) writes and diagnosisFromJson reads
[[nodiscard]] nlohmann::json verdictSchema();
[[nodiscard]] nlohmann::json runEventSchema();
[[nodiscard]] nlohmann::json actionSchema();

/// Protocol when anything has a wrong type, a required member is missing, a word is not one of the enumeration, or a
/// reference is not of the form E<n>; `where` is the JSON pointer. A reference that this run's evidence does not hold
/// is left out (the quality gate then marks the claim). Unknown members are ignored; `supported` is not taken over.
[[nodiscard]] Result<Diagnosis> diagnosisFromJson(const nlohmann::json& value, const EvidenceLedger& evidence);

} // namespace alidade::guard
