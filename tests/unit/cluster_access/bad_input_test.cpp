// SPDX-License-Identifier: GPL-3.0-or-later
// What is wrong at the other end, or in a file, comes out as one sentence that names the entry and the way out.
#include "files.hpp"
#include "harness.hpp"

#include <gmock/gmock.h>

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

namespace alidade::cluster::test {
namespace {

using guard::ErrorCode;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using namespace std::chrono_literals;

constexpr const char* kCluster = "(cluster entry \"prod-cluster\" in ~/.kube/config)";
constexpr const char* kUser = "user entry \"admin\" in ~/.kube/config";

Api::Answer status(int code, const std::string& reason, const std::string& message) {
    return {code, nlohmann::json({{"kind", "Status"}, {"code", code}, {"reason", reason}, {"message", message}}).dump(),
            "application/json"};
}

/// A port that nobody listens on.
int closedPort() {
    const int fd = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    EXPECT_EQ(::bind(fd, reinterpret_cast<sockaddr*>(&address), size), 0);
    EXPECT_EQ(::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size), 0);
    ::close(fd);
    return ntohs(address.sin_port);
}

http::ServerOptions withCertificate(const http::SelfMadeTlsOptions& options, std::string* ca = nullptr) {
    const auto tls = http::makeSelfMadeTls(options).value();
    http::ServerOptions server;
    server.certPem = tls.certPem;
    server.keyPem = tls.keyPem;
    if (ca != nullptr) {
        *ca = tls.caPem;
    }
    return server;
}

TEST(BadInput, unreachable_server) {
    const std::string url = "https://127.0.0.1:" + std::to_string(closedPort());
    Access access(kubeconfig(url));
    const std::string text = access.podFault();
    EXPECT_EQ(access.code, ErrorCode::Unreachable);
    EXPECT_THAT(text, AllOf(HasSubstr("context prod: cannot reach " + url + " " + kCluster), HasSubstr("refused"),
                            HasSubstr("Check the network or VPN, and the server address.")));
    Access name(kubeconfig("https://no-such-host.invalid:6443"));
    EXPECT_THAT(name.podFault(),
                AllOf(HasSubstr("cannot reach https://no-such-host.invalid:6443"), HasSubstr(kCluster)));
    EXPECT_EQ(name.code, ErrorCode::Unreachable);
}

TEST(BadInput, expired_certificate) {
    std::string ca;
    http::SelfMadeTlsOptions options;
    options.validFromSeconds = -7200;
    options.validForSeconds = 3600;
    const Api api([](const auto&) { return Api::Answer{}; }, withCertificate(options, &ca));
    Access access(kubeconfig(api.url(), "token: T", ca));
    EXPECT_THAT(access.podFault(),
                AllOf(HasSubstr("context prod: no trusted connection to " + api.url() + " " + kCluster),
                      HasSubstr("expired on"), HasSubstr("must be renewed")));
    EXPECT_EQ(access.code, ErrorCode::Tls);
    EXPECT_TRUE(api.asked().empty()); // the token was not sent
}

TEST(BadInput, wrong_authority) {
    const Api api([](const auto&) { return Api::Answer{}; });
    Access access(kubeconfig(api.url(), "token: T", http::makeSelfMadeTls().value().caPem));
    EXPECT_THAT(access.podFault(), AllOf(HasSubstr(kCluster), HasSubstr("not signed by the certificate authority")));
    EXPECT_EQ(access.code, ErrorCode::Tls);
    EXPECT_TRUE(api.asked().empty());
    Access system(kubeconfig(api.url(), "token: T", "")); // the system's authorities do not know it either
    static_cast<void>(system.podFault());
    EXPECT_EQ(system.code, ErrorCode::Tls);
}

TEST(BadInput, a_certificate_for_another_name) {
    std::string ca;
    http::SelfMadeTlsOptions options;
    options.names = {"api.example.com"};
    const Api api([](const auto&) { return Api::Answer{}; }, withCertificate(options, &ca));
    Access access(kubeconfig(api.url(), "token: T", ca));
    EXPECT_THAT(access.podFault(),
                AllOf(HasSubstr(kCluster), HasSubstr("api.example.com"), HasSubstr("tls-server-name")));
    EXPECT_EQ(access.code, ErrorCode::Tls);
    Access named(kubeconfig(api.url(), "token: T", ca, ", tls-server-name: api.example.com"));
    EXPECT_EQ(named.podFault(), "(it worked)");
}

TEST(BadInput, credentials_refused) {
    const Api api([](const auto&) { return status(401, "Unauthorized", "Unauthorized"); });
    Access access(kubeconfig(api.url(), "token: SECRET-TOKEN"));
    const std::string text = access.podFault();
    EXPECT_EQ(access.code, ErrorCode::NeedsLogin);
    EXPECT_THAT(text,
                AllOf(HasSubstr("context prod"), HasSubstr(std::string("does not accept the credentials of ") + kUser),
                      HasSubstr("Log in again"), Not(HasSubstr("SECRET-TOKEN"))));
    EXPECT_EQ(api.asked().size(), 2U); // renewed once, asked once more, and no further
}

TEST(BadInput, forbidden) {
    const Api api([](const auto&) {
        return status(403, "Forbidden",
                      "pods \"web\" is forbidden: User \"v\" cannot get resource \"pods\" in API group \"\" in the "
                      "namespace \"shop\"");
    });
    Access access(kubeconfig(api.url()));
    EXPECT_THAT(access.podFault(), AllOf(HasSubstr("User \"v\" cannot get resource \"pods\""), HasSubstr(kUser),
                                         HasSubstr("Ask a cluster administrator")));
    EXPECT_EQ(access.code, ErrorCode::Forbidden);
}

TEST(BadInput, a_web_page_instead_of_the_api) {
    for (const int code : {200, 404, 403}) {
        const Api api([code](const auto&) {
            return Api::Answer{code, "<html><body>Log in</body></html>", "text/html; charset=utf-8"};
        });
        Access access(kubeconfig(api.url()));
        EXPECT_THAT(access.podFault(), AllOf(HasSubstr("a web page (HTML), not the Kubernetes API"),
                                             HasSubstr("cluster entry \"prod-cluster\" in ~/.kube/config"),
                                             HasSubstr("login page or proxy"), Not(HasSubstr("<html"))));
        EXPECT_EQ(access.code, ErrorCode::Protocol);
    }
    const Api redirect([](const auto&) { return Api::Answer{302, "", "text/plain"}; });
    Access access(kubeconfig(redirect.url()));
    EXPECT_THAT(access.podFault(), HasSubstr("redirects are not followed"));
}

TEST(BadInput, a_truncated_answer) {
    const Api api(http::RequestHandler([](const http::ServerRequest&, const std::shared_ptr<http::Responder>& answer) {
                      answer->writeRaw(
                          "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{\"kind\":");
                      answer->finish();
                  }),
                  Api::options());
    Access access(kubeconfig(api.url()));
    EXPECT_THAT(access.podFault(), AllOf(HasSubstr("context prod: broken answer from " + api.url() + " " + kCluster),
                                         HasSubstr("Check that the server address leads to a Kubernetes API server")));
    EXPECT_EQ(access.code, ErrorCode::ConnectionLost);
    const Api half([](const auto&) { return Api::Answer{200, "{\"kind\":\"Pod\",", "application/json"}; });
    Access json(kubeconfig(half.url()));
    EXPECT_THAT(json.podFault(), HasSubstr("not a JSON object"));
    EXPECT_EQ(json.code, ErrorCode::Protocol);
    const Api noise(
        http::RequestHandler([](const http::ServerRequest&, const std::shared_ptr<http::Responder>& answer) {
            answer->writeRaw("SSH-2.0-OpenSSH_9.2\r\n");
            answer->finish();
        }),
        Api::options());
    Access other(kubeconfig(noise.url()));
    EXPECT_THAT(other.podFault(), HasSubstr("broken answer from"));
}

TEST(BadInput, a_server_that_never_answers) {
    auto kept = std::make_shared<std::vector<std::shared_ptr<http::Responder>>>();
    const Api api(
        http::RequestHandler([kept](const http::ServerRequest&, const std::shared_ptr<http::Responder>& answer) {
            kept->push_back(answer);
        }),
        Api::options());
    http::ClientLimits limits;
    limits.headTimeout = 300ms;
    Access access(kubeconfig(api.url()), "", limits);
    EXPECT_THAT(access.podFault(), AllOf(HasSubstr("context prod: no answer from " + api.url() + " " + kCluster),
                                         HasSubstr("did not answer within"), HasSubstr("VPN")));
    EXPECT_EQ(access.code, ErrorCode::Timeout);
}

TEST(BadInput, a_server_that_speaks_no_tls) {
    http::ServerOptions options;
    const Api api([](const auto&) { return Api::Answer{}; }, options);
    Access access(kubeconfig(api.url()));
    EXPECT_THAT(access.podFault(), HasSubstr(kCluster));
    EXPECT_NE(access.code, ErrorCode::Internal);
}

TEST(BadInput, a_kubeconfig_that_is_empty_malformed_or_names_a_missing_file) {
    Access empty("");
    EXPECT_THAT(empty.podFault(), HasSubstr("~/.kube/config: there is no context here."));
    Access malformed("clusters: [{name: a\nusers: }");
    EXPECT_THAT(malformed.podFault(), HasSubstr("~/.kube/config, line 2: not valid YAML"));
    Access missing(kubeconfig("https://127.0.0.1:1", "client-certificate: gone.crt, client-key: gone.key"), "/nope");
    EXPECT_THAT(missing.podFault(),
                HasSubstr(std::string(kUser) + ": client-certificate /nope/gone.crt: no such file."));
}

} // namespace
} // namespace alidade::cluster::test
