// SPDX-License-Identifier: GPL-3.0-or-later
// RowTableModel's part that turns deltas into few row signals.
#include <algorithm>
#include <bit>

#include "alidade/models/row_table_model.hpp"

namespace alidade::models {

std::uint64_t RowTableModel::differences(const cluster::Row& old, const cluster::Row& now) const {
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < columns_.size() && i < 64; ++i) {
        const auto& column = columns_[i];
        bool differs = false;
        if (column.source == Source::Health) {
            differs = old.health != now.health || old.trouble != now.trouble;
        } else if (column.source == Source::Cell) {
            const auto& a = cellOf(old, column.cell);
            const auto& b = cellOf(now, column.cell);
            differs = column.type == cluster::ColumnType::Age     ? a.timeNs != b.timeNs
                      : column.type == cluster::ColumnType::Count ? a.number != b.number || a.text != b.text
                                                                  : a.text != b.text;
            differs = differs || (column.status && (old.health != now.health || old.trouble != now.trouble));
        }
        bits |= static_cast<std::uint64_t>(differs) << i;
    }
    return bits;
}

void RowTableModel::applyIncrementally(const Change& change) {
    const guard::MonoTime now = clock_->now();
    std::vector<SlotId> removed;
    std::vector<SlotId> moved;
    std::vector<SlotId> added;
    std::vector<SlotId> entering;
    std::vector<char> leaving(slots_.size() + change.rows.size(), 0);
    std::vector<char> touched(leaving.size(), 0);
    bool anyLeaving = false;
    bool anyMovedVisible = false;
    std::uint64_t touchedColumns = 0;

    for (const auto& [uid, row] : change.rows) {
        const auto it = byKey_.find(uid);
        if (it == byKey_.end()) {
            if (row) {
                const SlotId id = makeSlot(row);
                added.push_back(id);
                slots_[id].visible = filter_.empty() || filter_.matches(*row, slots_[id].haystack);
                if (slots_[id].visible) {
                    entering.push_back(id);
                }
            }
            continue;
        }
        const SlotId id = it->second;
        Slot& slot = slots_[id];
        if (!row) {
            removed.push_back(id);
            leaving[id] = static_cast<char>(slot.visible);
            anyLeaving = anyLeaving || slot.visible;
            continue;
        }
        const std::uint64_t bits = differences(*slot.row, *row);
        const std::string oldKey = slot.key;
        const std::string oldName = slot.nameKey;
        const double oldNumber = slot.number;
        slot.row = row;
        fill(slot);
        const bool hasMoved = slot.key != oldKey || slot.number != oldNumber || slot.nameKey != oldName;
        if (hasMoved) {
            moved.push_back(id);
        }
        const bool wasVisible = slot.visible;
        slot.visible = filter_.empty() || filter_.matches(*row, slot.haystack);
        if (bits != 0) {
            slot.changed = now - slot.changedAt < fadeTime ? slot.changed | bits : bits;
            slot.changedAt = now;
            fadingUntil_ = now + fadeTime;
        }
        if (wasVisible && !slot.visible) {
            leaving[id] = 1;
            anyLeaving = true;
        } else if (!wasVisible && slot.visible) {
            entering.push_back(id);
        } else if (wasVisible) {
            touched[id] = 1;
            touchedColumns |= bits;
            anyMovedVisible = anyMovedVisible || hasMoved;
        }
    }

    if (anyLeaving) {
        removeRanges(leaving);
    }
    // The full order: without what is gone, with what is new or has moved at its place.
    if (!removed.empty() || !moved.empty()) {
        std::vector<char> out(slots_.size(), 0);
        for (const SlotId id : removed) {
            out[id] = 1;
        }
        for (const SlotId id : moved) {
            out[id] = 1;
        }
        std::erase_if(sorted_, [&](SlotId id) { return out[id] != 0; });
    }
    for (const SlotId id : removed) {
        byKey_.erase(std::string(slots_[id].row->key));
        slots_[id] = Slot{};
        free_.push_back(id);
    }
    std::vector<SlotId> placed = std::move(added);
    placed.insert(placed.end(), moved.begin(), moved.end());
    const auto less = [this](SlotId a, SlotId b) { return before(a, b); };
    std::sort(placed.begin(), placed.end(), less);
    if (!placed.empty()) {
        const auto middle = static_cast<std::ptrdiff_t>(sorted_.size());
        sorted_.insert(sorted_.end(), placed.begin(), placed.end());
        std::inplace_merge(sorted_.begin(), sorted_.begin() + middle, sorted_.end(), less);
    }
    if (anyMovedVisible) {
        std::vector<char> isEntering(slots_.size(), 0);
        for (const SlotId id : entering) {
            isEntering[id] = 1;
        }
        resortVisible(isEntering);
    }
    // Rows that stayed: neighbours in one signal each, with the columns that differ.
    if (touchedColumns != 0) {
        const int firstColumn = std::countr_zero(touchedColumns);
        const int lastColumn = 63 - std::countl_zero(touchedColumns);
        for (std::size_t i = 0; i < visible_.size(); ++i) {
            if (touched[visible_[i]] == 0) {
                continue;
            }
            std::size_t end = i;
            while (end + 1 < visible_.size() && touched[visible_[end + 1]] != 0) {
                ++end;
            }
            Q_EMIT dataChanged(index(static_cast<int>(i), firstColumn), index(static_cast<int>(end), lastColumn));
            i = end;
        }
    }
    if (!entering.empty()) {
        insertRanges(std::move(entering));
    }
}

