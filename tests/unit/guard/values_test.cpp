// SPDX-License-Identifier: GPL-3.0-or-later
#include <future>
#include <thread>

#include <gtest/gtest.h>

#include "alidade/guard/action.hpp"
#include "alidade/guard/breaker.hpp"
#include "alidade/guard/coverage.hpp"
#include "alidade/guard/evidence.hpp"
#include "alidade/guard/settings.hpp"

using namespace alidade::guard;
using namespace std::chrono_literals;

TEST(Rfc3339, parses_what_kubernetes_writes) {
    const auto base = parseRfc3339("2024-05-01T12:00:00Z");
    ASSERT_TRUE(base);
    EXPECT_EQ(formatRfc3339(*base), "2024-05-01T12:00:00Z");
    EXPECT_EQ(parseRfc3339("2024-05-01T14:30:00+02:30"), base);
    EXPECT_EQ(parseRfc3339("2024-05-01t12:00:00z"), base);
    EXPECT_EQ(*parseRfc3339("2024-05-01T12:00:00.5Z") - *base, 500ms);
    EXPECT_EQ(*parseRfc3339("2024-05-01T12:00:00.123456789Z") - *base, 123456789ns);
    EXPECT_EQ(formatRfc3339(*parseRfc3339("2024-05-01T12:00:00.123456789Z"), 9), "2024-05-01T12:00:00.123456789Z");
    EXPECT_EQ(formatRfc3339(*parseRfc3339("1969-12-31T23:59:59.25Z"), 3), "1969-12-31T23:59:59.250Z");
}

TEST(Rfc3339, refuses_the_rest) {
    for (const char* text : {"", "2024-05-01", "2024-05-01T12:00:00", "2024-02-30T12:00:00Z", "2024-05-01T24:00:00Z",
                             "2024-05-01T12:00:00.Z", "2024-05-01T12:00:00Zx", "2024-05-01 12:00:00Z",
                             "0001-01-01T00:00:00Z", "2024-05-01T12:00:00+2:00", "2024-13-01T12:00:00Z"})
        EXPECT_FALSE(parseRfc3339(text)) << text;
}

TEST(ManualClock, wakes_a_sleeper_when_its_time_has_come_and_on_a_stop_request) {
    ManualClock clock;
    const MonoTime until = clock.now() + 10s;
    auto slept = std::async(std::launch::async, [&] { return clock.sleepUntil(until, {}); });
    clock.advance(4s);
    EXPECT_EQ(slept.wait_for(0s), std::future_status::timeout);
    clock.advance(6s);
    EXPECT_TRUE(slept.get());

    std::stop_source stop;
    auto stopped = std::async(std::launch::async, [&] { return clock.sleepUntil(until + 1h, stop.get_token()); });
    stop.request_stop();
    EXPECT_FALSE(stopped.get());
}

TEST(Glob, matches_whole_texts) {
    EXPECT_TRUE(globMatch("kube-*", "kube-system"));
    EXPECT_TRUE(globMatch("*prod*", "eu-prod-1"));
    EXPECT_TRUE(globMatch("a?c", "abc"));
    EXPECT_FALSE(globMatch("a?c", "ac"));
    EXPECT_FALSE(globMatch("prod", "prod-1"));
    EXPECT_TRUE(globMatch("*", ""));
    EXPECT_FALSE(globMatch("", "a"));
    EXPECT_FALSE(globMatch("*a*a*a*a*a*a*a*a*b", std::string(5000, 'a')));
}

TEST(ProtectedLists, a_part_left_out_means_any) {
    ProtectedLists lists;
    lists.resources.push_back({"shop", "", "*-db"});
    EXPECT_TRUE(lists.resourceProtected({kinds::deployments(), "shop", "prod-db"}));
    EXPECT_TRUE(lists.resourceProtected({kinds::statefulSets(), "shop", "prod-db"}));
    EXPECT_FALSE(lists.resourceProtected({kinds::deployments(), "other", "prod-db"}));
    EXPECT_TRUE(lists.namespaceProtected("kube-system"));
    EXPECT_FALSE(lists.contextProtected("prod"));
    lists.contexts = {"prod*"};
    EXPECT_TRUE(lists.contextProtected("prod-eu"));
}

TEST(Names, no_path_segment_can_escape) {
    for (const char* bad : {"", ".", "..", "a/b", "web/../../secrets/db", "web%2F", "web\nDELETE", "a b"})
        EXPECT_FALSE(validObjectName(bad)) << bad;
    EXPECT_FALSE(validObjectName(std::string(254, 'a')));
    EXPECT_TRUE(validObjectName("system:node"));
    EXPECT_TRUE(validObjectName("web-7d9c5b6f4d-x2x9z"));
    for (const char* bad : {"", "*", "kube-system/secrets", "Shop", "-a", "a-"})
        EXPECT_FALSE(validNamespace(bad)) << bad;
    EXPECT_TRUE(validNamespace("shop"));
}

