// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The API server over the world: routes, and what each verb does. Knows no sockets beyond http's Responder.
#include <deque>
#include <functional>
#include <list>
#include <memory>
#include <string>
#include <vector>

#include "alidade/http/server.hpp"
#include "api/access.hpp"
#include "api/negotiate.hpp"
#include "api/tables/table.hpp"
#include "kubelet/kubelet.hpp"
#include "world/registry.hpp"
#include "world/selectors.hpp"

namespace alidade::simulator {

using ResponderPtr = std::shared_ptr<http::Responder>;

/// One request, taken apart.
struct Call {
    http::ServerRequest request;
    ResponderPtr out;
    std::string user;
    const Served* served = nullptr;
    std::string ns, name, subresource;
    std::string verb; ///< get, list, watch, create, update, patch, delete, deletecollection
    [[nodiscard]] bool dryRun() const { return !param(request, "dryRun").empty(); }
};

class Watcher;

class ApiServer {
public:
    struct Options {
        bool watchList = true;
        std::string version = "v1.32.4";
    };
    ApiServer(Registry& registry, Kubelet& kubelet, Access& access, Options options);
    ~ApiServer();
    ApiServer(const ApiServer&) = delete;
    ApiServer& operator=(const ApiServer&) = delete;

    void handle(http::ServerRequest request, ResponderPtr out, std::string* user);
    /// Drops the snapshots of paged lists (with the world's history).
    void forgetSnapshots() { snapshots_.clear(); }
    [[nodiscard]] std::size_t watchers() const noexcept { return watchers_.size(); }

private:
    // routes.cpp
    bool route(Call& call, const std::vector<std::string>& segments);
    void dispatch(Call call);
    void special(Call call, const std::vector<std::string>& segments);
    void review(Call call, const std::string& group, const std::string& resource);
    // discovery.cpp
    bool discovery(const Call& call, const std::vector<std::string>& segments);
    void openapi(const Call& call, const std::vector<std::string>& segments);
    // read.cpp
    void get(Call& call);
    void list(Call& call);
    // watch.cpp
    void watch(Call& call);
    // write.cpp
    void create(Call& call);
    void update(Call& call);
    void patch(Call& call);
    void remove(Call& call);
    void removeCollection(Call& call);
    // apply.cpp
    void apply(Call& call, const Json& wanted);
    // subresources.cpp
    void scale(Call& call);
    void log(Call& call);
    void evict(Call& call);
    void bind(Call& call);
    // metrics.cpp
    bool metrics(Call& call, const std::vector<std::string>& segments);

    void refuse(const Call& call, const Refusal& refusal);
    void answer(const Call& call, int status, const Json& body);
    void answerBytes(const Call& call, int status, std::string body, std::string_view type = "application/json");
    /// An object in the form that was asked for.
    void answerObject(const Call& call, int status, const Entry& entry);
    [[nodiscard]] Outcome<Json> body(const Call& call) const;
    [[nodiscard]] Outcome<EntryPtr> target(const Call& call) const;
    [[nodiscard]] Actor actor(const Call& call) const;
    [[nodiscard]] Outcome<DeleteOptions> deleteOptions(const Call& call) const;
    void streamList(const Call& call, std::string head, std::vector<EntryPtr> entries, std::string tail);
    [[nodiscard]] http::Headers headers(std::string_view type) const;

    struct Snapshot {
        std::size_t kind = 0;
        std::uint64_t rv = 0;
        std::shared_ptr<const std::vector<EntryPtr>> entries;
    };
    std::shared_ptr<const std::vector<EntryPtr>> snapshot(const KindDef& kind, std::uint64_t rv) const;

    Registry& registry_;
    World& world_;
    Kubelet& kubelet_;
    Access& access_;
    Options options_;
    std::deque<Snapshot> snapshots_;
    std::list<std::shared_ptr<Watcher>> watchers_;
    std::list<std::shared_ptr<void>> streams_;

    friend class Watcher;
};

} // namespace alidade::simulator
