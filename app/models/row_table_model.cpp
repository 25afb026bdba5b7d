// SPDX-License-Identifier: GPL-3.0-or-later
#include "alidade/models/row_table_model.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include <QCoreApplication>

#include "alidade/models/text.hpp"
#include "key_sort.hpp"

namespace alidade::models {
namespace {

constexpr double unknownNumber = std::numeric_limits<double>::infinity();
constexpr std::size_t bulkLimit = 2'000;
constexpr int rangeLimit = 256;

/// Order-preserving bits of a double.
std::uint64_t orderedBits(double value) {
    const auto bits = std::bit_cast<std::uint64_t>(value);
    return (bits >> 63U) != 0 ? ~bits : bits | (1ULL << 63U);
}

int healthRank(cluster::Health health) {
    switch (health) {
    case cluster::Health::Bad: return 0;
    case cluster::Health::Warning: return 1;
    case cluster::Health::Progressing: return 2;
    case cluster::Health::Unknown: return 3;
    case cluster::Health::Ok: return 4;
    case cluster::Health::Done: return 5;
    }
    return 3;
}

} // namespace

QString healthWord(cluster::Health health) {
    switch (health) {
    case cluster::Health::Ok: return QCoreApplication::translate("Health", "Healthy");
    case cluster::Health::Progressing: return QCoreApplication::translate("Health", "Progressing");
    case cluster::Health::Warning: return QCoreApplication::translate("Health", "Degraded");
    case cluster::Health::Bad: return QCoreApplication::translate("Health", "Failing");
    case cluster::Health::Unknown: return QCoreApplication::translate("Health", "Unknown");
    case cluster::Health::Done: return QCoreApplication::translate("Health", "Finished");
    }
    return {};
}

const cluster::Cell& RowTableModel::cellOf(const cluster::Row& row, std::size_t cell) {
    static const cluster::Cell none;
    return cell < row.cells.size() ? row.cells[cell] : none;
}

RowTableModel::RowTableModel(std::shared_ptr<const guard::Clock> clock, QObject* parent)
    : QAbstractTableModel(parent), clock_(std::move(clock)) {}

void RowTableModel::begin(guard::KindId kind, bool showNamespace, bool wide) {
    beginResetModel();
    kind_ = std::move(kind);
    showNamespace_ = showNamespace && kind_.namespaced;
    wide_ = wide;
    schema_.reset();
    columns_.clear();
    slots_.clear();
    free_.clear();
    byKey_.clear();
    sorted_.clear();
    visible_.clear();
    sortColumn_ = -1;
    sortOrder_ = Qt::AscendingOrder;
    freshness_ = {};
    endResetModel();
    Q_EMIT columnsChanged();
    Q_EMIT freshnessChanged();
    Q_EMIT countsChanged();
}

RowTableModel::Change RowTableModel::merge(const std::vector<cluster::DeltaBatch>& batches) {
    Change change;
    for (const auto& batch : batches) {
        if (batch.reset) {
            change.reset = true;
            change.rows.clear();
        }
        if (batch.schema) {
            change.schema = batch.schema;
        }
        for (const auto& uid : batch.removals) {
            change.rows[uid] = nullptr;
        }
        for (const auto& row : batch.upserts) {
            if (row) {
                change.rows[std::string(row->key)] = row;
            }
        }
    }
    return change;
}

void RowTableModel::apply(const std::vector<cluster::DeltaBatch>& batches) {
    if (batches.empty()) {
        return;
    }
    Change change = merge(batches);
    freshness_ = batches.back().freshness;
    lastReceivedAt_ = batches.front().receivedAt;
    if (change.schema && change.schema != schema_) {
        if (!change.reset) { // the rows we have, under new columns
            for (const auto& [uid, id] : byKey_) {
                change.rows.try_emplace(uid, slots_[id].row);
            }
        }
        resetTo(change);
        Q_EMIT columnsChanged();
    } else {
        if (change.reset) { // what the new list does not name is gone
            for (const auto& [uid, id] : byKey_) {
                change.rows.try_emplace(uid, nullptr);
            }
        }
        if (change.rows.size() > bulkLimit && change.rows.size() > byKey_.size() / 4) {
            for (const auto& [uid, id] : byKey_) {
                change.rows.try_emplace(uid, slots_[id].row);
            }
            resetTo(change);
        } else if (!change.rows.empty()) {
            applyIncrementally(change);
        }
    }
    Q_EMIT freshnessChanged();
    Q_EMIT countsChanged();
}

void RowTableModel::rebuildColumns() {
    columns_.clear();
    if (!schema_) {
        return;
    }
    bool hasStatus = false;
    for (std::size_t i = 0; i < schema_->size(); ++i) {
        const auto& column = (*schema_)[i];
        if (column.wide && !wide_) {
            continue;
        }
        const bool status = column.title == "STATUS" && !hasStatus;
        hasStatus = hasStatus || status;
        columns_.push_back({Source::Cell, i, shown(column.title), shown(column.description), column.type, status});
    }
    const bool workload = kind_.group == "apps" || kind_.group == "batch";
    if (workload && !hasStatus && !columns_.empty()) {
        columns_.insert(
            columns_.begin() + 1,
            {Source::Health, 0, QCoreApplication::translate("RowTableModel", "HEALTH"),
             QCoreApplication::translate("RowTableModel", "The state of the object, in the cluster's words"),
             cluster::ColumnType::Text, true});
    }
    if (showNamespace_) {
        columns_.insert(columns_.begin(),
                        {Source::Namespace, 0, QStringLiteral("NAMESPACE"), {}, cluster::ColumnType::Text, false});
    }
}

void RowTableModel::resetTo(const Change& change) {
    beginResetModel();
    if (change.schema) {
        schema_ = change.schema;
        const bool first = columns_.empty();
        rebuildColumns();
        if (first && kind_ == guard::kinds::events()) { // the newest first, as they are read
            const auto age = std::find_if(columns_.begin(), columns_.end(),
                                          [](const auto& column) { return column.type == cluster::ColumnType::Age; });
            sortColumn_ = age == columns_.end() ? -1 : static_cast<int>(age - columns_.begin());
        }
        if (sortColumn_ >= static_cast<int>(columns_.size())) {
            sortColumn_ = -1;
        }
    }
    slots_.clear();
    free_.clear();
    byKey_.clear();
    slots_.reserve(change.rows.size());
    for (const auto& [uid, row] : change.rows) {
        if (row) {
            makeSlot(row);
        }
    }
    sortAll();
    rebuildVisible();
    endResetModel();
}

RowTableModel::SlotId RowTableModel::makeSlot(const cluster::RowPtr& row) {
    SlotId id = 0;
    if (free_.empty()) {
        id = static_cast<SlotId>(slots_.size());
        slots_.emplace_back();
    } else {
        id = free_.back();
        free_.pop_back();
        slots_[id] = Slot{};
    }
    Slot& slot = slots_[id];
    slot.row = row;
    fill(slot);
    byKey_[std::string(row->key)] = id;
    return id;
}

void RowTableModel::fill(Slot& slot) const {
    const cluster::Row& row = *slot.row;
    std::string text(row.ns);
    text += '\n';
    text += row.name;
    for (const auto& column : columns_) {
        if (column.source == Source::Cell) {
            const std::string_view cell = cellOf(row, column.cell).text;
            if (!cell.empty() && cell != row.name) {
                text += '\n';
                text += cell;
            }
        }
    }
    if (!row.trouble.empty()) {
        text += '\n';
        text += row.trouble;
    }
    slot.haystack = folded(text);
    slot.nameKey = naturalKey(row.ns) + '\x01' + naturalKey(row.name) + '\x01' + naturalKey(row.key);
    fillKey(slot);
}

void RowTableModel::fillKey(Slot& slot) const {
    slot.key.clear();
    slot.number = 0;
    if (sortColumn_ < 0) {
        slot.number = worstFirst_ ? healthRank(slot.row->health) + cellOf(*slot.row, 0).number / 100.0 : 0;
        return;
    }
    const auto& column = columns_[static_cast<std::size_t>(sortColumn_)];
    if (column.source == Source::Namespace) {
        return; // the tie breaker begins with it
    }
    if (column.source == Source::Health) {
        slot.number = healthRank(slot.row->health);
        return;
    }
    const auto& cell = cellOf(*slot.row, column.cell);
    switch (column.type) {
    case cluster::ColumnType::Text: slot.key = naturalKey(cell.text); break;
    case cluster::ColumnType::Age: // the youngest first
        slot.number = cell.timeNs == 0 ? unknownNumber : -static_cast<double>(cell.timeNs);
        break;
    case cluster::ColumnType::Number:
    case cluster::ColumnType::Count:
    case cluster::ColumnType::Quantity:
        slot.number = std::isnan(cell.number) ? unknownNumber : cell.number + 0.0;
        break;
    }
}

bool RowTableModel::before(SlotId a, SlotId b) const {
    const Slot& left = slots_[a];
    const Slot& right = slots_[b];
    int order = left.number < right.number ? -1 : left.number > right.number ? 1 : 0;
    if (order == 0) {
        order = left.key.compare(right.key);
    }
    if (order == 0) {
        order = left.nameKey.compare(right.nameKey);
    }
    return sortOrder_ == Qt::AscendingOrder ? order < 0 : order > 0;
}

/// Rows lie all over the memory: each is asked for well before it is read, first itself and then its cells.
void RowTableModel::fillKeys() {
    constexpr std::size_t ahead = 8;
    for (std::size_t i = 0; i < slots_.size(); ++i) {
        if (i + 2 * ahead < slots_.size()) {
            __builtin_prefetch(slots_[i + 2 * ahead].row.get());
        }
        if (i + ahead < slots_.size() && slots_[i + ahead].row && sortColumn_ >= 0) {
            const std::size_t cell = columns_[static_cast<std::size_t>(sortColumn_)].cell;
            const auto& cells = slots_[i + ahead].row->cells;
            __builtin_prefetch(cells.data() + std::min(cell, cells.size()));
        }
        if (slots_[i].row) {
            fillKey(slots_[i]);
        }
    }
}

void RowTableModel::sortAll() {
    std::vector<KeyedId> entries;
    entries.reserve(byKey_.size());
    bool numeric = false;
    bool text = false;
    for (SlotId id = 0; id < slots_.size(); ++id) {
        if (slots_[id].row) {
            numeric = numeric || slots_[id].number != 0;
            text = text || !slots_[id].key.empty();
            entries.push_back({orderedBits(slots_[id].number + 0.0), id});
        }
    }
    const auto block = [this](std::string Slot::*key) {
        KeyBlock keys;
        for (const Slot& slot : slots_) {
            keys.add(slot.*key);
        }
        return keys;
    };
    KeyBlock names; // made for the first long run of equals
    const auto byName = [&](KeyedId* first, KeyedId* last) {
        constexpr std::ptrdiff_t longRun = 256;
        if (last - first < longRun && names.empty()) {
            sortByKey(
                first, last, 0, [this](SlotId id) -> std::string_view { return slots_[id].nameKey; },
                [](KeyedId*, KeyedId*) {});
            return;
        }
        if (names.empty()) {
            names = block(&Slot::nameKey);
        }
        sortByKey(
            first, last, 0, [&names](SlotId id) { return names[id]; }, [](KeyedId*, KeyedId*) {});
    };
    KeyedId* first = entries.data();
    KeyedId* last = first + entries.size();
    if (text) {
        const KeyBlock keys = block(&Slot::key);
        sortByKey(
            first, last, 0, [&keys](SlotId id) { return keys[id]; }, byName);
    } else if (numeric) {
        std::sort(first, last, [](const KeyedId& a, const KeyedId& b) { return a.chunk < b.chunk; });
        for (KeyedId* run = first; run != last;) {
            KeyedId* end = std::find_if(run, last, [run](const KeyedId& e) { return e.chunk != run->chunk; });
            byName(run, end);
            run = end;
        }
    } else {
        byName(first, last);
    }
    sorted_.resize(entries.size());
    std::transform(entries.begin(), entries.end(), sorted_.begin(), [](const KeyedId& e) { return e.id; });
    if (sortOrder_ == Qt::DescendingOrder) {
        std::reverse(sorted_.begin(), sorted_.end());
    }
}

void RowTableModel::rebuildVisible() {
    for (Slot& slot : slots_) { // in memory order, which is kinder to the cache than sort order
        slot.visible = slot.row && (filter_.empty() || filter_.matches(*slot.row, slot.haystack));
    }
    visible_.clear();
    std::copy_if(sorted_.begin(), sorted_.end(), std::back_inserter(visible_),
                 [this](SlotId id) { return slots_[id].visible; });
}

void RowTableModel::setFilter(const QString& text) {
    filter_ = RowFilter::parse(text);
    replaceVisible();
    Q_EMIT countsChanged();
}

/// The filter changed: few ranges where it can be, one reset where it cannot.
void RowTableModel::replaceVisible() {
    std::vector<SlotId> entering;
    std::vector<char> leaving(slots_.size(), 0);
    for (SlotId id = 0; id < slots_.size(); ++id) {
        Slot& slot = slots_[id];
        if (!slot.row) {
            continue;
        }
        const bool visible = filter_.empty() || filter_.matches(*slot.row, slot.haystack);
        if (visible && !slot.visible) {
            entering.push_back(id);
        } else if (!visible && slot.visible) {
            leaving[id] = 1;
        }
        slot.visible = visible;
    }
    int ranges = 0;
    bool inside = false;
    for (const SlotId id : visible_) {
        ranges += static_cast<int>(!inside && leaving[id] != 0);
        inside = leaving[id] != 0;
    }
    if (ranges + static_cast<int>(std::min<std::size_t>(entering.size(), rangeLimit + 1)) > rangeLimit) {
        beginResetModel();
        visible_.clear();
        std::copy_if(sorted_.begin(), sorted_.end(), std::back_inserter(visible_),
                     [this](SlotId id) { return slots_[id].visible; });
        endResetModel();
        return;
    }
    removeRanges(leaving);
    insertRanges(std::move(entering));
}

void RowTableModel::sort(int column, Qt::SortOrder order) {
    if (column >= static_cast<int>(columns_.size())) {
        column = -1;
    }
    if (column == sortColumn_ && order == sortOrder_) {
        return;
    }
    const bool sameKeys = column == sortColumn_;
    sortColumn_ = column;
    sortOrder_ = order;
    if (sameKeys) {
        std::reverse(sorted_.begin(), sorted_.end());
    } else {
        fillKeys();
        sortAll();
    }
    resortVisible({});
}

cluster::RowPtr RowTableModel::rowAt(int row) const {
    return row >= 0 && row < static_cast<int>(visible_.size()) ? slots_[visible_[static_cast<std::size_t>(row)]].row
                                                               : nullptr;
}

std::optional<int> RowTableModel::positionOf(const std::string& key) const {
    const auto it = byKey_.find(key);
    if (it == byKey_.end() || !slots_[it->second].visible) {
        return std::nullopt;
    }
    const auto place = std::lower_bound(visible_.begin(), visible_.end(), it->second,
                                        [this](SlotId a, SlotId b) { return before(a, b); });
    return place != visible_.end() && *place == it->second ? std::optional(static_cast<int>(place - visible_.begin()))
                                                           : std::nullopt;
}

cluster::RowPtr RowTableModel::find(const std::string& key) const {
    const auto it = byKey_.find(key);
    return it == byKey_.end() ? nullptr : slots_[it->second].row;
}

cluster::RowPtr RowTableModel::findByName(std::string_view ns, std::string_view name) const {
    for (const SlotId id : sorted_) {
        const auto& row = slots_[id].row;
        if (row && row->name == name && row->ns == ns) {
            return row;
        }
    }
    return nullptr;
}

guard::ObjectRef RowTableModel::refAt(int row) const {
    const auto found = rowAt(row);
    return found ? guard::ObjectRef{{kind_, std::string(found->ns), std::string(found->name)}, std::string(found->uid)}
                 : guard::ObjectRef{};
}

bool RowTableModel::movesWithTime(int column) const {
    return column >= 0 && column < static_cast<int>(columns_.size()) &&
           columns_[static_cast<std::size_t>(column)].source == Source::Cell &&
           (columns_[static_cast<std::size_t>(column)].type == cluster::ColumnType::Age ||
            columns_[static_cast<std::size_t>(column)].type == cluster::ColumnType::Count);
}

int RowTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(visible_.size());
}
int RowTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(columns_.size());
}

