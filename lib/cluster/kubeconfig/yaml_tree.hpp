// SPDX-License-Identifier: GPL-3.0-or-later
// What it is for: YAML text as a small tree that keeps lines and remembers what was quoted.
// What it must not know: kubeconfig.
// Thread: any; values only.
#pragma once

#include "alidade/guard/result.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace alidade::cluster {

struct YamlField;

struct YamlNode {
    enum class Kind { Null, Scalar, Sequence, Map };
    Kind kind = Kind::Null;
    bool plain = false; ///< a scalar without quotes: subject to YAML's guesses
    int line = 0;       ///< from 1
    std::string text;
    std::vector<YamlNode> items;
    std::vector<YamlField> fields;

    [[nodiscard]] const YamlNode* field(std::string_view name) const noexcept;
};
struct YamlField {
    std::string name;
    YamlNode value;
};

/// The first document; an empty text is Null. Refused with file and line: bad syntax, a repeated key, a key that is not
/// text, an alias inside its own anchor, more than `maxNodes` nodes after aliases are expanded. "<<" merges as YAML 1.1
/// says.
[[nodiscard]] guard::Result<YamlNode> parseYaml(const std::string& text, const std::string& name,
                                                std::size_t maxNodes = 500'000);

/// What YAML 1.1 makes of an unquoted scalar, as Go's reader (kubectl) does; a lone "y" or "n" stays text, as newer ones
/// have it.
enum class PlainScalar { Text, Null, Bool, Number };
[[nodiscard]] PlainScalar resolvePlain(std::string_view text) noexcept;
[[nodiscard]] bool isYamlTrue(std::string_view text) noexcept;

/// The tree as JSON (plugin configuration in a cluster's extensions).
[[nodiscard]] nlohmann::json toJson(const YamlNode& node);

} // namespace alidade::cluster
