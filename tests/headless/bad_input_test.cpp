// SPDX-License-Identifier: GPL-3.0-or-later
// Whatever is wrong at the other end or in a file, the person on call reads one message: what happened, where, and the
// way out. No other cluster is taken instead, nothing of a credential is printed, and it ends.
#include <chrono>

#include <gmock/gmock.h>

#include "harness.hpp"
#include "program.hpp"
#include "sockets.hpp"

namespace alidade::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;
namespace http = alidade::http;

constexpr const char* kToken = "SEKRET-TOKEN-0815";

http::RequestHandler answering(int status, const std::string& type, const std::string& body,
                               const std::string& location = "") {
    return [=](const http::ServerRequest&, const std::shared_ptr<http::Responder>& answer) {
        http::Headers headers;
        headers.add("Content-Type", type);
        if (!location.empty()) {
            headers.add("Location", location);
        }
        answer->send(status, std::move(headers), body);
    };
}

std::string status(int code, const std::string& reason, const std::string& message) {
    return R"({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":")" + message +
           R"(","reason":")" + reason + R"(","code":)" + std::to_string(code) + "}";
}

class BadInput : public Alidadectl {
protected:
    std::string path(const std::string& name) const { return (home_ / name).string(); }
    void write(const std::string& name, const std::string& text) const {
        std::ofstream(home_ / name, std::ios::binary) << text;
    }
    /// Context "prod" with cluster entry "prod-cluster" and user entry "admin".
    void writeConfig(const std::string& url, const std::string& user = std::string("token: ") + kToken,
                     const std::string& ca = http::test::sharedTls().caPem) const {
        write("ca.crt", ca);
        write("config", config(url, user));
    }
    static std::string config(const std::string& url, const std::string& user,
                              const std::string& context = "cluster: prod-cluster, user: admin",
                              const std::string& rest = "current-context: prod\n") {
        return "apiVersion: v1\nkind: Config\n"
               "clusters:\n- name: prod-cluster\n  cluster: {server: \"" +
               url + "\", certificate-authority: ca.crt}\n" + "users:\n- name: admin\n  user: {" + user + "}\n" +
               "contexts:\n- name: prod\n  context: {" + context + "}\n" + rest;
    }
    static std::string url(int port) { return "https://127.0.0.1:" + std::to_string(port); }

    /// One message, exit code 1, nothing that looks like a result, no noise of a library, no credential.
    std::string fault(const std::vector<std::string>& words) const {
        const Outcome outcome = run(words);
        EXPECT_EQ(outcome.exitCode, 1) << outcome.out << outcome.err;
        EXPECT_EQ(outcome.out, "");
        EXPECT_THAT(outcome.err, AllOf(StartsWith("alidadectl: "), Not(HasSubstr(kToken)), Not(HasSubstr("qt."))));
        return outcome.err;
    }
    std::string fault() const { return fault({"triage", "--kubeconfig", path("config")}); }
    std::string cluster() const { return "(cluster entry \"prod-cluster\" in ~/config)"; }
    std::string user() const { return "user entry \"admin\" in ~/config"; }
};

TEST_F(BadInput, UnreachableServer) {
    int closed = 0;
    {
        const http::test::SilentListener listener;
        closed = listener.port();
    }
    writeConfig(url(closed));
    EXPECT_THAT(fault(), AllOf(HasSubstr("context prod: cannot reach " + url(closed) + " " + cluster()),
                               HasSubstr("connection refused"), HasSubstr("Check the network or VPN")));
    writeConfig("https://no-such-host.invalid:6443");
    EXPECT_THAT(fault(), AllOf(HasSubstr("no-such-host.invalid"), HasSubstr(cluster()),
                               HasSubstr("Check the network or VPN, and the server address")));
}

