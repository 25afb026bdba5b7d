// SPDX-License-Identifier: GPL-3.0-or-later
#include "access/errors.hpp"

#include "alidade/cluster/transport.hpp"
#include "alidade/guard/text.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>

#include <nlohmann/json.hpp>

namespace alidade::cluster {
namespace {

using guard::Error;
using guard::ErrorCode;
using guard::Status;
using guard::StatusCause;
using nlohmann::json;

constexpr std::size_t kMaxMessage = 64UL * 1024;
constexpr std::size_t kMaxCauses = 100;

std::string cut(std::string text, std::size_t most) {
    if (text.size() > most) {
        text.resize(most);
        text = guard::validUtf8(text) + "...";
    }
    return text;
}

std::string field(const json& object, const char* name) {
    const auto found = object.find(name);
    return found != object.end() && found->is_string() ? cut(found->get<std::string>(), kMaxMessage) : std::string();
}

std::optional<int> number(const json& object, const char* name) {
    const auto found = object.find(name);
    return found != object.end() && found->is_number_integer() ? std::optional(found->get<int>()) : std::nullopt;
}

std::string trimmed(std::string text) {
    const auto space = [](unsigned char c) { return std::isspace(c) != 0; };
    while (!text.empty() && space(static_cast<unsigned char>(text.back()))) {
        text.pop_back();
    }
    const auto first = std::find_if_not(text.begin(), text.end(), space);
    text.erase(text.begin(), first);
    return text;
}

bool isWebPage(const http::ResponseHead& head, const std::string& body) {
    const auto type = head.headers.get("Content-Type").value_or("");
    if (type.starts_with("text/html") || type.starts_with("application/xhtml")) {
        return true;
    }
    const std::size_t first = body.find_first_not_of(" \t\r\n");
    return first != std::string::npos && body[first] == '<' && !type.starts_with("application/json");
}

std::optional<int> retryAfter(const http::ResponseHead& head) {
    const auto text = head.headers.get("Retry-After").value_or("");
    int seconds = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
    return error == std::errc{} && end == text.data() + text.size() && seconds >= 0 ? std::optional(seconds)
                                                                                    : std::nullopt;
}

std::optional<Status> statusOf(const std::string& body) {
    const json parsed = json::parse(body, nullptr, false);
    if (!parsed.is_object() || field(parsed, "kind") != "Status") {
        return std::nullopt;
    }
    Status status;
    status.code = number(parsed, "code").value_or(0);
    status.reason = field(parsed, "reason");
    status.message = field(parsed, "message");
    if (const auto meta = parsed.find("metadata"); meta != parsed.end() && meta->is_object()) {
        status.continueToken = field(*meta, "continue");
    }
    const auto details = parsed.find("details");
    if (details == parsed.end() || !details->is_object()) {
        return status;
    }
    if (const auto seconds = number(*details, "retryAfterSeconds"); seconds && *seconds > 0) {
        status.retryAfterSeconds = seconds;
    }
    if (const auto causes = details->find("causes"); causes != details->end() && causes->is_array()) {
        for (const json& cause : *causes) {
            if (cause.is_object() && status.causes.size() < kMaxCauses) {
                status.causes.push_back(
                    StatusCause{field(cause, "reason"), field(cause, "message"), field(cause, "field")});
            }
        }
    }
    return status;
}

/// The API server has no field for who refused; its own sentences are the only mark. RBAC's one is
/// `... is forbidden: User "x" cannot VERB resource ...`.
bool refusedByPolicy(const Status& status) {
    const std::string& message = status.message;
    if (message.starts_with("admission webhook \"") && message.find("denied the request") != std::string::npos) {
        return true;
    }
    const std::size_t forbidden = message.find("forbidden: ");
    return forbidden != std::string::npos && message.find("User \"", forbidden) != forbidden + 11;
}

ErrorCode codeOf(int httpStatus, const std::optional<Status>& status) {
    const bool policy = status && refusedByPolicy(*status);
    switch (httpStatus) {
    case 401: return ErrorCode::NeedsLogin;
    case 403: return policy ? ErrorCode::Denied : ErrorCode::Forbidden;
    case 404: return ErrorCode::NotFound;
    case 409:
    case 412: return ErrorCode::Conflict;
    case 410: return ErrorCode::Gone;
    case 413: return ErrorCode::TooLarge;
    case 422: return policy ? ErrorCode::Denied : ErrorCode::Invalid;
    case 429: return ErrorCode::Throttled;
    case 502:
    case 503:
    case 504: return ErrorCode::Unavailable;
    default: break;
    }
    if (httpStatus >= 500) {
        return ErrorCode::ServerError;
    }
    if (httpStatus >= 400) {
        return policy ? ErrorCode::Denied : ErrorCode::BadRequest;
    }
    return ErrorCode::Protocol;
}

std::string statusLine(const http::ResponseHead& head) {
    return "HTTP " + std::to_string(head.status) + (head.reason.empty() ? "" : " " + cut(head.reason, 100));
}

constexpr const char* kWebPage = "a web page (HTML), not the Kubernetes API";

std::string sentence(std::string text) {
    text = trimmed(std::move(text));
    if (!text.empty() && text.back() != '.' && text.back() != '!' && text.back() != '?') {
        text += '.';
    }
    return text;
}

std::string day(guard::WallTime time) { return guard::formatRfc3339(time).substr(0, 10); }

} // namespace

guard::Error errorFromResponse(const std::string& where, const http::ResponseHead& head, const std::string& body) {
    if (head.status >= 300 && head.status < 400) {
        const auto to = head.headers.get("Location").value_or("");
        return Error(ErrorCode::Protocol, where,
                     "the server redirects to " + cut(std::string(to), 300) + ", and redirects are not followed");
    }
    if (isWebPage(head, body)) {
        // A load balancer's 5xx passes by itself; anything else came from something that is not an API server.
        const ErrorCode code =
            head.status == 401 || head.status >= 500 ? codeOf(head.status, std::nullopt) : ErrorCode::Protocol;
        return Error(code, where, "the answer is " + std::string(kWebPage) + " (" + statusLine(head) + ")");
    }
    auto status = statusOf(body);
    const ErrorCode code = codeOf(head.status, status);
    if (!status) {
        const std::string text = cut(trimmed(guard::validUtf8(body.substr(0, 4096))), 2048);
        Status plain;
        plain.code = head.status;
        plain.message = text;
        plain.retryAfterSeconds = retryAfter(head);
        return Error(code, where, text.empty() ? statusLine(head) : text, std::move(plain));
    }
    if (status->code == 0) {
        status->code = head.status;
    }
    if (!status->retryAfterSeconds) {
        status->retryAfterSeconds = retryAfter(head);
    }
    std::string detail = status->message.empty() ? statusLine(head) : status->message;
    return Error(code, where, std::move(detail), std::move(status));
}

std::optional<guard::Error> webPageFault(const std::string& where, const http::ResponseHead& head) {
    if (head.status < 200 || head.status >= 300 || !isWebPage(head, {})) {
        return std::nullopt;
    }
    return errorFromResponse(where, head, {});
}

guard::Error explainConnection(const Identity& identity, guard::Error error) {
    const std::string server = identity.info.server + " (" + identity.clusterEntry + ")";
    const std::string why = sentence(error.detail);
    error.where = identity.contextName;
    switch (error.code) {
    case ErrorCode::Unreachable:
        error.detail = "cannot reach " + server + ": " + why + " Check the network or VPN, and the server address.";
        break;
    case ErrorCode::Timeout:
        error.detail = "no answer from " + server + ": " + why + " Check the network or VPN, and the server address.";
        break;
    case ErrorCode::Tls: error.detail = "no trusted connection to " + server + ": " + why; break;
    case ErrorCode::ConnectionLost:
    case ErrorCode::Protocol:
    case ErrorCode::TooLarge:
        error.detail = "broken answer from " + server + ": " + why +
                       " Check that the server address leads to a Kubernetes API server, with no proxy in between.";
        break;
    default: error.detail = identity.info.server + ": " + why; break;
    }
    return error;
}

guard::Error explainAnswer(const Identity& identity, guard::Error error, guard::WallTime now) {
    switch (error.code) {
    case ErrorCode::NeedsLogin: {
        error.detail = sentence(error.detail);
        if (identity.userEntry.empty()) {
            error.detail += " The " + identity.contextName + " names no user. Set one: kubectl config set-context " +
                            identity.info.context + " --user=NAME";
            break;
        }
        error.detail += " The server does not accept the credentials of " + identity.userEntry + ". ";
        if (!identity.sendCredentials) {
            error.detail += "They are not sent over plain http: use https in " + identity.clusterEntry + ".";
        } else if (identity.certificateExpires && *identity.certificateExpires < now) {
            error.detail +=
                "Its client certificate expired on " + day(*identity.certificateExpires) + ": get a new one.";
        } else if (identity.user.exec) {
            error.detail += "Log in again with " + identity.user.exec->command + ".";
        } else {
            error.detail += "Log in again, or get a new kubeconfig.";
        }
        break;
    }
    case ErrorCode::Forbidden:
        error.detail = sentence(error.detail) + " Ask a cluster administrator for this right";
        error.detail += identity.userEntry.empty() ? "." : " (" + identity.userEntry + "), or use another context.";
        break;
    case ErrorCode::Protocol:
        error.detail = sentence(error.detail) + " Check the server address of " + identity.clusterEntry +
                       ": it may lead to a login page or proxy, or to a load balancer without an API server behind it.";
        break;
    default: break;
    }
    return error;
}

} // namespace alidade::cluster
