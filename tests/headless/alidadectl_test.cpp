// SPDX-License-Identifier: GPL-3.0-or-later
// alidadectl as a user runs it: exit codes, what it prints, and that nothing changes without a person.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "person.hpp"
#include "program.hpp"

namespace alidade {
namespace {

using test::Alidadectl;
using test::Outcome;
using test::Person;

TEST_F(Alidadectl, UsageAndUnknownWords) {
    EXPECT_EQ(run({"--help"}).exitCode, 0);
    EXPECT_EQ(run({}).exitCode, 1);
    const Outcome unknown = run({"frobnicate"});
    EXPECT_EQ(unknown.exitCode, 1);
    EXPECT_NE(unknown.err.find("frobnicate"), std::string::npos);
    EXPECT_EQ(run({"triage", "--no-such-option"}).exitCode, 1);
}

TEST_F(Alidadectl, WithoutATerminalAProposalIsLeftNotExecuted) {
    const Outcome outcome = run({"triage", "--demo"});
    EXPECT_EQ(outcome.exitCode, 3) << outcome.out << outcome.err;
    EXPECT_NE(outcome.out.find("Not executed"), std::string::npos) << outcome.out;
    EXPECT_NE(outcome.out.find("Digest: "), std::string::npos);
    EXPECT_EQ(outcome.out.find("\x1b["), std::string::npos) << "no colour codes where nobody looks";
    const Outcome verified = run({"ledger", "verify"});
    EXPECT_EQ(verified.exitCode, 0) << verified.out;
    EXPECT_EQ(verified.out.find("unknown"), std::string::npos);
}

TEST_F(Alidadectl, JsonLinesAreEventsAndEndInOneDone) {
    const Outcome outcome = run({"triage", "--demo", "--json"});
    EXPECT_EQ(outcome.exitCode, 3);
    int done = 0;
    int lines = 0;
    std::size_t from = 0;
    while (from < outcome.out.size()) {
        const auto end = outcome.out.find('\n', from);
        const auto line = nlohmann::json::parse(outcome.out.substr(from, end - from), nullptr, false);
        ASSERT_FALSE(line.is_discarded()) << outcome.out.substr(from, end - from);
        if (line.value("kind", "") == "done")
            ++done;
        ++lines;
        from = end + 1;
    }
    EXPECT_EQ(done, 1);
    EXPECT_GT(lines, 8);
}

TEST_F(Alidadectl, TheProtectedTargetIsBlockedAndEscalated) {
    const Outcome outcome = run({"triage", "--demo", "--scenario", "payments-bad-image"});
    EXPECT_EQ(outcome.exitCode, 4) << outcome.out << outcome.err;
    EXPECT_NE(outcome.out.find("blocked"), std::string::npos);
    EXPECT_NE(outcome.out.find("payments"), std::string::npos);
}

TEST_F(Alidadectl, NothingWrongIsAFirstClassResult) {
    const Outcome outcome = run({"triage", "--demo", "--scenario", "healthy"});
    EXPECT_EQ(outcome.exitCode, 0) << outcome.out << outcome.err;
}

TEST_F(Alidadectl, ThePlantedPasswordIsNowhereInTheOutputOrLedger) {
    // The scenario's log line holds a connection string; its password is whatever stands between ':' and '@'.
    const Outcome outcome = run({"triage", "--demo", "--json"});
    for (const std::string& text : {outcome.out, outcome.err}) {
        const auto scheme = text.find("postgres://");
        if (scheme == std::string::npos)
            continue;
        const std::string address = text.substr(scheme, 120);
        EXPECT_NE(address.find("masked"), std::string::npos) << address;
    }
}

TEST_F(Alidadectl, APersonTypesTheDigestAndTheHealIsVerified) {
    Person person([&] { become({"triage", "--demo"}); });
    ASSERT_TRUE(person.waitFor("to approve")) << person.screen;
    const std::string wrong = "00000000\n";
    const std::size_t seen = person.screen.size();
    person.type(wrong);
    ASSERT_TRUE(person.waitFor("That is not what was asked for", seen)) << person.screen;
    person.type(person.digest() + "\n");
    EXPECT_EQ(person.end(), 0) << person.screen;
    const Outcome verified = run({"ledger", "verify", "--json"});
    EXPECT_EQ(verified.exitCode, 0);
    const auto report = nlohmann::json::parse(verified.out, nullptr, false);
    ASSERT_FALSE(report.is_discarded()) << verified.out;
    EXPECT_TRUE(report["valid"].get<bool>());
    EXPECT_TRUE(report["unknownIntents"].empty());
}

TEST_F(Alidadectl, WhatWasTypedBeforeTheQuestionDoesNotCount) {
    Person person([&] { become({"triage", "--demo"}); });
    person.type("n\n"); // queued long before anything is proposed
    ASSERT_TRUE(person.waitFor("to approve")) << person.screen;
    person.type("n\n");
    EXPECT_EQ(person.end(), 4) << person.screen;
}

TEST_F(Alidadectl, TheLedgerVerifierSeesTampering) {
    ASSERT_EQ(run({"triage", "--demo"}).exitCode, 3);
    std::fstream file(ledgerFile(), std::ios::in | std::ios::out | std::ios::binary);
    ASSERT_TRUE(file);
    file.seekp(20);
    file.put('#');
    file.close();
    const Outcome verified = run({"ledger", "verify"});
    EXPECT_EQ(verified.exitCode, 1);
    EXPECT_NE(verified.out.find("NOT VALID"), std::string::npos);
}

TEST_F(Alidadectl, DescribeTellsOfAnObjectByAnyNameOfItsKind) {
    for (const std::vector<std::string>& words : {std::vector<std::string>{"deploy", "checkout"},
                                                  {"shop/deployment/checkout"},
                                                  {"deployments.apps/checkout"}}) {
        std::vector<std::string> all{"describe", "--demo"};
        all.insert(all.end(), words.begin(), words.end());
        const Outcome outcome = run(all);
        EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
        EXPECT_NE(outcome.out.find("NewReplicaSet:"), std::string::npos) << outcome.out;
        EXPECT_NE(outcome.out.find("Events:"), std::string::npos) << outcome.out;
    }
    const Outcome unknown = run({"describe", "--demo", "gadget", "checkout"});
    EXPECT_EQ(unknown.exitCode, 1);
    EXPECT_NE(unknown.err.find("gadget: the server has no such kind"), std::string::npos) << unknown.err;
    const Outcome gone = run({"describe", "--demo", "deployment/not-there"});
    EXPECT_EQ(gone.exitCode, 1);
    EXPECT_NE(gone.err.find("not-there"), std::string::npos) << gone.err;
    EXPECT_EQ(run({"describe", "--demo", "checkout"}).exitCode, 1);
    EXPECT_EQ(run({"describe", "--demo", "deploy", "checkout", "--output", "dot"}).exitCode, 1);
}

TEST_F(Alidadectl, GraphIsATableJsonOrDot) {
    const Outcome table = run({"graph", "--demo", "deployment/checkout"});
    EXPECT_EQ(table.exitCode, 0) << table.err;
    EXPECT_NE(table.out.find("owned_by"), std::string::npos) << table.out;
    EXPECT_NE(table.out.find("shop/deployments/checkout"), std::string::npos) << table.out;

    const Outcome json = run({"graph", "--demo", "deployment/checkout", "-o", "json"});
    const auto graph = nlohmann::json::parse(json.out, nullptr, false);
    ASSERT_TRUE(graph.is_object()) << json.out << json.err;
    ASSERT_TRUE(graph["root"].is_number());
    EXPECT_EQ(graph["nodes"][graph["root"].get<std::size_t>()]["name"], "checkout");
    const auto owned = [&](const nlohmann::json& edge) {
        return edge["relation"] == "owned_by" &&
               graph["nodes"][edge["from"].get<std::size_t>()]["resource"] == "replicasets" &&
               edge["to"] == graph["root"];
    };
    EXPECT_TRUE(std::any_of(graph["edges"].begin(), graph["edges"].end(), owned)) << json.out;

    const Outcome dot = run({"graph", "--demo", "--output=dot"}); // the namespace
    EXPECT_EQ(dot.exitCode, 0) << dot.err;
    EXPECT_EQ(dot.out.rfind("digraph relations {", 0), 0U) << dot.out;
    EXPECT_NE(dot.out.find("payments"), std::string::npos) << dot.out;
}

TEST_F(Alidadectl, AnUnreachableClusterIsAClearError) {
    std::ofstream(home_ / "config") << R"(apiVersion: v1
kind: Config
clusters: [{name: gone, cluster: {server: "https://127.0.0.1:9"}}]
users: [{name: me, user: {token: example}}]
contexts: [{name: gone, context: {cluster: gone, user: me}}]
current-context: gone
)";
    const Outcome outcome = run({"triage", "--kubeconfig", home_ / "config"});
    EXPECT_EQ(outcome.exitCode, 1);
    EXPECT_NE(outcome.err.find("gone"), std::string::npos) << outcome.err;
    EXPECT_NE(outcome.err.find("127.0.0.1:9"), std::string::npos) << outcome.err;
}

TEST_F(Alidadectl, SimulatePrintsAKubeconfigAndEndsOnASignal) {
    Person person([&] { become({"simulate", "healthy"}); });
    ASSERT_TRUE(person.waitFor("Ctrl+C ends it")) << person.screen;
    EXPECT_NE(person.screen.find("certificate-authority-data"), std::string::npos);
    person.type("\x03");
    EXPECT_EQ(person.end(), 0);
}

} // namespace
} // namespace alidade
