// SPDX-License-Identifier: GPL-3.0-or-later
// Files -> one configuration; what can be said of an entry by its values alone.
#include "kubeconfig/entries.hpp"

#include "alidade/guard/object.hpp"
#include "alidade/http/message.hpp"
#include "kubeconfig/read_file.hpp"

#include <cstdlib>
#include <filesystem>

namespace alidade::cluster {
namespace {

using guard::Error;
using guard::ErrorCode;

constexpr std::size_t kMaxFileBytes = 16UL * 1024 * 1024;
constexpr const char* kServiceAccount = "/var/run/secrets/kubernetes.io/serviceaccount";

std::string shownPath(const std::string& path) {
    const char* home = std::getenv("HOME"); // NOLINT(concurrency-mt-unsafe)
    const std::string prefix = home == nullptr ? std::string() : std::string(home) + "/";
    return prefix.size() > 1 && path.starts_with(prefix) ? "~/" + path.substr(prefix.size()) : path;
}

std::string quoted(const std::string& text) { return "\"" + text + "\""; }

std::optional<Error> clusterProblem(const ClusterEntry& cluster) {
    const auto bad = [&](std::string why) { return Error(ErrorCode::Config, entryName(cluster), std::move(why)); };
    if (cluster.problem) {
        return cluster.problem;
    }
    if (cluster.server.empty()) {
        return bad("no server is set. Set one: kubectl config set-cluster " + cluster.name +
                   " --server=https://HOST:6443");
    }
    if (cluster.server.find('@') != std::string::npos) {
        return bad("the server address holds a user name or password. Move them to the user entry.");
    }
    const std::string url =
        cluster.server.find("://") == std::string::npos ? "https://" + cluster.server : cluster.server;
    if (!http::parseUrl(url)) {
        return bad("the server address " + quoted(cluster.server) + " is not an http or https URL. Correct it.");
    }
    if (cluster.insecure && (!cluster.caFile.empty() || !cluster.caData.empty())) {
        return bad("root certificates together with insecure-skip-tls-verify are not allowed. Remove one of the two: "
                   "the flag, if the certificate is right.");
    }
    return std::nullopt;
}

std::optional<Error> execProblem(const UserEntry& user) {
    const ExecSpec& exec = *user.exec;
    const auto bad = [&](std::string why) { return Error(ErrorCode::Config, entryName(user), std::move(why)); };
    constexpr std::string_view group = "client.authentication.k8s.io/";
    if (exec.command.empty()) {
        return bad("exec.command is not set. Name the credential plugin to run.");
    }
    if (exec.apiVersion == std::string(group) + "v1alpha1") {
        return bad("exec.apiVersion v1alpha1 is no longer supported (kubectl dropped it in 1.24). Update " +
                   quoted(exec.command) + " and write its kubeconfig again.");
    }
    const bool v1 = exec.apiVersion == std::string(group) + "v1";
    if (!v1 && exec.apiVersion != std::string(group) + "v1beta1") {
        return bad("exec.apiVersion " + quoted(exec.apiVersion) + " is not known. Use " + std::string(group) + "v1.");
    }
    if (exec.interactiveMode.empty() && v1) {
        return bad("exec.interactiveMode must be set with apiVersion v1. Set it to IfAvailable or Never.");
    }
    if (exec.interactiveMode == "Always") {
        return bad("the plugin " + quoted(exec.command) +
                   " wants a terminal (interactiveMode: Always), and there is none here. Log in with it in a terminal "
                   "first, or set interactiveMode to IfAvailable.");
    }
    if (!exec.interactiveMode.empty() && exec.interactiveMode != "Never" && exec.interactiveMode != "IfAvailable") {
        return bad("exec.interactiveMode " + quoted(exec.interactiveMode) + " is not known. Use Never or IfAvailable.");
    }
    for (const auto& [name, value] : exec.environment) {
        if (name.empty() || name.find('=') != std::string::npos) {
            return bad("exec.env holds a variable without a valid name. Correct it.");
        }
    }
    return std::nullopt;
}

std::optional<Error> userProblem(const UserEntry& user) {
    const auto bad = [&](std::string why) { return Error(ErrorCode::Config, entryName(user), std::move(why)); };
    if (user.problem) {
        return user.problem;
    }
    const bool hasCert = !user.certFile.empty() || !user.certData.empty();
    const bool hasKey = !user.keyFile.empty() || user.keyData != nullptr;
    if (hasCert != hasKey) {
        return bad(hasCert ? "a client certificate is set but no client key. Set client-key or client-key-data."
                           : "a client key is set but no client certificate. Set client-certificate or "
                             "client-certificate-data.");
    }
    if (!user.authProvider.empty()) {
        return bad("auth-provider " + quoted(user.authProvider) +
                   " was removed from kubectl in 1.26. Write the entry again with the provider's exec plugin.");
    }
    const bool token = user.token != nullptr || !user.tokenFile.empty();
    const bool basic = !user.username.empty() || user.password != nullptr;
    if (token && basic) {
        return bad("both a token and a password are set; only one is allowed. Remove one.");
    }
    if (user.as.empty() && (!user.asUid.empty() || !user.asGroups.empty() || !user.asExtra.empty())) {
        return bad("as-uid, as-groups or as-user-extra is set without \"as\". Set \"as\" or remove them.");
    }
    return user.exec ? execProblem(user) : std::nullopt;
}

} // namespace

std::string entryName(const ClusterEntry& entry) { return "cluster entry " + quoted(entry.name) + " in " + entry.file; }
std::string entryName(const UserEntry& entry) { return "user entry " + quoted(entry.name) + " in " + entry.file; }
std::string entryName(const ContextValue& entry) { return "context " + quoted(entry.name) + " in " + entry.file; }

std::optional<Error> problemOf(const Kubeconfig::Impl& config, const ContextValue& context) {
    const auto bad = [&](std::string why) { return Error(ErrorCode::Config, entryName(context), std::move(why)); };
    if (context.cluster.empty()) {
        return bad("no cluster set. Set one: kubectl config set-context " + context.name + " --cluster=NAME");
    }
    const ClusterEntry* cluster = config.cluster(context.cluster);
    if (cluster == nullptr) {
        return bad("its cluster " + quoted(context.cluster) +
                   " is in none of the files. Add the cluster entry or name "
                   "another one.");
    }
    if (auto problem = clusterProblem(*cluster)) {
        return problem;
    }
    if (!context.ns.empty() && !guard::validNamespace(context.ns)) {
        return bad("its namespace " + quoted(context.ns) + " is not a valid name. Correct it.");
    }
    if (context.user.empty()) {
        return std::nullopt;
    }
    const UserEntry* user = config.user(context.user);
    if (user == nullptr) {
        return bad("its user " + quoted(context.user) +
                   " is in none of the files. Add the user entry or name another "
                   "one.");
    }
    return userProblem(*user);
}

Result<Kubeconfig> Kubeconfig::load(const std::vector<std::string>& files) {
    auto impl = std::make_shared<Impl>();
    for (const std::string& path : files) {
        if (path.empty()) {
            continue;
        }
        const std::string shown = shownPath(path);
        impl->files.push_back(shown);
        auto text = readFile(path, kMaxFileBytes);
        if (!text) {
            if (text.error().code == ErrorCode::NotFound) {
                impl->warnings.push_back(shown + ": no such file");
            } else {
                impl->brokenFiles.emplace_back(ErrorCode::Config, shown, text.error().detail);
            }
            continue;
        }
        std::error_code ignored;
        const auto directory = std::filesystem::absolute(std::filesystem::path(path), ignored).parent_path();
        if (auto added = addKubeconfigText(*impl, *text, shown, directory.string()); !added) {
            impl->brokenFiles.push_back(added.error());
        }
        guard::wipe(text->data(), text->size());
    }
    if (!impl->brokenFiles.empty() && impl->contexts.empty()) {
        Error error = impl->brokenFiles.front();
        error.detail += ". Correct the file, or name another with --kubeconfig or KUBECONFIG.";
        return tl::unexpected(std::move(error));
    }
    for (const Error& broken : impl->brokenFiles) {
        impl->warnings.push_back(broken.text());
    }
    return Kubeconfig(std::move(impl));
}

Result<Kubeconfig> Kubeconfig::parse(const std::string& text, const std::string& name, const std::string& directory) {
    auto impl = std::make_shared<Impl>();
    impl->files.push_back(name);
    if (text.size() > kMaxFileBytes) {
        return guard::fail(ErrorCode::Config, name, "over 16 MiB: this is not a kubeconfig");
    }
    if (auto added = addKubeconfigText(*impl, text, name, directory); !added) {
        return tl::unexpected(added.error());
    }
    return Kubeconfig(std::move(impl));
}

Result<Kubeconfig> Kubeconfig::loadDefault(const std::map<std::string, std::string>& environment) {
    const std::vector<std::string> files = defaultFiles(environment);
    bool anyFile = false;
    for (const std::string& file : files) {
        std::error_code ignored;
        anyFile = anyFile || std::filesystem::exists(file, ignored);
    }
    const auto host = environment.find("KUBERNETES_SERVICE_HOST");
    if (anyFile || host == environment.end() || host->second.empty()) {
        return load(files);
    }
    return inCluster(environment, kServiceAccount);
}

Result<Kubeconfig> Kubeconfig::inCluster(const std::map<std::string, std::string>& environment,
                                         const std::string& directory) {
    const auto value = [&](const char* name) {
        const auto found = environment.find(name);
        return found == environment.end() ? std::string() : found->second;
    };
    const std::string host = value("KUBERNETES_SERVICE_HOST");
    const std::string port = value("KUBERNETES_SERVICE_PORT");
    const std::string where = "service account in " + directory;
    if (host.empty() || port.empty()) {
        return guard::fail(
            ErrorCode::Config, where,
            "KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT are not set: this does not run in a pod");
    }
    auto impl = std::make_shared<Impl>();
    impl->files.push_back(directory);
    ClusterEntry& cluster = impl->clusters.emplace_back();
    cluster.name = "in-cluster";
    cluster.file = directory;
    cluster.server = "https://" + (host.find(':') == std::string::npos ? host : "[" + host + "]") + ":" + port;
    cluster.caFile = directory + "/ca.crt";
    UserEntry& user = impl->users.emplace_back();
    user.name = "service-account";
    user.file = directory;
    user.tokenFile = directory + "/token";
    ContextValue& context = impl->contexts.emplace_back();
    context.name = "in-cluster";
    context.file = directory;
    context.cluster = cluster.name;
    context.user = user.name;
    if (const auto ns = readFile(directory + "/namespace", 1024); ns && guard::validNamespace(*ns)) {
        context.ns = *ns;
    }
    impl->currentContext = context.name;
    return Kubeconfig(std::move(impl));
}

std::vector<std::string> Kubeconfig::defaultFiles(const std::map<std::string, std::string>& environment) {
    const auto variable = environment.find("KUBECONFIG");
    if (variable != environment.end() && !variable->second.empty()) {
#ifdef _WIN32
        return splitPathList(variable->second, ';');
#else
        return splitPathList(variable->second, ':');
#endif
    }
    const auto home = environment.find("HOME");
    if (home == environment.end() || home->second.empty()) {
        return {};
    }
    return {home->second + "/.kube/config"};
}

std::vector<std::string> Kubeconfig::splitPathList(const std::string& list, char separator) {
    std::vector<std::string> files;
    std::size_t from = 0;
    while (from <= list.size()) {
        const std::size_t to = std::min(list.find(separator, from), list.size());
        std::string file = list.substr(from, to - from);
        if (!file.empty() && std::find(files.begin(), files.end(), file) == files.end()) {
            files.push_back(std::move(file));
        }
        from = to + 1;
    }
    return files;
}

std::vector<ContextEntry> Kubeconfig::contexts() const {
    std::vector<ContextEntry> entries;
    entries.reserve(impl_->contexts.size());
    for (const ContextValue& context : impl_->contexts) {
        ContextEntry& entry = entries.emplace_back();
        entry.name = context.name;
        entry.cluster = context.cluster;
        entry.user = context.user;
        entry.ns = context.ns;
        entry.current = context.name == impl_->currentContext;
        if (const ClusterEntry* cluster = impl_->cluster(context.cluster)) {
            entry.server = cluster->server.find('@') == std::string::npos ? cluster->server : std::string();
            entry.insecure = cluster->insecure || cluster->server.starts_with("http://");
        }
        entry.problem = problemOf(*impl_, context);
    }
    return entries;
}

Result<std::string> Kubeconfig::contextToOpen(const std::string& wanted) const {
    constexpr const char* kOther = "Name another file with --kubeconfig or KUBECONFIG";
    std::string files;
    for (const std::string& file : impl_->files) {
        files += (files.empty() ? "" : ", ") + file;
    }
    if (files.empty()) {
        return guard::fail(ErrorCode::Config, "kubeconfig",
                           "none is named, and HOME is not set. " + std::string(kOther) + ".");
    }
    std::string aside; // what a list of files left out may be just what is missed
    for (const std::string& warning : impl_->warnings) {
        aside += " Left out: " + warning + ".";
    }
    if (impl_->contexts.empty()) {
        if (impl_->files.size() == 1 && !impl_->warnings.empty()) {
            return guard::fail(ErrorCode::Config, files,
                               "no such file. Put it there, or name another with --kubeconfig or KUBECONFIG.");
        }
        return guard::fail(ErrorCode::Config, files,
                           "there is no context here. " + std::string(kOther) +
                               ", or get one from your cluster's provider." + aside);
    }
    std::string names;
    std::size_t shown = 0;
    for (const ContextValue& context : impl_->contexts) {
        if (++shown > 8) {
            names += ", and " + std::to_string(impl_->contexts.size() - 8) + " more";
            break;
        }
        names += (names.empty() ? "" : ", ") + quoted(context.name);
    }
    const std::string way = " Choose one with --context or kubectl config use-context: " + names + "." + aside;
    if (wanted.empty() && impl_->currentContext.empty()) {
        return guard::fail(ErrorCode::Config, files, "no current context is set." + way);
    }
    const std::string& name = wanted.empty() ? impl_->currentContext : wanted;
    if (impl_->context(name) == nullptr) {
        return guard::fail(ErrorCode::Config, files,
                           (wanted.empty() ? "current-context names " + quoted(name) + ", which is not here."
                                           : "there is no context " + quoted(name) + ".") +
                               way);
    }
    return name;
}

const std::string& Kubeconfig::currentContext() const noexcept { return impl_->currentContext; }
const std::vector<std::string>& Kubeconfig::warnings() const noexcept { return impl_->warnings; }

} // namespace alidade::cluster
