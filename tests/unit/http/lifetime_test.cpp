// SPDX-License-Identifier: GPL-3.0-or-later
// Ends at any moment: calls dropped from their own callbacks and from outside, clients, servers and threads destroyed
// with work under way. Sanitizers watch; here it is counted that nothing is called afterwards and nothing hangs.
#include "harness.hpp"

#include <random>
#include <thread>

namespace alidade::http::test {
namespace {

RequestHandler lines(int count) {
    return [count](const ServerRequest&, const std::shared_ptr<Responder>& answer) {
        answer->begin(200, {});
        for (int i = 0; i < count; ++i) {
            answer->write("line " + std::to_string(i) + "\n");
        }
        answer->finish();
    };
}

enum class At { Head, Body, Done };

class DropIn : public ::testing::TestWithParam<std::tuple<At, Connection, bool>> {};

TEST_P(DropIn, ItsOwnCallback) {
    const auto [at, connection, tls] = GetParam();
    TestServer server(lines(100), {}, tls);
    TestClient client(tls ? TestClient::secure(server.port()) : TestClient::plain(server.port()));
    std::atomic<int> after{0};
    std::promise<void> dropped;
    std::unique_ptr<Call> call;
    client.io().run([&, at = at, connection = connection] {
        auto drop = [&] {
            if (!call) {
                ++after;
                return;
            }
            call.reset();
            dropped.set_value();
        };
        CallHandler handler;
        handler.head = [&, at, drop](const ResponseHead&) {
            if (at == At::Head || !call) {
                drop();
            }
        };
        handler.body = [&, at, drop](std::string_view) {
            if (at == At::Body || !call) {
                drop();
            }
        };
        handler.done = [&, at, drop](const guard::Result<void>&) {
            if (at == At::Done || !call) {
                drop();
            }
        };
        CallOptions options;
        options.connection = connection;
        call = client.client().start(request("GET", "/"), options, std::move(handler));
    });
    ASSERT_EQ(dropped.get_future().wait_for(kPatience), std::future_status::ready);
    EXPECT_TRUE(client.get("/").result); // whatever was still under way has been heard by now
    EXPECT_EQ(after.load(), 0);
}

INSTANTIATE_TEST_SUITE_P(Http, DropIn,
                         ::testing::Combine(::testing::Values(At::Head, At::Body, At::Done),
                                            ::testing::Values(Connection::Pooled, Connection::Dedicated),
                                            ::testing::Bool()));

TEST(HttpLifetime, CallsDroppedAtRandomMomentsAreSilentAfterwards) {
    TestServer server(lines(2000), {}, true);
    TestClient client(TestClient::secure(server.port()));
    std::mt19937 random(7);
    std::atomic<int> late{0};
    for (int round = 0; round < 60; ++round) {
        struct State {
            std::unique_ptr<Call> call;
            bool dropped = false;
        };
        auto state = std::make_shared<State>();
        std::promise<void> ended;
        std::unique_ptr<guard::Timers::Token> timer;
        client.io().run([&] {
            const auto check = [state, &late] {
                if (state->dropped) {
                    ++late;
                }
            };
            CallHandler handler;
            handler.head = [check](const ResponseHead&) { check(); };
            handler.body = [check](std::string_view) { check(); };
            handler.done = [check](const guard::Result<void>&) { check(); };
            CallOptions options;
            options.connection = round % 2 == 0 ? Connection::Pooled : Connection::Fresh;
            state->call = client.client().start(request("GET", "/"), options, std::move(handler));
            timer = client.io().timers().after(guard::Millis{static_cast<int>(random() % 12)}, [&, state] {
                state->call.reset();
                state->dropped = true;
                ended.set_value();
            });
        });
        ended.get_future().wait();
        client.io().run([&] { timer.reset(); });
    }
    EXPECT_TRUE(client.get("/").result);
    EXPECT_EQ(late.load(), 0);
}

TEST(HttpLifetime, AClientMayGoBeforeItsCalls) {
    TestServer server(lines(10));
    IoThread io("test");
    std::unique_ptr<Call> call;
    std::promise<guard::Result<Response>> ended;
    io.run([&] {
        Client client(io, TestClient::plain(server.port()));
        call = client.fetch(request("GET", "/"), {},
                            [&](guard::Result<Response> result, bool) { ended.set_value(std::move(result)); });
    });
    EXPECT_TRUE(ended.get_future().get());
    io.run([&] { call.reset(); });
}

TEST(HttpLifetime, TheThreadsEndCancelsWhatRuns) {
    std::vector<std::shared_ptr<Responder>> held;
    TestServer server(
        [&](const ServerRequest& got, const std::shared_ptr<Responder>& answer) {
            if (got.path == "/stream") {
                answer->begin(200, {});
                answer->write("first");
            }
            held.push_back(answer);
        },
        {}, true);
    std::vector<guard::Result<void>> results;
    std::vector<std::unique_ptr<Call>> calls;
    std::unique_ptr<Client> client;
    {
        IoThread io("short-lived");
        std::promise<void> streaming;
        io.run([&] {
            client = std::make_unique<Client>(io, TestClient::secure(server.port()));
            for (int i = 0; i < 12; ++i) { // streams, waiting reads, and reads that wait in line
                CallHandler handler;
                handler.body = [&, i](std::string_view) {
                    if (i == 0) {
                        streaming.set_value();
                    }
                };
                handler.done = [&](guard::Result<void> result) {
                    results.push_back(std::move(result));
                    // Too late for another one; it must not hang either.
                    calls.push_back(client->start(request("GET", "/more"), {}, {}));
                };
                CallOptions options;
                options.connection = i % 2 == 0 ? Connection::Dedicated : Connection::Pooled;
                calls.push_back(client->start(request("GET", i % 2 == 0 ? "/stream" : "/wait"), options, handler));
            }
        });
        ASSERT_EQ(streaming.get_future().wait_for(kPatience), std::future_status::ready);
    }
    ASSERT_EQ(results.size(), 12U);
    for (const auto& result : results) {
        ASSERT_FALSE(result);
        EXPECT_EQ(result.error().code, ErrorCode::Cancelled);
    }
    calls.clear(); // after the thread, on another one
    client.reset();
    server.io().run([&] { held.clear(); });
}

TEST(HttpLifetime, AServerMayOutliveItsThread) {
    std::unique_ptr<Server> server;
    std::shared_ptr<Responder> held;
    std::promise<void> arrived;
    std::atomic<bool> told{false};
    auto io = std::make_unique<IoThread>("short-lived");
    int port = 0;
    io->run([&] {
        server =
            std::move(*Server::listen(*io, {}, [&](const ServerRequest&, const std::shared_ptr<Responder>& answer) {
                held = answer;
                held->onClosed([&] { told = true; });
                arrived.set_value();
            }));
        port = server->port();
    });
    TestClient client(TestClient::plain(port));
    auto running = client.begin(request("GET", "/"));
    ASSERT_EQ(arrived.get_future().wait_for(kPatience), std::future_status::ready);
    io.reset();
    EXPECT_TRUE(told.load());
    EXPECT_TRUE(held->closed());
    held->send(200, {}, "too late");
    held.reset();
    server.reset();
    EXPECT_EQ(running.get().code(), ErrorCode::ConnectionLost);
}

TEST(HttpLifetime, AHandlerMayCloseItsOwnServer) {
    IoThread io("test");
    std::unique_ptr<Server> server;
    int port = 0;
    io.run([&] {
        server = std::move(*Server::listen(io, {}, [&](const ServerRequest&, const std::shared_ptr<Responder>& answer) {
            server.reset();
            answer->send(200, {}, "nobody hears this");
        }));
        port = server->port();
    });
    TestClient client(TestClient::plain(port));
    EXPECT_EQ(client.get("/").code(), ErrorCode::ConnectionLost);
    EXPECT_EQ(client.get("/").code(), ErrorCode::Unreachable);
}

TEST(HttpLifetime, WhatIsAskedOfAStoppingThreadIsDroppedAndNobodyWaits) {
    auto io = std::make_unique<IoThread>("test");
    IoThread* const stopping = io.get();
    std::promise<void> gate;
    stopping->post([open = gate.get_future().share()] { open.wait(); }); // keeps the thread from ending
    std::thread ender([&] { io.reset(); });
    // The thread has been told to stop once a posted call is destroyed instead of kept.
    for (bool dropped = false; !dropped;) {
        auto token = std::make_shared<int>(0);
        stopping->post([token] {});
        dropped = token.use_count() == 1;
        std::this_thread::yield();
    }
    bool ran = false;
    stopping->run([&] { ran = true; });
    EXPECT_FALSE(ran);
    gate.set_value();
    ender.join();
}

} // namespace
} // namespace alidade::http::test
