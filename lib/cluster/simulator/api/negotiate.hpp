// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The form of an answer, from Accept: the object itself, a Table, or metadata only.
#include <string>
#include <string_view>

#include "alidade/http/server.hpp"
#include "world/json.hpp"

namespace alidade::simulator {

enum class Form : std::uint8_t { Object, Table, Metadata };
enum class Include : std::uint8_t { Metadata, None, Object }; ///< in a table's rows
struct Shape {
    Form form = Form::Object;
    Include include = Include::Metadata;
};

/// nullopt: nothing acceptable (406).
[[nodiscard]] std::optional<Shape> negotiate(const http::ServerRequest& request);
[[nodiscard]] std::string param(const http::ServerRequest& request, std::string_view name);
[[nodiscard]] bool flag(const http::ServerRequest& request, std::string_view name); ///< "true", "1"
[[nodiscard]] std::optional<std::int64_t> number(const http::ServerRequest& request, std::string_view name);
/// The media type of the body, without parameters, lower case.
[[nodiscard]] std::string mediaType(const http::ServerRequest& request);

} // namespace alidade::simulator
