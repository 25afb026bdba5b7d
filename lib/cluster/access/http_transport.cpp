// SPDX-License-Identifier: GPL-3.0-or-later
#include "access/http_transport.hpp"

#include "access/errors.hpp"
#include "version.hpp"

#include <utility>

namespace alidade::cluster {
namespace {

using guard::Error;

/// What a caller's handle and the running exchange share. All on the I/O thread.
struct Ticket {
    std::shared_ptr<http::Client> client; ///< outlives the exchange, also when credentials change
    std::unique_ptr<http::Call> call;
    bool paused = false;
    bool ended = false; ///< answered, or dropped by the caller
};

class Handle final : public http::Call {
public:
    explicit Handle(std::shared_ptr<Ticket> ticket) : ticket_(std::move(ticket)) {}
    ~Handle() override {
        ticket_->ended = true;
        ticket_->call.reset();
    }
    Handle(const Handle&) = delete;
    Handle& operator=(const Handle&) = delete;
    [[nodiscard]] bool sent() const noexcept override { return ticket_->call && ticket_->call->sent(); }
    void setPaused(bool paused) override {
        ticket_->paused = paused;
        if (ticket_->call) {
            ticket_->call->setPaused(paused);
        }
    }

private:
    std::shared_ptr<Ticket> ticket_;
};

class HttpTransport final : public Transport {
public:
    HttpTransport(Identity identity, std::unique_ptr<Credentials> credentials, std::shared_ptr<http::IoThread> io,
                  std::shared_ptr<const guard::Clock> clock, http::ClientLimits limits)
        : identity_(std::make_shared<const Identity>(std::move(identity))), credentials_(std::move(credentials)),
          io_(std::move(io)), clock_(std::move(clock)), limits_(limits) {}

    std::unique_ptr<http::Call> start(http::Request request, http::CallOptions options,
                                      http::CallHandler handler) override {
        auto ticket = std::make_shared<Ticket>();
        const std::string where = whereOf(request);
        auto shared = std::make_shared<http::CallHandler>(std::move(handler));
        authorise(
            std::move(request), ticket,
            [this, ticket = std::weak_ptr(ticket), options, shared, where](http::Request ready) {
                const auto held = ticket.lock();
                held->call = held->client->start(std::move(ready), options, watched(held, shared, where));
                if (held->paused) {
                    held->call->setPaused(true);
                }
            },
            [shared](const Error& error) {
                if (shared->done) {
                    shared->done(tl::unexpected(error));
                }
            });
        return std::make_unique<Handle>(std::move(ticket));
    }

    std::unique_ptr<http::Call> fetch(http::Request request, http::CallOptions options,
                                      std::function<void(Result<http::Response>, bool sent)> done) override {
        auto ticket = std::make_shared<Ticket>();
        const std::string where = whereOf(request);
        auto shared = std::make_shared<std::function<void(Result<http::Response>, bool)>>(std::move(done));
        authorise(
            std::move(request), ticket,
            [this, ticket = std::weak_ptr(ticket), options, shared, where](http::Request ready) {
                const auto held = ticket.lock();
                held->call = held->client->fetch(
                    std::move(ready), options,
                    [ticket, shared, where, identity = identity_, clock = clock_](Result<http::Response> result,
                                                                                  bool sent) {
                        if (const auto open = ticket.lock(); open && !std::exchange(open->ended, true)) {
                            (*shared)(judged(*identity, clock->wall(), where, std::move(result)), sent);
                        }
                    });
            },
            [shared](const Error& error) { (*shared)(tl::unexpected(error), false); });
        return std::make_unique<Handle>(std::move(ticket));
    }

    void refresh(std::function<void(Result<void>)> done) override { credentials_->refresh(std::move(done)); }
    [[nodiscard]] guard::Error refusal(const std::string& where, const http::ResponseHead& head,
                                       const std::string& body) const override {
        return explainAnswer(*identity_, errorFromResponse(identity_->contextName + ", " + where, head, body),
                             clock_->wall());
    }
    [[nodiscard]] guard::Error misread(const std::string& where, const std::string& detail) const override {
        return explainAnswer(*identity_,
                             Error(guard::ErrorCode::Protocol, identity_->contextName + ", " + where, detail),
                             clock_->wall());
    }
    [[nodiscard]] http::IoThread& io() noexcept override { return *io_; }

private:
    [[nodiscard]] std::string whereOf(const http::Request& request) const {
        return identity_->contextName + ", " + request.method + " " +
               request.target.substr(0, request.target.find('?'));
    }

