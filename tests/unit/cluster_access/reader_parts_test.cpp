// SPDX-License-Identifier: GPL-3.0-or-later
// The pure parts of the reader: paths, events, revisions, discovery.
#include "reader/discovery.hpp"
#include "reader/json_fields.hpp"
#include "reader/paths.hpp"
#include "reader/reads.hpp"

#include <gmock/gmock.h>

#include <algorithm>

#include <nlohmann/json.hpp>

namespace alidade::cluster {
namespace {

using guard::ErrorCode;
using nlohmann::json;
namespace kinds = guard::kinds;

ObjectKey pod(const std::string& ns, const std::string& name) { return ObjectKey{kinds::pods(), ns, name}; }

TEST(Paths, C56_no_name_or_namespace_becomes_a_path_unchecked) {
    EXPECT_EQ(objectPath(pod("shop", "web-1")).value(), "/api/v1/namespaces/shop/pods/web-1");
    EXPECT_EQ(objectPath(pod("shop", "web-1"), Subresource::Log).value(), "/api/v1/namespaces/shop/pods/web-1/log");
    EXPECT_EQ(objectPath(ObjectKey{kinds::deployments(), "shop", "web"}).value(),
              "/apis/apps/v1/namespaces/shop/deployments/web");
    EXPECT_EQ(objectPath(ObjectKey{kinds::nodes(), "", "n1"}).value(), "/api/v1/nodes/n1");
    EXPECT_EQ(listPath(kinds::pods(), "").value(), "/api/v1/pods");
    for (const char* name : {"web/../../secrets/db", "web?watch=true", "web%2F..%2Fsecrets%2Fdb", "web\nDELETE", "",
                             ".", "..", "a b", "web#x"}) {
        const auto path = objectPath(pod("shop", name));
        if (path) { // what passes the check is encoded
            EXPECT_EQ(path->find_first_of("?#\n "), std::string::npos) << *path;
            EXPECT_EQ(std::count(path->begin(), path->end(), '/'), 6) << *path;
        } else {
            EXPECT_EQ(path.error().code, ErrorCode::BadRequest);
        }
    }
    for (const char* refused : {"web/../../secrets/db", "web%2F..%2Fsecrets%2Fdb", "web\nDELETE", "", ".", ".."}) {
        EXPECT_FALSE(objectPath(pod("shop", refused))) << refused;
    }
    for (const char* ns : {"*", "kube-system/secrets", "", "Shop", "a.b", "-x"}) {
        EXPECT_FALSE(objectPath(pod(ns, "web"))) << ns;
    }
    for (const char* resource : {"pods/exec", "pods/web/proxy", "", "Pods", "../secrets", "pods?x"}) {
        KindId kind = kinds::pods();
        kind.resource = resource;
        EXPECT_FALSE(listPath(kind, "shop")) << resource;
    }
    KindId group = kinds::deployments();
    group.group = "apps/../..";
    EXPECT_FALSE(listPath(group, "shop"));
    // RBAC names are path segments though no DNS labels.
    const KindId roles{"rbac.authorization.k8s.io", "v1", "ClusterRole", "clusterroles", false};
    EXPECT_EQ(objectPath(ObjectKey{roles, "", "system:node"}).value(),
              "/apis/rbac.authorization.k8s.io/v1/clusterroles/system%3Anode");
}

TEST(Paths, C56_query_values_cannot_add_parameters) {
    EXPECT_EQ(queryText({{"labelSelector", "a=b&fieldSelector=x"}, {"limit", "5"}, {"continue", ""}}),
              "?labelSelector=a%3Db%26fieldSelector%3Dx&limit=5");
}

json event(const std::string& uid, const json& more) {
    json object = {
        {"metadata",
         {{"uid", uid}, {"name", uid}, {"namespace", "shop"}, {"creationTimestamp", "2024-05-01T11:50:00Z"}}},
        {"involvedObject",
         {{"kind", "Pod"}, {"namespace", "shop"}, {"name", "p"}, {"uid", "u1"}, {"apiVersion", "v1"}}},
        {"type", "Warning"},
        {"reason", "BackOff"},
        {"message", "m"}};
    object.merge_patch(json(more));
    return object;
}

TEST(Events, C29_times_and_counts_of_both_apis_newest_first_each_once) {
    const json a = event("a", {{"eventTime", "2024-05-01T11:58:00.123456Z"}});
    const json b = event("b", {{"eventTime", "2024-05-01T11:58:00.123456Z"},
                               {"series", {{"count", 12}, {"lastObservedTime", "2024-05-01T11:59:30.000000Z"}}}});
    const json c = event(
        "c", {{"firstTimestamp", "2024-05-01T11:00:00Z"}, {"lastTimestamp", "2024-05-01T11:59:00Z"}, {"count", 30}});
    const json d = event("d", json::object());
    const auto records = eventRecords({a, d, c, b, b});
    ASSERT_EQ(records.size(), 4U);
    EXPECT_EQ(records[0].uid, "b");
    EXPECT_EQ(records[1].uid, "c");
    EXPECT_EQ(records[2].uid, "a");
    EXPECT_EQ(records[3].uid, "d");
    const auto now = *guard::parseRfc3339("2024-05-01T12:00:00Z");
    const auto age = [&](const std::optional<guard::WallTime>& time) {
        return ageText(time ? time->time_since_epoch().count() : 0, now);
    };
    EXPECT_EQ(age(records[2].last), "119s");
    EXPECT_EQ(records[2].count, 1);
    EXPECT_EQ(age(records[0].last), "30s");
    EXPECT_EQ(age(records[0].first), "119s");
    EXPECT_EQ(records[0].count, 12);
    EXPECT_EQ(age(records[1].last), "60s");
    EXPECT_EQ(age(records[1].first), "60m");
    EXPECT_EQ(records[1].count, 30);
    EXPECT_FALSE(records[3].last);
    EXPECT_EQ(age(records[3].last), "<unknown>");
    EXPECT_EQ(records[0].about.uid, "u1");
}

TEST(Events, the_newer_apis_names_are_read_and_odd_shapes_survive) {
    const auto records =
        eventRecords({json{{"metadata", {{"uid", "n"}}},
                           {"regarding", {{"kind", "Deployment"}, {"apiVersion", "apps/v1"}, {"name", "web"}}},
                           {"note", "said"},
                           {"reportingController", "deployer"},
                           {"deprecatedCount", 4},
                           {"deprecatedLastTimestamp", "2024-05-01T11:59:00Z"}},
                      json(7), json::object(), json{{"series", 3}, {"count", "x"}, {"metadata", json::array()}}});
    ASSERT_EQ(records.size(), 4U);
    EXPECT_EQ(records[0].message, "said");
    EXPECT_EQ(records[0].source, "deployer");
    EXPECT_EQ(records[0].count, 4);
    EXPECT_EQ(records[0].about.key.kind.group, "apps");
}

json replicaSet(const std::string& name, const std::string& revision, const std::string& image,
                const std::string& owner) {
    return {{"metadata",
             {{"name", name},
              {"namespace", "shop"},
              {"uid", name + "-uid"},
              {"creationTimestamp", "2024-05-01T11:00:00Z"},
              {"annotations",
               {{"deployment.kubernetes.io/revision", revision}, {"kubernetes.io/change-cause", "why " + revision}}},
              {"ownerReferences", json::array({{{"uid", owner}, {"controller", true}}})}}},
            {"spec",
             {{"template",
               {{"metadata", {{"labels", {{"app", "web"}, {"pod-template-hash", "h"}}}}},
                {"spec", {{"containers", json::array({{{"name", "c"}, {"image", image}}})}}}}}}}};
}

TEST(Revisions, of_a_deployment_by_owner_newest_first_without_the_hash) {
    const json deployment = {
        {"metadata", {{"name", "web"}, {"uid", "d1"}, {"annotations", {{"deployment.kubernetes.io/revision", "10"}}}}}};
    const auto revisions = deploymentRevisions(
        deployment, {replicaSet("web-2", "9", "img:9", "d1"), replicaSet("web-3", "10", "img:10", "d1"),
                     replicaSet("web-x", "11", "img:11", "another"), replicaSet("web-y", "?", "img", "d1"), json(3)});
    ASSERT_EQ(revisions.size(), 2U);
    EXPECT_EQ(revisions[0].number, 10);
    EXPECT_TRUE(revisions[0].current);
    EXPECT_EQ(revisions[0].images, (std::vector<std::string>{"img:10"}));
    EXPECT_EQ(revisions[0].changeCause, "why 10");
    EXPECT_EQ(revisions[0].source.uid, "web-3-uid");
    EXPECT_EQ(revisions[0].source.key.name, "web-3");
    EXPECT_FALSE(revisions[1].current);
    const json podTemplate = json::parse(revisions[1].templateJson);
    EXPECT_EQ(podTemplate["metadata"]["labels"], (json{{"app", "web"}}));
    EXPECT_EQ(podTemplate["spec"]["containers"][0]["image"], "img:9");
}

TEST(Revisions, of_sets_from_their_controller_revisions) {
    const auto source = [](const std::string& name, int number) {
        return json{{"metadata",
                     {{"name", name},
                      {"uid", name},
                      {"ownerReferences", json::array({{{"uid", "s1"}, {"controller", true}}})}}},
                    {"revision", number},
                    {"data",
                     {{"spec",
                       {{"template",
                         {{"$patch", "replace"}, {"spec", {{"containers", json::array({{{"image", name}}})}}}}}}}}}};
    };
    const json stateful = {{"metadata", {{"uid", "s1"}}}, {"status", {{"updateRevision", "web-a"}}}};
    auto revisions = controllerRevisions(stateful, {source("web-a", 1), source("web-b", 2)});
    ASSERT_EQ(revisions.size(), 2U);
    EXPECT_EQ(revisions[0].number, 2);
    EXPECT_TRUE(revisions[1].current);
    EXPECT_EQ(revisions[0].templateJson.find("$patch"), std::string::npos);
    revisions = controllerRevisions(json{{"metadata", {{"uid", "s1"}}}}, {source("web-a", 1), source("web-b", 2)});
    EXPECT_TRUE(revisions[0].current); // a DaemonSet's newest
    EXPECT_EQ(
        labelSelectorText({{"matchLabels", {{"a", "b"}}},
                           {"matchExpressions", json::array({{{"key", "t"}, {"operator", "In"}, {"values", {"x", "y"}}},
                                                             {{"key", "z"}, {"operator", "DoesNotExist"}}})}}),
        "a=b,t in (x,y),!z");
}

TEST(Discovery, C21_one_plural_in_two_groups_stays_two_kinds_and_preferred_versions_win) {
    const auto list = [](const std::string& resource, const std::string& kind) {
        return json{
            {"resources",
             json::array({{{"name", resource}, {"kind", kind}, {"namespaced", true}, {"verbs", {"get", "list"}}},
                          {{"name", resource + "/status"}, {"kind", kind}}})}};
    };
    std::vector<ServedVersion> versions;
    versions.push_back(
        {"a.example.com", "v1", true, false, readResources(list("triggers", "Trigger"), "a.example.com", "v1")});
    versions.push_back(
        {"b.example.org", "v1", true, false, readResources(list("triggers", "Trigger"), "b.example.org", "v1")});
    versions.push_back({"example.com", "v1alpha1", false, false,
                        readResources(list("services", "Service"), "example.com", "v1alpha1")});
    versions.push_back(
        {"example.com", "v1", true, false, readResources(list("services", "Service"), "example.com", "v1")});
    versions.push_back({"", "v1", true, false, readResources(list("services", "Service"), "", "v1")});
    versions.push_back({"old.example.com", "v1", true, false, {}});
    versions.push_back(
        {"old.example.com", "v1beta1", false, false, readResources(list("olds", "Old"), "old.example.com", "v1beta1")});
    Catalog catalog;
    catalog.kinds = preferredKinds(std::move(versions));
    EXPECT_EQ(catalog.find("services")->id.group, "");
    EXPECT_EQ(catalog.find("services.example.com")->id.version, "v1");
    EXPECT_EQ(catalog.find("triggers.b.example.org")->id.group, "b.example.org");
    EXPECT_NE(catalog.find("triggers.a.example.com")->id, catalog.find("triggers.b.example.org")->id);
    EXPECT_EQ(catalog.find("olds")->id.version, "v1beta1");
    EXPECT_EQ(catalog.kinds.size(), 5U); // no subresource, no version twice
    EXPECT_TRUE(catalog.find("triggers")->can("list"));
}

TEST(Discovery, C18_the_aggregated_form_marks_what_is_stale) {
    const json list = {
        {"kind", "APIGroupDiscoveryList"},
        {"items", json::array({{{"metadata", {{"name", "apps"}}},
                                {"versions",
                                 json::array({{{"version", "v1"},
                                               {"freshness", "Current"},
                                               {"resources", json::array({{{"resource", "deployments"},
                                                                           {"responseKind", {{"kind", "Deployment"}}},
                                                                           {"scope", "Namespaced"},
                                                                           {"shortNames", {"deploy"}},
                                                                           {"verbs", {"list"}}},
                                                                          5})}}})}},
                               {{"metadata", {{"name", "metrics.k8s.io"}}},
                                {"versions", json::array({{{"version", "v1beta1"}, {"freshness", "Stale"}}})}},
                               "odd"})}};
    const auto versions = readAggregated(list);
    ASSERT_EQ(versions.size(), 2U);
    EXPECT_FALSE(versions[0].stale);
    ASSERT_EQ(versions[0].kinds.size(), 1U);
    EXPECT_EQ(versions[0].kinds[0].shortNames, (std::vector<std::string>{"deploy"}));
    EXPECT_TRUE(versions[0].kinds[0].id.namespaced);
    EXPECT_TRUE(versions[1].stale);
    EXPECT_TRUE(versions[1].kinds.empty());
}

} // namespace
} // namespace alidade::cluster
