// SPDX-License-Identifier: GPL-3.0-or-later
#include "redaction/known.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <mutex>

namespace alidade::guard::redaction {

namespace {
constexpr std::size_t least = 6;
constexpr std::size_t mostValues = 20'000;

std::uint32_t headOf(std::string_view text) noexcept {
    std::uint32_t head = 0;
    std::memcpy(&head, text.data(), sizeof head);
    return head;
}
std::size_t startOf(std::string_view text) noexcept {
    return static_cast<std::size_t>(static_cast<unsigned char>(text[0])) << 8U | static_cast<unsigned char>(text[1]);
}
std::string jsonEscaped(std::string_view value) {
    std::string out;
    for (const char c : value) {
        if (c == '"' || c == '\\')
            out += '\\';
        if (c == '\n')
            out += "\\n";
        else if (c == '\t')
            out += "\\t";
        else
            out += c;
    }
    return out;
}
std::string percentEncoded(std::string_view value) {
    static constexpr char hex[] = "0123456789ABCDEF";
    std::string out;
    for (const char c : value) {
        if (isAlnum(c) || c == '-' || c == '.' || c == '_' || c == '~') {
            out += c;
        } else {
            out += '%';
            out += hex[static_cast<unsigned char>(c) >> 4U];
            out += hex[static_cast<unsigned char>(c) & 15U];
        }
    }
    return out;
}
} // namespace

bool worthLearning(std::string_view value, bool fromSensitivePlace) {
    static constexpr std::array<std::string_view, 22> common{
        "password",   "passwd",   "secret",        "changeme", "postgres",  "postgresql", "mysql",       "mongodb",
        "redis",      "rabbitmq", "default",       "example",  "localhost", "production", "development", "staging",
        "kubernetes", "admin",    "administrator", "service",  "username",  "anonymous"};
    if (value.size() < least || value.size() > 64UL * 1024 || isHarmless(value))
        return false;
    if (std::find(common.begin(), common.end(), value) != common.end())
        return false;
    if (looksRandom(value))
        return true;
    if (!fromSensitivePlace)
        return false;
    const bool letters = std::all_of(value.begin(), value.end(), isLower);
    const bool digits = std::all_of(value.begin(), value.end(), isDigit);
    return letters ? value.size() >= 12 : !digits || value.size() >= 10;
}

void KnownSecrets::add(std::string_view form) {
    if (form.size() < least || all_.size() >= mostValues || !all_.emplace(form).second)
        return;
    starts_.set(startOf(form));
    std::vector<std::string>& bucket = byHead_[headOf(form)];
    bucket.insert(
        std::find_if(bucket.begin(), bucket.end(), [&](const std::string& s) { return s.size() < form.size(); }),
        std::string(form));
}

void KnownSecrets::learn(std::string_view value) {
    while (!value.empty() && isBlank(value.back()))
        value.remove_suffix(1);
    while (!value.empty() && isBlank(value.front()))
        value.remove_prefix(1);
    if (value.size() < least)
        return;
    const std::lock_guard lock(mutex_);
    if (all_.contains(std::string(value)))
        return;
    add(value);
    std::string encoded = encodeBase64(value);
    while (!encoded.empty() && encoded.back() == '=')
        encoded.pop_back();
    if (value.size() % 3 != 0 && encoded.size() > 8)
        encoded.pop_back(); // its last letter depends on what follows
    if (encoded.size() >= 8)
        add(encoded);
    add(jsonEscaped(value));
    add(percentEncoded(value));
    if (value.find('\n') == std::string_view::npos)
        return;
    for (std::size_t begin = 0; begin < value.size();) {
        const std::size_t end = std::min(value.find('\n', begin), value.size());
        const std::string_view line = value.substr(begin, end - begin);
        if (line.size() >= 20 && looksRandom(line))
            add(line);
        begin = end + 1;
    }
}

void KnownSecrets::find(std::string_view text, Spans& out) const {
    const std::shared_lock lock(mutex_);
    if (all_.empty())
        return;
    for (std::size_t i = 0; i + least <= text.size();) {
        const std::string_view rest = text.substr(i);
        std::size_t step = 1;
        if (starts_.test(startOf(rest))) {
            if (const auto bucket = byHead_.find(headOf(rest)); bucket != byHead_.end())
                for (const std::string& value : bucket->second)
                    if (rest.substr(0, value.size()) == value) {
                        std::size_t end = i + value.size();
                        while (end < text.size() && text[end] == '=' && isBase64(value.back()) &&
                               end - i - value.size() < 2)
                            ++end;
                        out.push_back({i, end, "known"});
                        step = value.size();
                        break;
                    }
        }
        i += step;
    }
}

std::size_t KnownSecrets::size() const {
    const std::shared_lock lock(mutex_);
    return all_.size();
}

} // namespace alidade::guard::redaction
