// SPDX-License-Identifier: GPL-3.0-or-later
#include "reader/paths.hpp"

#include "alidade/guard/text.hpp"
#include "alidade/http/message.hpp"

#include <algorithm>

namespace alidade::cluster {
namespace {

using guard::ErrorCode;

/// Groups, versions and plurals: lower-case DNS names.
bool validPart(std::string_view part) {
    return !part.empty() && part.size() <= 253 && part.front() != '.' && part.front() != '-' &&
           std::all_of(part.begin(), part.end(),
                       [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.'; });
}

tl::unexpected<guard::Error> refused(const std::string& what, const std::string& value) {
    return guard::fail(ErrorCode::BadRequest, what,
                       "\"" + guard::visibleText(value.substr(0, 100), false) + "\" is not a valid " + what);
}

} // namespace

guard::Result<std::string> listPath(const guard::KindId& kind, const std::string& ns) {
    if (!kind.group.empty() && !validPart(kind.group)) {
        return refused("API group", kind.group);
    }
    if (!validPart(kind.version)) {
        return refused("API version", kind.version);
    }
    if (!validPart(kind.resource)) {
        return refused("resource", kind.resource);
    }
    std::string path = kind.group.empty() ? "/api/" + kind.version : "/apis/" + kind.group + "/" + kind.version;
    if (kind.namespaced && !ns.empty()) {
        if (!guard::validNamespace(ns)) {
            return refused("namespace", ns);
        }
        path += "/namespaces/" + http::percentEncode(ns);
    }
    return path + "/" + kind.resource;
}

guard::Result<std::string> objectPath(const guard::ObjectKey& key, Subresource sub) {
    if (key.kind.namespaced && key.ns.empty()) {
        return guard::fail(ErrorCode::BadRequest, "namespace",
                           key.kind.resource + " are in a namespace, and none is named");
    }
    if (!guard::validObjectName(key.name)) {
        return refused("name", key.name);
    }
    auto path = listPath(key.kind, key.ns);
    if (!path) {
        return path;
    }
    *path += "/" + http::percentEncode(key.name);
    if (sub == Subresource::Log) {
        *path += "/log";
    }
    return path;
}

std::string queryText(const std::vector<std::pair<std::string, std::string>>& parameters) {
    std::string query;
    for (const auto& [name, value] : parameters) {
        if (!value.empty()) {
            query += (query.empty() ? "?" : "&") + name + "=" + http::percentEncode(value);
        }
    }
    return query;
}

} // namespace alidade::cluster
