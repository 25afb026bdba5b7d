// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Bare sockets on loopback for the other side of a test, without anything of the component under test.
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <arpa/inet.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <gtest/gtest.h>

namespace alidade::http::test {

inline sockaddr_in loopback(int port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}

inline int connectTo(int port) {
    const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const auto address = loopback(port);
    const timeval patience{20, 0};
    ::setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    EXPECT_EQ(::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    return fd;
}

inline void sendAll(int fd, std::string_view bytes) {
    while (!bytes.empty()) {
        const auto count = ::send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (count <= 0) {
            return;
        }
        bytes.remove_prefix(static_cast<std::size_t>(count));
    }
}

/// A blocking client socket.
class Peer {
public:
    explicit Peer(int port) : fd_(connectTo(port)) {}
    ~Peer() { ::close(fd_); }
    Peer(const Peer&) = delete;
    Peer& operator=(const Peer&) = delete;
    void write(std::string_view bytes) const {
        while (!bytes.empty()) {
            const auto count = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
            if (count <= 0) {
                return;
            }
            bytes.remove_prefix(static_cast<std::size_t>(count));
        }
    }
    /// Until `end` was seen or the server closed.
    std::string readUntil(std::string_view end) {
        std::string text;
        char block[4096];
        while (text.find(end) == std::string::npos) {
            const auto count = ::recv(fd_, block, sizeof block, 0);
            reset_ = count < 0 && errno == ECONNRESET;
            if (count <= 0) {
                break;
            }
            text.append(block, static_cast<std::size_t>(count));
        }
        return text;
    }
    std::string readAll() { return readUntil("\x01never\x01"); }
    [[nodiscard]] bool wasReset() const { return reset_; }

private:
    int fd_;
    bool reset_ = false;
};

/// Accepts connections in the kernel and never says a word.
class SilentListener {
public:
    SilentListener() : fd_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
        auto address = loopback(0);
        EXPECT_EQ(::bind(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
        EXPECT_EQ(::listen(fd_, 16), 0);
        socklen_t size = sizeof address;
        ::getsockname(fd_, reinterpret_cast<sockaddr*>(&address), &size);
        port_ = ntohs(address.sin_port);
    }
    ~SilentListener() {
        ::shutdown(fd_, SHUT_RDWR);
        ::close(fd_);
    }
    SilentListener(const SilentListener&) = delete;
    SilentListener& operator=(const SilentListener&) = delete;
    [[nodiscard]] int port() const noexcept { return port_; }
    [[nodiscard]] int fd() const noexcept { return fd_; }

private:
    int fd_;
    int port_ = 0;
};

/// A proxy that speaks as much of HTTP CONNECT (RFC 9110 9.3.6) or SOCKS5 (RFC 1928, 1929) as a client needs.
class TestProxy {
public:
    enum class Kind { Connect, Socks5 };
    /// With a login, a client without exactly that one is refused: "user:password".
    explicit TestProxy(Kind kind, std::string login = {}) : kind_(kind), login_(std::move(login)) {
        thread_ = std::thread([this] { serve(); });
    }
    ~TestProxy() {
        ::shutdown(listener_.fd(), SHUT_RDWR);
        thread_.join();
        for (auto& tunnel : tunnels_) {
            tunnel.join();
        }
    }
    TestProxy(const TestProxy&) = delete;
    TestProxy& operator=(const TestProxy&) = delete;
    [[nodiscard]] int port() const noexcept { return listener_.port(); }
    [[nodiscard]] int tunnels() const noexcept { return opened_.load(); }

private:
    void serve() {
        for (;;) {
            const int client = ::accept(listener_.fd(), nullptr, nullptr);
            if (client < 0) {
                return;
            }
            tunnels_.emplace_back([this, client] {
                const int target = kind_ == Kind::Connect ? shakeConnect(client) : shakeSocks(client);
                if (target >= 0) {
                    ++opened_;
                    splice(client, target);
                    ::close(target);
                }
                ::close(client);
            });
        }
    }
    static std::string readSome(int fd) {
        char block[4096];
        const auto count = ::recv(fd, block, sizeof block, 0);
        return count > 0 ? std::string(block, static_cast<std::size_t>(count)) : std::string();
    }
    static std::string readExactly(int fd, std::size_t size) {
        std::string bytes(size, '\0');
        return ::recv(fd, bytes.data(), size, MSG_WAITALL) == static_cast<ssize_t>(size) ? bytes
                                                                                         : std::string(size, '\0');
    }
    int shakeConnect(int client) {
        for (;;) {
            std::string head;
            while (head.find("\r\n\r\n") == std::string::npos) {
                const auto more = readSome(client);
                if (more.empty()) {
                    return -1;
                }
                head += more;
            }
            // "dXNlcjpwYXNz" is "user:pass" in base64, the only login the tests use.
            if (!login_.empty() && head.find("Basic dXNlcjpwYXNz\r\n") == std::string::npos) {
                sendAll(client,
                        "HTTP/1.1 407 Login\r\nProxy-Authenticate: Basic realm=\"test\"\r\nContent-Length: 0\r\n\r\n");
                continue;
            }
            const auto colon = head.find(':');
            if (head.substr(0, 8) != "CONNECT " || colon == std::string::npos) {
                return -1;
            }
            const int target = connectTo(std::stoi(head.substr(colon + 1)));
            sendAll(client, "HTTP/1.1 200 Connected\r\n\r\n");
            return target;
        }
    }
    int shakeSocks(int client) {
        const auto hello = readExactly(client, 2);
        const auto methods = readExactly(client, static_cast<unsigned char>(hello[1]));
        const char method = login_.empty() ? 0 : 2;
        if (methods.find(method) == std::string::npos) {
            sendAll(client, std::string("\x05\xff", 2));
            return -1;
        }
        sendAll(client, {std::string("\x05", 1) + method});
        if (!login_.empty()) {
            const auto version = readExactly(client, 2);
            const auto user = readExactly(client, static_cast<unsigned char>(version[1]));
            const auto length = readExactly(client, 1);
            const auto password = readExactly(client, static_cast<unsigned char>(length[0]));
            const bool good = user + ":" + password == login_;
            sendAll(client, std::string(good ? "\x01\x00" : "\x01\x01", 2));
            if (!good) {
                return -1;
            }
        }
        const auto request = readExactly(client, 4);
        if (request[3] == 1) {
            readExactly(client, 4);
        } else if (request[3] == 3) {
            readExactly(client, static_cast<unsigned char>(readExactly(client, 1)[0]));
        }
        const auto port = readExactly(client, 2);
        const int target = connectTo(static_cast<unsigned char>(port[0]) * 256 + static_cast<unsigned char>(port[1]));
        sendAll(client, std::string("\x05\x00\x00\x01\x7f\x00\x00\x01\x00\x01", 10));
        return target;
    }
    static void splice(int one, int other) {
        for (;;) {
            pollfd both[2] = {{one, POLLIN, 0}, {other, POLLIN, 0}};
            if (::poll(both, 2, 20'000) <= 0) {
                return;
            }
            for (int i = 0; i < 2; ++i) {
                if (both[i].revents == 0) {
                    continue;
                }
                const auto bytes = readSome(both[i].fd);
                if (bytes.empty()) {
                    return;
                }
                sendAll(both[1 - i].fd, bytes);
            }
        }
    }

    Kind kind_;
    std::string login_;
    SilentListener listener_;
    std::atomic<int> opened_{0};
    std::vector<std::thread> tunnels_;
    std::thread thread_;
};

} // namespace alidade::http::test
