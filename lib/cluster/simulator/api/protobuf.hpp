// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Bodies in application/vnd.kubernetes.protobuf, which kubectl's typed clients send: decoded to what JSON would have
// said.
#include <optional>
#include <string_view>

#include "world/json.hpp"

namespace alidade::simulator {

extern const char* const protobufSchema;

/// The object, with kind and apiVersion; nullopt for bytes that are not such a message, or a kind that is not known.
[[nodiscard]] std::optional<Json> decodeProtobuf(std::string_view bytes);

} // namespace alidade::simulator
