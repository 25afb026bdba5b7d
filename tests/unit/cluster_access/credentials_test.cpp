// SPDX-License-Identifier: GPL-3.0-or-later
// Proxies, plugins, rotating tokens, and the errors' words.
#include "access/credentials.hpp"
#include "access/errors.hpp"
#include "access/exec_plugin.hpp"
#include "access/proxy.hpp"
#include "alidade/cluster/open.hpp"
#include "alidade/cluster/transport.hpp"
#include "files.hpp"

#include <gmock/gmock.h>

#include <future>

#include <nlohmann/json.hpp>

namespace alidade::cluster {
namespace {

using guard::ErrorCode;
using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;
using namespace std::chrono_literals;

constexpr const char* kV1 = "client.authentication.k8s.io/v1";
constexpr const char* kV1beta1 = "client.authentication.k8s.io/v1beta1";

TEST(Proxy, no_proxy_follows_go) {
    EXPECT_TRUE(exemptFromProxy("", "localhost", 443));
    EXPECT_TRUE(exemptFromProxy("", "127.0.0.9", 443));
    EXPECT_TRUE(exemptFromProxy("", "::1", 443));
    EXPECT_FALSE(exemptFromProxy("", "example.com", 443));
    EXPECT_TRUE(exemptFromProxy("*", "example.com", 443));
    EXPECT_TRUE(exemptFromProxy("other, Example.COM", "a.example.com", 443));
    EXPECT_TRUE(exemptFromProxy("example.com", "example.com.", 443));
    EXPECT_FALSE(exemptFromProxy("example.com", "badexample.com", 443));
    EXPECT_TRUE(exemptFromProxy(".example.com", "a.example.com", 443));
    EXPECT_FALSE(exemptFromProxy(".example.com", "example.com", 443));
    EXPECT_TRUE(exemptFromProxy("*.example.com", "a.example.com", 443));
    EXPECT_TRUE(exemptFromProxy("example.com:6443", "example.com", 6443));
    EXPECT_FALSE(exemptFromProxy("example.com:6443", "example.com", 443));
    EXPECT_TRUE(exemptFromProxy("10.0.0.0/8", "10.200.1.2", 443));
    EXPECT_FALSE(exemptFromProxy("10.0.0.0/9", "10.200.1.2", 443));
    EXPECT_FALSE(exemptFromProxy("10.0.0.0/8", "10.example.com", 443));
    EXPECT_TRUE(exemptFromProxy("fd00::/8", "fd12::1", 443));
    EXPECT_TRUE(exemptFromProxy("[fd12::1]:443", "fd12::1", 443));
    EXPECT_TRUE(exemptFromProxy("10.0.0.1", "10.0.0.1", 443));
    EXPECT_FALSE(exemptFromProxy("10.0.0.0/99,10.0.0.0/x,/,:,", "10.0.0.1", 443));
}

TEST(Proxy, the_entry_wins_over_the_environment) {
    const http::Url https{"https", "k8s.example.com", 6443, "", ""};
    const http::Url http{"http", "k8s.example.com", 8080, "", ""};
    const std::map<std::string, std::string> environment{
        {"HTTPS_PROXY", "proxy.example:3128"}, {"http_proxy", "socks5://s.example"}, {"NO_PROXY", "10.0.0.0/8"}};
    const auto chosen = proxyFor(https, "", environment, "entry");
    ASSERT_TRUE(chosen);
    EXPECT_EQ(chosen->kind, http::Proxy::Kind::HttpConnect);
    EXPECT_EQ(chosen->host, "proxy.example");
    EXPECT_EQ(chosen->port, 3128);
    const auto socks = proxyFor(http, "", environment, "entry");
    ASSERT_TRUE(socks);
    EXPECT_EQ(socks->kind, http::Proxy::Kind::Socks5);
    EXPECT_EQ(socks->port, 1080);
    const auto own =
        proxyFor(http::Url{"https", "10.1.1.1", 443, "", ""}, "http://me:p%40ss@own.example:8", environment, "e");
    ASSERT_TRUE(own); // NO_PROXY is the environment's
    EXPECT_EQ(own->host, "own.example");
    EXPECT_EQ(own->user, "me");
    EXPECT_EQ(own->password->reveal(), "p@ss");
    EXPECT_EQ(proxyFor(http::Url{"https", "10.1.1.1", 443, "", ""}, "", environment, "e")->kind,
              http::Proxy::Kind::None);
    const auto tls = proxyFor(https, "https://me:secret@p", {}, "cluster entry \"c\" in config");
    ASSERT_FALSE(tls);
    EXPECT_EQ(tls.error().code, ErrorCode::Unsupported);
    EXPECT_THAT(tls.error().text(),
                HasSubstr("cluster entry \"c\" in config, proxy-url: a proxy reached over https://"));
    EXPECT_THAT(tls.error().text(), Not(HasSubstr("secret")));
    EXPECT_FALSE(proxyFor(https, "ftp://p", {}, "e"));
    EXPECT_FALSE(proxyFor(https, "http://", {}, "e"));
}

Kubeconfig execConfig(const std::string& exec, const std::string& clusterMore = "") {
    return *Kubeconfig::parse("clusters: [{name: c, cluster: {server: \"https://h:6443\"" + clusterMore +
                                  "}}]\n"
                                  "users: [{name: u, user: {exec: {" +
                                  exec +
                                  "}}}]\n"
                                  "contexts: [{name: x, context: {cluster: c, user: u}}]\ncurrent-context: x\n",
                              "config", "");
}

std::string problem(const Kubeconfig& config) {
    const auto entry = config.contexts().at(0);
    return entry.problem ? entry.problem->text() : std::string();
}

TEST(ExecPlugin, C06_a_interactiveMode_is_mandatory_with_v1) {
    EXPECT_THAT(problem(execConfig(std::string("command: p, apiVersion: ") + kV1)),
                HasSubstr("user entry \"u\" in config: exec.interactiveMode must be set"));
    EXPECT_EQ(problem(execConfig(std::string("command: p, interactiveMode: Never, apiVersion: ") + kV1)), "");
}

TEST(ExecPlugin, C06_b_v1beta1_runs_without_it_not_interactive) {
    const Kubeconfig config = execConfig(std::string("command: p, apiVersion: ") + kV1beta1);
    EXPECT_EQ(problem(config), "");
    const auto request = execRequest(*resolveIdentity(config, "", "", {}), {});
    const json info = json::parse(request.environment.at("KUBERNETES_EXEC_INFO"));
    EXPECT_EQ(info["apiVersion"], kV1beta1);
    EXPECT_EQ(info["kind"], "ExecCredential");
    EXPECT_EQ(info["spec"]["interactive"], false);
    EXPECT_FALSE(info["spec"].contains("cluster"));
    EXPECT_TRUE(request.input.empty());
}

TEST(ExecPlugin, C06_c_a_terminal_that_is_not_there_is_refused_before_the_start) {
    EXPECT_THAT(problem(execConfig(std::string("command: p, interactiveMode: Always, apiVersion: ") + kV1)),
                HasSubstr("wants a terminal (interactiveMode: Always), and there is none here"));
    EXPECT_THAT(problem(execConfig("command: p, apiVersion: client.authentication.k8s.io/v1alpha1")),
                HasSubstr("v1alpha1"));
    EXPECT_THAT(problem(execConfig("command: p, apiVersion: v9")), HasSubstr("is not known"));
    EXPECT_THAT(problem(execConfig(std::string("interactiveMode: Never, apiVersion: ") + kV1)),
                HasSubstr("exec.command"));
}

TEST(ExecPlugin, cluster_info_arguments_and_environment_reach_it) {
    const Kubeconfig config = execConfig(
        std::string("command: p, args: [get, \"--x=1\"], env: [{name: A, value: b}], provideClusterInfo: true, "
                    "interactiveMode: IfAvailable, apiVersion: ") +
            kV1,
        ", tls-server-name: other, insecure-skip-tls-verify: true, extensions: [{name: "
        "client.authentication.k8s.io/exec, "
        "extension: {audience: me, n: 5, on: true}}]");
    const auto request = execRequest(*resolveIdentity(config, "", "", {}), {{"PATH", "/p"}});
    EXPECT_EQ(request.arguments, (std::vector<std::string>{"get", "--x=1"}));
    EXPECT_EQ(request.environment.at("A"), "b");
    EXPECT_EQ(request.environment.at("PATH"), "/p");
    const json cluster = json::parse(request.environment.at("KUBERNETES_EXEC_INFO"))["spec"]["cluster"];
    EXPECT_EQ(cluster["server"], "https://h:6443");
    EXPECT_EQ(cluster["tls-server-name"], "other");
    EXPECT_EQ(cluster["insecure-skip-tls-verify"], true);
    EXPECT_EQ(cluster["config"], (json{{"audience", "me"}, {"n", 5}, {"on", true}}));
}

TEST(ExecPlugin, answers_are_checked_and_its_words_are_shown) {
    const auto identity = *resolveIdentity(
        execConfig(std::string("command: p, installHint: get it there, apiVersion: ") + kV1beta1), "", "", {});
    const auto answer = [&](const std::string& output, int exitCode = 0, const std::string& words = "") {
        return execAnswer(identity, guard::ProcessResult{exitCode, false, output, words});
    };
    const auto credential = [](const json& status, const char* version = kV1beta1) {
        return json({{"apiVersion", version}, {"kind", "ExecCredential"}, {"status", status}}).dump();
    };
    const auto good = answer(credential({{"token", "T"}, {"expirationTimestamp", "2030-01-01T00:00:00Z"}}));
    ASSERT_TRUE(good) << good.error().text();
    EXPECT_EQ(good->token->reveal(), "T");
    EXPECT_EQ(guard::formatRfc3339(*good->expires), "2030-01-01T00:00:00Z");
    const auto failed = answer("TOKEN-IN-OUTPUT", 1, "session expired\nrun: sso login\n");
    ASSERT_FALSE(failed);
    EXPECT_EQ(failed.error().code, ErrorCode::NeedsLogin);
    EXPECT_THAT(failed.error().text(),
                HasSubstr("user entry \"u\" in config: the credential plugin \"p\" failed (exit code 1)"));
    EXPECT_THAT(failed.error().text(), HasSubstr("session expired\nrun: sso login"));
    EXPECT_THAT(failed.error().text(), Not(HasSubstr("TOKEN-IN-OUTPUT")));
    EXPECT_THAT(answer(credential({{"token", "T"}}, kV1)).error().text(), HasSubstr("was asked for"));
    EXPECT_THAT(answer("not json").error().text(), HasSubstr("did not print an ExecCredential"));
    EXPECT_THAT(answer(json({{"apiVersion", kV1beta1}, {"kind", "ExecCredential"}}).dump()).error().text(),
                HasSubstr("gave no credentials"));
    EXPECT_THAT(answer(credential(json::object())).error().text(), HasSubstr("neither a token nor a certificate"));
    EXPECT_THAT(answer(credential({{"token", 7}, {"clientKeyData", "k"}})).error().text(),
                HasSubstr("without its certificate"));
    EXPECT_THAT(answer(credential({{"clientCertificateData", "c"}, {"clientKeyData", "k"}})).error().text(),
                HasSubstr("is not PEM"));
    EXPECT_THAT(answer(credential({{"token", "T"}, {"expirationTimestamp", "soon"}})).error().text(),
                HasSubstr("not a time"));
    EXPECT_THAT(execAnswer(identity, guard::fail(ErrorCode::NotFound, "p", "not found in PATH")).error().text(),
                HasSubstr("was not found: not found in PATH. get it there"));
    EXPECT_THAT(execAnswer(identity, guard::fail(ErrorCode::Timeout, "p", "x")).error().text(),
                HasSubstr("was stopped"));
}

/// Asks on the I/O thread and waits.
struct Asking {
    std::shared_ptr<http::IoThread> io = std::make_shared<http::IoThread>("test");
    std::shared_ptr<guard::ManualClock> clock = std::make_shared<guard::ManualClock>();
    std::unique_ptr<Credentials> credentials;

