// SPDX-License-Identifier: GPL-3.0-or-later
#include "harness.hpp"

#include <thread>

namespace alidade::http::test {
namespace {

TEST(IoThread, RunsPostedCallsInOrderOnItsOwnThread) {
    std::vector<int> order;
    {
        IoThread io("test");
        EXPECT_FALSE(io.isCurrent());
        for (int i = 0; i < 1000; ++i) {
            io.post([&order, &io, i] {
                EXPECT_TRUE(io.isCurrent());
                order.push_back(i);
            });
        }
        io.run([&] { order.push_back(1000); });
        io.post([&order] { order.push_back(1001); }); // posted before the end: still runs
    }
    ASSERT_EQ(order.size(), 1002U);
    EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
}

TEST(IoThread, TakesCallsFromManyThreads) {
    std::atomic<int> count{0};
    {
        IoThread io("test");
        std::vector<std::thread> threads;
        for (int t = 0; t < 4; ++t) {
            threads.emplace_back([&] {
                for (int i = 0; i < 500; ++i) {
                    if (i % 10 == 0) {
                        io.run([&] { ++count; });
                    } else {
                        io.post([&] { ++count; });
                    }
                }
            });
        }
        for (auto& thread : threads) {
            thread.join();
        }
    }
    EXPECT_EQ(count.load(), 2000);
}

TEST(IoThread, IsMadeAndUsedOnAThreadThatIsNotTheFirst) {
    std::thread([] {
        TestServer server(
            [](const ServerRequest&, const std::shared_ptr<Responder>& answer) { answer->send(200, {}, "hello"); });
        TestClient client(TestClient::plain(server.port()));
        EXPECT_EQ(client.get("/").response().body, "hello");
    }).join();
    IoThread after("test");
    bool ran = false;
    after.run([&] { ran = true; });
    EXPECT_TRUE(ran);
}

TEST(IoThread, TimersFireInTheOrderOfTheirTimesAndNotBefore) {
    IoThread io("test");
    std::promise<std::vector<int>> fired;
    std::vector<int> order;
    std::vector<std::unique_ptr<guard::Timers::Token>> tokens;
    const auto begin = std::chrono::steady_clock::now();
    io.run([&] {
        for (const int delay : {30, 10, 20, 0}) {
            tokens.push_back(io.timers().after(guard::Millis{delay}, [&, delay] {
                EXPECT_GE(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds(delay));
                order.push_back(delay);
                if (delay == 30) {
                    fired.set_value(order);
                }
            }));
        }
        tokens.push_back(io.timers().after(guard::Millis{15}, [&] { order.push_back(-1); }));
        tokens.pop_back(); // cancelled
    });
    EXPECT_EQ(fired.get_future().get(), (std::vector<int>{0, 10, 20, 30}));
    io.run([&] { tokens.clear(); });
}

TEST(IoThread, ATimerMayCancelItselfAndOthersAndOutliveItsThread) {
    std::unique_ptr<guard::Timers::Token> survivor;
    {
        IoThread io("test");
        std::promise<void> done;
        std::unique_ptr<guard::Timers::Token> self;
        std::unique_ptr<guard::Timers::Token> other;
        io.run([&] {
            other = io.timers().after(guard::Millis{1}, [] { ADD_FAILURE() << "was cancelled"; });
            self = io.timers().after(guard::Millis{0}, [&] {
                self.reset();
                other.reset();
                survivor = io.timers().after(guard::Millis{3'600'000}, [] { ADD_FAILURE() << "an hour early"; });
                done.set_value();
            });
        });
        done.get_future().wait();
    }
    survivor.reset();
}

} // namespace
} // namespace alidade::http::test
