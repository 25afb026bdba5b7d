// SPDX-License-Identifier: GPL-3.0-or-later
// A simulator in a process of its own, for tests that use other programs as clients:
//   sim_main <kubeconfig to write> [--scenario ID] [--incident-after SECONDS] [--speed N] [--pods N] [--no-tls]
//   [--viewer NS]
// Writes the kubeconfig once it listens, and runs until its standard input ends.
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>

#include "alidade/simulator/simulator.hpp"

int main(int argc, char** argv) {
    using namespace alidade::simulator;
    if (argc < 2)
        return 2;
    SimulatorOptions options;
    for (int i = 2; i < argc; ++i) {
        const std::string word = argv[i];
        const std::string value = i + 1 < argc ? argv[i + 1] : "";
        if (word == "--no-tls") {
            options.tls = false;
            continue;
        }
        if (word == "--scenario")
            options.scenario = value;
        else if (word == "--incident-after")
            options.incidentAfterSeconds = std::strtod(value.c_str(), nullptr);
        else if (word == "--speed")
            options.speed = std::strtod(value.c_str(), nullptr);
        else if (word == "--pods")
            options.pods = std::atoi(value.c_str());
        else if (word == "--viewer")
            options.users.push_back(
                {"viewer", {{{"get", "list", "watch"}, {"", "apps"}, {"pods", "pods/log", "deployments"}, {value}}}});
        else {
            std::fprintf(stderr, "unknown option %s\n", word.c_str());
            return 2;
        }
        ++i;
    }
    auto simulator = Simulator::start(options);
    if (!simulator) {
        std::fprintf(stderr, "%s\n", simulator.error().text().c_str());
        return 1;
    }
    std::ofstream(std::string(argv[1]) + ".part") << (*simulator)->kubeconfig();
    if (std::rename((std::string(argv[1]) + ".part").c_str(), argv[1]) != 0)
        return 1;
    std::string line;
    while (std::getline(std::cin, line)) {
    }
    return 0;
}
