// SPDX-License-Identifier: GPL-3.0-or-later
// What it is for: the merged kubeconfig's entries as values, each with the file it came from.
// What it must not know: sockets, credentials' use.
// Thread: any; immutable once loaded.
#pragma once

#include "alidade/cluster/open.hpp"
#include "alidade/guard/text.hpp"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

namespace alidade::cluster {

using SecretText = std::shared_ptr<const guard::Secret<std::string>>;

struct ExecSpec {
    std::string command; ///< with a slash: against the file's folder; without: looked up in PATH
    std::string apiVersion;
    std::vector<std::string> arguments;
    std::vector<std::pair<std::string, std::string>> environment;
    std::string interactiveMode; ///< empty: not set
    std::string installHint;
    bool provideClusterInfo = false;
};

struct ClusterEntry {
    std::string name;
    std::string file; ///< as shown to people
    std::string server;
    std::string tlsServerName;
    std::string caFile;
    std::string caData; ///< decoded
    std::string proxyUrl;
    bool insecure = false;
    nlohmann::json execConfig; ///< extension client.authentication.k8s.io/exec
    std::optional<guard::Error> problem;
};

struct UserEntry {
    std::string name;
    std::string file;
    std::string certFile;
    std::string certData;
    std::string keyFile;
    SecretText keyData;
    SecretText token;
    std::string tokenFile;
    std::string username;
    SecretText password;
    std::string authProvider;
    std::string as;
    std::string asUid;
    std::vector<std::string> asGroups;
    std::vector<std::pair<std::string, std::vector<std::string>>> asExtra;
    std::optional<ExecSpec> exec;
    std::optional<guard::Error> problem;
};

struct ContextValue {
    std::string name;
    std::string file;
    std::string cluster;
    std::string user;
    std::string ns;
};

struct Kubeconfig::Impl {
    std::vector<ClusterEntry> clusters;
    std::vector<UserEntry> users;
    std::vector<ContextValue> contexts;
    std::string currentContext;
    std::vector<std::string> warnings;
    std::vector<std::string> files; ///< as shown to people, in order
    std::vector<guard::Error> brokenFiles;

    [[nodiscard]] const ClusterEntry* cluster(std::string_view name) const noexcept;
    [[nodiscard]] const UserEntry* user(std::string_view name) const noexcept;
    [[nodiscard]] const ContextValue* context(std::string_view name) const noexcept;
};

/// Takes one file's entries: a name that is there already stays as it was. Refused with file, line and field when a
/// value has the wrong type or a list names one entry twice.
[[nodiscard]] guard::Result<void> addKubeconfigText(Kubeconfig::Impl& config, const std::string& text,
                                                    const std::string& name, const std::string& directory);

/// Why the entry cannot be used, with the way out; by its values alone, no file is read.
[[nodiscard]] std::optional<guard::Error> problemOf(const Kubeconfig::Impl& config, const ContextValue& context);

/// "cluster entry \"prod\" in ~/.kube/config"
[[nodiscard]] std::string entryName(const ClusterEntry& entry);
[[nodiscard]] std::string entryName(const UserEntry& entry);
[[nodiscard]] std::string entryName(const ContextValue& entry);

} // namespace alidade::cluster
