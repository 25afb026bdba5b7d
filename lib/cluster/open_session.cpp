// SPDX-License-Identifier: GPL-3.0-or-later
#include "alidade/cluster/open.hpp"

#include "access/credentials.hpp"
#include "access/http_transport.hpp"
#include "access/identity.hpp"
#include "reader/http_reader.hpp"
#include "session.hpp"

#include <thread>
#include <utility>

namespace alidade::cluster {
namespace {

/// The last reference may fall on the I/O thread itself, which cannot join itself.
void endThread(http::IoThread* io) {
    if (io->isCurrent()) {
        std::thread([io] { delete io; }).detach();
    } else {
        delete io;
    }
}

} // namespace

Result<std::shared_ptr<ClusterSession>> openSession(const Kubeconfig& config, OpenOptions options,
                                                    std::shared_ptr<const guard::Clock> clock,
                                                    std::shared_ptr<guard::ProcessRunner> processes) {
    http::ensureApplication(); // certificates are read before the I/O thread is there
    auto identity = resolveIdentity(config, options.context, options.ns, options.environment);
    if (!identity) {
        return tl::unexpected(identity.error());
    }
    identity->info.epoch = options.epoch;
    identity->info.embedded = options.embedded;
    const SessionInfo info = identity->info;
    auto io = std::shared_ptr<http::IoThread>(new http::IoThread("cluster " + info.context), endThread);
    auto credentials =
        makeCredentials(*identity, CredentialPorts{io, clock, std::move(processes), options.environment});
    if (!credentials) {
        return tl::unexpected(credentials.error());
    }
    auto transport = makeHttpTransport(std::move(*identity), std::move(*credentials), io, clock);
    auto reader = makeHttpReader(io, transport, clock);
    return makeSession(info, std::move(io), std::move(transport), std::move(reader), std::move(clock),
                       options.maxWatches);
}

} // namespace alidade::cluster
