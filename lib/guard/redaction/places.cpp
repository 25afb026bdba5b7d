// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>

#include "redaction/scan.hpp"

namespace alidade::guard::redaction {

namespace {
bool endsUrl(char c) noexcept {
    return isBlank(c) || c == '"' || c == '\'' || c == '`' || c == '<' || c == '>';
}

/// user:password@host after "scheme://", at `at`. Passwords with an unescaped '/' occur in the wild.
void userinfoAt(std::string_view text, std::size_t at, Spans& out) {
    std::size_t stop = at, slash = std::string_view::npos;
    while (stop < text.size() && stop - at < 512 && !endsUrl(text[stop]) && text.compare(stop, 3, "://") != 0) {
        if (slash == std::string_view::npos && (text[stop] == '/' || text[stop] == '?' || text[stop] == '#'))
            slash = stop;
        ++stop;
    }
    const std::string_view whole = text.substr(at, stop - at);
    const std::string_view authority = slash == std::string_view::npos ? whole : text.substr(at, slash - at);
    std::size_t sign = authority.rfind('@');
    const std::size_t colon = whole.find(':');
    if (sign == std::string_view::npos) {
        // Only a password can follow the colon when it is no port and an '@' comes later.
        if (colon == std::string_view::npos || colon >= authority.size())
            return;
        const std::string_view port = authority.substr(colon + 1);
        if (port.empty() || std::all_of(port.begin(), port.end(), isDigit))
            return;
        sign = whole.rfind('@');
        if (sign == std::string_view::npos)
            return;
    }
    if (colon != std::string_view::npos && colon < sign) {
        const std::string_view password = text.substr(at + colon + 1, sign - colon - 1);
        if (!isHarmless(password))
            out.push_back({at + colon + 1, at + sign, "url-password", true});
    } else if (sign >= 16 && looksRandom(text.substr(at, sign))) {
        out.push_back({at, at + sign, "url-token", true});
    }
}

/// "user:password@tcp(host)" of Go's MySQL driver, "user/password@" of an Oracle address; `sign` is the '@'.
void passwordBefore(std::string_view text, std::size_t sign, char separator, Spans& out) {
    std::size_t begin = sign;
    while (begin > 0 && sign - begin < 256 && !endsUrl(text[begin - 1]) && text[begin - 1] != separator)
        --begin;
    if (begin == 0 || begin == sign || text[begin - 1] != separator)
        return;
    if (!isHarmless(text.substr(begin, sign - begin)))
        out.push_back({begin, sign, "url-password", true});
}

struct Client {
    std::string_view program;
    std::string_view flags; ///< one-letter flags whose argument is a password
};
constexpr std::array<Client, 17> clients{{{"mysql", "p"},
                                          {"mysqldump", "p"},
                                          {"mysqladmin", "p"},
                                          {"mariadb", "p"},
                                          {"mongo", "p"},
                                          {"mongosh", "p"},
                                          {"mongodump", "p"},
                                          {"mongorestore", "p"},
                                          {"redis-cli", "a"},
                                          {"sshpass", "p"},
                                          {"ldapsearch", "w"},
                                          {"ldapmodify", "w"},
                                          {"sqlcmd", "P"},
                                          {"bcp", "P"},
                                          {"cqlsh", "p"},
                                          {"clickhouse", "p"},
                                          {"influx", "p"}}};
/// With these, -p is a password only after "login".
constexpr std::array<std::string_view, 6> registries{"docker", "podman", "helm", "skopeo", "buildah", "nerdctl"};

std::string_view baseName(std::string_view program) noexcept {
    const std::size_t slash = program.rfind('/');
    return slash == std::string_view::npos ? program : program.substr(slash + 1);
}
bool isHttpClient(std::string_view program) noexcept {
    return program == "curl" || program == "wget" || program == "http";
}

bool isRegistryClient(std::string_view program) noexcept {
    return std::find(registries.begin(), registries.end(), program) != registries.end();
}
bool isClient(std::string_view program) noexcept {
    return isHttpClient(program) || isRegistryClient(program) ||
           std::any_of(clients.begin(), clients.end(), [&](const Client& c) { return c.program == program; });
}

/// A command in a line: words from a known program on. Returns where it ends.
std::size_t commandAt(std::string_view text, std::size_t begin, std::string_view program, Spans& out) {
    std::size_t i = begin;
    const std::size_t limit = std::min(text.size(), begin + 4096);
    bool login = false;
    const auto skip = [&] {
        while (i < limit && (text[i] == ' ' || text[i] == '\t' || text[i] == '"' || text[i] == '\'' || text[i] == ',' ||
                             text[i] == '\\'))
            ++i;
    };
    const auto wordEnd = [&](std::size_t at) {
        while (at < limit && !isBlank(text[at]) && std::string_view("\"'|;&").find(text[at]) == std::string_view::npos)
            ++at;
        return at;
    };
    while (i < limit && text[i] != '\n' && text[i] != '|' && text[i] != ';' && text[i] != '&') {
        skip();
        const std::size_t end = wordEnd(i);
        if (end == i)
            break;
        const std::string_view word = text.substr(i, end - i);
        i = end;
        if (isClient(baseName(word))) {
            program = baseName(word);
            login = false;
        } else if (word == "login") {
            login = true;
        } else if (isHttpClient(program) &&
                   (word == "-u" || word == "--user" || word == "-U" || word == "--proxy-user")) {
            skip();
            const std::size_t stop = wordEnd(i);
            const std::size_t colon = text.substr(i, stop - i).find(':');
            if (colon != std::string_view::npos && i + colon + 1 < stop &&
                !isHarmless(text.substr(i + colon + 1, stop - i - colon - 1)))
                out.push_back({i + colon + 1, stop, "basic-auth", true});
            i = stop;
        } else if (isPasswordFlag(program, word) || (word == "-p" && login && isRegistryClient(program))) {
            skip();
            const std::size_t stop = wordEnd(i);
            if (stop > i && text[i] != '-' && !isHarmless(text.substr(i, stop - i)))
                out.push_back({i, stop, "argument", true});
            i = stop;
        } else if (word.size() > 4 && word.substr(0, 2) == "-p" && isPasswordFlag(program, "-p")) {
            // mysql takes the password without a blank.
            if (!isHarmless(word.substr(2)))
                out.push_back({end - word.size() + 2, end, "argument", true});
        }
    }
    return i;
}
} // namespace

bool isPasswordFlag(std::string_view program, std::string_view flag) noexcept {
    if (flag.size() != 2 || flag[0] != '-')
        return false;
    program = baseName(program);
    return std::any_of(clients.begin(), clients.end(), [&](const Client& c) {
        return c.program == program && c.flags.find(flag[1]) != std::string_view::npos;
    });
}

void scanUrls(std::string_view text, Spans& out) {
    for (std::size_t at = text.find("://"); at != std::string_view::npos; at = text.find("://", at + 3))
        userinfoAt(text, at + 3, out);
    for (const std::string_view driver : {"@tcp(", "@unix(", "@tcp6("})
        for (std::size_t at = text.find(driver); at != std::string_view::npos; at = text.find(driver, at + 1))
            passwordBefore(text, at, ':', out);
    for (std::size_t at = text.find("jdbc:oracle:"); at != std::string_view::npos;
         at = text.find("jdbc:oracle:", at + 1)) {
        const std::size_t sign = text.find('@', at);
        if (sign != std::string_view::npos && sign - at < 256 &&
            text.substr(at, sign - at).find('/') != std::string_view::npos)
            passwordBefore(text, sign, '/', out);
    }
    // Webhook addresses are credentials by themselves.
    for (const std::string_view hook :
         {"hooks.slack.com/services/", "discord.com/api/webhooks/", "discordapp.com/api/webhooks/",
          "webhook.office.com/webhookb2/", "api.telegram.org/bot"})
        for (std::size_t at = text.find(hook); at != std::string_view::npos; at = text.find(hook, at + 1)) {
            std::size_t end = at + hook.size();
            while (end < text.size() && !endsUrl(text[end]) && text[end] != '\\')
                ++end;
            if (end > at + hook.size() + 8)
                out.push_back({at + hook.size(), end, "webhook"});
        }
}

void scanCommands(std::string_view text, Spans& out) {
    // Only lines with a flag of one letter are looked at: " -p", "\"-p".
    for (std::size_t dash = text.find('-'); dash != std::string_view::npos; dash = text.find('-', dash + 1)) {
        if (dash == 0 || dash + 1 >= text.size() ||
            (text[dash - 1] != ' ' && text[dash - 1] != '"' && text[dash - 1] != '\''))
            continue;
        if (std::string_view("paPwuU-").find(text[dash + 1]) == std::string_view::npos)
            continue;
        std::size_t begin = dash;
        while (begin > 0 && dash - begin < 1024 && text[begin - 1] != '\n')
            --begin;
        const std::size_t newline = std::min(text.find('\n', dash), text.size());
        for (std::size_t i = begin; i < newline;) {
            if (!isLower(text[i])) {
                ++i;
                continue;
            }
            std::size_t end = i;
            while (end < newline && (isLower(text[end]) || text[end] == '-'))
                ++end;
            const std::string_view word = text.substr(i, end - i);
            const bool whole = (i == 0 || !isWord(text[i - 1])) && (end >= text.size() || !isAlnum(text[end]));
            i = whole && isClient(word) ? std::max(end, commandAt(text, end, word, out)) : end;
        }
        if (newline >= text.size())
            break;
        dash = newline;
    }
}

namespace {
struct IPv4 {
    std::array<int, 4> part{};
    std::size_t end = 0;
};
std::optional<IPv4> ipv4At(std::string_view text, std::size_t at) noexcept {
    IPv4 ip;
    std::size_t i = at;
    for (int p = 0; p < 4; ++p) {
        if (p > 0) {
            if (i >= text.size() || text[i] != '.')
                return std::nullopt;
            ++i;
        }
        const std::size_t begin = i;
        int value = 0;
        while (i < text.size() && isDigit(text[i]) && i - begin < 3)
            value = value * 10 + (text[i++] - '0');
        if (i == begin || value > 255)
            return std::nullopt;
        ip.part[static_cast<std::size_t>(p)] = value;
    }
    if (i < text.size() && (isAlnum(text[i]) || (text[i] == '.' && i + 1 < text.size() && isDigit(text[i + 1]))))
        return std::nullopt;
    ip.end = i;
    return ip;
}
bool isPublic(const IPv4& ip) noexcept {
    const auto [a, b, c, d] = ip.part;
    static_cast<void>(d);
    if (a == 0 || a == 10 || a == 127 || a >= 224)
        return false;
    if ((a == 172 && b >= 16 && b <= 31) || (a == 192 && b == 168) || (a == 169 && b == 254))
        return false;
    return !(a == 100 && b >= 64 && b <= 127) && !(a == 192 && b == 0 && c == 0) && !(a == 198 && (b == 18 || b == 19));
}

bool isMailChar(char c) noexcept {
    return isAlnum(c) || c == '.' || c == '_' || c == '+' || c == '-' || c == '%';
}

void mailAt(std::string_view text, std::size_t sign, Spans& out) {
    std::size_t begin = sign, end = sign + 1;
    while (begin > 0 && sign - begin < 64 && isMailChar(text[begin - 1]))
        --begin;
    while (end < text.size() && end - sign < 254 && (isAlnum(text[end]) || text[end] == '.' || text[end] == '-'))
        ++end;
    while (end > sign + 1 && (text[end - 1] == '.' || text[end - 1] == '-'))
        --end;
    if (begin == sign || end == sign + 1 ||
        (begin > 0 && (text[begin - 1] == ':' || text[begin - 1] == '/') && begin > 1 && text[begin - 2] == '/'))
        return;
    const std::size_t window = begin > 128 ? begin - 128 : 0;
    if (begin > 0 && text[begin - 1] == ':' &&
        text.substr(window, begin - window).find("://") != std::string_view::npos)
        return;
    const std::string_view domain = text.substr(sign + 1, end - sign - 1);
    const std::string_view local = text.substr(begin, sign - begin);
    const std::size_t dot = domain.rfind('.');
    if (dot == std::string_view::npos || dot + 2 >= domain.size() || local == "git" || local == "ssh")
        return;
    const std::string_view top = domain.substr(dot + 1);
    if (!std::all_of(top.begin(), top.end(), [](char c) { return isLower(c) || isUpper(c); }))
        return;
    for (const std::string_view inside : {"svc", "local", "internal", "cluster", "service", "slice", "scope", "lan"})
        if (top == inside)
            return;
    if (domain.size() > 20 && domain.substr(domain.size() - 20) == ".gserviceaccount.com")
        return;
    if (end < text.size() &&
        (text[end] == '/' || (text[end] == ':' && end + 1 < text.size() && isDigit(text[end + 1]))))
        return;
    out.push_back({begin, end, "email"});
}

bool luhn(std::string_view digits) noexcept {
    int sum = 0;
    bool twice = false;
    for (std::size_t i = digits.size(); i-- > 0;) {
        int d = digits[i] - '0';
        if (twice && (d *= 2) > 9)
            d -= 9;
        sum += d;
        twice = !twice;
    }
    return sum % 10 == 0;
}
bool isCard(std::string_view d) noexcept {
    const int two = (d[0] - '0') * 10 + (d[1] - '0');
    const int four = two * 100 + (d[2] - '0') * 10 + (d[3] - '0');
    const bool visa = d[0] == '4' && (d.size() == 13 || d.size() == 16);
    const bool master = d.size() == 16 && ((two >= 51 && two <= 55) || (four >= 2221 && four <= 2720));
    const bool amex = d.size() == 15 && (two == 34 || two == 37);
    const bool other = d.size() == 16 && (four == 6011 || two == 65 || two == 62 || two == 35);
    return (visa || master || amex || other) && luhn(d);
}
/// Digits in groups that blanks or dashes keep apart.
std::size_t cardAt(std::string_view text, std::size_t at, Spans& out) {
    std::string digits;
    std::size_t i = at, last = at;
    while (i < text.size() && digits.size() < 20) {
        if (isDigit(text[i])) {
            digits += text[i];
            last = ++i;
        } else if ((text[i] == ' ' || text[i] == '-') && i + 1 < text.size() && isDigit(text[i + 1]) && i > at &&
                   isDigit(text[i - 1])) {
            ++i;
        } else {
            break;
        }
    }
    const bool alone = last >= text.size() || (!isWord(text[last]) && text[last] != '.' && text[last] != '-');
    if (digits.size() >= 13 && digits.size() <= 16 && alone && isCard(digits))
        out.push_back({at, last, "card"});
    std::size_t plain = at;
    while (plain < text.size() && isDigit(text[plain]))
        ++plain;
    return plain;
}
void phoneAt(std::string_view text, std::size_t plus, Spans& out) {
    std::size_t i = plus + 1, digits = 0, last = plus, groups = 1;
    while (i < text.size() && digits < 16) {
        const char c = text[i];
        if (isDigit(c)) {
            ++digits;
            last = ++i;
        } else if ((c == ' ' || c == '-' || c == '(' || c == ')' || c == '.') && i + 1 < text.size() &&
                   (isDigit(text[i + 1]) || text[i + 1] == '(')) {
            ++groups;
            ++i;
        } else {
            break;
        }
    }
    const bool alone = last >= text.size() || (!isWord(text[last]) && text[last] != ':');
    // "+0200" and "+1000000" are offsets and amounts.
    if (digits >= 9 && digits <= 15 && alone && text[plus + 1] != '0' && (groups > 1 || digits >= 10))
        out.push_back({plus, last, "phone"});
}
bool isAccessLine(std::string_view line) noexcept {
    for (const std::string_view mark :
         {"\"GET /", "\"POST /", "\"PUT /",   "\"DELETE /", "\"HEAD /", "\"PATCH /",  "\"OPTIONS /",
          "HTTP/1.", "HTTP/2",   "orwarded-", "lient_ip",   "lient-ip", "emote_addr", "eal-ip",
          "eal-Ip",  "eal-IP",   "lientIP",   "lientIp",    "sourceIP", "client="})
        if (line.find(mark) != std::string_view::npos)
            return true;
    return false;
}
} // namespace

void scanPersonal(std::string_view text, Spans& out) {
    for (std::size_t at = text.find('@'); at != std::string_view::npos; at = text.find('@', at + 1))
        mailAt(text, at, out);
    for (std::size_t i = 0; i < text.size();) {
        const bool fresh = i == 0 || (!isWord(text[i - 1]) && text[i - 1] != '.' && text[i - 1] != '-');
        if (isDigit(text[i]) && fresh) {
            i = cardAt(text, i, out);
        } else if (text[i] == '+' &&
                   (i == 0 || isBlank(text[i - 1]) || text[i - 1] == '"' || text[i - 1] == ':' || text[i - 1] == '=') &&
                   i + 1 < text.size()) {
            phoneAt(text, i++, out);
        } else {
            ++i;
        }
    }
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        const std::string_view line = text.substr(begin, end - begin);
        if (isAccessLine(line))
            for (std::size_t i = 0; i < line.size(); ++i) {
                if (!isDigit(line[i]) || (i > 0 && (isWord(line[i - 1]) || line[i - 1] == '.' || line[i - 1] == '/')))
                    continue;
                if (const auto ip = ipv4At(line, i)) {
                    if (isPublic(*ip))
                        out.push_back({begin + i, begin + ip->end, "client-address"});
                    i = ip->end - 1;
                }
            }
        begin = end + 1;
    }
}

} // namespace alidade::guard::redaction
