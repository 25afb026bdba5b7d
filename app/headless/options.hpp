// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What every verb takes from the command line.
#include <string>
#include <vector>

#include "alidade/guard/result.hpp"
#include "alidade/wiring/workbench.hpp"

namespace alidade::headless {

/// Exit codes of the manual: one meaning each, for every verb.
enum class Exit {
    Ok = 0, ///< resolved, no fault, valid
    Error = 1,
    AwaitingApproval = 3,
    NotDone = 4, ///< escalated, blocked or declined
    Undetermined = 5,
    NotVerified = 6, ///< executed but not verified
    Cancelled = 130,
};

struct Options {
    std::string verb;
    std::vector<std::string> words; ///< after the verb
    bool help = false;
    bool version = false;
    bool json = false;
    bool demo = false;
    std::string scenario;
    std::string context;
    std::string ns;
    std::string kubeconfig;
    std::string ledger;
    std::string output; ///< of describe and graph
    int port = 0;
};

[[nodiscard]] guard::Result<Options> parseOptions(const std::vector<std::string>& arguments);
[[nodiscard]] std::string usage();

/// Settings and clusters as the options say.
[[nodiscard]] guard::Result<std::unique_ptr<wiring::Workbench>> makeWorkbench(const Options& options);

/// Says what is wrong, on standard error; nothing in the text acts on the terminal.
Exit complain(const guard::Error& error);

Exit triage(const Options& options);
Exit drill(const Options& options);
Exit simulate(const Options& options);
Exit ledger(const Options& options);
Exit describe(const Options& options);
Exit graph(const Options& options);

} // namespace alidade::headless
