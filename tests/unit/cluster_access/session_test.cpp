// SPDX-License-Identifier: GPL-3.0-or-later
// openSession() from a kubeconfig to every read, against the simulated API server.
#include "alidade/cluster/open.hpp"
#include "alidade/simulator/simulator.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <future>

#include <nlohmann/json.hpp>

namespace alidade::cluster {
namespace {

using guard::ErrorCode;
using ::testing::HasSubstr;
using namespace std::chrono_literals;
namespace kinds = guard::kinds;

/// The scenario unfolded, no clock running.
class OpenSession : public ::testing::Test {
protected:
    void SetUp() override {
        simulator::SimulatorOptions options;
        options.realTime = false;
        options.incidentAfterSeconds = 1;
        options.users = {{"reader", {{{"get", "list", "watch"}, {"", "apps"}, {"pods", "deployments"}, {"shop"}}}}};
        auto started = simulator::Simulator::start(std::move(options));
        ASSERT_TRUE(started) << started.error().text();
        world_ = std::move(*started);
        world_->advance(5min);
    }
    std::shared_ptr<ClusterSession> open(const std::string& context = "") {
        const auto config = Kubeconfig::parse(world_->kubeconfig(), "the embedded cluster", "");
        EXPECT_TRUE(config) << (config ? "" : config.error().text());
        OpenOptions options;
        options.context = context;
        options.embedded = true;
        auto session = openSession(*config, options, std::make_shared<guard::SystemClock>(), makeProcessRunner());
        EXPECT_TRUE(session) << (session ? "" : session.error().text());
        return session ? *session : nullptr;
    }
    static nlohmann::json checkout(const BlockingReader& reader) {
        const auto deployment = reader.get(ObjectKey{kinds::deployments(), "shop", "checkout"}, {});
        EXPECT_TRUE(deployment) << (deployment ? "" : deployment.error().text());
        return deployment ? deployment->value() : nlohmann::json();
    }
    static ObjectRef refOf(const nlohmann::json& deployment) {
        return {ObjectKey{kinds::deployments(), "shop", "checkout"}, deployment["metadata"]["uid"].get<std::string>()};
    }

