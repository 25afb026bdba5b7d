// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// HTTP/1.1 message framing (RFC 9112) without sockets: bytes in, heads and decoded body bytes out. The only user of
// Boost.Beast. Bytes that were not consumed must be presented again, in front of the ones that follow.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "alidade/guard/result.hpp"
#include "alidade/http/message.hpp"

namespace alidade::http {

struct FramingLimits {
    std::size_t maxHeaderBytes = 64UL * 1024;
    std::size_t maxGzipRatio = 1000;
    std::optional<std::uint64_t> maxBodyBytes; ///< before and after decoding
};

enum class FrameState : std::uint8_t {
    NeedMore, ///< everything useful was taken
    Stopped,  ///< the sink wants no more for now
    Complete, ///< the message ended as its framing says; bytes after it were not touched
    Failed,   ///< see error()
};

/// What is wrong, as the code it has for a caller and as the status a server answers with.
struct FrameError {
    guard::ErrorCode code = guard::ErrorCode::Protocol;
    std::string detail;
    int status = 400;
};

class ResponseFramer {
public:
    class Sink {
    public:
        virtual void onHead(ResponseHead head) = 0;
        virtual void onBody(std::string_view bytes) = 0;
        [[nodiscard]] virtual bool stopped() const noexcept = 0;

    protected:
        ~Sink() = default;
    };

    /// `toHead`: the answer to a HEAD request, which has no body whatever its head says.
    ResponseFramer(FramingLimits limits, bool toHead, Sink& sink);
    ~ResponseFramer();

    FrameState feed(std::string_view bytes, std::size_t& consumed);
    /// The peer closed after `rest`, the bytes never consumed. Not while the sink is stopped.
    FrameState eof(std::string_view rest);
    [[nodiscard]] const FrameError& error() const noexcept;
    /// After Complete: the connection may carry another exchange.
    [[nodiscard]] bool keepAlive() const noexcept;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

struct RequestHead {
    std::string method;
    std::string target;
    Headers headers;
    int minorVersion = 1; ///< HTTP/1.x
};

class RequestFramer {
public:
    class Sink {
    public:
        virtual void onHead(RequestHead head) = 0;
        virtual void onBody(std::string_view bytes) = 0;

    protected:
        ~Sink() = default;
    };

    RequestFramer(FramingLimits limits, Sink& sink);
    ~RequestFramer();

    FrameState feed(std::string_view bytes, std::size_t& consumed);
    [[nodiscard]] bool started() const noexcept; ///< has seen a byte of the message
    [[nodiscard]] const FrameError& error() const noexcept;
    [[nodiscard]] bool keepAlive() const noexcept;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace alidade::http