TEST_F(BadInput, ExpiredCertificate) {
    http::SelfMadeTlsOptions old;
    old.validFromSeconds = -7200;
    old.validForSeconds = 3600;
    const auto tls = http::makeSelfMadeTls(old).value();
    http::ServerOptions options;
    options.certPem = tls.certPem;
    options.keyPem = tls.keyPem;
    const http::test::TestServer server(answering(200, "application/json", "{}"), options, true);
    writeConfig(url(server.port()), std::string("token: ") + kToken, tls.caPem);
    EXPECT_THAT(fault(), AllOf(HasSubstr("no trusted connection to " + url(server.port()) + " " + cluster()),
                               HasSubstr("expired on 20"), HasSubstr("must be renewed")));
}

TEST_F(BadInput, WrongAuthority) {
    const http::test::TestServer server(answering(200, "application/json", "{}"), {}, true);
    writeConfig(url(server.port()), std::string("token: ") + kToken, http::makeSelfMadeTls().value().caPem);
    EXPECT_THAT(fault(), AllOf(HasSubstr(cluster()), HasSubstr("not signed by the certificate authority"),
                               HasSubstr("get a new kubeconfig, or correct certificate-authority")));
}

TEST_F(BadInput, CredentialsRefused) {
    const http::test::TestServer server(answering(401, "application/json", status(401, "Unauthorized", "Unauthorized")),
                                        {}, true);
    writeConfig(url(server.port()));
    EXPECT_THAT(fault(), AllOf(HasSubstr("context prod"), HasSubstr("does not accept the credentials of " + user()),
                               HasSubstr("Log in again, or get a new kubeconfig")));
}

TEST_F(BadInput, ForbiddenIsSaidOnceAndIsNoHealth) {
    const http::test::TestServer server(
        answering(403, "application/json",
                  status(403, "Forbidden", "forbidden: User \\\"eve\\\" cannot list anything here")),
        {}, true);
    writeConfig(url(server.port()));
    const Outcome outcome = run({"triage", "--kubeconfig", path("config")});
    EXPECT_EQ(outcome.exitCode, 5) << outcome.out << outcome.err;
    EXPECT_EQ(outcome.err, "");
    EXPECT_THAT(outcome.out, AllOf(HasSubstr("Nothing could be read of context prod, namespace default: forbidden"),
                                   HasSubstr("User \"eve\" cannot list"), HasSubstr(user()),
                                   HasSubstr("Ask a cluster administrator"), HasSubstr("pods in default"),
                                   Not(HasSubstr("Nothing wrong")), Not(HasSubstr(kToken))));
}

TEST_F(BadInput, AWebPageInsteadOfTheApi) {
    for (const int code : {200, 403, 404}) {
        const http::test::TestServer server(answering(code, "text/html", "<html><body>Sign in</body></html>"), {},
                                            true);
        writeConfig(url(server.port()));
        EXPECT_THAT(fault(), AllOf(HasSubstr("a web page (HTML), not the Kubernetes API"),
                                   HasSubstr("cluster entry \"prod-cluster\" in ~/config"),
                                   HasSubstr("login page or proxy"), Not(HasSubstr("Sign in"))));
    }
    const http::test::TestServer redirect(answering(302, "text/plain", "", "https://sso.example.com/login"), {}, true);
    writeConfig(url(redirect.port()));
    EXPECT_THAT(fault(), AllOf(HasSubstr("redirects to https://sso.example.com/login"), HasSubstr("not followed"),
                               HasSubstr("cluster entry \"prod-cluster\" in ~/config")));
}

