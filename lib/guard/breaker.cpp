// SPDX-License-Identifier: GPL-3.0-or-later
#include "alidade/guard/breaker.hpp"

#include <utility>

namespace alidade::guard {

std::string_view name(Anomaly anomaly) noexcept {
    switch (anomaly) {
    case Anomaly::FailedGate: return "failed_gate";
    case Anomaly::MalformedOutput: return "malformed_output";
    case Anomaly::ProviderFailure: return "provider_failure";
    case Anomaly::FailedWrite: return "failed_write";
    case Anomaly::UnknownWrite: return "unknown_write";
    }
    return "failed_gate";
}

bool Breaker::record(Anomaly anomaly, std::string detail) {
    const bool before = open();
    anomalies_.push_back({anomaly, std::move(detail)});
    return !before && open();
}

} // namespace alidade::guard
