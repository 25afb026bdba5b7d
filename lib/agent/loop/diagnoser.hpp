// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Who may diagnose and judge besides the built-in analyst. What comes from here is untrusted: gates decide on it.
// Thread: the run's; calls wait, with a stop token.
#include <memory>
#include <stop_token>
#include <string>

#include "alidade/guard/gates.hpp"
#include "alidade/guard/triage.hpp"
#include "analyst/analyst.hpp"

namespace alidade::agent {

struct DiagnoseInput {
    const guard::Signals& signals;
    const Analysis& analysis;
    const guard::EvidenceLedger& evidence;
};

class Diagnoser {
public:
    virtual ~Diagnoser() = default;
    [[nodiscard]] virtual std::string name() const = 0;
    /// ErrorCode::Protocol is an answer that is no diagnosis; any other error is a provider that failed.
    [[nodiscard]] virtual guard::Result<guard::Diagnosis> diagnose(const DiagnoseInput& input,
                                                                   std::stop_token stop) = 0;
};

/// A second opinion, of another source than the diagnosis. An error is "not reviewed".
class Judge {
public:
    virtual ~Judge() = default;
    [[nodiscard]] virtual guard::Result<guard::Review> review(const guard::Diagnosis& diagnosis,
                                                              const DiagnoseInput& input, std::stop_token stop) = 0;
};

/// All may be null: then the analyst diagnoses, alone and unreviewed.
struct Minds {
    std::shared_ptr<Diagnoser> model;
    std::shared_ptr<Diagnoser> stronger; ///< asked once, after the quality gate refused
    std::shared_ptr<Judge> judge;        ///< null: the analyst judges what a model diagnosed
};

} // namespace alidade::agent