TEST_F(BadInput, AnswersThatAreCutOrAreNoAnswer) {
    const http::test::TestServer cut(
        http::test::rawAnswer("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{\"git"),
        {}, true);
    writeConfig(url(cut.port()));
    EXPECT_THAT(fault(), AllOf(HasSubstr("broken answer from " + url(cut.port()) + " " + cluster()),
                               HasSubstr("before the answer's end"), HasSubstr("Check that the server address")));
    const http::test::TestServer noise(http::test::rawAnswer("SSH-2.0-OpenSSH_9.2\r\n"), {}, true);
    writeConfig(url(noise.port()));
    EXPECT_THAT(fault(), AllOf(HasSubstr("it begins with 'SSH-2.0"), HasSubstr(cluster())));
    const http::test::TestServer half(answering(200, "application/json", "{\"gitVersion\": nope"), {}, true);
    writeConfig(url(half.port()));
    EXPECT_THAT(fault(), AllOf(HasSubstr("not a JSON object"), HasSubstr("cluster entry \"prod-cluster\" in ~/config"),
                               HasSubstr("Check the server address")));
    const http::test::TestServer plain(answering(200, "application/json", "{}"));
    writeConfig(url(plain.port()));
    EXPECT_THAT(fault(), AllOf(HasSubstr("does not speak TLS; check the address and port"), HasSubstr(cluster())));
    const http::test::TestServer gateway(answering(503, "text/plain", "no healthy upstream\n"), {}, true);
    writeConfig(url(gateway.port()));
    EXPECT_THAT(fault(),
                AllOf(HasSubstr("no healthy upstream"), HasSubstr("cluster entry \"prod-cluster\" in ~/config"),
                      HasSubstr("a load balancer without an API server behind it")));
}

TEST_F(BadInput, AServerThatNeverAnswersIsGivenUp) {
    const http::test::TestServer server(http::test::rawAnswer("", http::test::Then::Stay), {}, true);
    const http::test::SilentListener silent;
    writeConfig(url(server.port()));
    const auto before = std::chrono::steady_clock::now();
    EXPECT_THAT(fault(), AllOf(HasSubstr("no answer from " + url(server.port()) + " " + cluster()),
                               HasSubstr("accepted the request and did not answer within 10 s"),
                               HasSubstr("Check the network or VPN")));
    writeConfig(url(silent.port()));
    EXPECT_THAT(fault(), AllOf(HasSubstr("no answer from " + url(silent.port()) + " " + cluster()),
                               HasSubstr("does not complete the TLS handshake within 10 s")));
    EXPECT_LT(std::chrono::steady_clock::now() - before, std::chrono::seconds(60));
}

TEST_F(BadInput, AKubeconfigThatIsMissingEmptyOrMalformedNeverBecomesAnotherCluster) {
    EXPECT_THAT(fault(), AllOf(HasSubstr("~/config: no such file."), HasSubstr("--kubeconfig or KUBECONFIG"),
                               HasSubstr("--demo")));
    const std::vector<std::pair<std::string, std::string>> texts{
        {"", "there is no context here"},
        {"{}", "there is no context here"},
        {"clusters: [{name: a\nusers: }\n", "~/config, line 2: not valid YAML"},
        {"apiVersion: v1\nclusters:\n\t- name: x\n", "~/config, line 3: not valid YAML"},
        {std::string("\x7f"
                     "ELF\0\0",
                     6),
         "~/config: this is not a text file"},
        {"hello\n", "~/config: this is not a kubeconfig"},
        {"kind: Deployment\nspec: {}\n", "its kind is \"Deployment\""},
        {"clusters:\n- name: 12345\n  cluster: {}\n",
         "~/config, line 2: clusters[0].name is read by YAML as a number"}};
    for (const auto& [text, words] : texts) {
        write("config", text);
        EXPECT_THAT(fault(), AllOf(HasSubstr("~/config"), HasSubstr(words), HasSubstr("KUBECONFIG"))) << text;
    }
    fs::remove(home_ / "config");
    fs::create_directory(home_ / "config");
    EXPECT_THAT(fault(), AllOf(HasSubstr("~/config: this is a folder"), HasSubstr("KUBECONFIG")));
    // The usual place, named by nobody: a fault there is told as well, and with nothing there the embedded cluster's
    // incident is not passed off as an answer.
    EXPECT_THAT(fault({"triage"}), AllOf(HasSubstr("~/.kube/config: no such file"), HasSubstr("--demo")));
    fs::create_directory(home_ / ".kube");
    write(".kube/config", "clusters: [");
    EXPECT_THAT(fault({"triage"}), AllOf(HasSubstr("~/.kube/config, line"), HasSubstr("not valid YAML")));
}

