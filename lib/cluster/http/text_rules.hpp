// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Character rules of HTTP messages (RFC 9110 5.1, 5.5, 5.6; RFC 9112 3.2), independent of the locale.
#include <algorithm>
#include <string_view>

namespace alidade::http {

[[nodiscard]] constexpr bool isAlnum(char c) noexcept {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

[[nodiscard]] constexpr char lower(char c) noexcept {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

/// Equal without regard to ASCII case.
[[nodiscard]] constexpr bool sameName(std::string_view a, std::string_view b) noexcept {
    return a.size() == b.size() &&
           std::equal(a.begin(), a.end(), b.begin(), [](char x, char y) { return lower(x) == lower(y); });
}

/// A method or a header's name.
[[nodiscard]] constexpr bool isToken(std::string_view text) noexcept {
    constexpr std::string_view kMarks = "!#$%&'*+-.^_`|~";
    return !text.empty() && std::all_of(text.begin(), text.end(),
                                        [&](char c) { return isAlnum(c) || kMarks.find(c) != std::string_view::npos; });
}

/// A header's value: no control character but the tab, so it cannot end the line it stands on.
[[nodiscard]] constexpr bool isFieldValue(std::string_view text) noexcept {
    return std::all_of(text.begin(), text.end(), [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return byte == '\t' || (byte >= 0x20 && byte != 0x7F);
    });
}

/// What may stand in a request target or URL: printable ASCII without the space.
[[nodiscard]] constexpr bool isTargetChar(char c) noexcept { return c > 0x20 && c < 0x7F; }

[[nodiscard]] constexpr std::string_view trim(std::string_view text) noexcept {
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) {
        text.remove_prefix(1);
    }
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) {
        text.remove_suffix(1);
    }
    return text;
}

} // namespace alidade::http
