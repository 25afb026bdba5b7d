// SPDX-License-Identifier: GPL-3.0-or-later
#include "alidade/http/message.hpp"

#include "text_rules.hpp"

#include <algorithm>
#include <charconv>

namespace alidade::http {

void Headers::set(std::string_view name, std::string value) {
    std::erase_if(fields_, [&](const auto& field) { return sameName(field.first, name); });
    fields_.emplace_back(std::string(name), std::move(value));
}

std::optional<std::string_view> Headers::get(std::string_view name) const noexcept {
    for (const auto& [fieldName, value] : fields_) {
        if (sameName(fieldName, name)) {
            return value;
        }
    }
    return std::nullopt;
}

std::vector<std::string_view> Headers::all(std::string_view name) const {
    std::vector<std::string_view> values;
    for (const auto& [fieldName, value] : fields_) {
        if (sameName(fieldName, name)) {
            values.emplace_back(value);
        }
    }
    return values;
}

std::string percentEncode(std::string_view text) {
    static constexpr char kHex[] = "0123456789ABCDEF";
    std::string out;
    out.reserve(text.size() + 8);
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (isAlnum(c) || c == '-' || c == '.' || c == '_' || c == '~') {
            out.push_back(c);
        } else {
            out.push_back('%');
            out.push_back(kHex[byte >> 4U]);
            out.push_back(kHex[byte & 0xFU]);
        }
    }
    return out;
}

namespace {

int hexValue(char c) noexcept {
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    if (c >= 'a' && c <= 'f') {
        return c - 'a' + 10;
    }
    if (c >= 'A' && c <= 'F') {
        return c - 'A' + 10;
    }
    return -1;
}

} // namespace

std::optional<std::string> percentDecode(std::string_view text, bool plusIsSpace) {
    std::string out;
    out.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '%') {
            if (text.size() - i < 3) {
                return std::nullopt;
            }
            const int high = hexValue(text[i + 1]);
            const int low = hexValue(text[i + 2]);
            if (high < 0 || low < 0) {
                return std::nullopt;
            }
            out.push_back(static_cast<char>(high * 16 + low));
            i += 2;
        } else {
            out.push_back(plusIsSpace && c == '+' ? ' ' : c);
        }
    }
    return out;
}

std::optional<Url> parseUrl(std::string_view text) {
    if (std::any_of(text.begin(), text.end(), [](char c) { return !isTargetChar(c); })) {
        return std::nullopt;
    }
    Url url;
    const auto separator = text.find("://");
    if (separator == std::string_view::npos) {
        return std::nullopt;
    }
    const auto scheme = text.substr(0, separator);
    if (sameName(scheme, "https")) {
        url.scheme = "https";
        url.port = 443;
    } else if (sameName(scheme, "http")) {
        url.scheme = "http";
        url.port = 80;
    } else {
        return std::nullopt;
    }
    text.remove_prefix(separator + 3);
    text = text.substr(0, text.find('#'));

    const auto authorityEnd = std::min(text.find_first_of("/?"), text.size());
    auto authority = text.substr(0, authorityEnd);
    text.remove_prefix(authorityEnd);
    if (authority.find('@') != std::string_view::npos) {
        return std::nullopt; // credentials do not belong into a URL
    }
    std::string_view host;
    if (!authority.empty() && authority.front() == '[') {
        const auto close = authority.find(']');
        if (close == std::string_view::npos) {
            return std::nullopt;
        }
        host = authority.substr(1, close - 1);
        if (host.find(':') == std::string_view::npos) {
            return std::nullopt;
        }
        authority.remove_prefix(close + 1);
    } else {
        host = authority.substr(0, authority.find(':'));
        authority.remove_prefix(host.size());
        if (host.find_first_of("[]%\\") != std::string_view::npos) {
            return std::nullopt;
        }
    }
    if (host.empty()) {
        return std::nullopt;
    }
    url.host = host;
    if (!authority.empty()) {
        if (authority.front() != ':') {
            return std::nullopt;
        }
        authority.remove_prefix(1);
        int port = 0;
        const auto [end, error] = std::from_chars(authority.data(), authority.data() + authority.size(), port);
        if (error != std::errc() || end != authority.data() + authority.size() || port < 1 || port > 65535) {
            return std::nullopt;
        }
        url.port = port;
    }

    const auto question = text.find('?');
    auto path = text.substr(0, question);
    if (question != std::string_view::npos) {
        url.query = text.substr(question + 1);
    }
    while (!path.empty() && path.back() == '/') {
        path.remove_suffix(1);
    }
    url.path = path;
    return url;
}

} // namespace alidade::http
