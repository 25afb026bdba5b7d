// SPDX-License-Identifier: GPL-3.0-or-later
// Credentials on the wire, and the reads over real sockets.
#include "files.hpp"
#include "harness.hpp"
#include "test_pki.hpp"

#include <gmock/gmock.h>

#include <atomic>
#include <stop_token>
#include <thread>

namespace alidade::cluster::test {
namespace {

using alidade::test::ClientPki;
using alidade::test::Folder;
using alidade::test::makeClientPki;
using guard::Coverage;
using guard::ErrorCode;
using nlohmann::json;
using ::testing::HasSubstr;
namespace kinds = guard::kinds;

Api::Answer ok(const json& body) { return {200, body.dump(), "application/json"}; }
Api::Answer refuse(int code, const std::string& message) {
    return {code, json({{"kind", "Status"}, {"code", code}, {"message", message}}).dump(), "application/json"};
}

std::string header(const http::ServerRequest& request, const char* name) {
    return std::string(request.headers.get(name).value_or("(none)"));
}

TEST(Connection, a_request_carries_identity_path_and_agent) {
    const Api api([](const auto&) { return ok({{"kind", "Pod"}}); });
    Access access(kubeconfig(api.url() + "/k8s/c-1", "token: T, as: boss, as-groups: [g, h]"));
    EXPECT_EQ(access.podFault(), "(it worked)");
    const auto asked = api.asked();
    ASSERT_EQ(asked.size(), 1U);
    EXPECT_EQ(asked[0].target, "/k8s/c-1/api/v1/namespaces/shop/pods/web");
    EXPECT_EQ(header(asked[0], "Authorization"), "Bearer T");
    EXPECT_EQ(header(asked[0], "Impersonate-User"), "boss");
    EXPECT_EQ(asked[0].headers.all("Impersonate-Group").size(), 2U);
    EXPECT_THAT(header(asked[0], "User-Agent"), HasSubstr("alidade/"));
    EXPECT_EQ(header(asked[0], "Accept"), "application/json");
}

TEST(Connection, C08_a_refused_token_is_read_again_and_the_read_succeeds) {
    const Folder folder;
    folder.write("tok", "T1\n");
    const auto wanted = std::make_shared<std::atomic<int>>(1);
    const Api api([wanted](const http::ServerRequest& request) {
        return header(request, "Authorization") == "Bearer T" + std::to_string(wanted->load())
                   ? ok({{"kind", "Pod"}})
                   : refuse(401, "Unauthorized");
    });
    Access access(kubeconfig(api.url(), "tokenFile: tok"), folder.path());
    EXPECT_EQ(access.podFault(), "(it worked)");
    folder.write("tok", "T2\n");
    *wanted = 2;
    EXPECT_EQ(access.podFault(), "(it worked)");
    EXPECT_EQ(api.asked().size(), 3U);
}

TEST(Connection, C10_keys_of_every_form_and_the_whole_chain) {
    static const ClientPki pki = makeClientPki("alice");
    auto options = Api::options();
    options.clientCaPem = pki.rootPem;
    options.requireClientCertificate = true;
    const Api api([](const auto&) { return ok({{"kind", "Pod"}}); }, options);
    const std::string certificate = "client-certificate-data: " + encodeBase64(pki.chainPem) + ", client-key-data: ";
    for (const std::string* key : {&pki.sec1, &pki.pkcs8}) {
        Access access(kubeconfig(api.url(), certificate + encodeBase64(*key)));
        EXPECT_EQ(access.podFault(), "(it worked)");
    }
    ASSERT_EQ(api.asked().size(), 2U);
    EXPECT_EQ(api.asked()[0].clientCertificateCommonName, "alice");
    Access encrypted(kubeconfig(api.url(), certificate + encodeBase64(pki.encrypted)));
    EXPECT_THAT(encrypted.podFault(),
                HasSubstr("user entry \"admin\" in ~/.kube/config: the client key is encrypted, and "
                          "kubectl cannot use it either"));
    Access garbage(kubeconfig(api.url(), certificate + encodeBase64("no key")));
    EXPECT_THAT(garbage.podFault(), HasSubstr("is not a PEM key"));
    Access other(kubeconfig(api.url(), certificate + encodeBase64(pki.rsaKey)));
    EXPECT_THAT(other.podFault(), HasSubstr("does not belong to the certificate"));
    Access none(kubeconfig(api.url()));
    EXPECT_NE(none.podFault(), "(it worked)");
}

TEST(Connection, C06_a_plugins_certificate_is_used_for_the_connection) {
    static const ClientPki pki = makeClientPki("plugin-user");
    const Folder folder;
    const json credential = {{"apiVersion", "client.authentication.k8s.io/v1"},
                             {"kind", "ExecCredential"},
                             {"status", {{"clientCertificateData", pki.chainPem}, {"clientKeyData", pki.pkcs8}}}};
    folder.write("answer.json", credential.dump());
    folder.write("plugin.sh", "#!/bin/sh\ncat \"$(dirname \"$0\")/answer.json\"\n", true);
    auto options = Api::options();
    options.clientCaPem = pki.rootPem;
    const Api api([](const auto&) { return ok({{"kind", "Pod"}}); }, options);
    Access access(kubeconfig(api.url(), "exec: {command: ./plugin.sh, interactiveMode: Never, apiVersion: "
                                        "client.authentication.k8s.io/v1}"),
                  folder.path());
    EXPECT_EQ(access.podFault(), "(it worked)");
    EXPECT_EQ(api.asked().at(0).clientCertificateCommonName, "plugin-user");
}

json podNamed(const std::string& name) {
    return {{"metadata", {{"name", name}, {"namespace", "shop"}, {"uid", name}}}};
}

TEST(Reads, lists_are_paged_bounded_and_say_what_is_missing) {
    const Api api([](const http::ServerRequest& request) {
        const int from = request.param("continue") ? std::stoi(std::string(*request.param("continue"))) : 0;
        const int limit = std::stoi(std::string(*request.param("limit")));
        json items = json::array();
        for (int i = from; i < from + limit; ++i) {
            items.push_back(podNamed("p" + std::to_string(i)));
        }
        return ok(
            {{"kind", "PodList"},
             {"items", items},
             {"metadata", {{"continue", std::to_string(from + limit)}, {"remainingItemCount", 2000 - from - limit}}}});
    });
    Access access(kubeconfig(api.url()));
    const auto pods = access.reader->list(kinds::pods(), {"shop", "a=b", ""}, 700, {});
    ASSERT_TRUE(pods) << pods.error().text();
    EXPECT_EQ(pods->partial().size(), 700U);
    EXPECT_EQ(pods->partial()[0].value()["kind"], "Pod");
    ASSERT_EQ(pods->gaps().size(), 1U);
    EXPECT_EQ(pods->gaps()[0].coverage, Coverage::Capped);
    EXPECT_EQ(pods->gaps()[0].reason, "the first 700 of 2000");
    EXPECT_EQ(api.asked().size(), 2U);
    EXPECT_EQ(api.asked()[0].param("labelSelector"), "a=b");
}

TEST(Reads, C62_a_list_that_breaks_off_is_partial) {
    const Api api([](const http::ServerRequest& request) {
        if (request.param("continue")) {
            return refuse(500, "etcd is away");
        }
        return ok({{"items", json::array({podNamed("p")})}, {"metadata", {{"continue", "next"}}}});
    });
    Access access(kubeconfig(api.url()));
    const auto pods = access.reader->list(kinds::pods(), {"shop", "", ""}, 5000, {});
    ASSERT_TRUE(pods);
    EXPECT_EQ(pods->partial().size(), 1U);
    EXPECT_EQ(pods->gaps().at(0).coverage, Coverage::Partial);
    EXPECT_THAT(pods->gaps()[0].reason, HasSubstr("1 read, then: etcd is away"));
}

TEST(Reads, C15_b_a_continue_token_that_expires_leaves_a_list_that_says_so) {
    const Api api([](const http::ServerRequest& request) -> Api::Answer {
        if (request.param("continue")) {
            return {
                410,
                R"({"kind":"Status","code":410,"reason":"Expired","message":"The provided continue parameter is too old",)"
                R"("metadata":{"continue":"tokB"}})",
                "application/json"};
        }
        return ok({{"items", json::array({podNamed("p1"), podNamed("p2")})}, {"metadata", {{"continue", "tokA"}}}});
    });
    Access access(kubeconfig(api.url()));
    const auto pods = access.reader->list(kinds::pods(), {"shop", "", ""}, 5000, {});
    ASSERT_TRUE(pods);
    EXPECT_EQ(pods->partial().size(), 2U);
    ASSERT_EQ(pods->gaps().size(), 1U);
    EXPECT_EQ(pods->gaps()[0].coverage, Coverage::Partial);
    EXPECT_THAT(pods->gaps()[0].reason, HasSubstr("2 read, then: The provided continue parameter is too old"));
    EXPECT_EQ(pods->ifComplete(), nullptr);
}

TEST(Reads, C37_a_a_logs_bytes_arrive_as_they_are) {
    using namespace std::string_literals;
    const std::string bytes = "\xEF\xBB\xBF"
                              "caf\xE9\nok\nnul\0here\n\xFF\xFEo\0k\0\xF0\x9F\x98"s;
    const Api api([bytes](const http::ServerRequest& request) -> Api::Answer {
        if (request.path == "/api/v1/namespaces/shop/pods/p") {
            return ok(json::parse(R"({"spec":{"containers":[{"name":"a"}]},"status":{"containerStatuses":)"
                                  R"([{"name":"a","restartCount":0,"state":{"running":{}}}]}})"));
        }
        return {200, bytes, "text/plain"};
    });
    Access access(kubeconfig(api.url()));
    const auto log = access.reader->logs(ObjectKey{kinds::pods(), "shop", "p"}, {}, {});
    ASSERT_TRUE(log) << log.error().text();
    EXPECT_EQ(log->value().text, bytes);
}

TEST(Reads, C62_a_an_empty_list_of_a_namespace_that_is_not_there_is_not_found) {
    const Api api([](const http::ServerRequest& request) {
        if (request.path == "/api/v1/namespaces/shopp") {
            return refuse(404, "namespaces \"shopp\" not found");
        }
        if (request.path == "/api/v1/namespaces/hidden") {
            return refuse(403, "namespaces \"hidden\" is forbidden: User \"v\" cannot get resource");
        }
        if (request.path == "/api/v1/namespaces/shop") {
            return ok({{"kind", "Namespace"}});
        }
        return ok({{"items", json::array()}, {"metadata", json::object()}});
    });
    Access access(kubeconfig(api.url()));
    const auto typo = access.reader->list(kinds::pods(), {"shopp", "", ""}, 500, {});
    ASSERT_FALSE(typo);
    EXPECT_EQ(typo.error().code, ErrorCode::NotFound);
    EXPECT_EQ(typo.error().detail, "namespace \"shopp\" not found");
    const auto hidden = access.reader->list(kinds::pods(), {"hidden", "", ""}, 500, {});
    ASSERT_TRUE(hidden);
    EXPECT_EQ(hidden->gaps().at(0).source, "namespace hidden");
    EXPECT_EQ(hidden->gaps()[0].coverage, Coverage::Forbidden);
    EXPECT_THAT(hidden->gaps()[0].reason, HasSubstr("could not be verified"));
    const auto empty = access.reader->list(kinds::pods(), {"shop", "", ""}, 500, {});
    ASSERT_TRUE(empty);
    EXPECT_TRUE(empty->complete());
    EXPECT_EQ(empty->scope(), "pods in shop");
}

TEST(Reads, secrets_are_listed_without_their_values_whatever_the_server_sends) {
    const Api api([](const http::ServerRequest&) {
        json secret = podNamed("db");
        secret["data"] = {{"password", "aHVudGVyMg=="}};
        secret["stringData"] = {{"x", "y"}};
        return ok({{"items", json::array({secret})}, {"metadata", json::object()}});
    });
    Access access(kubeconfig(api.url()));
    const auto secrets = access.reader->list(kinds::secrets(), {"shop", "", ""}, 500, {});
    ASSERT_TRUE(secrets);
    EXPECT_FALSE(secrets->partial()[0].value().contains("data"));
    EXPECT_FALSE(secrets->partial()[0].value().contains("stringData"));
    EXPECT_THAT(header(api.asked()[0], "Accept"), HasSubstr("as=PartialObjectMetadataList"));
}

TEST(Reads, C18_one_broken_group_leaves_the_others) {
    const Api api([](const http::ServerRequest& request) -> Api::Answer {
        const std::string& path = request.path;
        if (path == "/version") {
            return ok({{"gitVersion", "v1.20.2"}});
        }
        if (path == "/api") {
            return ok({{"kind", "APIVersions"}, {"versions", {"v1"}}});
        }
        if (path == "/apis") {
            const auto group = [](const std::string& name, const std::string& version) {
                return json{{"name", name},
                            {"versions", json::array({{{"groupVersion", name + "/" + version}, {"version", version}}})},
                            {"preferredVersion", {{"version", version}}}};
            };
            return ok({{"kind", "APIGroupList"},
                       {"groups", json::array({group("apps", "v1"), group("metrics.k8s.io", "v1beta1")})}});
        }
        if (path == "/api/v1") {
            return ok({{"resources", json::array({{{"name", "pods"},
                                                   {"kind", "Pod"},
                                                   {"namespaced", true},
                                                   {"shortNames", {"po"}},
                                                   {"verbs", {"list"}}}})}});
        }
        if (path == "/apis/apps/v1") {
            return ok({{"resources",
                        json::array({{{"name", "deployments"}, {"kind", "Deployment"}, {"namespaced", true}}})}});
        }
        return {503, "service unavailable\n", "text/plain"};
    });
    Access access(kubeconfig(api.url()));
    const auto catalog = access.reader->catalog({});
    ASSERT_TRUE(catalog) << catalog.error().text();
    EXPECT_NE(catalog->partial().find("po"), nullptr);
    EXPECT_NE(catalog->partial().find("deployments.apps"), nullptr);
    EXPECT_EQ(catalog->partial().serverVersion, "v1.20.2");
    ASSERT_EQ(catalog->gaps().size(), 1U);
    EXPECT_EQ(catalog->gaps()[0].source, "discovery of metrics.k8s.io/v1beta1");
    EXPECT_EQ(catalog->gaps()[0].reason, "service unavailable");
    const std::size_t asked = api.asked().size();
    EXPECT_TRUE(access.reader->catalog({})); // kept
    EXPECT_EQ(api.asked().size(), asked);
}

TEST(Reads, C85_logs_that_are_not_there_are_told_apart) {
    const Api api([](const http::ServerRequest& request) -> Api::Answer {
        if (request.path == "/api/v1/namespaces/shop/pods/p") {
            return ok(json::parse(
                R"({"spec":{"nodeName":"node-7","containers":[{"name":"a"},{"name":"b"},{"name":"c"},{"name":"d"},{"name":"e"},{"name":"f"}]},
"status":{"containerStatuses":[{"name":"a","restartCount":3,"state":{"running":{}},"lastState":{"terminated":{"exitCode":1}}},
{"name":"b","restartCount":0,"state":{"running":{}},"lastState":{}},
{"name":"c","restartCount":0,"state":{"waiting":{"reason":"ContainerCreating"}}},{"name":"d","restartCount":0,"state":{"running":{}}},
{"name":"f","restartCount":0,"state":{"running":{}}}]}})"));
        }
        const std::string container(request.param("container").value_or(""));
        if (container == "f" && request.param("previous")) {
            return {200, "unable to retrieve container logs for containerd://e3accf29f0245bc1", "text/plain"};
        }
        if (container == "a") {
            return {200, request.param("previous") ? "one\ntwo\nthree\n" : "fresh\n", "text/plain"};
        }
        if (container == "d") {
            return refuse(500, "Get https://10.0.0.7:10250/containerLogs: connect: no route to host");
        }
        if (container == "e" || container == "f") {
            return {200, "", "text/plain"};
        }
        return refuse(400, "whatever the server says");
    });
    Access access(kubeconfig(api.url()));
    const ObjectKey pod{kinds::pods(), "shop", "p"};
    const auto logs = [&](const std::string& container, bool previous) {
        LogOptions options;
        options.container = container;
        options.previous = previous;
        return access.reader->logs(pod, options, {});
    };
    EXPECT_EQ(logs("a", false)->value().text, "fresh\n");
    EXPECT_EQ(logs("a", true)->value().text, "one\ntwo\nthree\n");
    EXPECT_EQ(logs("", false)->value().text, "fresh\n"); // the first container, as kubectl chooses
    const auto none = logs("b", true);
    ASSERT_FALSE(none);
    EXPECT_EQ(none.error().code, ErrorCode::NotFound);
    EXPECT_EQ(none.error().detail, "no earlier run");
    const auto creating = logs("c", false);
    ASSERT_FALSE(creating);
    EXPECT_EQ(creating.error().code, ErrorCode::Unavailable);
    EXPECT_EQ(creating.error().detail, "not started yet: ContainerCreating");
    const auto away = logs("d", false);
    ASSERT_FALSE(away);
    EXPECT_EQ(away.error().code, ErrorCode::Unavailable);
    EXPECT_THAT(away.error().detail, HasSubstr("the kubelet of node node-7"));
    EXPECT_THAT(logs("nope", false).error().detail,
                HasSubstr("there is no container \"nope\"; the pod has a, b, c, d, e, f"));
    EXPECT_EQ(logs("e", false).error().detail, "not started yet"); // an empty success of a container that never ran
    EXPECT_EQ(logs("f", false)->value().text, "");                 // it runs and has said nothing
    const auto gone = logs("f", true);                             // rotated away: what a 1.20 kubelet answers
    ASSERT_FALSE(gone);
    EXPECT_EQ(gone.error().code, ErrorCode::NotFound);
    EXPECT_EQ(gone.error().detail, "the log of that run is gone from its node");
}

TEST(Reads, the_newest_bytes_of_a_log_are_kept) {
    const Api api([](const http::ServerRequest&) -> Api::Answer {
        std::string text;
        for (int i = 0; i < 2000; ++i) {
            text += "line " + std::to_string(i) + "\n";
        }
        return {200, text, "text/plain"};
    });
    Access access(kubeconfig(api.url()));
    LogOptions options;
    options.container = "a";
    options.maxBytes = 100;
    const auto log = access.reader->logs(ObjectKey{kinds::pods(), "shop", "p"}, options, {});
    ASSERT_TRUE(log);
    EXPECT_LE(log->value().text.size(), 100U);
    EXPECT_TRUE(log->value().text.starts_with("line 19"));
    EXPECT_TRUE(log->value().text.ends_with("line 1999\n"));
    EXPECT_EQ(log->value().omittedBytes + log->value().text.size(), 18890U);
}

TEST(Reads, access_reviews_allowed_denied_and_unknown) {
    const Api api([](const http::ServerRequest& request) {
        const json asked = json::parse(request.body)["spec"]["resourceAttributes"];
        if (asked["verb"] == "patch") {
            return ok({{"status", {{"allowed", asked["namespace"] == "shop"}, {"reason", "RBAC"}}}});
        }
        return refuse(403, "selfsubjectaccessreviews is forbidden: User \"v\" cannot create resource");
    });
    Access access(kubeconfig(api.url()));
    const auto allowed = access.reader->access("patch", kinds::deployments(), "scale", "shop", "web", {});
    ASSERT_TRUE(allowed);
    EXPECT_EQ(allowed->access, guard::Access::Allowed);
    EXPECT_EQ(allowed->verb, "patch deployments.apps/scale in shop");
    EXPECT_EQ(api.asked().at(0).method, "POST");
    EXPECT_EQ(access.reader->access("patch", kinds::deployments(), "", "other", "", {})->access, guard::Access::Denied);
    EXPECT_EQ(access.reader->access("get", kinds::pods(), "", "shop", "", {})->access, guard::Access::Unknown);
}

TEST(Reads, nothing_is_sent_for_a_name_that_is_none) {
    const Api api([](const auto&) { return ok(json::object()); });
    Access access(kubeconfig(api.url()));
    const auto get = access.reader->get(ObjectKey{kinds::pods(), "shop", "web/../../secrets/db"}, {});
    ASSERT_FALSE(get);
    EXPECT_EQ(get.error().code, ErrorCode::BadRequest);
    EXPECT_FALSE(access.reader->list(kinds::pods(), {"kube-system/secrets", "", ""}, 5, {}));
    EXPECT_FALSE(access.reader->logs(ObjectKey{kinds::pods(), "*", "p"}, {}, {}));
    EXPECT_FALSE(access.reader->events(ObjectRef{ObjectKey{kinds::pods(), "shop", "a,b=c/d"}, ""}, {}));
    EXPECT_TRUE(api.asked().empty());
}

TEST(Reads, a_read_of_a_reader_that_is_gone_ends_as_cancelled) {
    auto kept = std::make_shared<std::vector<std::shared_ptr<http::Responder>>>();
    const Api api(
        http::RequestHandler([kept](const http::ServerRequest&, const std::shared_ptr<http::Responder>& answer) {
            kept->push_back(answer);
        }),
        Api::options());
    Access access(kubeconfig(api.url()));
    std::stop_source stop;
    std::jthread stopper([&] {
        while (api.asked().empty()) {
            std::this_thread::yield();
        }
        stop.request_stop();
    });
    const auto pod = access.reader->get(ObjectKey{kinds::pods(), "shop", "web"}, stop.get_token());
    ASSERT_FALSE(pod);
    EXPECT_EQ(pod.error().code, ErrorCode::Cancelled);
}

} // namespace
} // namespace alidade::cluster::test
