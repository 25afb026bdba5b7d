// SPDX-License-Identifier: GPL-3.0-or-later
#include "reader/discovery.hpp"

#include "alidade/http/message.hpp"
#include "reader/json_fields.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace alidade::cluster {
namespace {

using guard::Coverage;
using guard::Gap;
using nlohmann::json;
using namespace std::chrono_literals;

constexpr auto kFresh = 10min;
constexpr auto kRetryPartial = 30s;
constexpr std::size_t kAtOnce = 6;
constexpr const char* kAggregated = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,"
                                    "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,"
                                    "application/json";

std::vector<std::string> texts(const json& list) {
    std::vector<std::string> out;
    for (const json& item : list) {
        if (item.is_string()) {
            out.push_back(item.get<std::string>());
        }
    }
    return out;
}

/// A name from the server that is to become a path segment.
bool plainName(const std::string& name) {
    return !name.empty() && name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-.") == std::string::npos;
}

std::string groupVersion(const ServedVersion& served) {
    return served.group.empty() ? served.version : served.group + "/" + served.version;
}

std::string versionPath(const ServedVersion& served) {
    return served.group.empty()
               ? "/api/" + http::percentEncode(served.version)
               : "/apis/" + http::percentEncode(served.group) + "/" + http::percentEncode(served.version);
}

} // namespace

std::vector<ServedVersion> readAggregated(const json& list) {
    std::vector<ServedVersion> versions;
    for (const json& group : elements(list, "items")) {
        const std::string name = textOf(child(group, "metadata"), "name");
        bool first = true;
        for (const json& version : elements(group, "versions")) {
            ServedVersion served;
            served.group = name;
            served.version = textOf(version, "version");
            served.preferred = std::exchange(first, false);
            served.stale = textOf(version, "freshness") == "Stale";
            for (const json& resource : elements(version, "resources")) {
                ResourceKind kind;
                kind.id.group = name;
                kind.id.version = served.version;
                kind.id.kind = textOf(child(resource, "responseKind"), "kind");
                kind.id.resource = textOf(resource, "resource");
                kind.id.namespaced = textOf(resource, "scope") == "Namespaced";
                kind.shortNames = texts(elements(resource, "shortNames"));
                kind.verbs = texts(elements(resource, "verbs"));
                kind.categories = texts(elements(resource, "categories"));
                if (plainName(kind.id.resource) && !kind.id.kind.empty()) {
                    served.kinds.push_back(std::move(kind));
                }
            }
            if (plainName(served.version) && (name.empty() || plainName(name))) {
                versions.push_back(std::move(served));
            }
        }
    }
    return versions;
}

std::vector<ResourceKind> readResources(const json& list, const std::string& group, const std::string& version) {
    std::vector<ResourceKind> kinds;
    for (const json& resource : elements(list, "resources")) {
        ResourceKind kind;
        kind.id.group = group;
        kind.id.version = version;
        kind.id.kind = textOf(resource, "kind");
        kind.id.resource = textOf(resource, "name");
        kind.id.namespaced = flagOf(resource, "namespaced");
        kind.shortNames = texts(elements(resource, "shortNames"));
        kind.verbs = texts(elements(resource, "verbs"));
        kind.categories = texts(elements(resource, "categories"));
        if (plainName(kind.id.resource) && !kind.id.kind.empty()) { // subresources have a '/'
            kinds.push_back(std::move(kind));
        }
    }
    return kinds;
}

std::vector<ResourceKind> preferredKinds(std::vector<ServedVersion> versions) {
    std::vector<std::string> groups;
    for (const ServedVersion& served : versions) {
        if (std::find(groups.begin(), groups.end(), served.group) == groups.end()) {
            groups.push_back(served.group);
        }
    }
    std::stable_partition(groups.begin(), groups.end(), [](const std::string& group) { return group.empty(); });
    std::vector<ResourceKind> kinds;
    for (const std::string& group : groups) {
        std::set<std::string> seen;
        for (const bool preferred : {true, false}) {
            for (ServedVersion& served : versions) {
                if (served.group != group || served.preferred != preferred) {
                    continue;
                }
                for (ResourceKind& kind : served.kinds) {
                    if (seen.insert(kind.id.resource).second) {
                        kinds.push_back(std::move(kind));
                    }
                }
            }
        }
    }
    return kinds;
}

struct Discovery::Round {
    std::vector<ServedVersion> versions;
    std::vector<Gap> gaps;
    std::string serverVersion;
    std::optional<guard::Error> failure; ///< of both roots: there is no catalog then
    std::vector<std::size_t> unread;     ///< versions whose resources are still to be asked for
    std::size_t open = 0;
};

