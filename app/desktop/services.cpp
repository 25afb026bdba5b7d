// SPDX-License-Identifier: GPL-3.0-or-later
#include "services.hpp"

#include <QSettings>

namespace alidade::desktop {

namespace {

class BenchRun final : public ui::RunHandle {
public:
    explicit BenchRun(std::unique_ptr<agent::Run> run) : run_(std::move(run)) {}
    void cancel() override { run_->cancel(); }

private:
    std::unique_ptr<agent::Run> run_;
};

} // namespace

ui::Services servicesOf(wiring::Workbench& bench) {
    ui::Services services;
    // The workbench outlives the window; the window only borrows it.
    services.sessions = std::shared_ptr<cluster::SessionFactory>(&bench, [](cluster::SessionFactory*) {});
    services.desk = [&bench](const std::shared_ptr<cluster::ClusterSession>& session) {
        return bench.deskFor(session);
    };
    services.startRun = [&bench](agent::Incident incident, std::shared_ptr<cluster::ClusterSession> session,
                                 std::shared_ptr<guard::WriteDesk>,
                                 std::function<void(ui::RunStatePtr)> onChange) -> std::unique_ptr<ui::RunHandle> {
        // A step stays in view long enough to be seen on the embedded cluster, where reads take no time.
        const guard::Millis pace{session->info().embedded ? 250 : 0};
        return std::make_unique<BenchRun>(
            bench.startRun(std::move(incident), session, true, pace, std::move(onChange)));
    };
    services.clock = bench.clock();
    services.protectedLists = bench.settings().protectedLists;
    services.readOnly = bench.settings().readOnly;
    services.principal = bench.principal();
    const auto store = std::make_shared<QSettings>(QStringLiteral("alidade"), QStringLiteral("window"));
    services.loadState = [store](const QString& key) { return store->value(key).toByteArray(); };
    services.saveState = [store](const QString& key, const QByteArray& value) { store->setValue(key, value); };
    return services;
}

} // namespace alidade::desktop
