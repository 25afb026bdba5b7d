// SPDX-License-Identifier: GPL-3.0-or-later
// One live collection over a scripted server, in virtual time.
#include "live_rows.hpp"

#include <gmock/gmock.h>

#include "virtual_loop.hpp"

namespace alidade::cluster::test {
namespace {

using State = Freshness::State;
using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string pod(const std::string& name, int version, const std::string& extra = "") {
    return R"({"metadata":{"name":")" + name + R"(","namespace":"n","uid":"uid-)" + name + R"(","resourceVersion":")" +
           std::to_string(version) + "\"" + extra + R"(},"spec":{"containers":[{"name":"c"}]},"status":{"phase":"Running"}})";
}
std::string list(const std::vector<std::string>& items, int version, const std::string& meta = "") {
    std::string out = R"({"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":")" + std::to_string(version) + "\"" +
                      meta + R"(},"items":[)";
    for (const std::string& item : items) out += (&item == &items.front() ? "" : ",") + item;
    return out + "]}";
}
std::string event(const char* type, const std::string& object) {
    return std::string(R"({"type":")") + type + R"(","object":)" + object + "}\n";
}
std::string bookmark(int version, bool initialEnd = false) {
    return event("BOOKMARK", R"({"kind":"Pod","metadata":{"resourceVersion":")" + std::to_string(version) + "\"" +
                                 (initialEnd ? R"(,"annotations":{"k8s.io/initial-events-end":"true"})" : "") + "}}");
}
constexpr const char* kGone =
    R"({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","reason":"Expired","code":410})";

class LiveRowsTest : public ::testing::Test {
protected:
    VirtualLoop loop;
    FakeTransport transport{loop};
    Mirror mirror;
    std::unique_ptr<LiveRows> rows;
    WatchMachine::Options options;
    std::vector<ExchangePtr> lists;
    std::vector<ExchangePtr> watches;

    LiveRowsTest() {
        options.watchList = false;
        transport.serve = [this](ExchangePtr exchange) {
            (exchange->has("watch=true") ? watches : lists).push_back(exchange);
        };
    }
    void start(const guard::KindId& kind = guard::kinds::pods(), ListScope scope = {}) {
        rows = std::make_unique<LiveRows>(loop.loop(), transport, Source::Target{kind, std::move(scope), true}, options);
        rows->subscribe(1, 1, mirror.mailbox);
        rows->start();
        settle();
    }
    void settle(guard::Millis span = milliseconds(50)) {
        loop.run(span);
        mirror.drain();
        ASSERT_EQ(mirror.broken, "");
    }
    /// Lists `items` at `version` and opens the watch.
    void bringLive(const std::vector<std::string>& items, int version) {
        start();
        lists.back()->answer(200, list(items, version));
        settle();
        watches.back()->head(200);
        settle();
        ASSERT_EQ(mirror.freshness.state, State::Live);
    }
    [[nodiscard]] State state() const { return mirror.freshness.state; }
};

TEST_F(LiveRowsTest, ListsFromTheCacheThenWatchesFromTheListsVersion) {
    start();
    ASSERT_EQ(lists.size(), 1U);
    EXPECT_THAT(lists[0]->request.target, HasSubstr("/api/v1/pods?limit=500&resourceVersion=0"));
    EXPECT_EQ(state(), State::Loading);
    lists[0]->answer(200, list({pod("a", 5)}, 100));
    settle();
    ASSERT_EQ(watches.size(), 1U);
    EXPECT_EQ(watches[0]->param("resourceVersion"), "100");
    EXPECT_EQ(watches[0]->param("allowWatchBookmarks"), "true");
    EXPECT_NE(state(), State::Live); // not before the watch answers
    watches[0]->head(200);
    settle();
    EXPECT_EQ(state(), State::Live);
    watches[0]->body(event("ADDED", pod("b", 101)) + event("MODIFIED", pod("a", 102)) + event("DELETED", pod("b", 103)));
    settle();
    EXPECT_THAT(mirror.names(), ElementsAre("a"));
    EXPECT_EQ(mirror.rows.begin()->second->resourceVersion, "102");
}

