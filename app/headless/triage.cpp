// SPDX-License-Identifier: GPL-3.0-or-later
// alidadectl triage: one run; in a terminal it asks for approval, elsewhere it leaves a proposal that was not executed.
#include <cstdio>
#include <iostream>
#include <utility>
#include <variant>

#include <nlohmann/json.hpp>

#include "alidade/guard/input_gate.hpp"
#include "alidade/guard/json.hpp"
#include "alidade/guard/text.hpp"
#include "options.hpp"
#include "terminal.hpp"

namespace alidade::headless {

namespace {

using cluster::ConnectionState;
using guard::RunOutcome;

using Item = std::variant<std::shared_ptr<const agent::RunState>, guard::DeskEvent, ConnectionState>;

Exit exitOf(RunOutcome outcome) {
    switch (outcome) {
    case RunOutcome::Resolved:
    case RunOutcome::NoFault: return Exit::Ok;
    case RunOutcome::AwaitingApproval: return Exit::AwaitingApproval;
    case RunOutcome::Escalated:
    case RunOutcome::Blocked:
    case RunOutcome::Declined: return Exit::NotDone;
    case RunOutcome::Undetermined: return Exit::Undetermined;
    case RunOutcome::ExecutedNotVerified: return Exit::NotVerified;
    case RunOutcome::Cancelled: return Exit::Cancelled;
    case RunOutcome::Failed: return Exit::Error;
    }
    return Exit::Error;
}

/// One run in the terminal, from connecting to its end.
class TriageSession {
public:
    TriageSession(const Options& options, wiring::Workbench& bench)
        : options_(options), bench_(bench), wakeup_(std::make_shared<EventWakeup>()),
          mailbox_(std::make_shared<cluster::Mailbox<Item>>(wakeup_)) {}

    Exit run() {
        auto session = bench_.open(bench_.firstContext());
        if (!session)
            return complain(session.error());
        session_ = *session;
        connection_ = session_->observeConnection([box = mailbox_](const ConnectionState& state) { box->post(state); });
        while (!exit_) {
            const bool asking = proposal_ != nullptr && terminal_.interactive();
            const Terminal::Event event = terminal_.wait(*wakeup_, asking);
            if (event.interrupted)
                interrupt();
            if (event.line && proposal_)
                answer(*event.line);
            if (event.inputEnded && proposal_)
                decline();
            for (Item& item : mailbox_->drain())
                std::visit([this](auto& value) { take(value); }, item);
        }
        observer_.reset();
        run_.reset();
        return *exit_;
    }

private:
    void interrupt() {
        if (!run_)
            exit_ = Exit::Cancelled;
        else
            run_->cancel();
    }

    void take(const ConnectionState& state) {
        using Kind = ConnectionState::Kind;
        if (run_)
            return; // a run tells of lost sources itself, as gaps
        if (state.kind == Kind::Connected)
            start();
        else if (state.kind != Kind::Connecting)
            exit_ = complain(state.error.value_or(
                guard::Error(guard::ErrorCode::Unreachable, bench_.firstContext(), "no connection")));
    }

    void start() {
        const cluster::SessionInfo& info = session_->info();
        agent::Incident incident;
        incident.ns = info.ns;
        incident.openedAt = bench_.clock()->wall();
        incident.id = wiring::newIncidentId(incident.openedAt);
        incident.title = "Triage of namespace " + incident.ns;
        if (!options_.words.empty()) {
            auto target = wiring::parseTarget(options_.words.front(), info.ns);
            if (!target) {
                exit_ = complain(target.error());
                return;
            }
            incident.ns = target->ns;
            incident.title = "Triage of " + target->text();
            incident.about = guard::ObjectRef{*target, {}};
        }
        if (!options_.json) {
            std::cout << "alidade: context " << guard::visibleText(info.context) << ", namespace " << incident.ns
                      << (info.embedded ? " (embedded cluster)" : "") << (info.tlsVerified ? "" : ", TLS NOT VERIFIED")
                      << "\n"
                      << std::flush;
        }
        desk_ = bench_.deskFor(session_);
        if (desk_)
            observer_ = desk_->observe([box = mailbox_](const guard::DeskEvent& event) { box->post(event); });
        run_ = bench_.startRun(
            std::move(incident), session_, terminal_.interactive() && !options_.json, guard::Millis{0},
            [box = mailbox_](std::shared_ptr<const agent::RunState> state) { box->post(std::move(state)); });
    }

