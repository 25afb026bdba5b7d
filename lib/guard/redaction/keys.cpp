// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>

#include "redaction/scan.hpp"

namespace alidade::guard::redaction {

namespace {
template<std::size_t N>
bool in(const std::array<std::string_view, N>& words, std::string_view word) noexcept {
    return std::find(words.begin(), words.end(), word) != words.end();
}
bool endsWith(std::string_view text, std::string_view tail) noexcept {
    return text.size() >= tail.size() && text.substr(text.size() - tail.size()) == tail;
}

/// "DB_PASSWORD", "dbPassword", "db-password", "db.password" -> db, password
std::vector<std::string> wordsOf(std::string_view key) {
    std::vector<std::string> words;
    std::string word;
    const auto flush = [&] {
        if (!word.empty())
            words.push_back(std::move(word));
        word.clear();
    };
    for (std::size_t i = 0; i < key.size(); ++i) {
        const char c = key[i];
        if (!isAlnum(c)) {
            flush();
            continue;
        }
        const bool afterLower = i > 0 && (isLower(key[i - 1]) || isDigit(key[i - 1])) && isUpper(c);
        const bool lastOfCapitals =
            i > 0 && i + 1 < key.size() && isUpper(key[i - 1]) && isUpper(c) && isLower(key[i + 1]);
        if (afterLower || lastOfCapitals)
            flush();
        word += lower(c);
    }
    flush();
    return words;
}

// What may follow the telling word without changing what the value is.
constexpr std::array<std::string_view, 22> qualifiers{
    "value", "old",    "new",    "current", "previous", "plain",     "plaintext", "text", "string", "str",  "raw",
    "hash",  "hashed", "base64", "b64",     "encoded",  "encrypted", "data",      "prod", "dev",    "test", "staging"};
// What makes a key out of a key.
constexpr std::array<std::string_view, 26> keyKinds{
    "api",    "access",  "secret",  "private", "client",  "encryption", "signing", "account", "shared",
    "master", "ssh",     "license", "auth",    "session", "crypt",      "cipher",  "aes",     "rsa",
    "hmac",   "webhook", "storage", "app",     "admin",   "deploy",     "jwt",     "tls"};
constexpr std::array<std::string_view, 14> secretKinds{"client",  "shared",  "app",  "consumer", "jwt",
                                                       "webhook", "signing", "hmac", "session",  "oauth",
                                                       "api",     "auth",    "user", "my"};
constexpr std::array<std::string_view, 4> letters{"p", "w", "s", "k"};
} // namespace

bool equalsIgnoringCase(std::string_view a, std::string_view b) noexcept {
    return a.size() == b.size() &&
           std::equal(a.begin(), a.end(), b.begin(), [](char x, char y) { return lower(x) == lower(y); });
}

Sensitivity sensitivityOf(std::string_view key) {
    if (key.size() < 2 || key.size() > 128)
        return Sensitivity::No;
    std::vector<std::string> words = wordsOf(key);
    for (std::string& word : words)
        while (word.size() > 1 && isDigit(word.back()) && word != "base64" && word != "b64")
            word.pop_back();
    while (words.size() > 1 && (in(qualifiers, words.back()) || isDigit(words.back().front())))
        words.pop_back();
    if (words.empty())
        return Sensitivity::No;
    const std::string& last = words.back();
    const std::string_view before = words.size() > 1 ? std::string_view(words[words.size() - 2]) : std::string_view();
    if (before == "checksum" || before == "public")
        return Sensitivity::No;

    static constexpr std::array<std::string_view, 8> strongEnds{"password",  "passwd",    "passphrase", "apikey",
                                                                "secretkey", "accesskey", "privatekey", "accountkey"};
    if (std::any_of(strongEnds.begin(), strongEnds.end(), [&](std::string_view e) { return endsWith(last, e); }))
        return Sensitivity::Strong;
    if (last == "passwords" || last == "pwd" || last == "passw" || last == "pswd" || last == "pgpass" ||
        last == "dbpass")
        return Sensitivity::Strong;
    if (last == "pass" || last == "pw")
        return before.empty() ? Sensitivity::Weak : Sensitivity::Strong;
    if (last == "word" && before == "pass")
        return Sensitivity::Strong;
    if (last == "token" || (endsWith(last, "token") && last.size() > 6))
        return Sensitivity::Strong;
    if (last == "key")
        return in(keyKinds, before) ? Sensitivity::Strong : Sensitivity::No;
    if (last == "keys" && before == "authorized")
        return Sensitivity::No;
    if (last == "secret" || endsWith(last, "secret"))
        return in(secretKinds, before) ? Sensitivity::Strong : Sensitivity::Weak;
    if (last == "authorization" || last == "cookie" || last == "auth" || last == "dockerconfigjson" ||
        last == "dockercfg")
        return Sensitivity::Weak;
    if (last == "credential" || last == "credentials" || last == "creds" || last == "salt" || last == "sessionid" ||
        last == "jsessionid" || last == "phpsessid" || last == "otp" || last == "bearer" || last == "jwt" ||
        last == "secrets")
        return Sensitivity::Weak;
    if (last == "id" && before == "session")
        return Sensitivity::Weak;
    if (last == "pin" && words.size() > 1 && !in(letters, before))
        return Sensitivity::Weak;
    if (last == "signature" || last == "sig")
        return Sensitivity::Weak;
    return Sensitivity::No;
}

bool looksLikeName(std::string_view value) noexcept {
    return !value.empty() && value.size() <= 253 && std::all_of(value.begin(), value.end(), [](char c) {
        return isLower(c) || isDigit(c) || c == '-' || c == '.' || c == '/' || c == ':';
    });
}

bool looksRandom(std::string_view value) noexcept {
    if (value.size() < 8)
        return false;
    bool lowers = false, uppers = false, digits = false, marks = false;
    std::size_t changes = 0;
    for (std::size_t i = 0; i < value.size(); ++i) {
        const char c = value[i];
        if (isBlank(c))
            return false;
        lowers |= isLower(c);
        uppers |= isUpper(c);
        digits |= isDigit(c);
        marks |= !isAlnum(c) && c != '-' && c != '.' && c != '_' && c != '/' && c != ':';
        if (i > 0 && isDigit(c) != isDigit(value[i - 1]))
            ++changes;
    }
    const int classes = int{lowers} + int{uppers} + int{digits} + int{marks};
    if (classes >= 3)
        return true;
    if (looksLikeName(value))
        return value.size() >= 20 && value.find_first_of("-./:") == std::string_view::npos && changes >= 3;
    if (classes == 2 && digits)
        return value.size() >= 12 && changes >= 2;
    return value.size() >= 24 && classes >= 2;
}

bool isMask(std::string_view value) noexcept {
    constexpr std::string_view head = "[masked:";
    if (value.size() < head.size() + 11 || value.substr(0, head.size()) != head || value.back() != ']')
        return false;
    const std::size_t hash = value.find('#');
    if (hash == std::string_view::npos || value.size() - hash != 10)
        return false;
    for (std::size_t i = head.size(); i < hash; ++i)
        if (!isLower(value[i]) && value[i] != '-' && !isDigit(value[i]))
            return false;
    for (std::size_t i = hash + 1; i + 1 < value.size(); ++i)
        if (!isDigit(value[i]) && !(value[i] >= 'a' && value[i] <= 'f'))
            return false;
    return true;
}

bool isHarmless(std::string_view value) noexcept {
    static constexpr std::array<std::string_view, 88> words{"missing",
                                                            "invalid",
                                                            "denied",
                                                            "required",
                                                            "empty",
                                                            "expired",
                                                            "none",
                                                            "null",
                                                            "nil",
                                                            "true",
                                                            "false",
                                                            "unset",
                                                            "undefined",
                                                            "unknown",
                                                            "not",
                                                            "is",
                                                            "was",
                                                            "are",
                                                            "failed",
                                                            "failure",
                                                            "error",
                                                            "ok",
                                                            "yes",
                                                            "no",
                                                            "on",
                                                            "off",
                                                            "enabled",
                                                            "disabled",
                                                            "unauthorized",
                                                            "forbidden",
                                                            "rejected",
                                                            "refused",
                                                            "mismatch",
                                                            "incorrect",
                                                            "wrong",
                                                            "revoked",
                                                            "redacted",
                                                            "hidden",
                                                            "masked",
                                                            "the",
                                                            "a",
                                                            "an",
                                                            "for",
                                                            "from",
                                                            "to",
                                                            "in",
                                                            "of",
                                                            "provided",
                                                            "given",
                                                            "found",
                                                            "cannot",
                                                            "could",
                                                            "must",
                                                            "should",
                                                            "will",
                                                            "has",
                                                            "have",
                                                            "had",
                                                            "changed",
                                                            "unchanged",
                                                            "updated",
                                                            "rotated",
                                                            "accepted",
                                                            "valid",
                                                            "ignored",
                                                            "skipped",
                                                            "absent",
                                                            "present",
                                                            "string",
                                                            "optional",
                                                            "default",
                                                            "authentication",
                                                            "authorization",
                                                            "bearer",
                                                            "basic",
                                                            "digest",
                                                            "negotiate",
                                                            "cannot be",
                                                            "set",
                                                            "unsupported",
                                                            "malformed",
                                                            "loaded",
                                                            "created",
                                                            "deleted",
                                                            "resolved",
                                                            "got",
                                                            "expected",
                                                            "too"};
    while (!value.empty() && (value.back() == '.' || value.back() == ',' || value.back() == '!' || value.back() == ':'))
        value.remove_suffix(1);
    if (value.empty() || isMask(value))
        return true;
    if (value.size() <= 14) {
        char buffer[16];
        std::transform(value.begin(), value.end(), buffer, lower);
        if (in(words, std::string_view(buffer, value.size())))
            return true;
    }
    const char first = value.front();
    if (std::all_of(value.begin(), value.end(), [&](char c) { return c == first; }) &&
        (first == '*' || first == 'x' || first == 'X' || first == '.' || first == '-'))
        return true;
    if (value.size() > 3 && first == '$' && (value[1] == '{' || value[1] == '('))
        return value.back() == (value[1] == '{' ? '}' : ')') && value.find_first_of(" :?") == std::string_view::npos;
    if (value.size() > 1 && first == '$')
        return std::all_of(value.begin() + 1, value.end(), [](char c) { return isUpper(c) || isDigit(c) || c == '_'; });
    if (value.size() > 4 && value.substr(0, 2) == "{{" && value.substr(value.size() - 2) == "}}")
        return true;
    return value.size() > 2 && first == '<' && value.back() == '>' &&
           std::all_of(value.begin() + 1, value.end() - 1,
                       [](char c) { return isLower(c) || isUpper(c) || c == ' ' || c == '-' || c == '_'; });
}

bool isSecretValue(std::string_view key, Sensitivity sensitivity, std::string_view value) {
    if (sensitivity == Sensitivity::No || isHarmless(value))
        return false;
    // PWD is a shell's working directory.
    if (value.front() == '/' && key.size() >= 3 && equalsIgnoringCase(key.substr(key.size() - 3), "pwd"))
        return false;
    if (sensitivity == Sensitivity::Strong)
        return true;
    return looksRandom(value);
}

std::optional<std::string> decodeBase64(std::string_view text) {
    while (!text.empty() && text.back() == '=')
        text.remove_suffix(1);
    if (text.size() % 4 == 1)
        return std::nullopt;
    std::string out;
    out.reserve(text.size() * 3 / 4);
    std::uint32_t bits = 0;
    int count = 0;
    for (const char c : text) {
        std::uint32_t v = 0;
        if (isUpper(c))
            v = static_cast<std::uint32_t>(c - 'A');
        else if (isLower(c))
            v = static_cast<std::uint32_t>(c - 'a') + 26;
        else if (isDigit(c))
            v = static_cast<std::uint32_t>(c - '0') + 52;
        else if (c == '+' || c == '-')
            v = 62;
        else if (c == '/' || c == '_')
            v = 63;
        else
            return std::nullopt;
        bits = (bits << 6U) | v;
        count += 6;
        if (count >= 8) {
            count -= 8;
            out += static_cast<char>((bits >> static_cast<unsigned>(count)) & 0xffU);
        }
    }
    return out;
}

std::string encodeBase64(std::string_view bytes) {
    static constexpr char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string out;
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        const std::size_t n = std::min<std::size_t>(3, bytes.size() - i);
        std::uint32_t bits = 0;
        for (std::size_t j = 0; j < 3; ++j)
            bits = (bits << 8U) | (j < n ? static_cast<unsigned char>(bytes[i + j]) : 0U);
        for (std::size_t j = 0; j < 4; ++j)
            out += j <= n ? alphabet[(bits >> (18U - 6U * j)) & 63U] : '=';
    }
    return out;
}

} // namespace alidade::guard::redaction
