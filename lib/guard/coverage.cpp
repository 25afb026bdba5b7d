// SPDX-License-Identifier: GPL-3.0-or-later
#include "alidade/guard/coverage.hpp"

namespace alidade::guard {

std::string_view name(Coverage coverage) noexcept {
    switch (coverage) {
    case Coverage::Complete: return "complete";
    case Coverage::Partial: return "partial";
    case Coverage::Forbidden: return "forbidden";
    case Coverage::Unavailable: return "unavailable";
    case Coverage::Failed: return "failed";
    case Coverage::Capped: return "capped";
    }
    return "failed";
}

Coverage coverageOf(ErrorCode code) noexcept {
    switch (code) {
    case ErrorCode::Forbidden:
    case ErrorCode::NeedsLogin: return Coverage::Forbidden;
    case ErrorCode::NotFound:
    case ErrorCode::Unavailable:
    case ErrorCode::Unreachable:
    case ErrorCode::Unsupported: return Coverage::Unavailable;
    case ErrorCode::TooLarge: return Coverage::Capped;
    default: return Coverage::Failed;
    }
}

std::string countText(std::size_t count, bool complete) {
    return complete ? std::to_string(count) : std::to_string(count) + " or more";
}

} // namespace alidade::guard
