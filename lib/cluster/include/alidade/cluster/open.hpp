// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// kubeconfig -> session. The only implementation of ClusterSession and ClusterReader, over alidade_http.
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "alidade/cluster_model/session.hpp"
#include "alidade/guard/clock.hpp"
#include "alidade/guard/process_runner.hpp"
#include "alidade/guard/result.hpp"

namespace alidade::http {
class IoThread;
}

namespace alidade::cluster {

/// Merged kubeconfig as client-go reads it: first file wins an entry, relative paths against their own file.
class Kubeconfig {
public:
    /// Files in order; a missing one contributes nothing (a warning), one that does not parse is a problem by its name.
    [[nodiscard]] static Result<Kubeconfig> load(const std::vector<std::string>& files);
    /// One text (the simulator's); `name` stands for the file in messages, relative paths resolve against `directory`.
    [[nodiscard]] static Result<Kubeconfig> parse(const std::string& text, const std::string& name,
                                                  const std::string& directory);
    /// KUBECONFIG split as the platform does, else ~/.kube/config.
    [[nodiscard]] static std::vector<std::string> defaultFiles(const std::map<std::string, std::string>& environment);
    /// What kubectl would use: the default files, or the pod's service account when there is no file and this is a pod.
    [[nodiscard]] static Result<Kubeconfig> loadDefault(const std::map<std::string, std::string>& environment);
    /// The service account mounted at `directory` (token, ca.crt, namespace) as the one context "in-cluster".
    [[nodiscard]] static Result<Kubeconfig> inCluster(const std::map<std::string, std::string>& environment,
                                                      const std::string& directory);
    /// KUBECONFIG's value by its separator (':' on POSIX, ';' on Windows); empty and repeated parts are dropped.
    [[nodiscard]] static std::vector<std::string> splitPathList(const std::string& list, char separator);

    [[nodiscard]] std::vector<ContextEntry> contexts() const;
    [[nodiscard]] const std::string& currentContext() const noexcept;
    /// The context to open: `wanted`, or the current one when that is empty. Never another one: a fault names the files,
    /// what is wrong with them, and the way out.
    [[nodiscard]] Result<std::string> contextToOpen(const std::string& wanted) const;
    [[nodiscard]] const std::vector<std::string>& warnings() const noexcept;

    struct Impl;
    [[nodiscard]] const std::shared_ptr<const Impl>& impl() const noexcept { return impl_; }

private:
    explicit Kubeconfig(std::shared_ptr<const Impl> impl) : impl_(std::move(impl)) {}
    std::shared_ptr<const Impl> impl_;
};

struct OpenOptions {
    std::string context;  ///< empty: the current one
    std::string ns;       ///< overrides the context's namespace when not empty
    guard::EpochId epoch;
    bool embedded = false;
    std::size_t maxWatches = 48;
    std::map<std::string, std::string> environment;  ///< PATH, NO_PROXY, HTTPS_PROXY for plugins and proxies
};

/// Starts the epoch's I/O thread and connects in the background; faults of the entry itself (missing file, bad key,
/// CA with insecure flag) are returned here, connection faults arrive through observeConnection.
[[nodiscard]] Result<std::shared_ptr<ClusterSession>> openSession(const Kubeconfig& config, OpenOptions options,
                                                                  std::shared_ptr<const guard::Clock> clock,
                                                                  std::shared_ptr<guard::ProcessRunner> processes);

/// The one ProcessRunner.
[[nodiscard]] std::shared_ptr<guard::ProcessRunner> makeProcessRunner();

}  // namespace alidade::cluster