Discovery::Discovery(std::shared_ptr<ReaderCore> core) : core_(std::move(core)) {}

void Discovery::get(Ready ready) {
    if (cached_) {
        const auto age = core_->clock().now() - readAt_;
        if (!running_ && (age >= kFresh || (!cached_->complete() && age >= kRetryPartial))) {
            start();
        }
        ready(*cached_);
        return;
    }
    waiting_.push_back(std::move(ready));
    if (!running_) {
        start();
    }
}

void Discovery::start() {
    running_ = true;
    auto round = std::make_shared<Round>();
    round->open = 3;
    core_->getJson("/version", [this, round, alive = std::weak_ptr(alive_)](const Result<json>& answer) {
        if (alive.expired()) {
            return;
        }
        if (answer) {
            round->serverVersion = textOf(*answer, "gitVersion");
        }
        --round->open;
        nextVersions(round);
    });
    readGroups(round, "/api");
    readGroups(round, "/apis");
}

void Discovery::readGroups(const std::shared_ptr<Round>& round, const std::string& root) {
    core_->getJson(
        root,
        [this, round, root, alive = std::weak_ptr(alive_)](Result<json> answer) {
            if (!alive.expired()) {
                takeGroups(round, root, std::move(answer));
            }
        },
        kAggregated);
}

void Discovery::takeGroups(const std::shared_ptr<Round>& round, const std::string& root, Result<json> answer) {
    --round->open;
    if (!answer) {
        round->gaps.push_back(gapOf("discovery of " + root, answer.error()));
        if (root == "/api") { // without the core group there is no catalog
            round->failure = answer.error();
        }
        nextVersions(round);
        return;
    }
    if (textOf(*answer, "kind") == "APIGroupDiscoveryList") {
        for (ServedVersion& served : readAggregated(*answer)) {
            if (served.stale) {
                round->gaps.push_back(Gap{"discovery of " + groupVersion(served), Coverage::Unavailable,
                                          "the server could not reach this API; what it says of it is old"});
            }
            round->versions.push_back(std::move(served));
        }
        nextVersions(round);
        return;
    }
    const auto add = [&](const std::string& group, const std::string& version, bool preferred) {
        if (plainName(version) && (group.empty() || plainName(group))) {
            round->unread.push_back(round->versions.size());
            round->versions.push_back(ServedVersion{group, version, preferred, false, {}});
        }
    };
    if (root == "/api") {
        bool first = true;
        for (const std::string& version : texts(elements(*answer, "versions"))) {
            add("", version, std::exchange(first, false));
        }
    }
    for (const json& group : elements(*answer, "groups")) {
        const std::string preferred = textOf(child(group, "preferredVersion"), "version");
        for (const json& version : elements(group, "versions")) {
            const std::string name = textOf(version, "version");
            add(textOf(group, "name"), name, name == preferred);
        }
    }
    nextVersions(round);
}

void Discovery::nextVersions(const std::shared_ptr<Round>& round) {
    while (!round->unread.empty() && round->open < kAtOnce) {
        const std::size_t index = round->unread.front();
        round->unread.erase(round->unread.begin());
        ++round->open;
        core_->getJson(versionPath(round->versions[index]),
                       [this, round, index, alive = std::weak_ptr(alive_)](const Result<json>& answer) {
                           if (alive.expired()) {
                               return;
                           }
                           --round->open;
                           ServedVersion& served = round->versions[index];
                           if (answer) {
                               served.kinds = readResources(*answer, served.group, served.version);
                           } else {
                               round->gaps.push_back(gapOf("discovery of " + groupVersion(served), answer.error()));
                           }
                           nextVersions(round);
                       });
    }
    if (round->open == 0 && round->unread.empty()) {
        finish(round);
    }
}

void Discovery::finish(const std::shared_ptr<Round>& round) {
    running_ = false;
    readAt_ = core_->clock().now();
    Result<Answer<Catalog>> result = guard::fail(guard::ErrorCode::Internal, "discovery", "no answer");
    if (round->failure) {
        result = tl::unexpected(*round->failure);
    } else {
        Catalog catalog;
        catalog.serverVersion = round->serverVersion;
        catalog.kinds = preferredKinds(std::move(round->versions));
        result = Answer<Catalog>(std::move(catalog), "discovery", std::move(round->gaps));
        cached_ = *result;
    }
    const std::weak_ptr<int> alive = alive_;
    for (Ready& ready : std::exchange(waiting_, {})) {
        if (alive.expired()) {
            return;
        }
        ready(result);
    }
}

} // namespace alidade::cluster
