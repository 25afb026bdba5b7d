// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// One accepted connection: requests one after the other, each answered before the next is read.
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include <QObject>

#include "alidade/http/server.hpp"
#include "framing.hpp"
#include "inflater.hpp"
#include "io_loop.hpp"

class QTcpSocket;
class QSslConfiguration;

namespace alidade::http {

class ServerConnection;

/// What the handler holds. Outlives its connection harmlessly.
class ServerResponder final : public Responder {
public:
    ServerResponder(ServerConnection& connection, std::weak_ptr<Loop> loop)
        : connection_(&connection), loop_(std::move(loop)) {}
    ~ServerResponder() override;
    void send(int status, Headers headers, std::string body) override;
    void begin(int status, Headers headers) override;
    void write(std::string_view bytes) override;
    void finish() override;
    void abort(bool reset) override;
    void writeRaw(std::string_view bytes) override;
    [[nodiscard]] std::size_t unsentBytes() const noexcept override;
    [[nodiscard]] bool closed() const noexcept override { return connection_ == nullptr && !finished_; }
    void onClosed(std::function<void()> call) override { onClosed_ = std::move(call); }
    void onDrained(std::function<void()> call) override { onDrained_ = std::move(call); }

    // From the connection.
    void lost();    ///< the peer is gone
    void drained(); ///< everything is with the kernel
    void settled(); ///< the answer is complete; the connection goes its own way

private:
    ServerConnection* connection_; // null once the answer is over, one way or the other
    std::weak_ptr<Loop> loop_;
    bool finished_ = false;
    std::function<void()> onClosed_;
    std::function<void()> onDrained_;
};

class ServerConnection final : public RequestFramer::Sink {
public:
    /// Shared by the connections of one server.
    struct Host {
        std::shared_ptr<Loop> loop;
        ServerOptions options;
        RequestHandler handler;
        std::function<void(ServerConnection*)> gone; ///< destroy it, later
    };

    /// Takes over the accepted descriptor. `refuse`: answer 503 to whatever is asked.
    ServerConnection(std::shared_ptr<Host> host, const QSslConfiguration* tls, qintptr descriptor, bool refuse);
    ~ServerConnection();
    ServerConnection(const ServerConnection&) = delete;
    ServerConnection& operator=(const ServerConnection&) = delete;

    void send(int status, Headers headers, std::string body);
    void begin(int status, Headers headers);
    void write(std::string_view bytes);
    void finish();
    void abort(bool reset);
    void abandon(); ///< nobody holds the responder any more
    void writeRaw(std::string_view bytes);
    [[nodiscard]] std::size_t unsentBytes() const noexcept;

private:
    enum class Phase {
        Handshake,
        Reading,   // a request, or the pause before one
        Answering, // the handler has it
        Closing,   // what is queued still goes out, what comes in is thrown away
        Gone,
    };

    void onHead(RequestHead head) override;
    void onBody(std::string_view bytes) override { request_.body.append(bytes); }

    void onReady();
    void onReadable();
    void readRequest();
    void dispatch();
    void refuse(int status, const std::string& detail); ///< an answer of our own, then the end
    void queue(std::string bytes);
    void queueHead(int status, const Headers& headers, std::string_view framing);
    void flush();
    void settle(); ///< the answer is complete
    void closeSoon();
    void onPeerGone();
    void drop(bool reset);
    void arm(guard::Millis time);
    [[nodiscard]] std::size_t inSocket() const noexcept;

    std::shared_ptr<Host> host_;
    std::unique_ptr<QObject> context_; // receives the socket's signals
    QTcpSocket* socket_ = nullptr;
    bool tls_ = false;
    bool refuse_ = false;
    Phase phase_ = Phase::Handshake;

    std::unique_ptr<RequestFramer> framer_;
    std::string carry_;
    ServerRequest request_;
    bool toHead_ = false;
    bool keepAlive_ = false;
    bool gzipAccepted_ = false;
    bool http10_ = false;

    std::weak_ptr<ServerResponder> responder_;
    bool begun_ = false;
    bool chunked_ = false;
    bool raw_ = false;
    bool complete_ = false;
    bool linger_ = false; // the peer may still be sending what nobody reads

    std::deque<std::string> out_;
    std::size_t outOffset_ = 0; // into out_.front()
    std::size_t outBytes_ = 0;
    std::string gzipBody_; // still to be compressed, from gzipOffset_
    std::size_t gzipOffset_ = 0;
    std::unique_ptr<Deflater> deflater_;
    bool flushing_ = false;
    bool drainPending_ = false;
    std::size_t discarded_ = 0;
    std::string commonName_;
    std::unique_ptr<guard::Timers::Token> timer_;
};

} // namespace alidade::http
