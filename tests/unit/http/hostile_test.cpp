// SPDX-License-Identifier: GPL-3.0-or-later
// What a broken or hostile server can do to a client: every case ends, soon, with an error that says what happened.
#include "harness.hpp"
#include "sockets.hpp"

namespace alidade::http::test {
namespace {

Outcome against(const std::string& raw, Then then = Then::Close, ClientLimits limits = {}, CallOptions options = {}) {
    TestServer server(rawAnswer(raw, then));
    TestClient client(TestClient::plain(server.port()), limits);
    return client.get("/api/v1/pods?secret=value", options);
}

ClientLimits impatient() {
    ClientLimits limits;
    limits.connectTimeout = guard::Millis{80};
    limits.headTimeout = guard::Millis{80};
    return limits;
}

TEST(HostileServer, TruncationIsALostConnectionNeverASuccess) {
    for (const Then then : {Then::Close, Then::Reset}) {
        for (const char* raw : {"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nonly some",
                                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n",
                                "HTTP/1.1 200 OK\r\nContent-", ""}) {
            const auto outcome = against(raw, then);
            EXPECT_EQ(outcome.code(), ErrorCode::ConnectionLost) << raw << outcome.detail();
            EXPECT_TRUE(outcome.sent);
        }
    }
}

TEST(HostileServer, ErrorsNameTheRequestButNotItsQuery) {
    const auto outcome = against("");
    EXPECT_EQ(outcome.result.error().where, "context 'test'");
    EXPECT_NE(outcome.detail().find("GET /api/v1/pods:"), std::string::npos) << outcome.detail();
    EXPECT_EQ(outcome.detail().find("secret"), std::string::npos);
}

TEST(HostileServer, AnHtmlPageIsAnAnswerAndGarbageIsNot) {
    const auto page = against("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 6\r\n\r\n<html>");
    ASSERT_TRUE(page.result);
    EXPECT_EQ(page.response().body, "<html>");
    const auto garbage = against("<html>Welcome to the hotel's network</html>");
    EXPECT_EQ(garbage.code(), ErrorCode::Protocol);
    EXPECT_NE(garbage.detail().find("<html>Welcome"), std::string::npos);
}

TEST(HostileServer, OneThatNeverAnswersRunsIntoTheHeadTimeout) {
    const auto outcome = against("", Then::Stay, impatient());
    EXPECT_EQ(outcome.code(), ErrorCode::Timeout);
    EXPECT_TRUE(outcome.sent);
    EXPECT_NE(outcome.detail().find("did not answer within 80 ms"), std::string::npos) << outcome.detail();
    // A head that never ends is no answer either.
    EXPECT_EQ(against("HTTP/1.1 200 OK\r\nX: ", Then::Stay, impatient()).code(), ErrorCode::Timeout);
}

TEST(HostileServer, AHalfOpenStreamRunsIntoTheIdleTimeout) {
    CallOptions options;
    options.connection = Connection::Dedicated;
    options.idleTimeout = guard::Millis{60};
    const auto outcome =
        against("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n", Then::Stay, {}, options);
    EXPECT_EQ(outcome.code(), ErrorCode::Timeout);
    EXPECT_NE(outcome.detail().find("said nothing for 60 ms"), std::string::npos) << outcome.detail();
}

TEST(HostileServer, OneThatDripsRunsIntoTheDeadline) {
    std::shared_ptr<Responder> held;
    std::unique_ptr<guard::Timers::Token> timer;
    std::function<void()> drip;
    TestServer* self = nullptr;
    TestServer server([&](const ServerRequest&, const std::shared_ptr<Responder>& answer) {
        held = answer;
        held->begin(200, {});
        drip();
    });
    self = &server;
    drip = [&] {
        held->write("x");
        timer = self->io().timers().after(guard::Millis{5}, [&] { drip(); });
    };
    TestClient client(TestClient::plain(server.port()));
    CallOptions options;
    options.idleTimeout = guard::Millis{20'000};
    options.deadline = guard::Millis{150};
    const auto outcome = client.get("/", options);
    EXPECT_EQ(outcome.code(), ErrorCode::Timeout);
    EXPECT_NE(outcome.detail().find("150 ms"), std::string::npos) << outcome.detail();
    server.io().run([&] {
        timer.reset();
        held.reset();
    });
}

TEST(HostileServer, ADeadlineCountsWhileWaitingInLine) {
    TestServer server(rawAnswer("", Then::Stay));
    ClientLimits limits;
    limits.pooledConnections = 1;
    TestClient client(TestClient::plain(server.port()), limits);
    auto first = client.begin(request("GET", "/"));
    CallOptions options;
    options.deadline = guard::Millis{30};
    const auto waiting = client.get("/", options);
    EXPECT_EQ(waiting.code(), ErrorCode::Timeout);
    EXPECT_FALSE(waiting.sent);
}

TEST(HostileServer, OneThatDoesNotShakeHandsRunsIntoTheConnectTimeout) {
    const SilentListener silent;
    TestClient client(TestClient::secure(silent.port()), impatient());
    const auto outcome = client.get("/");
    EXPECT_EQ(outcome.code(), ErrorCode::Timeout);
    EXPECT_FALSE(outcome.sent);
    EXPECT_NE(outcome.detail().find("does not complete the TLS handshake within 80 ms"), std::string::npos)
        << outcome.detail();
}

TEST(HostileServer, AFloodOfHeadersIsBounded) {
    std::string raw = "HTTP/1.1 200 OK\r\n";
    for (int i = 0; i < 20'000; ++i) {
        raw += "X-" + std::to_string(i) + ": y\r\n";
    }
    EXPECT_EQ(against(raw + "\r\n").code(), ErrorCode::TooLarge);
    EXPECT_EQ(against("HTTP/1.1 200 OK\r\nX: " + std::string(300'000, 'a')).code(), ErrorCode::TooLarge);
}

TEST(HostileServer, EndlessInterimAnswersAreBounded) {
    std::string raw;
    for (int i = 0; i < 100; ++i) {
        raw += "HTTP/1.1 100 Continue\r\n\r\n";
    }
    EXPECT_EQ(against(raw, Then::Stay).code(), ErrorCode::Protocol);
}

TEST(HostileServer, AnswersSplitAnywhereAreRead) {
    // The server writes byte by byte and waits for each to go, so that the client's reads are split too.
    const std::string raw = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nX: y\r\n\r\n"
                            "b\r\nhello world\r\n3\r\n!!!\r\n0\r\nT: t\r\n\r\n";
    std::size_t at = 0;
    std::shared_ptr<Responder> held;
    TestServer server([&](const ServerRequest&, const std::shared_ptr<Responder>& answer) {
        held = answer;
        held->onDrained([&] {
            if (at < raw.size()) {
                held->writeRaw(std::string_view(raw).substr(at++, 1));
            } else {
                held->finish();
            }
        });
        held->writeRaw(std::string_view(raw).substr(at++, 1));
    });
    TestClient client(TestClient::plain(server.port()));
    const auto outcome = client.get("/");
    ASSERT_TRUE(outcome.result) << outcome.result.error().text();
    EXPECT_EQ(outcome.response().body, "hello world!!!");
    EXPECT_EQ(at, raw.size());
    server.io().run([&] { held.reset(); });
}

TEST(HostileServer, BytesBehindAnAnswerAreNotTakenForTheNextOne) {
    int count = 0;
    TestServer server([&](const ServerRequest&, const std::shared_ptr<Responder>& answer) {
        if (++count == 1) {
            answer->writeRaw(
                "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nrealHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nfake");
            answer->finish();
            return;
        }
        answer->send(200, {}, "next");
    });
    TestClient client(TestClient::plain(server.port()));
    EXPECT_EQ(client.get("/").response().body, "real");
    EXPECT_EQ(client.get("/").response().body, "next");
}

TEST(HostileServer, AnAnswerBeforeTheWholeRequestIsStillAnAnswer) {
    ServerOptions options;
    options.maxBodyBytes = 1000;
    TestServer server(rawAnswer(""), options);
    TestClient client(TestClient::plain(server.port()));
    const auto outcome =
        client.fetch(request("POST", "/", std::string(5'000'000, 'x')), {Connection::Fresh, true, {}, {}});
    ASSERT_TRUE(outcome.result) << outcome.result.error().text();
    EXPECT_EQ(outcome.response().head.status, 413);
}

} // namespace
} // namespace alidade::http::test
