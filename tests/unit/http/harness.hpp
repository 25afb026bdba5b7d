// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Real sockets for the tests: a server on one thread, a client on another, and calls that wait for their end.
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "alidade/http/client.hpp"
#include "alidade/http/io_thread.hpp"
#include "alidade/http/server.hpp"

namespace alidade::http::test {

using namespace std::chrono_literals;
using guard::ErrorCode;

constexpr auto kPatience = 20s; // only ever waited for when something is broken

/// A self-made certificate for the whole run; making one takes milliseconds, but hundreds of tests want one.
inline const SelfMadeTls& sharedTls() {
    static const SelfMadeTls tls = [] {
        SelfMadeTlsOptions options;
        options.clientCommonName = "alice";
        return makeSelfMadeTls(options).value();
    }();
    return tls;
}

/// A server with its own thread.
class TestServer {
public:
    explicit TestServer(RequestHandler handler, ServerOptions options = {}, bool tls = false) : io_("test-server") {
        if (tls && options.certPem.empty()) {
            options.certPem = sharedTls().certPem;
            options.keyPem = sharedTls().keyPem;
        }
        io_.run([&] {
            auto made = Server::listen(io_, std::move(options), std::move(handler));
            if (!made) {
                ADD_FAILURE() << made.error().text();
                return;
            }
            server_ = std::move(*made);
            port_ = server_->port();
        });
    }
    ~TestServer() { stop(); }
    void stop() {
        io_.run([&] { server_.reset(); });
    }
    [[nodiscard]] int port() const noexcept { return port_; }
    [[nodiscard]] IoThread& io() noexcept { return io_; }

private:
    IoThread io_;
    std::unique_ptr<Server> server_;
    int port_ = 0;
};

/// A server that answers every request with the same raw bytes and then does as told.
enum class Then { Close, Reset, Stay };
inline RequestHandler rawAnswer(std::string bytes, Then then = Then::Close) {
    auto kept = std::make_shared<std::vector<std::shared_ptr<Responder>>>();
    return [bytes = std::move(bytes), then, kept](const ServerRequest&, const std::shared_ptr<Responder>& answer) {
        if (!bytes.empty()) {
            answer->writeRaw(bytes);
        }
        if (then == Then::Close && bytes.empty()) {
            answer->abort(false);
        } else if (then == Then::Close) {
            answer->finish();
        } else if (then == Then::Reset) {
            answer->abort(true);
        } else {
            kept->push_back(answer);
        }
    };
}

struct Outcome {
    guard::Result<Response> result;
    bool sent = false;
    [[nodiscard]] const Response& response() const { return result.value(); }
    [[nodiscard]] ErrorCode code() const { return result ? static_cast<ErrorCode>(255) : result.error().code; }
    [[nodiscard]] std::string detail() const { return result ? "(success)" : result.error().detail; }
};

/// A client with its own thread.
class TestClient {
public:
    explicit TestClient(Endpoint endpoint, ClientLimits limits = {}) : io_("test-client") {
        io_.run([&] { client_ = std::make_unique<Client>(io_, std::move(endpoint), limits); });
    }
    static Endpoint plain(int port) {
        Endpoint endpoint;
        endpoint.tls = false;
        endpoint.host = "127.0.0.1";
        endpoint.port = port;
        endpoint.label = "context 'test'";
        return endpoint;
    }
    static Endpoint secure(int port) {
        Endpoint endpoint = plain(port);
        endpoint.tls = true;
        endpoint.caPem = sharedTls().caPem;
        return endpoint;
    }
    ~TestClient() {
        io_.run([&] {
            calls_.clear();
            client_.reset();
        });
    }

    [[nodiscard]] std::future<Outcome> begin(Request request, CallOptions options = {}) {
        auto promise = std::make_shared<std::promise<Outcome>>();
        auto future = promise->get_future();
        io_.run([&] {
            calls_.push_back(client_->fetch(std::move(request), options, [promise](auto result, bool sent) {
                promise->set_value(Outcome{std::move(result), sent});
            }));
        });
        return future;
    }
    [[nodiscard]] Outcome fetch(Request request, CallOptions options = {}) {
        auto future = begin(std::move(request), options);
        if (future.wait_for(kPatience) != std::future_status::ready) {
            ADD_FAILURE() << "the call never ended";
            return {guard::fail(ErrorCode::Internal, "test", "never ended"), false};
        }
        return future.get();
    }
    [[nodiscard]] Outcome get(const std::string& target, CallOptions options = {}) {
        Request request;
        request.target = target;
        return fetch(std::move(request), options);
    }
    [[nodiscard]] IoThread& io() noexcept { return io_; }
    [[nodiscard]] Client& client() noexcept { return *client_; }
    void dropCalls() {
        io_.run([&] { calls_.clear(); });
    }

private:
    IoThread io_;
    std::unique_ptr<Client> client_;
    std::vector<std::unique_ptr<Call>> calls_;
};

/// What a streamed call saw; waited for by predicate.
class Watch {
public:
    void start(TestClient& client, Request request, CallOptions options) {
        client_ = &client;
        client.io().run([&] {
            CallHandler handler;
            handler.head = [this](const ResponseHead& head) { with([&] { head_ = head; }); };
            handler.body = [this](std::string_view bytes) {
                with([&] {
                    ++pieces_;
                    size_ += bytes.size();
                    if (keep_) {
                        body_.append(bytes);
                    }
                });
                if (onBody) {
                    onBody(bytes);
                }
            };
            handler.done = [this](guard::Result<void> result) {
                with([&] {
                    ++dones_;
                    result_ = std::move(result);
                });
            };
            call_ = client.client().start(std::move(request), options, std::move(handler));
        });
    }
    ~Watch() { drop(); }
    void drop() {
        if (client_ != nullptr) {
            client_->io().run([&] { call_.reset(); });
        }
    }
    void setPaused(bool paused) {
        client_->io().run([&] { call_->setPaused(paused); });
    }
    template<class Predicate>
    [[nodiscard]] bool waitFor(Predicate predicate, std::chrono::milliseconds patience = kPatience) {
        std::unique_lock lock(mutex_);
        return changed_.wait_for(lock, patience, [&] { return predicate(); });
    }
    [[nodiscard]] bool waitDone() {
        return waitFor([&] { return dones_ > 0; });
    }
    [[nodiscard]] std::unique_lock<std::mutex> lock() { return std::unique_lock(mutex_); }

    std::function<void(std::string_view)> onBody; // on the client's thread; set before start
    bool keep_ = true;
    ResponseHead head_;
    std::string body_;
    std::size_t size_ = 0;
    int pieces_ = 0;
    int dones_ = 0;
    guard::Result<void> result_;
    std::unique_ptr<Call> call_; // on the client's thread only

private:
    template<class Change>
    void with(Change change) {
        {
            const std::lock_guard lock(mutex_);
            change();
        }
        changed_.notify_all();
    }
    TestClient* client_ = nullptr;
    std::mutex mutex_;
    std::condition_variable changed_;
};

inline Request request(std::string method, std::string target, std::string body = {}) {
    Request made;
    made.method = std::move(method);
    made.target = std::move(target);
    made.body = std::move(body);
    return made;
}

} // namespace alidade::http::test
