// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The one thing that changes a cluster. A dry run takes a DryRunRequest, which always says so; a real request takes an
// Audited, which is consumed. One request per execute, on a fresh connection; never retried, never redirected.
// Must not know: proposals waiting, people. Thread: the write thread; requests travel on the session's I/O thread.
#include <memory>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "alidade/cluster/transport.hpp"
#include "alidade/guard/clock.hpp"
#include "alidade/guard/write.hpp"
#include "slot.hpp"

namespace alidade::cluster::writer {

/// A request that asks only what would happen: its serialiser sets dryRun=All, whatever it was made from.
class DryRunRequest {
public:
    explicit DryRunRequest(const guard::WriteRequest& request) : request_(request) {}
    [[nodiscard]] http::Request serialised() const;

private:
    guard::WriteRequest request_;
};

/// What came back, whatever it was.
struct Answer {
    int status = 0; ///< 0: no response head arrived
    std::string body;
    std::vector<std::string> warnings; ///< texts of the Warning headers
    bool whole = false;                ///< the body ended as its framing says
    bool sent = false;                 ///< bytes may have left
    std::optional<guard::Error> error; ///< of the exchange, or what the status stands for
};

class Writer {
public:
    /// `session` must be a TransportSession.
    Writer(std::shared_ptr<TransportSession> session, std::shared_ptr<const guard::Clock> clock);

    [[nodiscard]] SlotPtr<Answer> preview(const DryRunRequest& request) const;
    /// A read of ours, e.g. a scale subresource; a status of 300 and over is an error.
    [[nodiscard]] SlotPtr<nlohmann::json> read(const std::string& path) const;
    [[nodiscard]] SlotPtr<nlohmann::json> object(const ObjectKey& key) const;

    /// Epoch, expiry, digest, the UID by one GET, then the brake, last; a refusal there is NotSent. Then the request,
    /// once.
    [[nodiscard]] guard::WriteOutcome execute(guard::Audited audited, const guard::Brake& brake) const;

    /// Null once the session is gone. It is never held by a request under way: those end with it.
    [[nodiscard]] std::shared_ptr<TransportSession> session() const noexcept { return session_.lock(); }
    [[nodiscard]] const std::shared_ptr<const guard::Clock>& clock() const noexcept { return clock_; }

private:
    [[nodiscard]] SlotPtr<Answer> send(http::Request request, http::Connection connection, guard::Millis deadline,
                                       const guard::Brake* brake) const;
    [[nodiscard]] std::optional<std::string> refusal(const guard::Audited& audited) const;
    [[nodiscard]] guard::WriteOutcome judged(const guard::Audited& audited, const Answer& answer) const;
    /// null: gone; an error: not readable.
    [[nodiscard]] guard::Result<nlohmann::json> reread(const guard::Audited& audited) const;

    std::weak_ptr<TransportSession> session_;
    std::shared_ptr<const guard::Clock> clock_;
};

} // namespace alidade::cluster::writer
