// SPDX-License-Identifier: GPL-3.0-or-later
#include "request_text.hpp"

#include "text_rules.hpp"

#include <utility>

namespace alidade::http {

std::string_view reasonOf(int status) {
    switch (status) {
    case 200: return "OK";
    case 201: return "Created";
    case 202: return "Accepted";
    case 204: return "No Content";
    case 301: return "Moved Permanently";
    case 302: return "Found";
    case 304: return "Not Modified";
    case 307: return "Temporary Redirect";
    case 400: return "Bad Request";
    case 401: return "Unauthorized";
    case 403: return "Forbidden";
    case 404: return "Not Found";
    case 405: return "Method Not Allowed";
    case 406: return "Not Acceptable";
    case 408: return "Request Timeout";
    case 409: return "Conflict";
    case 410: return "Gone";
    case 413: return "Content Too Large";
    case 415: return "Unsupported Media Type";
    case 417: return "Expectation Failed";
    case 422: return "Unprocessable Content";
    case 429: return "Too Many Requests";
    case 431: return "Request Header Fields Too Large";
    case 500: return "Internal Server Error";
    case 501: return "Not Implemented";
    case 502: return "Bad Gateway";
    case 503: return "Service Unavailable";
    case 504: return "Gateway Timeout";
    default: return "Status";
    }
}

bool hasNoBody(int status) { return status == 204 || status == 304 || status / 100 == 1; }

bool acceptsGzip(const Headers& headers) {
    for (std::string_view list : headers.all("Accept-Encoding")) {
        while (!list.empty()) {
            const auto comma = list.find(',');
            const auto item = list.substr(0, comma);
            list.remove_prefix(comma == std::string_view::npos ? list.size() : comma + 1);
            const auto semicolon = item.find(';');
            if (!sameName(trim(item.substr(0, semicolon)), "gzip")) {
                continue;
            }
            const auto weight =
                semicolon == std::string_view::npos ? std::string_view("q=1") : trim(item.substr(semicolon + 1));
            return weight.find_first_of("123456789") != std::string_view::npos;
        }
    }
    return false;
}

bool parseTarget(ServerRequest& request) {
    std::string_view target = request.target;
    if (target.find("://") != std::string_view::npos && target.front() != '/') { // absolute form, RFC 9112 3.2.2
        const auto slash = target.find('/', target.find("://") + 3);
        target = slash == std::string_view::npos ? "/" : target.substr(slash);
    }
    const auto question = target.find('?');
    auto path = percentDecode(target.substr(0, question));
    if (!path || path->empty() || (path->front() != '/' && *path != "*")) {
        return false;
    }
    request.path = std::move(*path);
    std::string_view rest = question == std::string_view::npos ? "" : target.substr(question + 1);
    while (!rest.empty()) {
        const auto ampersand = rest.find('&');
        const auto item = rest.substr(0, ampersand);
        rest.remove_prefix(ampersand == std::string_view::npos ? rest.size() : ampersand + 1);
        if (item.empty()) {
            continue;
        }
        const auto equals = item.find('=');
        auto name = percentDecode(item.substr(0, equals), true);
        auto value = percentDecode(equals == std::string_view::npos ? "" : item.substr(equals + 1), true);
        if (!name || !value) {
            return false;
        }
        request.query.emplace_back(std::move(*name), std::move(*value));
    }
    return true;
}

} // namespace alidade::http
