// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What a dry run says a write would change: field by field, and as a folded text diff. Secrets masked, noise left out.
// Pure. Thread: any.
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "alidade/guard/payload.hpp"
#include "alidade/guard/write.hpp"

namespace alidade::cluster::writer {

struct Difference {
    std::vector<guard::FieldDiff> fields; ///< in the order of the object; at most 500
    std::string unified;                  ///< "  ", "- ", "+ " lines, three of context, folds as "@@"; at most 256 KiB
};
/// `intended` is what our request alone would make of `before` (null: not known); what differs from it was changed by
/// the server. managedFields, resourceVersion, generation, uid-like times and status are left out.
[[nodiscard]] Difference difference(const nlohmann::json& before, const nlohmann::json& intended,
                                    const nlohmann::json& after, const guard::Redactor& redactor);

/// A reading form of an object, like kubectl's YAML; not meant to be parsed again.
[[nodiscard]] std::vector<std::string> yamlLines(const nlohmann::json& value);

} // namespace alidade::cluster::writer
