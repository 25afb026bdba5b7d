// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A write desk that answers as scripted, on a thread of its own like the real one.
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "alidade/guard/write_desk.hpp"

namespace alidade::test {

class FakeDesk final : public guard::WriteDesk {
public:
    using Say = std::function<void(decltype(guard::DeskEvent::what))>;
    /// Called on a thread of the desk's after each submit.
    std::function<void(const guard::Draft&, const Say&)> script;
    std::function<void(const Say&)> onDecline = [](const Say& say) { say(guard::desk::Declined{{1}}); };

    ~FakeDesk() override = default;
    guard::Ticket submit(guard::Draft draft, guard::DeskSink sink) override {
        const std::lock_guard lock(mutex_);
        plans.push_back(draft.plan());
        provenance.push_back(draft.provenance());
        sink_ = sink;
        say_ = [sink](decltype(guard::DeskEvent::what) what) { sink({{1}, std::move(what)}); };
        threads_.emplace_back([this, draft = std::move(draft), say = say_] {
            if (script)
                script(draft, say);
        });
        return {1};
    }
    void approve(guard::ProposalId, guard::HumanAct) override {}
    void decline(guard::ProposalId) override {
        const std::lock_guard lock(mutex_);
        ++declines;
        if (say_)
            threads_.emplace_back([this, say = say_] { onDecline(say); });
    }
    void dismiss(guard::ProposalId) override {}
    [[nodiscard]] std::shared_ptr<void> observe(guard::DeskSink) override { return nullptr; }
    [[nodiscard]] guard::Brake& brake() noexcept override { return brake_; }
    [[nodiscard]] std::optional<guard::Error> auditFault() const override { return std::nullopt; }

    [[nodiscard]] std::size_t submits() {
        const std::lock_guard lock(mutex_);
        return plans.size();
    }
    [[nodiscard]] int declined() {
        const std::lock_guard lock(mutex_);
        return declines;
    }

    static guard::desk::Proposed proposed() {
        auto content = std::make_shared<guard::ProposalContent>();
        content->id = {1};
        content->digest = std::string(64, 'a');
        return {content};
    }
    static void approveAndExecute(const Say& say, guard::WriteOutcome::Kind kind, std::int64_t generation = 0) {
        say(guard::desk::Approved{{1}, "pointer"});
        guard::WriteOutcome outcome;
        outcome.kind = kind;
        outcome.observedGeneration = generation;
        say(guard::desk::Executed{{1}, 0, outcome});
        say(guard::desk::Finished{{1}, kind == guard::WriteOutcome::Kind::Done});
    }

    std::vector<guard::Plan> plans;
    std::vector<guard::Provenance> provenance;
    int declines = 0;

private:
    std::mutex mutex_;
    guard::DeskSink sink_;
    Say say_;
    guard::Brake brake_;
    std::vector<std::jthread> threads_;
};

} // namespace alidade::test
