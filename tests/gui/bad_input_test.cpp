// SPDX-License-Identifier: GPL-3.0-or-later
// The window on a cluster that is not as it should be: real sockets, real files. It says what is wrong and the way out,
// and shows nothing as live that is not.
#include <algorithm>
#include <fstream>

#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>

#include <gtest/gtest.h>

#include "alidade/models/navigator_model.hpp"
#include "alidade/wiring/workbench.hpp"
#include "harness.hpp"
#include "parts/parts.hpp"
#include "shop.hpp"
#include "sockets.hpp"
#include "table/table_pane.hpp"
#include "window/header_strip.hpp"

namespace alidade::ui {
namespace {

using test::until;
namespace http = alidade::http;

constexpr int kPatience = 30'000;

http::RequestHandler answering(int status, const std::string& type, const std::string& body) {
    return [=](const http::ServerRequest&, const std::shared_ptr<http::Responder>& answer) {
        http::Headers headers;
        headers.add("Content-Type", type);
        answer->send(status, std::move(headers), body);
    };
}

std::string status(int code, const std::string& reason) {
    return R"({"kind":"Status","apiVersion":"v1","status":"Failure","message":")" + reason +
           R"( by the test","reason":")" + reason + R"(","code":)" + std::to_string(code) + "}";
}

