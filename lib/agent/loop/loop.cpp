// SPDX-License-Identifier: GPL-3.0-or-later
#include "loop/loop.hpp"

#include <algorithm>
#include <exception>

namespace alidade::agent {

using guard::RunOutcome;
using guard::Step;

namespace {

std::string_view word(Trigger trigger) {
    switch (trigger) {
    case Trigger::Manual: return "by hand";
    case Trigger::EventRule: return "by an event rule";
    case Trigger::Webhook: return "by a webhook";
    case Trigger::CustomResource: return "by a custom resource";
    case Trigger::Rest: return "over REST";
    case Trigger::Chat: return "from chat";
    }
    return "";
}

/// One line for all sources with one reason: where nothing can be read, that is one fact.
std::string gapLines(const std::vector<guard::Gap>& gaps) {
    std::vector<std::pair<std::string, std::string>> lines; // reason, sources
    for (const guard::Gap& gap : gaps) {
        const std::string reason = std::string(name(gap.coverage)) + ", " + gap.reason;
        const auto same =
            std::find_if(lines.begin(), lines.end(), [&](const auto& line) { return line.first == reason; });
        if (same == lines.end())
            lines.emplace_back(reason, gap.source);
        else
            same->second += "; " + gap.source;
    }
    std::string out;
    for (const auto& [reason, sources] : lines)
        out += (out.empty() ? "" : "\n") + sources + ": " + reason;
    return out;
}

std::vector<guard::EvidenceRef> refsOf(const guard::Diagnosis& diagnosis) {
    std::vector<guard::EvidenceRef> out;
    for (const guard::Claim& claim : diagnosis.claims)
        out.insert(out.end(), claim.refs.begin(), claim.refs.end());
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
}

std::string percent(double share) { return std::to_string(static_cast<int>(share * 100 + 0.5)) + " %"; }

bool wantsPerson(RunOutcome outcome) {
    switch (outcome) {
    case RunOutcome::Resolved:
    case RunOutcome::ExecutedNotVerified:
    case RunOutcome::Escalated:
    case RunOutcome::Blocked:
    case RunOutcome::Undetermined:
    case RunOutcome::Failed: return true;
    case RunOutcome::NoFault:
    case RunOutcome::AwaitingApproval:
    case RunOutcome::Declined:
    case RunOutcome::Cancelled: return false;
    }
    return true;
}

} // namespace

Loop::Loop(Trail& trail, const RunOptions& options, const RunPorts& ports, Minds minds)
    : trail_(trail), options_(options), ports_(ports), minds_(std::move(minds)), reader_(ports.session->reader()),
      heal_(reader_, ports.clock) {}

void Loop::run(const std::stop_token& stop) {
    stop_ = stop;
    End end{RunOutcome::Failed, "The run failed", {}};
    try {
        end = work();
    } catch (const std::exception& fault) {
        end.detail = fault.what();
    }
    if (wantsPerson(end.outcome))
        notify(end);
    trail_.done(end.outcome, end.title, end.detail);
}

Loop::End Loop::work() {
    trail_.begin(Step::Trigger);
    const Incident& incident = trail_.state().incident;
    trail_.step("Opened " + std::string(word(incident.trigger)) + ": " +
                    (incident.about ? incident.about->key.text() : "namespace " + incident.ns),
                "Bound to context " + trail_.state().context + ", namespace " + incident.ns);
    pace();
    if (stopped())
        return cancelled();
    if (auto end = gather())
        return *end;
    diagnose();
    if (stopped())
        return cancelled();
    if (auto end = qualityGate())
        return *end;
    if (auto end = afterDiagnosis())
        return *end;
    if (auto end = actionGate())
        return *end;
    return approve();
}

std::optional<Loop::End> Loop::gather() {
    trail_.begin(Step::Gather);
    const Reading reading =
        readNamespace(reader_, ports_.session->info(), trail_.state().incident, ports_.clock->wall(), stop_);
    if (stopped())
        return cancelled();
    const std::size_t gaps = reading.gaps.size() + reading.otherGaps.size();
    std::vector<guard::Gap> all = reading.gaps;
    all.insert(all.end(), reading.otherGaps.begin(), reading.otherGaps.end());
    trail_.step(
        std::to_string(reading.reads) + " reads, " +
            (gaps == 0 ? std::string("every source complete") : std::to_string(gaps) + (gaps == 1 ? " gap" : " gaps")),
        gapLines(all));
    pace();

    trail_.begin(Step::Redact);
    redact(reading);
    pace();
    return stopped() ? std::optional(cancelled()) : std::nullopt;
}

void Loop::redact(const Reading& reading) {
    gathered_ = makeSignals(reading, trail_.state().incident, options_.protectedLists, redactor_, evidence_);
    std::size_t places = 0;
    std::string rules;
    for (const auto& [rule, count] : gathered_.masks) {
        places += count;
        rules += (rules.empty() ? "" : ", ") + rule + " " + std::to_string(count);
    }
    trail_.change([&](RunState& state) {
        state.evidence = evidence_.all();
        state.gaps = gathered_.gaps;
    });
    trail_.step(places == 0 ? "Nothing had to be masked"
                            : std::to_string(places) + (places == 1 ? " place masked" : " places masked"),
                rules);
}

guard::Diagnosis Loop::ask(Diagnoser& diagnoser, bool& usable) {
    usable = false;
    if (breaker_.open())
        return {};
    auto answer = diagnoser.diagnose(input(), stop_);
    if (answer) {
        answer->source = diagnoser.name();
        usable = true;
        return std::move(*answer);
    }
    if (stopped())
        return {};
    const bool malformed = answer.error().code == guard::ErrorCode::Protocol;
    trail_.fallback(diagnoser.name() + (malformed ? " gave no diagnosis that can be read" : " could not be asked") +
                        "; the analyst's diagnosis is used",
                    answer.error().detail);
    record(malformed ? guard::Anomaly::MalformedOutput : guard::Anomaly::ProviderFailure, answer.error().detail);
    return {};
}

void Loop::diagnose() {
    trail_.begin(Step::Diagnose);
    analysis_ = analyse(gathered_.signals, evidence_, trail_.state().incident.about);
    diagnosis_ = analysis_.diagnosis;
    if (minds_.model) {
        bool usable = false;
        guard::Diagnosis answer = ask(*minds_.model, usable);
        if (usable)
            diagnosis_ = std::move(answer);
    }
    if (stopped())
        return;
    trail_.change([&](RunState& state) {
        state.findings = analysis_.findings;
        state.diagnosis = diagnosis_;
    });
    watchSuspect();
    trail_.step(diagnosis_.hypothesis,
                diagnosis_.outcome == guard::DiagnosisOutcome::Fault
                    ? "Confidence " + percent(diagnosis_.confidence) + ", by " + diagnosis_.source
                    : "By " + diagnosis_.source,
                refsOf(diagnosis_));
    pace();
}

std::optional<guard::Review> Loop::review(const guard::Diagnosis& diagnosis) {
    if (minds_.judge && !breaker_.open()) {
        auto answer = minds_.judge->review(diagnosis, input(), stop_);
        if (answer)
            return std::move(*answer);
        trail_.fallback("The judge could not be asked; the rules decide alone, not reviewed", answer.error().detail);
        return std::nullopt;
    }
    if (diagnosis.source == analysis_.diagnosis.source)
        return std::nullopt;
    // The analyst is another source than a model: it agrees where its own suspect is the same.
    const guard::Diagnosis& own = analysis_.diagnosis;
    const bool agrees = own.outcome == diagnosis.outcome &&
                        (own.suspect.has_value() == diagnosis.suspect.has_value()) &&
                        (!own.suspect || own.suspect->key == diagnosis.suspect->key);
    return guard::Review{agrees, own.source,
                         agrees ? "comes to the same suspect" : "comes to another result: " + own.hypothesis};
}

std::optional<Loop::End> Loop::qualityGate() {
    trail_.begin(Step::QualityGate);
    for (bool rerouted = false;; rerouted = true) {
        auto result = guard::QualityGate::check(diagnosis_, gathered_.signals, evidence_, review(diagnosis_));
        if (stopped())
            return cancelled();
        trail_.change([&](RunState& state) { state.diagnosis = result.marked; });
        trail_.gate(result.verdict);
        if (result.grounded) {
            diagnosis_ = result.marked;
            grounded_ = std::move(result.grounded);
            pace();
            return std::nullopt;
        }
        record(guard::Anomaly::FailedGate, "quality gate");
        if (breaker_.open())
            return End{RunOutcome::Escalated, "The breaker is open; a person has to look", {}};
        bool usable = false;
        if (!rerouted && minds_.stronger) {
            trail_.fallback("Asking " + minds_.stronger->name() + " again, once",
                            "The quality gate refused the diagnosis");
            guard::Diagnosis again = ask(*minds_.stronger, usable);
            if (stopped())
                return cancelled();
            if (usable) {
                diagnosis_ = std::move(again);
                watchSuspect();
            }
        }
        if (!usable)
            return End{RunOutcome::Escalated, "The diagnosis did not pass the quality gate; a person has to look",
                       diagnosis_.hypothesis};
    }
}

std::optional<Loop::End> Loop::afterDiagnosis() {
    const guard::Diagnosis& diagnosis = grounded_->value();
    if (diagnosis.outcome == guard::DiagnosisOutcome::NoFault)
        return End{RunOutcome::NoFault, "No fault found", diagnosis.hypothesis};
    if (diagnosis.outcome == guard::DiagnosisOutcome::Undetermined)
        return End{RunOutcome::Undetermined, "Undetermined", diagnosis.hypothesis};

    trail_.begin(Step::Plan);
    if (!diagnosis.recommended) {
        std::string next;
        for (const guard::Finding& finding : analysis_.findings)
            if (diagnosis.suspect && finding.primary == *diagnosis.suspect)
                for (const std::string& check : finding.nextChecks)
                    next += (next.empty() ? "" : "\n") + check;
        trail_.step("No typed action mends this", next);
        pace();
        return End{RunOutcome::Escalated, "A person has to act",
                   diagnosis.hypothesis + (next.empty() ? "" : "\n" + next)};
    }
    const guard::Plan plan{{*diagnosis.recommended}, diagnosis.hypothesis};
    trail_.change([&](RunState& state) { state.plan = plan; });
    trail_.step("Plan: " + diagnosis.recommended->summary());
    pace();
    return stopped() ? std::optional(cancelled()) : std::nullopt;
}

std::optional<Loop::End> Loop::actionGate() {
    trail_.begin(Step::ActionGate);
    const cluster::SessionInfo& info = ports_.session->info();
    const guard::ActionGate::Input gateInput{
        gathered_.signals, options_.protectedLists, info.context, {trail_.state().incident.ns}, info.epoch, info.epoch};
    auto result = guard::ActionGate::check(*grounded_, *trail_.state().plan, gateInput);
    trail_.gate(result.verdict);
    if (!result.validated) {
        const guard::Action action = trail_.state().plan->actions.front();
        trail_.blocked(action, result.verdict);
        record(guard::Anomaly::FailedGate, "action gate");
        return End{RunOutcome::Blocked, "Blocked by the action gate; a person has to decide",
                   result.verdict.reasons.empty() ? std::string() : result.verdict.reasons.front()};
    }
    validated_ = std::move(result.validated);
    pace();
    return stopped() ? std::optional(cancelled()) : std::nullopt;
}

void Loop::record(guard::Anomaly anomaly, const std::string& detail) {
    if (breaker_.record(anomaly, detail))
        trail_.breaker("The breaker opened after " + std::to_string(breaker_.spent()) + " anomalies",
                       "Last: " + std::string(name(anomaly)) + ", " + detail);
}

/// The chart's signal is the suspect's; its first point is what was gathered.
void Loop::watchSuspect() {
    const std::optional<guard::ObjectRef>& about = trail_.state().incident.about;
    std::optional<guard::ObjectRef> wanted = diagnosis_.suspect ? diagnosis_.suspect : about;
    for (const guard::PodSignal& pod : gathered_.signals.pods)
        if (wanted && pod.ref.key == wanted->key && !pod.workload.key.name.empty())
            wanted = pod.workload;
    const auto workload = std::find_if(gathered_.signals.workloads.begin(), gathered_.signals.workloads.end(),
                                       [&](const auto& each) { return wanted && each.ref.key == wanted->key; });
    if (workload == gathered_.signals.workloads.end() || (heal_.target() && heal_.target()->key == workload->ref.key))
        return;
    heal_.watch(workload->ref);
    trail_.change([](RunState& state) { state.signal.clear(); });
    (void)sample();
}

std::optional<Sample> Loop::sample() {
    auto found = heal_.read(stop_);
    if (found && found->present)
        trail_.change([&](RunState& state) { state.signal.push_back(found->point); });
    return found;
}

void Loop::pace() {
    while (!stopped() && ports_.clock->now() < trail_.begunAt() + options_.pace) {
        const auto until =
            std::min<guard::MonoTime>(trail_.begunAt() + options_.pace, ports_.clock->now() + options_.pollInterval);
        if (ports_.clock->sleepUntil(until, stop_) && until < trail_.begunAt() + options_.pace)
            (void)sample();
    }
}

void Loop::notify(const End& end) {
    trail_.begin(Step::Notify);
    if (!ports_.notify) {
        trail_.step("No notifier is configured", end.title);
        return;
    }
    RunState told = trail_.state();
    told.outcome = end.outcome;
    try {
        ports_.notify(told);
        trail_.step("Notified", end.title);
    } catch (const std::exception& fault) {
        trail_.step("The notification failed", fault.what());
    }
}

} // namespace alidade::agent
