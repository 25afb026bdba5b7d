// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The contracts as JSON, for machine-readable output. Field names are stable; text is as redacted as its source.
#include <nlohmann/json_fwd.hpp>

#include "alidade/guard/triage.hpp"
#include "alidade/guard/write.hpp"

namespace alidade::guard {

[[nodiscard]] nlohmann::json toJson(const ObjectRef& ref);
[[nodiscard]] nlohmann::json toJson(const Action& action);
[[nodiscard]] nlohmann::json toJson(const Verdict& verdict);
[[nodiscard]] nlohmann::json toJson(const Claim& claim);
[[nodiscard]] nlohmann::json toJson(const Diagnosis& diagnosis);
[[nodiscard]] nlohmann::json toJson(const RunEvent& event);
[[nodiscard]] nlohmann::json toJson(const ProposalContent& content);

} // namespace alidade::guard
