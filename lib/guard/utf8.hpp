// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// UTF-8 as bytes: decoding with maximal-subpart replacement, and cutting on a boundary. Private to the guard.
#include <cstddef>
#include <string>
#include <string_view>

namespace alidade::guard::utf8 {

struct Decoded {
    char32_t codePoint = 0xfffd;
    std::size_t length = 1; ///< bytes taken: a whole sequence, or the maximal subpart of an ill-formed one
    bool valid = false;
};
/// `text` is not empty. Unicode 3.9 table 3-7: no overlong forms, no surrogates, nothing above U+10FFFF.
[[nodiscard]] inline Decoded decode(std::string_view text) noexcept {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char lead = byte(0);
    if (lead < 0x80)
        return {lead, 1, true};
    std::size_t need = 0;
    unsigned char low = 0x80, high = 0xbf;
    char32_t value = 0;
    if (lead >= 0xc2 && lead <= 0xdf) {
        need = 1;
        value = lead & 0x1fU;
    } else if (lead >= 0xe0 && lead <= 0xef) {
        need = 2;
        value = lead & 0x0fU;
        if (lead == 0xe0)
            low = 0xa0;
        if (lead == 0xed)
            high = 0x9f;
    } else if (lead >= 0xf0 && lead <= 0xf4) {
        need = 3;
        value = lead & 0x07U;
        if (lead == 0xf0)
            low = 0x90;
        if (lead == 0xf4)
            high = 0x8f;
    } else {
        return {};
    }
    std::size_t length = 1;
    for (; length <= need; ++length) {
        if (length >= text.size() || byte(length) < low || byte(length) > high)
            return {0xfffd, length, false};
        value = (value << 6U) | (byte(length) & 0x3fU);
        low = 0x80;
        high = 0xbf;
    }
    return {value, length, true};
}

/// The largest cut of at most `limit` bytes that splits no sequence of valid UTF-8.
[[nodiscard]] inline std::size_t floorBoundary(std::string_view text, std::size_t limit) noexcept {
    if (text.size() <= limit)
        return text.size();
    std::size_t at = limit;
    while (at > 0 && limit - at < 4 && (static_cast<unsigned char>(text[at]) & 0xc0U) == 0x80)
        --at;
    return at;
}

} // namespace alidade::guard::utf8
