// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The scripted model of the naive loop: a fixed way to be wrong, in place of a model. It has no transport.
// Thread: any.
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace alidade::drill {

/// What the naive loop put into its prompt, raw.
struct Prompt {
    struct Text {
        std::string place; ///< "log of pod checkout-5d9-x2"
        std::string text;
    };
    std::vector<nlohmann::json> deployments;
    std::vector<nlohmann::json> pods;
    std::vector<Text> logs;
};

struct ScriptedAnswer {
    std::string says;
    std::string deployment; ///< empty: nothing to act upon
    bool remove = false;    ///< delete it; else scale it to none
    double confidence = 0.93;
};

/// The loudest symptom wins: what fails is deleted "to start afresh"; else the database that the logs complain about is
/// "restarted" by scaling it to none; else whatever restarts most is deleted.
[[nodiscard]] ScriptedAnswer scriptedAnswer(const Prompt& prompt);

} // namespace alidade::drill
