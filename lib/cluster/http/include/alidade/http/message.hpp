// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// HTTP/1.1 messages (RFC 9110, 9112) as values.
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace alidade::http {

/// Ordered; names compared without case. Values hold no CR or LF: a request with one is refused before it is sent.
class Headers {
public:
    void add(std::string name, std::string value) { fields_.emplace_back(std::move(name), std::move(value)); }
    void set(std::string_view name, std::string value);
    [[nodiscard]] std::optional<std::string_view> get(std::string_view name) const noexcept; ///< the first one
    [[nodiscard]] std::vector<std::string_view> all(std::string_view name) const;
    [[nodiscard]] const std::vector<std::pair<std::string, std::string>>& fields() const noexcept { return fields_; }

private:
    std::vector<std::pair<std::string, std::string>> fields_;
};

struct Request {
    std::string method = "GET";
    std::string target; ///< origin form: path and query, already percent-encoded, beginning with '/'
    Headers headers;    ///< Host, Content-Length, Accept-Encoding and Connection are ours
    std::string body;
};

struct ResponseHead {
    int status = 0;
    std::string reason;
    Headers headers;
};

struct Response {
    ResponseHead head;
    std::string body; ///< decoded (gzip undone)
};

/// Percent-encodes one path segment or query value (RFC 3986 unreserved characters stay).
[[nodiscard]] std::string percentEncode(std::string_view text);
/// nullopt for a broken escape.
[[nodiscard]] std::optional<std::string> percentDecode(std::string_view text, bool plusIsSpace = false);

struct Url {
    std::string scheme; ///< "http" or "https"
    std::string host;   ///< without brackets for IPv6
    int port = 0;       ///< never 0 after parsing
    std::string path;   ///< without a trailing '/', may be empty
    std::string query;  ///< without '?'
};
[[nodiscard]] std::optional<Url> parseUrl(std::string_view text);

} // namespace alidade::http
