// SPDX-License-Identifier: GPL-3.0-or-later
// What it is for: what authenticates one kubeconfig user, kept fresh: token, password, rotating token file, exec
// plugin. What it must not know: requests, other users. Thread: the I/O thread; a plugin runs on a thread of its own
// and its answer is posted back.
#pragma once

#include "access/identity.hpp"
#include "alidade/guard/clock.hpp"
#include "alidade/guard/process_runner.hpp"
#include "alidade/http/io_thread.hpp"

#include <functional>
#include <map>
#include <memory>
#include <string>

namespace alidade::cluster {

/// What one request is authenticated with. A change of the certificate means another connection.
struct Authentication {
    SecretText authorization; ///< the header's value; null: none
    std::string certPem;      ///< replaces the endpoint's own when not empty
    SecretText keyPem;
};

class Credentials {
public:
    using Ready = std::function<void(guard::Result<Authentication>)>;
    virtual ~Credentials() = default;
    /// May call back at once. Joins a renewal under way. Nothing is called after destruction.
    virtual void get(Ready ready) = 0;
    /// The server refused what get() gave.
    virtual void refresh(std::function<void(guard::Result<void>)> done) = 0;
};

struct CredentialPorts {
    std::shared_ptr<http::IoThread> io;
    std::shared_ptr<const guard::Clock> clock;
    std::shared_ptr<guard::ProcessRunner> processes;
    std::map<std::string, std::string> environment;
};

/// A token file that cannot be read at the start is a fault of the entry.
[[nodiscard]] guard::Result<std::unique_ptr<Credentials>> makeCredentials(const Identity& identity,
                                                                          CredentialPorts ports);

} // namespace alidade::cluster