QString RowTableModel::displayText(const cluster::Row& row, const ColumnSpec& column) const {
    switch (column.source) {
    case Source::Namespace: return shown(row.ns);
    case Source::Health:
        return row.trouble.empty() || row.health == cluster::Health::Ok ? healthWord(row.health) : shown(row.trouble);
    case Source::Cell: break;
    }
    return shown(cluster::cellText((*schema_)[column.cell], cellOf(row, column.cell), clock_->wall()));
}

QVariant RowTableModel::tipOf(const cluster::Row& row, const ColumnSpec& column) const {
    if (column.source == Source::Cell &&
        (column.type == cluster::ColumnType::Age || column.type == cluster::ColumnType::Count)) {
        const auto& cell = cellOf(row, column.cell);
        return cell.timeNs == 0 ? QVariant() : fullTimeText(guard::WallTime{std::chrono::nanoseconds{cell.timeNs}});
    }
    if (column.status && !row.trouble.empty()) {
        return plainTip(shown(row.trouble));
    }
    return plainTip(displayText(row, column));
}

QVariant RowTableModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= static_cast<int>(visible_.size()) ||
        index.column() >= static_cast<int>(columns_.size())) {
        return {};
    }
    const Slot& slot = slots_[visible_[static_cast<std::size_t>(index.row())]];
    const cluster::Row& row = *slot.row;
    const ColumnSpec& column = columns_[static_cast<std::size_t>(index.column())];
    switch (role) {
    case Qt::DisplayRole: return displayText(row, column);
    case Qt::ToolTipRole: return tipOf(row, column);
    case Qt::AccessibleTextRole: return QStringLiteral("%1: %2").arg(column.title, displayText(row, column));
    case Qt::TextAlignmentRole:
        return static_cast<int>(column.type == cluster::ColumnType::Text ? Qt::AlignLeft | Qt::AlignVCenter
                                                                         : Qt::AlignRight | Qt::AlignVCenter);
    case KeyRole: return QString::fromUtf8(row.key.data(), static_cast<qsizetype>(row.key.size()));
    case NameRole: return shown(row.name);
    case NamespaceRole: return shown(row.ns);
    case HealthRole: return static_cast<int>(row.health);
    case StatusRole: return column.status;
    case TypeRole: return static_cast<int>(column.type);
    case ElideMiddleRole: return column.source == Source::Cell && column.cell == 0;
    case ChangedRole: {
        if ((slot.changed >> static_cast<unsigned>(std::min(index.column(), 63)) & 1U) == 0) {
            return 0.0;
        }
        const auto age = std::chrono::duration<double>(clock_->now() - slot.changedAt);
        return std::clamp(1.0 - age / std::chrono::duration<double>(fadeTime), 0.0, 1.0);
    }
    default: return {};
    }
}

QVariant RowTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= static_cast<int>(columns_.size())) {
        return {};
    }
    const ColumnSpec& column = columns_[static_cast<std::size_t>(section)];
    switch (role) {
    case Qt::DisplayRole: return column.title;
    case Qt::ToolTipRole: return column.description.isEmpty() ? QVariant() : plainTip(column.description);
    case Qt::TextAlignmentRole:
        return static_cast<int>(column.type == cluster::ColumnType::Text ? Qt::AlignLeft | Qt::AlignVCenter
                                                                         : Qt::AlignRight | Qt::AlignVCenter);
    default: return {};
    }
}

} // namespace alidade::models
