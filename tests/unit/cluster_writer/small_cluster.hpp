// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A small API server with the semantics that writing needs (JSON Patch with test, preconditions, dryRun, scale), on a
// real socket, and a session to it. Faults are scripted per mutation.
#include <condition_variable>
#include <deque>
#include <filesystem>
#include <map>
#include <mutex>
#include <set>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <stdlib.h>

#include "alidade/cluster/transport.hpp"
#include "alidade/cluster_writer/desk.hpp"
#include "alidade/guard/input_gate.hpp"
#include "alidade/http/server.hpp"
#include "render.hpp"

namespace alidade::cluster::test {

using nlohmann::json;
using namespace std::chrono_literals;

class SmallCluster {
public:
    enum class Fault {
        None,
        CloseCarriedOut,
        CloseNotCarriedOut,
        ResetCarriedOut,
        Redirect,
        Gateway504,
        Error500,
        Html502,
        Truncate
    };
    struct Seen {
        std::string method;
        std::string target;
        std::string body;
        bool dryRun = false;
    };

    SmallCluster() : io_("small-cluster") {
        io_.run([this] {
            auto server = http::Server::listen(
                io_, {}, [this](const http::ServerRequest& request, const std::shared_ptr<http::Responder>& answer) {
                    serve(request, answer);
                });
            if (!server)
                return;
            server_ = std::move(*server);
            port_ = server_->port();
        });
    }
    ~SmallCluster() {
        io_.run([this] {
            held_.clear();
            server_.reset();
        });
    }
    SmallCluster(const SmallCluster&) = delete;
    SmallCluster& operator=(const SmallCluster&) = delete;

