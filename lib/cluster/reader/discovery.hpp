// SPDX-License-Identifier: GPL-3.0-or-later
// What it is for: which kinds the server serves, cached for the session.
// What it must not know: what is done with them.
// Thread: the I/O thread.
// Source: https://kubernetes.io/docs/concepts/overview/kubernetes-api/#discovery-api (aggregated v2, v2beta1; else per
// version)
#pragma once

#include "reader/reader_core.hpp"

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace alidade::cluster {

/// The resources of one group version, as both forms of discovery give them.
struct ServedVersion {
    std::string group;
    std::string version;
    bool preferred = false;
    bool stale = false;
    std::vector<ResourceKind> kinds;
};

/// APIGroupDiscoveryList -> versions in the server's order.
[[nodiscard]] std::vector<ServedVersion> readAggregated(const nlohmann::json& list);
/// APIResourceList -> the kinds of one version.
[[nodiscard]] std::vector<ResourceKind> readResources(const nlohmann::json& list, const std::string& group,
                                                      const std::string& version);
/// Each resource once: in its group's preferred version, else in the first that has it. Core first.
[[nodiscard]] std::vector<ResourceKind> preferredKinds(std::vector<ServedVersion> versions);

class Discovery {
public:
    using Ready = std::function<void(Result<Answer<Catalog>>)>;
    explicit Discovery(std::shared_ptr<ReaderCore> core);

    /// The cached catalog at once when there is one; an old or partial one is read again behind it.
    void get(Ready ready);

private:
    struct Round;
    void start();
    void readGroups(const std::shared_ptr<Round>& round, const std::string& root);
    void takeGroups(const std::shared_ptr<Round>& round, const std::string& root, Result<nlohmann::json> answer);
    void nextVersions(const std::shared_ptr<Round>& round);
    void finish(const std::shared_ptr<Round>& round);

    std::shared_ptr<ReaderCore> core_;
    std::optional<Answer<Catalog>> cached_;
    guard::MonoTime readAt_{};
    std::vector<Ready> waiting_;
    bool running_ = false;
    std::shared_ptr<int> alive_ = std::make_shared<int>(0);
};

} // namespace alidade::cluster
