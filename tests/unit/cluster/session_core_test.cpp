// SPDX-License-Identifier: GPL-3.0-or-later
// What a session does for all its sources: the budget of watches, the state of the connection, single objects.
#include "session_core.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "virtual_loop.hpp"

namespace alidade::cluster::test {
namespace {

using std::chrono::seconds;
using State = Freshness::State;
using Kind = ConnectionState::Kind;

class NoReader final : public ClusterReader {
public:
    void get(const ObjectKey&, Done<guard::Raw<nlohmann::json>>) override {}
    void list(const KindId&, const ListScope&, std::size_t, Done<Answer<std::vector<guard::Raw<nlohmann::json>>>>) override {}
    void events(const ObjectRef&, Done<Answer<std::vector<EventRecord>>>) override {}
    void logs(const ObjectKey&, const LogOptions&, Done<guard::Raw<guard::LogText>>) override {}
    void revisions(const ObjectRef&, Done<Answer<std::vector<Revision>>>) override {}
    void describe(const ObjectKey&, Done<guard::Raw<std::string>>) override {}
    void catalog(Done<Answer<Catalog>>) override {}
    void access(std::string, const KindId&, std::string, std::string, std::string, Done<guard::AccessReview>) override {}
    void relations(std::optional<ObjectRef>, const ListScope&, int, Done<Answer<Graph>>) override {}
};

class SessionCoreTest : public ::testing::Test {
protected:
    VirtualLoop loop;
    FakeTransport transport{loop};
    NoReader reader;
    std::unique_ptr<SessionCore> core;
    std::vector<ExchangePtr> watches;
    std::vector<ExchangePtr> lists;
    std::vector<ExchangePtr> pings;
    bool hangs = false;
    std::pair<int, std::string> version{200, R"({"gitVersion":"v1.31.2"})"};
    std::vector<ConnectionState> states;

