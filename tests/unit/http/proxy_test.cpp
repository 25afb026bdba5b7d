// SPDX-License-Identifier: GPL-3.0-or-later
// Through a proxy only when one is named, and through that one.
#include "harness.hpp"
#include "sockets.hpp"

#include <cstdlib>

namespace alidade::http::test {
namespace {

RequestHandler hello() {
    return [](const ServerRequest&, const std::shared_ptr<Responder>& answer) { answer->send(200, {}, "hello"); };
}

class ThroughProxy : public ::testing::TestWithParam<std::tuple<TestProxy::Kind, bool>> {
protected:
    static Endpoint endpoint(int port, const TestProxy& proxy) {
        const auto [kind, tls] = GetParam();
        Endpoint made = tls ? TestClient::secure(port) : TestClient::plain(port);
        made.proxy.kind = kind == TestProxy::Kind::Connect ? Proxy::Kind::HttpConnect : Proxy::Kind::Socks5;
        made.proxy.host = "127.0.0.1";
        made.proxy.port = proxy.port();
        return made;
    }
};

TEST_P(ThroughProxy, ReachesTheServer) {
    TestProxy proxy(std::get<0>(GetParam()));
    TestServer server(hello(), {}, std::get<1>(GetParam()));
    TestClient client(endpoint(server.port(), proxy));
    for (int i = 0; i < 3; ++i) {
        const auto outcome = client.get("/");
        ASSERT_TRUE(outcome.result) << outcome.result.error().text();
        EXPECT_EQ(outcome.response().body, "hello");
    }
    EXPECT_EQ(proxy.tunnels(), 1); // a kept connection is a kept tunnel
    EXPECT_TRUE(client.get("/", {Connection::Fresh, true, {}, {}}).result);
    EXPECT_EQ(proxy.tunnels(), 2);
}

TEST_P(ThroughProxy, LogsInWithTheGivenLogin) {
    TestProxy proxy(std::get<0>(GetParam()), "user:pass");
    TestServer server(hello(), {}, std::get<1>(GetParam()));
    Endpoint with = endpoint(server.port(), proxy);
    with.proxy.user = "user";
    with.proxy.password = std::make_shared<const guard::Secret<std::string>>("pass");
    {
        TestClient client(with);
        const auto outcome = client.get("/");
        EXPECT_TRUE(outcome.result) << outcome.detail();
    }
    TestClient without(endpoint(server.port(), proxy));
    const auto outcome = without.get("/");
    ASSERT_FALSE(outcome.result);
    EXPECT_FALSE(outcome.sent);
    EXPECT_EQ(outcome.result.error().where, "context 'test'");
    EXPECT_NE(outcome.detail().find("proxy 127.0.0.1:" + std::to_string(proxy.port())), std::string::npos)
        << outcome.detail();
}

INSTANTIATE_TEST_SUITE_P(Http, ThroughProxy,
                         ::testing::Combine(::testing::Values(TestProxy::Kind::Connect, TestProxy::Kind::Socks5),
                                            ::testing::Bool()));

TEST(HttpProxy, OneThatIsNotThereIsNamed) {
    int closed = 0;
    {
        const SilentListener listener;
        closed = listener.port();
    }
    Endpoint endpoint = TestClient::plain(1);
    endpoint.proxy = {Proxy::Kind::HttpConnect, "127.0.0.1", closed, {}, {}};
    TestClient client(endpoint);
    const auto outcome = client.get("/");
    EXPECT_EQ(outcome.code(), ErrorCode::Unreachable);
    EXPECT_NE(outcome.detail().find("proxy 127.0.0.1:" + std::to_string(closed)), std::string::npos)
        << outcome.detail();
}

TEST(HttpProxy, TheEnvironmentsProxyIsNotTaken) {
    const SilentListener listener;
    const auto url = "http://127.0.0.1:" + std::to_string(listener.port());
    for (const char* name : {"http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"}) {
        ::setenv(name, url.c_str(), 1);
    }
    TestServer server(hello());
    TestClient client(TestClient::plain(server.port()));
    const auto outcome = client.get("/");
    EXPECT_TRUE(outcome.result) << outcome.detail();
    for (const char* name : {"http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"}) {
        ::unsetenv(name);
    }
}

} // namespace
} // namespace alidade::http::test
