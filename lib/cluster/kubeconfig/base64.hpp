// SPDX-License-Identifier: GPL-3.0-or-later
// What it is for: standard base64 (RFC 4648), as kubeconfigs, Secrets and plugin replies use it.
// What it must not know: what is inside.
// Thread: any.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace alidade::cluster {

/// nullopt for anything that is not base64; line breaks inside are skipped, as Go does.
[[nodiscard]] std::optional<std::string> decodeBase64(std::string_view text);
[[nodiscard]] std::string encodeBase64(std::string_view bytes);

} // namespace alidade::cluster
