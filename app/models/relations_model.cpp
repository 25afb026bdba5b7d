// SPDX-License-Identifier: GPL-3.0-or-later
#include "alidade/models/relations_model.hpp"

#include <QCoreApplication>

#include "alidade/models/text.hpp"

namespace alidade::models {
namespace {

using cluster::Health;
using cluster::Relation;
using cluster::Resolution;

/// The relation as it reads from the object whose relations these are.
const char* words(Relation relation, bool from) {
    switch (relation) {
    case Relation::OwnedBy:
        return from ? QT_TRANSLATE_NOOP("RelationsModel", "owned by") : QT_TRANSLATE_NOOP("RelationsModel", "owns");
    case Relation::Selects:
        return from ? QT_TRANSLATE_NOOP("RelationsModel", "selects")
                    : QT_TRANSLATE_NOOP("RelationsModel", "selected by");
    case Relation::ManagedBy:
        return from ? QT_TRANSLATE_NOOP("RelationsModel", "managed by")
                    : QT_TRANSLATE_NOOP("RelationsModel", "manages");
    case Relation::ProtectedBy:
        return from ? QT_TRANSLATE_NOOP("RelationsModel", "protected by")
                    : QT_TRANSLATE_NOOP("RelationsModel", "protects");
    case Relation::RoutesTo:
        return from ? QT_TRANSLATE_NOOP("RelationsModel", "routes to")
                    : QT_TRANSLATE_NOOP("RelationsModel", "reached through");
    case Relation::UsesVolume:
        return from ? QT_TRANSLATE_NOOP("RelationsModel", "mounts") : QT_TRANSLATE_NOOP("RelationsModel", "mounted by");
    case Relation::UsesConfig:
        return from ? QT_TRANSLATE_NOOP("RelationsModel", "uses") : QT_TRANSLATE_NOOP("RelationsModel", "used by");
    case Relation::ScheduledOn:
        return from ? QT_TRANSLATE_NOOP("RelationsModel", "runs on") : QT_TRANSLATE_NOOP("RelationsModel", "runs");
    case Relation::BoundTo:
        return from ? QT_TRANSLATE_NOOP("RelationsModel", "bound to") : QT_TRANSLATE_NOOP("RelationsModel", "bound by");
    case Relation::Scales:
        return from ? QT_TRANSLATE_NOOP("RelationsModel", "scales") : QT_TRANSLATE_NOOP("RelationsModel", "scaled by");
    case Relation::BindsRole:
        return from ? QT_TRANSLATE_NOOP("RelationsModel", "binds") : QT_TRANSLATE_NOOP("RelationsModel", "bound in");
    }
    return "";
}

std::string translated(const char* text) { return QCoreApplication::translate("RelationsModel", text).toStdString(); }

struct State {
    Health health = Health::Unknown;
    std::string text;
};

State stateOf(const cluster::GraphNode& node, const cluster::GraphEdge& edge) {
    if (node.forbidden) {
        return {Health::Unknown, translated(QT_TRANSLATE_NOOP("RelationsModel", "may not be read"))};
    }
    if (node.missing) {
        return {edge.optional ? Health::Warning : Health::Bad,
                translated(QT_TRANSLATE_NOOP("RelationsModel", "missing"))};
    }
    if (edge.resolution != Resolution::Resolved) {
        return {Health::Unknown, translated(QT_TRANSLATE_NOOP("RelationsModel", "not known"))};
    }
    if (node.health == Health::Unknown) { // it has no state of its own, as a ConfigMap has none
        return {Health::Ok, translated(QT_TRANSLATE_NOOP("RelationsModel", "there"))};
    }
    return {node.health, node.status.empty() ? healthWord(node.health).toStdString() : node.status};
}

} // namespace

RelationsModel::RelationsModel(std::shared_ptr<const guard::Clock> clock, QObject* parent)
    : RowTableModel(std::move(clock), parent) {
    using cluster::ColumnType;
    relationSchema_ = std::make_shared<const std::vector<cluster::Column>>(std::vector<cluster::Column>{
        {"RELATION", ColumnType::Text, false, translated(QT_TRANSLATE_NOOP("RelationsModel", "How they are related"))},
        {"KIND", ColumnType::Text, false, {}},
        {"NAME", ColumnType::Text, false, {}},
        {"STATUS", ColumnType::Text, false,
         translated(QT_TRANSLATE_NOOP("RelationsModel", "The state of the other one"))},
        {"FIELD", ColumnType::Text, false, translated(QT_TRANSLATE_NOOP("RelationsModel", "Where it is said"))},
    });
    setWorstFirst(true);
}

void RelationsModel::restart() {
    ends_.clear();
    guard::KindId all;
    all.kind = "Relation";
    all.resource = "relations";
    begin(all, false);
    cluster::DeltaBatch first;
    first.reset = true;
    first.schema = relationSchema_;
    first.freshness.state = cluster::Freshness::State::Loading;
    apply({first});
}

void RelationsModel::show(const cluster::Graph& graph) {
    ends_.clear();
    cluster::DeltaBatch batch;
    batch.reset = true;
    batch.schema = relationSchema_;
    batch.freshness.state = cluster::Freshness::State::Live;
    for (const cluster::GraphEdge& edge : graph.edges) {
        const bool from = graph.root == edge.from;
        if (!from && graph.root != edge.to) {
            continue;
        }
        const cluster::GraphNode& end = graph.nodes[from ? edge.to : edge.from];
        const State state = stateOf(end, edge);
        const std::string key =
            std::string(cluster::name(edge.relation)) + (from ? ">" : "<") + end.ref.key.text() + "\n" + edge.field;
        cluster::RowBuilder row;
        row.ns(end.ref.key.ns).name(end.ref.key.name).uid(key).health(state.health).isProtected(end.isProtected);
        row.cell(translated(words(edge.relation, from)), 2.0 * static_cast<double>(edge.relation) + (from ? 0 : 1));
        row.cell(end.ref.key.kind.kind.empty() ? end.ref.key.kind.resource : end.ref.key.kind.kind);
        row.nameCell();
        row.cell(state.text);
        row.cell(edge.field);
        batch.upserts.push_back(row.build());
        if (!end.missing && !end.forbidden) {
            ends_[key] = end.ref;
        }
    }
    apply({batch});
}

guard::ObjectRef RelationsModel::refAt(int row) const {
    const auto found = rowAt(row);
    const auto end = found ? ends_.find(std::string(found->key)) : ends_.end();
    return end == ends_.end() ? guard::ObjectRef{} : end->second;
}

} // namespace alidade::models
