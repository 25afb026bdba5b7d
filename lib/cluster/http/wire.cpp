// SPDX-License-Identifier: GPL-3.0-or-later
#include "wire.hpp"

#include "socket_close.hpp"
#include "tls.hpp"

#include <QHostAddress>
#include <QSslSocket>
#include <QTcpSocket>

#include <cerrno>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

namespace alidade::http {
namespace {

using guard::ErrorCode;

// Well below the idle limits in use (Go clients assume 90 s, load balancers 60 s): a connection that the peer is about
// to close costs a read, since nothing here is sent twice.
constexpr std::chrono::seconds kMaxIdle{25};

QNetworkProxy makeProxy(const Proxy& proxy) {
    if (proxy.kind == Proxy::Kind::None) {
        return QNetworkProxy(QNetworkProxy::NoProxy); // never the system's
    }
    return QNetworkProxy(proxy.kind == Proxy::Kind::Socks5 ? QNetworkProxy::Socks5Proxy : QNetworkProxy::HttpProxy,
                         QString::fromStdString(proxy.host), static_cast<quint16>(proxy.port),
                         QString::fromStdString(proxy.user),
                         proxy.password ? QString::fromStdString(proxy.password->reveal()) : QString());
}

std::string hostPort(const std::string& host, int port) {
    const bool v6 = host.find(':') != std::string::npos;
    return (v6 ? "[" + host + "]" : host) + ":" + std::to_string(port);
}

} // namespace

Dial::Dial(Endpoint endpoint_, ClientLimits limits_) : endpoint(std::move(endpoint_)), limits(limits_) {
    proxy = makeProxy(endpoint.proxy);
    if (endpoint.host.empty() || endpoint.port < 1 || endpoint.port > 65535) {
        fault = error(ErrorCode::Config, "the server's address is empty or its port is not between 1 and 65535");
        return;
    }
    if (endpoint.tls) {
        auto made = clientTls(endpoint);
        if (!made) {
            fault = error(made.error().code, made.error().detail);
            return;
        }
        tls = *made;
    }
}

std::string Dial::where() const {
    return endpoint.label.empty() ? hostPort(endpoint.host, endpoint.port) : endpoint.label;
}

guard::Error Dial::error(ErrorCode code, std::string detail) const { return {code, where(), std::move(detail)}; }

Wire::Wire(std::shared_ptr<Loop> loop, std::shared_ptr<const Dial> dial)
    : loop_(std::move(loop)), dial_(std::move(dial)), context_(std::make_unique<QObject>()) {
    QSslSocket* tls = nullptr;
    if (dial_->endpoint.tls) {
        tls = new QSslSocket(loop_->parent());
        tls->setSslConfiguration(dial_->tls);
        socket_ = tls;
    } else {
        socket_ = new QTcpSocket(loop_->parent());
    }
    socket_->setProxy(dial_->proxy);
    socket_->setReadBufferSize(static_cast<qint64>(dial_->limits.readBufferBytes));
    QObject::connect(socket_, &QTcpSocket::connected, context_.get(), [this] { onConnected(); });
    QObject::connect(socket_, &QTcpSocket::readyRead, context_.get(), [this] {
        if (ready() && user_ != nullptr) {
            user_->wireReadable();
        }
    });
    QObject::connect(socket_, &QTcpSocket::errorOccurred, context_.get(), [this] { onSocketError(); });
    QObject::connect(socket_, &QTcpSocket::disconnected, context_.get(), [this] { onEnd(); });
    if (tls != nullptr) {
        QObject::connect(tls, &QSslSocket::encrypted, context_.get(), [this] { onReady(); });
        QObject::connect(tls, &QSslSocket::sslErrors, context_.get(),
                         [this](const QList<QSslError>& errors) { tlsErrors_ = errors; });
    }
    // Connecting may fail at once; the user is not ready for that before this constructor has returned.
    QMetaObject::invokeMethod(
        context_.get(), [this] { open(); }, Qt::QueuedConnection);
}

Wire::~Wire() {
    if (!loop_->ended()) {
        closeLater(socket_);
    }
}

void Wire::open() {
    const auto& endpoint = dial_->endpoint;
    const auto host = QString::fromStdString(endpoint.host);
    const auto port = static_cast<quint16>(endpoint.port);
    if (endpoint.tls) {
        static_cast<QSslSocket*>(socket_)->connectToHostEncrypted(
            host, port, endpoint.tlsServerName.empty() ? host : QString::fromStdString(endpoint.tlsServerName));
    } else {
        socket_->connectToHost(host, port);
    }
}

void Wire::onConnected() {
    socket_->setSocketOption(QAbstractSocket::LowDelayOption, 1);
    socket_->setSocketOption(QAbstractSocket::KeepAliveOption, 1);
    if (const int fd = descriptor(); fd >= 0) {
        // The kernel's two hours are no watchdog: 30 s of silence, then three probes.
        const int idle = 30;
        const int interval = 10;
        const int probes = 3;
        ::setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &idle, sizeof idle);
        ::setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &interval, sizeof interval);
        ::setsockopt(fd, IPPROTO_TCP, TCP_KEEPCNT, &probes, sizeof probes);
    }
    if (dial_->endpoint.tls) {
        phase_ = Phase::Handshake;
    } else {
        onReady();
    }
}