    std::unique_ptr<simulator::Simulator> world_;
};

TEST_F(OpenSession, connects_and_says_as_whom) {
    const auto session = open();
    ASSERT_TRUE(session);
    EXPECT_EQ(session->info().context, "demo");
    EXPECT_TRUE(session->info().tlsVerified);
    EXPECT_TRUE(session->info().embedded);
    const auto connected = std::make_shared<std::promise<void>>();
    const auto once = std::make_shared<std::once_flag>();
    const auto watch = session->observeConnection([connected, once](const ConnectionState& state) {
        if (state.kind == ConnectionState::Kind::Connected) {
            std::call_once(*once, [&] { connected->set_value(); });
        }
    });
    EXPECT_EQ(connected->get_future().wait_for(30s), std::future_status::ready);
}

TEST_F(OpenSession, may_be_let_go_by_an_answer_of_its_own) {
    for (int round = 0; round < 5; ++round) {
        auto session = open();
        ASSERT_TRUE(session);
        const auto reader = session->reader().get();
        const auto answered = std::make_shared<std::promise<void>>();
        // The last one to hold it is the callback, on the I/O thread, with the connection's own calls below it.
        reader->get(ObjectKey{kinds::deployments(), "shop", "checkout"},
                    [held = std::move(session), answered](const Result<guard::Raw<nlohmann::json>>& object) mutable {
                        EXPECT_TRUE(object);
                        held.reset();
                        answered->set_value();
                    });
        ASSERT_EQ(answered->get_future().wait_for(20s), std::future_status::ready);
    }
}

TEST_F(OpenSession, finds_kinds_and_lists_them) {
    const auto session = open();
    ASSERT_TRUE(session);
    const BlockingReader reader(session->reader());
    const auto catalog = reader.catalog({});
    ASSERT_TRUE(catalog) << catalog.error().text();
    for (const char* word :
         {"pods", "po", "deploy", "deployments.apps", "rs", "svc", "cm", "secrets", "no", "ns", "ev"}) {
        EXPECT_NE(catalog->partial().find(word), nullptr) << word;
    }
    const auto pods = reader.list(kinds::pods(), {"shop", "", ""}, 500, {});
    ASSERT_TRUE(pods) << pods.error().text();
    EXPECT_FALSE(pods->partial().empty());
    const auto typo = reader.list(kinds::pods(), {"shopp", "", ""}, 500, {});
    ASSERT_FALSE(typo);
    EXPECT_EQ(typo.error().detail, "namespace \"shopp\" not found");
}

TEST_F(OpenSession, tells_the_story_of_the_broken_rollout) {
    const auto session = open();
    ASSERT_TRUE(session);
    const BlockingReader reader(session->reader());
    const ObjectRef ref = refOf(checkout(reader));
    const auto revisions = reader.revisions(ref, {});
    ASSERT_TRUE(revisions) << revisions.error().text();
    ASSERT_GE(revisions->partial().size(), 2U);
    EXPECT_TRUE(revisions->partial()[0].current);
    EXPECT_GT(revisions->partial()[0].number, revisions->partial()[1].number);
    EXPECT_NE(revisions->partial()[0].images, revisions->partial()[1].images);
    EXPECT_THAT(revisions->partial()[0].templateJson, ::testing::Not(HasSubstr("pod-template-hash")));

    const auto text = reader.describe(ref.key, {});
    ASSERT_TRUE(text) << text.error().text();
    EXPECT_THAT(text->value(), HasSubstr("NewReplicaSet:"));
    EXPECT_THAT(text->value(), HasSubstr(revisions->partial()[0].images[0]));

    const auto pods = reader.list(kinds::pods(), {"shop", "app=checkout", ""}, 500, {});
    ASSERT_TRUE(pods);
    bool failing = false;
    bool running = false;
    for (const auto& pod : pods->partial()) {
        const auto& meta = pod.value()["metadata"];
        const ObjectRef about{ObjectKey{kinds::pods(), "shop", meta["name"].get<std::string>()},
                              meta["uid"].get<std::string>()};
        LogOptions options;
        options.tailLines = 10;
        const auto log = reader.logs(about.key, options, {});
        if (log) {
            running = true;
            continue;
        }
        EXPECT_EQ(log.error().code, ErrorCode::Unavailable);
        EXPECT_THAT(log.error().detail, HasSubstr("not started yet: "));
        const auto events = reader.events(about, {});
        ASSERT_TRUE(events) << events.error().text();
        failing = failing || std::any_of(events->partial().begin(), events->partial().end(),
                                         [](const EventRecord& event) { return event.reason == "Failed"; });
    }
    EXPECT_TRUE(failing);
    EXPECT_TRUE(running);
}

TEST_F(OpenSession, relates_the_deployment_to_its_pods) {
    const auto session = open();
    ASSERT_TRUE(session);
    const BlockingReader reader(session->reader());
    const auto graph = reader.relations(refOf(checkout(reader)), {"shop", "", ""}, 3, {});
    ASSERT_TRUE(graph) << graph.error().text();
    ASSERT_TRUE(graph->partial().root);
    const auto has = [&](const char* resource) {
        const auto& nodes = graph->partial().nodes;
        return std::any_of(nodes.begin(), nodes.end(),
                           [&](const GraphNode& node) { return node.ref.key.kind.resource == resource; });
    };
    EXPECT_TRUE(has("pods"));
    EXPECT_TRUE(has("replicasets"));
}

TEST_F(OpenSession, another_user_is_told_what_it_may_not) {
    const auto session = open("reader");
    ASSERT_TRUE(session);
    const BlockingReader reader(session->reader());
    EXPECT_TRUE(reader.list(kinds::pods(), {"shop", "", ""}, 5, {}));
    const auto secrets = reader.list(kinds::secrets(), {"shop", "", ""}, 5, {});
    ASSERT_FALSE(secrets);
    EXPECT_EQ(secrets.error().code, ErrorCode::Forbidden);
    EXPECT_THAT(secrets.error().text(), HasSubstr("the embedded cluster"));
    const auto denied = reader.access("patch", kinds::deployments(), "", "shop", "checkout", {});
    ASSERT_TRUE(denied) << denied.error().text();
    EXPECT_EQ(denied->access, guard::Access::Denied);
}

TEST_F(OpenSession, sessions_come_and_go) {
    for (int i = 0; i < 10; ++i) {
        const auto session = open();
        ASSERT_TRUE(session);
        session->reader()->catalog([](const Result<Answer<Catalog>>&) {}); // under way when the session ends
    }
}

} // namespace
} // namespace alidade::cluster
