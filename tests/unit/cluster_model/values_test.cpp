// SPDX-License-Identifier: GPL-3.0-or-later
// Ages, quantities, natural order, rows, catalog, the waiting reader.
#include <gmock/gmock.h>

#include <thread>

#include <nlohmann/json.hpp>

#include "alidade/cluster_model/deltas.hpp"
#include "alidade/cluster_model/rows.hpp"
#include "alidade/cluster_model/session.hpp"

namespace alidade::cluster {
namespace {

const guard::WallTime kNow = *guard::parseRfc3339("2024-05-01T12:00:00Z");
constexpr std::int64_t kSecond = 1'000'000'000;

std::string ago(std::int64_t seconds) { return ageText(kNow.time_since_epoch().count() - seconds * kSecond, kNow); }

TEST(Age, C32_a_Words) {
    constexpr std::int64_t m = 60, h = 3600, d = 86'400, y = 365 * d;
    const std::pair<std::int64_t, const char*> words[] = {
        {-5, "<invalid>"}, {-1, "0s"}, {0, "0s"}, {119, "119s"}, {120, "2m"}, {125, "2m5s"}, {9 * m + 59, "9m59s"},
        {10 * m, "10m"}, {179 * m, "179m"}, {3 * h, "3h"}, {7 * h + 59 * m, "7h59m"}, {8 * h, "8h"}, {47 * h, "47h"},
        {48 * h, "2d"}, {49 * h, "2d1h"}, {8 * d, "8d"}, {8 * d + 5 * h, "8d"}, {729 * d, "729d"}, {730 * d, "2y"},
        {731 * d, "2y1d"}, {8 * y, "8y"}};
    for (const auto& [seconds, word] : words) EXPECT_EQ(ago(seconds), word) << seconds;
}

TEST(Age, C32_b_AllFormsOfTheSameTime) {
    const auto first = guard::parseRfc3339("2024-05-01T14:00:00+02:00");
    ASSERT_TRUE(first);
    EXPECT_EQ(first, guard::parseRfc3339("2024-05-01T12:00:00Z"));
    EXPECT_EQ(first, guard::parseRfc3339("2024-05-01T12:00:00.000000Z"));
}

TEST(Age, C32_c_AMissingTimeIsUnknown) { EXPECT_EQ(ageText(0, kNow), "<unknown>"); }

TEST(Age, RenderedAgesTurnBackIntoTimes) {
    EXPECT_EQ(parseAgeText("119s"), 119 * kSecond);
    EXPECT_EQ(parseAgeText("2d1h"), 49 * 3600 * kSecond);
    EXPECT_EQ(parseAgeText("2y1d"), 731LL * 86'400 * kSecond);
    for (const char* text : {"", "<none>", "<unknown>", "5", "m", "-5m", "5x", "99999999999y", "5m3"}) {
        EXPECT_FALSE(parseAgeText(text)) << text;
    }
}

TEST(Quantity, C20_a_Values) {
    const std::pair<const char*, double> values[] = {
        {"1Ki", 1024}, {"0.5Gi", 536870912}, {"500k", 500000}, {"1e3", 1000}, {"1E3", 1000}, {"1E", 1e18},
        {"128974848000m", 128974848}, {"2687146666666m", 2687146666.666}, {"4402341478400m", 4402341478.4},
        {"100m", 0.1}, {"2", 2}, {"250u", 0.00025}, {"100n", 1e-7}, {"0", 0}, {"-5", -5}, {"+1.5", 1.5}, {".5", 0.5},
        {"5.", 5}, {"1e-3", 0.001}, {"1e+3", 1000}, {"1Ei", 1152921504606846976.0}, {"3M", 3e6}};
    for (const auto& [text, value] : values) {
        const auto parsed = parseQuantity(text);
        ASSERT_TRUE(parsed) << text;
        EXPECT_DOUBLE_EQ(*parsed, value) << text;
    }
}

TEST(Quantity, C20_b_InvalidOnesAreNoNumbers) {
    for (const char* text : {"", "1K", "K", "1KI", "1ki", "abc", "1 Ki", " 1", "1e", "1e+", "1ee3", "--1", "1.2.3", "0x10",
                             "NaN", "inf", "1e999", "1Kii", "1i", "."}) {
        EXPECT_FALSE(parseQuantity(text)) << text;
    }
}

TEST(Natural, DigitsCompareByValue) {
    EXPECT_LT(naturalCompare("node-2", "node-10"), 0);
    EXPECT_GT(naturalCompare("node-10", "node-2"), 0);
    EXPECT_EQ(naturalCompare("a1", "a1"), 0);
    EXPECT_LT(naturalCompare("a", "a1"), 0);
    EXPECT_NE(naturalCompare("a01", "a1"), 0);
    EXPECT_EQ(naturalCompare("a01", "a1"), -naturalCompare("a1", "a01"));
    EXPECT_LT(naturalCompare("a01b", "a1c"), 0);
    EXPECT_LT(naturalCompare("99999999999999999999998", "99999999999999999999999"), 0);
}

TEST(Rows, HoldTheirTextsInOneBlock) {
    RowBuilder builder;
    builder.ns("n").name("web").uid("u").resourceVersion("7").created(5).label("app", "web").health(Health::Bad).trouble("why");
    builder.nameCell().cell("1/2", 0.5).fixedCell("<none>").ageCell(5).numberCell(7, 9);
    const RowPtr row = builder.build();
    EXPECT_EQ(row->name, "web");
    EXPECT_EQ(row->cells[0].text.data(), row->name.data());
    EXPECT_EQ(row->cells[1].text, "1/2");
    EXPECT_EQ(row->cells[1].number, 0.5);
    EXPECT_EQ(row->cells[2].text, "<none>");
    EXPECT_EQ(row->cells[4].text, "7");
    EXPECT_EQ(row->cells[4].timeNs, 9);
    EXPECT_EQ(row->labels[0], Label("app", "web"));
    EXPECT_EQ(row->trouble, "why");
    const RowPtr next = builder.name("other").build(); // nothing of the first is left
    EXPECT_EQ(next->name, "other");
    EXPECT_EQ(next->key, "//other");
    EXPECT_TRUE(next->cells.empty());
    EXPECT_TRUE(next->labels.empty());
    EXPECT_EQ(row->name, "web");
}

Catalog twoTriggers() {
    Catalog catalog;
    const auto add = [&](const char* group, const char* version, const char* kind, const char* resource, std::vector<std::string> shortNames) {
        catalog.kinds.push_back({guard::KindId{group, version, kind, resource, true}, std::move(shortNames), {"get", "list"}, {}});
    };
    add("", "v1", "Service", "services", {"svc"});
    add("", "v1", "Pod", "pods", {"po"});
    add("apps", "v1", "Deployment", "deployments", {"deploy"});
    add("triggers.a.example.com", "v1", "Trigger", "triggers", {"tr"});
    add("triggers.b.example.org", "v1beta1", "Trigger", "triggers", {});
    add("example.com", "v1", "Service", "services", {"po"});
    return catalog;
}

TEST(Catalog, C21_a_SamePluralInTwoGroups) {
    const Catalog catalog = twoTriggers();
    EXPECT_EQ(catalog.find("triggers.triggers.b.example.org")->id.group, "triggers.b.example.org");
    EXPECT_EQ(catalog.find("triggers.triggers.a.example.com")->id.group, "triggers.a.example.com");
    EXPECT_EQ(catalog.find("triggers.v1beta1.triggers.b.example.org")->id.group, "triggers.b.example.org");
    const guard::KindId b{"triggers.b.example.org", "v1beta1", "Trigger", "triggers", true};
    EXPECT_EQ(catalog.find(b)->id.group, "triggers.b.example.org");
    EXPECT_FALSE(catalog.kinds[3].id == catalog.kinds[4].id);
}

TEST(Catalog, C21_b_WithoutAGroupTheCoreOneIsMeant) {
    const Catalog catalog = twoTriggers();
    EXPECT_EQ(catalog.find("services")->id.group, "");
    EXPECT_EQ(catalog.find("services.example.com")->id.group, "example.com");
    EXPECT_EQ(catalog.find("services.v1")->id.group, "");
    EXPECT_EQ(catalog.find("po")->id.resource, "pods");
}

TEST(Catalog, WordsAsKubectlTakesThem) {
    const Catalog catalog = twoTriggers();
    for (const char* word : {"deployments", "deployment", "Deployment", "deploy", "deployments.apps", "deploy.apps", "deployment.v1.apps"}) {
        ASSERT_NE(catalog.find(word), nullptr) << word;
        EXPECT_EQ(catalog.find(word)->id.resource, "deployments") << word;
    }
    for (const char* word : {"", "nothing", "pods.apps", "deployments.v2.apps", "."}) EXPECT_EQ(catalog.find(word), nullptr) << word;
    EXPECT_TRUE(catalog.kinds[0].can("list"));
    EXPECT_FALSE(catalog.kinds[0].can("watch"));
}

/// Keeps what it is asked, to answer it when the test says so.
class HeldReader final : public ClusterReader {
public:
    std::mutex mutex;
    std::condition_variable asked;
    std::vector<Done<guard::Raw<std::string>>> held;
    Done<guard::Raw<std::string>> take() {
        std::unique_lock lock(mutex);
        asked.wait(lock, [this] { return !held.empty(); });
        auto done = std::move(held.back());
        held.pop_back();
        return done;
    }
    void describe(const ObjectKey&, Done<guard::Raw<std::string>> done) override {
        {
            const std::lock_guard lock(mutex);
            held.push_back(std::move(done));
        }
        asked.notify_all();
    }
    void get(const ObjectKey&, Done<guard::Raw<nlohmann::json>>) override {}
    void list(const KindId&, const ListScope&, std::size_t, Done<Answer<std::vector<guard::Raw<nlohmann::json>>>>) override {}
    void events(const ObjectRef&, Done<Answer<std::vector<EventRecord>>>) override {}
    void logs(const ObjectKey&, const LogOptions&, Done<guard::Raw<guard::LogText>>) override {}
    void revisions(const ObjectRef&, Done<Answer<std::vector<Revision>>>) override {}
    void catalog(Done<Answer<Catalog>>) override {}
    void access(std::string, const KindId&, std::string, std::string, std::string, Done<guard::AccessReview>) override {}
    void relations(std::optional<ObjectRef>, const ListScope&, int, Done<Answer<Graph>>) override {}
};

TEST(BlockingReader, WaitsForTheAnswerOfAnotherThread) {
    const auto reader = std::make_shared<HeldReader>();
    std::jthread io([&] { reader->take()(guard::Raw<std::string>("text")); });
    const auto answer = BlockingReader(reader).describe({}, {});
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->value(), "text");
}

TEST(BlockingReader, StopRequestEndsTheWait) {
    const auto reader = std::make_shared<HeldReader>();
    std::stop_source stop;
    Done<guard::Raw<std::string>> late;
    std::jthread io([&] {
        late = reader->take();
        stop.request_stop();
    });
    const auto answer = BlockingReader(reader).describe({}, stop.get_token());
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().code, guard::ErrorCode::Cancelled);
    io.join();
    late(guard::Raw<std::string>("too late")); // harms nobody
}

TEST(BlockingReader, SessionThatEndsWithoutAnAnswerEndsTheWait) {
    const auto reader = std::make_shared<HeldReader>();
    std::jthread io([&] { (void)reader->take(); });
    const auto answer = BlockingReader(reader).describe({}, {});
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().code, guard::ErrorCode::Cancelled);
}

TEST(BlockingReader, NeverWithoutANoticeAndNeverAfterAStop) {
    int checks = 0;
    const auto reader = std::make_shared<HeldReader>();
    const BlockingReader blocking(reader, [&] { ++checks; });
    std::stop_source stop;
    stop.request_stop();
    EXPECT_FALSE(blocking.describe({}, stop.get_token()));
    EXPECT_EQ(checks, 1);
    EXPECT_TRUE(reader->held.empty());
}

class CountingWakeup final : public Wakeup {
public:
    void wake() override { ++count; }
    int count = 0;
};

TEST(Mailbox, AtMostOneWakeupIsPending) {
    const auto wakeup = std::make_shared<CountingWakeup>();
    Mailbox<int> mailbox(wakeup);
    for (int i = 0; i < 5; ++i) mailbox.post(i);
    EXPECT_EQ(wakeup->count, 1);
    EXPECT_EQ(mailbox.drain(), (std::vector<int>{0, 1, 2, 3, 4}));
    mailbox.post(5);
    EXPECT_EQ(wakeup->count, 2);
}

} // namespace
} // namespace alidade::cluster