void Wire::onReady() {
    phase_ = Phase::Ready;
    if (user_ != nullptr) {
        user_->wireReady();
    }
}

void Wire::onSocketError() {
    if (!ready()) {
        const auto error = connectError();
        ended_ = true;
        if (User* const user = std::exchange(user_, nullptr)) {
            user->wireFailed(error); // `this` may be gone now
        }
        return;
    }
    if (socket_->error() != QAbstractSocket::RemoteHostClosedError) {
        const auto text = socket_->errorString().toStdString();
        if (dial_->endpoint.tls && socket_->error() == QAbstractSocket::SslInternalError) {
            // TLS 1.3: a server refuses a client's certificate only after the client thinks all is well.
            const bool certificate = text.find("certificate") != std::string::npos;
            std::string detail = "the server ended the TLS connection: " + text;
            if (certificate && dial_->endpoint.clientCertPem.empty()) {
                detail = "the server requires a client certificate, and none is configured (" + text + ")";
            } else if (certificate) {
                detail = "the server refused the client certificate (" + text + ")";
            }
            fault_ = dial_->error(ErrorCode::Tls, std::move(detail));
        } else {
            fault_ = dial_->error(ErrorCode::ConnectionLost, text);
        }
    }
    // Bytes that arrived before the error are still to be read; usually `disconnected` follows and says so first.
    QMetaObject::invokeMethod(
        context_.get(), [this] { onEnd(); }, Qt::QueuedConnection);
}

void Wire::onEnd() {
    if (!ready() || ended_) {
        return;
    }
    ended_ = true;
    if (user_ != nullptr) {
        user_->wireReadable();
    }
}

