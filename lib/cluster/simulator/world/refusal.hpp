// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The API server's refusals: metav1.Status with its words, reasons and details.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

#include "world/json.hpp"
#include "world/kinds.hpp"

namespace alidade::simulator {

struct Cause {
    std::string reason;  ///< "FieldValueInvalid"
    std::string field;   ///< "spec.selector"
    std::string message; ///< "Invalid value: ...: field is immutable"
};

struct Refusal {
    int code = 500;
    std::string reason;
    std::string message;
    Json details;              ///< null: left out
    std::string continueToken; ///< metadata.continue of an expired page
};

template<class T>
using Outcome = tl::expected<T, Refusal>;

[[nodiscard]] Json statusJson(const Refusal& refusal);
[[nodiscard]] Json successJson(const KindDef& kind, std::string_view name, std::string_view uid);

[[nodiscard]] Refusal notFound(const KindDef& kind, std::string_view name);
[[nodiscard]] Refusal alreadyExists(const KindDef& kind, std::string_view name);
[[nodiscard]] Refusal conflict(const KindDef& kind, std::string_view name, std::string_view why = {});
[[nodiscard]] Refusal invalid(const KindDef& kind, std::string_view name, const std::vector<Cause>& causes);
[[nodiscard]] Refusal forbidden(const KindDef& kind, std::string_view name, std::string_view why);
[[nodiscard]] Refusal badRequest(std::string message);
[[nodiscard]] Refusal expired(std::string message);
[[nodiscard]] Refusal unauthorized();
[[nodiscard]] Refusal methodNotAllowed();
[[nodiscard]] Refusal unsupportedMedia(std::string_view accepted);
/// A failed JSON Patch: the server says no more than this.
[[nodiscard]] Refusal bareInvalid();
[[nodiscard]] Refusal tooManyRequests(std::string message);

} // namespace alidade::simulator