    ~Asking() {
        io->run([this] { credentials.reset(); });
    }
    guard::Result<void> make(const Kubeconfig& config) {
        auto identity = resolveIdentity(config, "", "", {});
        if (!identity) {
            return tl::unexpected(identity.error());
        }
        auto made = makeCredentials(*identity, CredentialPorts{io, clock, makeProcessRunner(), {}});
        if (!made) {
            return tl::unexpected(made.error());
        }
        credentials = std::move(*made);
        return {};
    }
    std::string header() {
        std::promise<std::string> promise;
        io->post([&] {
            credentials->get([&](const guard::Result<Authentication>& result) {
                promise.set_value(!result                 ? result.error().text()
                                  : result->authorization ? result->authorization->reveal()
                                                          : "none");
            });
        });
        return promise.get_future().get();
    }
    void refused() {
        std::promise<void> promise;
        io->post([&] { credentials->refresh([&](const guard::Result<void>&) { promise.set_value(); }); });
        promise.get_future().get();
    }
};

TEST(Credentials, C08_a_token_file_rotates_and_outlives_its_deletion) {
    const test::Folder folder;
    folder.write("tok", "T1\n");
    Asking ask;
    const auto config = Kubeconfig::parse("clusters: [{name: c, cluster: {server: 'https://h'}}]\n"
                                          "users: [{name: u, user: {token: OLD, tokenFile: ./tok}}]\n"
                                          "contexts: [{name: x, context: {cluster: c, user: u}}]\ncurrent-context: x\n",
                                          "config", folder.path());
    ASSERT_TRUE(ask.make(*config));
    EXPECT_EQ(ask.header(), "Bearer T1");
    folder.write("tok", "T2\n");
    EXPECT_EQ(ask.header(), "Bearer T1"); // not read for each request
    ask.refused();
    EXPECT_EQ(ask.header(), "Bearer T2"); // at once after a refusal
    folder.write("tok", "T3\r\n");
    ask.clock->advance(1min);
    EXPECT_EQ(ask.header(), "Bearer T3"); // within a minute
    std::filesystem::remove(folder.path("tok"));
    ask.clock->advance(1min);
    EXPECT_EQ(ask.header(), "Bearer T3");
}

TEST(Credentials, C08_a_token_file_that_was_never_there_is_the_entrys_fault) {
    Asking ask;
    const auto made = ask.make(*Kubeconfig::parse("clusters: [{name: c, cluster: {server: 'https://h'}}]\n"
                                                  "users: [{name: u, user: {tokenFile: /nope/tok}}]\n"
                                                  "contexts: [{name: x, context: {cluster: c, user: u}}]\n"
                                                  "current-context: x\n",
                                                  "config", ""));
    ASSERT_FALSE(made);
    EXPECT_EQ(made.error().text(),
              "user entry \"u\" in config: tokenFile /nope/tok: no such file. Put the file there or "
              "correct the path.");
}

TEST(Credentials, basic_and_none) {
    Asking basic;
    ASSERT_TRUE(basic.make(*Kubeconfig::parse("clusters: [{name: c, cluster: {server: 'https://h'}}]\n"
                                              "users: [{name: u, user: {username: me, password: pass}}]\n"
                                              "contexts: [{name: x, context: {cluster: c, user: u}}]\n"
                                              "current-context: x\n",
                                              "config", "")));
    EXPECT_EQ(basic.header(), "Basic bWU6cGFzcw==");
    Asking plain;
    ASSERT_TRUE(plain.make(*Kubeconfig::parse("clusters: [{name: c, cluster: {server: 'http://h'}}]\n"
                                              "users: [{name: u, user: {token: T}}]\n"
                                              "contexts: [{name: x, context: {cluster: c, user: u}}]\n"
                                              "current-context: x\n",
                                              "config", "")));
    EXPECT_EQ(plain.header(), "none"); // nothing over plain http
}

TEST(Credentials, C06_a_plugin_runs_with_closed_input_and_is_asked_again_when_it_expires) {
    const test::Folder folder;
    folder.write("plugin.sh", R"(#!/bin/sh
echo run >> "$(dirname "$0")/runs"
read line && exit 9
n=$(wc -l < "$(dirname "$0")/runs" | tr -d ' ')
echo "{\"apiVersion\":\"client.authentication.k8s.io/v1beta1\",\"kind\":\"ExecCredential\",\"status\":{\"token\":\"T$n\",\"expirationTimestamp\":\"2023-11-14T23:00:00Z\"}}"
)",
                 true);
    Asking ask; // the clock starts at 2023-11-14T22:13:20Z
    ASSERT_TRUE(
        ask.make(*Kubeconfig::parse("clusters: [{name: c, cluster: {server: 'https://h'}}]\n"
                                    "users: [{name: u, user: {exec: {command: ./plugin.sh, apiVersion: "
                                    "client.authentication.k8s.io/v1beta1}}}]\n"
                                    "contexts: [{name: x, context: {cluster: c, user: u}}]\ncurrent-context: x\n",
                                    "config", folder.path())));
    EXPECT_EQ(ask.header(), "Bearer T1");
    EXPECT_EQ(ask.header(), "Bearer T1"); // kept
    ask.refused();
    EXPECT_EQ(ask.header(), "Bearer T1"); // it has just been asked: others that were refused with the old one come late
    ask.clock->advance(1min);
    ask.refused();
    EXPECT_EQ(ask.header(), "Bearer T2");
    ask.clock->advance(2h);
    EXPECT_EQ(ask.header(), "Bearer T3"); // expired
}

TEST(Credentials, a_plugin_that_fails_says_so_and_is_not_run_in_a_loop) {
    const test::Folder folder;
    folder.write("plugin.sh", "#!/bin/sh\necho run >> \"$(dirname \"$0\")/runs\"\necho no session >&2\nexit 4\n", true);
    Asking ask;
    ASSERT_TRUE(
        ask.make(*Kubeconfig::parse("clusters: [{name: c, cluster: {server: 'https://h'}}]\n"
                                    "users: [{name: u, user: {exec: {command: ./plugin.sh, apiVersion: "
                                    "client.authentication.k8s.io/v1beta1}}}]\n"
                                    "contexts: [{name: x, context: {cluster: c, user: u}}]\ncurrent-context: x\n",
                                    "config", folder.path())));
    EXPECT_THAT(ask.header(),
                HasSubstr("failed (exit code 4). Log in with it in a terminal, then try again.\nno session"));
    EXPECT_THAT(ask.header(), HasSubstr("no session"));
    std::ifstream runs(folder.path("runs"));
    const std::string text{std::istreambuf_iterator<char>(runs), {}};
    EXPECT_EQ(text, "run\n");
}

guard::Error answered(int status, const std::string& body, const std::string& type = "application/json") {
    http::ResponseHead head;
    head.status = status;
    head.headers.add("Content-Type", type);
    return errorFromResponse("GET /api/v1/pods", head, body);
}

std::string statusBody(int code, const std::string& reason, const std::string& message, const json& details = json()) {
    json body = {{"kind", "Status"}, {"apiVersion", "v1"}, {"status", "Failure"},
                 {"code", code},     {"reason", reason},   {"message", message}};
    if (!details.is_null()) {
        body["details"] = details;
    }
    return body.dump();
}

TEST(Errors, C80_refusals_keep_their_whole_text_and_are_told_apart) {
    const auto invalid = answered(
        422, statusBody(
                 422, "Invalid", "Deployment is invalid",
                 {{"causes",
                   json::array({{{"reason", "FieldValueInvalid"},
                                 {"field", "spec.selector"},
                                 {"message", "Invalid value: field is immutable"}},
                                {{"reason", "FieldValueRequired"}, {"field", "spec.x"}, {"message", "Required value"}},
                                7})}}));
    EXPECT_EQ(invalid.code, ErrorCode::Invalid);
    ASSERT_EQ(invalid.status->causes.size(), 2U);
    EXPECT_EQ(invalid.status->causes[0].field, "spec.selector");
    EXPECT_EQ(invalid.status->causes[1].message, "Required value");

    const std::string longText =
        "admission webhook \"policy.example.com\" denied the request: " + std::string(6000, 'x') + "\n<b>end</b>";
    for (const int code : {403, 400}) {
        const auto denied = answered(code, statusBody(code, "Forbidden", longText));
        EXPECT_EQ(denied.code, ErrorCode::Denied);
        EXPECT_EQ(denied.status->message, longText);
    }
    EXPECT_EQ(
        answered(403, statusBody(403, "Forbidden", "pods is forbidden: User \"v\" cannot list resource \"pods\"")).code,
        ErrorCode::Forbidden);
    EXPECT_EQ(answered(403, statusBody(403, "Forbidden", "pods \"p\" is forbidden: exceeded quota: q")).code,
              ErrorCode::Denied);
    EXPECT_EQ(
        answered(403, statusBody(403, "Forbidden", "pods \"p\" is forbidden: violates PodSecurity \"restricted\""))
            .code,
        ErrorCode::Denied);
    EXPECT_EQ(
        answered(500, statusBody(500, "InternalError", "failed calling webhook \"x\": context deadline exceeded")).code,
        ErrorCode::ServerError);
    EXPECT_EQ(answered(504, statusBody(504, "Timeout", "Timeout: request did not complete")).code,
              ErrorCode::Unavailable);
    EXPECT_EQ(answered(413, "").code, ErrorCode::TooLarge);
    EXPECT_EQ(answered(409, statusBody(409, "Conflict", "c")).code, ErrorCode::Conflict);
    EXPECT_EQ(answered(404, statusBody(404, "NotFound", "n")).code, ErrorCode::NotFound);
    EXPECT_EQ(answered(401, statusBody(401, "Unauthorized", "Unauthorized")).code, ErrorCode::NeedsLogin);
}

TEST(Errors, gone_throttled_plain_and_web_pages) {
    json gone = json::parse(statusBody(410, "Expired", "too old"));
    gone["metadata"] = {{"continue", "tok"}};
    EXPECT_EQ(answered(410, gone.dump()).code, ErrorCode::Gone);
    EXPECT_EQ(answered(410, gone.dump()).status->continueToken, "tok");
    const auto throttled = answered(429, statusBody(429, "TooManyRequests", "slow down", {{"retryAfterSeconds", 7}}));
    EXPECT_EQ(throttled.code, ErrorCode::Throttled);
    EXPECT_EQ(throttled.status->retryAfterSeconds, 7);
    http::ResponseHead head;
    head.status = 429;
    head.headers.add("Retry-After", "3");
    EXPECT_EQ(errorFromResponse("w", head, "").status->retryAfterSeconds, 3);
    const auto plain = answered(503, "service unavailable\n", "text/plain");
    EXPECT_EQ(plain.code, ErrorCode::Unavailable);
    EXPECT_EQ(plain.detail, "service unavailable"); // C18: as it is
    const auto page = answered(502, "<html><script>alert(1)</script>Bad Gateway</html>", "text/html");
    EXPECT_EQ(page.code, ErrorCode::Unavailable);
    EXPECT_THAT(page.detail, HasSubstr("a web page (HTML), not the Kubernetes API"));
    EXPECT_THAT(page.detail, Not(HasSubstr("script")));
    EXPECT_EQ(answered(404, " <!doctype html>", "text/plain").code, ErrorCode::Protocol);
    head = {};
    head.status = 302;
    head.headers.add("Location", "https://login.example/");
    EXPECT_THAT(errorFromResponse("w", head, "").detail, HasSubstr("redirects to https://login.example/"));
    for (const char* odd :
         {"{\"kind\":\"Status\",\"code\":\"x\",\"details\":7,\"metadata\":[]}", "[]", "null", "{", "\xff\xfe"}) {
        EXPECT_EQ(answered(500, odd).code, ErrorCode::ServerError);
    }
}

} // namespace
} // namespace alidade::cluster
