// SPDX-License-Identifier: GPL-3.0-or-later
// What it is for: a small shop in a fake cluster, with one Deployment in trouble, and a window on it.
// What it must not know: the simulator.
// Thread: GUI.
#pragma once

#include <memory>

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QThread>

#include "alidade/ui/main_window.hpp"
#include "fake_session.hpp"
#include "made_rows.hpp"

namespace alidade::test {

/// Turns the event loop until the condition holds; false after `limit`.
template<class Condition>
bool until(Condition condition, int limitMs = 10'000) {
    QElapsedTimer timer;
    timer.start();
    while (!condition()) {
        if (timer.elapsed() > limitMs) {
            return false;
        }
        QCoreApplication::processEvents(QEventLoop::AllEvents, 20);
    }
    return true;
}
inline void settle() {
    for (int i = 0; i < 5; ++i) {
        QCoreApplication::processEvents();
    }
}

cluster::Schema deploymentSchema();
cluster::RowPtr deploymentRow(const std::string& name, const std::string& uid, int ready, int want,
                              cluster::Health health, const std::string& trouble);
std::shared_ptr<FakeSession> makeShop(const std::shared_ptr<const guard::Clock>& clock);

struct Shop {
    std::shared_ptr<guard::SystemClock> clock = std::make_shared<guard::SystemClock>();
    std::shared_ptr<FakeSession> session = makeShop(clock);
    std::shared_ptr<FakeSessions> sessions = std::make_shared<FakeSessions>();
    ui::Services services;
    std::unique_ptr<ui::MainWindow> window;

    Shop();
    void open();
};

} // namespace alidade::test
