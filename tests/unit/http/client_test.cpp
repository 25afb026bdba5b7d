// SPDX-License-Identifier: GPL-3.0-or-later
#include "harness.hpp"

#include <map>
#include <set>

namespace alidade::http::test {
namespace {

/// Answers with what it got: the method and path as body, a few facts as headers.
RequestHandler echo() {
    return [](const ServerRequest& got, const std::shared_ptr<Responder>& answer) {
        Headers headers;
        headers.add("X-Method", got.method);
        headers.add("X-Accept-Encoding", std::string(got.headers.get("Accept-Encoding").value_or("")));
        answer->send(200, headers, got.target + "|" + got.body);
    };
}

class BothTransports : public ::testing::TestWithParam<bool> {
protected:
    static Endpoint endpoint(int port) { return GetParam() ? TestClient::secure(port) : TestClient::plain(port); }
};

TEST_P(BothTransports, GetsAnAnswerWithItsHeadersAndBody) {
    TestServer server(echo(), {}, GetParam());
    TestClient client(endpoint(server.port()));
    const auto outcome = client.get("/api/v1/pods?limit=5");
    ASSERT_TRUE(outcome.result) << outcome.result.error().text();
    EXPECT_TRUE(outcome.sent);
    EXPECT_EQ(outcome.response().head.status, 200);
    EXPECT_EQ(outcome.response().body, "/api/v1/pods?limit=5|");
    EXPECT_EQ(outcome.response().head.headers.get("x-method"), "GET");
}

TEST_P(BothTransports, SendsABodyOfAnySizeOnAFreshConnection) {
    TestServer server(echo(), {}, GetParam());
    TestClient client(endpoint(server.port()));
    const std::string body(3'000'000, 'x');
    const auto outcome = client.fetch(request("PATCH", "/thing", body), {Connection::Fresh, false, {}, {}});
    ASSERT_TRUE(outcome.result) << outcome.result.error().text();
    EXPECT_EQ(outcome.response().body, "/thing|" + body);
    EXPECT_EQ(outcome.response().head.headers.get("X-Method"), "PATCH");
}

TEST_P(BothTransports, ReceivesALargeAnswerWhole) {
    std::string body;
    for (int line = 0; line < 3'000; ++line) {
        body += std::to_string(line) + std::string(10'000, static_cast<char>('a' + line % 26));
    }
    TestServer server(
        [&](const ServerRequest&, const std::shared_ptr<Responder>& answer) { answer->send(200, {}, body); }, {},
        GetParam());
    TestClient client(endpoint(server.port()));
    const auto plain = client.get("/", {Connection::Pooled, false, {}, {}});
    ASSERT_TRUE(plain.result) << plain.result.error().text();
    EXPECT_TRUE(plain.response().body == body);
    const auto packed = client.get("/", {Connection::Pooled, true, {}, {}});
    ASSERT_TRUE(packed.result) << packed.result.error().text();
    EXPECT_EQ(packed.response().head.headers.get("Content-Encoding"), "gzip");
    EXPECT_TRUE(packed.response().body == body);
}

TEST_P(BothTransports, ServesTwoHundredCallsAtOnce) {
    TestServer server(echo(), {}, GetParam());
    TestClient client(endpoint(server.port()));
    std::vector<std::future<Outcome>> running;
    for (int i = 0; i < 200; ++i) {
        CallOptions options;
        options.connection = i % 3 == 0 ? Connection::Dedicated : i % 3 == 1 ? Connection::Pooled : Connection::Fresh;
        running.push_back(client.begin(request("GET", "/" + std::to_string(i)), options));
    }
    for (int i = 0; i < 200; ++i) {
        ASSERT_EQ(running[static_cast<std::size_t>(i)].wait_for(kPatience), std::future_status::ready);
        const auto outcome = running[static_cast<std::size_t>(i)].get();
        ASSERT_TRUE(outcome.result) << outcome.result.error().text();
        EXPECT_EQ(outcome.response().body, "/" + std::to_string(i) + "|");
    }
}

TEST_P(BothTransports, ReusesAPooledConnection) {
    // With room for one connection, further ones could only be refused: every one of these calls came over the first.
    ServerOptions options;
    options.maxConnections = 1;
    TestServer server(echo(), options, GetParam());
    TestClient client(endpoint(server.port()));
    for (int i = 0; i < 20; ++i) {
        const auto outcome = client.get("/" + std::to_string(i));
        ASSERT_TRUE(outcome.result) << outcome.result.error().text();
        EXPECT_EQ(outcome.response().head.status, 200);
    }
    // And a second one is indeed refused while the first is kept.
    const auto second = client.get("/", {Connection::Dedicated, false, {}, {}});
    ASSERT_TRUE(second.result) << second.result.error().text();
    EXPECT_EQ(second.response().head.status, 503);
}

INSTANTIATE_TEST_SUITE_P(Http, BothTransports, ::testing::Values(false, true),
                         [](const auto& at) { return at.param ? "Tls" : "Plain"; });

/// Tells connections apart by the responder's view of the peer: each connection is one counter of its requests.
TEST(HttpClient, KeepsPooledConnectionsAndClosesTheOthers) {
    std::atomic<int> connections{0};
    TestServer server([&](const ServerRequest& got, const std::shared_ptr<Responder>& answer) {
        // A client that means to close says so.
        if (got.headers.get("Connection").value_or("") == "close") {
            ++connections;
        }
        answer->send(200, {}, "x");
    });
    TestClient client(TestClient::plain(server.port()));
    for (int i = 0; i < 3; ++i) {
        EXPECT_TRUE(client.get("/").result);
    }
    EXPECT_EQ(connections.load(), 0);
    EXPECT_TRUE(client.get("/", {Connection::Dedicated, false, {}, {}}).result);
    EXPECT_TRUE(client.fetch(request("DELETE", "/x"), {Connection::Fresh, false, {}, {}}).result);
    EXPECT_EQ(connections.load(), 2);
}

TEST(HttpClient, DoesNotReuseAConnectionThatTheServerClosedMeanwhile) {
    ServerOptions options;
    options.keepAliveTimeout = guard::Millis{30};
    TestServer server(echo(), options);
    TestClient client(TestClient::plain(server.port()));
    ASSERT_TRUE(client.get("/1").result);
    // The server's own timer, so behind the one that closes the connection, however slow the machine is.
    std::promise<void> later;
    std::unique_ptr<guard::Timers::Token> token;
    server.io().run([&] { token = server.io().timers().after(guard::Millis{120}, [&] { later.set_value(); }); });
    later.get_future().wait();
    server.io().run([&] { token.reset(); });
    const auto outcome = client.get("/2");
    ASSERT_TRUE(outcome.result) << outcome.result.error().text();
    EXPECT_EQ(outcome.response().body, "/2|");
}

TEST(HttpClient, ShortReadsWaitInLineForTheFewConnections) {
    std::mutex mutex;
    std::vector<std::shared_ptr<Responder>> held;
    std::condition_variable changed;
    TestServer server([&](const ServerRequest&, const std::shared_ptr<Responder>& answer) {
        const std::lock_guard lock(mutex);
        held.push_back(answer);
        changed.notify_all();
    });
    ClientLimits limits;
    limits.pooledConnections = 3;
    TestClient client(TestClient::plain(server.port()), limits);
    std::vector<std::future<Outcome>> running;
    for (int i = 0; i < 10; ++i) {
        running.push_back(client.begin(request("GET", "/")));
    }
    std::size_t answered = 0;
    while (answered < 10) {
        std::unique_lock lock(mutex);
        const std::size_t expected = std::min<std::size_t>(3, 10 - answered);
        ASSERT_TRUE(changed.wait_for(lock, kPatience, [&] { return held.size() >= expected; }));
        EXPECT_EQ(held.size(), expected);
        auto batch = std::exchange(held, {});
        lock.unlock();
        answered += batch.size();
        server.io().run([&] {
            for (auto& answer : batch) {
                answer->send(200, {}, "ok");
            }
            batch.clear();
        });
    }
    for (auto& one : running) {
        EXPECT_TRUE(one.get().result);
    }
}

TEST(HttpClient, AWaitingCallThatIsDroppedLeavesTheLine) {
    std::atomic<int> arrived{0};
    std::mutex mutex;
    std::condition_variable changed;
    std::shared_ptr<Responder> held;
    TestServer server([&](const ServerRequest&, const std::shared_ptr<Responder>& answer) {
        const std::lock_guard lock(mutex);
        ++arrived;
        held = answer;
        changed.notify_all();
    });
    ClientLimits limits;
    limits.pooledConnections = 1;
    TestClient client(TestClient::plain(server.port()), limits);
    auto first = client.begin(request("GET", "/first"));
    {
        Watch waiting;
        waiting.start(client, request("GET", "/waiting"), {});
    }
    auto second = client.begin(request("GET", "/second"));
    for (int i = 1; i <= 2; ++i) {
        std::unique_lock lock(mutex);
        ASSERT_TRUE(changed.wait_for(lock, kPatience, [&] { return held != nullptr; }));
        auto answer = std::exchange(held, nullptr);
        lock.unlock();
        server.io().run([&] {
            answer->send(200, {}, "ok");
            answer.reset();
        });
    }
    EXPECT_TRUE(first.get().result);
    EXPECT_TRUE(second.get().result);
    EXPECT_EQ(arrived.load(), 2);
}

TEST(HttpClient, ARedirectIsAnAnswerAndNothingGoesElsewhere) {
    std::atomic<int> elsewhere{0};
    TestServer other([&](const ServerRequest&, const std::shared_ptr<Responder>& answer) {
        ++elsewhere;
        answer->send(200, {}, "stolen");
    });
    TestServer server([&](const ServerRequest& got, const std::shared_ptr<Responder>& answer) {
        EXPECT_EQ(got.headers.get("Authorization"), "Bearer secret");
        Headers headers;
        headers.add("Location", "http://127.0.0.1:" + std::to_string(other.port()) + "/");
        answer->send(307, headers, "");
    });
    TestClient client(TestClient::plain(server.port()));
    for (const char* method : {"GET", "POST"}) {
        Request asked = request(method, "/");
        asked.headers.add("Authorization", "Bearer secret");
        const auto outcome = client.fetch(asked);
        ASSERT_TRUE(outcome.result);
        EXPECT_EQ(outcome.response().head.status, 307);
        EXPECT_TRUE(outcome.response().head.headers.get("location"));
    }
    EXPECT_EQ(elsewhere.load(), 0);
}

/// The gravest trap of other clients: a request whose connection closes before the answer is sent again.
class NeverAgain : public ::testing::TestWithParam<std::tuple<const char*, Connection, Then>> {};

TEST_P(NeverAgain, ARequestWithoutAnAnswerArrivesOnce) {
    const auto [method, connection, then] = GetParam();
    std::atomic<int> arrived{0};
    TestServer server([&, then = then](const ServerRequest& got, const std::shared_ptr<Responder>& answer) {
        if (got.path == "/warm") {
            answer->send(200, {}, "");
            return;
        }
        ++arrived;
        if (then == Then::Reset) {
            answer->abort(true);
        } else {
            answer->abort(false);
        }
    });
    TestClient client(TestClient::plain(server.port()));
    ASSERT_TRUE(client.get("/warm").result); // so that a pooled call finds a kept connection
    const auto outcome = client.fetch(request(method, "/once", "body"), {connection, true, {}, {}});
    EXPECT_EQ(outcome.code(), ErrorCode::ConnectionLost) << outcome.detail();
    EXPECT_TRUE(outcome.sent);
    EXPECT_EQ(arrived.load(), 1);
    EXPECT_TRUE(client.get("/warm").result); // the client is still good
    EXPECT_EQ(arrived.load(), 1);
}

INSTANTIATE_TEST_SUITE_P(Http, NeverAgain,
                         ::testing::Combine(::testing::Values("GET", "POST", "PATCH", "DELETE"),
                                            ::testing::Values(Connection::Pooled, Connection::Dedicated,
                                                              Connection::Fresh),
                                            ::testing::Values(Then::Close, Then::Reset)));

TEST(HttpClient, RefusesARequestThatCouldSmuggleALine) {
    std::atomic<int> arrived{0};
    TestServer server([&](const ServerRequest&, const std::shared_ptr<Responder>& answer) {
        ++arrived;
        answer->send(200, {}, "");
    });
    TestClient client(TestClient::plain(server.port()));
    std::vector<Request> bad;
    bad.push_back(request("GET", "/a b"));
    bad.push_back(request("GET", "/a\r\nX: y"));
    bad.push_back(request("GET", "no-slash"));
    bad.push_back(request("GET", ""));
    bad.push_back(request("GET", "/\xC3\xA4"));
    bad.push_back(request("GET /x HTTP/1.1\r\nX:", "/"));
    bad.push_back(request("", "/"));
    for (const auto& [name, value] : std::vector<std::pair<std::string, std::string>>{{"X", "a\r\nAuthorization: b"},
                                                                                      {"X", "a\nb"},
                                                                                      {"X", std::string("a\0b", 3)},
                                                                                      {"X y", "a"},
                                                                                      {"X:", "a"},
                                                                                      {"", "a"},
                                                                                      {"host", "elsewhere"},
                                                                                      {"Content-Length", "5"},
                                                                                      {"Transfer-Encoding", "chunked"},
                                                                                      {"connection", "close"},
                                                                                      {"Accept-encoding", "br"}}) {
        Request one = request("GET", "/");
        one.headers.add(name, value);
        bad.push_back(one);
    }
    for (const auto& one : bad) {
        const auto outcome = client.fetch(one);
        EXPECT_EQ(outcome.code(), ErrorCode::Refused) << one.method << " " << one.target;
        EXPECT_FALSE(outcome.sent);
        // A refused value may be a credential with a stray line break; it is not repeated.
        EXPECT_EQ(outcome.detail().find("Authorization: b"), std::string::npos);
    }
    EXPECT_EQ(arrived.load(), 0);
}

TEST(HttpClient, NamesTheServerThatCannotBeReached) {
    int port = 0;
    {
        TestServer closed(echo());
        port = closed.port();
    }
    TestClient client(TestClient::plain(port));
    const auto outcome = client.get("/");
    EXPECT_EQ(outcome.code(), ErrorCode::Unreachable);
    EXPECT_FALSE(outcome.sent);
    EXPECT_EQ(outcome.result.error().where, "context 'test'");
    EXPECT_NE(outcome.detail().find("refused by 127.0.0.1:" + std::to_string(port)), std::string::npos)
        << outcome.detail();
}

TEST(HttpClient, ResolvesNames) {
    TestServer server(echo(), {}, true);
    Endpoint endpoint = TestClient::secure(server.port());
    endpoint.host = "localhost";
    TestClient client(endpoint);
    EXPECT_TRUE(client.get("/").result);
}

TEST(HttpClient, ReachesAnIpv6ServerAndNamesItInTheHostHeader) {
    ServerOptions options;
    options.host = "::1";
    std::string host;
    TestServer server(
        [&](const ServerRequest& got, const std::shared_ptr<Responder>& answer) {
            host = got.headers.get("Host").value_or("");
            answer->send(200, {}, "six");
        },
        options, true);
    Endpoint endpoint = TestClient::secure(server.port());
    endpoint.host = "::1";
    TestClient client(endpoint);
    const auto outcome = client.get("/");
    ASSERT_TRUE(outcome.result) << outcome.result.error().text();
    EXPECT_EQ(host, "[::1]:" + std::to_string(server.port()));
}

TEST(HttpClient, AnswersToHeadAndEmptyAnswersHaveNoBody) {
    TestServer server([](const ServerRequest& got, const std::shared_ptr<Responder>& answer) {
        answer->send(got.path == "/none" ? 204 : got.path == "/same" ? 304 : 200, {}, "ignored when there is none");
    });
    TestClient client(TestClient::plain(server.port()));
    for (int round = 0; round < 2; ++round) { // the second over the same connection, still in step
        const auto head = client.fetch(request("HEAD", "/"));
        ASSERT_TRUE(head.result) << head.result.error().text();
        EXPECT_EQ(head.response().body, "");
        EXPECT_EQ(head.response().head.headers.get("Content-Length"), "26");
        EXPECT_EQ(client.get("/none").response().head.status, 204);
        EXPECT_EQ(client.get("/same").response().head.status, 304);
        EXPECT_EQ(client.get("/").response().body, "ignored when there is none");
    }
}

TEST(HttpClient, BoundsAnAnswerThatIsFetchedWhole) {
    TestServer server([](const ServerRequest&, const std::shared_ptr<Responder>& answer) {
        answer->send(200, {}, std::string(300'000, 'a'));
    });
    ClientLimits limits;
    limits.maxBodyBytes = 200'000;
    TestClient client(TestClient::plain(server.port()), limits);
    const auto outcome = client.get("/");
    EXPECT_EQ(outcome.code(), ErrorCode::TooLarge);
    EXPECT_NE(outcome.detail().find("200000"), std::string::npos);
}

TEST(HttpClient, TwoIdentitiesNeverShareAConnection) {
    ServerOptions options;
    options.clientCaPem = sharedTls().caPem;
    TestServer server(
        [](const ServerRequest& got, const std::shared_ptr<Responder>& answer) {
            answer->send(200, {}, got.clientCertificateCommonName);
        },
        options, true);
    Endpoint alice = TestClient::secure(server.port());
    alice.clientCertPem = sharedTls().clientCertPem;
    alice.clientKeyPem = sharedTls().clientKeyPem;
    TestClient nobody(TestClient::secure(server.port()));
    TestClient asAlice(alice);
    for (int round = 0; round < 3; ++round) {
        EXPECT_EQ(asAlice.get("/").response().body, "alice");
        EXPECT_EQ(nobody.get("/").response().body, "");
    }
}

} // namespace
} // namespace alidade::http::test
