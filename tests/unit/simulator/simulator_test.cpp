// SPDX-License-Identifier: GPL-3.0-or-later
// The simulator as a whole, over loopback: TLS, tokens, faults, records, many pods.
#include <condition_variable>
#include <mutex>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "alidade/http/client.hpp"
#include "alidade/simulator/simulator.hpp"
#include "world/json.hpp"

namespace alidade::simulator {
namespace {

using ::testing::HasSubstr;

class Running : public ::testing::Test {
protected:
    Running() {
        options.scenario = "healthy";
        options.realTime = false;
        options.recordRequests = true;
        options.tls = false;
    }
    ~Running() override {
        if (client)
            io.run([&] {
                call.reset();
                client.reset();
            });
    }
    void start() {
        auto made = Simulator::start(options);
        ASSERT_TRUE(made) << made.error().text();
        sim = std::move(*made);
        const auto config = sim->kubeconfig();
        const auto after = [&](const std::string& text, const std::string& word) {
            const auto pos = text.find(word);
            return pos == std::string::npos ? std::string()
                                            : text.substr(pos + word.size(), text.find('\n', pos) - pos - word.size());
        };
        token = after(config.substr(config.find("name: \"admin\"")), "token: ");
        http::Endpoint endpoint;
        endpoint.tls = options.tls;
        endpoint.host = "127.0.0.1";
        endpoint.port = sim->port();
        endpoint.caPem = decodeBase64(after(config, "certificate-authority-data: "));
        io.run([&] { client = std::make_unique<http::Client>(io, endpoint); });
    }
    struct Answer {
        std::optional<guard::Error> error;
        int status = 0;
        std::string body;
        [[nodiscard]] Json json() const { return Json::parse(body, nullptr, false); }
    };
    Answer request(const std::string& method, const std::string& target, const std::string& body = {}) {
        Answer answer;
        bool done = false;
        std::mutex mutex;
        std::condition_variable ready;
        io.run([&] {
            http::Request r;
            r.method = method;
            r.target = target;
            r.body = body;
            r.headers.add("Authorization", "Bearer " + token);
            http::CallOptions o;
            o.connection = http::Connection::Fresh;
            o.acceptGzip = false;
            o.deadline = guard::Millis(2000);
            http::CallHandler handler;
            handler.head = [&](const http::ResponseHead& head) { answer.status = head.status; };
            handler.body = [&](std::string_view bytes) { answer.body += bytes; };
            handler.done = [&](guard::Result<void> result) {
                if (!result)
                    answer.error = result.error();
                const std::lock_guard lock(mutex);
                done = true;
                ready.notify_all();
            };
            call = client->start(std::move(r), o, std::move(handler));
        });
        std::unique_lock lock(mutex);
        ready.wait(lock, [&] { return done; });
        lock.unlock();
        io.run([&] { call.reset(); });
        return answer;
    }
    void fault(Fault::Kind kind, std::function<void(Fault&)> more = {}) {
        Fault f;
        f.kind = kind;
        if (more)
            more(f);
        sim->addFault(f);
    }
    const std::string pods = "/api/v1/namespaces/shop/pods";
    SimulatorOptions options;
    std::unique_ptr<Simulator> sim;
    std::string token;
    http::IoThread io{"test-client"};
    std::unique_ptr<http::Client> client;
    std::unique_ptr<http::Call> call;
};

TEST_F(Running, speaksTlsWithTheCaOfItsKubeconfig) {
    options.tls = true;
    start();
    EXPECT_EQ(request("GET", "/readyz").body, "ok");
    EXPECT_EQ(str(request("GET", pods).json(), {"kind"}), "PodList");
    EXPECT_THAT(sim->kubeconfig(), HasSubstr("current-context: demo"));
}

TEST_F(Running, wantsItsToken) {
    start();
    token = "wrong";
    EXPECT_EQ(request("GET", pods).status, 401);
    EXPECT_EQ(request("GET", "/healthz").status, 200);
}

TEST_F(Running, recordsWhatItWasAsked) {
    start();
    request("GET", pods + "?limit=5");
    request("DELETE", pods + "/none?dryRun=All", "{}");
    const auto records = sim->requests();
    ASSERT_EQ(records.size(), 2U);
    EXPECT_EQ(records[0].target, pods + "?limit=5");
    EXPECT_EQ(records[0].user, "admin");
    EXPECT_EQ(records[0].status, 200);
    EXPECT_FALSE(records[0].dryRun);
    EXPECT_TRUE(records[1].dryRun);
    EXPECT_EQ(records[1].status, 404);
    EXPECT_EQ(records[1].body, "{}");
}

TEST_F(Running, failsOnceAsItWasTold) {
    start();
    fault(Fault::Kind::Status, [](Fault& f) { f.status = 503; });
    EXPECT_EQ(request("GET", pods).status, 503);
    EXPECT_EQ(request("GET", pods).status, 200);
    fault(Fault::Kind::Gone, [](Fault& f) { f.skip = 1; });
    EXPECT_EQ(request("GET", pods).status, 200);
    const auto gone = request("GET", pods);
    EXPECT_EQ(gone.status, 410);
    EXPECT_EQ(str(gone.json(), {"reason"}), "Expired");
    fault(Fault::Kind::Html);
    EXPECT_THAT(request("GET", pods).body, HasSubstr("<html>"));
    fault(Fault::Kind::Redirect, [](Fault& f) { f.pathPrefix = "/api/v1/nodes"; });
    EXPECT_EQ(request("GET", pods).status, 200);
    EXPECT_EQ(request("GET", "/api/v1/nodes").status, 302);
}

TEST_F(Running, losesTheAnswerOfAWriteThatWasCarriedOut) {
    start();
    fault(Fault::Kind::CloseBeforeAnswer, [](Fault& f) {
        f.method = "DELETE";
        f.carriedOut = true;
    });
    const auto lost = request("DELETE", "/api/v1/namespaces/shop/configmaps/feature-flags");
    ASSERT_TRUE(lost.error);
    EXPECT_FALSE(sim->get("", "configmaps", "shop", "feature-flags"));
    fault(Fault::Kind::Reset, [](Fault& f) { f.method = "DELETE"; });
    ASSERT_TRUE(request("DELETE", "/api/v1/namespaces/shop/configmaps/cart-config").error);
    EXPECT_TRUE(sim->get("", "configmaps", "shop", "cart-config"));
}

TEST_F(Running, cutsSplitsAndHoldsAnswers) {
    start();
    const auto whole = request("GET", pods).body;
    fault(Fault::Kind::Truncate);
    const auto cut = request("GET", pods);
    ASSERT_TRUE(cut.error);
    EXPECT_LT(cut.body.size(), whole.size());
    fault(Fault::Kind::SplitChunks);
    EXPECT_EQ(request("GET", pods).body, whole);
    fault(Fault::Kind::SlowChunks, [](Fault& f) { f.delay = guard::Millis(5); });
    EXPECT_EQ(request("GET", pods).body, whole);
    fault(Fault::Kind::Delay, [](Fault& f) { f.delay = guard::Millis(30); });
    EXPECT_EQ(request("GET", pods).body, whole);
    fault(Fault::Kind::HalfOpen);
    const auto silent = request("GET", pods);
    ASSERT_TRUE(silent.error);
    EXPECT_EQ(silent.error->code, guard::ErrorCode::Timeout);
    sim->clearFaults();
    EXPECT_EQ(request("GET", pods).body, whole);
}

TEST_F(Running, compactionEndsOldWatchesAndDroppedConnectionsComeBack) {
    start();
    const auto rv = str(request("GET", pods).json(), {"metadata", "resourceVersion"});
    ASSERT_TRUE(
        sim->put({{"apiVersion", "v1"}, {"kind", "ConfigMap"}, {"metadata", {{"name", "x"}, {"namespace", "shop"}}}}));
    sim->compact();
    const auto old = request("GET", pods + "?watch=true&resourceVersion=" + rv);
    EXPECT_THAT(old.body, HasSubstr("\"code\":410"));
    sim->dropConnections();
    EXPECT_EQ(request("GET", pods).status, 200);
}

TEST_F(Running, listsManyPodsWholeAndInPages) {
    options.pods = 1200;
    start();
    const auto all = request("GET", "/api/v1/pods");
    const auto json = all.json();
    const auto& list = items(at(json, "items"));
    ASSERT_GT(list.size(), 1200U);
    EXPECT_EQ(all.status, 200);
    std::size_t bulk = 0;
    for (const auto& pod : list)
        bulk += str(pod, {"metadata", "namespace"}).starts_with("bulk-") ? 1 : 0;
    EXPECT_EQ(bulk, 1200U);
    EXPECT_GT(dump(list.front()).size(), 4500U);
    const auto page = request("GET", "/api/v1/pods?limit=500").json();
    EXPECT_EQ(items(at(page, "items")).size(), 500U);
    EXPECT_EQ(integer(page, {"metadata", "remainingItemCount"}), static_cast<std::int64_t>(list.size()) - 500);
}

TEST_F(Running, realTimeMovesByItself) {
    options.realTime = true;
    options.speed = 200;
    options.scenario = "checkout-bad-image";
    options.incidentAfterSeconds = 2;
    start();
    // The watch brings the incident; nothing here waits for a clock.
    const auto watch = request("GET", "/apis/apps/v1/namespaces/shop/replicasets?watch=true&timeoutSeconds=60");
    EXPECT_THAT(watch.body, HasSubstr("checkout:2.5.1"));
}

} // namespace
} // namespace alidade::simulator
