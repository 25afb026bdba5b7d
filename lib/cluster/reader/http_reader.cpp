// SPDX-License-Identifier: GPL-3.0-or-later
#include "reader/http_reader.hpp"

#include "reader/reads.hpp"

#include <utility>

namespace alidade::cluster {
namespace {

using guard::Raw;
using nlohmann::json;

/// Lives on the I/O thread.
struct Parts {
    std::shared_ptr<ReaderCore> core;
    std::shared_ptr<Discovery> discovery;
};

class HttpReader final : public ClusterReader {
public:
    HttpReader(std::shared_ptr<http::IoThread> io, std::shared_ptr<Transport> transport,
               std::shared_ptr<const guard::Clock> clock)
        : io_(std::move(io)), parts_(std::make_shared<Parts>()) {
        parts_->core = std::make_shared<ReaderCore>(std::move(transport), std::move(clock));
        parts_->discovery = std::make_shared<Discovery>(parts_->core);
    }
    ~HttpReader() override {
        // What is under way ends there, uncalled; its callbacks say so to whoever waits.
        io_->post([io = io_, parts = std::move(parts_)]() mutable {
            parts->core->cancelAll();
            parts.reset();
        });
    }
    HttpReader(const HttpReader&) = delete;
    HttpReader& operator=(const HttpReader&) = delete;

    void get(const ObjectKey& key, Done<Raw<json>> done) override {
        onIo([key, done = std::move(done)](Parts& parts) {
            parts.core->getObject(key, [key, done](Result<json> object) {
                if (!object) {
                    done(tl::unexpected(object.error()));
                } else {
                    done(Raw<json>(std::move(*object)));
                }
            });
        });
    }
    void list(const KindId& kind, const ListScope& scope, std::size_t limit,
              Done<Answer<std::vector<Raw<json>>>> done) override {
        ListQuery request;
        request.kind = kind;
        request.scope = scope;
        request.limit = std::max<std::size_t>(limit, 1);
        request.metadataOnly = kind == guard::kinds::secrets();
        onIo([request = std::move(request), done = std::move(done)](Parts& parts) {
            parts.core->list(request, [done](Result<Answer<Objects>> answer) {
                if (!answer) {
                    done(tl::unexpected(answer.error()));
                    return;
                }
                const std::string scopeText = answer->scope();
                auto gaps = answer->gaps();
                std::vector<Raw<json>> objects;
                for (json& object : std::move(*answer).partial()) {
                    objects.emplace_back(std::move(object));
                }
                done(Answer<std::vector<Raw<json>>>(std::move(objects), scopeText, std::move(gaps)));
            });
        });
    }
    void events(const ObjectRef& about, Done<Answer<std::vector<EventRecord>>> done) override {
        onIo([about, done = std::move(done)](Parts& parts) { readEvents(parts.core, about, done); });
    }
    void logs(const ObjectKey& pod, const LogOptions& options, Done<Raw<guard::LogText>> done) override {
        onIo([pod, options, done = std::move(done)](Parts& parts) { readLogs(parts.core, pod, options, done); });
    }
    void revisions(const ObjectRef& workload, Done<Answer<std::vector<Revision>>> done) override {
        onIo([workload, done = std::move(done)](Parts& parts) { readRevisions(parts.core, workload, done); });
    }
    void describe(const ObjectKey& key, Done<Raw<std::string>> done) override {
        onIo([key, done = std::move(done)](Parts& parts) { describeObject(parts.core, key, done); });
    }
    void catalog(Done<Answer<Catalog>> done) override {
        onIo([done = std::move(done)](Parts& parts) { parts.discovery->get(done); });
    }
    void access(std::string verb, const KindId& kind, std::string subresource, std::string ns, std::string name,
                Done<guard::AccessReview> done) override {
        onIo([verb = std::move(verb), kind, subresource = std::move(subresource), ns = std::move(ns),
              name = std::move(name), done = std::move(done)](Parts& parts) {
            reviewAccess(parts.core, verb, kind, subresource, ns, name, done);
        });
    }
    void relations(std::optional<ObjectRef> root, const ListScope& scope, int depth,
                   Done<Answer<Graph>> done) override {
        onIo([root = std::move(root), scope, depth, done = std::move(done)](Parts& parts) {
            readRelations(parts.core, parts.discovery, root, scope, depth, done);
        });
    }

private:
    template<class Work>
    void onIo(Work work) {
        io_->post([weak = std::weak_ptr(parts_), work = std::move(work)] {
            if (const auto parts = weak.lock()) {
                work(*parts);
            }
        });
    }

    std::shared_ptr<http::IoThread> io_;
    std::shared_ptr<Parts> parts_;
};

} // namespace

std::shared_ptr<ClusterReader> makeHttpReader(std::shared_ptr<http::IoThread> io, std::shared_ptr<Transport> transport,
                                              std::shared_ptr<const guard::Clock> clock) {
    return std::make_shared<HttpReader>(std::move(io), std::move(transport), std::move(clock));
}

} // namespace alidade::cluster
