// SPDX-License-Identifier: GPL-3.0-or-later
#include "alidade/cluster_writer/desk.hpp"

#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <thread>

#include "ports.hpp"
#include "writer.hpp"

namespace alidade::cluster {

using namespace writer;
using guard::DeskEvent;
using guard::DeskSink;
using guard::ErrorCode;
using guard::ProposalId;
using guard::Ticket;

namespace {
/// Ends with its handle: no call begins after the handle is gone, and dropping it waits for one that runs.
struct Observer {
    explicit Observer(DeskSink s) : sink(std::move(s)) {}
    std::recursive_mutex mutex;
    DeskSink sink;
    void call(const DeskEvent& event) {
        const std::lock_guard lock(mutex);
        if (sink)
            sink(event);
    }
    void end() {
        const std::lock_guard lock(mutex);
        sink = nullptr;
    }
};

class Desk final : public guard::WriteDesk {
public:
    Desk(std::shared_ptr<TransportSession> session, std::shared_ptr<guard::Ledger> ledger,
         std::shared_ptr<const guard::Clock> clock, DeskOptions options)
        : writer_(std::make_shared<Writer>(session, clock)), session_(std::move(session)), ledger_(std::move(ledger)),
          clock_(std::move(clock)), options_(std::move(options)) {
        if (!ledger_)
            auditFault_ = guard::Error(ErrorCode::Io, "ledger", "there is no audit ledger: writes are disabled");
        thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
    }
    ~Desk() override {
        thread_.request_stop();
        wake_.notify_all();
        thread_.join();
    }
    Desk(const Desk&) = delete;
    Desk& operator=(const Desk&) = delete;

    Ticket submit(guard::Draft draft, DeskSink sink) override {
        const Ticket ticket{nextTicket_.fetch_add(1)};
        post([this, ticket, draft = std::make_shared<guard::Draft>(std::move(draft)),
              sink = std::move(sink)]() mutable { handle(ticket, *draft, std::move(sink)); });
        return ticket;
    }
    void approve(ProposalId id, guard::HumanAct act) override {
        post([this, id, act = std::make_shared<guard::HumanAct>(std::move(act))] { approved(id, std::move(*act)); });
    }
    void decline(ProposalId id) override {
        post([this, id] {
            const auto found = pending_.find(id);
            if (found == pending_.end())
                return;
            note("declined", found->second);
            emit({found->second.ticket, guard::desk::Declined{id}});
            forget(found);
        });
    }
    void dismiss(ProposalId id) override {
        post([this, id] {
            const auto found = pending_.find(id);
            if (found != pending_.end())
                emit({found->second.ticket, guard::desk::Dismissed{id}});
        });
    }
    std::shared_ptr<void> observe(DeskSink sink) override {
        auto observer = std::make_shared<Observer>(std::move(sink));
        post([this, weak = std::weak_ptr(observer)] {
            const auto alive = weak.lock();
            if (!alive)
                return;
            observers_.push_back(weak);
            for (const auto& [id, entry] : pending_) {
                alive->call({entry.ticket, entry.drafted});
                alive->call({entry.ticket, guard::desk::Proposed{entry.proposal.content()}});
            }
        });
        return {observer.get(), [observer](void*) { observer->end(); }};
    }
    guard::Brake& brake() noexcept override { return brake_; }
    std::optional<guard::Error> auditFault() const override {
        const std::lock_guard lock(faultMutex_);
        return auditFault_;
    }

private:
    struct Entry {
        Ticket ticket;
        guard::Proposal proposal;
        guard::desk::Drafted drafted;
    };
    using Entries = std::map<ProposalId, Entry>;

    void post(std::function<void()> command) {
        {
            const std::lock_guard lock(mutex_);
            commands_.push_back(std::move(command));
        }
        wake_.notify_all();
    }