    /// Credentials first; then `go`, or `failed` from a fresh turn of the loop, so that no caller is called back before
    /// it has its handle.
    void authorise(http::Request request, const std::shared_ptr<Ticket>& ticket, std::function<void(http::Request)> go,
                   std::function<void(const Error&)> failed) {
        credentials_->get([this, weak = std::weak_ptr(ticket), request = std::move(request), go = std::move(go),
                           failed = std::move(failed)](Result<Authentication> authentication) mutable {
            const auto waiting = weak.lock();
            if (!waiting || waiting->ended) {
                return;
            }
            if (!authentication) {
                Error error = authentication.error();
                error.where = identity_->contextName + ", " + error.where;
                io_->post([weak, failed = std::move(failed), error = std::move(error)] {
                    if (const auto open = weak.lock(); open && !std::exchange(open->ended, true)) {
                        failed(error);
                    }
                });
                return;
            }
            waiting->client = clientFor(*authentication);
            go(dressed(std::move(request), *authentication));
        });
    }

    std::shared_ptr<http::Client> clientFor(const Authentication& authentication) {
        const bool ownCertificate = !authentication.certPem.empty();
        if (client_ && (!ownCertificate || authentication.certPem == clientCertificate_)) {
            return client_;
        }
        http::Endpoint endpoint = identity_->endpoint;
        if (ownCertificate) {
            endpoint.clientCertPem = authentication.certPem;
            endpoint.clientKeyPem = authentication.keyPem;
        }
        clientCertificate_ = authentication.certPem;
        client_ = std::make_shared<http::Client>(*io_, std::move(endpoint), limits_);
        return client_;
    }

    [[nodiscard]] http::Request dressed(http::Request request, const Authentication& authentication) const {
        request.target = identity_->basePath + request.target;
        if (!request.headers.get("Accept")) {
            request.headers.set("Accept", "application/json");
        }
        request.headers.set("User-Agent", "alidade/" ALIDADE_VERSION);
        if (authentication.authorization) {
            request.headers.set("Authorization", authentication.authorization->reveal());
        }
        for (const auto& [name, value] : identity_->impersonation) {
            request.headers.add(name, value);
        }
        return request;
    }

    /// The caller's handler, with connection faults explained and a web page told apart from a stream.
    [[nodiscard]] http::CallHandler watched(const std::shared_ptr<Ticket>& ticket,
                                            const std::shared_ptr<http::CallHandler>& handler,
                                            const std::string& where) {
        const std::weak_ptr weak(ticket);
        http::CallHandler own;
        own.head = [weak, handler, where, identity = identity_, clock = clock_,
                    io = io_](const http::ResponseHead& head) {
            const auto open = weak.lock();
            if (!open || open->ended) {
                return;
            }
            if (auto fault = webPageFault(where, head)) {
                open->ended = true;
                Error error = explainAnswer(*identity, std::move(*fault), clock->wall());
                io->post([weak, handler, error = std::move(error)] {
                    const auto held = weak.lock();
                    if (held && held->call) {
                        held->call.reset();
                        if (handler->done) {
                            handler->done(tl::unexpected(error));
                        }
                    }
                });
                return;
            }
            if (handler->head) {
                handler->head(head);
            }
        };
        own.body = [weak, handler](std::string_view bytes) {
            if (const auto open = weak.lock(); open && !open->ended && handler->body) {
                handler->body(bytes);
            }
        };
        own.done = [weak, handler, identity = identity_](Result<void> result) {
            const auto open = weak.lock();
            if (!open || std::exchange(open->ended, true) || !handler->done) {
                return;
            }
            if (!result) {
                handler->done(tl::unexpected(explainConnection(*identity, std::move(result).error())));
            } else {
                handler->done({});
            }
        };
        return own;
    }

    static Result<http::Response> judged(const Identity& identity, guard::WallTime now, const std::string& where,
                                         Result<http::Response> result) {
        if (!result) {
            return tl::unexpected(explainConnection(identity, std::move(result).error()));
        }
        if (auto fault = webPageFault(where, result->head)) {
            return tl::unexpected(explainAnswer(identity, std::move(*fault), now));
        }
        if (result->head.status >= 300) {
            return tl::unexpected(explainAnswer(identity, errorFromResponse(where, result->head, result->body), now));
        }
        return result;
    }

    std::shared_ptr<const Identity> identity_;
    std::unique_ptr<Credentials> credentials_;
    std::shared_ptr<http::IoThread> io_;
    std::shared_ptr<const guard::Clock> clock_;
    http::ClientLimits limits_;
    std::shared_ptr<http::Client> client_;
    std::string clientCertificate_;
};

} // namespace

std::shared_ptr<Transport> makeHttpTransport(Identity identity, std::unique_ptr<Credentials> credentials,
                                             std::shared_ptr<http::IoThread> io,
                                             std::shared_ptr<const guard::Clock> clock, http::ClientLimits limits) {
    return std::make_shared<HttpTransport>(std::move(identity), std::move(credentials), std::move(io), std::move(clock),
                                           limits);
}

} // namespace alidade::cluster
