// SPDX-License-Identifier: GPL-3.0-or-later
#include "options.hpp"

#include <charconv>
#include <functional>
#include <iostream>
#include <map>

#include "alidade/guard/text.hpp"

namespace alidade::headless {

using guard::ErrorCode;
using guard::fail;
using guard::Result;

Result<Options> parseOptions(const std::vector<std::string>& arguments) {
    Options options;
    const std::map<std::string, bool*> flags{{"--help", &options.help},
                                             {"-h", &options.help},
                                             {"--version", &options.version},
                                             {"--json", &options.json},
                                             {"--demo", &options.demo}};
    std::string port;
    const std::map<std::string, std::string*> values{{"--scenario", &options.scenario},
                                                     {"--context", &options.context},
                                                     {"--namespace", &options.ns},
                                                     {"-n", &options.ns},
                                                     {"--kubeconfig", &options.kubeconfig},
                                                     {"--ledger", &options.ledger},
                                                     {"--output", &options.output},
                                                     {"-o", &options.output},
                                                     {"--port", &port}};
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const std::string& word = arguments[i];
        if (!word.starts_with('-') || word == "-") {
            if (options.verb.empty())
                options.verb = word;
            else
                options.words.push_back(word);
            continue;
        }
        const std::size_t equals = word.find('=');
        const std::string name = word.substr(0, equals);
        if (const auto flag = flags.find(name); flag != flags.end() && equals == std::string::npos) {
            *flag->second = true;
            continue;
        }
        const auto value = values.find(name);
        if (value == values.end())
            return fail(ErrorCode::Config, word, "unknown option; see alidadectl --help");
        if (equals != std::string::npos)
            *value->second = word.substr(equals + 1);
        else if (i + 1 < arguments.size())
            *value->second = arguments[++i];
        else
            return fail(ErrorCode::Config, word, "needs a value");
    }
    if (!port.empty()) {
        const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), options.port);
        if (error != std::errc() || end != port.data() + port.size() || options.port < 0 || options.port > 65535)
            return fail(ErrorCode::Config, "--port " + port, "must be a number from 0 to 65535");
    }
    return options;
}

std::string usage() {
    return R"(alidadectl - incident workbench for Kubernetes, without a screen

  alidadectl triage [[NAMESPACE/]KIND/NAME]   investigate; in a terminal, asks before it changes anything
  alidadectl drill [SCENARIO]                 the same incident through an unguarded and the guarded loop
  alidadectl simulate [SCENARIO]              run an embedded cluster; prints its kubeconfig, ends on Ctrl+C
  alidadectl ledger verify [FILE]             check the audit ledger's chain
  alidadectl describe KIND NAME               an object with its events, as kubectl describe tells it
  alidadectl graph [KIND NAME]                what depends on what, around an object or in the namespace

Options
  --demo               the embedded cluster, whatever the kubeconfig says
  --scenario NAME      of the embedded cluster
  --context NAME       of the kubeconfig (default: the current one)
  --kubeconfig FILE    instead of KUBECONFIG or ~/.kube/config
  -n, --namespace NS   instead of the context's
  --ledger FILE        the audit ledger to write or verify
  --port N             for simulate (default: any free one)
  --json               machine-readable lines
  -o, --output FORMAT  of describe: text, json; of graph: table, json, dot
  --help, --version

Exit codes: 0 resolved, no fault or valid; 1 error; 3 awaiting approval; 4 escalated, blocked or declined;
            5 undetermined; 6 executed but not verified; 130 cancelled
)";
}

Result<std::unique_ptr<wiring::Workbench>> makeWorkbench(const Options& options) {
    wiring::WorkbenchOptions bench;
    bench.environment = wiring::processEnvironment();
    auto settings = wiring::loadSettings(wiring::Paths::of(bench.environment).settingsFile());
    if (!settings)
        return tl::unexpected(settings.error());
    bench.demo = options.demo;
    if (!options.scenario.empty())
        bench.scenario = options.scenario;
    if (!options.kubeconfig.empty())
        bench.kubeconfig = {options.kubeconfig};
    bench.context = options.context;
    bench.ns = options.ns;
    bench.ledgerFile = options.ledger;
    bench.incidentAtStart = true;
    bench.demoWhenNothing = false; // a script must never take the embedded cluster's incident for its own
    auto made = wiring::Workbench::create(std::move(bench), std::move(*settings));
    if (made && (*made)->configFault()) {
        guard::Error error = *(*made)->configFault();
        error.detail += " The embedded cluster is there with --demo.";
        return tl::unexpected(std::move(error));
    }
    return made;
}

Exit complain(const guard::Error& error) {
    std::cerr << "alidadectl: " << guard::visibleText(error.text()) << "\n";
    return Exit::Error;
}

} // namespace alidade::headless
