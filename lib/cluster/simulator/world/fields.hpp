// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// fieldsV1 trees: {"f:spec":{"f:replicas":{}}}, with "k:{...}" for elements of keyed lists.
#include "world/json.hpp"

namespace alidade::simulator {

[[nodiscard]] Json changedFields(const Json& before, const Json& after);
void subtractFields(Json& tree, const Json& taken);
void addFields(Json& tree, const Json& more);

} // namespace alidade::simulator
