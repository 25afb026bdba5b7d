// SPDX-License-Identifier: GPL-3.0-or-later
// Following a log through broken connections, in virtual time.
#include "log_follow.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "virtual_loop.hpp"

namespace alidade::cluster::test {
namespace {

using std::chrono::seconds;
using ::testing::HasSubstr;
using ::testing::Not;

/// Answers get() from one object; nothing else is asked of it here.
class OnePodReader final : public ClusterReader {
public:
    explicit OnePodReader(VirtualLoop& loop) : loop_(loop) {}
    std::optional<nlohmann::json> pod;
    void get(const ObjectKey&, Done<guard::Raw<nlohmann::json>> done) override {
        loop_.post([this, done = std::move(done)] {
            if (pod) {
                done(guard::Raw<nlohmann::json>(*pod));
            } else {
                done(guard::fail(guard::ErrorCode::NotFound, "pod", "not found"));
            }
        });
    }
    void list(const KindId&, const ListScope&, std::size_t, Done<Answer<std::vector<guard::Raw<nlohmann::json>>>>) override {}
    void events(const ObjectRef&, Done<Answer<std::vector<EventRecord>>>) override {}
    void logs(const ObjectKey&, const LogOptions&, Done<guard::Raw<guard::LogText>>) override {}
    void revisions(const ObjectRef&, Done<Answer<std::vector<Revision>>>) override {}
    void describe(const ObjectKey&, Done<guard::Raw<std::string>>) override {}
    void catalog(Done<Answer<Catalog>>) override {}
    void access(std::string, const KindId&, std::string, std::string, std::string, Done<guard::AccessReview>) override {}
    void relations(std::optional<ObjectRef>, const ListScope&, int, Done<Answer<Graph>>) override {}

private:
    VirtualLoop& loop_;
};

nlohmann::json podWith(const char* state, int restarts) {
    return nlohmann::json::parse(R"({"status":{"containerStatuses":[{"name":"other","restartCount":9,"state":{"running":{}}},
        {"name":"app","restartCount":)" + std::to_string(restarts) + R"(,"state":{")" + state + R"(":{"exitCode":0}}}]}})");
}

class LogFollowTest : public ::testing::Test {
protected:
    VirtualLoop loop;
    FakeTransport transport{loop};
    OnePodReader reader{loop};
    std::shared_ptr<Mailbox<LogChunk>> mailbox = std::make_shared<Mailbox<LogChunk>>();
    std::vector<ExchangePtr> logs;
    LogOptions options;
    std::string text;
    int reconnects = 0;
    int restarts = 0;
    std::optional<Result<void>> ended;
    std::unique_ptr<LogFollow> follow;

    LogFollowTest() {
        options.container = "app";
        options.timestamps = false;
        reader.pod = podWith("running", 0);
        transport.serve = [this](ExchangePtr exchange) { logs.push_back(exchange); };
    }
    void start() {
        follow = std::make_unique<LogFollow>(loop.loop(), transport, reader,
                                             ObjectKey{guard::kinds::pods(), "shop", "web-1"}, options, mailbox, 7, 1);
        follow->start();
        settle();
    }
    void settle(guard::Millis span = guard::Millis{10}) {
        loop.run(span);
        for (LogChunk& chunk : mailbox->drain()) {
            EXPECT_EQ(chunk.stream, 7U);
            reconnects += chunk.reconnected ? 1 : 0;
            restarts += chunk.restarted ? 1 : 0;
            text += chunk.bytes;
            if (chunk.ended) {
                EXPECT_FALSE(ended) << "ended twice";
                ended = chunk.ended;
            }
        }
    }
};

constexpr const char* kFourLines = "2024-05-01T10:00:00.100Z one\n2024-05-01T10:00:00.200Z same\n"
                                   "2024-05-01T10:00:00.200Z same\n2024-05-01T10:00:00.300Z three\n";

TEST_F(LogFollowTest, C87_a_ResetResumesWithoutGapOrDouble) {
    start();
    EXPECT_THAT(logs[0]->request.target, HasSubstr("/api/v1/namespaces/shop/pods/web-1/log?timestamps=true&container=app&follow=true"));
    EXPECT_EQ(logs[0]->param("tailLines"), "500");
    logs[0]->head(200);
    logs[0]->body(kFourLines);
    logs[0]->body("2024-05-01T10:00:00.400Z cut in the mid");
    settle();
    EXPECT_EQ(text, "one\nsame\nsame\nthree\n");
    logs[0]->lose();
    settle(seconds(2));
    ASSERT_EQ(logs.size(), 2U);
    EXPECT_EQ(logs[1]->param("sinceTime"), "2024-05-01T10:00:00Z");
    EXPECT_EQ(logs[1]->param("tailLines"), "");
    logs[1]->head(200);
    std::string again = std::string(kFourLines) + "2024-05-01T10:00:00.300Z three again\n2024-05-01T10:00:00.400Z cut in the middle\n";
    for (int i = 0; i < 5000; ++i) again += "2024-05-01T10:00:01.000Z line " + std::to_string(i) + "\n";
    logs[1]->body(again);
    settle();
    EXPECT_THAT(text, ::testing::StartsWith("one\nsame\nsame\nthree\nthree again\ncut in the middle\nline 0\nline 1\n"));
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 5006);
    EXPECT_EQ(reconnects, 1);
    EXPECT_FALSE(ended);
    // Again within the same second: all 5,000 equal stamps are known.
    logs[1]->lose();
    settle(seconds(3));
    logs[2]->head(200);
    std::string third;
    for (int i = 0; i < 5000; ++i) third += "2024-05-01T10:00:01.000Z line " + std::to_string(i) + "\n";
    logs[2]->body(third + "2024-05-01T10:00:02Z after\n");
    settle();
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 5007);
    EXPECT_THAT(text, ::testing::EndsWith("line 4999\nafter\n"));
}

