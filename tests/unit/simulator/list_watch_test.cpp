// SPDX-License-Identifier: GPL-3.0-or-later
// LIST and WATCH as the API concepts describe them.
#include <gmock/gmock.h>

#include "lab.hpp"

namespace alidade::simulator {
namespace {

using ::testing::ElementsAre;

class ListWatch : public Lab {
protected:
    using Lab::Lab;
    const std::string maps = "/api/v1/namespaces/shop/configmaps";
    void make(const std::string& name, const Json& labels = Json::object()) {
        call("POST", maps,
             {{"apiVersion", "v1"}, {"kind", "ConfigMap"}, {"metadata", {{"name", name}, {"labels", labels}}}}, 201);
    }
    static std::vector<std::string> names(const Json& list) {
        std::vector<std::string> out;
        for (const auto& item : elements(list, "items"))
            if (str(item, {"metadata", "name"}) != "kube-root-ca.crt")
                out.push_back(str(item, {"metadata", "name"}));
        return out;
    }
    static std::vector<std::string> types(const std::vector<Json>& events) {
        std::vector<std::string> out;
        for (const auto& event : events)
            out.push_back(str(at(event, "type")) + " " + str(event, {"object", "metadata", "name"}));
        return out;
    }
    std::string rv() { return std::to_string(world.rv()); }
};

TEST_F(ListWatch, pagesShowOneMoment) {
    for (const auto* name : {"a", "b", "c", "d", "e"})
        make(name);
    const auto first = get(maps + "?limit=2");
    EXPECT_THAT(names(first), ElementsAre("a", "b"));
    EXPECT_EQ(integer(first, {"metadata", "remainingItemCount"}), 4); // kube-root-ca.crt too
    call("DELETE", maps + "/c");
    make("bb");
    const auto second = get(maps + "?limit=9&continue=" + str(first, {"metadata", "continue"}));
    EXPECT_THAT(names(second), ElementsAre("c", "d", "e"));
    EXPECT_EQ(str(second, {"metadata", "resourceVersion"}), str(first, {"metadata", "resourceVersion"}));
    EXPECT_TRUE(at(second, {"metadata", "continue"}).is_null());
}

TEST_F(ListWatch, anExpiredContinueGives410WithAWayOn) {
    for (const auto* name : {"a", "b", "c"})
        make(name);
    const auto first = get(maps + "?limit=1");
    world.compact();
    api.forgetSnapshots();
    const auto gone = call("GET", maps + "?continue=" + str(first, {"metadata", "continue"}), nullptr, 410);
    EXPECT_EQ(str(gone, {"reason"}), "Expired");
    const auto rest = get(maps + "?continue=" + str(gone, {"metadata", "continue"}));
    EXPECT_THAT(names(rest), ElementsAre("b", "c"));
    EXPECT_EQ(str(rest, {"metadata", "resourceVersion"}), rv());
}

TEST_F(ListWatch, theWatchCacheIgnoresLimit) {
    for (const auto* name : {"a", "b", "c"})
        make(name);
    EXPECT_EQ(names(get(maps + "?limit=1&resourceVersion=0")).size(), 3U);
}

TEST_F(ListWatch, aResourceVersionOfTheFutureTimesOut) {
    const auto late = call("GET", maps + "?resourceVersion=99999999", nullptr, 504);
    EXPECT_EQ(str(late, {"reason"}), "Timeout");
}

TEST_F(ListWatch, itemsOfAListNameNoKindAndEventsDo) {
    make("a");
    EXPECT_TRUE(at(items(at(get(maps), "items"))[0], "kind").is_null());
    const auto watch = open("GET", maps + "?watch=1");
    EXPECT_EQ(str(watch->events()[0], {"object", "kind"}), "ConfigMap");
}

TEST_F(ListWatch, metadataOnlyHoldsNoData) {
    call("POST", "/api/v1/namespaces/shop/secrets", {{"metadata", {{"name", "s"}}}, {"stringData", {{"k", "v"}}}}, 201);
    const auto list = open("GET", "/api/v1/secrets", "",
                           {{"Accept", "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1"}})
                          ->json();
    EXPECT_EQ(str(at(list, "kind")), "PartialObjectMetadataList");
    EXPECT_EQ(str(items(at(list, "items"))[0], {"metadata", "name"}), "s");
    EXPECT_EQ(dump(list).find("\"data\""), std::string::npos);
}

TEST_F(ListWatch, aWatchGoesOnFromAResourceVersion) {
    make("a");
    const auto from = rv();
    make("b");
    const auto watch = open("GET", maps + "?watch=true&resourceVersion=" + from);
    call("DELETE", maps + "/a");
    EXPECT_THAT(types(watch->events()), ElementsAre("ADDED b", "DELETED a"));
}

TEST_F(ListWatch, aSelectorTurnsChangesIntoArrivalsAndDepartures) {
    make("a", {{"x", "1"}});
    const auto watch = open("GET", maps + "?watch=true&labelSelector=x%3D1&resourceVersion=" + rv());
    call("PATCH", maps + "/a", {{"metadata", {{"labels", {{"x", "2"}}}}}}, 200, "application/merge-patch+json");
    call("PATCH", maps + "/a", {{"metadata", {{"labels", {{"x", "1"}}}}}}, 200, "application/merge-patch+json");
    call("PATCH", maps + "/a", {{"data", {{"k", "v"}}}}, 200, "application/merge-patch+json");
    EXPECT_THAT(types(watch->events()), ElementsAre("DELETED a", "ADDED a", "MODIFIED a"));
}

TEST_F(ListWatch, anOldResourceVersionIsGoneInTheStream) {
    make("a");
    const auto old = rv();
    make("b");
    world.compact();
    const auto watch = open("GET", maps + "?watch=true&resourceVersion=" + old);
    EXPECT_EQ(watch->status, 200);
    EXPECT_TRUE(watch->finished);
    const auto events = watch->events();
    ASSERT_EQ(events.size(), 1U);
    EXPECT_EQ(str(at(events[0], "type")), "ERROR");
    EXPECT_EQ(integer(events[0], {"object", "code"}), 410);
    EXPECT_EQ(str(events[0], {"object", "reason"}), "Expired");
}

TEST_F(ListWatch, bookmarksComeWhenAskedForAndAtTheEnd) {
    const auto watch =
        open("GET", maps + "?watch=true&allowWatchBookmarks=true&timeoutSeconds=90&resourceVersion=" + rv());
    const auto silent = open("GET", maps + "?watch=true&timeoutSeconds=90&resourceVersion=" + rv());
    pass(61);
    auto events = watch->events();
    ASSERT_EQ(events.size(), 1U);
    EXPECT_EQ(str(at(events[0], "type")), "BOOKMARK");
    EXPECT_FALSE(str(events[0], {"object", "metadata", "resourceVersion"}).empty());
    EXPECT_FALSE(watch->finished);
    pass(30);
    EXPECT_TRUE(watch->finished);
    EXPECT_TRUE(silent->finished);
    EXPECT_TRUE(silent->body.empty());
    EXPECT_EQ(api.watchers(), 0U);
}

TEST_F(ListWatch, initialEventsEndWithAnAnnotatedBookmark) {
    make("a");
    const auto watch = open("GET", maps + "?watch=true&sendInitialEvents=true&allowWatchBookmarks=true&"
                                          "resourceVersionMatch=NotOlderThan&fieldSelector=metadata.name%3Da");
    const auto events = watch->events();
    ASSERT_EQ(events.size(), 2U);
    EXPECT_EQ(str(at(events[0], "type")), "ADDED");
    EXPECT_EQ(str(events[1], {"object", "metadata", "annotations", "k8s.io/initial-events-end"}), "true");
    EXPECT_EQ(str(events[1], {"object", "metadata", "resourceVersion"}), rv());
    call("GET", maps + "?watch=true&sendInitialEvents=true", nullptr, 422);
}

TEST_F(ListWatch, aTableWatchSendsColumnsOnce) {
    make("a");
    make("b");
    const auto watch =
        open("GET", maps + "?watch=true", "", {{"Accept", "application/json;as=Table;v=v1;g=meta.k8s.io"}});
    const auto events = watch->events();
    ASSERT_GE(events.size(), 2U);
    EXPECT_TRUE(at(events[0], {"object", "columnDefinitions"}).is_array());
    EXPECT_TRUE(at(events[1], {"object", "columnDefinitions"}).is_null());
    EXPECT_EQ(str(items(at(events[0], {"object", "rows"}))[0], {"object", "kind"}), "PartialObjectMetadata");
}

TEST_F(ListWatch, aClosedConnectionEndsItsWatch) {
    const auto watch = open("GET", maps + "?watch=true");
    EXPECT_EQ(api.watchers(), 1U);
    watch->closedCall();
    EXPECT_EQ(api.watchers(), 0U);
    make("a");
}

TEST_F(ListWatch, bothEventApisShowOneEvent) {
    call("POST", "/apis/events.k8s.io/v1/namespaces/shop/events",
         {{"metadata", {{"name", "e1"}}},
          {"note", "hello"},
          {"reason", "R"},
          {"type", "Normal"},
          {"regarding", {{"kind", "Pod"}, {"name", "p"}}}},
         201);
    const auto core = get("/api/v1/namespaces/shop/events?fieldSelector=involvedObject.name%3Dp");
    const auto fresh = get("/apis/events.k8s.io/v1/namespaces/shop/events?fieldSelector=regarding.name%3Dp");
    ASSERT_EQ(items(at(core, "items")).size(), 1U);
    ASSERT_EQ(items(at(fresh, "items")).size(), 1U);
    EXPECT_EQ(str(items(at(core, "items"))[0], {"message"}), "hello");
    EXPECT_EQ(str(items(at(fresh, "items"))[0], {"note"}), "hello");
    EXPECT_EQ(str(items(at(core, "items"))[0], {"metadata", "uid"}),
              str(items(at(fresh, "items"))[0], {"metadata", "uid"}));
}

class OldServer : public ListWatch {
protected:
    OldServer() : ListWatch(std::vector<User>{}, false) {}
};

TEST_F(OldServer, refusesInitialEvents) {
    const auto no = call(
        "GET", maps + "?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true",
        nullptr, 422);
    EXPECT_EQ(str(at(no, "reason")), "Invalid");
}

class Limited : public ListWatch {
protected:
    Limited() : ListWatch(std::vector<User>{{"viewer", {{{"get", "list"}, {""}, {"pods"}, {"shop"}}}}}) {}
};

TEST_F(Limited, mayReadItsNamespaceAlone) {
    EXPECT_EQ(open("GET", pods, "", {}, "viewer")->status, 200);
    const auto no = open("GET", "/apis/apps/v1/namespaces/shop/deployments/web", "", {}, "viewer");
    EXPECT_EQ(no->status, 403);
    EXPECT_EQ(str(no->json(), {"message"}), "deployments.apps \"web\" is forbidden: User \"viewer\" cannot get "
                                            "resource \"deployments\" in API group \"apps\" in the namespace \"shop\"");
    EXPECT_EQ(
        str(open("GET", "/api/v1/pods", "", {}, "viewer")->json(), {"message"}),
        "pods is forbidden: User \"viewer\" cannot list resource \"pods\" in API group \"\" at the cluster scope");
    const auto review =
        open("POST", "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
             R"({"spec":{"resourceAttributes":{"verb":"delete","resource":"pods","namespace":"shop"}}})", {}, "viewer");
    EXPECT_EQ(review->status, 201);
    EXPECT_FALSE(boolean(at(review->json(), {"status", "allowed"}), true));
}

TEST_F(Limited, withoutAGoodTokenIs401) {
    http::ServerRequest request;
    request.method = "GET";
    request.path = request.target = "/api/v1/pods";
    const auto capture = std::make_shared<Capture>();
    api.handle(request, capture, nullptr);
    EXPECT_EQ(capture->status, 401);
    EXPECT_EQ(str(capture->json(), {"reason"}), "Unauthorized");
}

} // namespace
} // namespace alidade::simulator