    [[nodiscard]] int port() const { return port_; }
    void put(const ObjectKey& key, json object) {
        const std::lock_guard lock(mutex_);
        objects_[writer::objectPath(key)] = std::move(object);
    }
    [[nodiscard]] json get(const ObjectKey& key) {
        const std::lock_guard lock(mutex_);
        const auto found = objects_.find(writer::objectPath(key));
        return found == objects_.end() ? json(nullptr) : found->second;
    }
    /// For the next real mutation; `before` runs first (another client gets in between).
    void next(Fault fault, std::function<void()> before = {}) {
        const std::lock_guard lock(mutex_);
        fault_ = fault;
        before_ = std::move(before);
    }
    /// Every mutation is refused with this from now on.
    void refuseWith(int status, json body, bool dryRunToo = true) {
        const std::lock_guard lock(mutex_);
        refusal_ = {status, std::move(body)};
        refuseDryRun_ = dryRunToo;
    }
    void holdDryRuns() {
        const std::lock_guard lock(mutex_);
        holdDry_ = true;
    }
    void warn(const std::string& text) {
        const std::lock_guard lock(mutex_);
        warnings_.push_back(text);
    }
    [[nodiscard]] std::vector<Seen> mutations(bool dryRun) {
        const std::lock_guard lock(mutex_);
        std::vector<Seen> out;
        for (const Seen& s : seen_)
            if (s.method != "GET" && s.dryRun == dryRun)
                out.push_back(s);
        return out;
    }

private:
    void serve(const http::ServerRequest& request, const std::shared_ptr<http::Responder>& answer) {
        std::unique_lock lock(mutex_);
        const bool dry = request.param("dryRun").has_value();
        seen_.push_back({request.method, request.target, request.body, dry});
        std::string path = request.target.substr(0, request.target.find('?'));
        const bool scale = path.size() > 6 && path.substr(path.size() - 6) == "/scale";
        if (scale)
            path.resize(path.size() - 6);
        if (request.method == "GET")
            return reply(answer, 200, view(path, scale));
        if (dry && holdDry_) {
            held_.push_back(answer);
            return;
        }
        const Fault fault = dry ? Fault::None : std::exchange(fault_, Fault::None);
        if (!dry && before_) {
            const auto before = std::exchange(before_, nullptr);
            lock.unlock();
            before();
            lock.lock();
        }
        if (refusal_ && (!dry || refuseDryRun_))
            return reply(answer, refusal_->first, refusal_->second);
        const auto text = [&](const std::string& raw) {
            answer->writeRaw(raw);
            answer->finish();
        };
        if (fault == Fault::CloseNotCarriedOut)
            return answer->abort(false);
        if (fault == Fault::Redirect)
            return text("HTTP/1.1 307 Temporary Redirect\r\nLocation: http://127.0.0.1:" + std::to_string(port_) +
                        "/elsewhere\r\nContent-Length: 0\r\n\r\n");
        if (fault == Fault::Error500)
            return reply(answer, 500,
                         statusOf(500, "InternalError", "failed calling webhook \"x\": context deadline exceeded"));
        int status = 200;
        json result = change(request, path, scale, dry, status);
        if (fault == Fault::CloseCarriedOut)
            return answer->abort(false);
        if (fault == Fault::ResetCarriedOut)
            return answer->abort(true);
        if (fault == Fault::Gateway504)
            return reply(answer, 504, "gateway timeout");
        if (fault == Fault::Html502)
            return text(
                "HTTP/1.1 502 Bad Gateway\r\nContent-Type: text/html\r\nContent-Length: 13\r\n\r\n<html></html>");
        if (fault == Fault::Truncate)
            return text(
                "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 999\r\n\r\n{\"metadata\":");
        reply(answer, status, result);
    }
    void reply(const std::shared_ptr<http::Responder>& answer, int status, const json& body) {
        if (body.is_null()) {
            answer->send(404, json_(), statusOf(404, "NotFound", "not found").dump());
            return;
        }
        http::Headers headers = json_();
        for (const std::string& w : warnings_)
            headers.add("Warning", "299 - \"" + w + "\"");
        answer->send(status, std::move(headers), body.is_string() ? body.get<std::string>() : body.dump());
    }
    static http::Headers json_() {
        http::Headers headers;
        headers.add("Content-Type", "application/json");
        return headers;
    }
    static json statusOf(int code, const std::string& reason, const std::string& message) {
        return {{"kind", "Status"}, {"apiVersion", "v1"}, {"status", "Failure"},
                {"code", code},     {"reason", reason},   {"message", message}};
    }
    json view(const std::string& path, bool scale) {
        const auto found = objects_.find(path);
        if (found == objects_.end())
            return nullptr;
        if (!scale)
            return found->second;
        return {{"kind", "Scale"},
                {"metadata", {{"name", found->second["metadata"]["name"]}, {"uid", found->second["metadata"]["uid"]}}},
                {"spec", {{"replicas", found->second["spec"]["replicas"]}}}};
    }
    json change(const http::ServerRequest& request, const std::string& path, bool scale, bool dry, int& status) {
        const auto found = objects_.find(path);
        if (found == objects_.end())
            return nullptr;
        if (request.method == "DELETE") {
            const json options = json::parse(request.body, nullptr, false);
            if (options.contains("preconditions") &&
                options["preconditions"]["uid"] != found->second["metadata"]["uid"]) {
                status = 409;
                return statusOf(409, "Conflict", "the UID in the precondition does not match");
            }
            if (dry)
                return found->second;
            if (found->second["metadata"].contains("finalizers")) {
                found->second["metadata"]["deletionTimestamp"] = "2024-05-01T12:00:00Z";
                return found->second;
            }
            objects_.erase(found);
            return {{"kind", "Status"}, {"status", "Success"}};
        }
        json patched;
        try {
            patched = view(path, scale).patch(json::parse(request.body));
        } catch (const json::exception& e) {
            status = 422;
            return statusOf(422, "Invalid", "the server rejected our request due to an error in our request");
        }
        if (dry)
            return patched;
        if (scale)
            found->second["spec"]["replicas"] = patched["spec"]["replicas"];
        else
            found->second = patched;
        json& metadata = found->second["metadata"];
        metadata["generation"] = metadata.value("generation", 1) + 1;
        patched["metadata"]["generation"] = metadata["generation"];
        return patched;
    }

