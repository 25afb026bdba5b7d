// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "redaction/scan.hpp"

namespace alidade::guard::redaction {

namespace {
constexpr std::size_t maxValue = 64UL * 1024;
constexpr std::size_t maxLook = 1024; // what is looked at before a value is known to be secret

bool isKeyChar(char c) noexcept {
    return isAlnum(c) || c == '_' || c == '-' || c == '.';
}

std::size_t lineEnd(std::string_view text, std::size_t at) noexcept {
    const std::size_t found = text.find('\n', at);
    return found == std::string_view::npos ? text.size() : found;
}
/// Of the line that `at` stands in, as far as 512 bytes back.
std::size_t lineStart(std::string_view text, std::size_t at) noexcept {
    const std::size_t first = at > 512 ? at - 512 : 0;
    while (at > first && text[at - 1] != '\n')
        --at;
    return at;
}
std::size_t skipBlanks(std::string_view text, std::size_t at) noexcept {
    while (at < text.size() && (text[at] == ' ' || text[at] == '\t'))
        ++at;
    return at;
}

/// A quote with its backslashes (JSON in JSON): what opened must close.
struct Quote {
    char mark = 0;
    std::size_t slashes = 0;
};
Quote quoteAt(std::string_view text, std::size_t at) noexcept {
    Quote q;
    while (at + q.slashes < text.size() && q.slashes < 16 && text[at + q.slashes] == '\\')
        ++q.slashes;
    const std::size_t mark = at + q.slashes;
    if (mark < text.size() && (text[mark] == '"' || text[mark] == '\'' || text[mark] == '`'))
        q.mark = text[mark];
    return q;
}
/// Where the value that begins at `at` ends: at the backslashes before its closing quote.
std::size_t closing(std::string_view text, std::size_t at, Quote quote) noexcept {
    const std::size_t limit = std::min(text.size(), at + maxValue);
    for (std::size_t i = at; i < limit; ++i) {
        if (text[i] != quote.mark)
            continue;
        std::size_t slashes = 0;
        while (i > at + slashes && text[i - 1 - slashes] == '\\')
            ++slashes;
        // A deeper escape is part of the value; an equal or lesser one ends it.
        if (slashes <= quote.slashes)
            return i - slashes;
    }
    return lineEnd(text, at);
}

struct Key {
    std::string_view name;
    std::size_t begin = 0; ///< of its quote or dashes, if any
    Quote quote;
};
Key keyBefore(std::string_view text, std::size_t separator, bool blanksAllowed) noexcept {
    std::size_t end = separator;
    while (blanksAllowed && end > 0 && separator - end < 3 && (text[end - 1] == ' ' || text[end - 1] == '\t'))
        --end;
    Key key;
    if (end > 0 && (text[end - 1] == '"' || text[end - 1] == '\'')) {
        key.quote.mark = text[--end];
        while (end > 0 && text[end - 1] == '\\' && key.quote.slashes < 16) {
            --end;
            ++key.quote.slashes;
        }
    }
    std::size_t begin = end;
    while (begin > 0 && end - begin < 96 && isKeyChar(text[begin - 1]))
        --begin;
    key.name = text.substr(begin, end - begin);
    key.begin = begin - (key.quote.mark != 0 && begin > key.quote.slashes ? key.quote.slashes + 1 : 0);
    while (!key.name.empty() && (key.name.front() == '-' || key.name.front() == '.'))
        key.name.remove_prefix(1);
    return key;
}

/// "api key: x": the word before a bare "key".
Sensitivity sensitivityInProse(std::string_view text, const Key& key) {
    const Sensitivity plain = sensitivityOf(key.name);
    if (plain != Sensitivity::No || !equalsIgnoringCase(key.name, "key") || key.begin < 2 || text[key.begin - 1] != ' ')
        return plain;
    std::size_t begin = key.begin - 1;
    while (begin > 0 && isAlnum(text[begin - 1]) && key.begin - begin < 24)
        --begin;
    return sensitivityOf(std::string(text.substr(begin, key.begin - 1 - begin)) + "_key");
}

/// Whether text at `at` (a ',', ';' or '&') goes on with another pair.
bool anotherPair(std::string_view text, std::size_t at) noexcept {
    std::size_t i = skipBlanks(text, at + 1);
    const std::size_t begin = i;
    while (i < text.size() && i - begin < 64 && (isKeyChar(text[i]) || (text[i] == ' ' && i > begin)))
        ++i;
    return i > begin && i < text.size() && (text[i] == '=' || text[i] == ':');
}

/// The end of an unquoted value.
std::size_t bareEnd(std::string_view text, std::size_t at, bool inQuery, std::size_t most = maxLook) noexcept {
    std::size_t i = at;
    const std::size_t limit = std::min(text.size(), at + most);
    for (; i < limit; ++i) {
        const char c = text[i];
        if (isBlank(c) || c == '"' || c == '\'' || c == '`' || c == '<')
            break;
        if (c == '\\' && i + 1 < limit &&
            (text[i + 1] == '"' || text[i + 1] == 'n' || text[i + 1] == '\'' || text[i + 1] == '\\'))
            break;
        if (inQuery && (c == '&' || c == '#'))
            break;
        if ((c == ',' || c == ';' || c == '&') && anotherPair(text, i))
            break;
    }
    while (i > at &&
           (text[i - 1] == ',' || text[i - 1] == ';' || text[i - 1] == ')' || text[i - 1] == ']' || text[i - 1] == '}'))
        --i;
    // "$(cat file)" and "${VAR}" keep their bracket, so that they are seen as references.
    if (i < limit && i > at + 1 && text[at] == '$' &&
        ((text[at + 1] == '{' && text[i] == '}') || (text[at + 1] == '(' && text[i] == ')')))
        ++i;
    return i;
}

/// A mask of an earlier pass stands here.
bool maskedAt(std::string_view text, std::size_t at) noexcept {
    const std::string_view rest = text.substr(at, 64);
    return rest.substr(0, 8) == "[masked:" && isMask(rest.substr(0, rest.find(']') + 1));
}

bool isScheme(std::string_view word) noexcept {
    for (const std::string_view s :
         {"Bearer", "Basic", "Digest", "Token", "ApiKey", "Negotiate", "NTLM", "AWS4-HMAC-SHA256", "SharedKey"})
        if (equalsIgnoringCase(word, s))
            return true;
    return false;
}

/// Value of an Authorization or Cookie header, to the end of its line or quote.
void scanHeader(std::string_view text, const Key& key, std::size_t at, std::size_t end, Spans& out) {
    const std::string_view value = text.substr(at, end - at);
    if (equalsIgnoringCase(key.name, "cookie") || equalsIgnoringCase(key.name, "set-cookie")) {
        if (value.find('=') != std::string_view::npos)
            out.push_back({at, end, "cookie"});
        return;
    }
    const std::size_t blank = value.find(' ');
    const std::string_view first = value.substr(0, blank);
    if (blank != std::string_view::npos && isScheme(first)) {
        const std::size_t from = skipBlanks(text, at + blank);
        const std::string_view rest = text.substr(from, end - from);
        const std::string_view token = rest.substr(0, rest.find(' '));
        if (token.size() >= 8 && !isHarmless(token))
            out.push_back({from, end, "authorization", true});
    } else if (looksRandom(first)) {
        out.push_back({at, at + first.size(), "authorization", true});
    }
}

bool isHeaderKey(std::string_view name) noexcept {
    for (const std::string_view s : {"authorization", "proxy-authorization", "cookie", "set-cookie"})
        if (equalsIgnoringCase(name, s))
            return true;
    return false;
}

/// Lines of a YAML block scalar below the key's line: deeper indented than the key.
std::size_t blockEnd(std::string_view text, std::size_t keyLine, std::size_t at) noexcept {
    const std::size_t indent = skipBlanks(text, keyLine) - keyLine;
    std::size_t end = lineEnd(text, at);
    while (end < text.size()) {
        const std::size_t begin = end + 1;
        const std::size_t first = skipBlanks(text, begin);
        if (first < text.size() && text[first] != '\n' && first - begin <= indent)
            break;
        end = lineEnd(text, begin);
    }
    return end;
}

void pairAt(std::string_view text, std::size_t separator, Spans& out) {
    const bool equals = text[separator] == '=';
    const Key key = keyBefore(text, separator, equals);
    if (key.name.size() < 2)
        return;
    std::size_t at = separator + 1;
    if (at < text.size() && ((equals && (text[at] == '>')) || (!equals && text[at] == '=')))
        ++at;
    if (at < text.size() && (text[at] == '=' || (!equals && text[at] == ':') || (!equals && text[at] == '/')))
        return;
    const Sensitivity sensitivity = sensitivityInProse(text, key);
    const bool sas = equals && key.begin > 0 && (text[key.begin - 1] == '?' || text[key.begin - 1] == '&');
    if (sensitivity == Sensitivity::No)
        return;
    constexpr std::string_view checksum = "checksum/"; // of a Secret, in a template's annotations
    if (key.begin >= checksum.size() && text.substr(key.begin - checksum.size(), checksum.size()) == checksum)
        return;
    at = skipBlanks(text, at);
    if (at >= text.size() || maskedAt(text, at))
        return;

    const Quote quote = quoteAt(text, at);
    if (quote.mark != 0) {
        const std::size_t begin = at + quote.slashes + 1;
        const std::size_t end = closing(text, begin, quote);
        if (isHeaderKey(key.name)) {
            scanHeader(text, key, begin, end, out);
            return;
        }
        const std::string_view value = text.substr(begin, end - begin);
        if (!value.empty() && isSecretValue(key.name, sensitivity, value))
            out.push_back({begin, end, "key", true});
        return;
    }
    if (text[at] == '{' || text[at] == '[' || text[at] == '\n' || text[at] == '\r')
        return;

    if (isHeaderKey(key.name) && !equals) {
        std::size_t end = at;
        while (end < text.size() && text[end] != '\n' && text[end] != '"' && text[end] != '\'' && text[end] != '\\')
            ++end;
        while (end > at && isBlank(text[end - 1]))
            --end;
        scanHeader(text, key, at, end, out);
        return;
    }
    const std::size_t begin = lineStart(text, key.begin);
    const std::size_t keyStart = skipBlanks(text, begin);
    const bool opensLine =
        keyStart == key.begin || (key.begin >= 2 && keyStart + 2 >= key.begin && text[keyStart] == '-');
    if (!equals && opensLine && (text[at] == '|' || text[at] == '>') &&
        text.substr(at, 4).find('\n') != std::string_view::npos) {
        const std::size_t first = lineEnd(text, at) + 1;
        const std::size_t end = blockEnd(text, begin, at);
        if (first < end)
            out.push_back({skipBlanks(text, first), end, "key"});
        return;
    }
    const std::size_t end = bareEnd(text, at, sas);
    std::string_view value = text.substr(at, end - at);
    if (value.empty() || !isSecretValue(key.name, sensitivity, value))
        return;
    if (!equals) {
        // In a message ("unexpected token: identifier") only a value that is no plain word counts; on a line of its own
        // ("password: hunter") any does, unless a sentence follows.
        const bool plain = std::all_of(value.begin(), value.end(),
                                       [](char c) { return isLower(c) || isUpper(c) || c == '-' || c == '.'; });
        const std::size_t rest = skipBlanks(text, end);
        const bool aloneOnLine =
            opensLine && (rest >= text.size() || text[rest] == '\n' || text[rest] == '#' || text[rest] == '\r');
        if (plain && !aloneOnLine && key.quote.mark == 0)
            return;
    }
    out.push_back({at, end - at < maxLook ? end : bareEnd(text, at, sas, text.size()), "key", true});
}

/// "--token x", also as neighbours in a list: "--token","x".
void flagAt(std::string_view text, std::size_t at, Spans& out) {
    std::size_t end = at;
    while (end < text.size() && isKeyChar(text[end]))
        ++end;
    const std::string_view name = text.substr(at, end - at);
    if (name.size() < 3 || end >= text.size() || text[end] == '=')
        return;
    const Sensitivity sensitivity = sensitivityOf(name);
    if (sensitivity == Sensitivity::No)
        return;
    std::size_t i = end;
    const Quote after = quoteAt(text, i);
    if (after.mark != 0) {
        i = skipBlanks(text, i + after.slashes + 1);
        if (i >= text.size() || text[i] != ',')
            return;
        i = skipBlanks(text, i + 1);
    } else if (text[i] == ' ') {
        i = skipBlanks(text, i);
    } else {
        return;
    }
    if (i >= text.size() || text[i] == '-')
        return;
    const Quote quote = quoteAt(text, i);
    const std::size_t begin = quote.mark != 0 ? i + quote.slashes + 1 : i;
    const std::size_t stop = quote.mark != 0 ? closing(text, begin, quote) : bareEnd(text, begin, false);
    const std::string_view value = text.substr(begin, stop - begin);
    if (!value.empty() && isSecretValue(name, sensitivity, value))
        out.push_back(
            {begin, stop - begin < maxLook ? stop : bareEnd(text, begin, false, text.size()), "argument", true});
}

/// "Bearer x" wherever it stands.
void bearerAt(std::string_view text, std::size_t at, Spans& out) {
    const std::size_t begin = skipBlanks(text, at);
    std::size_t end = begin;
    while (end < text.size() &&
           (isAlnum(text[end]) || std::string_view("-._~+/=").find(text[end]) != std::string_view::npos))
        ++end;
    const std::string_view token = text.substr(begin, end - begin);
    if (begin > at && looksRandom(token))
        out.push_back({begin, end, "bearer", true});
}
} // namespace

void scanPairs(std::string_view text, Spans& out) {
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        const std::size_t before = out.size();
        if ((c == '=' || c == ':') && i > 1) {
            pairAt(text, i, out);
        } else if (c == '-' && i + 4 < text.size() && text[i + 1] == '-' && isAlnum(text[i + 2]) &&
                   (i == 0 || text[i - 1] != '-')) {
            flagAt(text, i + 2, out);
        } else if ((c == 'B' || c == 'b') && i + 8 < text.size() && (i == 0 || !isWord(text[i - 1])) &&
                   equalsIgnoringCase(text.substr(i, 6), "bearer")) {
            bearerAt(text, i + 6, out);
        }
        if (out.size() > before)
            i = std::max(i, out.back().end - 1); // nothing inside a value is looked at again
    }
}

} // namespace alidade::guard::redaction
