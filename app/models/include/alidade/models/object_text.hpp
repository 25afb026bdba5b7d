// SPDX-License-Identifier: GPL-3.0-or-later
// What it is for: one object's JSON as YAML with a way from field to line, and the facts of its overview.
// What it must not know: widgets. Secret values never leave here.
// Thread: any; values.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <QString>

#include <nlohmann/json_fwd.hpp>

#include "alidade/cluster_model/rows.hpp"
#include "alidade/guard/object.hpp"

namespace alidade::models {

struct YamlDocument {
    QString text;                       ///< controls visible; one line per entry of `pointers`
    std::vector<std::string> pointers;  ///< RFC 6901, per line
    /// The line of the field, or of its nearest ancestor that has one; -1 when there is none.
    [[nodiscard]] int lineOf(std::string_view pointer) const;
};
/// managedFields are left out; a Secret's data and stringData stand as "<12 bytes, hidden>".
[[nodiscard]] YamlDocument toYaml(const nlohmann::json& object);

struct ConditionFact {
    QString type;
    QString status;
    QString reason;
    QString message;
    QString since;      ///< RFC 3339 as given
    bool bad = false;   ///< Ready is bad when not True, pressure when True
};
struct ContainerFact {
    QString name;
    QString image;
    QString state;      ///< "running", "waiting: ImagePullBackOff", "terminated: Error (exit 1)"
    QString message;    ///< of that state
    QString last;       ///< of the state before
    bool init = false;
    bool ready = false;
    int restarts = 0;
    cluster::Health health = cluster::Health::Unknown;
};
struct OwnerFact {
    QString kind;
    QString name;
    std::string apiVersion;
    std::string uid;
    bool controller = false;
};
struct OverviewFacts {
    std::vector<std::pair<QString, QString>> facts;  ///< label (translated), value (cluster text)
    std::vector<ConditionFact> conditions;
    std::vector<ContainerFact> containers;
    std::vector<OwnerFact> owners;
    std::vector<std::pair<QString, QString>> labels;
    std::vector<std::pair<QString, QString>> annotations;
    bool deleting = false;
    bool isProtected = false;
    std::string uid;
    /// Containers and init containers by name, for the log view.
    std::vector<std::string> containerNames;
};
[[nodiscard]] OverviewFacts overviewOf(const guard::KindId& kind, const nlohmann::json& object);

struct DiffLine {
    enum class Kind : std::uint8_t { Context, Added, Removed, Fold };
    Kind kind = Kind::Context;
    int before = 0;  ///< line numbers, 0 where there is none
    int after = 0;
    QString text;    ///< without its sign
};
/// A unified diff's lines; file headers are left out, hunk headers become folds.
[[nodiscard]] std::vector<DiffLine> parseUnifiedDiff(std::string_view text);

} // namespace alidade::models
