// SPDX-License-Identifier: GPL-3.0-or-later
// Bytes to rows on one core, and what rows hold.
#include <benchmark/benchmark.h>
#include <malloc.h>

#include "decode.hpp"
#include "framing.hpp"
#include "pod_body.hpp"
#include "row_store.hpp"

namespace alidade::cluster::bench {
namespace {

constexpr int kPods = 4000;
constexpr std::size_t kChunk = 256UL * 1024;

void listPods(benchmark::State& state) {
    const std::string body = podList(kPods);
    Decoder decoder(guard::kinds::pods());
    std::size_t rows = 0;
    for (auto _ : state) {
        rows = 0;
        ListFramer framer([&](Padded item) {
            RowPtr row;
            const bool good = decoder.item(item, row);
            rows += row ? 1 : 0;
            benchmark::DoNotOptimize(row);
            return good;
        });
        bool good = true;
        for (std::size_t at = 0; at < body.size() && good; at += kChunk) {
            good = framer.feed(std::string_view(body).substr(at, kChunk)).has_value();
        }
        if (!good || !framer.finish() || rows != kPods) {
            state.SkipWithError("the list was not decoded");
            break;
        }
    }
    state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) * static_cast<std::int64_t>(body.size()));
    state.counters["bytes_of_one"] = static_cast<double>(body.size()) / kPods;
}
BENCHMARK(listPods)->Name("list_pods")->Unit(benchmark::kMillisecond)->MinTime(0.4)->Repetitions(5);

void watchLines(benchmark::State& state) {
    std::string stream;
    for (int i = 0; i < kPods; ++i) stream += R"({"type":"MODIFIED","object":)" + podJson(i) + "}\n";
    Decoder decoder(guard::kinds::pods());
    for (auto _ : state) {
        std::size_t rows = 0;
        LineFramer framer([&](Padded text) {
            WatchLine line;
            const bool good = decoder.line(text, line);
            rows += line.rows.size();
            return good;
        });
        for (std::size_t at = 0; at < stream.size(); at += kChunk) {
            (void)framer.feed(std::string_view(stream).substr(at, kChunk));
        }
        if (rows != kPods) {
            state.SkipWithError("the stream was not decoded");
            break;
        }
    }
    state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) * static_cast<std::int64_t>(stream.size()));
}
BENCHMARK(watchLines)->Name("watch_lines")->Unit(benchmark::kMillisecond)->MinTime(0.4)->Repetitions(5);

/// Everything the store holds for a pod, by the allocator's own count.
void rowsHeld(benchmark::State& state) {
    std::vector<std::string> pods;
    for (int i = 0; i < kPods; ++i) pods.push_back(podJson(i));
    double held = 0;
    for (auto _ : state) {
        const std::size_t before = mallinfo2().uordblks;
        RowStore store;
        {
            Decoder decoder(guard::kinds::pods());
            store.setSchema(decoder.schema());
            for (const std::string& pod : pods) {
                RowPtr row;
                if (decoder.item(PaddedText(pod).padded(), row)) {
                    store.upsert(std::move(row));
                }
            }
            store.publish({});
        }
        held = static_cast<double>(mallinfo2().uordblks - before) / static_cast<double>(store.size());
    }
    state.counters["bytes_per_pod"] = held;
}
BENCHMARK(rowsHeld)->Name("rows_held")->Unit(benchmark::kMillisecond)->Iterations(2);

} // namespace
} // namespace alidade::cluster::bench
