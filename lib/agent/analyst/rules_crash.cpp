// SPDX-License-Identifier: GPL-3.0-or-later
// Containers that end by themselves: the command cannot be run, or what runs gives up.
#include <algorithm>

#include "analyst/rules.hpp"

namespace alidade::agent {
namespace {

bool crashing(const guard::PodSignal&, const guard::ContainerSignal& c) {
    if (c.lastReason == "OOMKilled" || c.reason == "OOMKilled")
        return false; // the memory rules' own
    if (c.state == "waiting")
        return c.reason == "CrashLoopBackOff" || c.reason == "RunContainerError" ||
               c.reason == "CreateContainerError" || c.reason == "StartError" || c.reason == "PostStartHookError" ||
               c.reason == "ContainerCannotRun";
    if (c.state == "terminated")
        return c.exitCode != 0;
    return c.restarts > 0 && !c.ready && c.lastExitCode != 0;
}

struct Ending {
    std::string reason;
    std::string message;
    int exitCode = 0;
};
Ending endingOf(const guard::ContainerSignal& c) {
    if (c.state == "terminated")
        return {c.reason, c.message, c.exitCode};
    if (!c.lastReason.empty() || c.lastExitCode != 0)
        return {c.lastReason, c.lastMessage.empty() ? c.message : c.lastMessage, c.lastExitCode};
    return {c.reason, c.message, 0};
}

bool ofCommand(const guard::TemplateChange& change) {
    for (const std::string_view part : {".command", ".args", ".image", ".workingDir"})
        if (change.field.find(part) != std::string::npos)
            return true;
    return false;
}

std::string endingText(const Ending& ending) {
    std::string out = "exit code " + std::to_string(ending.exitCode);
    if (!ending.reason.empty() && ending.reason != "Error")
        out += " (" + ending.reason + ")";
    return out;
}

void one(const Case& facts, const Group& group, std::vector<Conclusion>& out) {
    const guard::ContainerSignal& container = group.container();
    const Ending ending = endingOf(container);
    const auto line = tellingLine(facts, group.hits.front());
    const std::string said = ending.message + "\n" + container.message;
    const std::string log = line ? line->text : std::string();

    const bool wrongArchitecture = holdsAny(said + log, {"exec format error"});
    const bool noCommand = holdsAny(said, {"executable file not found", "no such file or directory", "exec: \"",
                                           "permission denied: unknown", "unable to start container process"}) ||
                           ending.exitCode == 127 || ending.exitCode == 126 || ending.reason == "StartError" ||
                           ending.reason == "ContainerCannotRun";
    const bool dependency = holdsAny(log, {"connection refused", "no such host", "could not connect", "dial tcp",
                                           "unknown host", "name or service not known", "econnrefused"});
    const bool panic = holdsAny(log, {"panic:", "segmentation fault", "traceback", "unhandled exception"});
    const bool finished =
        ending.exitCode == 0 && container.state == "waiting" && container.reason == "CrashLoopBackOff";

    std::string rule = "crash.application";
    std::string says = "its process ends with " + endingText(ending);
    int base = weight::crash;
    double confidence = 0.65;
    std::string next = "Read the whole log of the previous run";
    if (wrongArchitecture) {
        rule = "crash.wrong_architecture";
        says = "its program is built for another processor architecture";
        base = weight::command;
        confidence = 0.85;
        next = "Compare the image's platform with the node's";
    } else if (noCommand) {
        rule = "crash.bad_command";
        says = "its command cannot be run: " + endingText(ending);
        base = weight::command;
        confidence = 0.85;
        next = "Check command, args and working directory against what the image holds";
    } else if (finished) {
        rule = "crash.finishes";
        says = "its process ends with success at once, and is started again and again";
        next = "Check whether the command should stay in the foreground, or whether this is a Job";
    } else if (dependency) {
        rule = "crash.dependency";
        says = "it gives up because something it needs does not answer; " + endingText(ending);
        base = weight::crash - 5;
        confidence = 0.6;
        next = "Look at what it tries to reach, and at network policies between";
    } else if (panic) {
        rule = "crash.panic";
        says = "its program fails with an unhandled error; " + endingText(ending);
        confidence = 0.7;
    }

    Conclusion conclusion = conclude(rule, base, confidence, *group.workload, "In " + group.where() + " " + says);
    if (container.restarts > 0)
        conclusion.finding.explanation += "; restarted " + count(static_cast<std::size_t>(container.restarts), "time");
    conclusion.finding.claims.push_back(facts.claim(
        group.where() + ": " + (container.reason.empty() ? "not ready" : container.reason) + ", " + endingText(ending) +
            ", " + count(static_cast<std::size_t>(std::max(container.restarts, 0)), "restart"),
        {group.pod().evidence}, {container.reason, "\"exitCode\": " + std::to_string(ending.exitCode)}));
    if (!ending.message.empty())
        conclusion.finding.claims.push_back(
            facts.claim("The runtime reported: " + ending.message, {group.pod().evidence}, {ending.message}));
    if (line)
        conclusion.finding.claims.push_back(facts.claim("Its log says: " + line->text, {line->evidence}, {line->text}));
    conclusion.finding.nextChecks.push_back(std::move(next));
    relate(conclusion, group);

    // The command's own fault follows its change alone; a program that gives up is the template's fault only where an
    // older revision is seen to do well beside it.
    std::optional<Remedy> remedy;
    if (rule == "crash.bad_command" || rule == "crash.wrong_architecture")
        remedy = Case::remedy(*group.workload,
                              [&](const auto& change) { return ofContainer(change, container) && ofCommand(change); });
    else if (rule != "crash.dependency") {
        remedy = Case::remedy(*group.workload, [&](const auto& change) { return ofContainer(change, container); });
        if (remedy && !remedy->seenHealthy)
            remedy.reset();
    }
    facts.blameTemplate(conclusion, *group.workload, remedy);
    out.push_back(std::move(conclusion));
}

} // namespace

void commandRules(const Case& facts, std::vector<Conclusion>& out) {
    for (const Group& group : facts.groups(crashing))
        one(facts, group, out);
    // What restarted often and is well now is told, and never leads.
    for (const Group& group : facts.groups([](const guard::PodSignal&pod, const guard::ContainerSignal&c) {
             return c.restarts >= 3 && c.ready && c.lastReason != "OOMKilled" && !crashing(pod, c);
         })) {
        const guard::ContainerSignal& container = group.container();
        Conclusion conclusion = conclude(
            "restarts.noise", weight::restarts, 0.55, *group.workload,
            "The " + group.where() + " restarted " + count(static_cast<std::size_t>(container.restarts), "time") +
                " and is ready now; last exit code " + std::to_string(container.lastExitCode));
        conclusion.finding.severity = guard::Severity::Info;
        conclusion.finding.claims.push_back(
            facts.claim(group.where() + " restarted " + count(static_cast<std::size_t>(container.restarts), "time"),
                        {group.pod().evidence}, {"\"restartCount\": " + std::to_string(container.restarts)}));
        if (const auto line = tellingLine(facts, group.hits.front()))
            conclusion.finding.claims.push_back(
                facts.claim("Its log says: " + line->text, {line->evidence}, {line->text}));
        conclusion.finding.nextChecks.emplace_back("Read the log of its previous run");
        relate(conclusion, group);
        out.push_back(std::move(conclusion));
    }
}

} // namespace alidade::agent
