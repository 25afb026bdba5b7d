// SPDX-License-Identifier: GPL-3.0-or-later
// alidadectl simulate: an embedded cluster for kubectl and others, until a signal.
#include <iostream>

#include "alidade/simulator/simulator.hpp"
#include "options.hpp"
#include "terminal.hpp"

namespace alidade::headless {

Exit simulate(const Options& options) {
    simulator::SimulatorOptions simulated;
    if (!options.words.empty())
        simulated.scenario = options.words.front();
    else if (!options.scenario.empty())
        simulated.scenario = options.scenario;
    simulated.port = options.port;
    auto started = simulator::Simulator::start(std::move(simulated));
    if (!started) {
        std::cerr << "alidadectl: " << started.error().text() << "\n";
        return Exit::Error;
    }
    std::cout << (*started)->kubeconfig() << std::flush;
    std::cerr << "alidadectl: " << (*started)->scenario().title << " on https://127.0.0.1:" << (*started)->port()
              << "; Ctrl+C ends it\n";
    Terminal terminal;
    EventWakeup never;
    while (!terminal.wait(never, false).interrupted) {
    }
    return Exit::Ok;
}

} // namespace alidade::headless
