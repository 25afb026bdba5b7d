// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// One TCP or TLS connection of a client. Tells its user when it is ready, when there are bytes, and how it ended.
#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <QList>
#include <QNetworkProxy>
#include <QObject>
#include <QSslConfiguration>
#include <QSslError>

#include "alidade/guard/result.hpp"
#include "alidade/http/client.hpp"
#include "io_loop.hpp"

class QTcpSocket;

namespace alidade::http {

/// An Endpoint made ready once: what each of a client's connections is opened with.
struct Dial {
    explicit Dial(Endpoint endpoint, ClientLimits limits);

    Endpoint endpoint;
    ClientLimits limits;
    QSslConfiguration tls;
    QNetworkProxy proxy;
    std::optional<guard::Error> fault; ///< nothing can be opened

    [[nodiscard]] std::string where() const;
    [[nodiscard]] guard::Error error(guard::ErrorCode code, std::string detail) const;
};

class Wire {
public:
    class User {
    public:
        virtual void wireReady() = 0;                    ///< connected; requests may be written
        virtual void wireFailed(guard::Error error) = 0; ///< never became ready
        virtual void wireReadable() = 0;                 ///< bytes, or the end: see ended()

    protected:
        ~User() = default;
    };

    Wire(std::shared_ptr<Loop> loop, std::shared_ptr<const Dial> dial);
    ~Wire(); ///< closes; allowed within any callback
    Wire(const Wire&) = delete;
    Wire& operator=(const Wire&) = delete;

    void setUser(User* user) noexcept { user_ = user; }
    [[nodiscard]] bool ready() const noexcept { return phase_ == Phase::Ready; }
    [[nodiscard]] bool ended() const noexcept { return ended_; }
    /// What the connection waits for, for a timeout's message.
    [[nodiscard]] std::string waitingFor() const;
    /// Why it ended, when that was not an orderly close.
    [[nodiscard]] const std::optional<guard::Error>& fault() const noexcept { return fault_; }
    [[nodiscard]] bool clientCertificateMayBeMissing() const noexcept;

    [[nodiscard]] std::size_t read(char* into, std::size_t most);
    void write(std::string_view bytes);
    [[nodiscard]] bool allWritten() const;

    void park() noexcept { parkedAt_ = std::chrono::steady_clock::now(); } ///< idle from now on
    /// Still open, nothing unasked arrived, and not idle for so long that the peer may be about to close it.
    [[nodiscard]] bool fitForReuse() const;
    [[nodiscard]] bool reused() const noexcept { return reused_; }
    void markReused() noexcept { reused_ = true; }

private:
    enum class Phase { Connecting, Handshake, Ready };

    void open();
    void onConnected();
    void onReady();
    void onSocketError();
    void onEnd();
    [[nodiscard]] guard::Error connectError() const;
    [[nodiscard]] int descriptor() const; ///< the kernel's; negative when there is none to be had

    std::shared_ptr<Loop> loop_;
    std::shared_ptr<const Dial> dial_;
    std::unique_ptr<QObject> context_; // receives the socket's signals; goes first, so that none finds us gone
    QTcpSocket* socket_ = nullptr;
    User* user_ = nullptr;
    Phase phase_ = Phase::Connecting;
    bool ended_ = false;
    bool reused_ = false;
    QList<QSslError> tlsErrors_;
    std::optional<guard::Error> fault_;
    std::chrono::steady_clock::time_point parkedAt_;
};

} // namespace alidade::http