TEST_F(BadInput, FilesAndEntriesThatAreNotThere) {
    write("ca.crt", http::test::sharedTls().caPem);
    const std::string server = "https://127.0.0.1:9";
    const std::vector<std::pair<std::string, std::string>> users{
        {"client-certificate: gone.crt, client-key: gone.key",
         "client-certificate " + path("gone.crt") + ": no such file"},
        {"client-certificate: ca.crt", "a client certificate is set but no client key"},
        {"tokenFile: gone-token", "tokenFile " + path("gone-token") + ": no such file"},
        {"exec: {apiVersion: client.authentication.k8s.io/v1, command: no-such-plugin, interactiveMode: Never, "
         "installHint: Get it from the intranet.}",
         "the credential plugin \"no-such-plugin\" was not found"},
        {"exec: {apiVersion: client.authentication.k8s.io/v1, command: cat}", "interactiveMode must be set"}};
    for (const auto& [entry, words] : users) {
        write("config", config(server, entry));
        EXPECT_THAT(fault(), AllOf(HasSubstr(user()), HasSubstr(words))) << entry;
    }
    const std::string token = std::string("token: ") + kToken;
    write("config", config(server, token, "cluster: nope, user: admin"));
    EXPECT_THAT(fault(), AllOf(HasSubstr("context \"prod\" in ~/config"), HasSubstr("cluster \"nope\" is in none")));
    write("config", config(server, token, "cluster: prod-cluster, user: nobody"));
    EXPECT_THAT(fault(), AllOf(HasSubstr("context \"prod\" in ~/config"), HasSubstr("user \"nobody\" is in none")));
    write("config", config("", token));
    EXPECT_THAT(fault(), AllOf(HasSubstr("cluster entry \"prod-cluster\" in ~/config"), HasSubstr("no server is set"),
                               HasSubstr("kubectl config set-cluster")));
    write("config", config("htps://h", token));
    EXPECT_THAT(fault(), HasSubstr("\"htps://h\" is not an http or https URL"));
    fs::remove(home_ / "ca.crt");
    write("config", config(server, token));
    EXPECT_THAT(fault(), AllOf(HasSubstr("cluster entry \"prod-cluster\" in ~/config"),
                               HasSubstr("certificate-authority " + path("ca.crt") + ": no such file. Put the file")));
}

TEST_F(BadInput, NoContextIsGuessed) {
    write("ca.crt", http::test::sharedTls().caPem);
    const std::string token = std::string("token: ") + kToken;
    const std::string entries = "cluster: prod-cluster, user: admin";
    write("config", config("https://127.0.0.1:9", token, entries, ""));
    EXPECT_THAT(fault(),
                AllOf(HasSubstr("~/config: no current context is set"), HasSubstr("--context"), HasSubstr("\"prod\"")));
    write("config", config("https://127.0.0.1:9", token, entries, "current-context: staging\n"));
    EXPECT_THAT(fault(), AllOf(HasSubstr("~/config: current-context names \"staging\", which is not here"),
                               HasSubstr("--context"), HasSubstr("\"prod\"")));
    EXPECT_THAT(fault({"triage", "--kubeconfig", path("config"), "--context", "prdo"}),
                AllOf(HasSubstr("there is no context \"prdo\""), HasSubstr("\"prod\"")));
}

TEST_F(BadInput, AListOfFilesTellsWhatItLeftOut) {
    write("ca.crt", http::test::sharedTls().caPem);
    write("good", config("https://127.0.0.1:9", std::string("token: ") + kToken));
    write("broken", "clusters: [");
    kubeconfigVariable_ = path("broken") + ":" + path("gone") + ":" + path("good");
    const Outcome outcome = run({"triage"});
    EXPECT_EQ(outcome.exitCode, 1);
    EXPECT_THAT(outcome.err, AllOf(HasSubstr("left out of the kubeconfig: ~/broken, line"),
                                   HasSubstr("left out of the kubeconfig: ~/gone: no such file"),
                                   HasSubstr("context prod: cannot reach https://127.0.0.1:9")));
}

} // namespace
} // namespace alidade::test
