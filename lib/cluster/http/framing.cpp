// SPDX-License-Identifier: GPL-3.0-or-later
#include "framing.hpp"

#include "inflater.hpp"
#include "text_rules.hpp"

#include <limits>
#include <utility>

#include <boost/beast/http/basic_parser.hpp>
#include <boost/beast/http/error.hpp>

namespace alidade::http {
namespace {

namespace beast = boost::beast;
namespace beast_http = boost::beast::http;

constexpr int kMaxInterim = 16; // 1xx answers before the real one

std::string_view view(beast::string_view text) { return {text.data(), text.size()}; }

/// The first bytes of something that is not HTTP, printable, for a message.
std::string preview(std::string_view bytes) {
    std::string text;
    for (const char c : bytes.substr(0, 60)) {
        text.push_back(c >= 0x20 && c < 0x7F ? c : '.');
    }
    return text;
}

/// Beast's parser, with our bounds on the head and gzip undone; hands on what it finds.
template<bool isRequest>
class Parser final : public beast_http::basic_parser<isRequest> {
public:
    class Owner {
    public:
        virtual void parsedHead(Parser& parser) = 0;
        virtual void parsedBody(std::string_view bytes) = 0;
        [[nodiscard]] virtual bool stopped() const noexcept = 0;

    protected:
        ~Owner() = default;
    };

    Parser(const FramingLimits& limits, Owner& owner, bool skipBody, FrameError& error)
        : limits_(limits), owner_(owner), error_(error) {
        // The bound is our own: Beast's would end a long watch at 8 MiB. Not boost::none, which Beast 1.74 compares
        // with a Content-Length as if it were the smallest number.
        this->body_limit(std::numeric_limits<std::uint64_t>::max());
        this->header_limit(static_cast<std::uint32_t>(
            std::min<std::size_t>(limits_.maxHeaderBytes, std::numeric_limits<std::uint32_t>::max())));
        if (skipBody) {
            this->skip(true);
        }
    }

    // What the head said.
    std::string method;
    std::string target;
    std::string reason;
    int status = 0;
    int version = 11;
    Headers headers;

    /// One message piece after the other until there is a reason to return.
    FrameState feed(std::string_view bytes, std::size_t& consumed) {
        for (;;) {
            if (failed_) {
                return FrameState::Failed;
            }
            if (owner_.stopped()) {
                return FrameState::Stopped;
            }
            if (inflater_ && inflater_->hasOutput()) {
                std::string_view none;
                inflateInto(none);
                continue;
            }
            if (this->is_done()) {
                return finish();
            }
            const std::string_view rest = bytes.substr(consumed);
            if (rest.empty()) {
                return FrameState::NeedMore;
            }
            if (!startsLikeHttp(rest)) {
                return fail(guard::ErrorCode::Protocol, notHttp(rest), 400);
            }
            if (atChunkHeader() && rest.size() < kShortestChunkEnd) {
                return FrameState::NeedMore;
            }
            beast::error_code code;
            consumed += this->put(boost::asio::const_buffer(rest.data(), rest.size()), code);
            if (failed_) {
                return FrameState::Failed;
            }
            if (code == beast_http::error::need_more) {
                if (bytes.size() - consumed > limits_.maxHeaderBytes) {
                    return fail(guard::ErrorCode::TooLarge, headTooLarge(), 431);
                }
                return FrameState::NeedMore;
            }
            if (code == beast_http::error::header_limit) {
                return fail(guard::ErrorCode::TooLarge, headTooLarge(), 431);
            }
            if (code) {
                return fail(guard::ErrorCode::Protocol, describe(code, rest), 400);
            }
        }
    }

    FrameState eof(std::string_view rest) {
        if (!this->got_some() && rest.empty()) {
            return fail(guard::ErrorCode::ConnectionLost, "the server closed the connection without an answer", 400);
        }
        if (!headDone_) {
            return fail(guard::ErrorCode::ConnectionLost,
                        "the server closed the connection within the head of its answer", 400);
        }
        beast::error_code code;
        if (!this->is_done()) {
            this->put_eof(code);
        }
        if (code) {
            return fail(guard::ErrorCode::ConnectionLost, "the server closed the connection before the answer's end",
                        400);
        }
        return finish();
    }

    FrameState fail(guard::ErrorCode code, std::string detail, int answer) {
        failed_ = true;
        error_ = FrameError{code, std::move(detail), answer};
        return FrameState::Failed;
    }

private:
    using string_view = beast::string_view;
    using error_code = beast::error_code;

    // Any error makes Beast return; which one it is does not matter once failed_ is set.
    static error_code halt() { return beast_http::make_error_code(beast_http::error::bad_value); }

    [[nodiscard]] std::string headTooLarge() const {
        return "the head of the message is larger than " + std::to_string(limits_.maxHeaderBytes) + " bytes";
    }

