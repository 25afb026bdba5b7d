// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Errors as values. Every library boundary returns Result<T>; nothing throws across one.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tl/expected.hpp>

namespace alidade::guard {

/// What went wrong, as a code that callers switch on. Never decide by matching text.
enum class ErrorCode : std::uint8_t {
    Cancelled,         ///< a stop request or a closed session
    Timeout,           ///< a deadline passed; retryable
    Unreachable,       ///< no connection: refused, no route, name not resolved; retryable
    ConnectionLost,    ///< the peer closed or reset; for a write after sending: outcome unknown
    Tls,               ///< certificate, host name or handshake
    Protocol,          ///< the peer answered something that is not the protocol (HTML, truncation, bad JSON)
    TooLarge,          ///< a limit of ours was exceeded
    BadRequest,        ///< 400, 405, 415: the server understood and refuses the form
    NeedsLogin,        ///< 401: credentials missing, wrong or expired
    Forbidden,         ///< 403 by RBAC
    NotFound,          ///< 404
    Conflict,          ///< 409, or a failed precondition
    Gone,              ///< 410: resourceVersion or continue token expired
    Invalid,           ///< 422: refused by validation, or a failed JSON Patch test
    Denied,            ///< refused by an admission webhook or policy
    Throttled,         ///< 429; see retryAfter
    Unavailable,       ///< 502, 503, 504, or a source that is not there; retryable for reads
    ServerError,       ///< other 5xx
    Config,            ///< kubeconfig, settings or a file of ours
    Io,                ///< local file system
    Unsupported,       ///< the server or this program cannot do that
    Refused,           ///< refused by our own guard
    Internal,          ///< a fault of ours
};

[[nodiscard]] std::string_view name(ErrorCode code) noexcept;  ///< stable kebab-case word, for logs and JSON
[[nodiscard]] bool retryable(ErrorCode code) noexcept;         ///< for reads; a write is never retried

/// metav1.StatusCause
struct StatusCause {
    std::string reason;
    std::string message;
    std::string field;
    friend bool operator==(const StatusCause&, const StatusCause&) = default;
};

/// metav1.Status as far as a person needs it. Untrusted text: render as plain text.
struct Status {
    int code = 0;
    std::string reason;
    std::string message;
    std::vector<StatusCause> causes;
    std::optional<int> retryAfterSeconds;
    std::string continueToken;  ///< metadata.continue of a 410 during a paged list
    friend bool operator==(const Status&, const Status&) = default;
};

struct Error {
    ErrorCode code = ErrorCode::Internal;
    std::string where;   ///< which thing: a file and entry, a context, "GET /api/v1/pods"
    std::string detail;  ///< what happened, in one sentence; may hold untrusted text; never a credential
    std::optional<Status> status;

    Error() = default;
    Error(ErrorCode c, std::string w, std::string d, std::optional<Status> s = std::nullopt)
        : code(c), where(std::move(w)), detail(std::move(d)), status(std::move(s)) {}
    [[nodiscard]] std::string text() const;  ///< "where: detail", for logs and terminals
};

template <class T>
using Result = tl::expected<T, Error>;

[[nodiscard]] inline tl::unexpected<Error> fail(ErrorCode code, std::string where, std::string detail,
                                                std::optional<Status> status = std::nullopt) {
    return tl::unexpected<Error>(Error(code, std::move(where), std::move(detail), std::move(status)));
}

}  // namespace alidade::guard