    void run(const std::stop_token& stop) {
        while (!stop.stop_requested()) {
            std::function<void()> command;
            {
                std::unique_lock lock(mutex_);
                // Proposals expire by the clock that was passed in, which may be a manual one: it is looked at, not
                // waited for.
                const auto filled = [this] { return !commands_.empty(); };
                if (pending_.empty())
                    wake_.wait(lock, stop, filled);
                else
                    wake_.wait_for(lock, stop, guard::Millis{100}, filled);
                if (!commands_.empty()) {
                    command = std::move(commands_.front());
                    commands_.pop_front();
                }
            }
            if (stop.stop_requested())
                return;
            expire();
            if (command)
                command();
        }
    }

    void expire() {
        for (auto it = pending_.begin(); it != pending_.end();) {
            const auto next = std::next(it);
            if (clock_->now() >= it->second.proposal.content()->expiresAt) {
                note("expired", it->second);
                emit({it->second.ticket, guard::desk::Expired{it->first}});
                forget(it);
            }
            it = next;
        }
    }

    void emit(const DeskEvent& event) {
        if (const auto own = sinks_.find(event.ticket); own != sinks_.end() && own->second)
            own->second(event);
        std::erase_if(observers_, [](const std::weak_ptr<Observer>& weak) { return weak.expired(); });
        for (const std::weak_ptr<Observer>& weak : std::vector(observers_))
            if (const auto observer = weak.lock())
                observer->call(event);
    }
    void forget(Entries::iterator entry) {
        sinks_.erase(entry->second.ticket);
        pending_.erase(entry);
    }
    void setFault(guard::Error error) {
        const std::lock_guard lock(faultMutex_);
        if (!auditFault_)
            auditFault_ = std::move(error);
    }

    void note(const char* kind, const Entry& entry) {
        if (!ledger_)
            return;
        const guard::ProposalContent& content = *entry.proposal.content();
        std::string actions;
        for (const guard::ProposalItem& item : content.items)
            actions += (actions.empty() ? "" : "; ") + item.action.summary();
        const auto written = ledger_->note(kind, {{"proposal", std::to_string(content.id.value)},
                                                  {"digest", content.digest},
                                                  {"context", content.context},
                                                  {"incident", content.provenance.incident},
                                                  {"origin", std::string(guard::name(content.provenance.origin))},
                                                  {"actions", actions}});
        if (!written)
            setFault(written.error());
    }

    void refuse(Ticket ticket, guard::WriteRefusal refusal) {
        emit({ticket, guard::desk::Refused{std::move(refusal)}});
        sinks_.erase(ticket);
    }

    void handle(Ticket ticket, const guard::Draft& draft, DeskSink sink) {
        sinks_[ticket] = std::move(sink);
        const SessionInfo& info = session_->info();
        const guard::desk::Drafted drafted{draft.plan(), draft.provenance(), draft.epoch(), info.context};
        emit({ticket, drafted});
        if (const std::optional<guard::Error> fault = auditFault()) {
            guard::Verdict verdict;
            verdict.gate = "write";
            verdict.checks.push_back({"audit", false, "writes are disabled: " + fault->text()});
            verdict.reasons.push_back(verdict.checks.back().reason);
            return refuse(ticket, {std::move(verdict), fault});
        }
        guard::WriteGatePolicy policy;
        policy.context = info.context;
        policy.protectedLists = options_.protectedLists;
        policy.readOnly = options_.readOnly;
        policy.epoch = info.epoch;
        Ports ports(writer_);
        const ProposalId id{++lastProposal_};
        tl::expected<guard::Proposal, guard::WriteRefusal> checked =
            guard::WriteGate::check(draft, ports, policy, brake_, *clock_, id);
        if (!checked) {
            const std::string why =
                checked.error().verdict.reasons.empty() ? "refused" : checked.error().verdict.reasons.front();
            const auto written = ledger_->note(
                "refused", {{"context", info.context}, {"incident", draft.provenance().incident}, {"why", why}});
            if (!written)
                setFault(written.error());
            return refuse(ticket, std::move(checked.error()));
        }
        const auto content = checked->content();
        const auto entry = pending_.emplace(id, Entry{ticket, std::move(*checked), drafted}).first;
        note("proposed", entry->second);
        emit({ticket, guard::desk::Proposed{content}});
    }