    /// Beast 1.74 asserts that it sees a last chunk whole ("0", two line ends) or not at all.
    static constexpr std::size_t kShortestChunkEnd = 5;
    [[nodiscard]] bool atChunkHeader() const { return headDone_ && this->chunked() && chunkLeft_ == 0; }

    /// Beast waits for a line's end before it looks; a peer that speaks something else may never send one.
    [[nodiscard]] bool startsLikeHttp(std::string_view rest) const {
        if constexpr (isRequest) {
            return headDone_ || !method.empty() || isToken(rest.substr(0, 1));
        } else {
            constexpr std::string_view kVersion = "HTTP/1.";
            const auto length = std::min(rest.size(), kVersion.size());
            return status != 0 || headDone_ || rest.substr(0, length) == kVersion.substr(0, length);
        }
    }

    [[nodiscard]] static std::string notHttp(std::string_view rest) {
        if (rest[0] == 0x15 || rest[0] == 0x16) {
            return "this is not HTTP but TLS: the address should begin with https://";
        }
        return "this is not an HTTP/1.x message: it begins with '" + preview(rest) + "'";
    }

    [[nodiscard]] std::string describe(const error_code& code, std::string_view rest) const {
        if (headDone_) {
            return "the body is not framed as HTTP/1.1: " + code.message();
        }
        if (status == 0 && method.empty()) {
            return notHttp(rest);
        }
        return "the head of the message is malformed: " + code.message();
    }

    FrameState finish() {
        if (inflater_ && !inflater_->complete()) {
            return fail(guard::ErrorCode::Protocol, "the gzip-compressed body ends too early", 400);
        }
        return FrameState::Complete;
    }

    void on_request_impl(beast_http::verb, string_view verb, string_view path, int protocol, error_code&) override {
        method = view(verb);
        target = view(path);
        version = protocol;
    }

    void on_response_impl(int code, string_view phrase, int protocol, error_code&) override {
        status = code;
        reason = view(phrase);
        version = protocol;
    }

    void on_field_impl(beast_http::field, string_view name, string_view value, error_code& code) override {
        if (headDone_) {
            return; // a trailer; none is of use here
        }
        // Beast bounds what it has to see at once, not the sum.
        headerBytes_ += name.size() + value.size() + 4;
        if (headerBytes_ > limits_.maxHeaderBytes) {
            fail(guard::ErrorCode::TooLarge, headTooLarge(), 431);
            code = halt();
            return;
        }
        headers.add(std::string(view(name)), std::string(view(value)));
    }

    void on_header_impl(error_code& code) override {
        headDone_ = true;
        checkHead();
        if (failed_) {
            code = halt();
            return;
        }
        owner_.parsedHead(*this);
        if (failed_) {
            code = halt();
        }
    }

    void checkHead() {
        // Beast ignores a coding it does not know; then the message's end would be a guess.
        for (const auto value : headers.all("Transfer-Encoding")) {
            if (!sameName(trim(value), "chunked")) {
                fail(guard::ErrorCode::Protocol, "unknown Transfer-Encoding '" + preview(value) + "'", 501);
                return;
            }
        }
        const auto length = this->content_length();
        if (limits_.maxBodyBytes && length && *length > *limits_.maxBodyBytes) {
            fail(guard::ErrorCode::TooLarge, bodyTooLarge(), 413);
            return;
        }
        const auto encodings = headers.all("Content-Encoding");
        for (const auto value : encodings) {
            const auto coding = trim(value);
            if (coding.empty() || sameName(coding, "identity")) {
                continue;
            }
            if (encodings.size() == 1 && (sameName(coding, "gzip") || sameName(coding, "x-gzip"))) {
                inflater_ = std::make_unique<Inflater>(limits_.maxGzipRatio);
                continue;
            }
            fail(guard::ErrorCode::Protocol, "unknown Content-Encoding '" + preview(value) + "'", 415);
            return;
        }
    }

    [[nodiscard]] std::string bodyTooLarge() const {
        return "the body is larger than " + std::to_string(limits_.maxBodyBytes.value_or(0)) + " bytes";
    }

    void on_body_init_impl(const boost::optional<std::uint64_t>&, error_code&) override {}
    void on_chunk_header_impl(std::uint64_t size, string_view, error_code&) override { chunkLeft_ = size; }
    void on_finish_impl(error_code&) override {}

    std::size_t on_body_impl(string_view body, error_code& code) override { return takeBody(view(body), code); }
    std::size_t on_chunk_body_impl(std::uint64_t, string_view body, error_code& code) override {
        const std::size_t taken = takeBody(view(body), code);
        chunkLeft_ -= taken;
        return taken;
    }

    std::size_t takeBody(std::string_view body, error_code& code) {
        if (!inflater_) {
            deliver(body);
            if (failed_) {
                code = halt();
            }
            return body.size();
        }
        std::string_view rest = body;
        while (!rest.empty() && !failed_ && !owner_.stopped()) {
            inflateInto(rest);
        }
        if (failed_) {
            code = halt();
        }
        return body.size() - rest.size();
    }

