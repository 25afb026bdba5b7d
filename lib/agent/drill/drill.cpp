// SPDX-License-Identifier: GPL-3.0-or-later
#include "alidade/drill/drill.hpp"

#include <algorithm>
#include <map>

#include "alidade/cluster_model/json_read.hpp"
#include "script.hpp"

namespace alidade::drill {
namespace {

using guard::RunEventKind;
using guard::RunOutcome;
using guard::Step;
using nlohmann::json;
namespace kinds = guard::kinds;
namespace read = cluster::read;

constexpr std::size_t listLimit = 500;
constexpr std::size_t logsRead = 12;
constexpr guard::Millis settle{20'000}; ///< for controllers and kubelets to follow the change

/// What is compared before and after: replicas of Deployments, ready endpoints of Services.
struct Shape {
    std::map<std::string, std::pair<int, int>> deployments; ///< name -> wanted, ready
    std::map<std::string, int> endpoints;                   ///< Service -> ready addresses
};

class Naive {
public:
    Naive(const NaiveSide& side, const guard::Clock& clock, const std::function<void(const guard::RunEvent&)>& onEvent,
          std::stop_token stop)
        : side_(side), reader_(side.reader), clock_(clock), onEvent_(onEvent), stop_(std::move(stop)),
          ns_(side.world.scenario().ns), begun_(clock.now()) {}

    guard::Result<NaiveReport> run() {
        emit(RunEventKind::Step, Step::Trigger, "Unguarded run: " + side_.world.scenario().title,
             "This loop follows a script; no model is asked. It has no redaction, no gates and no failure handling.");
        Prompt prompt;
        const Shape before = shape();
        if (auto gathered = gather(prompt); !gathered)
            return tl::unexpected(gathered.error());
        const ScriptedAnswer answer = scriptedAnswer(prompt);
        report_.trusted = answer.says;
        leaks(prompt);
        emit(RunEventKind::Step, Step::Diagnose, answer.says,
             "Scripted answer, confidence " + std::to_string(static_cast<int>(answer.confidence * 100 + 0.5)) +
                 " %. Trusted as it stands: nothing was cited, checked or reviewed.");
        if (stop_.stop_requested())
            return guard::fail(guard::ErrorCode::Cancelled, "naive run", "stopped before it did anything");
        if (!answer.deployment.empty()) {
            const auto changed = act(answer);
            emitAction(answer, changed ? "Done at once, on nobody's word" : changed.error().text());
        }
        side_.world.advance(settle);
        harm(before, shape());
        emit(RunEventKind::Done, Step::Execute, "Declared resolved without looking",
             std::to_string(report_.damage.size()) + " facts of damage were read back from the cluster afterwards");
        return std::move(report_);
    }

private:
    void emit(RunEventKind kind, Step step, std::string title, std::string detail) {
        guard::RunEvent event;
        event.kind = kind;
        event.step = step;
        event.title = std::move(title);
        event.detail = std::move(detail);
        if (kind == RunEventKind::Done)
            event.outcome = RunOutcome::Resolved;
        send(std::move(event));
    }
    void emitAction(const ScriptedAnswer& answer, std::string detail) {
        guard::RunEvent event;
        event.kind = RunEventKind::Action;
        event.step = Step::Execute;
        guard::Action action;
        action.target = {{kinds::deployments(), ns_, answer.deployment}, ""};
        if (answer.remove)
            action.change = guard::Delete{};
        else
            action.change = guard::Scale{0};
        event.title = "Executed: " + action.summary();
        event.action = std::move(action);
        event.detail = std::move(detail);
        send(std::move(event));
    }
    void send(guard::RunEvent event) {
        event.sequence = static_cast<int>(report_.events.size()) + 1;
        event.at = clock_.wall();
        event.duration = std::chrono::duration_cast<guard::Millis>(clock_.now() - begun_);
        report_.events.push_back(event);
        if (onEvent_)
            onEvent_(event);
    }

    [[nodiscard]] std::vector<json> list(const guard::KindId& kind) const {
        std::vector<json> out;
        if (const auto answer = reader_.list(kind, {ns_, "", ""}, listLimit, stop_))
            for (const auto& object : answer->partial()) // naive: whatever came is taken for everything
                out.push_back(object.value());
        return out;
    }

    guard::Result<void> gather(Prompt& prompt) {
        const auto pods = reader_.list(kinds::pods(), {ns_, "", ""}, listLimit, stop_);
        if (!pods)
            return tl::unexpected(pods.error());
        prompt.deployments = list(kinds::deployments());
        for (const auto& pod : pods->partial())
            prompt.pods.push_back(pod.value());
        for (const json& pod : prompt.pods) {
            if (prompt.logs.size() == logsRead || stop_.stop_requested())
                break;
            cluster::LogOptions options;
            options.container = firstContainer(pod);
            const std::string name = read::text(pod, {"metadata", "name"});
            if (auto text = reader_.logs({kinds::pods(), ns_, name}, options, stop_))
                prompt.logs.push_back({"log of pod " + name, std::move(*text).value().text});
        }
        emit(RunEventKind::Step, Step::Gather,
             std::to_string(prompt.pods.size()) + " pods and " + std::to_string(prompt.logs.size()) + " logs, raw",
             "The logs go into the prompt as they are.");
        return {};
    }
    static std::string firstContainer(const json& pod) {
        std::string out;
        read::each(read::path(pod, {"spec", "containers"}), [&](const json& container, std::size_t i) {
            if (i == 0)
                out = read::text(container, "name");
        });
        return out;
    }

    /// What the guard's redactor would have kept back: rule and place, never the value.
    void leaks(const Prompt& prompt) {
        const guard::Redactor redactor;
        for (const Prompt::Text& log : prompt.logs) {
            const auto redacted = redactor.text(guard::Raw<std::string>(log.text));
            std::map<std::string, std::pair<std::size_t, std::string>> rules; // how often, and where first
            for (const guard::Mask& mask : redacted.masks()) {
                auto& [times, first] = rules[mask.rule];
                if (times++ == 0)
                    first = mask.path;
            }
            for (const auto& [rule, seen] : rules)
                report_.leaked.push_back(rule + " in the " + log.place + ", " + seen.second +
                                         (seen.first > 1 ? " and " + std::to_string(seen.first - 1) + " more" : ""));
        }
    }

    guard::Result<void> act(const ScriptedAnswer& answer) {
        if (answer.remove)
            return side_.world.remove("apps", "deployments", ns_, answer.deployment);
        return side_.world.mutate("apps", "deployments", ns_, answer.deployment,
                                  [](json& object) { object["spec"]["replicas"] = 0; });
    }

    [[nodiscard]] Shape shape() const {
        Shape out;
        for (const json& each : list(kinds::deployments())) {
            const json* spec = read::member(each, "spec");
            const json* status = read::member(each, "status");
            out.deployments[read::text(each, {"metadata", "name"})] = {
                spec == nullptr ? 1 : read::number(*spec, "replicas", 1),
                status == nullptr ? 0 : read::number(*status, "readyReplicas")};
        }
        for (const json& slice : list(kinds::endpointSlices())) {
            const json* labels = read::path(slice, {"metadata", "labels"});
            const std::string service = labels == nullptr ? "" : read::text(*labels, "kubernetes.io/service-name");
            if (service.empty())
                continue;
            int& ready = out.endpoints[service];
            read::each(slice, "endpoints", [&](const json& endpoint, std::size_t) {
                const json* conditions = read::member(endpoint, "conditions");
                if (conditions == nullptr || read::flag(*conditions, "ready"))
                    ++ready;
            });
        }
        return out;
    }

    void harm(const Shape& before, const Shape& after) {
        const std::string where = "namespace " + ns_;
        for (const auto& [name, was] : before.deployments) {
            const auto now = after.deployments.find(name);
            const std::string target = "deployment " + ns_ + "/" + name;
            if (now == after.deployments.end())
                report_.damage.push_back({target + " is gone", where});
            else if (now->second.first < was.first)
                report_.damage.push_back({target + " is scaled to " + std::to_string(now->second.first) + ", was " +
                                              std::to_string(was.first),
                                          where});
        }
        for (const auto& [name, was] : before.endpoints) {
            const auto now = after.endpoints.find(name);
            if (was > 0 && (now == after.endpoints.end() || now->second == 0))
                report_.damage.push_back(
                    {"service " + ns_ + "/" + name + " has no ready endpoint, had " + std::to_string(was), where});
        }
    }

    const NaiveSide& side_;
    cluster::BlockingReader reader_;
    const guard::Clock& clock_;
    const std::function<void(const guard::RunEvent&)>& onEvent_;
    std::stop_token stop_;
    std::string ns_;
    guard::MonoTime begun_;
    NaiveReport report_;
};

} // namespace

guard::Result<NaiveReport> runNaive(const NaiveSide& side, const guard::Clock& clock,
                                    const std::function<void(const guard::RunEvent&)>& onEvent, std::stop_token stop) {
    return Naive(side, clock, onEvent, std::move(stop)).run();
}

std::unique_ptr<agent::Run> startHardened(const HardenedSide& side, const simulator::ScenarioInfo& scenario,
                                          agent::RunOptions options, std::shared_ptr<const guard::Clock> clock,
                                          std::function<void(std::shared_ptr<const agent::RunState>)> onChange) {
    agent::Incident incident;
    incident.id = "drill-" + scenario.id;
    incident.title = scenario.title;
    incident.ns = scenario.ns;
    incident.openedAt = clock->wall();
    agent::RunPorts ports;
    ports.session = side.session;
    ports.desk = side.desk;
    ports.clock = std::move(clock);
    ports.onChange = std::move(onChange);
    return agent::Run::start(std::move(incident), std::move(options), std::move(ports));
}

} // namespace alidade::drill
