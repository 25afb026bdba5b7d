// SPDX-License-Identifier: GPL-3.0-or-later
// What it is for: kinds, names and options -> request targets. Every part is checked before it becomes one.
// What it must not know: connections.
// Thread: any; pure.
#pragma once

#include "alidade/cluster_model/session.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace alidade::cluster {

/// Subresources that the reader may read; others have no name here.
enum class Subresource { None, Log };

/// "/apis/apps/v1/namespaces/shop/deployments/checkout". BadRequest when a part is not one: nothing is sent then.
[[nodiscard]] guard::Result<std::string> objectPath(const guard::ObjectKey& key, Subresource sub = Subresource::None);
/// "/api/v1/pods" for an empty namespace.
[[nodiscard]] guard::Result<std::string> listPath(const guard::KindId& kind, const std::string& ns);

/// "?a=b&c=d", values percent-encoded, empty values left out.
[[nodiscard]] std::string queryText(const std::vector<std::pair<std::string, std::string>>& parameters);

} // namespace alidade::cluster