    void inflateInto(std::string_view& input) {
        const auto output = inflater_->next(input);
        if (inflater_->state() == Inflater::State::Corrupt) {
            fail(guard::ErrorCode::Protocol, "the gzip-compressed body is corrupt", 400);
        } else if (inflater_->state() == Inflater::State::TooLarge) {
            fail(guard::ErrorCode::TooLarge,
                 "the gzip-compressed body grows by more than " + std::to_string(limits_.maxGzipRatio) + " times", 413);
        } else if (!output.empty()) {
            deliver(output);
        }
    }

    void deliver(std::string_view bytes) {
        bodyBytes_ += bytes.size();
        if (limits_.maxBodyBytes && bodyBytes_ > *limits_.maxBodyBytes) {
            fail(guard::ErrorCode::TooLarge, bodyTooLarge(), 413);
            return;
        }
        owner_.parsedBody(bytes);
    }

    const FramingLimits& limits_;
    Owner& owner_;
    FrameError& error_;
    std::unique_ptr<Inflater> inflater_;
    std::size_t headerBytes_ = 0;
    std::uint64_t bodyBytes_ = 0;
    std::uint64_t chunkLeft_ = 0;
    bool headDone_ = false;
    bool failed_ = false;
};

} // namespace

struct ResponseFramer::Impl final : Parser<false>::Owner {
    Impl(FramingLimits limits_, bool toHead_, Sink& sink_) : limits(limits_), toHead(toHead_), sink(sink_) {
        parser.emplace(limits, *this, toHead, error);
    }

    FramingLimits limits;
    bool toHead;
    Sink& sink;
    FrameError error;
    int interim = 0;
    std::optional<Parser<false>> parser;

    void parsedHead(Parser<false>& from) override {
        if (from.status == 101) {
            from.fail(guard::ErrorCode::Protocol, "the server switched protocols unasked", 400);
        } else if (from.status < 100) {
            from.fail(guard::ErrorCode::Protocol, "the answer's status is " + std::to_string(from.status), 400);
        } else if (from.status >= 200) {
            sink.onHead(ResponseHead{from.status, std::move(from.reason), std::move(from.headers)});
        }
    }
    void parsedBody(std::string_view bytes) override { sink.onBody(bytes); }
    [[nodiscard]] bool stopped() const noexcept override { return sink.stopped(); }
};

ResponseFramer::ResponseFramer(FramingLimits limits, bool toHead, Sink& sink)
    : impl_(std::make_unique<Impl>(limits, toHead, sink)) {}
ResponseFramer::~ResponseFramer() = default;

FrameState ResponseFramer::feed(std::string_view bytes, std::size_t& consumed) {
    consumed = 0;
    for (;;) {
        const FrameState state = impl_->parser->feed(bytes, consumed);
        if (state != FrameState::Complete || impl_->parser->status >= 200) {
            return state;
        }
        if (++impl_->interim > kMaxInterim) {
            return impl_->parser->fail(guard::ErrorCode::Protocol, "too many interim answers", 400);
        }
        impl_->parser.emplace(impl_->limits, *impl_, impl_->toHead, impl_->error);
    }
}

FrameState ResponseFramer::eof(std::string_view rest) { return impl_->parser->eof(rest); }
const FrameError& ResponseFramer::error() const noexcept { return impl_->error; }
bool ResponseFramer::keepAlive() const noexcept { return impl_->parser->is_done() && impl_->parser->keep_alive(); }

struct RequestFramer::Impl final : Parser<true>::Owner {
    Impl(FramingLimits limits_, Sink& sink_) : limits(limits_), sink(sink_), parser(limits, *this, false, error) {}

    FramingLimits limits;
    Sink& sink;
    FrameError error;
    Parser<true> parser;

    void parsedHead(Parser<true>& from) override {
        const auto hosts = from.headers.all("Host");
        if (hosts.size() > 1 || (from.version >= 11 && hosts.empty())) {
            from.fail(guard::ErrorCode::Protocol, "a request has exactly one Host header", 400);
            return;
        }
        sink.onHead(
            RequestHead{std::move(from.method), std::move(from.target), std::move(from.headers), from.version - 10});
    }
    void parsedBody(std::string_view bytes) override { sink.onBody(bytes); }
    [[nodiscard]] bool stopped() const noexcept override { return false; }
};

RequestFramer::RequestFramer(FramingLimits limits, Sink& sink) : impl_(std::make_unique<Impl>(limits, sink)) {}
RequestFramer::~RequestFramer() = default;

FrameState RequestFramer::feed(std::string_view bytes, std::size_t& consumed) {
    consumed = 0;
    return impl_->parser.feed(bytes, consumed);
}
bool RequestFramer::started() const noexcept { return impl_->parser.got_some(); }
const FrameError& RequestFramer::error() const noexcept { return impl_->error; }
bool RequestFramer::keepAlive() const noexcept { return impl_->parser.is_done() && impl_->parser.keep_alive(); }

} // namespace alidade::http
