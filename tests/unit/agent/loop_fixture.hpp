// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Runs of the hardened loop over a fake cluster and desk, in leaping time.
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "alidade/agent/run.hpp"
#include "fake_cluster.hpp"
#include "fake_desk.hpp"
#include "loop/loop.hpp"

namespace alidade::test {

using agent::RunState;
using guard::RunEventKind;
using guard::RunOutcome;
using guard::Step;

class LoopFixture : public testing::Test {
protected:
    LoopFixture() {
        addNamespace(reader());
        options.pollInterval = guard::Millis{1'000};
    }
    FakeReader& reader() { return *session->fake; }

    agent::Incident incident() const {
        agent::Incident out;
        out.id = "inc-1";
        out.title = "test";
        out.ns = "shop";
        out.about = about;
        return out;
    }
    agent::RunPorts ports() {
        agent::RunPorts out;
        out.session = session;
        out.desk = desk;
        out.clock = clock;
        out.onChange = [this](const std::shared_ptr<const RunState>& state) {
            if (onChange)
                onChange(*state);
        };
        out.notify = notify;
        return out;
    }
    /// One run to its end, on this thread.
    std::shared_ptr<const RunState> run(agent::Minds minds = {}) {
        const agent::RunPorts given = ports();
        agent::Trail trail(incident(), session->about.context, clock, given.onChange);
        agent::Loop(trail, options, given, std::move(minds)).run(stop.get_token());
        auto out = trail.snapshot();
        expectOrderly(*out);
        return out;
    }
    /// What holds for every run.
    static void expectOrderly(const RunState& state) {
        ASSERT_FALSE(state.events.empty());
        for (std::size_t i = 0; i < state.events.size(); ++i) {
            EXPECT_EQ(state.events[i].sequence, static_cast<int>(i) + 1);
            EXPECT_EQ(state.events[i].kind == RunEventKind::Done, i + 1 == state.events.size())
                << state.events[i].title;
        }
        EXPECT_TRUE(state.outcome.has_value());
        EXPECT_EQ(state.events.back().outcome, state.outcome);
    }
    static std::vector<Step> steps(const RunState& state) {
        std::vector<Step> out;
        for (const guard::RunEvent& event : state.events)
            if (out.empty() || out.back() != event.step)
                out.push_back(event.step);
        return out;
    }
    static std::size_t count(const RunState& state, RunEventKind kind) {
        return static_cast<std::size_t>(std::count_if(state.events.begin(), state.events.end(),
                                                      [&](const auto& event) { return event.kind == kind; }));
    }
    static std::string text(const RunState& state) {
        std::string out;
        for (const guard::RunEvent& event : state.events)
            out += std::string(name(event.step)) + " " + std::string(name(event.kind)) + " " + event.title + " | " +
                   event.detail + "\n";
        return out;
    }
    /// The cluster heals once the change has been executed.
    void healAfterRollback() {
        desk->script = [this](const guard::Draft&, const FakeDesk::Say& say) {
            say(FakeDesk::proposed());
            healed = true;
            FakeDesk::approveAndExecute(say, guard::WriteOutcome::Kind::Done, 2);
        };
        reader().onGet = [this](json& object) {
            if (!healed || object["metadata"]["name"] != "checkout")
                return;
            object["metadata"]["generation"] = 2;
            object["status"] = {
                {"observedGeneration", 2}, {"replicas", 3}, {"readyReplicas", 3}, {"updatedReplicas", 3}};
        };
    }

    std::shared_ptr<FakeSession> session = std::make_shared<FakeSession>();
    std::shared_ptr<FakeDesk> desk = std::make_shared<FakeDesk>();
    std::shared_ptr<LeapingClock> clock = std::make_shared<LeapingClock>();
    std::stop_source stop;
    agent::RunOptions options;
    std::optional<guard::ObjectRef> about;
    std::function<void(const RunState&)> onChange;
    std::function<void(const RunState&)> notify;
    std::atomic<bool> healed{false};
};

} // namespace alidade::test
