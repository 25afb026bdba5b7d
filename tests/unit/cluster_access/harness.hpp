// SPDX-License-Identifier: GPL-3.0-or-later
// What it is for: an API server made of scripted answers on a real socket, and a reader on it from a kubeconfig's text.
// What it must not know: how the product does it.
// Thread: the test's; the server has its own.
#pragma once

#include "access/http_transport.hpp"
#include "access/identity.hpp"
#include "alidade/cluster/open.hpp"
#include "alidade/http/io_thread.hpp"
#include "alidade/http/server.hpp"
#include "kubeconfig/base64.hpp"
#include "reader/http_reader.hpp"

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace alidade::cluster::test {

inline const http::SelfMadeTls& serverTls() {
    static const http::SelfMadeTls tls = http::makeSelfMadeTls().value();
    return tls;
}

/// Answers by a function; keeps what was asked.
class Api {
public:
    struct Answer {
        int status = 200;
        std::string body = "{}";
        std::string type = "application/json";
    };
    using Script = std::function<Answer(const http::ServerRequest&)>;

    explicit Api(Script script) : Api(std::move(script), options()) {}
    Api(Script script, http::ServerOptions options) : Api(scripted(std::move(script)), std::move(options)) {}
    Api(http::RequestHandler handler, http::ServerOptions options) {
        io_.run([&] {
            auto made =
                http::Server::listen(io_, std::move(options),
                                     [this, handler = std::move(handler)](
                                         http::ServerRequest request, const std::shared_ptr<http::Responder>& answer) {
                                         {
                                             const std::lock_guard lock(mutex_);
                                             asked_.push_back(request);
                                         }
                                         handler(std::move(request), answer);
                                     });
            if (!made) {
                ADD_FAILURE() << made.error().text();
                return;
            }
            server_ = std::move(*made);
            port_ = server_->port();
        });
    }
    ~Api() {
        io_.run([this] { server_.reset(); });
    }
    Api(const Api&) = delete;
    Api& operator=(const Api&) = delete;

    static http::ServerOptions options() {
        http::ServerOptions options;
        options.certPem = serverTls().certPem;
        options.keyPem = serverTls().keyPem;
        return options;
    }
    [[nodiscard]] int port() const noexcept { return port_; }
    [[nodiscard]] std::string url() const { return "https://127.0.0.1:" + std::to_string(port_); }
    [[nodiscard]] std::vector<http::ServerRequest> asked() const {
        const std::lock_guard lock(mutex_);
        return asked_;
    }

private:
    static http::RequestHandler scripted(Script script) {
        return [script = std::move(script)](const http::ServerRequest& request,
                                            const std::shared_ptr<http::Responder>& answer) {
            Answer one = script(request);
            http::Headers headers;
            headers.add("Content-Type", one.type);
            answer->send(one.status, std::move(headers), std::move(one.body));
        };
    }

    mutable std::mutex mutex_;
    std::vector<http::ServerRequest> asked_;
    http::IoThread io_{"api"};
    std::unique_ptr<http::Server> server_;
    int port_ = 0;
};

/// The kubeconfig of context "prod": cluster entry "prod-cluster", user entry "admin".
inline std::string kubeconfig(const std::string& url, const std::string& user = "token: T",
                              const std::string& ca = serverTls().caPem, const std::string& more = "") {
    return "clusters: [{name: prod-cluster, cluster: {server: \"" + url + "\"" +
           (ca.empty() ? "" : ", certificate-authority-data: " + encodeBase64(ca)) + more + "}}]\n" +
           "users: [{name: admin, user: {" + user + "}}]\n" +
           "contexts: [{name: prod, context: {cluster: prod-cluster, user: admin}}]\ncurrent-context: prod\n";
}

/// What openSession() puts together, without the live part.
class Access {
public:
    explicit Access(const std::string& config, const std::string& directory = "", http::ClientLimits limits = {}) {
        auto parsed = Kubeconfig::parse(config, "~/.kube/config", directory);
        if (!parsed) {
            fault = parsed.error();
            return;
        }
        auto identity = resolveIdentity(*parsed, "", "", {});
        if (!identity) {
            fault = identity.error();
            return;
        }
        auto clock = std::make_shared<guard::SystemClock>();
        auto credentials = makeCredentials(*identity, CredentialPorts{io, clock, makeProcessRunner(), {}});
        if (!credentials) {
            fault = credentials.error();
            return;
        }
        auto transport = makeHttpTransport(std::move(*identity), std::move(*credentials), io, clock, limits);
        shared = makeHttpReader(io, std::move(transport), clock);
        reader = std::make_unique<BlockingReader>(shared);
    }
    ~Access() {
        reader.reset();
        shared.reset();
        io->run([] {}); // what the reader left to the thread is done before the thread ends
    }
    Access(const Access&) = delete;
    Access& operator=(const Access&) = delete;

    /// The text of the fault of reading one pod.
    std::string podFault() {
        if (fault) {
            return fault->text();
        }
        const auto pod = reader->get(ObjectKey{guard::kinds::pods(), "shop", "web"}, {});
        code = pod ? guard::ErrorCode::Internal : pod.error().code;
        return pod ? "(it worked)" : pod.error().text();
    }

    std::shared_ptr<http::IoThread> io = std::make_shared<http::IoThread>("access");
    std::optional<guard::Error> fault;
    guard::ErrorCode code = guard::ErrorCode::Config;
    std::shared_ptr<ClusterReader> shared;
    std::unique_ptr<BlockingReader> reader;
};

} // namespace alidade::cluster::test
