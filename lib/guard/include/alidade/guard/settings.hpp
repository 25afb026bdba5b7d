// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Protection and limits, as values. The files they come from are read in app/wiring.
#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

#include "alidade/guard/clock.hpp"
#include "alidade/guard/object.hpp"

namespace alidade::guard {

/// Shell-style globs with * and ?, matched whole.
[[nodiscard]] bool globMatch(std::string_view pattern, std::string_view text) noexcept;

/// The annotation adds protection, never removes it.
inline constexpr std::string_view protectedAnnotation = "alidade.dev/protected";

struct ProtectedResource {
    std::string ns;   ///< glob
    std::string kind; ///< "Deployment"; glob
    std::string name; ///< glob
};
struct ProtectedLists {
    std::vector<std::string> contexts;                                                    ///< globs
    std::vector<std::string> namespaces{"kube-system", "kube-public", "kube-node-lease"}; ///< globs
    std::vector<ProtectedResource> resources;
    bool strict = false; ///< protected namespaces refuse people too
    [[nodiscard]] bool contextProtected(std::string_view context) const noexcept;
    [[nodiscard]] bool namespaceProtected(std::string_view ns) const noexcept;
    [[nodiscard]] bool resourceProtected(const ObjectKey& key) const noexcept;
};

/// Every limit of the safety layer, in one table; the interface shows it.
struct Limits {
    static constexpr Millis proposalLifetime{600'000};
    static constexpr Millis dwell{700};
    static constexpr Millis inputLateness{150}; ///< an approving event that was longer on its way is asked for again
    static constexpr Millis accessReviewTimeout{5'000};
    static constexpr Millis uidTimeout{5'000};
    static constexpr Millis dryRunTimeout{3'000};
    static constexpr Millis impactTimeout{5'000};
    static constexpr int anomalyBudget = 3;
    static constexpr int runsAtOnce = 3;
    static constexpr int impactHops = 3;
    static constexpr std::size_t impactDependents = 50;
    static constexpr std::size_t excerptBytes = 240;
    static constexpr std::size_t gapReasonBytes = 512;
    static constexpr std::size_t evidenceBytes = 512UL * 1024;
    static constexpr double minimumConfidence = 0.5;
    static constexpr std::size_t lineBytes = 16UL * 1024 * 1024;
};

} // namespace alidade::guard
