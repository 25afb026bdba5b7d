// SPDX-License-Identifier: GPL-3.0-or-later
// What it is for: states and errors as sentences: what happened, where, and what to do.
// What it must not know: widgets.
// Thread: any.
#pragma once

#include <QFont>
#include <QString>

#include "alidade/cluster_model/session.hpp"

namespace alidade::ui {

/// "Watching, last change 3 s ago", "Stale since 14:02:07: connection refused".
[[nodiscard]] QString freshnessText(const cluster::Freshness& freshness, guard::WallTime now);
/// Rows are known to be current (or as current as polling gets).
[[nodiscard]] bool isFresh(const cluster::Freshness& freshness);
/// "3 s", "5 min", "2 h": how long ago, coarse.
[[nodiscard]] QString agoText(guard::WallTime then, guard::WallTime now);

/// The error's kind as a sentence's beginning: "Forbidden", "Cannot be reached".
[[nodiscard]] QString errorTitle(guard::ErrorCode code);
/// Where and what, as the error says it; plain text.
[[nodiscard]] QString errorDetail(const guard::Error& error);
/// What a person can do about it; may be empty.
[[nodiscard]] QString errorAdvice(guard::ErrorCode code);
[[nodiscard]] QString connectionText(const cluster::ConnectionState& state);

[[nodiscard]] QString objectText(const guard::ObjectKey& key); ///< "deployment shop/checkout"

/// Headings: level 1 is x1.5, level 2 x1.25, semibold.
[[nodiscard]] QFont headingFont(int level);
[[nodiscard]] QFont monoFont();
[[nodiscard]] QFont smallFont();

} // namespace alidade::ui
