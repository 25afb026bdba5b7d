// SPDX-License-Identifier: GPL-3.0-or-later
#include "alidade/simulator/simulator.hpp"

#include <algorithm>
#include <list>
#include <mutex>

#include "api/server.hpp"
#include "controllers/controllers.hpp"
#include "fault_responder.hpp"
#include "scenarios/stage.hpp"

namespace alidade::simulator {

namespace {

const Scenario* findScenario(const std::string& id) {
    for (const auto& scenario : allScenarios())
        if (scenario.info.id == id)
            return &scenario;
    return nullptr;
}

/// The scenario's past begins so long before now.
constexpr Millis historyLength = std::chrono::hours(24 + 70 + 25 + 26) + std::chrono::minutes(188);

} // namespace

struct Simulator::Impl {
    SimulatorOptions options;
    const Scenario* scenario = nullptr;
    std::string caPem;
    int port = 0;
    std::map<std::string, std::string> tokens;

    // Everything from here on belongs to the I/O thread.
    std::unique_ptr<World> world;
    std::unique_ptr<Registry> registry;
    std::unique_ptr<Recorder> recorder;
    ImageBook images;
    std::unique_ptr<Kubelet> kubelet;
    std::unique_ptr<Controllers> controllers;
    std::unique_ptr<Access> access;
    std::unique_ptr<ApiServer> api;
    std::unique_ptr<http::Server> server;
    http::ServerOptions serverOptions;
    std::vector<Fault> faults;
    std::list<ResponderPtr> held; ///< half-open answers
    WallTime virtualBase;
    std::chrono::steady_clock::time_point realBase;
    std::unique_ptr<guard::Timers::Token> driver;
    std::optional<WallTime> armedFor;

    mutable std::mutex recordsMutex;
    std::vector<RequestRecord> records;

    std::unique_ptr<http::IoThread> io; ///< last: it joins first

    void build();
    guard::Result<void> listen();
    [[nodiscard]] WallTime virtualNow() const;
    void pump();
    void arm();
    void serve(http::ServerRequest request, ResponderPtr out);
    bool faulty(const http::ServerRequest& request, ResponderPtr& out, bool& swallowed);
    void pass(http::ServerRequest request, ResponderPtr out);
    template<class F>
    void onWorld(F&& call) {
        io->run([&] {
            pump();
            call();
            arm();
        });
    }
    [[nodiscard]] const KindDef* kindOf(const Json& object);
};

void Simulator::Impl::build() {
    const auto present = std::chrono::floor<Millis>(WallTime(
        std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch())));
    const auto lead = options.incidentAfterSeconds < 0
                          ? Millis(static_cast<std::int64_t>(-options.incidentAfterSeconds * 1000))
                          : Millis(0);
    world = std::make_unique<World>(wholeSeconds(present - lead - historyLength));
    registry = std::make_unique<Registry>(*world);
    recorder = std::make_unique<Recorder>(*registry);
    kubelet = std::make_unique<Kubelet>(*registry, *recorder, images);
    controllers = std::make_unique<Controllers>(*registry, *recorder, *kubelet);
    Stage stage(*registry, images);
    buildCluster(stage);
    stage.pass(std::chrono::seconds(90));
    buildShop(stage, scenario->noise);
    world->clock().advanceTo(present - lead);
    if (options.incidentAfterSeconds < 0) {
        scenario->incident(stage);
        world->clock().advanceTo(present);
    } else {
        world->clock().after(Millis(static_cast<std::int64_t>(options.incidentAfterSeconds * 1000)), [this] {
            Stage later(*registry, images);
            scenario->incident(later);
        });
    }
    buildBulk(stage, options.pods, options.podPaddingBytes);
    controllers->startHousekeeping();
    world->compact();
    access = std::make_unique<Access>(options.users);
    tokens = access->tokens();
    api = std::make_unique<ApiServer>(*registry, *kubelet, *access, ApiServer::Options{options.watchList, "v1.32.4"});
    virtualBase = world->now();
    realBase = std::chrono::steady_clock::now();
}

guard::Result<void> Simulator::Impl::listen() {
    auto listening = http::Server::listen(*io, serverOptions, [this](http::ServerRequest request, ResponderPtr out) {
        serve(std::move(request), std::move(out));
    });
    if (!listening)
        return tl::unexpected(listening.error());
    server = std::move(*listening);
    port = server->port();
    serverOptions.port = port;
    return {};
}

