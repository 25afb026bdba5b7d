// SPDX-License-Identifier: GPL-3.0-or-later
#include "alidade/http/client.hpp"

#include "exchange.hpp"
#include "io_thread_impl.hpp"
#include "pool.hpp"

#include <algorithm>
#include <charconv>

namespace alidade::http {
namespace {

class CallHandle final : public Call {
public:
    explicit CallHandle(std::shared_ptr<Exchange> exchange) : exchange_(std::move(exchange)) {}
    ~CallHandle() override { exchange_->cancel(); }
    [[nodiscard]] bool sent() const noexcept override { return exchange_->sent(); }
    void setPaused(bool paused) override { exchange_->setPaused(paused); }

private:
    std::shared_ptr<Exchange> exchange_;
};

std::size_t announcedLength(const ResponseHead& head) {
    const auto text = head.headers.get("Content-Length").value_or("");
    std::size_t length = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), length);
    return error == std::errc() && end == text.data() + text.size() ? length : 0;
}

} // namespace

struct Client::Impl {
    std::shared_ptr<const Dial> dial;
    std::shared_ptr<Pool> pool;
};

Client::Client(IoThread& io, Endpoint endpoint, ClientLimits limits) : impl_(std::make_unique<Impl>()) {
    impl_->dial = std::make_shared<const Dial>(std::move(endpoint), limits);
    impl_->pool = std::make_shared<Pool>(io.impl().loop, impl_->dial);
}

Client::~Client() { impl_->pool->close(); }

std::unique_ptr<Call> Client::start(Request request, CallOptions options, CallHandler handler) {
    auto exchange = std::make_shared<Exchange>(impl_->pool, std::move(request), options, std::move(handler));
    auto call = std::make_unique<CallHandle>(exchange);
    if (!impl_->pool->loop()->ending()) {
        exchange->begin();
    }
    return call;
}

std::unique_ptr<Call> Client::fetch(Request request, CallOptions options,
                                    std::function<void(guard::Result<Response>, bool sent)> done) {
    struct Gathered {
        Response response;
        std::weak_ptr<Exchange> exchange;
        bool tooLarge = false;
        std::function<void(guard::Result<Response>, bool)> done;
    };
    auto gathered = std::make_shared<Gathered>();
    gathered->done = std::move(done);
    const std::size_t most = impl_->dial->limits.maxBodyBytes;

    CallHandler handler;
    handler.head = [gathered, most](const ResponseHead& head) {
        gathered->response.head = head;
        gathered->response.body.reserve(std::min(announcedLength(head), std::min<std::size_t>(most, 1U << 20U)));
    };
    handler.body = [gathered, most, dial = impl_->dial](std::string_view bytes) {
        if (gathered->tooLarge) {
            return;
        }
        if (bytes.size() > most - gathered->response.body.size()) {
            gathered->tooLarge = true;
            const auto exchange = gathered->exchange.lock();
            exchange->fail(guard::ErrorCode::TooLarge, "the answer is larger than " + std::to_string(most) + " bytes");
            return;
        }
        gathered->response.body.append(bytes);
    };
    handler.done = [gathered](guard::Result<void> result) {
        const auto exchange = gathered->exchange.lock();
        const bool sent = exchange && exchange->sent();
        if (!result) {
            gathered->done(tl::unexpected(std::move(result.error())), sent);
        } else {
            gathered->done(std::move(gathered->response), sent);
        }
    };

    auto exchange = std::make_shared<Exchange>(impl_->pool, std::move(request), options, std::move(handler));
    gathered->exchange = exchange;
    auto call = std::make_unique<CallHandle>(exchange);
    if (!impl_->pool->loop()->ending()) {
        exchange->begin();
    }
    return call;
}

const Endpoint& Client::endpoint() const noexcept { return impl_->dial->endpoint; }

void Client::closeIdle() { impl_->pool->closeIdle(); }

} // namespace alidade::http
