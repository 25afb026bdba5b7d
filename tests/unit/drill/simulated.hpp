// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A scenario of the simulator behind a real session, in virtual time, with a desk that carries rollbacks out in
// process.
#include <memory>
#include <mutex>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "alidade/cluster/open.hpp"
#include "alidade/simulator/simulator.hpp"
#include "fake_desk.hpp"

namespace alidade::test {

/// Waiting moves the simulated world.
class WorldClock final : public guard::Clock {
public:
    explicit WorldClock(simulator::Simulator& world) : world_(world), begun_(world.now()) {}
    [[nodiscard]] guard::MonoTime now() const override { return guard::MonoTime{world_.now() - begun_}; }
    [[nodiscard]] guard::WallTime wall() const override { return world_.now(); }
    bool sleepUntil(guard::MonoTime until, std::stop_token stop) const override {
        if (stop.stop_requested())
            return false;
        if (const auto left = until - now(); left > left.zero())
            world_.advance(std::chrono::ceil<guard::Millis>(left));
        return true;
    }

private:
    simulator::Simulator& world_;
    guard::WallTime begun_;
};

struct SimulatedCluster {
    std::unique_ptr<simulator::Simulator> world;
    std::shared_ptr<WorldClock> clock;
    std::shared_ptr<cluster::ClusterSession> session;
    std::shared_ptr<FakeDesk> desk = std::make_shared<FakeDesk>();

    explicit SimulatedCluster(const std::string& scenario) {
        simulator::SimulatorOptions options;
        options.scenario = scenario;
        options.realTime = false;
        options.incidentAfterSeconds = -150;
        auto started = simulator::Simulator::start(options);
        if (!started) {
            ADD_FAILURE() << started.error().text();
            return;
        }
        world = std::move(*started);
        clock = std::make_shared<WorldClock>(*world);
        const auto config = cluster::Kubeconfig::parse(world->kubeconfig(), "simulator", "/");
        if (!config) {
            ADD_FAILURE() << config.error().text();
            return;
        }
        cluster::OpenOptions open;
        open.epoch = {1};
        open.embedded = true;
        auto opened =
            cluster::openSession(*config, open, std::make_shared<guard::SystemClock>(), cluster::makeProcessRunner());
        if (!opened) {
            ADD_FAILURE() << opened.error().text();
            return;
        }
        session = std::move(*opened);
        desk->script = [this](const guard::Draft& draft, const FakeDesk::Say& say) {
            say(FakeDesk::proposed());
            say(guard::desk::Approved{{1}, "pointer"});
            guard::WriteOutcome outcome;
            outcome.kind = rollBack(draft.plan().actions.at(0), outcome.observedGeneration)
                               ? guard::WriteOutcome::Kind::Done
                               : guard::WriteOutcome::Kind::Failed;
            say(guard::desk::Executed{{1}, 0, outcome});
            say(guard::desk::Finished{{1}, outcome.kind == guard::WriteOutcome::Kind::Done});
        };
    }
    /// Restores the revision's template.
    bool rollBack(const guard::Action& action, std::int64_t& generation) const {
        const auto* rollback = std::get_if<guard::Rollback>(&action.change);
        const cluster::BlockingReader reader(session->reader());
        const auto revisions = reader.revisions(action.target, {});
        if (rollback == nullptr || !revisions)
            return false;
        for (const cluster::Revision& revision : revisions->partial())
            if (revision.number == rollback->toRevision) {
                const auto shape = nlohmann::json::parse(revision.templateJson);
                const bool done = world
                                      ->mutate("apps", "deployments", action.target.key.ns, action.target.key.name,
                                               [&](nlohmann::json& object) { object["spec"]["template"] = shape; })
                                      .has_value();
                if (const auto now = world->get("apps", "deployments", action.target.key.ns, action.target.key.name))
                    generation = (*now)["metadata"].value("generation", 0);
                return done;
            }
        return false;
    }
};

} // namespace alidade::test
