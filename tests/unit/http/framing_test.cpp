// SPDX-License-Identifier: GPL-3.0-or-later
// Framing without sockets: each message whole, byte by byte, and with a reader that pauses after everything it gets.
#include "framing.hpp"
#include "inflater.hpp"

#include <gtest/gtest.h>

namespace alidade::http {
namespace {

using guard::ErrorCode;

std::string gzip(std::string_view text) {
    Deflater deflater;
    std::string out;
    deflater.append(text, true, out);
    return out;
}

struct Reader final : ResponseFramer::Sink {
    ResponseHead head;
    int heads = 0;
    std::string body;
    bool pausing = false;
    bool paused = false;
    void onHead(ResponseHead got) override {
        ++heads;
        head = std::move(got);
        paused = pausing;
    }
    void onBody(std::string_view bytes) override {
        EXPECT_FALSE(paused) << "bytes while paused";
        body.append(bytes);
        paused = pausing;
    }
    [[nodiscard]] bool stopped() const noexcept override { return paused; }
};

struct Parsed {
    FrameState state;
    Reader reader;
    FrameError error;
    bool keepAlive = false;
    std::string rest;
};

Parsed parse(std::string_view input, std::size_t step, bool pausing, FramingLimits limits = {}, bool toHead = false,
             bool thenEof = true) {
    Parsed parsed{FrameState::NeedMore, {}, {}, false, {}};
    parsed.reader.pausing = pausing;
    ResponseFramer framer(limits, toHead, parsed.reader);
    std::string pending;
    for (;;) {
        std::size_t consumed = 0;
        parsed.state = framer.feed(pending, consumed);
        pending.erase(0, consumed);
        if (parsed.state == FrameState::Stopped) {
            parsed.reader.paused = false;
            continue;
        }
        if (parsed.state != FrameState::NeedMore) {
            break;
        }
        if (input.empty()) {
            if (thenEof) {
                parsed.state = framer.eof(pending);
            }
            break;
        }
        pending.append(input.substr(0, step));
        input.remove_prefix(std::min(step, input.size()));
    }
    parsed.error = framer.error();
    parsed.keepAlive = parsed.state == FrameState::Complete && framer.keepAlive();
    parsed.rest = pending + std::string(input);
    return parsed;
}

/// Each way of cutting the same bytes.
class Cut : public ::testing::TestWithParam<std::tuple<std::size_t, bool>> {
protected:
    static Parsed parse(std::string_view input, FramingLimits limits = {}, bool toHead = false) {
        return http::parse(input, std::get<0>(GetParam()), std::get<1>(GetParam()), limits, toHead);
    }
};

TEST_P(Cut, AContentLength) {
    const auto parsed = parse("HTTP/1.1 200 Fine\r\nContent-Length: 5\r\nX-Y: z\r\n\r\nhello");
    EXPECT_EQ(parsed.state, FrameState::Complete);
    EXPECT_EQ(parsed.reader.head.status, 200);
    EXPECT_EQ(parsed.reader.head.reason, "Fine");
    EXPECT_EQ(parsed.reader.head.headers.get("x-y"), "z");
    EXPECT_EQ(parsed.reader.body, "hello");
    EXPECT_TRUE(parsed.keepAlive);
}

TEST_P(Cut, Chunks) {
    const auto parsed = parse("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                              "5\r\nhello\r\n6;extension=\"a b\"\r\n world\r\n0\r\nTrailer: t\r\n\r\n");
    EXPECT_EQ(parsed.state, FrameState::Complete);
    EXPECT_EQ(parsed.reader.body, "hello world");
    EXPECT_FALSE(parsed.reader.head.headers.get("Trailer")); // a trailer is not a header
    EXPECT_TRUE(parsed.keepAlive);
}

TEST_P(Cut, UntilTheEnd) {
    const auto parsed = parse("HTTP/1.1 200 OK\r\n\r\nall of it");
    EXPECT_EQ(parsed.state, FrameState::Complete);
    EXPECT_EQ(parsed.reader.body, "all of it");
    EXPECT_FALSE(parsed.keepAlive);
}

TEST_P(Cut, InterimAnswersAreSkipped) {
    const auto parsed = parse("HTTP/1.1 100 Continue\r\nX: y\r\n\r\nHTTP/1.1 103 Early Hints\r\n\r\n"
                              "HTTP/1.1 404 No\r\nContent-Length: 1\r\n\r\nx");
    EXPECT_EQ(parsed.state, FrameState::Complete);
    EXPECT_EQ(parsed.reader.heads, 1);
    EXPECT_EQ(parsed.reader.head.status, 404);
    EXPECT_FALSE(parsed.reader.head.headers.get("X"));
}

TEST_P(Cut, Gzip) {
    std::string text;
    for (int i = 0; i < 30'000; ++i) {
        text += std::to_string(i * 7919) + "\n";
    }
    for (const bool twoMembers : {false, true}) {
        const std::string packed = twoMembers ? gzip(text.substr(0, 1000)) + gzip(text.substr(1000)) : gzip(text);
        const auto parsed =
            parse("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: " + std::to_string(packed.size()) +
                  "\r\n\r\n" + packed);
        EXPECT_EQ(parsed.state, FrameState::Complete) << parsed.error.detail;
        EXPECT_TRUE(parsed.reader.body == text);
        EXPECT_TRUE(parsed.keepAlive);
    }
}

TEST_P(Cut, AnAnswerToHeadHasNoBody) {
    const auto parsed = parse("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Encoding: gzip\r\n\r\n", {}, true);
    EXPECT_EQ(parsed.state, FrameState::Complete);
    EXPECT_EQ(parsed.reader.body, "");
}

TEST_P(Cut, BytesBehindTheMessageAreLeft) {
    const auto parsed = parse("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nxHTTP/1.1 666 Smuggled\r\n\r\n");
    EXPECT_EQ(parsed.state, FrameState::Complete);
    EXPECT_EQ(parsed.reader.body, "x");
    EXPECT_EQ(parsed.rest, "HTTP/1.1 666 Smuggled\r\n\r\n");
}

TEST_P(Cut, ATruncatedMessageIsALostConnection) {
    const std::string packed = gzip("some text that is long enough to be cut");
    for (const std::string& cut : std::vector<std::string>{
             "", "HTTP/1.", "HTTP/1.1 200 OK\r\nContent-Le", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhell",
             "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "HTTP/1.1 100 Continue\r\n\r\n",
             "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhel",
             "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n",
             "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n"}) {
        const auto parsed = parse(cut);
        EXPECT_EQ(parsed.state, FrameState::Failed) << cut;
        EXPECT_EQ(parsed.error.code, ErrorCode::ConnectionLost) << cut << ": " << parsed.error.detail;
    }
    // Framed as complete, and yet its content is not.
    const auto parsed =
        parse("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n" + packed.substr(0, packed.size() - 3));
    EXPECT_EQ(parsed.state, FrameState::Failed);
    EXPECT_EQ(parsed.error.code, ErrorCode::Protocol);
}

TEST_P(Cut, WhatIsNotHttpIsNamed) {
    for (const auto& [bytes, words] : std::vector<std::pair<std::string, std::string>>{
             {"<html><body>Sign in</body></html>", "<html>"},
             {std::string("\x15\x03\x01\x00\x02\x02\x46 and more bytes", 23), "TLS"},
             {"SSH-2.0-OpenSSH_9.2\r\n\r\n", "SSH-2.0"},
             {"HTTP/2.0 200 OK\r\n\r\n", "HTTP/2."},
             {std::string(100, '\0'), "...."}}) {
        const auto parsed = parse(bytes);
        EXPECT_EQ(parsed.state, FrameState::Failed);
        EXPECT_EQ(parsed.error.code, ErrorCode::Protocol) << parsed.error.detail;
        EXPECT_EQ(parsed.reader.heads, 0);
        if (std::get<0>(GetParam()) > 1) {
            EXPECT_NE(parsed.error.detail.find(words), std::string::npos) << parsed.error.detail;
        }
    }
}

TEST_P(Cut, BrokenFramingIsAProtocolError) {
    const std::string ok = "HTTP/1.1 200 OK\r\n";
    for (const std::string& bytes : std::vector<std::string>{
             ok + "Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello!", ok + "Content-Length: -1\r\n\r\n",
             ok + "Content-Length: 99999999999999999999999\r\n\r\n",
             ok + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
             ok + "Transfer-Encoding: gzip\r\n\r\nx", ok + "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
             ok + "Transfer-Encoding: chunked\r\n\r\nxyz\r\n",
             ok + "Transfer-Encoding: chunked\r\n\r\n10000000000000000\r\n",
             ok + "Transfer-Encoding: chunked\r\n\r\n3\r\nhello\r\n0\r\n\r\n",
             ok + "Content-Encoding: br\r\nContent-Length: 1\r\n\r\nx",
             ok + "Content-Encoding: gzip, gzip\r\nContent-Length: 1\r\n\r\nx",
             ok + "Content-Encoding: gzip\r\nContent-Length: 9\r\n\r\nnot gzip!", ok + "No colon\r\n\r\n",
             "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n", "HTTP/1.1 099 Low\r\n\r\n",
             "HTTP/1.1 OK\r\n\r\n"}) {
        const auto parsed = parse(bytes);
        EXPECT_EQ(parsed.state, FrameState::Failed) << bytes;
        EXPECT_EQ(parsed.error.code, ErrorCode::Protocol) << bytes << parsed.error.detail;
    }
}

TEST_P(Cut, AnEndlessHeadIsTooLarge) {
    const std::string ok = "HTTP/1.1 200 OK\r\n";
    std::string manyFields = ok;
    for (int i = 0; i < 3000; ++i) {
        manyFields += "X-" + std::to_string(i) + ": y\r\n";
    }
    FramingLimits limits;
    limits.maxHeaderBytes = 4096;
    for (const std::string& bytes :
         {ok + "X: " + std::string(20'000, 'a'), manyFields, "HTTP/1.1 200 " + std::string(20'000, 'O'),
          ok + "Transfer-Encoding: chunked\r\n\r\n1;" + std::string(20'000, 'e'),
          ok + "Transfer-Encoding: chunked\r\n\r\n0\r\nX: " + std::string(20'000, 't')}) {
        const auto parsed = parse(bytes, limits);
        EXPECT_EQ(parsed.state, FrameState::Failed);
        EXPECT_EQ(parsed.error.code, ErrorCode::TooLarge) << parsed.error.detail;
    }
}

TEST_P(Cut, AGzipBombIsStoppedEarly) {
    std::string packed = gzip(std::string(30'000'000, '\0'));
    FramingLimits limits;
    limits.maxGzipRatio = 100;
    const auto parsed = parse("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n" + packed, limits);
    EXPECT_EQ(parsed.state, FrameState::Failed);
    EXPECT_EQ(parsed.error.code, ErrorCode::TooLarge);
    EXPECT_LT(parsed.reader.body.size(), 1'500'000U);
    // Small bodies may be as regular as they like.
    EXPECT_EQ(
        parse("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n" + gzip(std::string(900'000, ' ')), limits).state,
        FrameState::Complete);
}

INSTANTIATE_TEST_SUITE_P(Http, Cut,
                         ::testing::Values(std::tuple{std::size_t{1} << 30U, false},
                                           std::tuple{std::size_t{1} << 30U, true}, std::tuple{std::size_t{1}, false},
                                           std::tuple{std::size_t{1}, true}, std::tuple{std::size_t{7}, true},
                                           std::tuple{std::size_t{1000}, false}));

struct RequestReader final : RequestFramer::Sink {
    RequestHead head;
    std::string body;
    void onHead(RequestHead got) override { head = std::move(got); }
    void onBody(std::string_view bytes) override { body.append(bytes); }
};

TEST(RequestFraming, RefusesWhatAProxyCouldReadDifferently) {
    const std::vector<std::pair<std::string, int>> cases{
        {"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400},
        {"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n", 400},
        {"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n", 501},
        {"GET / HTTP/1.1\r\n\r\n", 400},
        {"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400},
        {"GET / HTTP/3.0\r\nHost: a\r\n\r\n", 400},
        {"GET  / HTTP/1.1\r\nHost: a\r\n\r\n", 400},
        {"GET / HTTP/1.1\r\nHost : a\r\n\r\n", 400},
    };
    for (const auto& [bytes, status] : cases) {
        RequestReader reader;
        RequestFramer framer({}, reader);
        std::size_t consumed = 0;
        EXPECT_EQ(framer.feed(bytes, consumed), FrameState::Failed) << bytes;
        EXPECT_EQ(framer.error().status, status) << bytes;
    }
}

TEST(RequestFraming, BoundsTheBodyBeforeItIsRead) {
    FramingLimits limits;
    limits.maxBodyBytes = 10;
    for (const std::string& bytes : std::vector<std::string>{
             "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 11\r\n\r\n",
             "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nb\r\nhello world\r\n",
             "POST / HTTP/1.1\r\nHost: a\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked"
             "\r\n\r\n100\r\n" +
                 gzip("hello world")}) {
        RequestReader reader;
        RequestFramer framer(limits, reader);
        std::size_t consumed = 0;
        EXPECT_EQ(framer.feed(bytes, consumed), FrameState::Failed);
        EXPECT_EQ(framer.error().status, 413) << framer.error().detail;
        EXPECT_LE(reader.body.size(), 10U);
    }
}

} // namespace
} // namespace alidade::http
