// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The built-in analyst: deterministic rules over the signals of a run. Needs no model.
// Must not read a cluster. Thread: the run's.
#include <optional>
#include <vector>

#include "alidade/guard/triage.hpp"

namespace alidade::agent {

struct Analysis {
    std::vector<guard::Finding> findings; ///< heaviest first
    guard::Diagnosis diagnosis;           ///< source "analyst"
};

/// `about` narrows the incident to an object: only what bears on it leads; the rest become alternatives.
[[nodiscard]] Analysis analyse(const guard::Signals& signals, const guard::EvidenceLedger& evidence,
                               const std::optional<guard::ObjectRef>& about);

} // namespace alidade::agent
