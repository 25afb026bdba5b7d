// SPDX-License-Identifier: GPL-3.0-or-later
#include "alidade/guard/text.hpp"

#include <cstdio>

#include <openssl/crypto.h>

#include "utf8.hpp"

namespace alidade::guard {

namespace {
constexpr std::string_view replacement = "\xef\xbf\xbd";

bool isVariationSelector(char32_t c) noexcept { return c >= 0xfe00 && c <= 0xfe0f; }

/// Characters that change or hide what a reader sees without showing themselves.
bool isHidden(char32_t c) noexcept {
    return (c >= 0x80 && c <= 0x9f) || c == 0xad || c == 0x34f || c == 0x115f || c == 0x1160 || c == 0x17b4 ||
           c == 0x17b5 || (c >= 0x180b && c <= 0x180f) || c == 0x200b || (c >= 0x2028 && c <= 0x202e) ||
           (c >= 0x2060 && c <= 0x206f) || c == 0x3164 || c == 0xfeff || c == 0xffa0 || (c >= 0xfff0 && c <= 0xfffb) ||
           (c >= 0x1d173 && c <= 0x1d17a) || (c >= 0xe0000 && c <= 0xe0fff);
}

void appendNamed(std::string& out, char32_t c) {
    char buffer[16];
    std::snprintf(buffer, sizeof buffer, "<U+%04X>", static_cast<unsigned>(c));
    out += buffer;
}

/// U+2400 + c: the control picture of a C0 character; U+2421 for DEL.
void appendPicture(std::string& out, unsigned char c) {
    out += "\xe2\x90";
    out += static_cast<char>(0x80 + (c == 0x7f ? 0x21 : c));
}

/// Length of an SGR sequence (colours) at the start of `text`, which begins with ESC; 0 for anything else.
std::size_t sgrLength(std::string_view text) noexcept {
    if (text.size() < 3 || text[1] != '[')
        return 0;
    std::size_t i = 2;
    while (i < text.size() && i < 64 && ((text[i] >= '0' && text[i] <= '9') || text[i] == ';' || text[i] == ':'))
        ++i;
    return i < text.size() && text[i] == 'm' ? i + 1 : 0;
}
} // namespace

std::string Untrusted::visible() const { return visibleText(text_); }

std::string visibleText(std::string_view text, bool keepLines) {
    std::string out;
    out.reserve(text.size());
    char32_t previous = 0;
    while (!text.empty()) {
        const auto c = static_cast<unsigned char>(text.front());
        if (c >= 0x20 && c < 0x7f) {
            out += static_cast<char>(c);
            previous = c;
            text.remove_prefix(1);
            continue;
        }
        if (c < 0x80) {
            std::size_t used = 1;
            if (keepLines && (c == '\n' || c == '\t')) {
                out += static_cast<char>(c);
            } else if (keepLines && c == '\r' && text.size() > 1 && text[1] == '\n') {
                // the end of a line, as some programs write it
            } else if (const std::size_t sgr = c == 0x1b ? sgrLength(text) : 0; sgr > 0) {
                used = sgr; // colours only: nothing is lost, and a search finds the words across them
            } else {
                appendPicture(out, c);
            }
            previous = c;
            text.remove_prefix(used);
            continue;
        }
        const utf8::Decoded d = utf8::decode(text);
        const std::string_view bytes = text.substr(0, d.length);
        text.remove_prefix(d.length);
        if (!d.valid) {
            out += replacement;
            previous = 0xfffd;
            continue;
        }
        bool show = !isHidden(d.codePoint);
        if (isVariationSelector(d.codePoint)) {
            const bool keycap = (previous >= '0' && previous <= '9') || previous == '#' || previous == '*';
            show = (previous >= 0xa0 || keycap) && !isVariationSelector(previous);
        } else if (d.codePoint == 0x200c || d.codePoint == 0x200d) {
            // Joiners belong between letters of scripts that need them and between emoji, never next to ASCII.
            const char32_t next = text.empty() ? 0 : utf8::decode(text).codePoint;
            show = previous >= 0xa0 && next >= 0xa0 && previous != 0x200c && previous != 0x200d && !isHidden(next) &&
                   next != 0x200c && next != 0x200d;
        }
        if (show)
            out += bytes;
        else
            appendNamed(out, d.codePoint);
        previous = d.codePoint;
    }
    return out;
}

std::string validUtf8(std::string_view bytes) {
    std::string out;
    out.reserve(bytes.size());
    while (!bytes.empty()) {
        std::size_t plain = 0;
        while (plain < bytes.size() && static_cast<unsigned char>(bytes[plain]) < 0x80)
            ++plain;
        out += bytes.substr(0, plain);
        bytes.remove_prefix(plain);
        if (bytes.empty())
            break;
        const utf8::Decoded d = utf8::decode(bytes);
        out += d.valid ? bytes.substr(0, d.length) : replacement;
        bytes.remove_prefix(d.length);
    }
    return out;
}

void wipe(void* data, std::size_t size) noexcept { OPENSSL_cleanse(data, size); }

} // namespace alidade::guard