    void take(const std::shared_ptr<const agent::RunState>& state) {
        const bool interrupts = proposal_ && printed_ < state->events.size() && !options_.json;
        if (interrupts)
            std::cout << "\n"; // the question stands on the line
        for (; printed_ < state->events.size(); ++printed_) {
            const guard::RunEvent& event = state->events[printed_];
            if (options_.json)
                std::cout << guard::toJson(event).dump() << "\n";
            else
                std::cout << eventLine(event, terminal_);
        }
        std::cout << std::flush;
        if (interrupts && !state->outcome)
            prompt();
        if (!state->outcome || exit_)
            return;
        // What the run proposed is the desk's to tell; its word may come after the run's.
        if (*state->outcome == RunOutcome::AwaitingApproval && !content_) {
            leaving_ = true;
            return;
        }
        end(*state->outcome);
    }

    void end(RunOutcome outcome) {
        if (outcome == RunOutcome::AwaitingApproval)
            leaveProposal();
        exit_ = exitOf(outcome);
    }

    void take(const guard::DeskEvent& event) {
        if (const auto* proposed = std::get_if<guard::desk::Proposed>(&event.what)) {
            content_ = proposed->content;
            if (leaving_)
                return end(RunOutcome::AwaitingApproval);
            if (!terminal_.interactive() || options_.json)
                return;
            std::cout << proposalText(*content_);
            terminal_.flushInput();
            shownAt_ = bench_.clock()->now();
            proposal_ = content_;
            prompt();
        } else if (const auto* rejected = std::get_if<guard::desk::ApprovalRejected>(&event.what)) {
            std::cout << "Not approved: " << guard::visibleText(rejected->error.text()) << "\n";
            if (content_)
                proposal_ = content_;
            prompt();
        } else if (std::holds_alternative<guard::desk::Expired>(event.what)) {
            proposal_.reset();
        } else if (const auto* executed = std::get_if<guard::desk::Executed>(&event.what)) {
            for (const std::string& warning : executed->outcome.warnings)
                std::cout << "Server warning: " << guard::visibleText(warning) << "\n";
        }
    }

    void prompt() {
        std::cout << "Type the first 8 characters of the digest to approve";
        if (proposal_ && !proposal_->typedConfirmation.empty())
            std::cout << ", a blank, and " << guard::visibleText(proposal_->typedConfirmation);
        std::cout << "; n declines: " << std::flush;
    }

    void answer(const std::string& line) {
        if (line == "n" || line == "no")
            return decline();
        auto act = guard::TerminalGate::typed(*proposal_, line, shownAt_, bench_.clock()->now());
        if (!act) {
            std::cout << "That is not what was asked for. ";
            return prompt();
        }
        const guard::ProposalId id = proposal_->id;
        proposal_.reset();
        desk_->approve(id, std::move(*act));
    }

    void decline() {
        const guard::ProposalId id = proposal_->id;
        proposal_.reset();
        desk_->decline(id);
    }

    /// A proposal dies with its process: it is shown, and recorded as not executed.
    void leaveProposal() {
        if (options_.json) {
            std::cout << guard::toJson(*content_).dump() << "\n" << std::flush;
        } else {
            std::cout
                << proposalText(*content_)
                << "Not executed: nobody was here to approve it. Run alidadectl triage in a terminal, or the desktop "
                   "program, for a fresh proposal.\n"
                << std::flush;
        }
        if (bench_.ledger()) {
            const auto noted = bench_.ledger()->note(
                "proposal not executed",
                {{"digest", content_->digest},
                 {"context", content_->context},
                 {"what", content_->items.empty() ? std::string() : content_->items.front().action.summary()}});
            if (!noted)
                complain(noted.error());
        }
    }

    const Options& options_;
    wiring::Workbench& bench_;
    Terminal terminal_;
    std::shared_ptr<EventWakeup> wakeup_;
    std::shared_ptr<cluster::Mailbox<Item>> mailbox_;
    std::shared_ptr<cluster::ClusterSession> session_;
    std::shared_ptr<void> connection_;
    std::shared_ptr<guard::WriteDesk> desk_;
    std::shared_ptr<void> observer_;
    std::unique_ptr<agent::Run> run_;
    std::shared_ptr<const guard::ProposalContent> content_;  ///< the last one made
    std::shared_ptr<const guard::ProposalContent> proposal_; ///< waiting for an answer here
    guard::MonoTime shownAt_{};
    std::size_t printed_ = 0;
    bool leaving_ = false; ///< the run ended awaiting approval, and its proposal is still to be told
    std::optional<Exit> exit_;
};

} // namespace

Exit triage(const Options& options) {
    auto bench = makeWorkbench(options);
    if (!bench)
        return complain(bench.error());
    for (const std::string& warning : (*bench)->configWarnings())
        std::cerr << "alidadectl: left out of the kubeconfig: " << guard::visibleText(warning) << "\n";
    if ((*bench)->ledgerFault())
        std::cerr << "alidadectl: writes are disabled, the audit ledger cannot be written: "
                  << guard::visibleText((*bench)->ledgerFault()->text()) << "\n";
    return TriageSession(options, **bench).run();
}

} // namespace alidade::headless
