// SPDX-License-Identifier: GPL-3.0-or-later
#include "alidade/guard/result.hpp"

namespace alidade::guard {

std::string_view name(ErrorCode code) noexcept {
    switch (code) {
    case ErrorCode::Cancelled: return "cancelled";
    case ErrorCode::Timeout: return "timeout";
    case ErrorCode::Unreachable: return "unreachable";
    case ErrorCode::ConnectionLost: return "connection-lost";
    case ErrorCode::Tls: return "tls";
    case ErrorCode::Protocol: return "protocol";
    case ErrorCode::TooLarge: return "too-large";
    case ErrorCode::BadRequest: return "bad-request";
    case ErrorCode::NeedsLogin: return "needs-login";
    case ErrorCode::Forbidden: return "forbidden";
    case ErrorCode::NotFound: return "not-found";
    case ErrorCode::Conflict: return "conflict";
    case ErrorCode::Gone: return "gone";
    case ErrorCode::Invalid: return "invalid";
    case ErrorCode::Denied: return "denied";
    case ErrorCode::Throttled: return "throttled";
    case ErrorCode::Unavailable: return "unavailable";
    case ErrorCode::ServerError: return "server-error";
    case ErrorCode::Config: return "config";
    case ErrorCode::Io: return "io";
    case ErrorCode::Unsupported: return "unsupported";
    case ErrorCode::Refused: return "refused";
    case ErrorCode::Internal: return "internal";
    }
    return "internal";
}

bool retryable(ErrorCode code) noexcept {
    switch (code) {
    case ErrorCode::Timeout:
    case ErrorCode::Unreachable:
    case ErrorCode::ConnectionLost:
    case ErrorCode::Throttled:
    case ErrorCode::Unavailable:
    case ErrorCode::ServerError: return true;
    default: return false;
    }
}

std::string Error::text() const {
    if (where.empty())
        return detail;
    if (detail.empty())
        return where;
    return where + ": " + detail;
}

} // namespace alidade::guard
