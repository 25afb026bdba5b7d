// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>

#include "redaction/scan.hpp"

namespace alidade::guard::redaction {

namespace {
constexpr std::string_view beginMark = "-----BEGIN ";
constexpr std::string_view endMark = "-----END ";
constexpr std::size_t maxPem = 32UL * 1024;

/// Breaks between the words of a key: blanks, and line ends written as characters ("\\n", "\\\\n").
std::size_t skipBreaks(std::string_view text, std::size_t at) noexcept {
    while (at < text.size()) {
        if (isBlank(text[at])) {
            ++at;
        } else if (text[at] == '\\') {
            std::size_t i = at;
            while (i < text.size() && text[i] == '\\')
                ++i;
            if (i >= text.size() || (text[i] != 'n' && text[i] != 'r'))
                return at;
            at = i + 1;
        } else {
            return at;
        }
    }
    return at;
}
std::size_t base64End(std::string_view text, std::size_t at) noexcept {
    while (at < text.size() && (isBase64(text[at]) || text[at] == '='))
        ++at;
    return at;
}
/// The dashes that close a mark's label.
std::size_t markAfter(std::string_view text, std::size_t at) noexcept {
    const std::size_t found = text.substr(at, 72).find("-----");
    return found == std::string_view::npos ? found : at + found;
}
bool isBody(std::string_view run, std::size_t least) noexcept {
    return run.size() >= least && (run.size() >= 40 || std::any_of(run.begin(), run.end(), [](char c) {
                                       return isUpper(c) || isDigit(c) || c == '=' || c == '+';
                                   }));
}

/// Without an END line: the words of base64 that follow, each at the end of its line (which may begin with a log
/// prefix), or parted by blanks or written line ends.
std::size_t bodyEnd(std::string_view text, std::size_t at) noexcept {
    std::size_t end = at;
    for (;;) {
        const std::size_t begin = skipBreaks(text, end);
        const std::size_t stop = base64End(text, begin);
        const std::string_view run = text.substr(begin, stop - begin);
        const bool last = stop >= text.size();
        const bool breaks = last || skipBreaks(text, stop) > stop || text[stop] == '"' || text[stop] == '\'';
        if (!run.empty() && breaks &&
            (isBody(run, 12) || (end > at && last) ||
             (end > at && isBody(run, 4) && run.size() % 4 == 0 && text[begin - 1] != ' '))) {
            end = stop;
            if (last)
                return end;
            continue;
        }
        // A log prefix: the key's part is the last word of the line.
        if (begin == 0 || begin > text.size() || text[begin - 1] != '\n')
            return end;
        const std::size_t newline = std::min(text.find('\n', begin), text.size());
        std::size_t word = newline;
        while (word > begin && (isBase64(text[word - 1]) || text[word - 1] == '='))
            --word;
        if (word == begin || !isBlank(text[word - 1]) || !isBody(text.substr(word, newline - word), 4))
            return end;
        const std::string_view part = text.substr(word, newline - word);
        const bool inside = end > at; // the last line of a key is short
        if (part.size() < (inside ? 16U : 24U) && !(inside && (part.back() == '=' || newline >= text.size())))
            return end;
        end = newline;
    }
}

/// Backwards from an END line whose BEGIN is not in sight.
std::size_t bodyBegin(std::string_view text, std::size_t at) noexcept {
    std::size_t begin = at;
    for (;;) {
        std::size_t stop = begin;
        while (stop > 0) {
            if (isBlank(text[stop - 1])) {
                --stop;
            } else if (stop > 1 && (text[stop - 1] == 'n' || text[stop - 1] == 'r') && text[stop - 2] == '\\') {
                stop -= 2;
                while (stop > 0 && text[stop - 1] == '\\')
                    --stop;
            } else {
                break;
            }
        }
        std::size_t word = stop;
        while (word > 0 && (isBase64(text[word - 1]) || text[word - 1] == '=') && at - word < maxPem)
            --word;
        // "\\nMIIB": the n belongs to the written line end.
        if (word > 0 && word < stop && text[word - 1] == '\\' && (text[word] == 'n' || text[word] == 'r'))
            ++word;
        const std::string_view run = text.substr(word, stop - word);
        const bool first = word == 0;
        if (run.empty() || !(isBody(run, 12) || first || (begin == at && isBody(run, 4)))) {
            // Behind a log prefix each line still ends in base64.
            std::size_t line = stop;
            while (line > 0 && stop - line < 256 && text[line - 1] != '\n')
                --line;
            line = line == 0 || text[line - 1] != '\n' ? std::string_view::npos : line - 1;
            if (begin == at && line != std::string_view::npos &&
                text.substr(line, at - line).find(endMark) == std::string_view::npos && stop > line + 1) {
                begin = line + 1;
                continue;
            }
            return begin;
        }
        begin = word;
        if (first)
            return begin;
        // Take the log prefix of this line with it, so that the search goes on in the line above.
        std::size_t line = word;
        while (line > 0 && word - line < 256 && text[line - 1] != '\n')
            --line;
        if (line < word && (line == 0 || text[line - 1] == '\n') && isBlank(text[word - 1]))
            begin = line;
        if (begin == 0)
            return begin;
    }
}
} // namespace

void scanPem(std::string_view text, Spans& out) {
    std::size_t from = 0;
    Spans found;
    std::size_t end = 0, next = 0; // of the marks behind `head`; kept, so that each is looked for once
    for (std::size_t at = text.find(beginMark); at != std::string_view::npos; at = text.find(beginMark, at + 1)) {
        if (at < from)
            continue;
        const std::size_t label = at + beginMark.size();
        const std::size_t dashes = markAfter(text, label);
        const std::size_t head = dashes == std::string_view::npos ? std::min(text.size(), label + 64) : dashes + 5;
        const std::string_view name = text.substr(label, std::min(head, text.size()) - label);
        if (name.find("PRIVATE KEY") == std::string_view::npos)
            continue;
        if (end < head)
            end = text.find(endMark, head);
        if (next < head)
            next = text.find(beginMark, head);
        std::size_t stop = 0;
        if (end != std::string_view::npos && end - at <= maxPem && (next == std::string_view::npos || end < next)) {
            const std::size_t tail = markAfter(text, end + endMark.size());
            stop = tail == std::string_view::npos ? std::min(text.find('\n', end), text.size()) : tail + 5;
        } else {
            stop = bodyEnd(text, head);
        }
        found.push_back({at, stop, "private-key"});
        from = stop;
    }
    std::size_t covered = 0;
    const std::size_t whole = found.size();
    for (std::size_t at = text.find(endMark); at != std::string_view::npos; at = text.find(endMark, at + 1)) {
        const std::size_t tail = markAfter(text, at + endMark.size());
        const std::size_t stop = tail == std::string_view::npos ? std::min(text.find('\n', at), text.size()) : tail + 5;
        if (text.substr(at, stop - at).find("PRIVATE KEY") == std::string_view::npos)
            continue;
        while (covered < whole && found[covered].end <= at)
            ++covered;
        if (covered < whole && found[covered].begin <= at)
            continue;
        found.push_back({bodyBegin(text, at), stop, "private-key"});
    }
    out.insert(out.end(), found.begin(), found.end());
}

namespace {
struct Prefix {
    std::string_view text;
    std::size_t least; ///< characters that must follow
    const char* rule;
};
constexpr std::array<Prefix, 52> prefixes{{{"AKIA", 16, "aws-key-id"},
                                           {"ASIA", 16, "aws-key-id"},
                                           {"ABIA", 16, "aws-key-id"},
                                           {"ACCA", 16, "aws-key-id"},
                                           {"ghp_", 20, "github-token"},
                                           {"gho_", 20, "github-token"},
                                           {"ghu_", 20, "github-token"},
                                           {"ghs_", 20, "github-token"},
                                           {"ghr_", 20, "github-token"},
                                           {"github_pat_", 20, "github-token"},
                                           {"glpat-", 16, "gitlab-token"},
                                           {"gldt-", 16, "gitlab-token"},
                                           {"glrt-", 16, "gitlab-token"},
                                           {"glptt-", 16, "gitlab-token"},
                                           {"glcbt-", 16, "gitlab-token"},
                                           {"xoxb-", 16, "slack-token"},
                                           {"xoxp-", 16, "slack-token"},
                                           {"xoxa-", 16, "slack-token"},
                                           {"xoxr-", 16, "slack-token"},
                                           {"xoxs-", 16, "slack-token"},
                                           {"xapp-", 16, "slack-token"},
                                           {"sk_live_", 16, "stripe-key"},
                                           {"sk_test_", 16, "stripe-key"},
                                           {"rk_live_", 16, "stripe-key"},
                                           {"rk_test_", 16, "stripe-key"},
                                           {"whsec_", 16, "stripe-key"},
                                           {"sk-ant-", 16, "api-key"},
                                           {"sk-proj-", 16, "api-key"},
                                           {"sk-", 32, "api-key"},
                                           {"AIza", 30, "google-key"},
                                           {"ya29.", 16, "google-token"},
                                           {"GOCSPX-", 16, "google-key"},
                                           {"npm_", 30, "npm-token"},
                                           {"pypi-AgE", 16, "pypi-token"},
                                           {"dckr_pat_", 16, "docker-token"},
                                           {"hvs.", 20, "vault-token"},
                                           {"hvb.", 20, "vault-token"},
                                           {"SG.", 30, "sendgrid-key"},
                                           {"AGE-SECRET-KEY-1", 16, "age-key"},
                                           {"shpat_", 16, "shopify-token"},
                                           {"shpss_", 16, "shopify-token"},
                                           {"dop_v1_", 16, "digitalocean-token"},
                                           {"hf_", 30, "huggingface-token"},
                                           {"lin_api_", 16, "linear-key"},
                                           {"sntrys_", 16, "sentry-token"},
                                           {"NRAK-", 16, "newrelic-key"},
                                           {"ATATT3", 20, "atlassian-token"},
                                           {"EAACEdEose0cBA", 8, "facebook-token"},
                                           {"sq0csp-", 16, "square-key"},
                                           {"PMAK-", 16, "postman-key"},
                                           {"glsa_", 16, "grafana-token"},
                                           {"tskey-", 16, "tailscale-key"}}};

bool isTokenChar(char c) noexcept {
    return isAlnum(c) || c == '_' || c == '-' || c == '.';
}

bool prefixedAt(std::string_view text, std::size_t at, std::size_t end, Spans& out) {
    const std::string_view run = text.substr(at, end - at);
    for (const Prefix& p : prefixes) {
        if (run.size() < p.text.size() + p.least || run.substr(0, p.text.size()) != p.text)
            continue;
        if (p.rule == std::string_view("aws-key-id")) {
            if (run.size() != 20 ||
                !std::all_of(run.begin(), run.end(), [](char c) { return isUpper(c) || isDigit(c); }))
                continue;
        } else if (std::none_of(run.begin() + static_cast<std::ptrdiff_t>(p.text.size()), run.end(),
                                [](char c) { return isDigit(c) || isUpper(c); })) {
            continue; // "sk-some-name-in-kebab-case"
        }
        out.push_back({at, end, p.rule, true});
        return true;
    }
    return false;
}

/// eyJ... . ... [. ...]: JOSE, compact form.
bool jwtAt(std::string_view text, std::size_t at, std::size_t end, Spans& out) {
    const std::string_view run = text.substr(at, end - at);
    if (run.substr(0, 3) != "eyJ")
        return false;
    const std::size_t dot = run.find('.');
    if (dot == std::string_view::npos || dot < 10 || run.size() - dot < 8)
        return false;
    out.push_back({at, end, "jwt", true});
    return true;
}

/// crypt(3) and htpasswd hashes.
void hashAt(std::string_view text, std::size_t dollar, Spans& out) {
    static constexpr std::array<std::string_view, 12> kinds{"$apr1$", "$1$", "$5$", "$6$",     "$2a$",     "$2b$",
                                                            "$2y$",   "$2$", "$y$", "$argon2", "$scrypt$", "$pbkdf2"};
    const std::string_view rest = text.substr(dollar, 96);
    if (std::none_of(kinds.begin(), kinds.end(), [&](std::string_view k) { return rest.substr(0, k.size()) == k; }))
        return;
    std::size_t end = dollar;
    while (end < text.size() &&
           (isAlnum(text[end]) || std::string_view("$./=,+-").find(text[end]) != std::string_view::npos))
        ++end;
    while (end > dollar && (text[end - 1] == '.' || text[end - 1] == ','))
        --end;
    if (end - dollar >= 20)
        out.push_back({dollar, end, "password-hash"});
}

bool isText(std::string_view bytes) noexcept {
    return !bytes.empty() && std::all_of(bytes.begin(), bytes.end(), [](char c) {
        const auto u = static_cast<unsigned char>(c);
        return (u >= 0x20 && u < 0x7f) || u == '\n' || u == '\r' || u == '\t';
    });
}
bool isUserPassword(std::string_view text) noexcept {
    const std::size_t colon = text.find(':');
    if (colon == std::string_view::npos || colon == 0 || text.size() - colon < 4)
        return false;
    if (std::any_of(text.begin(), text.end(), isBlank))
        return false;
    const std::string_view password = text.substr(colon + 1);
    if (std::all_of(password.begin(), password.end(), isDigit) || password.substr(0, 2) == "//")
        return false;
    return std::all_of(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(colon), [](char c) {
        return isAlnum(c) || c == '-' || c == '_' || c == '.' || c == '@' || c == '$' || c == '+';
    });
}

/// base64 of anything that would be masked in the clear.
void encodedAt(std::string_view text, std::size_t at, std::size_t end, Spans& out, int depth) {
    const std::string_view run = text.substr(at, end - at);
    if (run.size() >= 40 && (run.substr(0, 5) == "H4sIA" || run.substr(0, 8) == "SDRzSUFB")) {
        out.push_back({at, end, "helm-release"});
        return;
    }
    if (depth >= 2 || run.size() < 12)
        return;
    // The first byte of text is a line end (C) or printable (I to f): a quick look spares most of the decoding.
    const char first = run.front();
    if (!(first == 'C' || (first >= 'I' && first <= 'Z') || (first >= 'a' && first <= 'f')))
        return;
    const std::optional<std::string> head = decodeBase64(run.substr(0, std::min<std::size_t>(16, run.size() / 4 * 4)));
    if (!head || !isText(*head))
        return;
    std::optional<std::string> whole = decodeBase64(run);
    if (!whole && run.size() % 4 == 1)
        whole = decodeBase64(run.substr(0, run.size() - 1));
    if (!whole || !isText(*whole))
        return;
    Spans inner;
    scanSecrets(*whole, inner, depth + 1);
    if (!inner.empty() || isUserPassword(*whole))
        out.push_back({at, end, "base64"});
}
} // namespace

void scanTokens(std::string_view text, Spans& out, int depth) {
    for (std::size_t i = 0; i < text.size();) {
        const char c = text[i];
        if (c == '$') {
            hashAt(text, i, out);
            ++i;
            continue;
        }
        if (c == '{' && text.compare(i, 5, "{SHA}") == 0) {
            const std::size_t end = base64End(text, i + 5);
            if (end - i >= 25)
                out.push_back({i, end, "password-hash"});
            i += 5;
            continue;
        }
        if (!isAlnum(c)) {
            ++i;
            continue;
        }
        // "\\nMIIB": the n is of a written line end.
        if (i > 0 && text[i - 1] == '\\' && (c == 'n' || c == 'r' || c == 't') && i + 1 < text.size() &&
            isAlnum(text[i + 1])) {
            ++i;
            continue;
        }
        std::size_t token = i, base = i;
        while (token < text.size() && isTokenChar(text[token]))
            ++token;
        while (base < text.size() && (isBase64(text[base]) || text[base] == '-' || text[base] == '_'))
            ++base;
        std::size_t padded = base;
        while (padded < text.size() && text[padded] == '=' && padded - base < 2)
            ++padded;
        std::size_t stop = token;
        while (stop > i && (text[stop - 1] == '.' || text[stop - 1] == '-'))
            --stop;
        if (!(stop - i >= 12 && (jwtAt(text, i, stop, out) || prefixedAt(text, i, stop, out)))) {
            // Two words that a '_' or '-' joins may hide a prefix: "key_AKIA...".
            if (padded - i >= 12)
                encodedAt(text, i, padded, out, depth);
        }
        i = std::max({token, padded, i + 1});
    }
}

namespace {
/// The braces of a JSON object that opens at `at`; strings inside may be escaped to any depth.
std::size_t closingBrace(std::string_view text, std::size_t at) noexcept {
    int depth = 0;
    for (std::size_t i = at; i < text.size() && i - at < 1024UL * 1024; ++i) {
        if (text[i] == '{')
            ++depth;
        if (text[i] == '}' && --depth == 0)
            return i;
    }
    return text.size();
}
bool namesSecret(std::string_view text) noexcept {
    for (std::size_t at = text.find("kind"); at != std::string_view::npos; at = text.find("kind", at + 4)) {
        std::size_t i = at + 4;
        while (i < text.size() && i - at < 24 &&
               (text[i] == '"' || text[i] == '\\' || text[i] == ' ' || text[i] == ':' || text[i] == '\''))
            ++i;
        if (text.compare(i, 6, "Secret") == 0 &&
            (i + 6 >= text.size() || !isWord(text[i + 6]) || text.compare(i, 10, "SecretList") == 0))
            return true;
    }
    return false;
}

void jsonData(std::string_view text, Spans& out) {
    for (const std::string_view word : {"data", "stringData"}) {
        for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + word.size())) {
            if (at == 0 || (text[at - 1] != '"'))
                continue;
            std::size_t i = at + word.size();
            while (i < text.size() && (text[i] == '"' || text[i] == '\\' || text[i] == ':' || isBlank(text[i])) &&
                   i - at < 64)
                ++i;
            if (i >= text.size() || text[i] != '{')
                continue;
            const std::size_t end = closingBrace(text, i);
            // Every string that follows a colon.
            for (std::size_t p = i + 1; p < end; ++p) {
                if (text[p] != ':')
                    continue;
                std::size_t v = p + 1;
                while (v < end && isBlank(text[v]))
                    ++v;
                std::size_t slashes = 0;
                while (v < end && text[v] == '\\')
                    ++v, ++slashes;
                if (v >= end || text[v] != '"')
                    continue;
                std::size_t stop = v + 1;
                while (stop < end && text[stop] != '"')
                    ++stop;
                std::size_t valueEnd = stop;
                while (valueEnd > v + 1 && text[valueEnd - 1] == '\\' && stop - valueEnd < slashes)
                    --valueEnd;
                if (valueEnd > v + 1 && !isMask(text.substr(v + 1, valueEnd - v - 1)))
                    out.push_back({v + 1, valueEnd, "secret-data", true});
                p = stop;
            }
            at = std::min(end, text.size() - word.size());
        }
    }
}