TEST(Coverage, an_unreadable_source_is_never_complete) {
    EXPECT_EQ(coverageOf(ErrorCode::Forbidden), Coverage::Forbidden);
    EXPECT_EQ(coverageOf(ErrorCode::Unavailable), Coverage::Unavailable);
    EXPECT_EQ(coverageOf(ErrorCode::Timeout), Coverage::Failed);
    EXPECT_EQ(countText(3, true), "3");
    EXPECT_EQ(countText(3, false), "3 or more");
    Answer<int> answer(4, "pods in shop", {{"pods in shop", Coverage::Partial, "timeout after page 1"}});
    EXPECT_EQ(answer.ifComplete(), nullptr);
    EXPECT_EQ(answer.coverage(), Coverage::Partial);
}

TEST(Breaker, opens_once_at_its_budget) {
    Breaker breaker;
    EXPECT_FALSE(breaker.record(Anomaly::FailedGate, "quality"));
    EXPECT_FALSE(breaker.record(Anomaly::MalformedOutput, "not JSON"));
    EXPECT_FALSE(breaker.open());
    EXPECT_TRUE(breaker.record(Anomaly::UnknownWrite, "lost"));
    EXPECT_TRUE(breaker.open());
    EXPECT_FALSE(breaker.record(Anomaly::FailedWrite, "again"));
    EXPECT_EQ(breaker.spent(), 4);
}

namespace {
constexpr ToolRow logsRow{"get_logs", Effect::ClusterRead, Gate::None, static_cast<std::uint8_t>(Surface::Run), "logs"};
EvidenceLine line(std::string text, int ordinal) {
    return {std::move(text), anchor::LogLine{"pod-uid", "app", "", false, "2024-05-01T12:00:00Z", ordinal}};
}
} // namespace

TEST(Evidence, a_reference_names_a_read_of_this_run_or_nothing) {
    EvidenceLedger ledger;
    EXPECT_FALSE(ledger.resolve("E1"));
    const EvidenceRef ref = ledger.add(CitableTool(logsRow), {}, "logs", {line("one", 0)}, {});
    EXPECT_EQ(ref.text(), "E1");
    EXPECT_EQ(ledger.resolve(" [E1] "), ref);
    for (const char* bad : {"E2", "E0", "E01", "E", "1", "[E1", "E1x", "E99999999999"})
        EXPECT_FALSE(ledger.resolve(bad)) << bad;
    EXPECT_EQ(ledger.find(ref)->tool, "get_logs");
}

TEST(Evidence, a_quote_is_verbatim_but_for_blanks_and_lands_on_its_line) {
    EvidenceLedger ledger;
    const EvidenceRef ref = ledger.add(CitableTool(logsRow), {}, "logs",
                                       {line("starting", 0), line("panic:  nil", 1), line("goroutine 1", 2)}, {});
    EXPECT_EQ(std::get<anchor::LogLine>(*ledger.locate(ref, "panic: nil")).ordinal, 1);
    EXPECT_EQ(std::get<anchor::LogLine>(*ledger.locate(ref, "nil\ngoroutine 1")).ordinal, 1);
    EXPECT_EQ(std::get<anchor::LogLine>(*ledger.locate(ref, " starting ")).ordinal, 0);
    EXPECT_FALSE(ledger.locate(ref, "panic: nill"));
    EXPECT_FALSE(ledger.locate(ref, "Panic: nil"));
    EXPECT_FALSE(ledger.locate(ref, "  "));
}

TEST(Evidence, is_bounded_and_says_so) {
    EvidenceLedger ledger;
    const std::string half(Limits::evidenceBytes / 2, 'x');
    const auto whole = ledger.find(ledger.add(CitableTool(logsRow), {}, "a", {line(half, 0)}, {}));
    EXPECT_FALSE(whole->cut);
    EXPECT_EQ(whole->excerpt.size(), Limits::excerptBytes);
    const auto cut =
        ledger.find(ledger.add(CitableTool(logsRow), {}, "b", {line(half, 0), line(half, 1), line("é", 2)}, {}));
    EXPECT_TRUE(cut->cut);
    EXPECT_EQ(cut->lines.size(), 1U);
}

TEST(Actions, every_kind_has_its_heal_check_and_summary) {
    EXPECT_EQ(healCheckOf(ActionKind::Rollback).window, 120s);
    EXPECT_EQ(healCheckOf(ActionKind::Rollback).hold, 10s);
    EXPECT_EQ(healCheckOf(ActionKind::Delete).signal, HealCheck::Signal::Gone);
    const Action action{{{kinds::deployments(), "shop", "checkout"}, "u"}, Scope::Object, Rollback{4}};
    EXPECT_EQ(action.summary(), "roll back deployment shop/checkout to revision 4");
    EXPECT_EQ(oneStepUp(Risk::High), Risk::Critical);
    EXPECT_EQ(oneStepUp(Risk::Critical), Risk::Critical);
}
