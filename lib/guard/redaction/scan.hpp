// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Finds what is secret in a text, as spans. Hand-written linear scanners; private to the redactor.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace alidade::guard::redaction {

struct Span {
    std::size_t begin = 0;
    std::size_t end = 0;
    const char* rule = "";
    bool learn = false; ///< a credential's very value: mask it wherever else it turns up
};
using Spans = std::vector<Span>;

// --- characters ---
[[nodiscard]] constexpr bool isLower(char c) noexcept {
    return c >= 'a' && c <= 'z';
}
[[nodiscard]] constexpr bool isUpper(char c) noexcept {
    return c >= 'A' && c <= 'Z';
}
[[nodiscard]] constexpr bool isDigit(char c) noexcept {
    return c >= '0' && c <= '9';
}
[[nodiscard]] constexpr bool isAlnum(char c) noexcept {
    return isLower(c) || isUpper(c) || isDigit(c);
}
[[nodiscard]] constexpr bool isBlank(char c) noexcept {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}
[[nodiscard]] constexpr bool isWord(char c) noexcept {
    return isAlnum(c) || c == '_';
}
[[nodiscard]] constexpr bool isBase64(char c) noexcept {
    return isAlnum(c) || c == '+' || c == '/';
}
[[nodiscard]] constexpr char lower(char c) noexcept {
    return isUpper(c) ? static_cast<char>(c + 32) : c;
}
[[nodiscard]] bool equalsIgnoringCase(std::string_view a, std::string_view b) noexcept;

// --- keys and values ---
enum class Sensitivity : std::uint8_t {
    No,
    Weak, ///< secret only when the value looks like one ("secret: web-tls" is a name)
    Strong,
};
/// By the words of a key in any spelling: camel, snake, kebab, dotted, prefixed.
[[nodiscard]] Sensitivity sensitivityOf(std::string_view key);
/// Made by a machine: mixed classes, not a name, host or word.
[[nodiscard]] bool looksRandom(std::string_view value) noexcept;
/// A word of a message ("missing", "denied"), a boolean, a placeholder ("${DB_PASSWORD}", "***"), or a mask of ours.
[[nodiscard]] bool isHarmless(std::string_view value) noexcept;
[[nodiscard]] bool isMask(std::string_view value) noexcept;
/// A DNS label or qualified name, without upper case.
[[nodiscard]] bool looksLikeName(std::string_view value) noexcept;
/// Whether a value under a key of that sensitivity is to be masked.
[[nodiscard]] bool isSecretValue(std::string_view key, Sensitivity sensitivity, std::string_view value);

/// Standard or URL alphabet, with or without padding; nullopt for anything else.
[[nodiscard]] std::optional<std::string> decodeBase64(std::string_view text);
[[nodiscard]] std::string encodeBase64(std::string_view bytes);

// --- scanners over a whole text; each appends ---
void scanPairs(std::string_view text, Spans& out);             ///< key=value, key: value, "key":"value", flags, headers
void scanUrls(std::string_view text, Spans& out);              ///< userinfo, connection strings, webhooks
void scanCommands(std::string_view text, Spans& out);          ///< -p x after a known client, curl -u
void scanPem(std::string_view text, Spans& out);               ///< private keys, whole, cut, escaped, prefixed
void scanTokens(std::string_view text, Spans& out, int depth); ///< JWTs, well-known prefixes, base64 of any of this
void scanManifests(std::string_view text, Spans& out);         ///< Secret data in YAML or JSON text
void scanPersonal(std::string_view text, Spans& out);          ///< e-mail, phone, cards, public client addresses
/// All secrets of a text (not personal data). `depth` bounds decoding of base64 within base64.
void scanSecrets(std::string_view text, Spans& out, int depth = 0);

/// Whether the argument after `flag` of the program is a password ("mysql", "-p").
[[nodiscard]] bool isPasswordFlag(std::string_view program, std::string_view flag) noexcept;

} // namespace alidade::guard::redaction
