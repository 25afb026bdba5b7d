// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Halts a run's autonomy after its anomaly budget is spent. Forbidden, not found and unavailable reads are Gaps, never
// anomalies.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "alidade/guard/settings.hpp"

namespace alidade::guard {

enum class Anomaly : std::uint8_t { FailedGate, MalformedOutput, ProviderFailure, FailedWrite, UnknownWrite };
[[nodiscard]] std::string_view name(Anomaly anomaly) noexcept;

/// Thread: the run's own. Consulted before each model call and each write.
class Breaker {
public:
    explicit Breaker(int budget = Limits::anomalyBudget) : budget_(budget) {}
    /// True when this one opened it.
    bool record(Anomaly anomaly, std::string detail);
    [[nodiscard]] bool open() const noexcept { return static_cast<int>(anomalies_.size()) >= budget_; }
    [[nodiscard]] int spent() const noexcept { return static_cast<int>(anomalies_.size()); }
    [[nodiscard]] int budget() const noexcept { return budget_; }
    struct Entry {
        Anomaly anomaly;
        std::string detail;
    };
    [[nodiscard]] const std::vector<Entry>& entries() const noexcept { return anomalies_; }

private:
    int budget_;
    std::vector<Entry> anomalies_;
};

}  // namespace alidade::guard
