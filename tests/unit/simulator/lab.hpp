// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// An API server over a small world, without sockets: requests are calls, time moves when a test says so.
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "api/server.hpp"
#include "controllers/controllers.hpp"
#include "scenarios/stage.hpp"

namespace alidade::simulator {

/// The elements of a list in an answer, by value: answers are temporaries.
template<class Path>
[[nodiscard]] Json::array_t elements(const Json& answer, const Path& path) {
    return items(at(answer, path));
}
[[nodiscard]] inline Json::array_t elements(const Json& answer, std::initializer_list<std::string_view> path) {
    return items(at(answer, path));
}

/// Keeps what was answered.
class Capture final : public http::Responder {
public:
    int status = 0;
    http::Headers headers;
    std::string body;
    bool finished = false;
    bool aborted = false;
    std::function<void()> closedCall;
    void send(int s, http::Headers h, std::string b) override {
        status = s;
        headers = std::move(h);
        body = std::move(b);
        finished = true;
    }
    void begin(int s, http::Headers h) override {
        status = s;
        headers = std::move(h);
    }
    void write(std::string_view bytes) override { body += bytes; }
    void finish() override { finished = true; }
    void abort(bool) override { aborted = true; }
    void writeRaw(std::string_view bytes) override { body += bytes; }
    [[nodiscard]] std::size_t unsentBytes() const noexcept override { return 0; }
    [[nodiscard]] bool closed() const noexcept override { return false; }
    void onClosed(std::function<void()> call) override { closedCall = std::move(call); }
    void onDrained(std::function<void()>) override {}
    [[nodiscard]] Json json() const { return Json::parse(body, nullptr, false); }
    /// The lines of a watch so far, and forgets them.
    std::vector<Json> events() {
        std::vector<Json> out;
        std::size_t from = 0;
        for (std::size_t end = 0; (end = body.find('\n', from)) != std::string::npos; from = end + 1)
            out.push_back(Json::parse(body.substr(from, end - from), nullptr, false));
        body.erase(0, from);
        return out;
    }
};

class Lab : public ::testing::Test {
protected:
    explicit Lab(std::vector<User> users = {}, bool watchList = true)
        : access(std::move(users)), api(registry, kubelet, access, {watchList, "v1.32.4"}) {
        Stage stage(registry, images);
        for (const auto* ns : {"default", "shop"})
            stage.apply({{"apiVersion", "v1"}, {"kind", "Namespace"}, {"metadata", {{"name", ns}}}});
        for (const auto* name : {"n1", "n2"})
            stage.apply({{"apiVersion", "v1"},
                         {"kind", "Node"},
                         {"metadata", {{"name", name}, {"labels", {{"kubernetes.io/hostname", name}}}}},
                         {"status",
                          {{"allocatable", {{"cpu", "4"}, {"memory", "8Gi"}, {"pods", "110"}}},
                           {"conditions", Json::array({{{"type", "Ready"}, {"status", "True"}}})}}}});
        pass(1);
    }
    std::shared_ptr<Capture> open(const std::string& method, const std::string& target, const std::string& body = {},
                                  std::vector<std::pair<std::string, std::string>> headers = {},
                                  const std::string& user = "admin") {
        http::ServerRequest request;
        request.method = method;
        request.target = target;
        const auto question = target.find('?');
        request.path = target.substr(0, question);
        std::string query = question == std::string::npos ? "" : target.substr(question + 1) + "&";
        for (std::size_t end = 0; (end = query.find('&')) != std::string::npos; query.erase(0, end + 1)) {
            const auto item = query.substr(0, end);
            const auto equals = item.find('=');
            if (!item.empty())
                request.query.emplace_back(
                    item.substr(0, equals),
                    http::percentDecode(equals == std::string::npos ? "" : item.substr(equals + 1), true).value_or(""));
        }
        request.headers.add("Authorization", "Bearer " + access.tokens().at(user));
        for (auto& [name, value] : headers)
            request.headers.add(name, value);
        request.body = body;
        auto capture = std::make_shared<Capture>();
        api.handle(std::move(request), capture, nullptr);
        return capture;
    }
    Json call(const std::string& method, const std::string& target, const Json& body = nullptr, int expect = 200,
              const std::string& type = "application/json") {
        const auto answer = open(method, target, body.is_null() ? "" : dump(body), {{"Content-Type", type}});
        EXPECT_EQ(answer->status, expect) << method << " " << target << "\n" << answer->body.substr(0, 2000);
        return answer->json();
    }
    Json get(const std::string& target) { return call("GET", target); }
    Json table(const std::string& target) {
        return open("GET", target, "", {{"Accept", "application/json;as=Table;v=v1;g=meta.k8s.io"}})->json();
    }
    void pass(double seconds) {
        world.clock().advanceTo(world.now() + Millis(static_cast<std::int64_t>(seconds * 1000)));
    }
    static Json deployment(const std::string& name, const std::string& image, int replicas) {
        return {{"apiVersion", "apps/v1"},
                {"kind", "Deployment"},
                {"metadata", {{"name", name}}},
                {"spec",
                 {{"replicas", replicas},
                  {"selector", {{"matchLabels", {{"app", name}}}}},
                  {"template",
                   {{"metadata", {{"labels", {{"app", name}}}}},
                    {"spec", {{"containers", Json::array({{{"name", "app"}, {"image", image}}})}}}}}}}};
    }
    static Json pod(const std::string& name, const std::string& script, const std::string& restart = "Always") {
        return {{"apiVersion", "v1"},
                {"kind", "Pod"},
                {"metadata", {{"name", name}}},
                {"spec",
                 {{"restartPolicy", restart},
                  {"containers",
                   Json::array({{{"name", "app"}, {"image", "busybox:1.35"}, {"command", {"sh", "-c", script}}}})}}}};
    }
    /// Names of the pods with this label, with their STATUS as kubectl prints it.
    std::vector<std::string> statuses(const std::string& app) {
        std::vector<std::string> out;
        for (const auto& row : elements(table("/api/v1/namespaces/shop/pods?labelSelector=app%3D" + app), "rows"))
            out.push_back(str(items(at(row, "cells"))[2]));
        return out;
    }
    std::vector<std::string> reasons(const std::string& name) {
        std::vector<std::string> out;
        for (const auto& event :
             elements(get("/api/v1/namespaces/shop/events?fieldSelector=involvedObject.name%3D" + name), "items"))
            out.push_back(str(at(event, "reason")));
        return out;
    }

    World world{WallTime(std::chrono::seconds(1'714'564'800))};
    Registry registry{world};
    Recorder recorder{registry};
    ImageBook images;
    Kubelet kubelet{registry, recorder, images};
    Controllers controllers{registry, recorder, kubelet};
    Access access;
    ApiServer api;
    const std::string deployments = "/apis/apps/v1/namespaces/shop/deployments";
    const std::string pods = "/api/v1/namespaces/shop/pods";
};

} // namespace alidade::simulator
