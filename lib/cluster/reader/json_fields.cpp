// SPDX-License-Identifier: GPL-3.0-or-later
#include "reader/json_fields.hpp"

#include <limits>

namespace alidade::cluster {
namespace {

using nlohmann::json;

const json& nothing() noexcept {
    static const json kNull;
    return kNull;
}

const json& noElements() noexcept {
    static const json kEmpty = json::array();
    return kEmpty;
}

} // namespace

const json& child(const json& object, std::string_view name) noexcept {
    if (!object.is_object()) {
        return nothing();
    }
    const auto found = object.find(name);
    return found == object.end() ? nothing() : *found;
}

const json& at(const json& object, std::initializer_list<std::string_view> path) noexcept {
    const json* value = &object;
    for (const std::string_view name : path) {
        value = &child(*value, name);
    }
    return *value;
}

const json& elements(const json& object, std::string_view name) noexcept {
    const json& value = child(object, name);
    return value.is_array() ? value : noElements();
}

std::string textOf(const json& object, std::string_view name) {
    const json& value = child(object, name);
    return value.is_string() ? value.get<std::string>() : std::string();
}

std::string scalarText(const json& value) {
    if (value.is_string()) {
        return value.get<std::string>();
    }
    if (value.is_boolean() || value.is_number()) {
        return value.dump();
    }
    return {};
}

std::optional<std::int64_t> integerOf(const json& object, std::string_view name) noexcept {
    const json& value = child(object, name);
    if (value.is_number_unsigned() &&
        value.get<std::uint64_t>() > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
        return std::nullopt;
    }
    return value.is_number_integer() ? std::optional(value.get<std::int64_t>()) : std::nullopt;
}

bool flagOf(const json& object, std::string_view name) noexcept {
    const json& value = child(object, name);
    return value.is_boolean() && value.get<bool>();
}

std::optional<guard::WallTime> timeOf(const json& object, std::string_view name) {
    const json& value = child(object, name);
    return value.is_string() ? guard::parseRfc3339(value.get_ref<const std::string&>()) : std::nullopt;
}

} // namespace alidade::cluster
