// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// ResourceQuota: admission of pods, and what is used.
#include <optional>

#include "world/refusal.hpp"
#include "world/world.hpp"

namespace alidade::simulator {

/// A refusal when the pod would exceed a quota of its namespace.
[[nodiscard]] std::optional<Refusal> checkQuota(const World& world, std::string_view ns, const Json& pod);
/// status.used of a quota.
[[nodiscard]] Json quotaUsed(const World& world, const Entry& quota);

/// Requests of a pod, summed over its containers: cores or bytes.
[[nodiscard]] double podRequest(const Json& podSpec, std::string_view resource);
[[nodiscard]] double quantity(const Json& value);
/// "250m", "512Mi", "3": the canonical form of a sum.
[[nodiscard]] std::string quantityText(double value, bool memory);

} // namespace alidade::simulator
