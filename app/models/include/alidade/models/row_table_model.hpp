// SPDX-License-Identifier: GPL-3.0-or-later
// What it is for: live rows of one kind as a table: deltas in, filtered and sorted rows out.
// What it must not know: widgets, the session.
// Thread: GUI.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <QAbstractTableModel>

#include "alidade/cluster_model/deltas.hpp"
#include "alidade/guard/clock.hpp"
#include "alidade/guard/object.hpp"
#include "alidade/models/row_filter.hpp"

namespace alidade::models {

/// Rows stand in an order that depends on the rows, filter and sort alone, never on how they arrived.
class RowTableModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Role : int {
        KeyRole = Qt::UserRole + 1,  ///< Row::key
        NameRole,
        NamespaceRole,
        HealthRole,     ///< int of cluster::Health
        StatusRole,     ///< bool: this column carries the row's state (shape and word)
        ChangedRole,    ///< 1 just changed .. 0 long ago
        TypeRole,       ///< int of cluster::ColumnType
        ElideMiddleRole ///< bool
    };
    static constexpr guard::Millis fadeTime{600};

    explicit RowTableModel(std::shared_ptr<const guard::Clock> clock, QObject* parent = nullptr);

    /// Forgets everything; the next batch begins a new table. `showNamespace` adds that column.
    void begin(guard::KindId kind, bool showNamespace, bool wide = false);
    /// Without a sort column, the worst health first instead of by name; the first cell's number breaks ties.
    void setWorstFirst(bool on) { worstFirst_ = on; }
    /// Any number of batches at once, applied as few changes as possible.
    void apply(const std::vector<cluster::DeltaBatch>& batches);
    void setFilter(const QString& text);

    [[nodiscard]] const guard::KindId& kind() const noexcept { return kind_; }
    [[nodiscard]] const RowFilter& filter() const noexcept { return filter_; }
    [[nodiscard]] const cluster::Freshness& freshness() const noexcept { return freshness_; }
    [[nodiscard]] std::size_t total() const noexcept { return byKey_.size(); }
    [[nodiscard]] cluster::RowPtr rowAt(int row) const;
    [[nodiscard]] std::optional<int> positionOf(const std::string& key) const;
    /// The row with this key, also when the filter hides it.
    [[nodiscard]] cluster::RowPtr find(const std::string& key) const;
    [[nodiscard]] cluster::RowPtr findByName(std::string_view ns, std::string_view name) const;
    [[nodiscard]] virtual guard::ObjectRef refAt(int row) const;
    [[nodiscard]] bool movesWithTime(int column) const;
    /// The latest moment at which some cell is still fading.
    [[nodiscard]] guard::MonoTime fadingUntil() const noexcept { return fadingUntil_; }
    /// Socket time of the oldest event in the last applied batches.
    [[nodiscard]] guard::MonoTime lastReceivedAt() const noexcept { return lastReceivedAt_; }
    [[nodiscard]] int sortColumn() const noexcept { return sortColumn_; }
    [[nodiscard]] Qt::SortOrder sortOrder() const noexcept { return sortOrder_; }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
    void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;

Q_SIGNALS:
    void freshnessChanged();
    void countsChanged();
    void columnsChanged();

private:
    using SlotId = std::uint32_t;
    enum class Source : std::uint8_t { Namespace, Cell, Health };
    struct ColumnSpec {
        Source source = Source::Cell;
        std::size_t cell = 0;
        QString title;
        QString description;
        cluster::ColumnType type = cluster::ColumnType::Text;
        bool status = false;
    };
    struct Slot {
        cluster::RowPtr row;
        std::string haystack;
        std::string nameKey;   ///< natural key of namespace, name and UID: the tie breaker, unique
        std::string key;       ///< of the sort column, when that is text
        double number = 0;     ///< of the sort column, when that is not text
        std::uint64_t changed = 0;  ///< columns, by bit
        guard::MonoTime changedAt{};
        bool visible = false;
    };
    struct Change {
        bool reset = false;
        cluster::Schema schema;
        std::unordered_map<std::string, cluster::RowPtr> rows;  ///< null: removed
    };

    [[nodiscard]] static const cluster::Cell& cellOf(const cluster::Row& row, std::size_t cell);
    [[nodiscard]] static Change merge(const std::vector<cluster::DeltaBatch>& batches);
    void rebuildColumns();
    void resetTo(const Change& change);
    void applyIncrementally(const Change& change);
    SlotId makeSlot(const cluster::RowPtr& row);
    void fill(Slot& slot) const;
    void fillKey(Slot& slot) const;
    void fillKeys();
    [[nodiscard]] bool before(SlotId a, SlotId b) const;
    void sortAll();
    void rebuildVisible();
    void replaceVisible();
    [[nodiscard]] std::uint64_t differences(const cluster::Row& before, const cluster::Row& after) const;
    [[nodiscard]] QString displayText(const cluster::Row& row, const ColumnSpec& column) const;
    [[nodiscard]] QVariant tipOf(const cluster::Row& row, const ColumnSpec& column) const;
    void removeRanges(const std::vector<char>& leaving);
    void insertRanges(std::vector<SlotId> entering);
    void resortVisible(const std::vector<char>& moved);

    std::shared_ptr<const guard::Clock> clock_;
    guard::KindId kind_;
    bool showNamespace_ = false;
    bool wide_ = false;
    bool worstFirst_ = false;
    cluster::Schema schema_;
    std::vector<ColumnSpec> columns_;
    std::vector<Slot> slots_;
    std::vector<SlotId> free_;
    std::unordered_map<std::string, SlotId> byKey_;
    std::vector<SlotId> sorted_;   ///< every row in sort order
    std::vector<SlotId> visible_;  ///< those the filter lets through, same order
    RowFilter filter_;
    int sortColumn_ = -1;          ///< -1: by namespace and name
    Qt::SortOrder sortOrder_ = Qt::AscendingOrder;
    cluster::Freshness freshness_;
    guard::MonoTime fadingUntil_{};
    guard::MonoTime lastReceivedAt_{};
};

/// The word for a row's state where kubectl has none, and the untranslated id of its shape.
[[nodiscard]] QString healthWord(cluster::Health health);

} // namespace alidade::models
