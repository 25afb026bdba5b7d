// SPDX-License-Identifier: GPL-3.0-or-later
// Probes that say no to a container that runs.
#include "analyst/rules.hpp"

namespace alidade::agent {
namespace {

struct Probe {
    std::string_view rule;
    std::string_view word; ///< how the kubelet's event begins
    std::string_view field;
    std::string_view effect;
};
constexpr std::array probes{
    Probe{"probe.startup", "Startup probe failed", ".startupProbe", "it is killed before it is up"},
    Probe{"probe.liveness", "Liveness probe failed", ".livenessProbe", "it is killed again and again"},
    Probe{"probe.readiness", "Readiness probe failed", ".readinessProbe", "it gets no traffic"},
};

bool mayFail(const guard::PodSignal&, const guard::ContainerSignal& c) {
    if (c.init || c.ready || c.lastReason == "OOMKilled")
        return false;
    return c.state == "running" || (c.state == "waiting" && c.reason == "CrashLoopBackOff");
}

} // namespace

void probeRules(const Case& facts, std::vector<Conclusion>& out) {
    for (const Group& group : facts.groups(mayFail)) {
        const guard::ContainerSignal& container = group.container();
        // A container that ends by itself fails its probes too; then the crash is the cause.
        const bool killed = container.restarts > 0 && (container.lastExitCode == 137 || container.lastExitCode == 143);
        if (container.state == "waiting" && !killed)
            continue;
        for (const Probe& probe : probes) {
            const bool kills = probe.rule != "probe.readiness";
            const guard::EventSignal* event = nullptr;
            for (const Hit& hit : group.hits)
                if (event == nullptr)
                    event = facts.event(hit.pod->ref, {probe.word});
            if (event == nullptr || (kills && !killed))
                continue;
            Conclusion conclusion = conclude(probe.rule, weight::probe, 0.75, *group.workload,
                                             "The " + group.where() + " runs, but its probe fails (" +
                                                 std::string(probe.word) + "): " + std::string(probe.effect));
            conclusion.finding.claims.push_back(
                facts.claim("The kubelet reported: " + event->message, {event->evidence}, {event->message}));
            conclusion.finding.claims.push_back(facts.claim(
                group.where() + (kills ? " was restarted " + count(static_cast<std::size_t>(container.restarts), "time")
                                       : " is not ready"),
                {group.pod().evidence},
                {kills ? "\"restartCount\": " + std::to_string(container.restarts) : std::string("\"ready\": false")}));
            conclusion.finding.nextChecks.emplace_back(
                "Compare the probe's path, port and times with what the program serves");
            relate(conclusion, group);
            auto remedy = Case::remedy(*group.workload, [&](const guard::TemplateChange& change) {
                return ofContainer(change, container) && (change.field.find(probe.field) != std::string::npos ||
                                                          change.field.find(".ports") != std::string::npos);
            });
            if (!remedy) {
                remedy =
                    Case::remedy(*group.workload, [&](const auto& change) { return ofContainer(change, container); });
                if (remedy && !remedy->seenHealthy)
                    remedy.reset();
            }
            facts.blameTemplate(conclusion, *group.workload, remedy);
            out.push_back(std::move(conclusion));
            break;
        }
    }
}

} // namespace alidade::agent
