// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// An authenticated way to one API server: http client + credentials of one kubeconfig user. I/O thread only.
// Adds Authorization or the client certificate, impersonation headers, the server's base path, Accept and User-Agent.
// Never retries; a 401 makes the credentials stale, and the caller may ask again once after refresh().
#include <functional>
#include <memory>
#include <string>

#include "alidade/cluster_model/session.hpp"
#include "alidade/guard/result.hpp"
#include "alidade/http/client.hpp"

namespace alidade::cluster {

/// A Status object, plain text or HTML, as an Error: code by HTTP status and reason (webhook refusals told apart from
/// RBAC), HTML never shown as such. `where` names the request and the context.
[[nodiscard]] guard::Error errorFromResponse(const std::string& where, const http::ResponseHead& head,
                                             const std::string& body);

class Transport {
public:
    virtual ~Transport() = default;
    /// Credentials are made ready first (exec plugin, token file); the call then starts. `request.target` is relative to
    /// the server's base path and begins with '/'. The handle cancels at any of these moments.
    [[nodiscard]] virtual std::unique_ptr<http::Call> start(http::Request request, http::CallOptions options,
                                                            http::CallHandler handler) = 0;
    /// The whole answer; a status of 400 and over becomes an Error with its Status (errorFromResponse).
    [[nodiscard]] virtual std::unique_ptr<http::Call> fetch(http::Request request, http::CallOptions options,
                                                            std::function<void(Result<http::Response>, bool sent)> done) = 0;
    /// Gets new credentials (after a 401); joins a refresh under way.
    virtual void refresh(std::function<void(Result<void>)> done) = 0;
    /// errorFromResponse for the head and body of a start(), naming the kubeconfig's entries and the way out as fetch()
    /// does. Connection faults that `handler.done` gets, and a web page instead of an answer, are explained already.
    [[nodiscard]] virtual guard::Error refusal(const std::string& where, const http::ResponseHead& head,
                                               const std::string& body) const {
        return errorFromResponse(where, head, body);
    }
    /// An answer that came whole and is not what was asked for, named in the same way.
    [[nodiscard]] virtual guard::Error misread(const std::string& where, const std::string& detail) const {
        return {guard::ErrorCode::Protocol, where, detail};
    }
    [[nodiscard]] virtual http::IoThread& io() noexcept = 0;
};

/// What sessions made by openSession() also are: the writer takes identity and I/O thread from here.
class TransportSession : public ClusterSession {
public:
    /// Lives as long as the session.
    [[nodiscard]] virtual Transport& transport() noexcept = 0;
};

}  // namespace alidade::cluster
