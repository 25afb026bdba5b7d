// SPDX-License-Identifier: GPL-3.0-or-later
#include "render.hpp"

#include <gmock/gmock.h>

namespace alidade::cluster::writer {
namespace {

using guard::Action;
using guard::ErrorCode;
using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const guard::WallTime kNow = *guard::parseRfc3339("2024-05-01T12:00:00Z");

Action on(const KindId& kind, auto change, const std::string& name = "web") {
    return {{{kind, kind.namespaced ? "shop" : "", name}, "uid-1"}, guard::Scope::Object, change};
}
json podTemplate(const std::string& image) {
    return {{"metadata", {{"labels", {{"app", "web"}}}}},
            {"spec", {{"containers", {{{"name", "app"}, {"image", image}}}}}}};
}
json deployment(const std::string& image = "shop/web:2") {
    return {{"metadata", {{"name", "web"}, {"namespace", "shop"}, {"uid", "uid-1"}}},
            {"spec", {{"replicas", 3}, {"template", podTemplate(image)}}}};
}
Revision revision(int number, const std::string& image, bool current = false) {
    json made = podTemplate(image);
    made["metadata"]["labels"]["pod-template-hash"] = "abc";
    Revision r;
    r.number = number;
    r.current = current;
    r.templateJson = made.dump();
    return r;
}
json bodyOf(const Result<guard::WriteRequest>& request) { return json::parse(request->body); }

TEST(Paths, every_segment_is_encoded) {
    EXPECT_EQ(objectPath({guard::kinds::deployments(), "shop", "web"}),
              "/apis/apps/v1/namespaces/shop/deployments/web");
    EXPECT_EQ(objectPath({guard::kinds::pods(), "shop", "a b?x"}), "/api/v1/namespaces/shop/pods/a%20b%3Fx");
    EXPECT_EQ(objectPath({guard::kinds::nodes(), "", "n1"}), "/api/v1/nodes/n1");
}

TEST(Rollback, tests_uid_and_the_whole_template_and_leaves_the_hash_out) {
    Seen seen{deployment(),
              nullptr,
              {revision(4, "shop/web:2", true), revision(2, "shop/web:1"), revision(1, "shop/web:0")},
              true};
    const auto request = render(on(guard::kinds::deployments(), guard::Rollback{2}), "uid-1", seen, kNow);
    ASSERT_TRUE(request) << request.error().text();
    EXPECT_EQ(request->method, "PATCH");
    EXPECT_EQ(request->contentType, "application/json-patch+json");
    EXPECT_EQ(bodyOf(request),
              json::array({{{"op", "test"}, {"path", "/metadata/uid"}, {"value", "uid-1"}},
                           {{"op", "test"}, {"path", "/spec/template"}, {"value", podTemplate("shop/web:2")}},
                           {{"op", "replace"}, {"path", "/spec/template"}, {"value", podTemplate("shop/web:1")}}}));
    EXPECT_THAT(request->preconditions, ElementsAre("uid is uid-1", "/spec/template is as shown"));
}

TEST(Rollback, C76_undo) {
    const Action undo = on(guard::kinds::deployments(), guard::Rollback{0});
    Seen seen{deployment(),
              nullptr,
              {revision(4, "shop/web:2", true), revision(2, "shop/web:1"), revision(1, "shop/web:0")},
              true};
    const auto previous = render(undo, "uid-1", seen, kNow);
    ASSERT_TRUE(previous);
    EXPECT_EQ(bodyOf(previous)[2]["value"], podTemplate("shop/web:1")) << "the default is the previous revision";

    seen.object["spec"]["paused"] = true;
    EXPECT_THAT(render(undo, "uid-1", seen, kNow).error().detail, HasSubstr("resume it first"));
    seen.object["spec"].erase("paused");
    seen.revisions = {revision(4, "shop/web:2", true)};
    EXPECT_THAT(render(undo, "uid-1", seen, kNow).error().detail, HasSubstr("nothing to go back to"));
    EXPECT_EQ(render(undo, "uid-1", seen, kNow).error().code, ErrorCode::Refused);
    seen.revisionsComplete = false;
    EXPECT_THAT(render(undo, "uid-1", seen, kNow).error().detail, HasSubstr("could not all be read"));
    seen = {deployment(), nullptr, {revision(4, "shop/web:2", true), revision(2, "shop/web:2")}, true};
    EXPECT_THAT(render(on(guard::kinds::deployments(), guard::Rollback{4}), "uid-1", seen, kNow).error().detail,
                HasSubstr("current one"));
    EXPECT_THAT(render(on(guard::kinds::deployments(), guard::Rollback{2}), "uid-1", seen, kNow).error().detail,
                HasSubstr("already"));
    EXPECT_THAT(render(on(guard::kinds::deployments(), guard::Rollback{3}), "uid-1", seen, kNow).error().detail,
                HasSubstr("no revision 3"));
    EXPECT_FALSE(render(on(guard::kinds::pods(), guard::Rollback{1}), "uid-1", seen, kNow));
    EXPECT_THAT(notesOn(undo, deployment()), ElementsAre(HasSubstr("new revision")));
}

TEST(Restart, C76_restart) {
    const Action restart = on(guard::kinds::deployments(), guard::Restart{});
    const auto request = render(restart, "uid-1", {deployment(), nullptr, {}, true}, kNow);
    ASSERT_TRUE(request);
    EXPECT_EQ(bodyOf(request)[1]["value"], podTemplate("shop/web:2"));
    EXPECT_EQ(bodyOf(request)[2], (json{{"op", "add"},
                                        {"path", "/spec/template/metadata/annotations"},
                                        {"value", {{"kubectl.kubernetes.io/restartedAt", "2024-05-01T12:00:00Z"}}}}));
    json annotated = deployment();
    annotated["spec"]["template"]["metadata"]["annotations"] = {{"a", "b"}};
    EXPECT_EQ(bodyOf(render(restart, "uid-1", {annotated, nullptr, {}, true}, kNow))[2]["path"],
              "/spec/template/metadata/annotations/kubectl.kubernetes.io~1restartedAt");
    json bare = deployment();
    bare["spec"]["template"].erase("metadata");
    const auto added = render(restart, "uid-1", {bare, nullptr, {}, true}, kNow);
    EXPECT_EQ(applied(*added, bare)["spec"]["template"]["metadata"]["annotations"]["kubectl.kubernetes.io/restartedAt"],
              "2024-05-01T12:00:00Z");

    json paused = deployment();
    paused["spec"]["paused"] = true;
    EXPECT_THAT(render(restart, "uid-1", {paused, nullptr, {}, true}, kNow).error().detail,
                HasSubstr("resume it first"));
    EXPECT_THAT(render(on(guard::kinds::pods(), guard::Restart{}), "uid-1", {deployment(), nullptr, {}, true}, kNow)
                    .error()
                    .detail,
                HasSubstr("only deleted"));

    json set = deployment();
    set["spec"]["updateStrategy"] = {{"type", "OnDelete"}};
    EXPECT_THAT(notesOn(on(guard::kinds::statefulSets(), guard::Restart{}), set),
                ElementsAre(HasSubstr("only when they are deleted")));
    set["spec"]["updateStrategy"] = {{"type", "RollingUpdate"}, {"rollingUpdate", {{"partition", 2}}}};
    EXPECT_THAT(notesOn(on(guard::kinds::statefulSets(), guard::Restart{}), set), ElementsAre(HasSubstr("at least 2")));
    json recreate = deployment();
    recreate["spec"]["strategy"] = {{"type", "Recreate"}};
    EXPECT_THAT(notesOn(restart, recreate), ElementsAre(HasSubstr("downtime")));
}

TEST(Scale, goes_through_the_subresource_and_tests_the_old_number) {
    const json scale{{"metadata", {{"uid", "uid-1"}}}, {"spec", {{"replicas", 4}}}};
    const auto request =
        render(on(guard::kinds::deployments(), guard::Scale{6}), "uid-1", {deployment(), scale, {}, true}, kNow);
    ASSERT_TRUE(request);
    EXPECT_EQ(request->path, "/apis/apps/v1/namespaces/shop/deployments/web/scale");
    EXPECT_EQ(bodyOf(request)[1], (json{{"op", "test"}, {"path", "/spec/replicas"}, {"value", 4}}));
    EXPECT_EQ(applied(*request, scale)["spec"]["replicas"], 6);
    // The API leaves out a zero.
    const json zero{{"metadata", {{"uid", "uid-1"}}}, {"spec", json::object()}};
    EXPECT_EQ(applied(*render(on(guard::kinds::deployments(), guard::Scale{2}), "uid-1", {deployment(), zero, {}, true},
                              kNow),
                      zero)["spec"]["replicas"],
              2);
    EXPECT_FALSE(
        render(on(guard::kinds::deployments(), guard::Scale{0}), "uid-1", {deployment(), zero, {}, true}, kNow));
    EXPECT_FALSE(
        render(on(guard::kinds::deployments(), guard::Scale{4}), "uid-1", {deployment(), scale, {}, true}, kNow));
    EXPECT_FALSE(
        render(on(guard::kinds::deployments(), guard::Scale{-1}), "uid-1", {deployment(), scale, {}, true}, kNow));
    EXPECT_THAT(render(on(guard::kinds::daemonSets(), guard::Scale{1}), "uid-1", {deployment(), scale, {}, true}, kNow)
                    .error()
                    .detail,
                HasSubstr("DaemonSet"));
    EXPECT_FALSE(
        render(on(guard::kinds::configMaps(), guard::Scale{1}), "uid-1", {deployment(), nullptr, {}, true}, kNow));
    const KindId custom{"example.com", "v1", "Widget", "widgets", true};
    EXPECT_TRUE(render(on(custom, guard::Scale{1}), "uid-1", {deployment(), scale, {}, true}, kNow))
        << "a custom resource scales the same way";
}

TEST(Scale, C74_who_owns_replicas) {
    const json hpa{
        {"metadata", {{"name", "h"}}},
        {"spec",
         {{"minReplicas", 2}, {"maxReplicas", 10}, {"scaleTargetRef", {{"kind", "Deployment"}, {"name", "web"}}}}}};
    EXPECT_THAT(autoscalerNotes(on(guard::kinds::deployments(), guard::Scale{6}), {hpa}),
                ElementsAre("autoscaler h will set it again (range 2-10)"));
    EXPECT_THAT(autoscalerNotes(on(guard::kinds::deployments(), guard::Scale{0}), {hpa}),
                ElementsAre(HasSubstr("stops acting")));
    EXPECT_THAT(autoscalerNotes(on(guard::kinds::deployments(), guard::Scale{6}, "other"), {hpa}), IsEmpty());
    json owned = deployment();
    owned["metadata"]["ownerReferences"] = {{{"kind", "Deployment"}, {"name", "web"}, {"controller", true}}};
    EXPECT_THAT(notesOn(on(guard::kinds::replicaSets(), guard::Scale{1}), owned),
                ElementsAre(HasSubstr("Deployment web owns it")));
    json managed = deployment();
    managed["metadata"]["managedFields"] = {
        {{"manager", "argocd-controller"}, {"fieldsV1", {{"f:spec", {{"f:replicas", json::object()}}}}}},
        {{"manager", "kubectl-client"}, {"fieldsV1", {{"f:spec", {{"f:replicas", json::object()}}}}}}};
    EXPECT_THAT(notesOn(on(guard::kinds::deployments(), guard::Scale{1}), managed),
                ElementsAre(HasSubstr("argocd-controller")));
}

TEST(Delete, carries_the_uid_as_a_precondition) {
    const auto request =
        render(on(guard::kinds::pods(), guard::Delete{guard::Delete::Propagation::Foreground}), "uid-1", {}, kNow);
    ASSERT_TRUE(request);
    EXPECT_EQ(request->method, "DELETE");
    EXPECT_EQ(bodyOf(request), (json{{"apiVersion", "v1"},
                                     {"kind", "DeleteOptions"},
                                     {"preconditions", {{"uid", "uid-1"}}},
                                     {"propagationPolicy", "Foreground"}}));
    json held = deployment();
    held["metadata"]["finalizers"] = {"example.com/cleanup"};
    EXPECT_THAT(notesOn(on(guard::kinds::deployments(), guard::Delete{}), held),
                ElementsAre(HasSubstr("example.com/cleanup")));
    EXPECT_THAT(notesOn(on(guard::kinds::pods(), guard::Delete{}), deployment()),
                ElementsAre(HasSubstr("nothing re-creates it")));
}

TEST(Changed, says_which_value_moved) {
    const json scale{{"metadata", {{"uid", "uid-1"}}}, {"spec", {{"replicas", 4}}}};
    const auto request =
        *render(on(guard::kinds::deployments(), guard::Scale{6}), "uid-1", {deployment(), scale, {}, true}, kNow);
    EXPECT_EQ(changedSince(request, "uid-1", scale), "");
    json moved = scale;
    moved["spec"]["replicas"] = 5;
    EXPECT_EQ(changedSince(request, "uid-1", moved), "/spec/replicas is 5 now, not 4");
    moved["metadata"]["uid"] = "uid-2";
    EXPECT_THAT(changedSince(request, "uid-1", moved), HasSubstr("another object"));
    EXPECT_THAT(changedSince(request, "uid-1", nullptr), HasSubstr("gone"));
    const auto restart =
        *render(on(guard::kinds::deployments(), guard::Restart{}), "uid-1", {deployment(), nullptr, {}, true}, kNow);
    EXPECT_EQ(changedSince(restart, "uid-1", deployment("shop/web:3")),
              "/spec/template/spec/containers/0/image was changed since");
    EXPECT_FALSE(inPlace(restart, deployment()));
    EXPECT_TRUE(inPlace(restart, applied(restart, deployment())));
}

TEST(Render, odd_objects_are_refused_and_never_crash) {
    for (const char* text : {"null", "[]", "3", "{}", R"({"spec":3})", R"({"spec":{"template":[]}})",
                             R"({"metadata":[],"spec":{"template":null}})",
                             R"({"metadata":{"ownerReferences":[3],"finalizers":{},"managedFields":[null]}})"}) {
        const json odd = json::parse(text);
        for (const Action& action :
             {on(guard::kinds::deployments(), guard::Rollback{1}), on(guard::kinds::deployments(), guard::Restart{}),
              on(guard::kinds::pods(), guard::Scale{1})}) {
            EXPECT_FALSE(
                render(action, "uid-1", {odd, odd.is_object() ? json(nullptr) : odd, {revision(1, "x")}, true}, kNow))
                << text;
            static_cast<void>(notesOn(action, odd));
            static_cast<void>(autoscalerNotes(action, {odd}));
        }
    }
}

} // namespace
} // namespace alidade::cluster::writer
