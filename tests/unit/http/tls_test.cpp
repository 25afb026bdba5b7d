// SPDX-License-Identifier: GPL-3.0-or-later
// TLS faults end in messages that name the endpoint, the cause and the way out; keys of every common form load.
#include "harness.hpp"
#include "keys.hpp"

namespace alidade::http::test {
namespace {

RequestHandler hello() {
    return [](const ServerRequest& got, const std::shared_ptr<Responder>& answer) {
        answer->send(200, {}, "hello " + got.clientCertificateCommonName);
    };
}

Outcome meet(const SelfMadeTls& serverTls, Endpoint endpoint, ServerOptions options = {}) {
    options.certPem = serverTls.certPem;
    options.keyPem = serverTls.keyPem;
    TestServer server(hello(), options);
    endpoint.port = server.port();
    TestClient client(endpoint);
    return client.get("/");
}

void expectTls(const Outcome& outcome, const std::vector<std::string>& words) {
    EXPECT_EQ(outcome.code(), ErrorCode::Tls);
    EXPECT_FALSE(outcome.sent);
    ASSERT_FALSE(outcome.result);
    EXPECT_EQ(outcome.result.error().where, "context 'test'");
    for (const auto& word : words) {
        EXPECT_NE(outcome.detail().find(word), std::string::npos) << "'" << word << "' in: " << outcome.detail();
    }
}

TEST(HttpTls, AnExpiredCertificateIsNamedAsThat) {
    SelfMadeTlsOptions options;
    options.validFromSeconds = -7200;
    options.validForSeconds = 3600;
    const auto expired = makeSelfMadeTls(options).value();
    Endpoint endpoint = TestClient::secure(1);
    endpoint.caPem = expired.caPem;
    expectTls(meet(expired, endpoint), {"'localhost' expired on 20", "renewed"});
    options.validFromSeconds = 3600;
    const auto early = makeSelfMadeTls(options).value();
    endpoint.caPem = early.caPem;
    expectTls(meet(early, endpoint), {"valid only from"});
}

TEST(HttpTls, AnotherAuthoritysCertificateIsRefused) {
    const auto other = makeSelfMadeTls().value();
    expectTls(meet(other, TestClient::secure(1)), {"not signed by the certificate authority", "issued by 'alidade"});
}

TEST(HttpTls, TheSystemsAuthoritiesCountOnlyWithoutOneOfOurs) {
    Endpoint endpoint = TestClient::secure(1);
    endpoint.caPem.clear();
    expectTls(meet(sharedTls(), endpoint), {"not signed by the certificate authority"});
}

TEST(HttpTls, ANameThatTheCertificateDoesNotHaveIsRefusedAndTheRightOnesAreListed) {
    SelfMadeTlsOptions options;
    options.names = {"kubernetes.test", "10.1.2.3"};
    const auto tls = makeSelfMadeTls(options).value();
    Endpoint endpoint = TestClient::secure(1);
    endpoint.caPem = tls.caPem;
    expectTls(meet(tls, endpoint), {"not for '127.0.0.1'", "10.1.2.3, kubernetes.test", "tls-server-name"});
    endpoint.tlsServerName = "kubernetes.test";
    const auto named = meet(tls, endpoint);
    EXPECT_TRUE(named.result) << named.detail();
    endpoint.tlsServerName = "wrong.test";
    expectTls(meet(tls, endpoint), {"not for 'wrong.test'"});
}

TEST(HttpTls, VerificationIsSkippedOnlyWhenAskedFor) {
    Endpoint endpoint = TestClient::secure(1);
    endpoint.insecureSkipVerify = true;
    endpoint.caPem.clear();
    EXPECT_TRUE(meet(makeSelfMadeTls().value(), endpoint).result);
}

TEST(HttpTls, AMissingClientCertificateIsNamedAsALikelyCause) {
    ServerOptions options;
    options.clientCaPem = sharedTls().caPem;
    options.requireClientCertificate = true;
    const auto missing = meet(sharedTls(), TestClient::secure(1), options);
    ASSERT_FALSE(missing.result);
    EXPECT_TRUE(missing.code() == ErrorCode::Tls || missing.code() == ErrorCode::ConnectionLost);
    EXPECT_NE(missing.detail().find("requires a client certificate"), std::string::npos) << missing.detail();
    EXPECT_NE(missing.detail().find("none is configured"), std::string::npos) << missing.detail();

    Endpoint alice = TestClient::secure(1);
    alice.clientCertPem = sharedTls().clientCertPem;
    alice.clientKeyPem = sharedTls().clientKeyPem;
    const auto present = meet(sharedTls(), alice, options);
    ASSERT_TRUE(present.result) << present.detail();
    EXPECT_EQ(present.response().body, "hello alice");
}

TEST(HttpTls, AClientCertificateOfAnotherAuthorityHasNoName) {
    SelfMadeTlsOptions made;
    made.clientCommonName = "alice";
    const auto other = makeSelfMadeTls(made).value();
    Endpoint endpoint = TestClient::secure(1);
    endpoint.clientCertPem = other.clientCertPem;
    endpoint.clientKeyPem = other.clientKeyPem;
    ServerOptions options;
    options.clientCaPem = sharedTls().caPem;
    const auto outcome = meet(sharedTls(), endpoint, options);
    if (outcome.result) {
        EXPECT_EQ(outcome.response().body, "hello ");
    }
    options.requireClientCertificate = true;
    EXPECT_FALSE(meet(sharedTls(), endpoint, options).result);
}

TEST(HttpTls, APlainServerOnATlsPortIsNamed) {
    TestServer server(rawAnswer("HTTP/1.1 400 Bad Request\r\n\r\n"));
    TestClient client(TestClient::secure(server.port()));
    expectTls(client.get("/"), {"does not speak TLS", "http://"});
}

TEST(HttpTls, ATlsServerOnAPlainPortEndsInAnError) {
    TestServer server(hello(), {}, true);
    TestClient client(TestClient::plain(server.port()));
    const auto outcome = client.get("/");
    EXPECT_TRUE(outcome.code() == ErrorCode::Protocol || outcome.code() == ErrorCode::ConnectionLost)
        << outcome.detail();
    // A server that answers with an alert is recognised.
    TestServer alert(rawAnswer(std::string("\x15\x03\x01\x00\x02\x02\x46", 7)));
    TestClient second(TestClient::plain(alert.port()));
    EXPECT_NE(second.get("/").detail().find("https://"), std::string::npos);
}

class KeyForm : public ::testing::TestWithParam<const char*> {};

TEST_P(KeyForm, Loads) {
    const auto pair = makePair(GetParam());
    Endpoint endpoint = TestClient::secure(1);
    endpoint.clientCertPem = pair.certPem;
    endpoint.clientKeyPem = secret(pair.keyPem);
    ServerOptions options;
    options.clientCaPem = pair.certPem; // self-signed: its own authority
    options.requireClientCertificate = true;
    const auto outcome = meet(sharedTls(), endpoint, options);
    ASSERT_TRUE(outcome.result) << outcome.detail();
    EXPECT_EQ(outcome.response().body, "hello bob");
}

INSTANTIATE_TEST_SUITE_P(Http, KeyForm,
                         ::testing::Values("rsa-pkcs1", "rsa-pkcs8", "ec-sec1", "ec-sec1-params", "ec-pkcs8"));

Outcome withKey(const std::string& certPem, const std::string& keyPem) {
    Endpoint endpoint = TestClient::secure(1);
    endpoint.clientCertPem = certPem;
    endpoint.clientKeyPem = secret(keyPem);
    TestClient client(endpoint);
    return client.get("/");
}

TEST(HttpTls, KeysThatCannotBeUsedAreNamedAndNothingIsSent) {
    const auto ed = makePair("ed25519");
    const auto edwards = withKey(ed.certPem, ed.keyPem);
    EXPECT_EQ(edwards.code(), ErrorCode::Unsupported);
    EXPECT_NE(edwards.detail().find("Ed25519"), std::string::npos);

    for (const char* form : {"rsa-encrypted-pkcs8", "rsa-encrypted-traditional"}) {
        const auto locked = makePair(form);
        const auto outcome = withKey(locked.certPem, locked.keyPem);
        EXPECT_EQ(outcome.code(), ErrorCode::Unsupported);
        EXPECT_NE(outcome.detail().find("encrypted"), std::string::npos) << outcome.detail();
    }
    const auto one = makePair("ec-pkcs8");
    const auto two = makePair("ec-pkcs8");
    EXPECT_NE(withKey(one.certPem, two.keyPem).detail().find("does not belong"), std::string::npos);
    for (const auto& [cert, key] : std::vector<std::pair<std::string, std::string>>{
             {one.certPem, "garbage"}, {"garbage", one.keyPem}, {one.certPem, ""}, {"", one.keyPem}}) {
        const auto outcome = withKey(cert, key);
        EXPECT_EQ(outcome.code(), ErrorCode::Config) << outcome.detail();
        EXPECT_FALSE(outcome.sent);
        EXPECT_EQ(outcome.result.error().where, "context 'test'");
        EXPECT_EQ(outcome.detail().find("BEGIN"), std::string::npos);
    }
}

TEST(HttpTls, AnAuthorityThatIsNoCertificateIsAConfigurationError) {
    Endpoint endpoint = TestClient::secure(1);
    endpoint.caPem = "not a certificate";
    TestClient client(endpoint);
    const auto outcome = client.get("/");
    EXPECT_EQ(outcome.code(), ErrorCode::Config);
    EXPECT_NE(outcome.detail().find("certificate authority"), std::string::npos);
}

TEST(HttpTls, SelfMadeCertificatesRefuseNamesThatAreNone) {
    SelfMadeTlsOptions options;
    options.names = {"a,DNS:evil"};
    EXPECT_FALSE(makeSelfMadeTls(options));
    options.names = {""};
    EXPECT_FALSE(makeSelfMadeTls(options));
}

} // namespace
} // namespace alidade::http::test
