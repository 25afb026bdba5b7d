// SPDX-License-Identifier: GPL-3.0-or-later
#include "access/proxy.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cstring>
#include <optional>
#include <utility>

#include <arpa/inet.h>

namespace alidade::cluster {
namespace {

using guard::ErrorCode;

/// An address as 16 bytes; IPv4 in its IPv6-mapped form.
using Address = std::array<unsigned char, 16>;

std::optional<Address> parseAddress(const std::string& text) {
    Address address{};
    if (in_addr v4{}; ::inet_pton(AF_INET, text.c_str(), &v4) == 1) {
        address[10] = 0xff;
        address[11] = 0xff;
        std::memcpy(address.data() + 12, &v4, 4);
        return address;
    }
    if (in6_addr v6{}; ::inet_pton(AF_INET6, text.c_str(), &v6) == 1) {
        std::memcpy(address.data(), &v6, 16);
        return address;
    }
    return std::nullopt;
}

bool isLoopback(const Address& address) {
    const Address v6{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};
    const bool v4 = address[10] == 0xff && address[11] == 0xff && address[12] == 127 &&
                    std::all_of(address.begin(), address.begin() + 10, [](unsigned char b) { return b == 0; });
    return v4 || address == v6;
}

bool inBlock(const Address& address, const std::string& block, std::string_view bitsText) {
    const auto network = parseAddress(block);
    unsigned bits = 0;
    const auto [end, error] = std::from_chars(bitsText.data(), bitsText.data() + bitsText.size(), bits);
    if (!network || error != std::errc{} || end != bitsText.data() + bitsText.size()) {
        return false;
    }
    const bool v4 = block.find(':') == std::string::npos;
    if (bits > (v4 ? 32U : 128U)) {
        return false;
    }
    bits += v4 ? 96 : 0;
    for (unsigned i = 0; i < bits; ++i) {
        const unsigned mask = 0x80U >> (i % 8);
        if ((address[i / 8] & mask) != ((*network)[i / 8] & mask)) {
            return false;
        }
    }
    return true;
}

std::string lower(std::string_view text) {
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return out;
}

std::string trimmed(std::string_view text) {
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) {
        text.remove_prefix(1);
    }
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) {
        text.remove_suffix(1);
    }
    return lower(text);
}

/// "host:port" or "[v6]:port" apart; an empty port when there is none.
std::pair<std::string, std::string> splitPort(const std::string& text) {
    if (text.starts_with('[')) {
        const std::size_t close = text.find(']');
        if (close != std::string::npos) {
            const bool port = close + 1 < text.size() && text[close + 1] == ':';
            return {text.substr(1, close - 1), port ? text.substr(close + 2) : std::string()};
        }
    }
    const std::size_t colon = text.find(':');
    if (colon == std::string::npos || text.find(':', colon + 1) != std::string::npos) {
        return {text, {}};
    }
    return {text.substr(0, colon), text.substr(colon + 1)};
}

bool matches(const std::string& entry, const std::string& host, const std::optional<Address>& address,
             const std::string& port) {
    if (const std::size_t slash = entry.find('/'); slash != std::string::npos) {
        return address && inBlock(*address, entry.substr(0, slash), std::string_view(entry).substr(slash + 1));
    }
    auto [name, entryPort] = splitPort(entry);
    if (!entryPort.empty() && entryPort != port) {
        return false;
    }
    if (const auto wanted = parseAddress(name)) {
        return address && *wanted == *address;
    }
    if (name.starts_with("*.")) {
        name.erase(0, 1);
    }
    if (name.empty()) {
        return false;
    }
    if (name.front() == '.') {
        return host.ends_with(name);
    }
    return host == name || host.ends_with("." + name);
}

std::string variable(const std::map<std::string, std::string>& environment, const char* upper, const char* lowerCase) {
    for (const char* name : {upper, lowerCase}) {
        const auto found = environment.find(name);
        if (found != environment.end() && !found->second.empty()) {
            return found->second;
        }
    }
    return {};
}