void RowTableModel::removeRanges(const std::vector<char>& leaving) {
    std::size_t end = visible_.size();
    while (end > 0) {
        if (leaving[visible_[end - 1]] == 0) {
            --end;
            continue;
        }
        std::size_t begin = end - 1;
        while (begin > 0 && leaving[visible_[begin - 1]] != 0) {
            --begin;
        }
        beginRemoveRows({}, static_cast<int>(begin), static_cast<int>(end) - 1);
        visible_.erase(visible_.begin() + static_cast<std::ptrdiff_t>(begin),
                       visible_.begin() + static_cast<std::ptrdiff_t>(end));
        endRemoveRows();
        end = begin;
    }
}

void RowTableModel::insertRanges(std::vector<SlotId> entering) {
    std::sort(entering.begin(), entering.end(), [this](SlotId a, SlotId b) { return before(a, b); });
    std::size_t from = 0;
    std::size_t at = 0;
    while (from < entering.size()) {
        const auto place = std::lower_bound(visible_.begin() + static_cast<std::ptrdiff_t>(at), visible_.end(),
                                            entering[from], [this](SlotId a, SlotId b) { return before(a, b); });
        std::size_t to = from + 1;
        while (to < entering.size() && (place == visible_.end() || before(entering[to], *place))) {
            ++to;
        }
        at = static_cast<std::size_t>(place - visible_.begin());
        beginInsertRows({}, static_cast<int>(at), static_cast<int>(at + (to - from)) - 1);
        visible_.insert(place, entering.begin() + static_cast<std::ptrdiff_t>(from),
                        entering.begin() + static_cast<std::ptrdiff_t>(to));
        endInsertRows();
        at += to - from;
        from = to;
    }
}

void RowTableModel::resortVisible(const std::vector<char>& notYet) {
    std::vector<SlotId> target;
    target.reserve(visible_.size());
    for (const SlotId id : sorted_) {
        if (slots_[id].visible && (id >= notYet.size() || notYet[id] == 0)) {
            target.push_back(id);
        }
    }
    if (target == visible_) {
        return;
    }
    Q_EMIT layoutAboutToBeChanged({}, QAbstractItemModel::VerticalSortHint);
    std::vector<int> position(slots_.size(), -1);
    for (std::size_t i = 0; i < target.size(); ++i) {
        position[target[i]] = static_cast<int>(i);
    }
    const QModelIndexList before = persistentIndexList();
    QModelIndexList after;
    after.reserve(before.size());
    for (const QModelIndex& old : before) {
        after.push_back(index(position[visible_[static_cast<std::size_t>(old.row())]], old.column()));
    }
    visible_ = std::move(target);
    changePersistentIndexList(before, after);
    Q_EMIT layoutChanged({}, QAbstractItemModel::VerticalSortHint);
}

} // namespace alidade::models