/// As much of an API server as a table needs: one pod, watched.
http::RequestHandler onePod(std::shared_ptr<std::vector<std::shared_ptr<http::Responder>>> open) {
    return
        [open = std::move(open)](const http::ServerRequest& request, const std::shared_ptr<http::Responder>& answer) {
            http::Headers headers;
            headers.add("Content-Type", "application/json");
            const auto asks = [&](const char* part) { return request.target.find(part) != std::string::npos; };
            if (asks("/version")) {
                answer->send(200, headers, R"({"major":"1","minor":"31","gitVersion":"v1.31.0"})");
            } else if (asks("sendInitialEvents")) {
                answer->send(422, headers, status(422, "Invalid"));
            } else if (asks("watch=")) {
                answer->begin(200, headers);
                open->push_back(answer);
            } else if (asks("/pods")) {
                answer->send(
                    200, headers,
                    R"({"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"5"},"items":[{"metadata":{)"
                    R"("name":"web","namespace":"default","uid":"u1","resourceVersion":"4"},"spec":{"containers":[)"
                    R"({"name":"c"}]},"status":{"phase":"Running","conditions":[{"type":"Ready","status":"True"}],)"
                    R"("containerStatuses":[{"name":"c","ready":true,"restartCount":0,"state":{"running":{}}}]}}]})");
            } else if (asks("/api/v1/") || asks("/apis/apps/v1/")) {
                answer->send(200, headers,
                             R"({"kind":"List","apiVersion":"v1","metadata":{"resourceVersion":"5"},"items":[]})");
            } else {
                answer->send(404, headers, status(404, "NotFound"));
            }
        };
}

class OnABadCluster : public ::testing::Test {
protected:
    OnABadCluster() { write("ca.crt", http::test::sharedTls().caPem); }
    std::string path(const char* name) const { return folder_.filePath(QString::fromLatin1(name)).toStdString(); }
    void write(const char* name, const std::string& text) const { std::ofstream(path(name), std::ios::binary) << text; }
    void config(const std::string& server, const std::string& user = "token: T",
                const std::string& rest = "current-context: prod\n") const {
        write("config", "clusters:\n- name: prod-cluster\n  cluster: {server: \"" + server + "\"" +
                            (server.starts_with("https") ? ", certificate-authority: ca.crt" : "") +
                            "}\nusers:\n- name: admin\n  user: {" + user +
                            "}\ncontexts:\n- name: prod\n  context: {cluster: prod-cluster, user: admin}\n" + rest);
    }
    static std::string url(int port) { return "https://127.0.0.1:" + std::to_string(port); }

    void open() {
        wiring::WorkbenchOptions options;
        options.kubeconfig = {path("config")};
        options.environment = {{"HOME", folder_.path().toStdString()}};
        options.ledgerFile = path("ledger.jsonl");
        auto made = wiring::Workbench::create(std::move(options), {});
        ASSERT_TRUE(made) << made.error().text();
        bench_ = std::move(*made);
        EXPECT_EQ(bench_->simulator(), nullptr) << "another cluster instead";
        Services services;
        services.sessions = std::shared_ptr<cluster::SessionFactory>(bench_.get(), [](cluster::SessionFactory*) {});
        services.clock = bench_->clock();
        window_ = std::make_unique<MainWindow>(services, WindowOptions{});
        window_->show();
    }
    [[nodiscard]] TablePane& table() const { return *window_->findChild<TablePane*>(); }
    [[nodiscard]] EmptyState& message() const { return *table().findChild<EmptyState*>(); }
    [[nodiscard]] QString freshness() const { return window_->findChild<HeaderStrip*>()->freshness(); }
    [[nodiscard]] bool claimsToBeLive() const {
        return freshness().startsWith(QStringLiteral("Watching")) ||
               (message().isVisible() && message().sentence().startsWith(QStringLiteral("Nothing is in trouble")));
    }
    /// The navigator neither calls anything well nor counts anything.
    [[nodiscard]] bool countsNothing() const {
        using Model = models::NavigatorModel;
        const auto* model = window_->findChild<Model*>();
        return model->index(0, 0).data(Model::BadgeRole).toInt() < 0 &&
               !model->indexOf(guard::kinds::pods()).data(Model::CountRole).isValid();
    }
    [[nodiscard]] bool says(const char* sentence, const std::vector<const char*>& words) const {
        if (!message().isVisible() || message().sentence() != QString::fromLatin1(sentence)) {
            return false;
        }
        return std::all_of(words.begin(), words.end(),
                           [this](const char* word) { return message().reason().contains(QString::fromUtf8(word)); });
    }
    /// First *Trouble*, then a table: both say it, neither claims to be live on the way there.
    void expectMessage(const char* sentence, const std::vector<const char*>& words) {
        open();
        for (const char* view : {"trouble", "pods"}) {
            window_->showKind(QString::fromLatin1(view));
            bool claimed = false;
            EXPECT_TRUE(until(
                [&] {
                    claimed = claimed || claimsToBeLive();
                    return says(sentence, words);
                },
                kPatience))
                << view << ": " << message().sentence().toStdString() << " / " << message().reason().toStdString()
                << " / " << freshness().toStdString();
            EXPECT_FALSE(claimed) << view;
            EXPECT_TRUE(until([&] { return countsNothing(); })) << "unread is not none";
            EXPECT_EQ(table().rows()->rowCount(), 0);
        }
        window_.reset();
    }

    QTemporaryDir folder_;
    std::unique_ptr<wiring::Workbench> bench_;
    std::unique_ptr<MainWindow> window_;
};

constexpr const char* kEntry = "cluster entry \"prod-cluster\"";

TEST_F(OnABadCluster, UnreachableServer) {
    int closed = 0;
    {
        const http::test::SilentListener listener;
        closed = listener.port();
    }
    config(url(closed));
    expectMessage("The server cannot be reached", {"context prod", kEntry, "connection refused", "Check the network"});
}

TEST_F(OnABadCluster, ExpiredCertificateAndWrongAuthority) {
    http::SelfMadeTlsOptions old;
    old.validFromSeconds = -7200;
    old.validForSeconds = 3600;
    const auto tls = http::makeSelfMadeTls(old).value();
    http::ServerOptions options;
    options.certPem = tls.certPem;
    options.keyPem = tls.keyPem;
    const http::test::TestServer server(answering(200, "application/json", "{}"), options, true);
    write("ca.crt", tls.caPem);
    config(url(server.port()));
    expectMessage("The server's certificate is not trusted", {kEntry, "expired on 20", "must be renewed"});
    write("ca.crt", http::test::sharedTls().caPem);
    config(url(server.port()));
    expectMessage("The server's certificate is not trusted", {kEntry, "certificate-authority"});
}

TEST_F(OnABadCluster, CredentialsRefusedAndForbidden) {
    const http::test::TestServer server(answering(401, "application/json", status(401, "Unauthorized")), {}, true);
    config(url(server.port()));
    expectMessage("The credentials are not accepted", {"user entry \"admin\"", "Log in again"});
    const http::test::TestServer other(answering(403, "application/json", status(403, "Forbidden")), {}, true);
    config(url(other.port()));
    open();
    for (const auto& [view, sentence] : {std::pair{"trouble", "You may not list what trouble is found in"},
                                         std::pair{"pods", "You may not list Pods here"}}) {
        window_->showKind(QString::fromLatin1(view));
        EXPECT_TRUE(until(
            [&, text = sentence] {
                return says(text, {"Forbidden by the test", "user entry \"admin\"", "Ask"});
            },
            kPatience))
            << message().sentence().toStdString() << " / " << message().reason().toStdString();
        EXPECT_FALSE(claimsToBeLive());
        EXPECT_TRUE(until([&] { return countsNothing(); })) << "unread is not none";
    }
}

TEST_F(OnABadCluster, AWebPageACutAnswerAndNoHttp) {
    const http::test::TestServer page(answering(200, "text/html", "<html>Sign in</html>"), {}, true);
    config(url(page.port()));
    expectMessage("The answer is not Kubernetes'", {"a web page (HTML)", kEntry, "login page or proxy"});
    const http::test::TestServer cut(
        http::test::rawAnswer("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{\"git"),
        {}, true);
    config(url(cut.port()));
    expectMessage("The connection was lost", {kEntry, "before the answer's end", "Check that the server address"});
    const http::test::TestServer noise(http::test::rawAnswer("SSH-2.0-OpenSSH_9.2\r\n"), {}, true);
    config(url(noise.port()));
    expectMessage("The answer is not Kubernetes'", {kEntry, "SSH-2.0"});
}

TEST_F(OnABadCluster, AServerThatNeverAnswers) {
    const http::test::TestServer server(http::test::rawAnswer("", http::test::Then::Stay), {}, true);
    config(url(server.port()));
    expectMessage("No answer in time", {kEntry, "did not answer within", "Check the network"});
}

TEST_F(OnABadCluster, AFileIsMendedAndTriedAgainInTheSameWindow) {
    auto held = std::make_shared<std::vector<std::shared_ptr<http::Responder>>>();
    const http::test::TestServer server(onePod(held));
    const std::string good = "http://127.0.0.1:" + std::to_string(server.port());
    const auto mend = [&] {
        auto* button = message().findChild<QPushButton*>();
        ASSERT_TRUE(button->isVisible());
        config(good);
        QTest::mouseClick(button, Qt::LeftButton);
        window_->showKind(QStringLiteral("pods"));
        EXPECT_TRUE(until([&] { return table().rows()->rowCount() == 1 && claimsToBeLive(); }, kPatience));
        window_.reset();
    };
    open(); // no file at all
    EXPECT_TRUE(says("The configuration cannot be used", {"config: no such file. Put it there"}))
        << message().reason().toStdString();
    mend();
    write("config", "");
    open();
    EXPECT_TRUE(says("The configuration cannot be used", {"config: there is no context here"}))
        << message().reason().toStdString();
    mend();
    write("config", "clusters: [{name: a\nusers: }\n");
    open();
    EXPECT_TRUE(says("The configuration cannot be used", {"config, line 2: not valid YAML", "Correct the file"}))
        << message().reason().toStdString();
    mend();
    config("https://127.0.0.1:9", "client-certificate: gone.crt, client-key: gone.key");
    open();
    EXPECT_TRUE(says("The configuration cannot be used", {"user entry \"admin\"", "gone.crt: no such file", "Mend"}))
        << message().reason().toStdString();
    mend();
    config(good, "token: T", "current-context: elsewhere\n");
    open();
    EXPECT_TRUE(says("No context is chosen", {"current-context names \"elsewhere\"", "\"prod\"", "above"}))
        << message().reason().toStdString() << ", and no other one is guessed";
    EXPECT_EQ(window_->session(), nullptr);
    mend();
}

TEST_F(OnABadCluster, LostAndBackWithNothingStaleShownAsLive) {
    auto held = std::make_shared<std::vector<std::shared_ptr<http::Responder>>>();
    auto server = std::make_unique<http::test::TestServer>(onePod(held));
    const int port = server->port();
    config("http://127.0.0.1:" + std::to_string(port));
    open();
    window_->showKind(QStringLiteral("pods"));
    ASSERT_TRUE(until([&] { return table().rows()->rowCount() == 1 && claimsToBeLive(); }, kPatience))
        << freshness().toStdString();
    server->stop();
    ASSERT_TRUE(until([&] { return freshness().startsWith(QStringLiteral("Stale since")); }, kPatience))
        << freshness().toStdString();
    EXPECT_TRUE(until([&] { return freshness().contains(QStringLiteral("connection refused")); }, kPatience))
        << freshness().toStdString();
    EXPECT_EQ(table().rows()->rowCount(), 1) << "the last known rows stay, and say so";
    window_->showKind(QStringLiteral("trouble"));
    EXPECT_TRUE(until([&] { return !claimsToBeLive() && !freshness().isEmpty(); }, kPatience));
    window_->showKind(QStringLiteral("pods")); // asked for anew while nothing answers
    EXPECT_FALSE(claimsToBeLive());

    http::ServerOptions again;
    again.port = port;
    const http::test::TestServer back(onePod(held), again);
    ASSERT_TRUE(until([&] { return claimsToBeLive() && table().rows()->rowCount() == 1; }, kPatience))
        << freshness().toStdString();
    window_->showKind(QStringLiteral("trouble"));
    EXPECT_TRUE(until([&] { return says("Nothing is in trouble", {}); }, kPatience))
        << message().sentence().toStdString() << message().reason().toStdString();
}

} // namespace
} // namespace alidade::ui
