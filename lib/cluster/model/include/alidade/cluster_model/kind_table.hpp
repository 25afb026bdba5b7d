// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Kinds by the apiVersion and kind that references carry. Must not know discovery. Thread: any.
#include <string_view>

#include "alidade/guard/object.hpp"

namespace alidade::cluster {

/// The well-known kind, or one made from the words (plural guessed for display only: such references carry a UID).
[[nodiscard]] guard::KindId kindFromReference(std::string_view apiVersion, std::string_view kind);

} // namespace alidade::cluster