    http::IoThread io_;
    std::unique_ptr<http::Server> server_;
    int port_ = 0;
    std::mutex mutex_;
    std::map<std::string, json> objects_;
    std::vector<Seen> seen_;
    Fault fault_ = Fault::None;
    std::function<void()> before_;
    std::optional<std::pair<int, json>> refusal_;
    bool refuseDryRun_ = true;
    bool holdDry_ = false;
    std::vector<std::string> warnings_;
    std::vector<std::shared_ptr<http::Responder>> held_;
};

class PlainTransport final : public Transport {
public:
    PlainTransport(http::IoThread& io, int port) : io_(io) {
        http::Endpoint endpoint;
        endpoint.tls = false;
        endpoint.host = "127.0.0.1";
        endpoint.port = port;
        endpoint.label = "test";
        client_ = std::make_unique<http::Client>(io, endpoint);
    }
    std::unique_ptr<http::Call> start(http::Request request, http::CallOptions options,
                                      http::CallHandler handler) override {
        return client_->start(std::move(request), options, std::move(handler));
    }
    std::unique_ptr<http::Call> fetch(http::Request request, http::CallOptions options,
                                      std::function<void(Result<http::Response>, bool)> done) override {
        const std::string where = request.method + " " + request.target;
        return client_->fetch(
            std::move(request), options, [where, done = std::move(done)](Result<http::Response> response, bool sent) {
                if (response && response->head.status >= 300)
                    done(tl::unexpected(errorFromResponse(where, response->head, response->body)), sent);
                else
                    done(std::move(response), sent);
            });
    }
    void refresh(std::function<void(Result<void>)> done) override { done({}); }
    http::IoThread& io() noexcept override { return io_; }

private:
    http::IoThread& io_;
    std::unique_ptr<http::Client> client_;
};

/// Reads over the same socket as everybody; revisions and the graph are given by the test.
class PlainSession final : public TransportSession,
                           public ClusterReader,
                           public std::enable_shared_from_this<PlainSession> {
public:
    explicit PlainSession(int port) : io_("plain-session") {
        info_.epoch = {1};
        info_.context = "demo";
        io_.run([&] { transport_ = std::make_unique<PlainTransport>(io_, port); });
    }
    ~PlainSession() override {
        io_.run([this] {
            calls_.clear();
            transport_.reset();
        });
    }
    std::vector<Revision> kept;
    guard::AccessReview review{guard::Access::Allowed, "patch", ""};

    const SessionInfo& info() const noexcept override { return info_; }
    std::shared_ptr<ClusterReader> reader() override { return shared_from_this(); }
    std::shared_ptr<void> subscribe(const KindId&, const ListScope&, std::shared_ptr<Mailbox<DeltaBatch>>,
                                    std::uint64_t) override {
        return nullptr;
    }
    std::shared_ptr<void> watchObject(const ObjectRef&, std::function<void(Result<guard::Raw<json>>)>) override {
        return nullptr;
    }
    std::shared_ptr<void> followLogs(const ObjectKey&, const LogOptions&, std::shared_ptr<Mailbox<LogChunk>>,
                                     std::uint64_t) override {
        return nullptr;
    }
    std::shared_ptr<void> observeConnection(std::function<void(const ConnectionState&)>) override { return nullptr; }
    void probe() override {}
    Transport& transport() noexcept override { return *transport_; }

    void get(const ObjectKey& key, Done<guard::Raw<json>> done) override {
        io_.post([this, key, done = std::move(done)] {
            http::Request request;
            request.target = writer::objectPath(key);
            calls_.push_back(transport_->fetch(std::move(request), {}, [done](Result<http::Response> response, bool) {
                if (!response)
                    return done(tl::unexpected(response.error()));
                done(guard::Raw<json>(json::parse(response->body, nullptr, false)));
            }));
        });
    }
    void list(const KindId&, const ListScope&, std::size_t, Done<Answer<std::vector<guard::Raw<json>>>> done) override {
        done(Answer<std::vector<guard::Raw<json>>>({}, "none"));
    }
    void events(const ObjectRef&, Done<Answer<std::vector<EventRecord>>> done) override {
        done(guard::fail(guard::ErrorCode::Unsupported, "test", ""));
    }
    void logs(const ObjectKey&, const LogOptions&, Done<guard::Raw<guard::LogText>> done) override {
        done(guard::fail(guard::ErrorCode::Unsupported, "test", ""));
    }
    void revisions(const ObjectRef&, Done<Answer<std::vector<Revision>>> done) override {
        done(Answer<std::vector<Revision>>(kept, "revisions"));
    }
    void describe(const ObjectKey&, Done<guard::Raw<std::string>> done) override {
        done(guard::fail(guard::ErrorCode::Unsupported, "test", ""));
    }
    void catalog(Done<Answer<Catalog>> done) override { done(guard::fail(guard::ErrorCode::Unsupported, "test", "")); }
    void access(std::string, const KindId&, std::string, std::string, std::string,
                Done<guard::AccessReview> done) override {
        done(review);
    }
    void relations(std::optional<ObjectRef>, const ListScope&, int, Done<Answer<Graph>> done) override {
        done(Answer<Graph>({}, "graph"));
    }

private:
    http::IoThread io_;
    std::unique_ptr<PlainTransport> transport_;
    std::vector<std::unique_ptr<http::Call>> calls_;
    SessionInfo info_;
};

/// Desk events as they come, waited for by kind.
class Events {
public:
    guard::DeskSink sink() {
        return [this](const guard::DeskEvent& event) {
            const std::lock_guard lock(mutex_);
            events_.push_back(event);
            changed_.notify_all();
        };
    }
    template<class What>
    std::optional<What> waitFor(std::size_t nth = 0) {
        std::unique_lock lock(mutex_);
        std::optional<What> found;
        const bool there = changed_.wait_for(lock, 20s, [&] {
            std::size_t n = 0;
            for (const guard::DeskEvent& e : events_)
                if (const auto* what = std::get_if<What>(&e.what); what && n++ == nth) {
                    found = *what;
                    return true;
                }
            return false;
        });
        EXPECT_TRUE(there) << "the event never came";
        return found;
    }
    template<class What>
    std::size_t count() {
        const std::lock_guard lock(mutex_);
        return static_cast<std::size_t>(std::count_if(
            events_.begin(), events_.end(), [](const auto& e) { return std::holds_alternative<What>(e.what); }));
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<guard::DeskEvent> events_;
};

/// A deliberate act of a person on these contents, through the real input gate.
inline guard::HumanAct actOn(const guard::ProposalContent& content, guard::ManualClock& clock) {
    guard::InputGate gate;
    guard::StampCalibration calibration;
    gate.setContent(content.digest, content.typedConfirmation, content.namedOnly, clock.now());
    gate.painted(clock.now());
    gate.turnOfLoop(clock.now());
    gate.focusGained(clock.now());
    gate.setTyped(content.typedConfirmation);
    gate.setOverride(content.namedOnly);
    clock.advance(guard::Limits::dwell + 1ms);
    calibration.observe(guard::DeviceClass::Key, 1000, clock.now());
    clock.advance(20ms);
    static_cast<void>(gate.feed(
        {guard::InputGate::Event::Press, guard::DeviceClass::Key, 1020, clock.now(), false, true, 32}, calibration));
    clock.advance(20ms);
    return std::move(*gate.feed(
        {guard::InputGate::Event::Release, guard::DeviceClass::Key, 1040, clock.now(), false, true, 32}, calibration));
}

struct DeskTest : testing::Test {
    std::filesystem::path folder;
    std::shared_ptr<guard::ManualClock> clock = std::make_shared<guard::ManualClock>();
    SmallCluster cluster;
    std::shared_ptr<PlainSession> session = std::make_shared<PlainSession>(cluster.port());
    std::shared_ptr<guard::Ledger> ledger;
    std::shared_ptr<guard::WriteDesk> desk;
    Events events;
    ObjectKey web{guard::kinds::deployments(), "shop", "web"};

