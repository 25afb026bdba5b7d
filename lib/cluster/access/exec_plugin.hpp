// SPDX-License-Identifier: GPL-3.0-or-later
// What it is for: a credential plugin's request and answer (client.authentication.k8s.io v1, v1beta1), by
// https://kubernetes.io/docs/reference/access-authn-authz/authentication/#client-go-credential-plugins
// What it must not know: when and on which thread it is run.
// Thread: any; pure.
#pragma once

#include "access/identity.hpp"
#include "alidade/guard/clock.hpp"
#include "alidade/guard/process_runner.hpp"

#include <map>
#include <optional>
#include <string>

namespace alidade::cluster {

struct ExecCredential {
    SecretText token;
    std::string certPem;
    SecretText keyPem;
    std::optional<guard::WallTime> expires;
};

[[nodiscard]] guard::ProcessRequest execRequest(const Identity& identity,
                                                const std::map<std::string, std::string>& environment);

/// What the plugin said, or why it is no credential, with its own words (standard error) and the way out.
[[nodiscard]] guard::Result<ExecCredential> execAnswer(const Identity& identity,
                                                       const guard::Result<guard::ProcessResult>& result);

} // namespace alidade::cluster
