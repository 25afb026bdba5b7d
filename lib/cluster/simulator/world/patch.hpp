// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The three patch forms: JSON Patch (RFC 6902), merge patch (RFC 7386), strategic merge patch (the k8s.io extension).
#include "world/refusal.hpp"

namespace alidade::simulator {

[[nodiscard]] Outcome<Json> applyJsonPatch(const Json& document, const Json& patch);
[[nodiscard]] Json applyMergePatch(const Json& document, const Json& patch);
[[nodiscard]] Outcome<Json> applyStrategicPatch(const Json& document, const Json& patch);
/// The merge keys of a list of objects found at `field` of an object at `path`; empty for a list that is replaced
/// whole.
[[nodiscard]] std::vector<std::string> mergeKeys(std::string_view parent, std::string_view field);

} // namespace alidade::simulator
