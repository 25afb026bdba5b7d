// SPDX-License-Identifier: GPL-3.0-or-later
#include "alidade/models/trouble_model.hpp"

#include <algorithm>

#include <QCoreApplication>

#include "alidade/models/text.hpp"

namespace alidade::models {
namespace {

std::string translated(const char* text) { return QCoreApplication::translate("TroubleModel", text).toStdString(); }

} // namespace

TroubleModel::TroubleModel(std::shared_ptr<const guard::Clock> clock, QObject* parent)
    : RowTableModel(std::move(clock), parent) {
    using cluster::ColumnType;
    entrySchema_ = std::make_shared<const std::vector<cluster::Column>>(std::vector<cluster::Column>{
        {"STATUS", ColumnType::Text, false,
         translated(QT_TRANSLATE_NOOP("TroubleModel", "The reason, in the cluster's words"))},
        {"KIND", ColumnType::Text, false, {}},
        {"NAME", ColumnType::Text, false, {}},
        {"MESSAGE", ColumnType::Text, false, {}},
        {"AGE", ColumnType::Age, false, {}},
    });
    setWorstFirst(true);
}

void TroubleModel::restart(std::vector<guard::KindId> sources, bool showNamespace) {
    sources_.clear();
    entries_.clear();
    for (auto& kind : sources) {
        sources_.push_back({std::move(kind), {}, {}});
    }
    guard::KindId all;
    all.kind = "Trouble";
    all.resource = "trouble";
    begin(all, showNamespace);
    cluster::DeltaBatch first;
    first.reset = true;
    first.schema = entrySchema_;
    first.freshness.state = cluster::Freshness::State::Loading;
    apply({first});
}

bool TroubleModel::troubled(const cluster::Row& row) {
    return row.health == cluster::Health::Bad || row.health == cluster::Health::Warning;
}

cluster::RowPtr TroubleModel::entryOf(std::size_t source, const std::string& key, const cluster::Row& row) const {
    const std::string_view trouble = row.trouble;
    const auto colon = trouble.find(": ");
    const std::string_view reason = trouble.substr(0, colon);
    cluster::RowBuilder builder;
    builder.ns(row.ns).name(row.name).uid(key).created(row.createdNs);
    builder.health(row.health).trouble(trouble).isProtected(row.isProtected).deleting(row.deleting);
    // Nodes before workloads before pods: the cause is more often up there.
    const auto rank = static_cast<double>(source);
    builder.cell(reason.empty() ? healthWord(row.health).toStdString() : std::string(reason), rank);
    builder.cell(sources_[source].kind.kind);
    builder.nameCell();
    builder.cell(colon == std::string_view::npos ? std::string_view() : trouble.substr(colon + 2));
    builder.ageCell(row.createdNs);
    return builder.build();
}

void TroubleModel::feed(const guard::KindId& kind, const std::vector<cluster::DeltaBatch>& batches) {
    const auto it =
        std::find_if(sources_.begin(), sources_.end(), [&](const SourceState& s) { return s.kind == kind; });
    if (it == sources_.end() || batches.empty()) {
        return;
    }
    const auto source = static_cast<std::size_t>(it - sources_.begin());
    cluster::DeltaBatch out;
    const auto put = [&](const std::string& rowKey, const cluster::RowPtr& row) {
        const std::string key = kind.group + '/' + kind.resource + '/' + rowKey;
        if (row && troubled(*row)) {
            entries_[key] = {source, row};
            out.upserts.push_back(entryOf(source, key, *row));
            std::erase(out.removals, key);
        } else if (entries_.erase(key) != 0) {
            std::erase_if(out.upserts, [&](const cluster::RowPtr& e) { return e->key == key; });
            out.removals.push_back(key);
        }
    };
    for (const auto& batch : batches) {
        if (batch.reset) {
            auto old = std::exchange(it->rows, {});
            for (const auto& row : batch.upserts) {
                old.erase(std::string(row->key));
            }
            for (const auto& [key, row] : old) {
                put(key, nullptr);
            }
        }
        for (const auto& key : batch.removals) {
            it->rows.erase(key);
            put(key, nullptr);
        }
        for (const auto& row : batch.upserts) {
            const std::string key(row->key);
            it->rows[key] = row;
            put(key, row);
        }
    }
    it->freshness = batches.back().freshness;
    out.freshness = combined();
    out.receivedAt = batches.front().receivedAt;
    apply({out});
}

guard::ObjectRef TroubleModel::refAt(int row) const {
    const auto found = rowAt(row);
    if (!found) {
        return {};
    }
    const auto it = entries_.find(std::string(found->key));
    if (it == entries_.end()) {
        return {};
    }
    const cluster::Row& origin = *it->second.row;
    return {{sources_[it->second.source].kind, std::string(origin.ns), std::string(origin.name)},
            std::string(origin.uid)};
}

std::optional<guard::ObjectRef> TroubleModel::locate(const std::string& uid) const {
    for (const auto& source : sources_) {
        if (const auto it = source.rows.find(uid); it != source.rows.end()) {
            const cluster::Row& row = *it->second;
            return guard::ObjectRef{{source.kind, std::string(row.ns), std::string(row.name)}, std::string(row.uid)};
        }
    }
    return std::nullopt;
}

int TroubleModel::badge(const guard::KindId& kind) const {
    return static_cast<int>(std::count_if(entries_.begin(), entries_.end(),
                                          [&](const auto& e) { return sources_[e.second.source].kind == kind; }));
}

int TroubleModel::bad() const {
    return static_cast<int>(std::count_if(entries_.begin(), entries_.end(),
                                          [](const auto& e) { return e.second.row->health == cluster::Health::Bad; }));
}

std::optional<std::size_t> TroubleModel::objects(const guard::KindId& kind) const {
    using State = cluster::Freshness::State;
    const auto it =
        std::find_if(sources_.begin(), sources_.end(), [&](const SourceState& s) { return s.kind == kind; });
    if (it == sources_.end()) {
        return std::nullopt;
    }
    const auto& freshness = it->freshness;
    const bool broken = freshness.state == State::Stale || freshness.state == State::Failed;
    if (freshness.state == State::Empty || freshness.state == State::Forbidden ||
        (broken && freshness.lastSync == guard::WallTime{}) ||
        (freshness.state == State::Loading && it->rows.empty())) {
        return std::nullopt;
    }
    return it->rows.size();
}

std::vector<std::pair<guard::KindId, cluster::Freshness>> TroubleModel::incomplete() const {
    using State = cluster::Freshness::State;
    std::vector<std::pair<guard::KindId, cluster::Freshness>> out;
    for (const auto& source : sources_) {
        const auto state = source.freshness.state;
        // A kind that the server does not serve has no objects in trouble.
        const bool notServed = source.freshness.error && source.freshness.error->code == guard::ErrorCode::NotFound;
        if (!notServed && (state == State::Stale || state == State::Forbidden || state == State::Failed)) {
            out.emplace_back(source.kind, source.freshness);
        }
    }
    return out;
}

/// No better than the worst of the sources that rows stand for: an outage is an outage here too, while a kind that one
/// person may not read leaves the others as live as they are (`incomplete()` names it).
cluster::Freshness TroubleModel::combined() const {
    using State = cluster::Freshness::State;
    cluster::Freshness out;
    std::size_t served = 0;
    for (const auto& each : sources_) {
        out.lastEvent = std::max(out.lastEvent, each.freshness.lastEvent);
        out.lastSync = std::max(out.lastSync, each.freshness.lastSync);
        const bool notServed = each.freshness.error && each.freshness.error->code == guard::ErrorCode::NotFound;
        served += notServed ? 0 : 1;
    }
    const auto missing = incomplete();
    for (const auto& [kind, freshness] : missing) {
        const bool heldRows = freshness.lastSync != guard::WallTime{};
        if (freshness.state != State::Forbidden && (heldRows || missing.size() == served)) {
            auto worst = freshness;
            worst.state = heldRows ? State::Stale : freshness.state;
            worst.lastEvent = out.lastEvent;
            return worst;
        }
    }
    if (!missing.empty() && missing.size() == served) {
        return missing.front().second;
    }
    out.state = settled() ? State::Live : State::Loading;
    return out;
}

bool TroubleModel::settled() const {
    return std::none_of(sources_.begin(), sources_.end(), [](const SourceState& s) {
        return s.freshness.state == cluster::Freshness::State::Empty ||
               s.freshness.state == cluster::Freshness::State::Loading;
    });
}

} // namespace alidade::models
