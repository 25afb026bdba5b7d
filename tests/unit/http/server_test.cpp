// SPDX-License-Identifier: GPL-3.0-or-later
// The server seen through a bare socket: what it sends byte by byte, and what it refuses.
#include "harness.hpp"
#include "sockets.hpp"

namespace alidade::http::test {
namespace {

RequestHandler echoPath() {
    return [](const ServerRequest& got, const std::shared_ptr<Responder>& answer) {
        std::string text = got.method + " " + got.path;
        for (const auto& [name, value] : got.query) {
            text += " " + name + "=" + value;
        }
        answer->send(200, {}, text + " " + got.body);
    };
}

TEST(HttpServer, DecodesPathAndQuery) {
    TestServer server(echoPath());
    Peer peer(server.port());
    peer.write("GET /a%20b/c?x=1&y=a%3Db+c&x=2&flag HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
    const auto text = peer.readAll();
    EXPECT_NE(text.find("GET /a b/c x=1 y=a=b c x=2 flag= "), std::string::npos) << text;
    EXPECT_NE(text.find("Connection: close\r\n"), std::string::npos);
}

TEST(HttpServer, AnswersPipelinedRequestsInOrder) {
    TestServer server(echoPath());
    Peer peer(server.port());
    std::string bytes;
    for (int i = 0; i < 200; ++i) {
        bytes += "GET /" + std::to_string(i) + " HTTP/1.1\r\nHost: h\r\n\r\n";
    }
    peer.write(bytes + "GET /last HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
    const auto text = peer.readAll();
    std::size_t at = 0;
    for (int i = 0; i < 200; ++i) {
        const auto next = text.find("GET /" + std::to_string(i) + " ", at);
        ASSERT_NE(next, std::string::npos) << i;
        at = next;
    }
    EXPECT_NE(text.find("GET /last", at), std::string::npos);
}

TEST(HttpServer, StreamsInChunks) {
    TestServer server([](const ServerRequest&, const std::shared_ptr<Responder>& answer) {
        answer->begin(200, {});
        answer->write("hello");
        answer->write(std::string(17, 'x'));
        answer->finish();
    });
    Peer peer(server.port());
    peer.write("GET / HTTP/1.1\r\nHost: h\r\n\r\n");
    EXPECT_EQ(peer.readUntil("0\r\n\r\n"), "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n11\r\n" +
                                               std::string(17, 'x') + "\r\n0\r\n\r\n");
    Peer old(server.port()); // HTTP/1.0 knows no chunks: the end is the connection's
    old.write("GET / HTTP/1.0\r\n\r\n");
    EXPECT_EQ(old.readAll(), "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nhello" + std::string(17, 'x'));
}

TEST(HttpServer, AsksForABodyThatWaitsToBeAsked) {
    TestServer server(echoPath());
    Peer peer(server.port());
    peer.write("POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n");
    EXPECT_EQ(peer.readUntil("\r\n\r\n"), "HTTP/1.1 100 Continue\r\n\r\n");
    peer.write("body");
    EXPECT_NE(peer.readUntil("body").find("POST / body"), std::string::npos);
}

TEST(HttpServer, RefusesWhatItCannotRead) {
    ServerOptions options;
    options.maxHeaderBytes = 1000;
    options.maxBodyBytes = 1000;
    std::atomic<int> handled{0};
    TestServer server(
        [&](const ServerRequest&, const std::shared_ptr<Responder>& answer) {
            ++handled;
            answer->send(200, {}, "");
        },
        options);
    const std::string post = "POST / HTTP/1.1\r\nHost: h\r\n";
    for (const auto& [bytes, status] : std::vector<std::pair<std::string, std::string>>{
             {"nonsense\r\n\r\n", "400"},
             {"GET / HTTP/1.1\r\n\r\n", "400"},
             {"GET /%zz HTTP/1.1\r\nHost: h\r\n\r\n", "400"},
             {"GET relative HTTP/1.1\r\nHost: h\r\n\r\n", "400"},
             {"GET / HTTP/1.1\r\nHost: h\r\nX: " + std::string(5000, 'a') + "\r\n\r\n", "431"},
             {post + "Content-Length: 1001\r\n\r\n", "413"},
             {post + "Content-Length: 100000000\r\n\r\n" + std::string(3'000'000, 'b'), "413"},
             {post + "Transfer-Encoding: chunked\r\n\r\n500\r\n" + std::string(0x500, 'c') + "\r\n0\r\n\r\n", "413"},
             {post + "Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n", "400"},
             {post + "Content-Encoding: br\r\nContent-Length: 1\r\n\r\nx", "415"}}) {
        Peer peer(server.port());
        peer.write(bytes);
        const auto text = peer.readAll();
        EXPECT_EQ(text.substr(0, 12), "HTTP/1.1 " + status) << bytes.substr(0, 80) << "\n" << text;
    }
    EXPECT_EQ(handled.load(), 0);
}

TEST(HttpServer, ClosesAConnectionThatDoesNotFinishItsRequest) {
    ServerOptions options;
    options.requestTimeout = guard::Millis{50};
    TestServer server(echoPath(), options);
    Peer silent(server.port());
    EXPECT_EQ(silent.readAll(), "");
    Peer slow(server.port());
    slow.write("GET / HTTP/1.1\r\nHost:");
    EXPECT_EQ(slow.readAll(), "");
}

TEST(HttpServer, RefusesConnectionsBeyondItsLimit) {
    ServerOptions options;
    options.maxConnections = 2;
    TestServer server(echoPath(), options);
    Peer one(server.port());
    Peer two(server.port());
    for (Peer* peer : {&one, &two}) {
        peer->write("GET / HTTP/1.1\r\nHost: h\r\n\r\n");
        EXPECT_EQ(peer->readUntil("GET /").substr(9, 3), "200");
    }
    Peer three(server.port());
    three.write("GET / HTTP/1.1\r\nHost: h\r\n\r\n");
    EXPECT_EQ(three.readAll().substr(9, 3), "503");
    one.write("GET / HTTP/1.1\r\nHost: h\r\n\r\n"); // the others are not disturbed
    EXPECT_EQ(one.readUntil("GET /").substr(9, 3), "200");
}

TEST(HttpServer, AbortsWithOrWithoutAReset) {
    for (const bool reset : {false, true}) {
        TestServer server(
            [reset](const ServerRequest&, const std::shared_ptr<Responder>& answer) { answer->abort(reset); });
        Peer peer(server.port());
        peer.write("GET / HTTP/1.1\r\nHost: h\r\n\r\n");
        EXPECT_EQ(peer.readAll(), "");
        EXPECT_EQ(peer.wasReset(), reset);
    }
}

TEST(HttpServer, ADroppedResponderEndsTheConnection) {
    TestServer server([](const ServerRequest&, const std::shared_ptr<Responder>& answer) {
        answer->begin(200, {});
        answer->write("begun");
    });
    Peer peer(server.port());
    peer.write("GET / HTTP/1.1\r\nHost: h\r\n\r\n");
    EXPECT_EQ(peer.readAll().find("0\r\n\r\n"), std::string::npos); // never looks complete
}

TEST(HttpServer, TellsTheHandlerWhenThePeerIsGone) {
    std::promise<bool> gone;
    std::shared_ptr<Responder> held;
    TestServer server([&](const ServerRequest&, const std::shared_ptr<Responder>& answer) {
        held = answer;
        held->onClosed([&] { gone.set_value(held->closed()); });
        held->begin(200, {});
    });
    {
        Peer peer(server.port());
        peer.write("GET / HTTP/1.1\r\nHost: h\r\n\r\n");
        peer.readUntil("\r\n\r\n");
    }
    EXPECT_TRUE(gone.get_future().get());
    server.io().run([&] {
        held->write("into the void");
        held->finish();
        held.reset();
    });
}

TEST(HttpServer, CompressesOnlyForThoseWhoAskAndOnlyWhatIsLarge) {
    TestServer server([](const ServerRequest& got, const std::shared_ptr<Responder>& answer) {
        answer->send(200, {}, std::string(got.path == "/big" ? 300'000 : 1000, 'a'));
    });
    for (const auto& [path, accept, packed] :
         std::vector<std::tuple<std::string, std::string, bool>>{{"/big", "Accept-Encoding: gzip", true},
                                                                 {"/big", "Accept-Encoding: br, gzip;q=0.5", true},
                                                                 {"/big", "Accept-Encoding: gzip;q=0", false},
                                                                 {"/big", "X: y", false},
                                                                 {"/small", "Accept-Encoding: gzip", false}}) {
        Peer peer(server.port());
        peer.write("GET " + path + " HTTP/1.1\r\nHost: h\r\nConnection: close\r\n" + accept + "\r\n\r\n");
        EXPECT_EQ(peer.readAll().find("Content-Encoding: gzip") != std::string::npos, packed) << path << accept;
    }
}

TEST(HttpServer, ReadsACompressedBodyAndBoundsIt) {
    TestServer server(echoPath());
    TestClient client(TestClient::plain(server.port()));
    // gzip of "hello", as `printf hello | gzip -n` writes it
    const std::string packed(
        "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\xcb\x48\xcd\xc9\xc9\x07\x00\x86\xa6\x10\x36\x05\x00\x00\x00", 25);
    Request asked = request("POST", "/", packed);
    asked.headers.add("Content-Encoding", "gzip");
    EXPECT_EQ(client.fetch(asked).response().body, "POST / hello");
}

TEST(HttpServer, SaysWhyItCannotListen) {
    TestServer server(echoPath());
    IoThread io("second");
    io.run([&] {
        ServerOptions options;
        options.port = server.port();
        const auto second = Server::listen(io, options, echoPath());
        ASSERT_FALSE(second);
        EXPECT_EQ(second.error().code, ErrorCode::Unreachable);
        EXPECT_NE(second.error().text().find(std::to_string(server.port())), std::string::npos);
        options.host = "not an address";
        EXPECT_EQ(Server::listen(io, options, echoPath()).error().code, ErrorCode::Config);
        options.host = "127.0.0.1";
        options.port = 0;
        options.certPem = "x";
        EXPECT_EQ(Server::listen(io, options, echoPath()).error().code, ErrorCode::Config);
    });
}

} // namespace
} // namespace alidade::http::test