WallTime Simulator::Impl::virtualNow() const {
    if (!options.realTime)
        return virtualBase;
    const auto real = std::chrono::duration<double>(std::chrono::steady_clock::now() - realBase).count();
    return virtualBase + std::chrono::nanoseconds(static_cast<std::int64_t>(real * options.speed * 1e9));
}

void Simulator::Impl::pump() { world->clock().advanceTo(virtualNow()); }

/// Wakes up when the next thing is due.
void Simulator::Impl::arm() {
    if (!options.realTime)
        return;
    const auto next = world->clock().next();
    if (next == armedFor && driver)
        return;
    armedFor = next;
    driver.reset();
    if (!next)
        return;
    const auto wait =
        std::chrono::duration<double, std::milli>(*next - virtualNow()).count() / std::max(options.speed, 1e-6);
    driver = io->timers().after(Millis(static_cast<std::int64_t>(std::clamp(wait + 0.999, 0.0, 3'600'000.0))), [this] {
        armedFor.reset();
        const auto mine = std::move(driver);
        pump();
        arm();
    });
}

void Simulator::Impl::pass(http::ServerRequest request, ResponderPtr out) {
    if (!options.recordRequests) {
        api->handle(std::move(request), std::move(out), nullptr);
        return;
    }
    RequestRecord record;
    record.method = request.method;
    record.target = request.target;
    record.contentType = std::string(request.headers.get("Content-Type").value_or(""));
    record.body = request.body;
    record.dryRun = request.param("dryRun").value_or("") == "All";
    std::size_t index = 0;
    {
        const std::lock_guard lock(recordsMutex);
        index = records.size();
        records.push_back(std::move(record));
    }
    std::string user;
    auto noting = std::make_shared<NotingResponder>(std::move(out), [this, index](int status) {
        const std::lock_guard lock(recordsMutex);
        if (index < records.size())
            records[index].status = status;
    });
    api->handle(std::move(request), std::move(noting), &user);
    const std::lock_guard lock(recordsMutex);
    if (index < records.size())
        records[index].user = user;
}

/// True when a fault took the request; `out` may be replaced, and `swallowed` means that nothing is left to do.
bool Simulator::Impl::faulty(const http::ServerRequest& request, ResponderPtr& out, bool& swallowed) {
    for (auto& fault : faults) {
        if (!fault.method.empty() && fault.method != request.method)
            continue;
        if (request.target.compare(0, fault.pathPrefix.size(), fault.pathPrefix) != 0)
            continue;
        if (fault.times == 0)
            continue;
        if (fault.skip > 0) {
            --fault.skip;
            continue;
        }
        if (fault.times > 0)
            --fault.times;
        swallowed = true;
        http::Headers headers;
        headers.add("Content-Type", "application/json");
        const auto note = [&](int status) {
            if (!options.recordRequests)
                return;
            const std::lock_guard lock(recordsMutex);
            RequestRecord record;
            record.method = request.method;
            record.target = request.target;
            record.contentType = std::string(request.headers.get("Content-Type").value_or(""));
            record.body = request.body;
            record.status = status;
            record.dryRun = request.param("dryRun").value_or("") == "All";
            records.push_back(std::move(record));
        };
        switch (fault.kind) {
        case Fault::Kind::CloseBeforeAnswer:
        case Fault::Kind::Reset: {
            if (fault.carriedOut)
                pass(request, std::make_shared<FaultyResponder>(nullptr, fault, *io));
            else
                note(0);
            out->abort(fault.kind == Fault::Kind::Reset);
            return true;
        }
        case Fault::Kind::Redirect: {
            http::Headers where;
            where.add("Location", fault.body.empty() ? "/elsewhere" : fault.body);
            note(302);
            out->send(302, std::move(where), "");
            return true;
        }
        case Fault::Kind::Status: {
            Refusal refusal{fault.status,
                            fault.status == 429   ? "TooManyRequests"
                            : fault.status == 503 ? "ServiceUnavailable"
                                                  : "InternalError",
                            "scripted fault: status " + std::to_string(fault.status),
                            Json::object(),
                            {}};
            if (fault.status == 429)
                headers.add("Retry-After", "1");
            note(fault.status);
            out->send(fault.status, std::move(headers), fault.body.empty() ? dump(statusJson(refusal)) : fault.body);
            return true;
        }
        case Fault::Kind::Gone:
            note(410);
            out->send(410, std::move(headers), dump(statusJson(expired("too old resource version"))));
            return true;
        case Fault::Kind::Html: {
            http::Headers html;
            html.add("Content-Type", "text/html; charset=utf-8");
            note(200);
            out->send(200, std::move(html),
                      fault.body.empty()
                          ? "<html><head><title>Sign in</title></head><body>Please sign in.</body></html>"
                          : fault.body);
            return true;
        }
        case Fault::Kind::Delay: {
            auto held_ = std::make_shared<std::unique_ptr<guard::Timers::Token>>();
            *held_ = io->timers().after(fault.delay, [this, request, out, held_] {
                const auto keep = held_;
                pump();
                pass(request, out);
                arm();
                keep->reset();
            });
            return true;
        }
        default:
            out = std::make_shared<FaultyResponder>(out, fault, *io);
            if (fault.kind == Fault::Kind::HalfOpen)
                held.push_back(out);
            swallowed = false;
            return true;
        }
    }
    return false;
}

