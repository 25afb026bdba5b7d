// SPDX-License-Identifier: GPL-3.0-or-later
// kill -9 between intent and outcome: the ledger verifies after a restart and shows the intent as unknown.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "alidade/guard/input_gate.hpp"
#include "alidade/guard/ledger.hpp"
#include "alidade/simulator/simulator.hpp"
#include "alidade/wiring/workbench.hpp"

namespace alidade {
namespace {

namespace fs = std::filesystem;

std::string bytesOf(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

struct Folder {
    fs::path path;
    Folder() {
        std::string pattern = (fs::temp_directory_path() / "alidade-kill-XXXXXX").string();
        path = ::mkdtemp(pattern.data());
    }
    ~Folder() { fs::remove_all(path); }
};

/// Approves a real rollback whose request the server keeps waiting; never returns.
[[noreturn]] void approveAndHang(const fs::path& folder) {
    simulator::SimulatorOptions options;
    options.incidentAfterSeconds = -60;
    auto world = simulator::Simulator::start(options);
    if (!world)
        ::_exit(10);
    simulator::Fault slow;
    slow.kind = simulator::Fault::Kind::Delay;
    slow.method = "PATCH";
    slow.skip = 1; // the dry run
    slow.delay = guard::Millis{600'000};
    (*world)->addFault(slow);
    std::ofstream(folder / "kubeconfig") << (*world)->kubeconfig();

    wiring::WorkbenchOptions bench;
    bench.kubeconfig = {(folder / "kubeconfig").string()};
    bench.environment = {{"HOME", folder.string()}, {"USER", "tester"}};
    bench.ledgerFile = (folder / "ledger.jsonl").string();
    auto made = wiring::Workbench::create(bench, {});
    if (!made)
        ::_exit(11);
    auto session = (*made)->open((*made)->firstContext());
    if (!session)
        ::_exit(12);
    auto desk = (*made)->deskFor(*session);
    if (!desk)
        ::_exit(13);

    guard::Plan plan;
    guard::Action action;
    action.target = {{guard::kinds::deployments(), "shop", "checkout"}, {}};
    const auto checkout = (*world)->get("apps", "deployments", "shop", "checkout");
    if (!checkout)
        ::_exit(14);
    action.target.uid = (*checkout)["metadata"]["uid"].get<std::string>();
    action.change = guard::Restart{};
    plan.actions = {action};
    auto proposals = std::make_shared<cluster::Mailbox<std::shared_ptr<const guard::ProposalContent>>>();
    desk->submit(guard::Draft::fromPerson(plan, {}, (*session)->info().epoch),
                 [proposals](const guard::DeskEvent& event) {
                     if (const auto* proposed = std::get_if<guard::desk::Proposed>(&event.what))
                         proposals->post(proposed->content);
                     if (const auto* refused = std::get_if<guard::desk::Refused>(&event.what)) {
                         for (const std::string& reason : refused->refusal.verdict.reasons)
                             std::fprintf(stderr, "refused: %s\n", reason.c_str());
                         ::_exit(16);
                     }
                 });
    const auto content = proposals->waitDrain({}, guard::Millis{20'000});
    if (content.empty())
        ::_exit(17);
    const auto shown = (*made)->clock()->now();
    ::poll(nullptr, 0, 10);
    auto act = guard::TerminalGate::typed(*content.front(), content.front()->digest.substr(0, 8), shown,
                                          (*made)->clock()->now());
    if (!act)
        ::_exit(15);
    desk->approve(content.front()->id, std::move(*act));
    for (;;)
        ::pause();
}

TEST(Kill, AnIntentWithoutAnOutcomeIsUnknownAfterRestart) {
    for (int round = 0; round < 5; ++round) {
        const Folder folder;
        const fs::path ledgerFile = folder.path / "ledger.jsonl";
        const pid_t child = ::fork();
        ASSERT_GE(child, 0);
        if (child == 0)
            approveAndHang(folder.path);

        const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(30);
        guard::LedgerReport report;
        int status = 0;
        while (std::chrono::steady_clock::now() < until) {
            report = guard::verifyLedger(bytesOf(ledgerFile));
            if (!report.unknownIntents.empty())
                break;
            ASSERT_EQ(::waitpid(child, &status, WNOHANG), 0) << "the child ended early with " << WEXITSTATUS(status);
            ::poll(nullptr, 0, 5);
        }
        ::kill(child, SIGKILL);
        ::waitpid(child, &status, 0);
        ASSERT_EQ(report.unknownIntents.size(), 1u) << "the intent never reached the disk";

        const guard::SystemClock clock;
        auto file = guard::openDurableFile(ledgerFile.string());
        ASSERT_TRUE(file) << file.error().text();
        auto ledger = guard::Ledger::open(std::move(*file), clock, "tester");
        ASSERT_TRUE(ledger) << ledger.error().text();
        ASSERT_TRUE((*ledger)->note("restarted", {}));
        const guard::LedgerReport after = guard::verifyLedger(bytesOf(ledgerFile));
        EXPECT_TRUE(after.valid) << (after.faults.empty() ? "" : after.faults.front());
        EXPECT_EQ(after.unknownIntents, report.unknownIntents) << "still shown as unknown, not forgotten";
        EXPECT_GT(after.records, report.records);
    }
}

} // namespace
} // namespace alidade
