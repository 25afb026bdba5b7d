// SPDX-License-Identifier: GPL-3.0-or-later
// Bounded lists of the graph's kinds, 4 at once, each turned into facts as it arrives; then the pure graph.
#include "reader/reads.hpp"

#include <utility>

namespace alidade::cluster {
namespace {

using guard::Coverage;
using guard::ErrorCode;
using nlohmann::json;

constexpr std::size_t kAtOnce = 4;
constexpr std::size_t kMaxObjects = 5000; ///< of one kind

struct Gathering {
    CorePtr core;
    std::optional<ObjectRef> root;
    std::string ns;
    int depth = 0;
    std::vector<KindId> sources; ///< still to be read
    std::size_t open = 0;
    std::vector<FactSet> facts;
    std::vector<guard::Gap> gaps;
    Done<Answer<Graph>> done;
};
using GatheringPtr = std::shared_ptr<Gathering>;

/// Kinds whose references are in their metadata: the rest of such an object is not asked for, a Secret's never.
bool metadataSuffices(const KindId& kind) {
    return kind == guard::kinds::secrets() || kind == guard::kinds::configMaps() || kind == guard::kinds::namespaces();
}

void finish(const GatheringPtr& all) {
    auto graph = buildGraph(std::move(all->facts), std::move(all->gaps));
    all->done(all->root ? around(graph, *all->root, all->depth) : std::move(graph));
}

void next(const GatheringPtr& all) {
    while (!all->sources.empty() && all->open < kAtOnce) {
        const KindId kind = all->sources.front();
        all->sources.erase(all->sources.begin());
        ++all->open;
        ListQuery request;
        request.kind = kind;
        request.scope.ns = kind.namespaced ? all->ns : std::string();
        request.limit = kMaxObjects;
        request.metadataOnly = metadataSuffices(kind);
        request.checkNamespace = false;
        all->core->list(std::move(request), [all, kind](const Result<Answer<Objects>>& answer) {
            --all->open;
            const std::string ns = kind.namespaced ? all->ns : std::string();
            if (!answer) {
                all->gaps.push_back(
                    sourceGap(kind, ns, guard::coverageOf(answer.error().code), answer.error().detail.substr(0, 512)));
            } else {
                for (const json& object : answer->partial()) {
                    all->facts.push_back(extractFacts(kind, object));
                }
                for (const guard::Gap& gap : answer->gaps()) {
                    all->gaps.push_back(sourceGap(kind, ns, gap.coverage, gap.reason));
                }
            }
            next(all);
        });
    }
    if (all->open == 0 && all->sources.empty()) {
        finish(all);
    }
}

} // namespace

void readRelations(const CorePtr& core, const std::shared_ptr<Discovery>& discovery, std::optional<ObjectRef> root,
                   const ListScope& scope, int depth, Done<Answer<Graph>> done) {
    auto all = std::make_shared<Gathering>();
    all->core = core;
    all->ns = root && root->key.kind.namespaced ? root->key.ns : scope.ns;
    all->root = std::move(root);
    all->depth = depth;
    all->done = std::move(done);
    if (!all->ns.empty() && !guard::validNamespace(all->ns)) {
        all->done(guard::fail(ErrorCode::BadRequest, "relations", "the namespace is not a valid name"));
        return;
    }
    discovery->get([all](const Result<Answer<Catalog>>& catalog) {
        if (!catalog) {
            all->done(tl::unexpected(catalog.error()));
            return;
        }
        for (const KindId& wanted : graphSources()) {
            const ResourceKind* served = catalog->partial().find(wanted);
            if (served != nullptr && served->can("list")) {
                all->sources.push_back(served->id); // in the version that this server has
            } else {
                const bool known = catalog->complete();
                all->gaps.push_back(sourceGap(wanted, wanted.namespaced ? all->ns : std::string(),
                                              Coverage::Unavailable,
                                              known ? "this server does not serve them" : "discovery is not complete"));
            }
        }
        next(all);
    });
}

} // namespace alidade::cluster