guard::Error Wire::connectError() const {
    const auto& endpoint = dial_->endpoint;
    const auto address = hostPort(endpoint.host, endpoint.port);
    const auto proxy = hostPort(endpoint.proxy.host, endpoint.proxy.port);
    const auto text = socket_->errorString().toStdString();
    switch (socket_->error()) {
    case QAbstractSocket::ConnectionRefusedError:
        return dial_->error(ErrorCode::Unreachable, "connection refused by " + address);
    case QAbstractSocket::HostNotFoundError:
        return dial_->error(ErrorCode::Unreachable, "the host name '" + endpoint.host + "' cannot be resolved");
    case QAbstractSocket::SocketTimeoutError:
        return dial_->error(ErrorCode::Timeout, "no connection to " + address + ": " + text);
    case QAbstractSocket::ProxyAuthenticationRequiredError:
        return dial_->error(ErrorCode::Config, "the proxy " + proxy + " asks for a login, or refuses the one given");
    case QAbstractSocket::ProxyConnectionRefusedError:
    case QAbstractSocket::ProxyConnectionClosedError:
    case QAbstractSocket::ProxyConnectionTimeoutError:
    case QAbstractSocket::ProxyNotFoundError:
    case QAbstractSocket::ProxyProtocolError:
        return dial_->error(ErrorCode::Unreachable, "no connection through the proxy " + proxy + ": " + text);
    default: break;
    }
    if (phase_ == Phase::Connecting) {
        return dial_->error(ErrorCode::Unreachable, "no connection to " + address + ": " + text);
    }
    if (!tlsErrors_.isEmpty()) {
        const auto& name = endpoint.tlsServerName.empty() ? endpoint.host : endpoint.tlsServerName;
        return dial_->error(ErrorCode::Tls, explain(tlsErrors_, name));
    }
    if (text.find("wrong version number") != std::string::npos || text.find("packet length") != std::string::npos ||
        text.find("http request") != std::string::npos) {
        return dial_->error(ErrorCode::Tls,
                            address +
                                " does not speak TLS; check the address and port, it may be a plain http:// server (" +
                                text + ")");
    }
    if (text.find("certificate") != std::string::npos && endpoint.clientCertPem.empty()) {
        return dial_->error(ErrorCode::Tls,
                            "the server requires a client certificate, and none is configured (" + text + ")");
    }
    if (socket_->error() == QAbstractSocket::RemoteHostClosedError) {
        return dial_->error(ErrorCode::Tls,
                            address + " closed the connection during the TLS handshake; check that address and "
                                      "port lead to the API server");
    }
    return dial_->error(ErrorCode::Tls, "the TLS handshake with " + address + " failed: " + text);
}

std::string Wire::waitingFor() const {
    const auto address = hostPort(dial_->endpoint.host, dial_->endpoint.port);
    if (phase_ == Phase::Handshake) {
        return address + " accepts connections but does not complete the TLS handshake";
    }
    if (dial_->endpoint.proxy.kind != Proxy::Kind::None) {
        return "no connection to " + address + " through the proxy " +
               hostPort(dial_->endpoint.proxy.host, dial_->endpoint.proxy.port);
    }
    return "no connection to " + address;
}

bool Wire::clientCertificateMayBeMissing() const noexcept {
    return dial_->endpoint.tls && !reused_ && dial_->endpoint.clientCertPem.empty();
}

std::size_t Wire::read(char* into, std::size_t most) {
    const auto count = socket_->read(into, static_cast<qint64>(most));
    return count > 0 ? static_cast<std::size_t>(count) : 0;
}

void Wire::write(std::string_view bytes) { socket_->write(bytes.data(), static_cast<qint64>(bytes.size())); }

bool Wire::allWritten() const {
    if (dial_->endpoint.tls && static_cast<QSslSocket*>(socket_)->encryptedBytesToWrite() > 0) {
        return false;
    }
    return socket_->bytesToWrite() == 0;
}

int Wire::descriptor() const {
    // Behind a proxy, Qt's number is a count of its own and stands for no descriptor, or for somebody else's.
    return dial_->endpoint.proxy.kind == Proxy::Kind::None ? static_cast<int>(socket_->socketDescriptor()) : -1;
}

bool Wire::fitForReuse() const {
    if (!ready() || ended_ || fault_ || socket_->state() != QAbstractSocket::ConnectedState ||
        socket_->bytesAvailable() > 0 || std::chrono::steady_clock::now() - parkedAt_ > kMaxIdle) {
        return false;
    }
    // What the kernel knows and the event loop has not told yet: an end, or bytes nobody asked for.
    const int fd = descriptor();
    if (fd < 0) {
        return true; // then what the event loop has told is all there is
    }
    char byte = 0;
    return ::recv(fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
}

} // namespace alidade::http