TEST_F(LiveRowsTest, ScopesAndSelectorsGoIntoTheRequest) {
    start(guard::kinds::pods(), {"shop", "app in (a,b)", "status.phase=Running"});
    EXPECT_THAT(lists[0]->request.target, HasSubstr("/api/v1/namespaces/shop/pods?"));
    EXPECT_EQ(lists[0]->param("labelSelector"), "app in (a,b)");
    EXPECT_EQ(lists[0]->param("fieldSelector"), "status.phase=Running");
}

TEST_F(LiveRowsTest, NamespaceThatCannotBeAPathSegmentIsNeverSent) {
    start(guard::kinds::pods(), {"../secrets", "", ""});
    EXPECT_TRUE(lists.empty());
    EXPECT_EQ(state(), State::Failed);
}

TEST_F(LiveRowsTest, C13_a_GoneInTheStream) {
    bringLive({pod("a", 50)}, 100);
    watches[0]->body(event("ERROR", kGone));
    settle();
    ASSERT_EQ(lists.size(), 2U); // exactly one fresh list, at once
    EXPECT_EQ(lists[1]->param("resourceVersion"), "");
    EXPECT_EQ(lists[1]->param("limit"), "500");
    EXPECT_THAT(mirror.names(), ElementsAre("a"));
    EXPECT_NE(state(), State::Live);
    lists[1]->answer(200, list({pod("b", 480)}, 500));
    settle();
    EXPECT_THAT(mirror.names(), ElementsAre("b"));
    EXPECT_EQ(watches.back()->param("resourceVersion"), "500");
    settle(seconds(60));
    EXPECT_EQ(lists.size(), 2U);
}

TEST_F(LiveRowsTest, C13_b_GoneAsTheHttpStatus) {
    start();
    lists[0]->answer(200, list({pod("a", 50)}, 100));
    settle();
    watches[0]->answer(410, kGone);
    settle();
    ASSERT_EQ(lists.size(), 2U);
    EXPECT_EQ(lists[1]->param("resourceVersion"), "");
    lists[1]->answer(200, list({pod("b", 480)}, 500));
    settle();
    EXPECT_THAT(mirror.names(), ElementsAre("b"));
    EXPECT_EQ(watches.back()->param("resourceVersion"), "500");
}

TEST_F(LiveRowsTest, C13_c_RepeatedGoneBacksOff) {
    start();
    transport.serve = [&](ExchangePtr exchange) {
        if (exchange->has("watch=true")) {
            exchange->answer(410, kGone);
        } else {
            lists.push_back(exchange);
            exchange->answer(200, list({pod("a", 50)}, 100));
        }
    };
    lists[0]->answer(200, list({pod("a", 50)}, 100));
    settle(seconds(60));
    EXPECT_GE(lists.size(), 4U);
    EXPECT_LE(lists.size(), 12U);
    EXPECT_THAT(mirror.names(), ElementsAre("a"));
    EXPECT_EQ(std::count(mirror.states.begin(), mirror.states.end(), State::Live), 0);
}

TEST_F(LiveRowsTest, C15_a_ContinueTokenExpiresMidList) {
    start();
    lists[0]->answer(200, list({pod("a", 1), pod("b", 2)}, 800, R"(,"continue":"tokA","remainingItemCount":1)"));
    settle();
    ASSERT_EQ(lists.size(), 2U);
    EXPECT_EQ(lists[1]->param("continue"), "tokA");
    EXPECT_EQ(lists[1]->param("resourceVersion"), "");
    EXPECT_THAT(mirror.names(), ElementsAre("a", "b"));
    EXPECT_EQ(state(), State::Loading);
    EXPECT_EQ(mirror.freshness.loaded, 2U);
    EXPECT_EQ(mirror.freshness.total, 3U);
    lists[1]->answer(410, R"({"kind":"Status","metadata":{"continue":"tokB"},"status":"Failure","reason":"Expired","code":410})");
    settle();
    ASSERT_EQ(lists.size(), 3U);
    EXPECT_EQ(lists[2]->param("continue"), ""); // from page one again
    EXPECT_THAT(mirror.names(), ElementsAre("a", "b")) << "never an empty table";
    EXPECT_NE(state(), State::Live) << "never a mixture shown as complete";
    lists[2]->answer(200, list({pod("b", 2), pod("c", 3)}, 900));
    settle();
    EXPECT_THAT(mirror.names(), ElementsAre("b", "c"));
    EXPECT_EQ(watches.back()->param("resourceVersion"), "900");
}