TEST_F(LogFollowTest, C87_b_CleanEndOfAnEndedContainerIsTheEnd) {
    start();
    logs[0]->head(200);
    logs[0]->body(kFourLines);
    reader.pod = podWith("terminated", 0);
    logs[0]->end();
    settle(seconds(60));
    ASSERT_TRUE(ended);
    EXPECT_TRUE(*ended);
    EXPECT_EQ(logs.size(), 1U);
}

TEST_F(LogFollowTest, C87_c_CleanEndWhileTheContainerRunsIsABrokenConnection) {
    start();
    logs[0]->head(200);
    logs[0]->body(kFourLines);
    logs[0]->end();
    settle(seconds(3));
    ASSERT_EQ(logs.size(), 2U);
    logs[1]->head(200);
    logs[1]->body(std::string(kFourLines) + "2024-05-01T10:00:05Z more\n");
    settle();
    EXPECT_THAT(text, ::testing::EndsWith("three\nmore\n"));
    EXPECT_FALSE(ended);
    EXPECT_EQ(restarts, 0);
}

TEST_F(LogFollowTest, C87_d_DeletedPodEndsWithThatError) {
    start();
    logs[0]->head(200);
    logs[0]->body(kFourLines);
    logs[0]->lose();
    settle(seconds(2));
    logs[1]->answer(404, R"({"kind":"Status","code":404,"reason":"NotFound","message":"pods \"web-1\" not found"})");
    settle(seconds(60));
    ASSERT_TRUE(ended);
    ASSERT_FALSE(*ended);
    EXPECT_EQ(ended->error().code, guard::ErrorCode::NotFound);
    EXPECT_EQ(text, "one\nsame\nsame\nthree\n");
}

TEST_F(LogFollowTest, C87_e_NewRunOfTheContainerIsMarked) {
    start();
    logs[0]->head(200);
    logs[0]->body(kFourLines);
    reader.pod = podWith("running", 1);
    logs[0]->end();
    settle(seconds(3));
    logs[1]->head(200);
    logs[1]->body("2024-05-01T10:00:09Z fresh start\n");
    settle();
    EXPECT_EQ(restarts, 1);
    EXPECT_FALSE(ended);
}

TEST_F(LogFollowTest, C87_f_StopWorksAtOnceAndBackOffIsBounded) {
    start();
    transport.serve = [this](ExchangePtr exchange) {
        logs.push_back(exchange);
        exchange->end(guard::fail(guard::ErrorCode::Unreachable, "test", "refused"));
    };
    logs[0]->lose();
    settle(seconds(120));
    const std::size_t tries = logs.size();
    EXPECT_GE(tries, 5U);
    EXPECT_LE(tries, 14U);
    EXPECT_FALSE(ended);
    follow.reset();
    settle(seconds(120));
    EXPECT_EQ(logs.size(), tries);
}

TEST_F(LogFollowTest, StampsStayWhenAskedForAndBytesAreKeptAsTheyAre) {
    options.timestamps = true;
    start();
    logs[0]->head(200);
    logs[0]->body("2024-05-01T10:00:00.1Z caf\xE9\n");
    settle();
    EXPECT_EQ(text, "2024-05-01T10:00:00.1Z caf\xE9\n");
}

TEST_F(LogFollowTest, LinesBeforeTheTailDoNotComeBackOnResume) {
    start();
    logs[0]->head(200);
    logs[0]->body("2024-05-01T10:00:00.500Z shown\n");
    logs[0]->lose();
    settle(seconds(2));
    logs[1]->head(200);
    logs[1]->body("2024-05-01T10:00:00.100Z before the tail\n2024-05-01T10:00:00.500Z shown\n2024-05-01T10:00:00.600Z next\n");
    settle();
    EXPECT_EQ(text, "shown\nnext\n");
}

TEST_F(LogFollowTest, EndlessLineIsShownInPieces) {
    start();
    logs[0]->head(200);
    logs[0]->body("2024-05-01T10:00:00Z ");
    for (int i = 0; i < 50; ++i) logs[0]->body(std::string(100'000, 'x'));
    settle();
    EXPECT_GE(text.size(), 4'500'000U);
    logs[0]->body("\n2024-05-01T10:00:01Z after\n");
    settle();
    EXPECT_EQ(text.size(), 5'000'000U + 1 + 6);
    EXPECT_THAT(text, ::testing::EndsWith("x\nafter\n"));
}

TEST_F(LogFollowTest, WaitingContainerIsSaidInTheServersWords) {
    start();
    logs[0]->answer(400, R"({"kind":"Status","code":400,"reason":"BadRequest","message":"container \"app\" in pod \"web-1\" is waiting to start: ContainerCreating"})");
    settle();
    ASSERT_TRUE(ended);
    ASSERT_FALSE(*ended);
    EXPECT_THAT(ended->error().text(), HasSubstr("ContainerCreating"));
}

TEST_F(LogFollowTest, PreviousRunIsReadOnceAndEnds) {
    options.previous = true;
    start();
    EXPECT_EQ(logs[0]->param("previous"), "true");
    EXPECT_THAT(logs[0]->request.target, Not(HasSubstr("follow")));
    logs[0]->answer(200, std::string(kFourLines) + "2024-05-01T10:00:00.400Z no line end");
    settle();
    EXPECT_EQ(text, "one\nsame\nsame\nthree\nno line end");
    ASSERT_TRUE(ended);
    EXPECT_TRUE(*ended);
}

} // namespace
} // namespace alidade::cluster::test