    SessionCoreTest() {
        transport.serve = [this](ExchangePtr exchange) {
            if (hangs) {
                return;
            }
            if (exchange->has("/version")) {
                pings.push_back(exchange);
                exchange->answer(version.first, version.second);
            } else if (exchange->has("watch=true")) {
                if (exchange->has("sendInitialEvents")) {
                    exchange->answer(422, R"({"kind":"Status","code":422,"reason":"Invalid"})");
                    return;
                }
                watches.push_back(exchange);
                exchange->head(200);
            } else {
                lists.push_back(exchange);
                exchange->answer(200, listBody);
            }
        };
    }
    std::string listBody = R"({"kind":"PodList","metadata":{"resourceVersion":"5"},"items":[]})";
    void start(std::size_t maxWatches = 48) {
        SessionCore::Options options;
        options.maxWatches = maxWatches;
        core = std::make_unique<SessionCore>(loop.loop(), transport, reader, options);
        core->observe(9000, [this](const ConnectionState& state) { states.push_back(state); });
        core->start();
        loop.run();
    }
    std::shared_ptr<Mirror> subscribe(std::uint64_t handle, const std::string& ns) {
        auto mirror = std::make_shared<Mirror>();
        core->subscribe(handle, guard::kinds::pods(), {ns, "", ""}, mirror->mailbox, handle);
        return mirror;
    }
    static State stateOf(const std::shared_ptr<Mirror>& mirror) {
        mirror->drain();
        EXPECT_EQ(mirror->broken, "");
        return mirror->freshness.state;
    }
    [[nodiscard]] std::size_t openWatches() const {
        return static_cast<std::size_t>(std::count_if(watches.begin(), watches.end(), [](const ExchangePtr& w) { return w->open(); }));
    }
};

TEST_F(SessionCoreTest, OneWatchForAllSubscriptionsOfOneScope) {
    start();
    const auto a = subscribe(1, "shop");
    const auto b = subscribe(2, "shop");
    const auto c = subscribe(3, "other");
    loop.run(seconds(1));
    EXPECT_EQ(openWatches(), 2U);
    EXPECT_EQ(stateOf(a), State::Live);
    EXPECT_EQ(stateOf(b), State::Live);
    core->release(1);
    loop.run(seconds(1));
    EXPECT_EQ(openWatches(), 2U) << "another still looks";
    core->release(2);
    loop.run(seconds(1));
    EXPECT_EQ(openWatches(), 1U);
    EXPECT_EQ(stateOf(c), State::Live);
}

TEST_F(SessionCoreTest, RefusedStreamedListIsAskedForOnce) {
    start();
    (void)subscribe(1, "a");
    loop.run(seconds(1));
    (void)subscribe(2, "b");
    loop.run(seconds(1));
    EXPECT_EQ(transport.count("sendInitialEvents"), 1U);
}

TEST_F(SessionCoreTest, BeyondTheBudgetListsArePolledAndSaySo) {
    start(3);
    std::vector<std::shared_ptr<Mirror>> mirrors;
    for (int i = 0; i < 5; ++i) mirrors.push_back(subscribe(static_cast<std::uint64_t>(i + 1), "ns" + std::to_string(i)));
    loop.run(seconds(1));
    EXPECT_EQ(openWatches(), 3U);
    EXPECT_EQ(stateOf(mirrors[2]), State::Live);
    EXPECT_EQ(stateOf(mirrors[3]), State::Polling);
    EXPECT_EQ(stateOf(mirrors[4]), State::Polling);
    const std::size_t before = lists.size();
    loop.run(seconds(65));
    EXPECT_EQ(lists.size(), before + 4); // two kinds, every 30 s
    core->release(1);
    loop.run(seconds(1));
    EXPECT_EQ(openWatches(), 3U);
    EXPECT_EQ(stateOf(mirrors[3]), State::Live) << "a freed watch goes to the next in line";
    EXPECT_EQ(stateOf(mirrors[4]), State::Polling);
}

TEST_F(SessionCoreTest, ConnectionStateTellsVersionLossAndReturn) {
    start();
    ASSERT_EQ(states.size(), 2U);
    EXPECT_EQ(states[0].kind, Kind::Connecting);
    EXPECT_EQ(states[1].kind, Kind::Connected);
    EXPECT_EQ(states[1].serverVersion, "v1.31.2");
    const auto mirror = subscribe(1, "shop");
    loop.run(seconds(1));
    ASSERT_EQ(stateOf(mirror), State::Live);

    // Everything hangs without a byte or an end: a cable was pulled.
    hangs = true;
    loop.run(seconds(40));
    EXPECT_EQ(states.back().kind, Kind::Unreachable);
    ASSERT_TRUE(states.back().error);
    EXPECT_NE(stateOf(mirror), State::Live) << "what cannot be known to be current is not shown as current";
    EXPECT_TRUE(mirror->freshness.error);

    hangs = false;
    loop.run(seconds(40));
    EXPECT_EQ(states.back().kind, Kind::Connected);
    EXPECT_EQ(stateOf(mirror), State::Live);
    EXPECT_EQ(watches.back()->param("resourceVersion"), "5");
}

TEST_F(SessionCoreTest, WhatIsNoApiServerIsNoConnectionAndItsReturnIs) {
    for (const auto& [answer, kind] :
         {std::pair{std::pair{200, std::string("welcome")}, Kind::Failed},
          std::pair{std::pair{503, std::string("no healthy upstream")}, Kind::Unreachable},
          std::pair{std::pair{500, std::string()}, Kind::Unreachable}}) {
        version = answer;
        states.clear();
        start();
        ASSERT_EQ(states.back().kind, kind) << answer.second;
        ASSERT_TRUE(states.back().error);
        version = {200, R"({"gitVersion":"v1.31.2"})"};
        loop.run(seconds(20));
        EXPECT_EQ(states.back().kind, Kind::Connected) << answer.second;
        EXPECT_FALSE(states.back().error);
        core.reset();
    }
    version = {403, R"({"kind":"Status","code":403,"reason":"Forbidden","message":"forbidden: User \"v\" cannot get"})"};
    states.clear();
    start();
    EXPECT_EQ(states.back().kind, Kind::Connected) << "who is refused has been answered";
}

TEST_F(SessionCoreTest, ALoginPageInTheWayMakesRowsStale) {
    start();
    const auto mirror = subscribe(1, "shop");
    loop.run(seconds(1));
    ASSERT_EQ(stateOf(mirror), State::Live);
    version = {200, "<html>"};
    core->probe();
    loop.run();
    EXPECT_EQ(states.back().kind, Kind::Failed);
    EXPECT_NE(stateOf(mirror), State::Live);
}

TEST_F(SessionCoreTest, C22_b_WakingUpRefreshesAtOnce) {
    start();
    const auto mirror = subscribe(1, "shop");
    loop.run(seconds(10));
    const std::size_t before = watches.size();
    core->probe();
    loop.run();
    EXPECT_EQ(watches.size(), before + 1);
    EXPECT_FALSE(watches[before - 1]->open());
    EXPECT_EQ(stateOf(mirror), State::Live);
}

TEST_F(SessionCoreTest, QuietServerIsAskedAndNotTakenForDead) {
    start();
    const auto mirror = subscribe(1, "shop");
    loop.run(seconds(120));
    EXPECT_EQ(watches.size(), 1U);
    EXPECT_EQ(stateOf(mirror), State::Live);
    EXPECT_GE(pings.size(), 3U);
    EXPECT_LE(pings.size(), 12U);
    EXPECT_EQ(states.back().kind, Kind::Connected);
}

std::string podEvent(const char* type, const char* uid, int version) {
    return std::string(R"({"type":")") + type + R"(","object":{"kind":"Pod","metadata":{"name":"web","namespace":"n","uid":")" + uid +
           R"(","resourceVersion":")" + std::to_string(version) + "\"}}}\n";
}

TEST_F(SessionCoreTest, OneObjectIsShownWholeAtEachChangeAndWhenItGoes) {
    start();
    listBody = R"({"kind":"PodList","metadata":{"resourceVersion":"5"},"items":[{"metadata":{"name":"web","namespace":"n","uid":"u1","resourceVersion":"4"},"spec":{"x":1}}]})";
    std::vector<std::string> seen;
    core->watchObject(1, ObjectRef{ObjectKey{guard::kinds::pods(), "n", "web"}, "u1"}, [&](Result<guard::Raw<nlohmann::json>> object) {
        seen.push_back(object ? object->value()["kind"].get<std::string>() + " " + object->value()["metadata"]["resourceVersion"].get<std::string>()
                              : std::string(guard::name(object.error().code)));
    });
    loop.run(seconds(1));
    EXPECT_EQ(lists.back()->param("fieldSelector"), "metadata.name=web");
    EXPECT_EQ(seen, (std::vector<std::string>{"Pod 4"}));
    watches.back()->body(podEvent("MODIFIED", "u1", 6));
    watches.back()->body(podEvent("DELETED", "u1", 7));
    watches.back()->body(podEvent("ADDED", "u2", 8)); // the same name, another object
    loop.run(seconds(1));
    EXPECT_EQ(seen, (std::vector<std::string>{"Pod 4", "Pod 6", "not-found"}));
    core->release(1);
    loop.run(seconds(1));
    EXPECT_EQ(openWatches(), 0U);
}

} // namespace
} // namespace alidade::cluster::test