TEST_F(LiveRowsTest, C17_b_SplitCharacterAndCutLastLine) {
    bringLive({pod("a", 50)}, 100);
    const std::string line = event("MODIFIED", pod("a", 101, ",\"labels\":{\"n\":\"caf\xC3\xA9\"}"));
    const auto cut = line.find('\xA9');
    watches[0]->body(line.substr(0, cut));
    watches[0]->body(line.substr(cut) + "{\"type\":\"ADD");
    settle(seconds(6));
    EXPECT_EQ(mirror.rows.at("uid-a")->labels[0].second, "caf\xC3\xA9");
    watches[0]->lose();
    settle();
    ASSERT_EQ(watches.size(), 2U);
    EXPECT_EQ(watches[1]->param("resourceVersion"), "101"); // from the last whole event
    EXPECT_EQ(lists.size(), 1U);
    watches[1]->head(200);
    settle();
    EXPECT_EQ(state(), State::Live);
    EXPECT_FALSE(mirror.freshness.error);
}

TEST_F(LiveRowsTest, C22_a_SilentConnectionIsDeclaredDeadAndResumed) {
    bringLive({pod("a", 50)}, 100);
    settle(seconds(320)); // the server neither writes nor closes
    ASSERT_GE(watches.size(), 2U);
    EXPECT_EQ(watches[1]->param("resourceVersion"), "100");
    EXPECT_NE(state(), State::Live);
    watches[1]->head(200);
    watches[1]->body(event("ADDED", pod("b", 140)));
    settle();
    EXPECT_EQ(state(), State::Live);
    EXPECT_THAT(mirror.names(), ElementsAre("a", "b"));
}

