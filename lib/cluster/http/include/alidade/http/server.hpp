// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// HTTP/1.1 server on loopback over TCP or TLS: simulator, headless server, MCP over HTTP, and hostile servers in tests.
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "alidade/guard/result.hpp"
#include "alidade/guard/text.hpp"
#include "alidade/http/io_thread.hpp"
#include "alidade/http/message.hpp"

namespace alidade::http {

struct ServerOptions {
    std::string host = "127.0.0.1";
    int port = 0; ///< 0: any free one
    /// TLS when both are given.
    std::string certPem;
    std::shared_ptr<const guard::Secret<std::string>> keyPem;
    std::string clientCaPem; ///< when given, client certificates are asked for and verified; see ServerRequest
    bool requireClientCertificate = false; ///< with clientCaPem: no TLS connection without a verified one
    std::size_t maxHeaderBytes = 64 * 1024;
    std::size_t maxBodyBytes = 16UL * 1024 * 1024;
    std::size_t maxConnections = 512;        ///< beyond it: 503 (over TLS, after the handshake)
    guard::Millis requestTimeout{30'000};    ///< TLS handshake; first byte of a request to its last
    guard::Millis keepAliveTimeout{120'000}; ///< between two requests
};

struct ServerRequest {
    std::string method;
    std::string target;                                     ///< as sent
    std::string path;                                       ///< percent-decoded
    std::vector<std::pair<std::string, std::string>> query; ///< decoded, in order
    Headers headers;
    std::string body;                        ///< gzip undone
    std::string clientCertificateCommonName; ///< empty without a verified client certificate
    [[nodiscard]] std::optional<std::string_view> param(std::string_view name) const noexcept;
};

/// Answers one request; server's I/O thread only. Kept by the handler for as long as the answer takes.
/// Dropping the last reference before finish() aborts the connection.
class Responder {
public:
    virtual ~Responder() = default;
    /// The whole answer (Content-Length; gzip when the client accepts it and the body is over 128 KiB).
    /// Content-Length, Transfer-Encoding, Content-Encoding and Connection are ours, except the Content-Length of an
    /// answer to HEAD.
    virtual void send(int status, Headers headers, std::string body) = 0;
    /// A streamed answer: chunked.
    virtual void begin(int status, Headers headers) = 0;
    virtual void write(std::string_view bytes) = 0; ///< one chunk
    virtual void finish() = 0;
    /// Closes at once: with a reset when asked for.
    virtual void abort(bool reset) = 0;
    /// Raw bytes to the socket, no framing (hostile servers in tests); only before begin()/send().
    /// finish() then closes the connection once they are out.
    virtual void writeRaw(std::string_view bytes) = 0;
    [[nodiscard]] virtual std::size_t unsentBytes() const noexcept = 0;
    [[nodiscard]] virtual bool closed() const noexcept = 0;
    /// Called once when the peer goes away before finish().
    virtual void onClosed(std::function<void()> call) = 0;
    /// Called each time everything written has gone to the kernel.
    virtual void onDrained(std::function<void()> call) = 0;
};

using RequestHandler = std::function<void(ServerRequest, std::shared_ptr<Responder>)>;

/// Listens from creation; create and destroy on the I/O thread.
class Server {
public:
    [[nodiscard]] static guard::Result<std::unique_ptr<Server>> listen(IoThread& io, ServerOptions options,
                                                                       RequestHandler handler);
    ~Server();
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;
    [[nodiscard]] int port() const noexcept;

private:
    struct Impl;
    explicit Server(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

/// A throw-away CA and a server certificate for `names` (DNS names and IP addresses), P-256, made in memory.
struct SelfMadeTls {
    std::string caPem;
    std::string certPem;
    std::shared_ptr<const guard::Secret<std::string>> keyPem;
    std::string clientCertPem; ///< when SelfMadeTlsOptions names a client
    std::shared_ptr<const guard::Secret<std::string>> clientKeyPem;
};
struct SelfMadeTlsOptions {
    std::vector<std::string> names{"localhost", "127.0.0.1", "::1"};
    int validFromSeconds = -3600; ///< relative to now; negative and positive allowed (expired in tests)
    int validForSeconds = 30 * 86400;
    std::string clientCommonName; ///< also make a client certificate of this CA for this name
};
[[nodiscard]] guard::Result<SelfMadeTls> makeSelfMadeTls(const SelfMadeTlsOptions& options = {});

} // namespace alidade::http