    void approved(ProposalId id, guard::HumanAct act) {
        const auto found = pending_.find(id);
        if (found == pending_.end())
            return;
        const Ticket ticket = found->second.ticket;
        if (const std::optional<guard::Error> fault = auditFault()) {
            emit({ticket, guard::desk::ApprovalRejected{id, *fault}});
            return;
        }
        auto yes =
            guard::approve(std::move(found->second.proposal), std::move(act), session_->info().epoch, clock_->now());
        if (!yes) {
            found->second.proposal = std::move(yes.error().second);
            emit({ticket, guard::desk::ApprovalRejected{id, yes.error().first}});
            return;
        }
        // The proposal is spent: whatever happens now, it cannot be approved again.
        pending_.erase(found);
        guard::Approved approval = std::move(*yes);
        bool allDone = true;
        bool first = true;
        while (std::optional<guard::ApprovedItem> item = approval.next()) {
            if (first)
                emit({ticket, guard::desk::Approved{id, item->how()}});
            first = false;
            const std::size_t index = item->index();
            guard::WriteOutcome outcome = perform(std::move(*item));
            const bool done = outcome.kind == guard::WriteOutcome::Kind::Done;
            emit({ticket, guard::desk::Executed{id, index, std::move(outcome)}});
            if (!done) {
                allDone = false;
                break;
            }
        }
        emit({ticket, guard::desk::Finished{id, allDone}});
        sinks_.erase(ticket);
    }

    guard::WriteOutcome perform(guard::ApprovedItem item) {
        guard::Result<guard::Audited> audited = ledger_->intent(std::move(item));
        if (!audited) {
            setFault(audited.error());
            guard::WriteOutcome outcome;
            outcome.kind = guard::WriteOutcome::Kind::NotSent;
            outcome.error = audited.error();
            outcome.detail = "the audit record could not be written: nothing was sent";
            return outcome;
        }
        const std::uint64_t intent = audited->intentSequence();
        guard::WriteOutcome outcome = writer_->execute(std::move(*audited), brake_);
        if (const auto written = ledger_->outcome(intent, outcome); !written)
            setFault(written.error());
        return outcome;
    }

    std::shared_ptr<Writer> writer_;
    std::shared_ptr<TransportSession> session_;
    std::shared_ptr<guard::Ledger> ledger_;
    std::shared_ptr<const guard::Clock> clock_;
    DeskOptions options_;
    guard::Brake brake_;
    std::atomic<std::uint64_t> nextTicket_{1};

    mutable std::mutex faultMutex_;
    std::optional<guard::Error> auditFault_;

    std::mutex mutex_;
    std::condition_variable_any wake_;
    std::deque<std::function<void()>> commands_;

    // The write thread's own.
    std::uint64_t lastProposal_ = 0;
    Entries pending_;
    std::map<Ticket, DeskSink> sinks_;
    std::vector<std::weak_ptr<Observer>> observers_;
    std::jthread thread_;
};
} // namespace

guard::Result<std::shared_ptr<guard::WriteDesk>> makeWriteDesk(std::shared_ptr<ClusterSession> session,
                                                               std::shared_ptr<guard::Ledger> ledger,
                                                               std::shared_ptr<const guard::Clock> clock,
                                                               DeskOptions options) {
    auto transport = std::dynamic_pointer_cast<TransportSession>(session);
    if (!transport || !clock)
        return guard::fail(ErrorCode::Internal, "write desk", "the session has no transport of its own");
    return std::make_shared<Desk>(std::move(transport), std::move(ledger), std::move(clock), std::move(options));
}

} // namespace alidade::cluster
