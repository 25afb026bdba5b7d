// SPDX-License-Identifier: GPL-3.0-or-later
#include "server_connection.hpp"

#include "request_text.hpp"
#include "socket_close.hpp"
#include "text_rules.hpp"

#include <QSslCertificate>
#include <QSslSocket>
#include <QTcpSocket>

#include <algorithm>
#include <utility>

namespace alidade::http {
namespace {

using guard::Millis;

constexpr std::size_t kReadBlock = 256UL * 1024;
constexpr std::size_t kSocketFill = 512UL * 1024; // bytes given to Qt at a time: it copies them, and TLS twice more
constexpr std::size_t kPiece = 128UL * 1024;
constexpr std::size_t kGzipFrom = 128UL * 1024;
constexpr std::size_t kMaxDiscarded = 64UL * 1024 * 1024;
constexpr Millis kLinger{1000};

} // namespace

ServerConnection::ServerConnection(std::shared_ptr<Host> host, const QSslConfiguration* tls, qintptr descriptor,
                                   bool refuse)
    : host_(std::move(host)), context_(std::make_unique<QObject>()), tls_(tls != nullptr), refuse_(refuse) {
    QObject* const here = context_.get();
    if (tls_) {
        auto* const secure = new QSslSocket(host_->loop->parent());
        secure->setSslConfiguration(*tls);
        QObject::connect(secure, &QSslSocket::encrypted, here, [this] { onReady(); });
        // Not bytesWritten: it comes while the encrypted bytes are still within TLS, where nothing counts them.
        QObject::connect(secure, &QSslSocket::encryptedBytesWritten, here, [this] { flush(); });
        socket_ = secure;
    } else {
        socket_ = new QTcpSocket(host_->loop->parent());
        QObject::connect(socket_, &QTcpSocket::bytesWritten, here, [this] { flush(); });
    }
    socket_->setReadBufferSize(static_cast<qint64>(kReadBlock));
    socket_->setSocketDescriptor(descriptor);
    socket_->setSocketOption(QAbstractSocket::LowDelayOption, 1);
    QObject::connect(socket_, &QTcpSocket::readyRead, here, [this] { onReadable(); });
    QObject::connect(socket_, &QTcpSocket::disconnected, here, [this] { onPeerGone(); });
    QObject::connect(socket_, &QTcpSocket::errorOccurred, here, [this] { onPeerGone(); });
    arm(host_->options.requestTimeout);
    if (tls_) {
        static_cast<QSslSocket*>(socket_)->startServerEncryption();
    } else {
        onReady();
    }
}

ServerConnection::~ServerConnection() { drop(false); }

void ServerConnection::arm(Millis time) {
    timer_ = host_->loop->after(time, [this] { drop(false); });
}

void ServerConnection::onReady() {
    phase_ = Phase::Reading;
    if (tls_) {
        // QueryPeer lets an unverified certificate through; only a verified one has a name here.
        auto* const secure = static_cast<QSslSocket*>(socket_);
        if (!secure->peerCertificate().isNull() && secure->sslHandshakeErrors().isEmpty()) {
            commonName_ = secure->peerCertificate().subjectInfo(QSslCertificate::CommonName).join(u' ').toStdString();
        }
    }
    framer_ = std::make_unique<RequestFramer>(
        FramingLimits{host_->options.maxHeaderBytes, 1000, host_->options.maxBodyBytes}, *this);
    onReadable();
}

void ServerConnection::onReadable() {
    if (phase_ == Phase::Closing) {
        Loop::Scratch buffer(*host_->loop, kReadBlock);
        qint64 got = 0;
        while ((got = socket_->read(buffer.data(), static_cast<qint64>(buffer.size()))) > 0) {
            discarded_ += static_cast<std::size_t>(got);
        }
        if (discarded_ > kMaxDiscarded) {
            drop(true);
        }
    } else if (phase_ == Phase::Reading) {
        readRequest();
    }
    // While an answer is under way, bytes stay where they are.
}

void ServerConnection::readRequest() {
    bool complete = false;
    {
        Loop::Scratch buffer(*host_->loop, kReadBlock + 2 * host_->options.maxHeaderBytes + carry_.size());
        std::size_t have = carry_.size();
        std::copy(carry_.begin(), carry_.end(), buffer.data());
        carry_.clear();
        for (bool first = true; phase_ == Phase::Reading; first = false) {
            const auto got = socket_->read(buffer.data() + have, static_cast<qint64>(kReadBlock));
            if (got > 0) {
                have += static_cast<std::size_t>(got);
            } else if (!first || have == 0) {
                break;
            }
            const bool wasStarted = framer_->started();
            std::size_t consumed = 0;
            const FrameState state = framer_->feed({buffer.data(), have}, consumed);
            std::copy(buffer.data() + consumed, buffer.data() + have, buffer.data());
            have -= consumed;
            if (!wasStarted) {
                arm(host_->options.requestTimeout);
            }
            if (state == FrameState::Failed) {
                have = 0;
                refuse(framer_->error().status, framer_->error().detail);
            } else if (state == FrameState::Complete) {
                complete = true;
                keepAlive_ = framer_->keepAlive();
                phase_ = Phase::Answering;
            }
        }
        carry_.assign(buffer.data(), have);
    } // the handler may read elsewhere
    if (complete) {
        dispatch();
    }
}

void ServerConnection::onHead(RequestHead head) {
    request_ = ServerRequest{};
    request_.method = std::move(head.method);
    request_.target = std::move(head.target);
    request_.headers = std::move(head.headers);
    request_.clientCertificateCommonName = commonName_;
    toHead_ = request_.method == "HEAD";
    http10_ = head.minorVersion == 0;
    gzipAccepted_ = acceptsGzip(request_.headers);
    const auto expect = request_.headers.get("Expect");
    if (expect && sameName(trim(*expect), "100-continue") && !http10_) {
        queue("HTTP/1.1 100 Continue\r\n\r\n");
        flush();
    }
}

void ServerConnection::dispatch() {
    timer_.reset();
    if (refuse_) {
        refuse(503, "too many connections");
        return;
    }
    if (!parseTarget(request_)) {
        refuse(400, "the request's target is malformed");
        return;
    }
    begun_ = chunked_ = raw_ = complete_ = false;
    auto responder = std::make_shared<ServerResponder>(*this, host_->loop);
    responder_ = responder;
    const auto host = host_; // the handler may close the server
    host->handler(std::move(request_), std::move(responder));
}

void ServerConnection::refuse(int status, const std::string& detail) {
    phase_ = Phase::Answering;
    begun_ = chunked_ = raw_ = complete_ = false;
    keepAlive_ = false;
    gzipAccepted_ = false;
    linger_ = true;
    Headers headers;
    headers.add("Content-Type", "text/plain; charset=utf-8");
    send(status, std::move(headers), detail + "\n");
}

void ServerConnection::queue(std::string bytes) {
    if (bytes.empty()) {
        return;
    }
    outBytes_ += bytes.size();
    // Small pieces (watch events, chunk heads) share a string; big ones are moved.
    if (!out_.empty() && out_.size() > 1 && out_.back().size() + bytes.size() <= kPiece) {
        out_.back() += bytes;
    } else {
        out_.push_back(std::move(bytes));
    }
}

void ServerConnection::queueHead(int status, const Headers& headers, std::string_view framing) {
    std::string head = "HTTP/1.1 " + std::to_string(status) + ' ' + std::string(reasonOf(status)) + "\r\n";
    for (const auto& [name, value] : headers.fields()) {
        if (isToken(name) && isFieldValue(value)) {
            head += name + ": " + value + "\r\n";
        }
    }
    head += framing;
    head += keepAlive_ ? (http10_ ? "Connection: keep-alive\r\n\r\n" : "\r\n") : "Connection: close\r\n\r\n";
    queue(std::move(head));
}

void ServerConnection::send(int status, Headers headers, std::string body) {
    if (phase_ != Phase::Answering || begun_ || raw_) {
        return;
    }
    begun_ = true;
    const bool bodyless = toHead_ || hasNoBody(status);
    if (gzipAccepted_ && !bodyless && !http10_ && body.size() > kGzipFrom) {
        queueHead(status, headers, "Content-Encoding: gzip\r\nVary: Accept-Encoding\r\nTransfer-Encoding: chunked\r\n");
        chunked_ = true;
        gzipBody_ = std::move(body);
        gzipOffset_ = 0;
        deflater_ = std::make_unique<Deflater>();
        complete_ = true;
        flush();
        return;
    }
    std::string framing;
    if (!hasNoBody(status) && !(toHead_ && headers.get("Content-Length"))) {
        framing = "Content-Length: " + std::to_string(body.size()) + "\r\n";
    }
    queueHead(status, headers, framing);
    if (!bodyless) {
        queue(std::move(body));
    }
    complete_ = true;
    flush();
}

void ServerConnection::begin(int status, Headers headers) {
    if (phase_ != Phase::Answering || begun_ || raw_) {
        return;
    }
    begun_ = true;
    chunked_ = !http10_ && !hasNoBody(status);
    if (http10_) {
        keepAlive_ = false; // its end is the connection's
    }
    queueHead(status, headers, chunked_ ? "Transfer-Encoding: chunked\r\n" : "");
    flush();
}

void ServerConnection::write(std::string_view bytes) {
    if (phase_ != Phase::Answering || !begun_ || complete_ || bytes.empty() || toHead_) {
        return;
    }
    if (!chunked_) {
        if (http10_) {
            queue(std::string(bytes));
            flush();
        }
        return;
    }
    char size[24];
    const int digits = std::snprintf(size, sizeof size, "%zx\r\n", bytes.size());
    std::string chunk;
    chunk.reserve(bytes.size() + static_cast<std::size_t>(digits) + 2);
    chunk.append(size, static_cast<std::size_t>(digits)).append(bytes).append("\r\n");
    queue(std::move(chunk));
    flush();
}

void ServerConnection::finish() {
    if (phase_ != Phase::Answering || complete_) {
        return;
    }
    if (raw_) {
        keepAlive_ = false;
    } else if (!begun_) {
        send(500, {}, {});
        return;
    } else if (chunked_ && !toHead_) {
        queue("0\r\n\r\n");
    }
    complete_ = true;
    flush();
}

void ServerConnection::writeRaw(std::string_view bytes) {
    if (phase_ != Phase::Answering || begun_) {
        return;
    }
    raw_ = true;
    queue(std::string(bytes));
    flush();
}

std::size_t ServerConnection::inSocket() const noexcept {
    auto bytes = socket_->bytesToWrite();
    if (tls_) {
        bytes += static_cast<const QSslSocket*>(socket_)->encryptedBytesToWrite();
    }
    return static_cast<std::size_t>(bytes);
}

std::size_t ServerConnection::unsentBytes() const noexcept {
    if (phase_ == Phase::Gone) {
        return 0;
    }
    return outBytes_ + gzipBody_.size() - gzipOffset_ + inSocket();
}

void ServerConnection::flush() {
    if (flushing_ || phase_ == Phase::Gone || phase_ == Phase::Handshake) {
        return;
    }
    flushing_ = true;
    while (inSocket() < kSocketFill) {
        if (out_.empty() && deflater_) {
            const auto piece = std::string_view(gzipBody_).substr(gzipOffset_, kPiece);
            gzipOffset_ += piece.size();
            const bool last = gzipOffset_ == gzipBody_.size();
            std::string packed;
            deflater_->append(piece, last, packed);
            if (!packed.empty()) {
                char size[24];
                const int digits = std::snprintf(size, sizeof size, "%zx\r\n", packed.size());
                queue(std::string(size, static_cast<std::size_t>(digits)));
                queue(std::move(packed));
                queue("\r\n");
            }
            if (last) {
                queue("0\r\n\r\n");
                deflater_.reset();
                gzipBody_ = {};
                gzipOffset_ = 0;
            }
            continue;
        }
        if (out_.empty()) {
            break;
        }
        const auto piece = std::string_view(out_.front()).substr(outOffset_, kPiece);
        drainPending_ = true;
        if (socket_->write(piece.data(), static_cast<qint64>(piece.size())) != static_cast<qint64>(piece.size())) {
            break; // closing; onPeerGone follows
        }
        outOffset_ += piece.size();
        outBytes_ -= piece.size();
        if (outOffset_ == out_.front().size()) {
            out_.pop_front();
            outOffset_ = 0;
        }
    }
    flushing_ = false;
    if (!out_.empty() || deflater_) {
        return;
    }
    if (complete_ && phase_ == Phase::Answering) {
        settle();
    } else if (drainPending_ && inSocket() == 0) {
        drainPending_ = false;
        if (phase_ == Phase::Closing) {
            closeSoon();
        } else if (const auto responder = responder_.lock()) {
            responder->drained();
        }
    }
}

void ServerConnection::settle() {
    // Everything is in the socket's hands: the handler is rid of it.
    if (const auto responder = responder_.lock()) {
        responder->settled();
    }
    responder_.reset();
    begun_ = complete_ = false;
    if (!keepAlive_) {
        phase_ = Phase::Closing;
        arm(host_->options.requestTimeout); // for what is still to go out
        if (inSocket() == 0) {
            closeSoon();
        }
        return;
    }
    phase_ = Phase::Reading;
    framer_ = std::make_unique<RequestFramer>(
        FramingLimits{host_->options.maxHeaderBytes, 1000, host_->options.maxBodyBytes}, *this);
    arm(host_->options.keepAliveTimeout);
    // From the loop: a client that sends many requests at once must not have them answered on one ever deeper stack.
    QMetaObject::invokeMethod(
        context_.get(), [this] { onReadable(); }, Qt::QueuedConnection);
}

void ServerConnection::closeSoon() {
    arm(kLinger);
    if (const auto fd = static_cast<int>(socket_->socketDescriptor()); linger_ && fd >= 0) {
        // The peer is still sending: closing now would reset the connection and could take the answer away from it.
        ::shutdown(fd, SHUT_WR);
        return;
    }
    socket_->disconnectFromHost();
}

void ServerConnection::onPeerGone() { drop(false); }

void ServerConnection::abort(bool reset) { drop(reset); }

void ServerConnection::abandon() {
    if (!complete_) {
        drop(false);
    }
}

void ServerConnection::drop(bool reset) {
    if (phase_ == Phase::Gone) {
        return;
    }
    phase_ = Phase::Gone;
    timer_.reset();
    context_.reset();
    if (socket_ != nullptr && !host_->loop->ended()) {
        closeLater(socket_, reset);
    }
    out_.clear();
    outBytes_ = 0;
    deflater_.reset();
    gzipBody_ = {};
    gzipOffset_ = 0;
    const auto responder = std::exchange(responder_, {}).lock();
    host_->gone(this);
    if (responder) {
        responder->lost();
    }
}

} // namespace alidade::http
