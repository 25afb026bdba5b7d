// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// An event loop in virtual time, and a transport without sockets that runs on it: what the server does is scripted by the
// test, what the client may expect of a transport (timeouts, cancelling, nothing after done) is kept here.
#include <algorithm>
#include <cstdlib>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "alidade/cluster/transport.hpp"
#include "alidade/guard/clock.hpp"
#include "source.hpp"

namespace alidade::cluster::test {

class VirtualLoop final : public guard::Timers {
public:
    VirtualLoop() : clock_(std::make_shared<guard::ManualClock>(*guard::parseRfc3339("2024-05-01T12:00:00Z"))) {}

    [[nodiscard]] Loop loop() {
        return {[this](std::function<void()> call) { posted_.push_back(std::move(call)); }, this, clock_};
    }
    [[nodiscard]] const std::shared_ptr<guard::ManualClock>& clock() const { return clock_; }
    void post(std::function<void()> call) { posted_.push_back(std::move(call)); }

    std::unique_ptr<Token> after(guard::Millis delay, std::function<void()> call) override {
        const Key key{clock_->now() + std::max(delay, guard::Millis{0}), next_++};
        timers_->emplace(key, std::move(call));
        return std::make_unique<TimerToken>(timers_, key);
    }
    /// Runs everything due within `span`, in order.
    void run(guard::Millis span = guard::Millis{0}) {
        const guard::MonoTime end = clock_->now() + span;
        drain();
        while (!timers_->empty() && timers_->begin()->first.first <= end) {
            const auto first = timers_->begin();
            clock_->advance(std::max(first->first.first - clock_->now(), std::chrono::nanoseconds{0}));
            const auto call = std::move(first->second);
            timers_->erase(first);
            call();
            drain();
        }
        clock_->advance(end - clock_->now());
    }

private:
    using Key = std::pair<guard::MonoTime, std::uint64_t>;
    using Queue = std::map<Key, std::function<void()>>;
    class TimerToken final : public Token {
    public:
        TimerToken(std::weak_ptr<Queue> queue, Key key) : queue_(std::move(queue)), key_(key) {}
        ~TimerToken() override {
            if (const auto queue = queue_.lock()) {
                queue->erase(key_);
            }
        }

    private:
        std::weak_ptr<Queue> queue_;
        Key key_;
    };
    void drain() {
        while (!posted_.empty()) {
            const auto call = std::move(posted_.front());
            posted_.pop_front();
            call();
        }
    }

    std::shared_ptr<guard::ManualClock> clock_;
    std::deque<std::function<void()>> posted_;
    std::shared_ptr<Queue> timers_ = std::make_shared<Queue>();
    std::uint64_t next_ = 0;
};

/// The server's end of one exchange.
class Exchange : public std::enable_shared_from_this<Exchange> {
public:
    Exchange(VirtualLoop& loop, http::Request asked, http::CallOptions options, http::CallHandler handler)
        : request(std::move(asked)), loop_(loop), options_(options), handler_(std::move(handler)) {}

    const http::Request request;
    [[nodiscard]] bool open() const noexcept { return open_; }
    [[nodiscard]] bool has(std::string_view part) const { return request.target.find(part) != std::string::npos; }
    [[nodiscard]] std::string param(const std::string& name) const {
        for (const char* mark : {"?", "&"}) {
            const auto at = request.target.find(mark + name + "=");
            if (at != std::string::npos) {
                const auto from = at + name.size() + 2;
                return http::percentDecode(request.target.substr(from, request.target.find('&', from) - from)).value_or("");
            }
        }
        return {};
    }

    void arm() {
        if (options_.deadline) {
            deadline_ = loop_.after(*options_.deadline, [this] { end(timeout()); });
        }
    }
    void head(int status, http::Headers headers = {}) {
        if (open_) {
            idle();
            handler_.head({status, "", std::move(headers)});
        }
    }
    void body(std::string_view bytes) {
        if (open_) {
            idle();
            handler_.body(bytes);
        }
    }
    void end(guard::Result<void> result = {}) {
        if (!open_) {
            return;
        }
        const auto self = shared_from_this();
        close();
        handler_.done(std::move(result));
    }
    /// Head, body and end at once.
    void answer(int status, std::string_view text, http::Headers headers = {}) {
        const auto self = shared_from_this();
        head(status, std::move(headers));
        body(text);
        end();
    }
    void lose() { end(guard::fail(guard::ErrorCode::ConnectionLost, "test", "the connection broke")); }
    void close() {
        open_ = false;
        loop_.post([idle = std::shared_ptr<guard::Timers::Token>(std::move(idle_)),
                    deadline = std::shared_ptr<guard::Timers::Token>(std::move(deadline_))] {});
    }

private:
    static guard::Result<void> timeout() { return guard::fail(guard::ErrorCode::Timeout, "test", "it took too long"); }
    void idle() {
        if (options_.idleTimeout) {
            idle_ = loop_.after(*options_.idleTimeout, [this] { end(timeout()); });
        }
    }
    VirtualLoop& loop_;
    http::CallOptions options_;
    http::CallHandler handler_;
    bool open_ = true;
    std::unique_ptr<guard::Timers::Token> idle_, deadline_;
};
using ExchangePtr = std::shared_ptr<Exchange>;

class FakeTransport final : public Transport {
public:
    explicit FakeTransport(VirtualLoop& loop) : loop_(loop) {}
    /// Called on the loop, after the request has left.
    std::function<void(ExchangePtr)> serve;
    std::function<guard::Result<void>()> onRefresh = [] { return guard::Result<void>{}; };
    std::vector<ExchangePtr> seen;
    int refreshes = 0;