void Simulator::Impl::serve(http::ServerRequest request, ResponderPtr out) {
    pump();
    bool swallowed = false;
    if (!faults.empty() && faulty(request, out, swallowed) && swallowed) {
        arm();
        return;
    }
    pass(std::move(request), std::move(out));
    arm();
}

const KindDef* Simulator::Impl::kindOf(const Json& object) {
    const auto apiVersion = str(at(object, "apiVersion"));
    const auto word = str(at(object, "kind"));
    if (apiVersion.empty() || word.empty())
        return nullptr;
    const auto slash = apiVersion.find('/');
    const auto group = slash == std::string::npos ? std::string() : apiVersion.substr(0, slash);
    if (const auto* known = world->kinds().findKind(group, word))
        return known;
    if (group.empty())
        return nullptr;
    KindDef def;
    def.group = group;
    def.version = apiVersion.substr(slash + 1);
    def.kind = word;
    def.resource = word;
    std::transform(def.resource.begin(), def.resource.end(), def.resource.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    def.singular = def.resource;
    def.resource += def.resource.ends_with('s') ? "es" : "s";
    def.namespaced = at(object, {"metadata", "namespace"}).is_string();
    def.subresources = {"status"};
    return &world->kinds().addCustom(std::move(def));
}

Simulator::Simulator(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

Simulator::~Simulator() {
    if (!impl_ || !impl_->io)
        return;
    impl_->io->run([this] {
        impl_->driver.reset();
        impl_->held.clear();
        impl_->server.reset();
        impl_->api.reset();
        impl_->controllers.reset();
        impl_->kubelet.reset();
        impl_->world.reset();
    });
}

guard::Result<std::unique_ptr<Simulator>> Simulator::start(SimulatorOptions options) {
    auto impl = std::make_unique<Impl>();
    impl->scenario = findScenario(options.scenario);
    if (impl->scenario == nullptr)
        return guard::fail(guard::ErrorCode::Config, "simulator", "there is no scenario \"" + options.scenario + "\"");
    impl->serverOptions.port = options.port;
    impl->serverOptions.maxConnections = 4096;
    if (options.tls) {
        auto tls = http::makeSelfMadeTls();
        if (!tls)
            return tl::unexpected(tls.error());
        impl->caPem = tls->caPem;
        impl->serverOptions.certPem = tls->certPem;
        impl->serverOptions.keyPem = tls->keyPem;
    }
    impl->options = std::move(options);
    impl->io = std::make_unique<http::IoThread>("simulator");
    guard::Result<void> listening;
    impl->io->run([&] {
        impl->build();
        listening = impl->listen();
        impl->arm();
    });
    std::unique_ptr<Simulator> simulator(new Simulator(std::move(impl)));
    if (!listening)
        return tl::unexpected(listening.error());
    return simulator;
}

int Simulator::port() const noexcept { return impl_->port; }
const ScenarioInfo& Simulator::scenario() const noexcept { return impl_->scenario->info; }

std::string Simulator::kubeconfig() const {
    const std::string server =
        std::string(impl_->options.tls ? "https" : "http") + "://127.0.0.1:" + std::to_string(impl_->port);
    std::string out = "apiVersion: v1\nkind: Config\nclusters:\n- name: demo\n  cluster:\n    server: " + server + "\n";
    if (impl_->options.tls)
        out += "    certificate-authority-data: " + encodeBase64(impl_->caPem) + "\n";
    out += "users:\n";
    for (const auto& [user, token] : impl_->tokens)
        out += "- name: \"" + user + "\"\n  user:\n    token: " + token + "\n";
    out += "contexts:\n- name: demo\n  context:\n    cluster: demo\n    user: admin\n    namespace: " +
           impl_->scenario->info.ns + "\n";
    for (const auto& [user, token] : impl_->tokens)
        if (user != "admin")
            out += "- name: \"" + user + "\"\n  context:\n    cluster: demo\n    user: \"" + user +
                   "\"\n    namespace: " + impl_->scenario->info.ns + "\n";
    return out + "current-context: demo\n";
}

void Simulator::advance(guard::Millis by) {
    impl_->onWorld([&] {
        impl_->virtualBase += by;
        impl_->pump();
    });
}

guard::WallTime Simulator::now() const {
    guard::WallTime now;
    impl_->onWorld([&] { now = impl_->world->now(); });
    return now;
}

void Simulator::addFault(Fault fault) {
    impl_->io->run([&] { impl_->faults.push_back(std::move(fault)); });
}

void Simulator::clearFaults() {
    impl_->io->run([&] {
        impl_->faults.clear();
        impl_->held.clear();
    });
}

std::vector<RequestRecord> Simulator::requests() const {
    const std::lock_guard lock(impl_->recordsMutex);
    return impl_->records;
}

guard::Result<void> Simulator::put(const nlohmann::json& object) {
    guard::Result<void> result;
    impl_->onWorld([&] {
        const auto* kind = impl_->kindOf(object);
        if (kind == nullptr || str(object, {"metadata", "name"}).empty()) {
            result = guard::fail(guard::ErrorCode::BadRequest, "simulator",
                                 "the object has no apiVersion, kind or name that can be stored");
            return;
        }
        if (kind->namespaced) {
            const auto ns = str(object, {"metadata", "namespace"}, "default");
            if (!impl_->world->find(impl_->world->kind("namespaces"), "", ns))
                impl_->world->write(impl_->world->kind("namespaces"), {{"metadata", {{"name", ns}}},
                                                                       {"spec", {{"finalizers", {"kubernetes"}}}},
                                                                       {"status", {{"phase", "Active"}}}});
        }
        impl_->world->write(*kind, object);
    });
    return result;
}

namespace {
guard::Error missing(std::string_view resource, std::string_view ns, std::string_view name) {
    return {guard::ErrorCode::NotFound, "simulator",
            std::string(resource) + " " + std::string(ns) + "/" + std::string(name) + " is not there"};
}
} // namespace

guard::Result<void> Simulator::remove(std::string_view group, std::string_view resource, std::string_view ns,
                                      std::string_view name) {
    guard::Result<void> result;
    impl_->onWorld([&] {
        const auto* kind = impl_->world->kinds().find(group, resource);
        if (kind == nullptr || !impl_->world->find(*kind, ns, name))
            result = tl::unexpected(missing(resource, ns, name));
        else
            impl_->world->erase(*kind, ns, name);
    });
    return result;
}

guard::Result<nlohmann::json> Simulator::get(std::string_view group, std::string_view resource, std::string_view ns,
                                             std::string_view name) const {
    guard::Result<nlohmann::json> result = tl::unexpected(missing(resource, ns, name));
    impl_->onWorld([&] {
        const auto* kind = impl_->world->kinds().find(group, resource);
        if (kind == nullptr)
            return;
        if (const auto entry = impl_->world->find(*kind, ns, name))
            result = entry->full();
    });
    return result;
}

void Simulator::compact() {
    impl_->onWorld([&] {
        impl_->world->compact();
        impl_->api->forgetSnapshots();
    });
}

void Simulator::dropConnections() {
    impl_->onWorld([&] {
        impl_->held.clear();
        impl_->server.reset();
        (void)impl_->listen();
    });
}

guard::Result<void> Simulator::mutate(std::string_view group, std::string_view resource, std::string_view ns,
                                      std::string_view name, const std::function<void(nlohmann::json&)>& change) {
    guard::Result<void> result;
    impl_->onWorld([&] {
        const auto* kind = impl_->world->kinds().find(group, resource);
        if (kind == nullptr || !impl_->world->find(*kind, ns, name)) {
            result = tl::unexpected(missing(resource, ns, name));
            return;
        }
        impl_->registry->amend(*kind, ns, name, change);
    });
    return result;
}

} // namespace alidade::simulator
