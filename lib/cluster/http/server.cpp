// SPDX-License-Identifier: GPL-3.0-or-later
#include "alidade/http/server.hpp"

#include "io_thread_impl.hpp"
#include "server_connection.hpp"
#include "tls.hpp"

#include <QHostAddress>
#include <QSslConfiguration>
#include <QTcpServer>

#include <algorithm>
#include <unordered_map>
#include <utility>

#include <unistd.h>

namespace alidade::http {
namespace {

// Refused politely beyond maxConnections; beyond that, closed without a word.
constexpr std::size_t kRefusedAtOnce = 32;

class Listener final : public QTcpServer {
public:
    Listener(QObject* parent, std::function<void(qintptr)> accepted)
        : QTcpServer(parent), accepted_(std::move(accepted)) {}

protected:
    void incomingConnection(qintptr descriptor) override { accepted_(descriptor); }

private:
    std::function<void(qintptr)> accepted_;
};

} // namespace

std::optional<std::string_view> ServerRequest::param(std::string_view name) const noexcept {
    for (const auto& [key, value] : query) {
        if (key == name) {
            return value;
        }
    }
    return std::nullopt;
}

struct Server::Impl final : Hosted, std::enable_shared_from_this<Server::Impl> {
    explicit Impl(std::shared_ptr<Loop> loop_) : loop(std::move(loop_)) { loop->add(this); }
    ~Impl() {
        loop->remove(this);
        if (!loop->ended()) {
            close();
        }
    }

    std::shared_ptr<Loop> loop;
    std::shared_ptr<ServerConnection::Host> host;
    std::optional<QSslConfiguration> tls;
    Listener* listener = nullptr; // child of the loop's parent
    int port = 0;
    std::unordered_map<ServerConnection*, std::unique_ptr<ServerConnection>> connections;

    void accept(qintptr descriptor) {
        const std::size_t limit = host->options.maxConnections;
        if (connections.size() >= limit + kRefusedAtOnce) {
            ::close(static_cast<int>(descriptor));
            return;
        }
        auto connection =
            std::make_unique<ServerConnection>(host, tls ? &*tls : nullptr, descriptor, connections.size() >= limit);
        ServerConnection* const key = connection.get();
        connections.emplace(key, std::move(connection));
    }

    void close() {
        delete std::exchange(listener, nullptr);
        // A handler that hears of its connection's end may do anything but find this map half changed.
        const auto going = std::exchange(connections, {});
    }

    void threadEnds() override { close(); }
};

Server::Server(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Server::~Server() = default;
int Server::port() const noexcept { return impl_->port; }

guard::Result<std::unique_ptr<Server>> Server::listen(IoThread& io, ServerOptions options, RequestHandler handler) {
    const auto where = "server on " + options.host + ":" + std::to_string(options.port);
    auto impl = std::make_unique<Impl>(io.impl().loop);
    if (!options.certPem.empty() && options.keyPem) {
        auto tls = serverTls(options);
        if (!tls) {
            return guard::fail(tls.error().code, where, tls.error().detail);
        }
        impl->tls = *tls;
    } else if (!options.certPem.empty() || options.keyPem) {
        return guard::fail(guard::ErrorCode::Config, where, "TLS needs a certificate and its key");
    }
    QHostAddress address;
    if (!address.setAddress(QString::fromStdString(options.host))) {
        return guard::fail(guard::ErrorCode::Config, where, "the address to listen on is not an IP address");
    }
    if (options.port < 0 || options.port > 65535) {
        return guard::fail(guard::ErrorCode::Config, where, "the port is not between 0 and 65535");
    }
    Impl* const self = impl.get();
    const int port = options.port;
    impl->host = std::make_shared<ServerConnection::Host>();
    impl->host->loop = impl->loop;
    impl->host->options = std::move(options);
    impl->host->handler = std::move(handler);
    impl->host->gone = [self](ServerConnection* connection) {
        const auto found = self->connections.find(connection);
        if (found == self->connections.end()) {
            return; // the server is closing
        }
        // From the loop, since the connection is on the stack; as a shared_ptr, since a posted call must be copyable.
        std::shared_ptr<ServerConnection> last = std::move(found->second);
        self->connections.erase(found);
        self->loop->later([last]() mutable { last.reset(); });
    };
    impl->listener = new Listener(impl->loop->parent(), [self](qintptr descriptor) { self->accept(descriptor); });
    impl->listener->setListenBacklogSize(512);
    if (!impl->listener->listen(address, static_cast<quint16>(port))) {
        return guard::fail(guard::ErrorCode::Unreachable, where, impl->listener->errorString().toStdString());
    }
    impl->port = impl->listener->serverPort();
    return std::unique_ptr<Server>(new Server(std::move(impl)));
}

} // namespace alidade::http
