// SPDX-License-Identifier: GPL-3.0-or-later
// What it is for: tests on the real cluster that realcluster.sh has brought up: a namespace for each, kubectl, the
// verbs of failure, and what the API server's audit log says of us. What it must not know: how the cluster is made.
// Thread: the test's.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "person.hpp"
#include "program.hpp"

namespace alidade::test {

class RealCluster : public Alidadectl {
protected:
    RealCluster();
    ~RealCluster() override;

    /// Of LAB_RUN: admin, viewer, editor, nobody-at-all.
    [[nodiscard]] static std::string kubeconfig(const std::string& user = "admin");
    /// As the administrator, in the test's namespace unless the words name another.
    Outcome kubectl(std::vector<std::string> words) const;
    /// kubectl apply of a manifest; a failure fails the test.
    void apply(const std::string& yaml) const;
    /// A verb of realcluster.sh: kill-apiserver, start-apiserver, pause, resume.
    static Outcome lab(const std::vector<std::string>& words);
    /// Asks again until it holds; false when it does not within `limit`.
    static bool eventually(const std::function<bool()>& holds, std::chrono::seconds limit = std::chrono::seconds(90));
    /// Requests of ours that changed something in the test's namespace, in the order of the audit log.
    [[nodiscard]] std::vector<nlohmann::json> writesOfOurs() const;

    std::string ns_;
};

} // namespace alidade::test
