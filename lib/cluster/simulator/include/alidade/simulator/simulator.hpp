// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// An embedded Kubernetes API server with controllers, scheduler and kubelet behaviour on a virtual clock.
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "alidade/guard/clock.hpp"
#include "alidade/guard/result.hpp"

namespace alidade::simulator {

struct ScenarioInfo {
    std::string id; ///< "checkout-bad-image", "payments-bad-image", "healthy", ...
    std::string title;
    std::string summary;
    std::string ns; ///< the namespace in trouble
};
[[nodiscard]] std::vector<ScenarioInfo> scenarios();

/// A scripted fault of the transport or server, applied to matching requests.
struct Fault {
    enum class Kind : std::uint8_t {
        CloseBeforeAnswer, ///< the request has been carried out when `carriedOut`
        Reset,
        Delay,
        AnswerTwice,
        Redirect,
        Status,
        HalfOpen,
        SlowChunks,
        SplitChunks,
        Truncate,
        Gone,
        Html
    };
    // CloseBeforeAnswer, Reset  the connection ends without an answer
    // Delay       answered after `delay`
    // AnswerTwice the same answer twice on one connection
    // Redirect    302 to `body`
    // Status      `status` with `body`, or a Status object where `body` is empty
    // HalfOpen    the connection stays open; what is written within `delay` still arrives, nothing after it
    // SlowChunks  a body in pieces, `delay` apart; SplitChunks: a body byte by byte
    // Truncate    half of the body, then the connection ends
    // Gone        410 as HTTP status
    // Html        200 with a page of a proxy
    Kind kind = Kind::Status;
    std::string method;     ///< "" any
    std::string pathPrefix; ///< "" any
    int skip = 0;           ///< matching requests let through first
    int times = 1;          ///< -1 for ever
    bool carriedOut = false;
    int status = 500;
    std::string body; ///< for Status and Html
    guard::Millis delay{0};
};

/// One request as the server saw it (tests count them).
struct RequestRecord {
    std::string method;
    std::string target;
    std::string user;
    std::string contentType;
    std::string body;
    int status = 0;
    bool dryRun = false;
};

/// Rights of a user, for SelfSubjectAccessReview and enforcement.
struct Rule {
    std::vector<std::string> verbs, groups, resources, namespaces; ///< "*" is any; empty namespaces: all
};
struct User {
    std::string name;
    std::vector<Rule> rules;
};

struct SimulatorOptions {
    std::string scenario = "checkout-bad-image";
    bool tls = true; ///< false in tests only
    int port = 0;
    bool realTime = true; ///< the virtual clock follows the wall clock (times `speed`); false: only advance() moves it
    double speed = 1.0;
    /// When the scenario's fault begins, in virtual seconds after start; negative: it began that long ago and has
    /// unfolded.
    double incidentAfterSeconds = 4.0;
    std::vector<User> users; ///< beside "admin"
    bool watchList = true;   ///< sendInitialEvents served
    bool recordRequests = false;
    int pods = 0; ///< generated filler pods (benchmarks)
    int podPaddingBytes = 0;
};

/// Owns its I/O thread and world; thread-safe.
class Simulator {
public:
    [[nodiscard]] static guard::Result<std::unique_ptr<Simulator>> start(SimulatorOptions options);
    ~Simulator();
    Simulator(const Simulator&) = delete;
    Simulator& operator=(const Simulator&) = delete;

    [[nodiscard]] int port() const noexcept;
    /// For kubectl and for us: CA and token inside. Context name "demo"; one more context per user.
    [[nodiscard]] std::string kubeconfig() const;
    [[nodiscard]] const ScenarioInfo& scenario() const noexcept;

    /// Moves the virtual clock; controllers, kubelets and the scenario act on the way. Waits for its end.
    void advance(guard::Millis by);
    [[nodiscard]] guard::WallTime now() const;

    void addFault(Fault fault);
    void clearFaults();
    [[nodiscard]] std::vector<RequestRecord> requests() const;

    /// Creates or replaces an object as it stands (tests, dumps). The world's resourceVersion moves.
    guard::Result<void> put(const nlohmann::json& object);
    guard::Result<void> remove(std::string_view group, std::string_view resource, std::string_view ns,
                               std::string_view name);
    [[nodiscard]] guard::Result<nlohmann::json> get(std::string_view group, std::string_view resource,
                                                    std::string_view ns, std::string_view name) const;
    /// Drops watch history: every resume from an older resourceVersion gets 410.
    void compact();
    /// Closes every connection.
    void dropConnections();

    /// In-process change for the naive drill, past every gate, as a script would do it.
    guard::Result<void> mutate(std::string_view group, std::string_view resource, std::string_view ns,
                               std::string_view name, const std::function<void(nlohmann::json&)>& change);

private:
    struct Impl;
    explicit Simulator(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

} // namespace alidade::simulator
