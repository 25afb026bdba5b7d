// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Reading untrusted JSON without guessing: a wrong type reads as absent, nothing throws.
// Must not know any kind. Thread: any.
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

namespace alidade::cluster::read {

/// The member of an object; nullptr when absent, null, or `value` is no object.
[[nodiscard]] inline const nlohmann::json* member(const nlohmann::json& value, std::string_view key) {
    if (!value.is_object())
        return nullptr;
    const auto it = value.find(key);
    return it == value.end() || it->is_null() ? nullptr : &*it;
}

[[nodiscard]] inline const nlohmann::json* path(const nlohmann::json& value,
                                                std::initializer_list<std::string_view> keys) {
    const nlohmann::json* at = &value;
    for (const std::string_view key : keys) {
        at = member(*at, key);
        if (at == nullptr)
            return nullptr;
    }
    return at;
}

/// "" unless it is a string.
[[nodiscard]] inline std::string text(const nlohmann::json& value, std::string_view key) {
    const nlohmann::json* found = member(value, key);
    return found != nullptr && found->is_string() ? found->get<std::string>() : std::string();
}
[[nodiscard]] inline std::string text(const nlohmann::json& value, std::initializer_list<std::string_view> keys) {
    const nlohmann::json* found = path(value, keys);
    return found != nullptr && found->is_string() ? found->get<std::string>() : std::string();
}

/// nullopt unless it is an integer (5.0 is one) that fits.
[[nodiscard]] inline std::optional<std::int64_t> integer(const nlohmann::json* found) {
    if (found == nullptr)
        return std::nullopt;
    if (found->is_number_unsigned()) {
        const auto wide = found->get<std::uint64_t>();
        return wide <= static_cast<std::uint64_t>(INT64_MAX)
                   ? std::optional<std::int64_t>(static_cast<std::int64_t>(wide))
                   : std::nullopt;
    }
    if (found->is_number_integer())
        return found->get<std::int64_t>();
    if (found->is_number_float()) {
        const double wide = found->get<double>();
        if (wide >= -9.0e15 && wide <= 9.0e15 && static_cast<double>(static_cast<std::int64_t>(wide)) == wide)
            return static_cast<std::int64_t>(wide);
    }
    return std::nullopt;
}
[[nodiscard]] inline std::optional<std::int64_t> integer(const nlohmann::json& value, std::string_view key) {
    return integer(member(value, key));
}
/// An integer clamped to int; `otherwise` when absent or malformed.
[[nodiscard]] inline int number(const nlohmann::json& value, std::string_view key, int otherwise = 0) {
    const auto found = integer(value, key);
    if (!found)
        return otherwise;
    if (*found > INT32_MAX)
        return INT32_MAX;
    return *found < INT32_MIN ? INT32_MIN : static_cast<int>(*found);
}

[[nodiscard]] inline bool flag(const nlohmann::json& value, std::string_view key) {
    const nlohmann::json* found = member(value, key);
    return found != nullptr && found->is_boolean() && found->get<bool>();
}

/// Calls `visit(element, index)` for each element of an array member that is an object.
template<class Visit>
void each(const nlohmann::json* array, Visit&& visit) {
    if (array == nullptr || !array->is_array())
        return;
    for (std::size_t i = 0; i < array->size(); ++i)
        if ((*array)[i].is_object())
            visit((*array)[i], i);
}
template<class Visit>
void each(const nlohmann::json& value, std::string_view key, Visit&& visit) {
    each(member(value, key), std::forward<Visit>(visit));
}

/// The string members of an object, in key order.
[[nodiscard]] inline std::vector<std::pair<std::string, std::string>> pairs(const nlohmann::json* object) {
    std::vector<std::pair<std::string, std::string>> out;
    if (object == nullptr || !object->is_object())
        return out;
    for (const auto& [key, value] : object->items())
        if (value.is_string())
            out.emplace_back(key, value.get<std::string>());
    return out;
}

} // namespace alidade::cluster::read
