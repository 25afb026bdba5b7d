// SPDX-License-Identifier: GPL-3.0-or-later
// Long streams: watches and logs.
#include "harness.hpp"

namespace alidade::http::test {
namespace {

CallOptions dedicated() {
    CallOptions options;
    options.connection = Connection::Dedicated;
    return options;
}

/// Writes as fast as the socket takes it, until the connection ends.
class Hose {
public:
    RequestHandler handler() {
        return [this](const ServerRequest&, const std::shared_ptr<Responder>& answer) {
            answer_ = answer;
            answer_->onDrained([this] { more(); });
            answer_->onClosed([this] { closed_.set_value(); });
            answer_->begin(200, {});
            more();
        };
    }
    void drop() { answer_.reset(); }
    [[nodiscard]] std::size_t written() const { return written_.load(); }
    [[nodiscard]] bool waitClosed() { return closed_.get_future().wait_for(kPatience) == std::future_status::ready; }

    std::size_t limit_ = ~std::size_t{0};

private:
    void more() {
        if (written_ >= limit_) {
            answer_->finish();
            return;
        }
        answer_->write(block_);
        written_ += block_.size();
    }
    std::shared_ptr<Responder> answer_;
    std::string block_ = std::string(100'000, 'b');
    std::atomic<std::size_t> written_{0};
    std::promise<void> closed_;
};

class Stream : public ::testing::TestWithParam<bool> {
protected:
    static Endpoint endpoint(int port) { return GetParam() ? TestClient::secure(port) : TestClient::plain(port); }
};

TEST_P(Stream, GoesPastAnySizeLimitOfTheParser) {
    Hose hose;
    hose.limit_ = 100'000'000; // a parser's default would end it at 8 MiB
    TestServer server(hose.handler(), {}, GetParam());
    TestClient client(endpoint(server.port()));
    Watch watch;
    watch.keep_ = false;
    watch.start(client, request("GET", "/watch"), dedicated());
    ASSERT_TRUE(watch.waitDone());
    EXPECT_TRUE(watch.result_) << watch.result_.error().text();
    EXPECT_EQ(watch.size_, hose.limit_);
    server.io().run([&] { hose.drop(); });
}

TEST_P(Stream, ThatNobodyReadsStopsItsServer) {
    Hose hose;
    TestServer server(hose.handler(), {}, GetParam());
    ClientLimits limits;
    limits.readBufferBytes = 256 * 1024;
    TestClient client(endpoint(server.port()), limits);
    Watch watch;
    watch.keep_ = false;
    std::atomic<bool> pause{true};
    watch.onBody = [&](std::string_view) {
        if (pause.exchange(false)) {
            watch.call_->setPaused(true);
        }
    };
    watch.start(client, request("GET", "/watch"), dedicated());
    ASSERT_TRUE(watch.waitFor([&] { return watch.pieces_ >= 1; }));

    // The kernel's buffers of both sides fill up; then nothing moves any more. Until two looks see the same.
    std::size_t before = 0;
    std::size_t now = hose.written();
    for (int look = 0; look < 200 && (now == 0 || now != before); ++look) {
        before = now;
        std::promise<void> later;
        std::unique_ptr<guard::Timers::Token> token;
        server.io().run([&] { token = server.io().timers().after(guard::Millis{100}, [&] { later.set_value(); }); });
        later.get_future().wait();
        now = hose.written();
    }
    EXPECT_EQ(now, before) << "the server could go on writing";
    EXPECT_LT(now, 24'000'000U);
    {
        const auto lock = watch.lock();
        EXPECT_EQ(watch.pieces_, 1) << "bytes while paused";
    }
    // And it goes on where it was.
    watch.setPaused(false);
    EXPECT_TRUE(watch.waitFor([&] { return watch.size_ > now + 20'000'000; }));
    watch.drop();
    EXPECT_TRUE(hose.waitClosed());
    server.io().run([&] { hose.drop(); });
}

TEST_P(Stream, APieceArrivesWithoutWaitingForTheNext) {
    std::shared_ptr<Responder> held;
    TestServer server(
        [&](const ServerRequest&, const std::shared_ptr<Responder>& answer) {
            held = answer;
            held->begin(200, {});
            held->write("one\n");
        },
        {}, GetParam());
    TestClient client(endpoint(server.port()));
    Watch watch;
    watch.start(client, request("GET", "/watch"), dedicated());
    ASSERT_TRUE(watch.waitFor([&] { return watch.body_ == "one\n"; }));
    server.io().run([&] { held->write("two\n"); });
    ASSERT_TRUE(watch.waitFor([&] { return watch.body_ == "one\ntwo\n"; }));
    server.io().run([&] { held->finish(); });
    ASSERT_TRUE(watch.waitDone());
    EXPECT_TRUE(watch.result_);
    server.io().run([&] { held.reset(); });
}

TEST_P(Stream, EveryByteArrivesWhenItIsPausedAgainAndAgain) {
    std::string body;
    for (int i = 0; i < 200'000; ++i) {
        body += std::to_string(i) + "\n";
    }
    TestServer server(
        [&](const ServerRequest&, const std::shared_ptr<Responder>& answer) { answer->send(200, {}, body); }, {},
        GetParam());
    TestClient client(endpoint(server.port()));
    for (const bool gzip : {false, true}) {
        Watch watch;
        std::unique_ptr<guard::Timers::Token> token;
        watch.onBody = [&](std::string_view) {
            watch.call_->setPaused(true);
            token = client.io().timers().after(guard::Millis{0}, [&] { watch.call_->setPaused(false); });
        };
        auto options = dedicated();
        options.acceptGzip = gzip;
        options.idleTimeout = guard::Millis{10'000};
        watch.start(client, request("GET", "/"), options);
        ASSERT_TRUE(watch.waitDone());
        EXPECT_TRUE(watch.result_) << watch.result_.error().text();
        EXPECT_TRUE(watch.body_ == body);
        EXPECT_EQ(watch.dones_, 1);
        watch.drop();
        client.io().run([&] { token.reset(); });
    }
}

TEST_P(Stream, TheEndWaitsUntilThePausedReaderIsReady) {
    TestServer server(
        [&](const ServerRequest&, const std::shared_ptr<Responder>& answer) { answer->send(200, {}, "all at once"); },
        {}, GetParam());
    TestClient client(endpoint(server.port()));
    Watch watch;
    watch.onBody = [&](std::string_view) { watch.call_->setPaused(true); };
    watch.start(client, request("GET", "/"), dedicated());
    ASSERT_TRUE(watch.waitFor([&] { return watch.pieces_ == 1; }));
    EXPECT_FALSE(watch.waitFor([&] { return watch.dones_ > 0; }, 50ms));
    watch.setPaused(false);
    EXPECT_TRUE(watch.waitDone());
    EXPECT_TRUE(watch.result_);
}

INSTANTIATE_TEST_SUITE_P(Http, Stream, ::testing::Values(false, true),
                         [](const auto& at) { return at.param ? "Tls" : "Plain"; });

TEST(HttpStream, AQuietReaderIsNotAQuietServer) {
    TestServer server([&](const ServerRequest&, const std::shared_ptr<Responder>& answer) {
        answer->send(200, {}, std::string(2'000'000, 'x'));
    });
    TestClient client(TestClient::plain(server.port()));
    Watch watch;
    std::unique_ptr<guard::Timers::Token> token;
    std::atomic<bool> first{true};
    watch.onBody = [&](std::string_view) {
        if (!first.exchange(false)) {
            return;
        }
        watch.call_->setPaused(true);
        token = client.io().timers().after(guard::Millis{150}, [&] { watch.call_->setPaused(false); });
    };
    auto options = dedicated();
    options.acceptGzip = false;
    options.idleTimeout = guard::Millis{50};
    watch.start(client, request("GET", "/"), options);
    ASSERT_TRUE(watch.waitDone());
    EXPECT_TRUE(watch.result_) << watch.result_.error().text();
    EXPECT_EQ(watch.size_, 2'000'000U);
    client.io().run([&] { token.reset(); });
}

TEST(HttpStream, DroppingACallClosesItsConnectionAtOnce) {
    Hose hose;
    hose.limit_ = 100'000;
    TestServer server([&, inner = hose.handler()](const ServerRequest& got, const std::shared_ptr<Responder>& answer) {
        inner(got, answer);
    });
    hose.limit_ = ~std::size_t{0};
    TestClient client(TestClient::plain(server.port()));
    {
        Watch watch;
        watch.keep_ = false;
        watch.start(client, request("GET", "/"), dedicated());
        ASSERT_TRUE(watch.waitFor([&] { return watch.pieces_ > 0; }));
    }
    EXPECT_TRUE(hose.waitClosed());
    server.io().run([&] { hose.drop(); });
}

} // namespace
} // namespace alidade::http::test
