// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The OpenAPI v2 document in gnostic's protobuf form, which older clients ask whether a kind takes dryRun.
#include <string>

#include "world/kinds.hpp"

namespace alidade::simulator {

[[nodiscard]] std::string openapiV2Protobuf(const Kinds& kinds, const std::string& version);

} // namespace alidade::simulator
