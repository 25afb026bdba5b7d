// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// HTTP/1.1 client over TCP or TLS. Never retries, never follows a redirect (3xx is an answer like any other).
// Back-pressure: bytes are read from the socket only as fast as the handler takes them.
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "alidade/guard/clock.hpp"
#include "alidade/guard/result.hpp"
#include "alidade/guard/text.hpp"
#include "alidade/http/io_thread.hpp"
#include "alidade/http/message.hpp"

namespace alidade::http {

struct Proxy {
    enum class Kind : std::uint8_t { None, HttpConnect, Socks5 };
    Kind kind = Kind::None;
    std::string host;
    int port = 0;
    std::string user;
    std::shared_ptr<const guard::Secret<std::string>> password;
};

/// Whom to talk to and as whom on the transport level. All of it is the key of a connection:
/// two clients never share a connection.
struct Endpoint {
    bool tls = true;
    std::string host;
    int port = 443;
    std::string caPem; ///< replaces the system's CAs when not empty
    bool insecureSkipVerify = false;
    std::string tlsServerName;                                      ///< name to verify instead of host; SNI too
    std::string clientCertPem;                                      ///< chain, leaf first
    std::shared_ptr<const guard::Secret<std::string>> clientKeyPem; ///< PKCS#1, SEC1 or PKCS#8; not encrypted
    Proxy proxy;
    std::string label; ///< for Error.where: the context and the kubeconfig entry it came from
};

struct ClientLimits {
    guard::Millis connectTimeout{10'000}; ///< TCP + proxy + TLS
    guard::Millis headTimeout{30'000};    ///< request sent to response head
    std::size_t maxHeaderBytes = 64 * 1024;
    std::size_t maxBodyBytes = 64UL * 1024 * 1024; ///< for fetch(); streams are not limited here
    std::size_t readBufferBytes = 1024 * 1024;
    std::size_t maxGzipRatio = 1000; ///< beyond it, and over 1 MiB, the answer is TooLarge
    std::size_t pooledConnections = 4; ///< at most this many short reads at once; further ones wait in line
};

enum class Connection : std::uint8_t {
    Pooled,    ///< short reads; kept alive between calls
    Dedicated, ///< a stream; closed at its end
    Fresh,     ///< a mutation: a new connection, used once
};

struct CallOptions {
    Connection connection = Connection::Pooled;
    bool acceptGzip = true;
    std::optional<guard::Millis> idleTimeout; ///< longest silence after the head; Timeout when passed
    std::optional<guard::Millis> deadline;    ///< whole call
};

/// Called on the I/O thread, in this order: head once, body any number of times, done exactly once.
/// After the Call is destroyed nothing is called any more. `body` bytes are decoded and only valid in the call.
/// While the Call is paused nothing is called but done() with an error that is not about the answer: a time limit, no
/// connection, the thread's end.
/// Never called from within start(). When the thread ends, running calls end with Cancelled; calls started from then on
/// report nothing.
struct CallHandler {
    std::function<void(const ResponseHead&)> head;
    std::function<void(std::string_view bytes)> body;
    /// Success only when the message ended as its framing says. ConnectionLost when the peer closed early.
    /// `Error.code` tells a request that never left (Unreachable, Tls, Timeout before sending) from one that may have
    /// arrived: see Call::sent().
    std::function<void(guard::Result<void>)> done;
};

/// A running exchange; destroying it cancels it. I/O thread only.
class Call {
public:
    virtual ~Call() = default;
    /// True once the first byte of the request may have reached the network.
    [[nodiscard]] virtual bool sent() const noexcept = 0;
    /// Stops and resumes reading (back-pressure towards the server).
    virtual void setPaused(bool paused) = 0;
};

/// One identity. Create, use and destroy on the I/O thread (or anywhere once that thread has ended). Calls outlive their
/// client.
class Client {
public:
    Client(IoThread& io, Endpoint endpoint, ClientLimits limits = {});
    ~Client();
    Client(const Client&) = delete;
    Client& operator=(const Client&) = delete;

    [[nodiscard]] std::unique_ptr<Call> start(Request request, CallOptions options, CallHandler handler);

    /// The whole answer, body bounded by ClientLimits::maxBodyBytes. Any status is a success here.
    [[nodiscard]] std::unique_ptr<Call> fetch(Request request, CallOptions options,
                                              std::function<void(guard::Result<Response>, bool sent)> done);

    [[nodiscard]] const Endpoint& endpoint() const noexcept;
    /// Closes idle pooled connections (credentials changed, wake-up from sleep).
    void closeIdle();

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace alidade::http
