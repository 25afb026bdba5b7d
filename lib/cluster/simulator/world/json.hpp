// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Reading objects of any shape: an absent or ill-typed field reads as null, empty or the fallback, never as an
// exception.
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "alidade/guard/clock.hpp"

namespace alidade::simulator {

using Json = nlohmann::json;
using guard::Millis;
using guard::WallTime;

/// The field, or a null that lives for ever.
[[nodiscard]] const Json& at(const Json& object, std::string_view key);
[[nodiscard]] const Json& at(const Json& object, std::initializer_list<std::string_view> path);
[[nodiscard]] std::string str(const Json& value, std::string_view fallback = {});
[[nodiscard]] std::string str(const Json& object, std::initializer_list<std::string_view> path,
                              std::string_view fallback = {});
[[nodiscard]] std::int64_t integer(const Json& value, std::int64_t fallback = 0);
[[nodiscard]] std::int64_t integer(const Json& object, std::initializer_list<std::string_view> path,
                                   std::int64_t fallback = 0);
[[nodiscard]] bool boolean(const Json& value, bool fallback = false);
/// The elements of an array; nothing for anything else.
[[nodiscard]] const Json::array_t& items(const Json& value);
/// The members of an object; nothing for anything else.
[[nodiscard]] const Json::object_t& members(const Json& value);
/// Makes `parent[key]` an object if it is not one, and returns it.
Json& object(Json& parent, const std::string& key);
/// Compact UTF-8 text; broken UTF-8 is replaced, never thrown about.
[[nodiscard]] std::string dump(const Json& value);

[[nodiscard]] std::string stamp(WallTime time);      ///< "2024-05-01T12:00:00Z"
[[nodiscard]] std::string microStamp(WallTime time); ///< with six digits, for eventTime
[[nodiscard]] WallTime wholeSeconds(WallTime time);

[[nodiscard]] std::string encodeBase64(std::string_view bytes);
/// Empty for anything that is not base64.
[[nodiscard]] std::string decodeBase64(std::string_view text);

/// 64-bit FNV-1a.
[[nodiscard]] std::uint64_t hash64(std::string_view text, std::uint64_t seed = 0xcbf29ce484222325ULL) noexcept;

} // namespace alidade::simulator