struct Line {
    std::size_t begin = 0;
    std::size_t end = 0;
    std::size_t indent = 0; ///< of the key, after "- "
    bool item = false;
};
void yamlData(std::string_view text, Spans& out) {
    std::vector<Line> lines;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        Line line{begin, end, 0, false};
        std::size_t i = begin;
        while (i < end && text[i] == ' ')
            ++i;
        if (i + 1 < end && text[i] == '-' && text[i + 1] == ' ') {
            line.item = true;
            i += 2;
            while (i < end && text[i] == ' ')
                ++i;
        }
        line.indent = i - begin;
        lines.push_back(line);
        begin = end + 1;
    }
    const auto key = [&](const Line& l) { return text.substr(l.begin + l.indent, l.end - l.begin - l.indent); };
    const auto blank = [&](const Line& l) { return l.begin + l.indent >= l.end; };
    const auto isDoc = [&](const Line& l) { return text.substr(l.begin, l.end - l.begin).substr(0, 3) == "---"; };
    std::size_t budget = 2'000'000; // lines looked at, whatever the text
    for (std::size_t n = 0; n < lines.size(); ++n) {
        const std::string_view k = key(lines[n]);
        if (k != "data:" && k != "stringData:")
            continue;
        const std::size_t indent = lines[n].indent;
        bool secret = false;
        const auto check = [&](std::size_t m) {
            if (lines[m].indent == indent && key(lines[m]).substr(0, 5) == "kind:")
                secret = key(lines[m]).find("Secret") != std::string_view::npos;
        };
        // The mapping that holds this key: back to its first line, which may be a list item's, and forth to its end.
        for (std::size_t m = n; !(lines[m].item && lines[m].indent == indent) && m > 0 && budget > 0;) {
            --m;
            --budget;
            if (isDoc(lines[m]) || (!blank(lines[m]) && lines[m].indent < indent))
                break;
            check(m);
        }
        for (std::size_t m = n + 1; m < lines.size() && !secret && budget > 0; ++m, --budget) {
            if (isDoc(lines[m]) ||
                (!blank(lines[m]) && (lines[m].indent < indent || (lines[m].item && lines[m].indent == indent))))
                break;
            check(m);
        }
        if (!secret)
            continue;
        for (std::size_t m = n + 1; m < lines.size() && (blank(lines[m]) || lines[m].indent > indent); ++m) {
            if (blank(lines[m]))
                continue;
            const std::string_view entry = key(lines[m]);
            const std::size_t colon = entry.find(": ");
            const bool continued = colon == std::string_view::npos; // a block scalar's line
            if (continued && entry.back() == ':')
                continue;
            std::size_t begin = lines[m].begin + lines[m].indent + (continued ? 0 : colon + 2);
            std::size_t end = lines[m].end;
            while (begin < end && (text[begin] == ' ' || text[begin] == '"' || text[begin] == '\''))
                ++begin;
            while (end > begin && (isBlank(text[end - 1]) || text[end - 1] == '"' || text[end - 1] == '\''))
                --end;
            const std::string_view value = text.substr(begin, end - begin);
            if (value.empty() || value == "|" || value == "|-" || value == ">" || value == ">-" || isMask(value))
                continue;
            out.push_back({begin, end, "secret-data", true});
        }
    }
}
} // namespace

void scanManifests(std::string_view text, Spans& out) {
    if (text.find("Secret") == std::string_view::npos || text.find("ata") == std::string_view::npos ||
        !namesSecret(text))
        return;
    if (text.find("data\"") != std::string_view::npos || text.find("data\\") != std::string_view::npos ||
        text.find("Data\"") != std::string_view::npos || text.find("Data\\") != std::string_view::npos)
        jsonData(text, out);
    if (text.find("ata:\n") != std::string_view::npos)
        yamlData(text, out);
}

void scanSecrets(std::string_view text, Spans& out, int depth) {
    scanPem(text, out);
    scanManifests(text, out);
    scanUrls(text, out);
    scanTokens(text, out, depth);
    scanPairs(text, out);
    scanCommands(text, out);
}

} // namespace alidade::guard::redaction
