// SPDX-License-Identifier: GPL-3.0-or-later
#include "world/refusal.hpp"

namespace alidade::simulator {

namespace {

std::string qualified(const KindDef& kind, const std::string& word) {
    return kind.group.empty() ? word : word + "." + kind.group;
}

Json detailsOf(const KindDef& kind, std::string_view name, const std::string& word) {
    Json details = Json::object();
    if (!name.empty())
        details["name"] = name;
    if (!kind.group.empty())
        details["group"] = kind.group;
    details["kind"] = word;
    return details;
}

std::string quoted(std::string_view text) { return "\"" + std::string(text) + "\""; }

} // namespace

Json statusJson(const Refusal& refusal) {
    Json status = {{"kind", "Status"},    {"apiVersion", "v1"},         {"metadata", Json::object()},
                   {"status", "Failure"}, {"message", refusal.message}, {"code", refusal.code}};
    if (!refusal.reason.empty())
        status["reason"] = refusal.reason;
    if (!refusal.details.is_null())
        status["details"] = refusal.details;
    if (!refusal.continueToken.empty())
        status["metadata"]["continue"] = refusal.continueToken;
    return status;
}

Json successJson(const KindDef& kind, std::string_view name, std::string_view uid) {
    Json details = detailsOf(kind, name, kind.resource);
    if (!uid.empty())
        details["uid"] = uid;
    return {{"kind", "Status"},
            {"apiVersion", "v1"},
            {"metadata", Json::object()},
            {"status", "Success"},
            {"details", details}};
}

Refusal notFound(const KindDef& kind, std::string_view name) {
    return {404,
            "NotFound",
            qualified(kind, kind.resource) + " " + quoted(name) + " not found",
            detailsOf(kind, name, kind.resource),
            {}};
}

Refusal alreadyExists(const KindDef& kind, std::string_view name) {
    return {409,
            "AlreadyExists",
            qualified(kind, kind.resource) + " " + quoted(name) + " already exists",
            detailsOf(kind, name, kind.resource),
            {}};
}

Refusal conflict(const KindDef& kind, std::string_view name, std::string_view why) {
    if (why.empty())
        why = "the object has been modified; please apply your changes to the latest version and try again";
    return {409,
            "Conflict",
            "Operation cannot be fulfilled on " + qualified(kind, kind.resource) + " " + quoted(name) + ": " +
                std::string(why),
            detailsOf(kind, name, kind.resource),
            {}};
}

Refusal invalid(const KindDef& kind, std::string_view name, const std::vector<Cause>& causes) {
    std::string list;
    Json causesJson = Json::array();
    for (const auto& cause : causes) {
        if (!list.empty())
            list += ", ";
        list += cause.field + ": " + cause.message;
        causesJson.push_back({{"reason", cause.reason}, {"message", cause.message}, {"field", cause.field}});
    }
    if (causes.size() > 1)
        list = "[" + list + "]";
    Json details = detailsOf(kind, name, kind.kind);
    details["causes"] = causesJson;
    return {422, "Invalid", qualified(kind, kind.kind) + " " + quoted(name) + " is invalid: " + list, details, {}};
}

Refusal forbidden(const KindDef& kind, std::string_view name, std::string_view why) {
    return {403,
            "Forbidden",
            qualified(kind, kind.resource) + (name.empty() ? "" : " " + quoted(name)) +
                " is forbidden: " + std::string(why),
            detailsOf(kind, name, kind.resource),
            {}};
}

Refusal badRequest(std::string message) { return {400, "BadRequest", std::move(message), nullptr, {}}; }
Refusal expired(std::string message) { return {410, "Expired", std::move(message), nullptr, {}}; }
Refusal unauthorized() { return {401, "Unauthorized", "Unauthorized", nullptr, {}}; }

Refusal methodNotAllowed() {
    return {
        405, "MethodNotAllowed", "the server does not allow this method on the requested resource", Json::object(), {}};
}

Refusal unsupportedMedia(std::string_view accepted) {
    return {415,
            "UnsupportedMediaType",
            "the body of the request was in an unknown format - accepted media types include: " + std::string(accepted),
            Json::object(),
            {}};
}

Refusal bareInvalid() {
    return {422, "Invalid", "the server rejected our request due to an error in our request", Json::object(), {}};
}

Refusal tooManyRequests(std::string message) {
    return {429, "TooManyRequests", std::move(message), Json::object(), {}};
}

} // namespace alidade::simulator
