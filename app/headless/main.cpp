// SPDX-License-Identifier: GPL-3.0-or-later
// The composition root of alidadectl.
#include <iostream>
#include <map>

#include "options.hpp"
#include "terminal.hpp"

namespace alidade::headless {

namespace {
Signals* theSignals = nullptr;
}

Signals& signals() { return *theSignals; }

int run(const std::vector<std::string>& arguments) {
    const auto options = parseOptions(arguments);
    if (!options) {
        std::cerr << "alidadectl: " << options.error().text() << "\n";
        return static_cast<int>(Exit::Error);
    }
    if (options->version) {
        std::cout << "alidadectl " << ALIDADE_VERSION << "\n";
        return 0;
    }
    if (options->help || options->verb.empty()) {
        (options->help ? std::cout : std::cerr) << usage();
        return options->help ? 0 : static_cast<int>(Exit::Error);
    }
    static const std::map<std::string, Exit (*)(const Options&)> verbs{{"triage", triage},     {"drill", drill},
                                                                       {"simulate", simulate}, {"ledger", ledger},
                                                                       {"describe", describe}, {"graph", graph}};
    const auto verb = verbs.find(options->verb);
    if (verb == verbs.end()) {
        std::cerr << "alidadectl: unknown verb " << options->verb << "; see alidadectl --help\n";
        return static_cast<int>(Exit::Error);
    }
    return static_cast<int>(verb->second(*options));
}

} // namespace alidade::headless

int main(int count, char** words) {
    alidade::headless::Signals signals;
    alidade::headless::theSignals = &signals;
    return alidade::headless::run({words + 1, words + count});
}