    DeskTest() {
        std::string name = (std::filesystem::temp_directory_path() / "alidade-desk-XXXXXX").string();
        folder = ::mkdtemp(name.data());
        ledger = openLedger(ledgerPath());
        cluster.put(
            web,
            json::parse(
                R"({"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web","namespace":"shop","uid":"uid-1","generation":5},
            "spec":{"replicas":3,"template":{"metadata":{"labels":{"app":"web"}},"spec":{"containers":[{"name":"app","image":"shop/web:2"}]}}}})"));
        Revision current, previous;
        current.number = 5;
        current.current = true;
        previous.number = 4;
        current.templateJson =
            R"({"metadata":{"labels":{"app":"web"}},"spec":{"containers":[{"name":"app","image":"shop/web:2"}]}})";
        previous.templateJson =
            R"({"metadata":{"labels":{"app":"web"}},"spec":{"containers":[{"name":"app","image":"shop/web:1"}]}})";
        session->kept = {current, previous};
    }
    ~DeskTest() override {
        desk.reset();
        std::filesystem::remove_all(folder);
    }
    [[nodiscard]] std::string ledgerPath() const { return (folder / "ledger.jsonl").string(); }
    std::shared_ptr<guard::Ledger> openLedger(const std::string& path) {
        auto file = guard::openDurableFile(path);
        return std::shared_ptr<guard::Ledger>(std::move(*guard::Ledger::open(std::move(*file), *clock, "test")));
    }
    void open(DeskOptions options = {}) { desk = *makeWriteDesk(session, ledger, clock, std::move(options)); }
    guard::Ticket submit(std::vector<guard::Action> actions) {
        return desk->submit(guard::Draft::fromPerson({std::move(actions), ""}, {}, {1}), events.sink());
    }
    [[nodiscard]] guard::Action rollback() const { return {{web, "uid-1"}, guard::Scope::Object, guard::Rollback{4}}; }
    [[nodiscard]] guard::Action scale(int n) const { return {{web, "uid-1"}, guard::Scope::Object, guard::Scale{n}}; }
    [[nodiscard]] std::string imageNow() {
        return cluster.get(web)["spec"]["template"]["spec"]["containers"][0]["image"].get<std::string>();
    }
    /// Submits, approves, and gives what became of it.
    guard::WriteOutcome carryOut(std::vector<guard::Action> actions) {
        if (!desk)
            open();
        submit(std::move(actions));
        const auto proposed = events.waitFor<guard::desk::Proposed>();
        if (!proposed)
            return {};
        EXPECT_TRUE(cluster.mutations(false).empty()) << "nothing is sent before the approval";
        desk->approve(proposed->content->id, actOn(*proposed->content, *clock));
        const auto executed = events.waitFor<guard::desk::Executed>();
        static_cast<void>(events.waitFor<guard::desk::Finished>());
        return executed ? executed->outcome : guard::WriteOutcome{};
    }
    guard::LedgerReport verified() {
        auto file = guard::openDurableFile(ledgerPath());
        return guard::verifyLedger(*(*file)->readFrom(0));
    }
};

} // namespace alidade::cluster::test
