// SPDX-License-Identifier: GPL-3.0-or-later
// How long a person waits: filter and sort on 100,000 rows, and from an event's arrival to its painted cell.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

#include <QApplication>

#include <benchmark/benchmark.h>

#include "alidade/models/inbox.hpp"
#include "alidade/models/row_table_model.hpp"
#include "alidade/ui/appearance.hpp"
#include "made_rows.hpp"
#include "table/table_view.hpp"

namespace alidade {
namespace {

using models::RowTableModel;

const std::vector<cluster::RowPtr>& manyRows() {
    static const std::vector<cluster::RowPtr> rows = [] {
        std::mt19937_64 random(1);
        std::vector<cluster::RowPtr> made;
        for (int i = 0; i < 100'000; ++i) {
            made.push_back(test::makeRow(test::randomPod(random, i)));
        }
        return made;
    }();
    return rows;
}

RowTableModel& filledModel() {
    static RowTableModel* const model = [] {
        auto* made = new RowTableModel(std::make_shared<guard::SystemClock>());
        made->begin(guard::kinds::pods(), true);
        made->apply({test::reset(manyRows())});
        return made;
    }();
    return *model;
}

void BM_filter_100k(benchmark::State& state) {
    RowTableModel& model = filledModel();
    model.sort(-1);
    const QString words[] = {QStringLiteral("checkout"), QStringLiteral("crashloop"), QStringLiteral("x77"),
                             QStringLiteral("shop")};
    std::size_t i = 0;
    for (auto _ : state) {
        model.setFilter(words[i++ % 4]);
    }
    model.setFilter({});
}
BENCHMARK(BM_filter_100k)->Unit(benchmark::kMillisecond);

void BM_sort_names_100k(benchmark::State& state) {
    RowTableModel& model = filledModel();
    for (auto _ : state) {
        state.PauseTiming();
        model.sort(5); // AGE
        state.ResumeTiming();
        model.sort(1); // NAME
    }
}
BENCHMARK(BM_sort_names_100k)->Unit(benchmark::kMillisecond);

void BM_sort_numbers_100k(benchmark::State& state) {
    RowTableModel& model = filledModel();
    for (auto _ : state) {
        state.PauseTiming();
        model.sort(1);
        state.ResumeTiming();
        model.sort(5);
    }
}
BENCHMARK(BM_sort_numbers_100k)->Unit(benchmark::kMillisecond);

class TimedView final : public ui::TableView {
public:
    TimedView(std::shared_ptr<const guard::Clock> clock) : TableView(clock), clock_(std::move(clock)) {}
    std::vector<double> waits;

protected:
    void paintEvent(QPaintEvent* event) override {
        TableView::paintEvent(event);
        if (const auto at = rows()->lastReceivedAt(); at != last_ && at != guard::MonoTime{}) {
            last_ = at;
            waits.push_back(std::chrono::duration<double>(clock_->now() - at).count());
        }
    }

private:
    std::shared_ptr<const guard::Clock> clock_;
    guard::MonoTime last_{};
};

/// 10,000 pods in view, 500 events a second for two seconds, ten to a batch; each batch touches the rows on screen.
void BM_event_to_painted_cell_p95(benchmark::State& state) {
    int argc = 1;
    char name[] = "bench";
    char* argv[] = {name, nullptr};
    const std::unique_ptr<QApplication> application(QApplication::instance() == nullptr ? new QApplication(argc, argv)
                                                                                        : nullptr);
    ui::applyAppearance(*qApp, ui::ThemeChoice::Light);
    for (auto _ : state) {
        const auto clock = std::make_shared<guard::SystemClock>();
        RowTableModel model(clock);
        models::Inbox<cluster::DeltaBatch> inbox(
            [&](const std::vector<cluster::DeltaBatch>& batches) { model.apply(batches); });
        model.begin(guard::kinds::pods(), true);
        std::mt19937_64 random(2);
        std::vector<test::MadePod> pods;
        std::vector<cluster::RowPtr> rows;
        for (int i = 0; i < 10'000; ++i) {
            pods.push_back(test::randomPod(random, i));
            rows.push_back(test::makeRow(pods.back()));
        }
        TimedView view(clock);
        view.setRows(&model);
        view.resize(1000, 700);
        view.show();
        model.apply({test::reset(rows)});
        QCoreApplication::processEvents();
        std::vector<std::size_t> onScreen;
        for (int r = 0; r < 20; ++r) {
            onScreen.push_back(std::stoul(std::string(model.rowAt(r)->key).substr(4)));
        }
        view.waits.clear();
        std::atomic<bool> done{false};
        std::jthread producer([&] {
            std::mt19937_64 dice(3);
            for (int b = 0; b < 100; ++b) {
                std::vector<cluster::RowPtr> changed;
                for (int e = 0; e < 10; ++e) {
                    auto& pod = e == 0 ? pods[onScreen[dice() % onScreen.size()]] : pods[dice() % pods.size()];
                    ++pod.restarts;
                    changed.push_back(test::makeRow(pod));
                }
                auto batch = test::upsert(std::move(changed));
                batch.receivedAt = clock->now();
                inbox.mailbox()->post(std::move(batch));
                std::this_thread::sleep_for(std::chrono::milliseconds(20)); // lint: allow sleep: paces events
            }
            done = true;
        });
        while (!done) {
            QCoreApplication::processEvents(QEventLoop::AllEvents | QEventLoop::WaitForMoreEvents, 5);
        }
        producer.join();
        QCoreApplication::processEvents();
        std::sort(view.waits.begin(), view.waits.end());
        if (view.waits.size() < 50) {
            state.SkipWithError("too few paints to judge");
            return;
        }
        state.SetIterationTime(view.waits[view.waits.size() * 95 / 100]);
        state.counters["paints"] = static_cast<double>(view.waits.size());
    }
}
BENCHMARK(BM_event_to_painted_cell_p95)->Unit(benchmark::kMillisecond)->UseManualTime()->Iterations(2);

} // namespace
} // namespace alidade
