// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The only way to another program: program and argument list, never a command line. Implemented once, in
// lib/cluster/process_runner.cpp.
#include <cstddef>
#include <map>
#include <stop_token>
#include <string>
#include <vector>

#include "alidade/guard/clock.hpp"
#include "alidade/guard/result.hpp"

namespace alidade::guard {

struct ProcessRequest {
    std::string program;                 ///< a path, or a bare name looked up in PATH
    std::vector<std::string> arguments;
    std::map<std::string, std::string> environment;  ///< added to ours
    std::string workingDirectory;
    std::string input;                   ///< written to standard input, which is then closed
    Millis timeout{30'000};
    std::size_t maxOutputBytes = 1024UL * 1024;
};
struct ProcessResult {
    int exitCode = 0;
    bool killedBySignal = false;
    std::string output;
    std::string errorOutput;  ///< bounded like output
};

/// Thread-safe; blocks the calling thread (never GUI or I/O).
class ProcessRunner {
public:
    virtual ~ProcessRunner() = default;
    [[nodiscard]] virtual Result<ProcessResult> run(const ProcessRequest& request, std::stop_token stop) = 0;
};

}  // namespace alidade::guard
