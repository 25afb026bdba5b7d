// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Action -> the one request it stands for: conditional on the incarnation and on every old value it changes. Pure.
// Must not know: sockets, threads. Thread: any.
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "alidade/cluster_model/session.hpp"
#include "alidade/guard/action.hpp"
#include "alidade/guard/write.hpp"

namespace alidade::cluster::writer {

/// "/apis/apps/v1/namespaces/shop/deployments/checkout", each segment percent-encoded.
[[nodiscard]] std::string objectPath(const ObjectKey& key);

/// What a rendering needs beside the action. Missing parts are null.
struct Seen {
    nlohmann::json object;           ///< the target as read
    nlohmann::json scale;            ///< its scale subresource, for Scale
    std::vector<Revision> revisions; ///< for Rollback, newest first
    bool revisionsComplete = true;
};
/// `uid` empty: by name only, no UID test. Refused (paused, nothing to go back to, no such subresource) with the
/// reason.
[[nodiscard]] Result<guard::WriteRequest> render(const guard::Action& action, const std::string& uid, const Seen& seen,
                                                 guard::WallTime now);

/// What the request would make of the object, as far as we know without the server; null when it cannot be said.
[[nodiscard]] nlohmann::json applied(const guard::WriteRequest& request, const nlohmann::json& before);

/// Why a JSON Patch `test` or the UID precondition fails on the object as it is now: which value changed; empty when
/// all hold. `now` null: the object is gone.
[[nodiscard]] std::string changedSince(const guard::WriteRequest& request, const std::string& uid,
                                       const nlohmann::json& now);
/// Whether every change the request makes is in place in `now`.
[[nodiscard]] bool inPlace(const guard::WriteRequest& request, const nlohmann::json& now);

/// What people should know about what the change does and does not do, from the object itself.
[[nodiscard]] std::vector<std::string> notesOn(const guard::Action& action, const nlohmann::json& object);
/// Autoscalers that will set replicas again.
[[nodiscard]] std::vector<std::string> autoscalerNotes(const guard::Action& action,
                                                       const std::vector<nlohmann::json>& autoscalers);

} // namespace alidade::cluster::writer
