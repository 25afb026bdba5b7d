// SPDX-License-Identifier: GPL-3.0-or-later
// Serves one prepared list of pods over TLS, to measure a client by. Prints its port and CA, ends with its standard input.
#include <cstdio>
#include <iostream>
#include <string>

#include "alidade/http/server.hpp"
#include "pod_body.hpp"

using namespace alidade;

int main(int argc, char** argv) {
    const int pods = argc > 1 ? std::atoi(argv[1]) : 20'000;
    const std::string body = cluster::bench::podList(pods);
    const auto tls = http::makeSelfMadeTls();
    if (!tls) {
        return 1;
    }
    http::IoThread io("bench server");
    std::unique_ptr<http::Server> server;
    io.run([&] {
        http::ServerOptions options;
        options.certPem = tls->certPem;
        options.keyPem = tls->keyPem;
        auto made = http::Server::listen(io, options, [&](http::ServerRequest request, std::shared_ptr<http::Responder> responder) {
            http::Headers headers;
            headers.add("Content-Type", "application/json");
            responder->begin(200, headers);
            if (request.param("watch")) { // an open watch without events; it ends with its connection
                responder->onClosed([responder] {});
                return;
            }
            // A piece at a time, as the peer takes it.
            auto at = std::make_shared<std::size_t>(0);
            auto pump = std::make_shared<std::function<void()>>();
            std::weak_ptr<http::Responder> weak = responder;
            *pump = [&body, at, responder] {
                while (*at < body.size() && responder->unsentBytes() < 256 * 1024) {
                    const std::size_t size = std::min<std::size_t>(64 * 1024, body.size() - *at);
                    responder->write(std::string_view(body).substr(*at, size));
                    *at += size;
                }
                if (*at == body.size()) {
                    *at = body.size() + 1;
                    responder->finish();
                }
            };
            responder->onDrained([pump] { (*pump)(); });
            (*pump)();
        });
        if (made) {
            server = std::move(*made);
        }
    });
    if (!server) {
        return 1;
    }
    std::cout << server->port() << " " << body.size() << "\n" << tls->caPem << "end\n" << std::flush;
    std::string line;
    while (std::getline(std::cin, line)) {
    }
    io.run([&] { server.reset(); });
    return 0;
}
