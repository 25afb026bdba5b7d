// SPDX-License-Identifier: GPL-3.0-or-later
#include "alidade/wiring/workbench.hpp"

#include <algorithm>
#include <array>
#include <random>
#include <unistd.h>

#include "alidade/cluster_writer/desk.hpp"

namespace alidade::wiring {

using guard::ErrorCode;
using guard::fail;
using guard::Result;

namespace {

constexpr const char* demoContext = "demo";

std::string userName(const Environment& environment) {
    for (const char* name : {"SUDO_USER", "USER", "LOGNAME"})
        if (const auto it = environment.find(name); it != environment.end() && !it->second.empty())
            return it->second;
    return "uid " + std::to_string(::getuid());
}

} // namespace

Workbench::Workbench(WorkbenchOptions options, Settings settings)
    : options_(std::move(options)), settings_(std::move(settings)), clock_(std::make_shared<guard::SystemClock>()) {}

Workbench::~Workbench() = default;

Result<std::unique_ptr<Workbench>> Workbench::create(WorkbenchOptions options, Settings settings) {
    std::unique_ptr<Workbench> bench(new Workbench(std::move(options), std::move(settings)));
    if (auto ready = bench->prepare(); !ready)
        return tl::unexpected(ready.error());
    return bench;
}

Result<void> Workbench::prepare() {
    processes_ = cluster::makeProcessRunner();
    principal_ = userName(options_.environment);
    if (!options_.demo)
        chooseContext();
    if (firstContext_.empty() && !configFault_) {
        simulator::SimulatorOptions simulated;
        simulated.scenario = options_.scenario;
        if (options_.incidentAtStart)
            simulated.incidentAfterSeconds = -60;
        auto started = simulator::Simulator::start(std::move(simulated));
        if (!started)
            return tl::unexpected(started.error());
        simulator_ = std::move(*started);
        firstContext_ = demoContext;
    }

    ledgerFile_ = options_.ledgerFile.empty() ? Paths::of(options_.environment).ledgerFile() : options_.ledgerFile;
    auto file = guard::openDurableFile(ledgerFile_);
    if (file) {
        auto ledger = guard::Ledger::open(std::move(*file), *clock_, principal_);
        if (ledger)
            ledger_ = std::move(*ledger);
        else
            ledgerFault_ = ledger.error();
    } else {
        ledgerFault_ = file.error();
    }
    return {};
}

Result<cluster::Kubeconfig> Workbench::kubeconfig() const {
    return options_.kubeconfig.empty() ? cluster::Kubeconfig::loadDefault(options_.environment)
                                       : cluster::Kubeconfig::load(options_.kubeconfig);
}

void Workbench::chooseContext() {
    const auto config = kubeconfig();
    if (!config) {
        configFault_ = config.error();
        return;
    }
    configWarnings_ = config->warnings();
    auto context = config->contextToOpen(options_.context);
    if (context) {
        firstContext_ = std::move(*context);
        return;
    }
    const auto variable = options_.environment.find("KUBECONFIG");
    const bool named = !options_.kubeconfig.empty() || !options_.context.empty() ||
                       (variable != options_.environment.end() && !variable->second.empty());
    if (named || !config->contexts().empty() || !options_.demoWhenNothing)
        configFault_ = context.error();
    else
        fellBack_ = context.error().text();
}

Result<std::vector<cluster::ContextEntry>> Workbench::contexts() {
    std::vector<cluster::ContextEntry> entries;
    std::optional<guard::Error> fault;
    if (!options_.demo) {
        auto config = kubeconfig();
        if (config)
            entries = config->contexts();
        else
            fault = config.error();
    }
    if (simulator_) {
        cluster::ContextEntry entry;
        entry.name = demoContext;
        entry.cluster = "embedded";
        entry.server = "https://127.0.0.1:" + std::to_string(simulator_->port());
        entry.ns = simulator_->scenario().ns;
        entries.push_back(std::move(entry));
    } else if (fault) {
        return tl::unexpected(*fault);
    }
    return entries;
}

Result<std::shared_ptr<cluster::ClusterSession>> Workbench::open(const std::string& context) {
    cluster::OpenOptions open;
    open.context = context;
    open.ns = context == firstContext_ ? options_.ns : std::string();
    open.environment = options_.environment;
    {
        const std::lock_guard lock(mutex_);
        open.epoch = guard::EpochId{nextEpoch_++};
    }
    if (simulator_ && context == demoContext) {
        auto config = cluster::Kubeconfig::parse(simulator_->kubeconfig(), "embedded cluster", "/");
        if (!config)
            return tl::unexpected(config.error());
        open.embedded = true;
        if (open.ns.empty())
            open.ns = simulator_->scenario().ns;
        return cluster::openSession(*config, std::move(open), clock_, processes_);
    }
    auto config = kubeconfig();
    if (!config)
        return tl::unexpected(config.error());
    return cluster::openSession(*config, std::move(open), clock_, processes_);
}

std::shared_ptr<guard::WriteDesk> Workbench::deskFor(const std::shared_ptr<cluster::ClusterSession>& session) {
    const std::lock_guard lock(mutex_);
    std::weak_ptr<guard::WriteDesk>& slot = desks_[session->info().epoch];
    if (auto desk = slot.lock())
        return desk;
    cluster::DeskOptions options;
    options.protectedLists = settings_.protectedLists;
    options.readOnly = settings_.readOnly;
    auto made = cluster::makeWriteDesk(session, ledger_, clock_, std::move(options));
    if (!made)
        return nullptr;
    slot = *made;
    return *made;
}

std::unique_ptr<agent::Run> Workbench::startRun(agent::Incident incident,
                                                const std::shared_ptr<cluster::ClusterSession>& session,
                                                bool waitForApproval, guard::Millis pace,
                                                std::function<void(std::shared_ptr<const agent::RunState>)> onChange) {
    agent::RunOptions options;
    options.protectedLists = settings_.protectedLists;
    options.waitForApproval = waitForApproval;
    options.pace = pace;
    agent::RunPorts ports;
    ports.session = session;
    ports.desk = deskFor(session);
    ports.clock = clock_;
    ports.onChange = std::move(onChange);
    return agent::Run::start(std::move(incident), std::move(options), std::move(ports));
}

std::string newIncidentId(guard::WallTime now) {
    std::string stamp = guard::formatRfc3339(now); // 2024-05-01T12:00:00Z
    std::erase_if(stamp, [](char c) { return c == '-' || c == ':' || c == 'Z'; });
    std::replace(stamp.begin(), stamp.end(), 'T', '-');
    static constexpr std::string_view digits = "0123456789abcdef";
    std::random_device random;
    std::string suffix;
    for (int i = 0; i < 4; ++i)
        suffix += digits[random() % digits.size()];
    return "inc-" + stamp + "-" + suffix;
}

Result<guard::ObjectKey> parseTarget(const std::string& text, const std::string& defaultNamespace) {
    std::vector<std::string> parts;
    std::size_t from = 0;
    while (from <= text.size()) {
        const std::size_t to = std::min(text.find('/', from), text.size());
        parts.push_back(text.substr(from, to - from));
        from = to + 1;
    }
    if (parts.size() < 2 || parts.size() > 3)
        return fail(ErrorCode::Config, "target " + text, "write it as KIND/NAME or NAMESPACE/KIND/NAME");
    const std::string ns = parts.size() == 3 ? parts[0] : defaultNamespace;
    const std::string& word = parts[parts.size() - 2];
    const std::string& name = parts.back();

    struct Word {
        const guard::KindId& kind;
        std::array<std::string_view, 3> names;
    };
    const std::array words{
        Word{guard::kinds::deployments(), {"deployment", "deployments", "deploy"}},
        Word{guard::kinds::statefulSets(), {"statefulset", "statefulsets", "sts"}},
        Word{guard::kinds::daemonSets(), {"daemonset", "daemonsets", "ds"}},
        Word{guard::kinds::replicaSets(), {"replicaset", "replicasets", "rs"}},
        Word{guard::kinds::pods(), {"pod", "pods", "po"}},
        Word{guard::kinds::services(), {"service", "services", "svc"}},
    };
    for (const Word& known : words) {
        if (std::find(known.names.begin(), known.names.end(), word) == known.names.end())
            continue;
        if (!guard::validObjectName(name))
            return fail(ErrorCode::Config, "target " + text, "'" + name + "' is not a name");
        if (!guard::validNamespace(ns))
            return fail(ErrorCode::Config, "target " + text, "'" + ns + "' is not a namespace");
        return guard::ObjectKey{known.kind, ns, name};
    }
    return fail(ErrorCode::NotFound, "target " + text,
                "'" + word +
                    "' is not a kind that triage starts from; known are deployment, statefulset, daemonset, "
                    "replicaset, pod, service");
}

} // namespace alidade::wiring
