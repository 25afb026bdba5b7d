// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What both programs are composed of: where clusters come from, one write desk per epoch, one ledger, runs.
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "alidade/agent/run.hpp"
#include "alidade/cluster/open.hpp"
#include "alidade/cluster_model/session.hpp"
#include "alidade/guard/ledger.hpp"
#include "alidade/guard/process_runner.hpp"
#include "alidade/guard/write_desk.hpp"
#include "alidade/simulator/simulator.hpp"
#include "alidade/wiring/settings.hpp"

namespace alidade::wiring {

struct WorkbenchOptions {
    bool demo = false; ///< the embedded cluster, whatever kubeconfig says
    /// Nothing named and nothing in the usual place: the embedded cluster instead of a fault.
    bool demoWhenNothing = true;
    std::string scenario = "checkout-bad-image";
    std::vector<std::string> kubeconfig; ///< files; empty: what kubectl would use (Kubeconfig::loadDefault)
    std::string context;                 ///< empty: the current one
    std::string ns;                      ///< empty: the context's
    bool incidentAtStart = false;        ///< the embedded incident has already unfolded
    Environment environment;
    std::string ledgerFile; ///< empty: Paths
};

/// Thread-safe where its bases are. Outlives every session, desk and run it made.
class Workbench final : public cluster::SessionFactory {
public:
    /// Starts the embedded cluster when asked for, or when there is no kubeconfig at all (`fellBack()` says so). A
    /// kubeconfig that is named, or there and faulty, never turns into another cluster: see `configFault()`.
    [[nodiscard]] static guard::Result<std::unique_ptr<Workbench>> create(WorkbenchOptions options, Settings settings);
    ~Workbench() override;

    [[nodiscard]] guard::Result<std::vector<cluster::ContextEntry>> contexts() override;
    [[nodiscard]] guard::Result<std::shared_ptr<cluster::ClusterSession>> open(const std::string& context) override;

    /// The context to show first: the one asked for or the current one; empty with a `configFault()`.
    [[nodiscard]] const std::string& firstContext() const noexcept { return firstContext_; }
    /// Why the embedded cluster is shown although nobody asked for it; empty otherwise.
    [[nodiscard]] const std::string& fellBack() const noexcept { return fellBack_; }
    /// Why no context can be opened, with the way out.
    [[nodiscard]] const std::optional<guard::Error>& configFault() const noexcept { return configFault_; }
    /// Files that were left out of the kubeconfig, and why.
    [[nodiscard]] const std::vector<std::string>& configWarnings() const noexcept { return configWarnings_; }
    /// Null without an embedded cluster.
    [[nodiscard]] simulator::Simulator* simulator() const noexcept { return simulator_.get(); }

    /// One desk per epoch. When the ledger could not be opened the desk refuses writes and says why.
    [[nodiscard]] std::shared_ptr<guard::WriteDesk> deskFor(const std::shared_ptr<cluster::ClusterSession>& session);
    [[nodiscard]] const std::shared_ptr<guard::Ledger>& ledger() const noexcept { return ledger_; }
    [[nodiscard]] const std::string& ledgerFile() const noexcept { return ledgerFile_; }
    [[nodiscard]] const std::optional<guard::Error>& ledgerFault() const noexcept { return ledgerFault_; }

    [[nodiscard]] const Settings& settings() const noexcept { return settings_; }
    [[nodiscard]] const std::shared_ptr<const guard::Clock>& clock() const noexcept { return clock_; }
    /// The operating system's user, for the ledger and provenance.
    [[nodiscard]] const std::string& principal() const noexcept { return principal_; }

    /// A run bound to `session`, with its desk. `waitForApproval` false: ends AwaitingApproval after proposing.
    [[nodiscard]] std::unique_ptr<agent::Run>
    startRun(agent::Incident incident, const std::shared_ptr<cluster::ClusterSession>& session, bool waitForApproval,
             guard::Millis pace, std::function<void(std::shared_ptr<const agent::RunState>)> onChange);

private:
    Workbench(WorkbenchOptions options, Settings settings);
    guard::Result<void> prepare();
    void chooseContext();
    [[nodiscard]] guard::Result<cluster::Kubeconfig> kubeconfig() const;

    WorkbenchOptions options_;
    Settings settings_;
    std::shared_ptr<const guard::Clock> clock_;
    std::shared_ptr<guard::ProcessRunner> processes_;
    std::unique_ptr<simulator::Simulator> simulator_;
    std::shared_ptr<guard::Ledger> ledger_;
    std::optional<guard::Error> ledgerFault_;
    std::string ledgerFile_;
    std::string firstContext_;
    std::string fellBack_;
    std::optional<guard::Error> configFault_;
    std::vector<std::string> configWarnings_;
    std::string principal_;
    std::mutex mutex_;
    std::uint64_t nextEpoch_ = 1;
    std::map<guard::EpochId, std::weak_ptr<guard::WriteDesk>> desks_;
};

/// "inc-20240501-120000-7f3a".
[[nodiscard]] std::string newIncidentId(guard::WallTime now);

/// "deployment/checkout", "shop/deployment/checkout" or "deployment checkout"-like words into a key, by the well-known
/// kinds and their short names. NotFound names what is known.
[[nodiscard]] guard::Result<guard::ObjectKey> parseTarget(const std::string& text, const std::string& defaultNamespace);

} // namespace alidade::wiring
