// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// simdjson's On-Demand front end, the same way in every file (its checks are a build flag that changes its types), and
// the few helpers that keep decoders flat: wrong types and nulls leave a value at its default, broken text is reported.
#define SIMDJSON_DEVELOPMENT_CHECKS 0
#include <simdjson.h>

#include <cstdint>
#include <cstring>
#include <string_view>

namespace alidade::cluster::json {

namespace ondemand = simdjson::ondemand;

/// Compares an object's key with a literal. Keys with escapes match nothing: the API server writes none.
template<std::size_t N>
[[nodiscard]] inline bool is(const ondemand::raw_json_string& key, const char (&literal)[N]) noexcept {
    return std::memcmp(key.raw(), literal, N - 1) == 0 && key.raw()[N - 1] == '"';
}

/// Reads one document. `broken` once set stays: the text is not JSON, and what stands for its parts points nowhere.
struct Reader {
    bool broken = false;

    /// False when there is no such field, and for ever once the document is broken.
    [[nodiscard]] bool find(ondemand::object& object, std::string_view key, ondemand::value& out) {
        if (broken) {
            return false;
        }
        const auto error = object.find_field_unordered(key).get(out);
        broken = error != simdjson::SUCCESS && error != simdjson::NO_SUCH_FIELD;
        return error == simdjson::SUCCESS;
    }

    template<class Call>
    void fields(ondemand::object object, Call&& call) {
        for (auto next : object) {
            ondemand::field field;
            if (std::move(next).get(field) != simdjson::SUCCESS) {
                broken = true;
                return;
            }
            const ondemand::raw_json_string key = field.key();
            call(key, field.value());
            if (broken) {
                return; // On-Demand has let go of a broken document: nothing of it may be touched again
            }
        }
    }
    template<class Call>
    void fields(ondemand::value& value, Call&& call) {
        ondemand::object object;
        if (const auto error = value.get_object().get(object); error == simdjson::SUCCESS) {
            fields(object, std::forward<Call>(call));
        } else {
            note(error);
        }
    }
    template<class Call>
    void items(ondemand::value& value, Call&& call) {
        ondemand::array array;
        if (const auto error = value.get_array().get(array); error != simdjson::SUCCESS) {
            note(error);
            return;
        }
        for (auto next : array) {
            ondemand::value item;
            if (std::move(next).get(item) != simdjson::SUCCESS) {
                broken = true;
                return;
            }
            call(item);
            if (broken) {
                return;
            }
        }
    }
    /// Valid until the next document is read. Without escapes it is the document's own bytes.
    [[nodiscard]] std::string_view text(ondemand::value& value) {
        std::string_view token = value.raw_json_token(); // up to the next one
        while (!token.empty() && token.back() <= ' ')
            token.remove_suffix(1);
        if (token.size() >= 2 && token.front() == '"' && token.back() == '"') {
            token = token.substr(1, token.size() - 2);
            if (std::memchr(token.data(), '\\', token.size()) == nullptr) {
                ondemand::raw_json_string read; // moves on
                if (const auto error = value.get_raw_json_string().get(read); error != simdjson::SUCCESS) {
                    note(error);
                    return {};
                }
                return token;
            }
        }
        std::string_view out;
        const auto error = value.get_string().get(out);
        return error == simdjson::SUCCESS ? out : (note(error), std::string_view{});
    }
    [[nodiscard]] std::int64_t integer(ondemand::value& value, std::int64_t otherwise = 0) {
        std::int64_t out = 0;
        const auto error = value.get_int64().get(out);
        return error == simdjson::SUCCESS ? out : (note(error), otherwise);
    }
    [[nodiscard]] bool boolean(ondemand::value& value, bool otherwise = false) {
        bool out = false;
        const auto error = value.get_bool().get(out);
        return error == simdjson::SUCCESS ? out : (note(error), otherwise);
    }
    [[nodiscard]] bool isNull(ondemand::value& value) {
        bool out = false;
        return value.is_null().get(out) == simdjson::SUCCESS && out;
    }

    void note(simdjson::error_code error) {
        // Everything else is a value of another type, which is no fault of the text.
        broken = broken || error == simdjson::TAPE_ERROR || error == simdjson::INCOMPLETE_ARRAY_OR_OBJECT ||
                 error == simdjson::UNCLOSED_STRING || error == simdjson::TRAILING_CONTENT;
    }
};

} // namespace alidade::cluster::json
