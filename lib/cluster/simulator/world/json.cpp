// SPDX-License-Identifier: GPL-3.0-or-later
#include "world/json.hpp"

namespace alidade::simulator {

namespace {
const Json null;
const Json::array_t noItems;
const Json::object_t noMembers;
} // namespace

const Json& at(const Json& object, std::string_view key) {
    if (!object.is_object())
        return null;
    const auto& map = object.get_ref<const Json::object_t&>();
    const auto it = map.find(key);
    return it == map.end() ? null : it->second;
}

const Json& at(const Json& object, std::initializer_list<std::string_view> path) {
    const Json* here = &object;
    for (const auto key : path)
        here = &at(*here, key);
    return *here;
}

std::string str(const Json& value, std::string_view fallback) {
    return value.is_string() ? value.get_ref<const std::string&>() : std::string(fallback);
}

std::string str(const Json& object, std::initializer_list<std::string_view> path, std::string_view fallback) {
    return str(at(object, path), fallback);
}

std::int64_t integer(const Json& value, std::int64_t fallback) {
    return value.is_number() ? value.get<std::int64_t>() : fallback;
}

std::int64_t integer(const Json& object, std::initializer_list<std::string_view> path, std::int64_t fallback) {
    return integer(at(object, path), fallback);
}

bool boolean(const Json& value, bool fallback) { return value.is_boolean() ? value.get<bool>() : fallback; }

const Json::array_t& items(const Json& value) {
    return value.is_array() ? value.get_ref<const Json::array_t&>() : noItems;
}

const Json::object_t& members(const Json& value) {
    return value.is_object() ? value.get_ref<const Json::object_t&>() : noMembers;
}

Json& object(Json& parent, const std::string& key) {
    if (!parent.is_object())
        parent = Json::object();
    Json& child = parent[key];
    if (!child.is_object())
        child = Json::object();
    return child;
}

std::string dump(const Json& value) { return value.dump(-1, ' ', false, Json::error_handler_t::replace); }

std::string stamp(WallTime time) { return guard::formatRfc3339(time); }
std::string microStamp(WallTime time) { return guard::formatRfc3339(time, 6); }
WallTime wholeSeconds(WallTime time) { return std::chrono::floor<std::chrono::seconds>(time); }

namespace {
constexpr std::string_view base64Letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
}

std::string encodeBase64(std::string_view bytes) {
    std::string out;
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        std::uint32_t group = 0;
        for (std::size_t k = 0; k < 3; ++k)
            group = (group << 8U) | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0U);
        for (std::size_t k = 0; k < 4; ++k)
            out += i + k > bytes.size() ? '=' : base64Letters[(group >> (18U - 6U * k)) & 63U];
    }
    return out;
}

std::string decodeBase64(std::string_view text) {
    std::string out;
    std::uint32_t group = 0;
    unsigned bits = 0;
    for (const char c : text) {
        if (c == '=' || c == '\n')
            continue;
        const auto value = base64Letters.find(c);
        if (value == std::string_view::npos)
            return {};
        group = (group << 6U) | static_cast<std::uint32_t>(value);
        bits += 6;
        if (bits >= 8) {
            bits -= 8;
            out += static_cast<char>((group >> bits) & 0xffU);
        }
    }
    return out;
}

std::uint64_t hash64(std::string_view text, std::uint64_t seed) noexcept {
    for (const unsigned char c : text)
        seed = (seed ^ c) * 0x100000001b3ULL;
    return seed;
}

} // namespace alidade::simulator
