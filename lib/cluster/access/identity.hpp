// SPDX-License-Identifier: GPL-3.0-or-later
// What it is for: one context of a kubeconfig, resolved: whom to talk to, as whom, and how faults are to be named.
// What it must not know: requests.
// Thread: any; reads the files that the entry names.
#pragma once

#include "alidade/http/client.hpp"
#include "kubeconfig/entries.hpp"

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace alidade::cluster {

struct Identity {
    SessionInfo info; ///< without the epoch
    http::Endpoint endpoint;
    std::string basePath;
    std::vector<std::pair<std::string, std::string>> impersonation; ///< request headers
    UserEntry user;
    bool sendCredentials = true; ///< false over plain http, as kubectl has it
    nlohmann::json execCluster;  ///< for a plugin with provideClusterInfo
    std::string contextName;     ///< "context prod"
    std::string clusterEntry;    ///< "cluster entry \"prod\" in ~/.kube/config"
    std::string userEntry;       ///< empty without a user
    std::optional<guard::WallTime> certificateExpires;
};

/// Faults of the entry (missing file, broken certificate, encrypted key, unknown context) come back with file, entry
/// and way out.
[[nodiscard]] guard::Result<Identity> resolveIdentity(const Kubeconfig& config, const std::string& context,
                                                      const std::string& ns,
                                                      const std::map<std::string, std::string>& environment);

} // namespace alidade::cluster
