// SPDX-License-Identifier: GPL-3.0-or-later
// A whole list over TLS into a filled store: the client's processor time and its peak of memory, server apart.
#include <benchmark/benchmark.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <future>
#include <string>

#include "alidade/http/client.hpp"
#include "live_rows.hpp"

namespace alidade::cluster::bench {
namespace {

double cpuMs() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const auto ms = [](const timeval& t) { return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_usec) / 1e3; };
    return ms(usage.ru_utime) + ms(usage.ru_stime);
}

double peakMib() {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);) {
        if (line.rfind("VmHWM:", 0) == 0) {
            return std::atof(line.c_str() + 6) / 1024;
        }
    }
    return 0;
}

/// The server's process; ends with its standard input.
class ServerProcess {
public:
    ServerProcess(const char* path, const char* pods) {
        int in[2];
        int out[2];
        if (pipe(in) != 0 || pipe(out) != 0) {
            return;
        }
        pid_ = fork();
        if (pid_ == 0) {
            dup2(in[0], 0);
            dup2(out[1], 1);
            for (const int fd : {in[0], in[1], out[0], out[1]}) close(fd);
            execl(path, path, pods, nullptr);
            _exit(127);
        }
        close(in[0]);
        close(out[1]);
        stdin_ = in[1];
        FILE* const answers = fdopen(out[0], "r");
        char line[256];
        if (std::fgets(line, sizeof line, answers) != nullptr) {
            unsigned long bytes = 0;
            std::sscanf(line, "%d %lu", &port, &bytes);
            bodyBytes = bytes;
        }
        while (std::fgets(line, sizeof line, answers) != nullptr && std::string(line) != "end\n") ca += line;
        std::fclose(answers);
    }
    ~ServerProcess() {
        close(stdin_);
        waitpid(pid_, nullptr, 0);
    }
    ServerProcess(const ServerProcess&) = delete;
    ServerProcess& operator=(const ServerProcess&) = delete;
    int port = 0;
    std::size_t bodyBytes = 0;
    std::string ca;

private:
    pid_t pid_ = -1;
    int stdin_ = -1;
};

/// The client alone, without credentials.
class BareTransport final : public Transport {
public:
    BareTransport(http::IoThread& io, http::Endpoint endpoint) : io_(io), client_(io, std::move(endpoint)) {}
    std::unique_ptr<http::Call> start(http::Request request, http::CallOptions options, http::CallHandler handler) override {
        return client_.start(std::move(request), options, std::move(handler));
    }
    std::unique_ptr<http::Call> fetch(http::Request request, http::CallOptions options,
                                      std::function<void(Result<http::Response>, bool)> done) override {
        return client_.fetch(std::move(request), options, std::move(done));
    }
    void refresh(std::function<void(Result<void>)> done) override { done({}); }
    http::IoThread& io() noexcept override { return io_; }

private:
    http::IoThread& io_;
    http::Client client_;
};

void listOverTls(benchmark::State& state) {
    ServerProcess server(BENCH_SERVER, "20000");
    if (server.port == 0) {
        state.SkipWithError("the server did not start");
        return;
    }
    double cpu = 0;
    for (auto _ : state) {
        const double before = cpuMs();
        http::IoThread io("bench client");
        std::unique_ptr<BareTransport> transport;
        std::unique_ptr<LiveRows> rows;
        auto mailbox = std::make_shared<Mailbox<DeltaBatch>>();
        io.run([&] {
            http::Endpoint endpoint;
            endpoint.host = "127.0.0.1";
            endpoint.port = server.port;
            endpoint.caPem = server.ca;
            endpoint.label = "bench";
            transport = std::make_unique<BareTransport>(io, std::move(endpoint));
            Loop loop{[&io](std::function<void()> call) { io.post(std::move(call)); }, &io.timers(),
                      std::make_shared<guard::SystemClock>()};
            WatchMachine::Options options;
            options.watchList = false;
            rows = std::make_unique<LiveRows>(loop, *transport, Source::Target{guard::kinds::pods(), {}, false}, options);
            rows->subscribe(1, 1, mailbox);
            rows->start();
        });
        // A consumer as a table is: it keeps the rows.
        std::vector<RowPtr> shown;
        Freshness freshness;
        while (freshness.state != Freshness::State::Live && freshness.attempt == 0) {
            for (DeltaBatch& batch : mailbox->waitDrain({}, guard::Millis{20'000})) {
                shown.insert(shown.end(), batch.upserts.begin(), batch.upserts.end());
                freshness = batch.freshness;
            }
        }
        cpu = cpuMs() - before;
        if (shown.size() != 20'000 || freshness.state != Freshness::State::Live) {
            state.SkipWithError(freshness.error ? freshness.error->text().c_str() : "rows are missing");
        }
        io.run([&] {
            rows.reset();
            transport.reset();
        });
    }
    state.counters["client_cpu_ms"] = cpu;
    state.counters["peak_mib"] = peakMib();
    state.counters["body_mb"] = static_cast<double>(server.bodyBytes) / 1e6;
}
BENCHMARK(listOverTls)->Name("list_20000_pods_over_tls")->Unit(benchmark::kMillisecond)->Iterations(1)->Repetitions(7);

} // namespace
} // namespace alidade::cluster::bench
