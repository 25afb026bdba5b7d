// SPDX-License-Identifier: GPL-3.0-or-later
// What it is for: fields of objects that may have any shape. A wrong type reads as absent.
// What it must not know: kinds.
// Thread: any.
#pragma once

#include "alidade/guard/clock.hpp"
#include "alidade/guard/coverage.hpp"

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace alidade::cluster {

/// The member, or null.
[[nodiscard]] const nlohmann::json& child(const nlohmann::json& object, std::string_view name) noexcept;
/// child() of child()...
[[nodiscard]] const nlohmann::json& at(const nlohmann::json& object,
                                       std::initializer_list<std::string_view> path) noexcept;
/// The elements, or none.
[[nodiscard]] const nlohmann::json& elements(const nlohmann::json& object, std::string_view name) noexcept;
[[nodiscard]] std::string textOf(const nlohmann::json& object, std::string_view name);
/// A scalar as text: "3", "true", a string as it is; "" for anything else.
[[nodiscard]] std::string scalarText(const nlohmann::json& value);
[[nodiscard]] std::optional<std::int64_t> integerOf(const nlohmann::json& object, std::string_view name) noexcept;
[[nodiscard]] bool flagOf(const nlohmann::json& object, std::string_view name) noexcept;
[[nodiscard]] std::optional<guard::WallTime> timeOf(const nlohmann::json& object, std::string_view name);

/// What a failed read leaves out.
[[nodiscard]] guard::Gap gapOf(std::string source, const guard::Error& error);

} // namespace alidade::cluster
