// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Stored objects as their addresses show them: kind and apiVersion in front, other versions converted; and back.
#include <string>

#include "world/world.hpp"

namespace alidade::simulator {

/// With kind and apiVersion.
[[nodiscard]] std::string shownBytes(const Served& served, const Entry& entry);
/// As an item of a list: without kind and apiVersion.
[[nodiscard]] std::string itemBytes(const Served& served, const Entry& entry);
[[nodiscard]] Json shown(const Served& served, const Entry& entry);
/// What a client sent to this address, in the stored form.
[[nodiscard]] Json stored(const Served& served, Json sent);
/// {"kind":"PartialObjectMetadata",...}
[[nodiscard]] Json partialMetadata(const Entry& entry);

} // namespace alidade::simulator
