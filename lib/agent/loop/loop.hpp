// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The hardened loop, top to bottom: trigger, gather, redact, diagnose, quality gate, plan, action gate, approve,
// execute, verify, notify. Every way out is an outcome of exactly one Done. Must not know windows, terminals or
// providers. Thread: the run's.
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "alidade/agent/run.hpp"
#include "alidade/guard/breaker.hpp"
#include "alidade/guard/gates.hpp"
#include "gather/gather.hpp"
#include "loop/desk_talk.hpp"
#include "loop/diagnoser.hpp"
#include "loop/heal_watch.hpp"
#include "loop/trail.hpp"

namespace alidade::agent {

class Loop {
public:
    Loop(Trail& trail, const RunOptions& options, const RunPorts& ports, Minds minds);
    /// Ends with trail.done().
    void run(const std::stop_token& stop);

private:
    struct End {
        guard::RunOutcome outcome;
        std::string title;
        std::string detail;
    };
    [[nodiscard]] End work();
    [[nodiscard]] std::optional<End> gather();
    void redact(const Reading& reading);
    void diagnose();
    /// nullopt: grounded_ is set.
    [[nodiscard]] std::optional<End> qualityGate();
    [[nodiscard]] std::optional<End> afterDiagnosis();
    [[nodiscard]] std::optional<End> actionGate();
    [[nodiscard]] End approve();
    [[nodiscard]] End execute(DeskTalk& talk);
    [[nodiscard]] End verify(const DeskTalk& talk);
    void notify(const End& end);

    [[nodiscard]] guard::Diagnosis ask(Diagnoser& diagnoser, bool& usable);
    [[nodiscard]] std::optional<guard::Review> review(const guard::Diagnosis& diagnosis);
    [[nodiscard]] DiagnoseInput input() const { return {gathered_.signals, analysis_, evidence_}; }
    void record(guard::Anomaly anomaly, const std::string& detail);
    void watchSuspect();
    std::optional<Sample> sample();
    /// Keeps a step visible for the configured time.
    void pace();
    [[nodiscard]] bool stopped() const { return stop_.stop_requested(); }
    [[nodiscard]] static End cancelled() { return {guard::RunOutcome::Cancelled, "Cancelled", {}}; }

    Trail& trail_;
    const RunOptions& options_;
    const RunPorts& ports_;
    Minds minds_;
    std::stop_token stop_;
    cluster::BlockingReader reader_;
    guard::Redactor redactor_;
    guard::EvidenceLedger evidence_;
    guard::Breaker breaker_;
    HealWatch heal_;
    Gathered gathered_;
    Analysis analysis_;
    guard::Diagnosis diagnosis_;
    std::optional<guard::Grounded<guard::Diagnosis>> grounded_;
    std::optional<guard::Validated<guard::Plan>> validated_;
};

} // namespace alidade::agent