    std::unique_ptr<http::Call> start(http::Request request, http::CallOptions options, http::CallHandler handler) override {
        auto exchange = std::make_shared<Exchange>(loop_, std::move(request), options, std::move(handler));
        exchange->arm();
        seen.push_back(exchange);
        loop_.post([this, exchange] {
            if (exchange->open() && serve) {
                serve(exchange);
            }
        });
        return std::make_unique<Call>(exchange);
    }
    std::unique_ptr<http::Call> fetch(http::Request request, http::CallOptions options,
                                      std::function<void(Result<http::Response>, bool)> done) override {
        auto response = std::make_shared<http::Response>();
        http::CallHandler handler;
        handler.head = [response](const http::ResponseHead& head) { response->head = head; };
        handler.body = [response](std::string_view bytes) { response->body.append(bytes); };
        handler.done = [response, done = std::move(done)](guard::Result<void> result) {
            if (!result) {
                done(tl::unexpected(result.error()), true);
            } else if (response->head.status >= 400) {
                done(tl::unexpected(errorFromResponse("test", response->head, response->body)), true);
            } else {
                done(std::move(*response), true);
            }
        };
        return start(std::move(request), options, std::move(handler));
    }
    void refresh(std::function<void(Result<void>)> done) override {
        ++refreshes;
        loop_.post([this, done = std::move(done)] { done(onRefresh()); });
    }
    http::IoThread& io() noexcept override { std::abort(); } // nothing under test asks for it
    [[nodiscard]] std::size_t count(std::string_view part) const {
        return static_cast<std::size_t>(
            std::count_if(seen.begin(), seen.end(), [&](const ExchangePtr& e) { return e->has(part); }));
    }

private:
    class Call final : public http::Call {
    public:
        explicit Call(ExchangePtr exchange) : exchange_(std::move(exchange)) {}
        ~Call() override { exchange_->close(); }
        bool sent() const noexcept override { return true; }
        void setPaused(bool) override {}

    private:
        ExchangePtr exchange_;
    };
    VirtualLoop& loop_;
};

/// Rows as a subscriber sees them, kept by batches alone; every rule of the contract is checked on the way.
class Mirror {
public:
    Mirror() : mailbox(std::make_shared<Mailbox<DeltaBatch>>()) {}
    std::shared_ptr<Mailbox<DeltaBatch>> mailbox;
    std::map<std::string, RowPtr> rows;
    Freshness freshness;
    std::vector<Freshness::State> states; ///< changes of state, in order
    std::string broken;                   ///< the first rule that was not kept
    std::size_t batches = 0;
    std::size_t appeared = 0;
    std::size_t removed = 0;
    Schema schema;

    void drain() {
        for (DeltaBatch& batch : mailbox->drain()) take(batch);
    }
    [[nodiscard]] std::vector<std::string> names() const {
        std::vector<std::string> out;
        for (const auto& [key, row] : rows) out.emplace_back(row->name);
        std::sort(out.begin(), out.end());
        return out;
    }

private:
    void take(const DeltaBatch& batch) {
        const auto rule = [this](bool kept, const char* what) {
            if (!kept && broken.empty()) {
                broken = what;
            }
        };
        rule(batch.sequence == ++sequence_, "sequences have no holes");
        rule(batch.reset || sequence_ > 1, "the first batch is a reset");
        ++batches;
        if (batch.reset) {
            rule(batch.schema != nullptr, "a reset carries the schema");
            schema = batch.schema;
            rows.clear();
        }
        for (const RowPtr& row : batch.upserts) {
            rule(row->cells.size() == schema->size(), "rows have the schema's cells");
            appeared += rows.count(std::string(row->key)) == 0 ? 1 : 0;
            rows[std::string(row->key)] = row;
        }
        for (const std::string& key : batch.removals) removed += rows.erase(key);
        if (states.empty() || states.back() != batch.freshness.state) {
            states.push_back(batch.freshness.state);
        }
        freshness = batch.freshness;
    }
    std::uint64_t sequence_ = 0;
};

} // namespace alidade::cluster::test
