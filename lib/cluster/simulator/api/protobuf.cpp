// SPDX-License-Identifier: GPL-3.0-or-later
#include "api/protobuf.hpp"

#include <cstdlib>
#include <map>
#include <string>
#include <vector>

namespace alidade::simulator {

namespace {

struct Field {
    std::string name;
    char shape = 0; ///< '*', '%', '^' or 0
    std::string type;
};
using Message = std::map<unsigned, Field>;
using Schema = std::map<std::string, Message, std::less<>>;

Schema parseSchema() {
    Schema out;
    std::string_view rest = protobufSchema;
    while (!rest.empty()) {
        const auto end = rest.find('\n');
        std::string_view line = rest.substr(0, end);
        rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
        auto bar = line.find('|');
        Message& message = out[std::string(line.substr(0, bar))];
        while (bar != std::string_view::npos) {
            line.remove_prefix(bar + 1);
            bar = line.find('|');
            const auto item = line.substr(0, bar);
            const auto first = item.find(' ');
            const auto second = item.find(' ', first + 1);
            if (first == std::string_view::npos || second == std::string_view::npos)
                continue;
            Field field;
            field.name = item.substr(first + 1, second - first - 1);
            auto type = item.substr(second + 1);
            if (type.front() == '*' || type.front() == '%' || type.front() == '^') {
                field.shape = type.front();
                type.remove_prefix(1);
            }
            field.type = type;
            message[static_cast<unsigned>(std::atoi(std::string(item.substr(0, first)).c_str()))] = std::move(field);
        }
    }
    return out;
}

const Schema& schema() {
    static const Schema parsed = parseSchema();
    return parsed;
}

/// A cursor over wire-format fields. Broken input stops it.
class Reader {
public:
    explicit Reader(std::string_view message) : rest_(message) {}
    bool next() {
        std::uint64_t key = 0;
        if (broken_ || rest_.empty() || !varint(key))
            return false;
        number = static_cast<unsigned>(key >> 3U);
        wire = static_cast<unsigned>(key & 7U);
        std::uint64_t length = 0;
        switch (wire) {
        case 0: return varint(value);
        case 1: return take(8);
        case 2: return varint(length) && take(length);
        case 5: return take(4);
        default: broken_ = true; return false;
        }
    }
    unsigned number = 0;
    unsigned wire = 0;
    std::uint64_t value = 0;
    std::string_view bytes;
    [[nodiscard]] bool broken() const noexcept { return broken_; }

private:
    bool varint(std::uint64_t& out) {
        out = 0;
        for (unsigned shift = 0; shift < 64 && !rest_.empty(); shift += 7) {
            const auto byte = static_cast<unsigned char>(rest_.front());
            rest_.remove_prefix(1);
            out |= static_cast<std::uint64_t>(byte & 0x7fU) << shift;
            if ((byte & 0x80U) == 0)
                return true;
        }
        broken_ = true;
        return false;
    }
    bool take(std::uint64_t length) {
        if (length > rest_.size()) {
            broken_ = true;
            return false;
        }
        bytes = rest_.substr(0, length);
        rest_.remove_prefix(length);
        return true;
    }
    std::string_view rest_;
    bool broken_ = false;
};

constexpr int deepest = 32;

void decode(std::string_view bytes, const std::string& type, Json& out, int depth);

/// Null for what JSON would leave out.
Json scalar(const Reader& field, const std::string& type, int depth) {
    const bool text = field.wire == 2;
    if (type == "s")
        return text && !field.bytes.empty() ? Json(std::string(field.bytes)) : Json();
    if (type == "x")
        return text ? Json(encodeBase64(field.bytes)) : Json();
    if (type == "i" || type == "I")
        return field.value != 0 || type == "I" ? Json(static_cast<std::int64_t>(field.value)) : Json();
    if (type == "b" || type == "B")
        return field.value != 0 || type == "B" ? Json(field.value != 0) : Json();
    if (type == "q" || type == "t" || type == "o") {
        std::int64_t numbers[4] = {0, 0, 0, 0};
        std::string word;
        bool any = false;
        Reader inner(field.bytes);
        while (inner.next()) {
            any = true;
            if (inner.wire == 0 && inner.number < 4)
                numbers[inner.number] = static_cast<std::int64_t>(inner.value);
            if (inner.wire == 2)
                word = inner.bytes;
        }
        if (type == "q")
            return word.empty() ? Json("0") : Json(word);
        if (type == "o")
            return numbers[1] == 0 ? Json(numbers[2]) : Json(word);
        return any ? Json(stamp(WallTime(std::chrono::seconds(numbers[1])))) : Json();
    }
    Json object = Json::object();
    decode(field.bytes, type, object, depth + 1);
    return object;
}

void decode(std::string_view bytes, const std::string& type, Json& out, int depth) {
    const auto message = schema().find(type);
    if (message == schema().end() || depth > deepest)
        return;
    Reader reader(bytes);
    while (reader.next()) {
        const auto found = message->second.find(reader.number);
        if (found == message->second.end())
            continue;
        const auto& field = found->second;
        if (field.shape == '^') {
            decode(reader.bytes, field.type, out, depth + 1);
        } else if (field.shape == '%') {
            std::string key;
            Json value = field.type == "s" ? Json("") : Json();
            Reader pair(reader.bytes);
            while (pair.next()) {
                if (pair.number == 1)
                    key = pair.bytes;
                else if (pair.number == 2)
                    value = field.type == "s" ? Json(std::string(pair.bytes)) : scalar(pair, field.type, depth);
            }
            out[field.name][key] = std::move(value);
        } else if (field.shape == '*') {
            out[field.name].push_back(field.type == "s" ? Json(std::string(reader.bytes))
                                                        : scalar(reader, field.type, depth));
        } else if (Json value = scalar(reader, field.type, depth); !value.is_null()) {
            out[field.name] = std::move(value);
        }
    }
}

} // namespace

std::optional<Json> decodeProtobuf(std::string_view bytes) {
    constexpr std::string_view magic("k8s\0", 4);
    if (!bytes.starts_with(magic))
        return std::nullopt;
    std::string apiVersion;
    std::string kind;
    std::string_view raw;
    Reader envelope(bytes.substr(magic.size())); // runtime.Unknown
    while (envelope.next()) {
        if (envelope.number == 1) {
            Reader meta(envelope.bytes);
            while (meta.next())
                (meta.number == 1 ? apiVersion : kind) = std::string(meta.bytes);
        } else if (envelope.number == 2) {
            raw = envelope.bytes;
        }
    }
    if (envelope.broken() || (kind != "SelfSubjectReview" && schema().count(kind) == 0))
        return std::nullopt;
    Json out = Json::object();
    decode(raw, kind, out, 0);
    out["kind"] = kind;
    out["apiVersion"] = apiVersion;
    return out;
}

} // namespace alidade::simulator
