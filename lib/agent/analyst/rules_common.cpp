// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyst/rules.hpp"

namespace alidade::agent {

Conclusion conclude(std::string_view rule, int baseWeight, double confidence, const WorkloadView& workload,
                    std::string explanation) {
    Conclusion out;
    out.finding.rule = std::string(rule);
    out.finding.primary = workload.ref;
    out.finding.explanation = std::move(explanation);
    out.finding.weight = baseWeight + (workload.impaired() ? weight::impaired : weight::harmless);
    const bool down = workload.signal != nullptr && workload.signal->desired > 0 && workload.signal->ready == 0;
    out.finding.severity = !workload.impaired() ? guard::Severity::Info
                           : down               ? guard::Severity::Critical
                                                : guard::Severity::Warning;
    out.confidence = confidence;
    return out;
}

void relate(Conclusion& conclusion, const Group& group) {
    for (const Hit& hit : group.hits)
        conclusion.finding.related.push_back(hit.pod->ref);
}

std::optional<TellingLine> tellingLine(const Case& facts, const Hit& hit) {
    std::optional<TellingLine> last;
    for (const guard::LogSignal* log : facts.logs(hit)) {
        std::string_view rest = log->text;
        std::string_view telling;
        std::string_view any;
        while (!rest.empty()) {
            const std::size_t end = rest.find('\n');
            const std::string_view line = rest.substr(0, end);
            rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
            if (line.find_first_not_of(" \t\r") == std::string_view::npos)
                continue;
            any = line;
            if (holdsAny(line, {"error", "fatal", "panic", "exception", "failed", "refused", "not found", "denied",
                                "cannot", "missing", "no such"}))
                telling = line;
        }
        if (!telling.empty())
            return TellingLine{std::string(telling), log->evidence};
        if (!any.empty() && !last)
            last = TellingLine{std::string(any), log->evidence};
    }
    return last;
}

} // namespace alidade::agent
