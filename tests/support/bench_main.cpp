// SPDX-License-Identifier: GPL-3.0-or-later
// The main of every benchmark: runs it, then holds what was measured against the budgets file.
//
// A line of the file:  <benchmark name> <metric> <= or >= <limit>
//   name    as Google Benchmark prints it, up to its arguments, without spaces
//   metric  real_ms or cpu_ms (per iteration), or the name of a counter (bytes_per_second, peak_mib, ...)
// Every benchmark needs at least one budget, and every budget of this executable a measurement. Where the machine is
// shared, ALIDADE_BENCH_SLACK (1 unless set) widens the limits of times and rates by that factor, and says so.
#include <benchmark/benchmark.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace {

struct Budget {
    std::string name;
    std::string metric;
    std::string relation;
    double limit = 0;
};

class Collector : public benchmark::ConsoleReporter {
public:
    std::map<std::string, std::map<std::string, double>> measured;
    bool failed = false;

    Collector() : benchmark::ConsoleReporter(OO_Tabular) {}

    void ReportRuns(const std::vector<Run>& runs) override {
        for (const Run& run : runs) {
            if (run.error_occurred) {
                std::fprintf(stderr, "%s failed: %s\n", run.benchmark_name().c_str(), run.error_message.c_str());
                failed = true;
            } else if (run.run_type == Run::RT_Iteration && run.iterations > 0) {
                // Repetitions: the best one, since disturbance only ever adds time.
                const double iterations = static_cast<double>(run.iterations);
                keep(run, "real_ms", run.real_accumulated_time / iterations * 1e3, false);
                keep(run, "cpu_ms", run.cpu_accumulated_time / iterations * 1e3, false);
                for (const auto& [name, counter] : run.counters) {
                    keep(run, name, counter.value, (counter.flags & benchmark::Counter::kIsRate) != 0);
                }
            }
        }
        ConsoleReporter::ReportRuns(runs);
    }

private:
    void keep(const Run& run, const std::string& metric, double value, bool moreIsBetter) {
        const auto& name = run.run_name; // without what the benchmark asks of its runs: time, repetitions
        auto& metrics = measured[name.function_name + (name.args.empty() ? "" : "/" + name.args)];
        const auto [place, isNew] = metrics.emplace(metric, value);
        if (!isNew && (moreIsBetter ? value > place->second : value < place->second)) {
            place->second = value;
        }
    }
};

bool endsWith(const std::string& text, const std::string& end) {
    return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

std::vector<Budget> readBudgets(const char* path) {
    std::vector<Budget> budgets;
    std::ifstream file(path);
    std::string line;
    while (std::getline(file, line)) {
        if (line.empty() || line[0] == '#') {
            continue;
        }
        std::istringstream fields(line);
        Budget budget;
        fields >> budget.name >> budget.metric >> budget.relation >> budget.limit;
        if (fields.fail() || (budget.relation != "<=" && budget.relation != ">=")) {
            std::fprintf(stderr, "%s: cannot read '%s'\n", path, line.c_str());
            std::exit(2);
        }
        budgets.push_back(budget);
    }
    return budgets;
}

} // namespace

int main(int argc, char** argv) {
    const bool whole = argc == 1; // a filter leaves budgets without a measurement, and that is all right then
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) {
        return 2;
    }
    Collector collector;
    if (benchmark::RunSpecifiedBenchmarks(&collector) == 0) {
        std::fprintf(stderr, "no benchmark ran\n");
        return 1;
    }

    const char* slackText = std::getenv("ALIDADE_BENCH_SLACK");
    const double slack = slackText != nullptr ? std::atof(slackText) : 1.0;
    if (!(slack >= 1.0)) {
        std::fprintf(stderr, "ALIDADE_BENCH_SLACK must be 1 or more\n");
        return 2;
    }
    std::printf("\nbudgets%s%s\n", slack > 1.0 ? ", those of times and rates widened by the factor " : "",
                slack > 1.0 ? slackText : "");
    bool ok = !collector.failed;
    std::set<std::string> budgeted;
    for (const Budget& budget : readBudgets(ALIDADE_BUDGETS)) {
        // A budget belongs to this executable when its benchmark is of the executable's family.
        const std::string family = ALIDADE_BENCH_NAME + std::string("/");
        if (budget.name.compare(0, family.size(), family) != 0) {
            continue;
        }
        const std::string name = budget.name.substr(family.size());
        budgeted.insert(name);
        const auto run = collector.measured.find(name);
        if (run == collector.measured.end()) {
            if (whole) {
                std::printf("  MISSING  %s: no such measurement\n", budget.name.c_str());
                ok = false;
            }
            continue;
        }
        const auto value = run->second.find(budget.metric);
        if (value == run->second.end() || !std::isfinite(value->second)) {
            std::printf("  MISSING  %s has no metric %s\n", budget.name.c_str(), budget.metric.c_str());
            ok = false;
            continue;
        }
        const bool isTime = endsWith(budget.metric, "_ms") || endsWith(budget.metric, "_per_second");
        const double factor = isTime ? slack : 1.0;
        const bool held =
            budget.relation == "<=" ? value->second <= budget.limit * factor : value->second >= budget.limit / factor;
        std::printf("  %-7s  %s %s: %.4g (%s %.4g)\n", held ? "held" : "BROKEN", budget.name.c_str(),
                    budget.metric.c_str(), value->second, budget.relation.c_str(), budget.limit);
        ok = ok && held;
    }
    for (const auto& [name, metrics] : collector.measured) {
        if (budgeted.count(name) == 0) {
            std::printf("  MISSING  %s/%s has no budget\n", ALIDADE_BENCH_NAME, name.c_str());
            ok = false;
        }
    }
    return ok ? 0 : 1;
}