guard::Result<http::Proxy> parseProxy(std::string url, const std::string& where) {
    if (url.find("://") == std::string::npos) {
        url = "http://" + url;
    }
    const std::size_t colon = url.find("://");
    const std::string scheme = lower(url.substr(0, colon));
    std::string rest = url.substr(colon + 3);
    rest = rest.substr(0, rest.find_first_of("/?#"));
    http::Proxy proxy;
    if (scheme == "https") {
        return guard::fail(ErrorCode::Unsupported, where,
                           "a proxy reached over https:// is not supported. Use its http:// or socks5:// address.");
    }
    if (scheme == "http") {
        proxy.kind = http::Proxy::Kind::HttpConnect;
    } else if (scheme == "socks5" || scheme == "socks5h") {
        proxy.kind = http::Proxy::Kind::Socks5;
    } else {
        return guard::fail(ErrorCode::Config, where,
                           "the proxy's scheme \"" + scheme + "\" is not known. Use http:// or socks5://.");
    }
    if (const std::size_t at = rest.rfind('@'); at != std::string::npos) {
        const std::string login = rest.substr(0, at);
        rest = rest.substr(at + 1);
        const std::size_t split = login.find(':');
        const auto user = http::percentDecode(login.substr(0, split));
        const auto password = http::percentDecode(split == std::string::npos ? std::string() : login.substr(split + 1));
        if (!user || !password) {
            return guard::fail(ErrorCode::Config, where,
                               "the proxy's user name or password is not percent-encoded right");
        }
        proxy.user = *user;
        if (!password->empty()) {
            proxy.password = std::make_shared<guard::Secret<std::string>>(*password);
        }
    }
    // The http parser knows hosts and ports; the scheme does not matter to it any more.
    const auto parsed = http::parseUrl("http://" + rest);
    if (!parsed || parsed->host.empty()) {
        return guard::fail(ErrorCode::Config, where, "the proxy's address is not a URL. Write it as http://HOST:PORT.");
    }
    proxy.host = parsed->host;
    proxy.port = parsed->port;
    if (proxy.kind == http::Proxy::Kind::Socks5 && splitPort(rest).second.empty()) {
        proxy.port = 1080;
    }
    return proxy;
}

} // namespace

bool exemptFromProxy(std::string_view noProxy, const std::string& rawHost, int port) {
    std::string host = lower(rawHost);
    while (host.ends_with('.')) {
        host.pop_back();
    }
    const auto address = parseAddress(host);
    if (host == "localhost" || (address && isLoopback(*address))) {
        return true;
    }
    std::size_t from = 0;
    while (from <= noProxy.size()) {
        const std::size_t to = std::min(noProxy.find(',', from), noProxy.size());
        const std::string entry = trimmed(noProxy.substr(from, to - from));
        if (entry == "*" || (!entry.empty() && matches(entry, host, address, std::to_string(port)))) {
            return true;
        }
        from = to + 1;
    }
    return false;
}

guard::Result<http::Proxy> proxyFor(const http::Url& server, const std::string& proxyUrl,
                                    const std::map<std::string, std::string>& environment, const std::string& where) {
    if (!proxyUrl.empty()) {
        return parseProxy(proxyUrl, where + ", proxy-url");
    }
    const bool tls = server.scheme == "https";
    const std::string fromEnvironment =
        tls ? variable(environment, "HTTPS_PROXY", "https_proxy") : variable(environment, "HTTP_PROXY", "http_proxy");
    if (fromEnvironment.empty() ||
        exemptFromProxy(variable(environment, "NO_PROXY", "no_proxy"), server.host, server.port)) {
        return http::Proxy{};
    }
    return parseProxy(fromEnvironment, std::string("environment variable ") + (tls ? "HTTPS_PROXY" : "HTTP_PROXY"));
}

} // namespace alidade::cluster