TEST_F(LiveRowsTest, C23_a_FirstPageShowsBeforeTheRestWithProgress) {
    start();
    for (int page = 0; page < 70; ++page) {
        std::vector<std::string> items;
        for (int i = 0; i < 500; ++i) {
            items.push_back(pod("p" + std::to_string(page * 500 + i), 10,
                                R"(,"managedFields":[{"manager":"m","fieldsV1":{"x":")" + std::string(100, 'f') + "\"}}]"));
        }
        const int remaining = (69 - page) * 500;
        lists.back()->answer(200, list(items, 1000,
                                       remaining > 0 ? R"(,"continue":"t","remainingItemCount":)" + std::to_string(remaining)
                                                     : std::string()));
        settle();
        if (page == 0) {
            EXPECT_EQ(mirror.rows.size(), 500U);
            EXPECT_EQ(state(), State::Loading);
            EXPECT_EQ(mirror.freshness.loaded, 500U);
            EXPECT_EQ(mirror.freshness.total, 35'000U);
        }
    }
    watches[0]->head(200);
    settle();
    EXPECT_EQ(mirror.rows.size(), 35'000U);
    EXPECT_EQ(state(), State::Live);
    EXPECT_LT(mirror.rows.begin()->second->footprint(), 1024U); // managedFields are not kept

    // 300 changes a second for ten seconds, one by one: they reach the view in batches.
    const std::size_t before = mirror.batches;
    for (int i = 0; i < 3000; ++i) {
        watches[0]->body(event("MODIFIED", pod("p" + std::to_string(i % 35'000), 2000 + i)));
        loop.run(i % 3 == 0 ? milliseconds(4) : milliseconds(3));
    }
    settle();
    EXPECT_LE(mirror.batches - before, 10'000U / 15 + 2);
    EXPECT_EQ(mirror.rows.at("uid-p2999")->resourceVersion, "4999");
    EXPECT_EQ(mirror.rows.size(), 35'000U);
}

TEST_F(LiveRowsTest, RelistDoesNotBlink) {
    bringLive({pod("a", 50), pod("b", 51), pod("c", 52)}, 100);
    const std::size_t appearedBefore = mirror.appeared;
    const RowPtr kept = mirror.rows.at("uid-a");
    watches[0]->body(event("ERROR", kGone));
    settle();
    lists[1]->head(200);
    lists[1]->body(list({pod("a", 50), pod("b", 200)}, 300).substr(0, 150)); // half of the list
    settle();
    EXPECT_THAT(mirror.names(), ElementsAre("a", "b", "c"));
    EXPECT_EQ(state(), State::CatchingUp);
    lists[1]->body(list({pod("a", 50), pod("b", 200)}, 300).substr(150));
    lists[1]->end();
    settle();
    EXPECT_THAT(mirror.names(), ElementsAre("a", "b"));
    EXPECT_EQ(mirror.appeared, appearedBefore) << "no row left and came back";
    EXPECT_EQ(mirror.rows.at("uid-a"), kept) << "what did not change is the same row";
    EXPECT_EQ(mirror.rows.at("uid-b")->resourceVersion, "200");
}

TEST_F(LiveRowsTest, TruncatedListIsNeverTakenForTheWholeOne) {
    bringLive({pod("a", 50), pod("b", 51)}, 100);
    watches[0]->body(event("ERROR", kGone));
    settle();
    const std::string whole = list({pod("a", 50)}, 300);
    lists[1]->answer(200, whole.substr(0, whole.size() - 3)); // the framing of HTTP says: complete
    settle();
    EXPECT_THAT(mirror.names(), ElementsAre("a", "b"));
    EXPECT_EQ(state(), State::Stale);
    EXPECT_EQ(mirror.freshness.error->code, guard::ErrorCode::Protocol);
    settle(seconds(2));
    lists.back()->answer(200, whole);
    settle();
    EXPECT_THAT(mirror.names(), ElementsAre("a"));
}

TEST_F(LiveRowsTest, ThrottledWaitsAsLongAsTheServerAsks) {
    start();
    http::Headers headers;
    headers.add("Retry-After", "7");
    lists[0]->answer(429, R"({"kind":"Status","status":"Failure","reason":"TooManyRequests","code":429})", headers);
    settle(milliseconds(6500));
    EXPECT_EQ(lists.size(), 1U);
    EXPECT_EQ(state(), State::Stale);
    EXPECT_EQ(mirror.freshness.error->code, guard::ErrorCode::Throttled);
    settle(milliseconds(600));
    EXPECT_EQ(lists.size(), 2U);
}

TEST_F(LiveRowsTest, UnauthorizedRefreshesOnceAndThenStops) {
    start();
    lists[0]->answer(401, R"({"kind":"Status","code":401,"reason":"Unauthorized"})");
    settle();
    EXPECT_EQ(transport.refreshes, 1);
    ASSERT_EQ(lists.size(), 2U);
    lists[1]->answer(401, R"({"kind":"Status","code":401,"reason":"Unauthorized"})");
    settle(seconds(120));
    EXPECT_EQ(transport.refreshes, 1);
    EXPECT_EQ(lists.size(), 2U);
    EXPECT_EQ(state(), State::Failed);
    EXPECT_EQ(mirror.freshness.error->code, guard::ErrorCode::NeedsLogin);
    rows->source().reconnect(); // the person logged in
    settle();
    EXPECT_EQ(lists.size(), 3U);
}

TEST_F(LiveRowsTest, UnauthorizedWatchGoesOnWhereItWasAfterTheRefresh) {
    bringLive({pod("a", 50)}, 100);
    settle(seconds(10));
    watches[0]->body(bookmark(120));
    watches[0]->end();
    settle();
    watches[1]->answer(401, "{}");
    settle();
    EXPECT_EQ(transport.refreshes, 1);
    ASSERT_EQ(watches.size(), 3U);
    EXPECT_EQ(watches[2]->param("resourceVersion"), "120");
    EXPECT_EQ(lists.size(), 1U);
}

TEST_F(LiveRowsTest, ForbiddenStopsWithOneNotice) {
    start();
    lists[0]->answer(403, R"({"kind":"Status","code":403,"reason":"Forbidden","message":"no"})");
    settle(seconds(600));
    EXPECT_EQ(lists.size(), 1U);
    EXPECT_EQ(state(), State::Forbidden);
    EXPECT_EQ(std::count(mirror.states.begin(), mirror.states.end(), State::Forbidden), 1);
}

TEST_F(LiveRowsTest, KindThatCannotBeWatchedIsListedEveryThirtySeconds) {
    start();
    lists[0]->answer(200, list({pod("a", 50)}, 100));
    settle();
    watches[0]->answer(405, R"({"kind":"Status","code":405,"reason":"MethodNotAllowed"})");
    settle();
    EXPECT_EQ(state(), State::Polling);
    settle(seconds(29));
    EXPECT_EQ(lists.size(), 1U);
    settle(seconds(2));
    ASSERT_EQ(lists.size(), 2U);
    EXPECT_EQ(state(), State::Polling);
    lists[1]->answer(200, list({pod("b", 60)}, 200));
    settle();
    EXPECT_THAT(mirror.names(), ElementsAre("b"));
    EXPECT_EQ(watches.size(), 1U);
}

TEST_F(LiveRowsTest, OrdinaryEndResumesAtOnceFromTheBookmark) {
    bringLive({pod("a", 50)}, 100);
    watches[0]->body(bookmark(150));
    settle(seconds(30));
    watches[0]->end();
    settle();
    ASSERT_EQ(watches.size(), 2U);
    EXPECT_EQ(watches[1]->param("resourceVersion"), "150");
    EXPECT_EQ(state(), State::CatchingUp);
    EXPECT_THAT(mirror.names(), ElementsAre("a")) << "a bookmark is no row";
}

TEST_F(LiveRowsTest, WatchesThatEndAtOnceBackOff) {
    bringLive({pod("a", 50)}, 100);
    transport.serve = [&](ExchangePtr exchange) {
        watches.push_back(exchange);
        exchange->answer(200, "");
    };
    watches[0]->end();
    settle(seconds(60));
    EXPECT_GE(watches.size(), 4U);
    EXPECT_LE(watches.size(), 10U);
}

TEST_F(LiveRowsTest, UnreachableServerIsStaleWithReasonAndRows) {
    bringLive({pod("a", 50)}, 100);
    settle(seconds(10));
    const auto synced = mirror.freshness.lastSync;
    transport.serve = [&](ExchangePtr exchange) {
        watches.push_back(exchange);
        exchange->end(guard::fail(guard::ErrorCode::Unreachable, "test", "refused"));
    };
    watches[0]->lose();
    settle(seconds(90));
    EXPECT_EQ(state(), State::Stale);
    EXPECT_EQ(mirror.freshness.error->code, guard::ErrorCode::Unreachable);
    EXPECT_GE(mirror.freshness.attempt, 4);
    EXPECT_LE(watches.size(), 12U);
    EXPECT_EQ(mirror.freshness.lastSync, synced);
    EXPECT_THAT(mirror.names(), ElementsAre("a"));
}

TEST_F(LiveRowsTest, StreamedListWhereTheServerHasIt) {
    options.watchList = true;
    start();
    ASSERT_EQ(watches.size(), 1U);
    EXPECT_EQ(watches[0]->param("sendInitialEvents"), "true");
    EXPECT_EQ(watches[0]->param("resourceVersionMatch"), "NotOlderThan");
    watches[0]->head(200);
    watches[0]->body(event("ADDED", pod("a", 5)) + event("ADDED", pod("b", 7)));
    settle();
    EXPECT_EQ(state(), State::Loading);
    EXPECT_THAT(mirror.names(), ElementsAre("a", "b"));
    watches[0]->body(bookmark(70, true) + event("MODIFIED", pod("a", 71)));
    settle();
    EXPECT_EQ(state(), State::Live);
    settle(seconds(20));
    watches[0]->lose();
    settle();
    EXPECT_EQ(watches[1]->param("resourceVersion"), "71");
    EXPECT_EQ(watches[1]->param("sendInitialEvents"), "");
    EXPECT_TRUE(lists.empty());
}

TEST_F(LiveRowsTest, StreamedListRefusedFallsBackToAList) {
    options.watchList = true;
    start();
    watches[0]->answer(422, R"({"kind":"Status","code":422,"reason":"Invalid","message":"sendInitialEvents: forbidden"})");
    settle();
    ASSERT_EQ(lists.size(), 1U);
    lists[0]->answer(200, list({pod("a", 50)}, 100));
    settle();
    EXPECT_EQ(watches.back()->param("resourceVersion"), "100");
}

TEST_F(LiveRowsTest, ServerThatIgnoresTheStreamedListIsNotWaitedForForEver) {
    options.watchList = true;
    start();
    watches[0]->head(200);
    watches[0]->body(event("ADDED", pod("a", 5)));
    settle(seconds(25));
    ASSERT_EQ(lists.size(), 1U);
    EXPECT_FALSE(watches[0]->open());
}

TEST_F(LiveRowsTest, HugeLineIsATypedErrorAndAFreshList) {
    bringLive({pod("a", 50)}, 100);
    watches[0]->body(R"({"type":"MODIFIED","object":{"x":")");
    for (int i = 0; i < 17; ++i) watches[0]->body(std::string(1024 * 1024, 'x'));
    settle();
    EXPECT_EQ(state(), State::Stale);
    EXPECT_EQ(mirror.freshness.error->code, guard::ErrorCode::TooLarge);
    settle(seconds(2));
    EXPECT_EQ(lists.size(), 2U);
}

TEST_F(LiveRowsTest, HtmlInPlaceOfAListIsSaidAndTriedAgain) {
    start();
    lists[0]->answer(200, "<html><body>Sign in</body></html>");
    settle();
    EXPECT_EQ(state(), State::Stale);
    EXPECT_EQ(mirror.freshness.error->code, guard::ErrorCode::Protocol);
    EXPECT_TRUE(mirror.rows.empty());
    settle(seconds(2));
    EXPECT_EQ(lists.size(), 2U);
}

TEST_F(LiveRowsTest, SameNameWithAnotherUidIsAnotherRow) {
    bringLive({pod("a", 50)}, 100);
    std::string again = pod("a", 102);
    again.replace(again.find("uid-a"), 5, "uid-z");
    watches[0]->body(event("DELETED", pod("a", 101)) + event("ADDED", again));
    settle();
    ASSERT_EQ(mirror.rows.size(), 1U);
    EXPECT_EQ(mirror.rows.begin()->first, "uid-z");
}

TEST_F(LiveRowsTest, LateSubscriberStartsFromASnapshot) {
    bringLive({pod("a", 50)}, 100);
    Mirror late;
    watches[0]->body(event("ADDED", pod("b", 101)));
    rows->subscribe(2, 9, late.mailbox);
    late.drain();
    EXPECT_EQ(late.names(), (std::vector<std::string>{"a", "b"}));
    watches[0]->body(event("DELETED", pod("a", 102)));
    settle();
    late.drain();
    EXPECT_EQ(late.broken, "");
    EXPECT_THAT(late.names(), ElementsAre("b"));
    EXPECT_THAT(mirror.names(), ElementsAre("b"));
}

TEST_F(LiveRowsTest, TablesAreListedAndWatchedWithTheServersColumns) {
    const guard::KindId kind{"a.example.com", "v1", "Trigger", "triggers", true};
    start(kind);
    EXPECT_THAT(std::string(*lists[0]->request.headers.get("Accept")), HasSubstr("as=Table"));
    EXPECT_EQ(lists[0]->param("includeObject"), "Metadata");
    EXPECT_THAT(lists[0]->request.target, HasSubstr("/apis/a.example.com/v1/triggers?"));
    const std::string columns =
        R"("columnDefinitions":[{"name":"Name","type":"string","priority":0},{"name":"State","type":"string","priority":0},{"name":"Age","type":"date","priority":0}])";
    const std::string row =
        R"({"cells":["t1","Ready","5d"],"object":{"kind":"PartialObjectMetadata","metadata":{"name":"t1","namespace":"n","uid":"u1","resourceVersion":"4","creationTimestamp":"2024-05-01T11:00:00Z"}}})";
    lists[0]->answer(200, R"({"kind":"Table","apiVersion":"meta.k8s.io/v1","metadata":{"resourceVersion":"10"},)" + columns +
                              R"(,"rows":[)" + row + "]}");
    settle();
    ASSERT_EQ(mirror.rows.size(), 1U);
    EXPECT_EQ((*mirror.schema)[1].title, "STATE");
    EXPECT_EQ(mirror.rows.at("u1")->cells[1].text, "Ready");
    watches[0]->head(200);
    std::string changed = row;
    changed.replace(changed.find("Ready"), 5, "Fired");
    watches[0]->body(event("MODIFIED", R"({"kind":"Table","metadata":{"resourceVersion":"11"},)" + columns + R"(,"rows":[)" + changed + "]}"));
    watches[0]->body(event("BOOKMARK", R"({"kind":"Table","columnDefinitions":null,"rows":[{"cells":[""],"object":{"metadata":{"resourceVersion":"30"}}}]})"));
    settle(seconds(6));
    EXPECT_EQ(mirror.rows.at("u1")->cells[1].text, "Fired");
    watches[0]->lose();
    settle();
    EXPECT_EQ(watches[1]->param("resourceVersion"), "30");
}

TEST_F(LiveRowsTest, RowsOfATableShowWhileItsListComes) {
    start(guard::KindId{"a.example.com", "v1", "Trigger", "triggers", true});
    lists[0]->head(200);
    lists[0]->body(R"({"kind":"Table","metadata":{"resourceVersion":"10"},"columnDefinitions":[{"name":"Name"},{"name":"B"},{"name":"C"}],"rows":[{"cells":["t1","b","c"],"object":{"metadata":{"name":"t1","uid":"u1"}}},)");
    settle();
    ASSERT_EQ(mirror.rows.size(), 1U);
    EXPECT_EQ(mirror.schema->size(), 3U);
}

TEST_F(LiveRowsTest, ColumnsBehindTheRowsLeaveNameAndAge) {
    start(guard::KindId{"a.example.com", "v1", "Trigger", "triggers", true});
    lists[0]->answer(200, R"({"kind":"Table","metadata":{"resourceVersion":"10"},"rows":[{"cells":["t1","b","c"],"object":{"metadata":{"name":"t1","uid":"u1"}}}],"columnDefinitions":[{"name":"Name"},{"name":"B"},{"name":"C"}]})");
    settle();
    ASSERT_EQ(mirror.rows.size(), 1U);
    EXPECT_EQ(mirror.schema->size(), 2U);
}

TEST_F(LiveRowsTest, NewColumnsOfAWatchedTableAreListedAnew) {
    const guard::KindId kind{"a.example.com", "v1", "Trigger", "triggers", true};
    start(kind);
    const auto table = [](const char* columns, const char* cells) {
        return std::string(R"({"kind":"Table","metadata":{"resourceVersion":"10"},"columnDefinitions":[)") + columns +
               R"(],"rows":[{"cells":[)" + cells + R"(],"object":{"metadata":{"name":"t1","uid":"u1","resourceVersion":"4"}}}]})";
    };
    lists[0]->answer(200, table(R"({"name":"Name","type":"string"})", R"("t1")"));
    settle();
    watches[0]->head(200);
    watches[0]->body(event("MODIFIED", table(R"({"name":"Name","type":"string"},{"name":"New","type":"string"})", R"("t1","x")")));
    settle();
    ASSERT_EQ(lists.size(), 2U);
    lists[1]->answer(200, table(R"({"name":"Name","type":"string"},{"name":"New","type":"string"})", R"("t1","x")"));
    settle();
    EXPECT_EQ(mirror.schema->size(), 2U);
    EXPECT_EQ(mirror.rows.at("u1")->cells[1].text, "x");
}

} // namespace
} // namespace alidade::cluster::test
