// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Table rows: kubectl's cells, sort keys, health and what Trouble needs. One row per object, small.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "alidade/guard/clock.hpp"
#include "alidade/guard/object.hpp"

namespace alidade::cluster {

/// Count is a number that may carry a time: kubectl's RESTARTS, "7 (5m ago)".
enum class ColumnType : std::uint8_t { Text, Number, Quantity, Age, Count };
struct Column {
    std::string title; ///< kubectl's: "NAME", "READY", "STATUS"
    ColumnType type = ColumnType::Text;
    bool wide = false; ///< only with -o wide
    std::string description;
};
/// The columns of one kind. Immutable once published; a new schema is a new pointer.
using Schema = std::shared_ptr<const std::vector<Column>>;

enum class Health : std::uint8_t { Ok, Progressing, Warning, Bad, Unknown, Done };
[[nodiscard]] std::string_view name(Health health) noexcept; ///< "ok", "progressing", ...

/// A cell: text as kubectl prints it, and the value it sorts by. Print cells with cellText().
struct Cell {
    std::string_view text;   ///< empty for Age
    double number = 0;       ///< ColumnType::Number, Count and Quantity
    std::int64_t timeNs = 0; ///< ColumnType::Age and Count: nanoseconds since the epoch; 0 is unknown
};

using Label = std::pair<std::string_view, std::string_view>;

/// Immutable; made by RowBuilder. Every view points into the row's own block (or at a constant): they live as long as
/// the row. Snapshots share rows. About 1 KiB for a pod.
class Row {
public:
    std::string_view ns;
    std::string_view name;
    std::string_view uid;             ///< empty for the few objects without one (metrics)
    std::string_view key;             ///< what batches name rows by: the UID, or "/ns/name" where there is none
    std::string_view resourceVersion; ///< opaque: equality only
    std::int64_t createdNs = 0;
    std::string_view ownerKind; ///< the controlling owner, empty when none
    std::string_view ownerName;
    std::string_view ownerUid;
    bool deleting = false;
    bool isProtected = false; ///< by annotation alidade.dev/protected
    Health health = Health::Unknown;
    std::string_view trouble;    ///< the reason in the cluster's own words, "Reason: message"; empty when fine
    std::span<const Cell> cells; ///< as many as the schema has columns
    std::span<const Label> labels;

    Row() = default;
    Row(const Row&) = delete;
    Row& operator=(const Row&) = delete;
    ~Row() = default;

    /// Bytes held, block and header.
    [[nodiscard]] std::size_t footprint() const noexcept { return sizeof(Row) + blockBytes_; }

private:
    friend class RowBuilder;
    std::unique_ptr<std::byte[]> block_; // cells, labels, text
    std::size_t blockBytes_ = 0;
};
using RowPtr = std::shared_ptr<const Row>;

/// Collects one row, then puts it into one block. Reusable: build() leaves it empty. Copies what it is given, but for
/// fixedCell() texts, which must be constants.
class RowBuilder {
public:
    RowBuilder& ns(std::string_view text);
    RowBuilder& name(std::string_view text);
    RowBuilder& uid(std::string_view text);
    RowBuilder& resourceVersion(std::string_view text);
    RowBuilder& created(std::int64_t ns);
    RowBuilder& owner(std::string_view kind, std::string_view name, std::string_view uid);
    RowBuilder& deleting(bool value);
    RowBuilder& isProtected(bool value);
    RowBuilder& health(Health value);
    RowBuilder& trouble(std::string_view text);
    RowBuilder& label(std::string_view key, std::string_view value);
    RowBuilder& cell(std::string_view text, double number = 0, std::int64_t timeNs = 0);
    RowBuilder& fixedCell(std::string_view constant, double number = 0);
    RowBuilder& nameCell(); ///< the object's name, held once
    RowBuilder& ageCell(std::int64_t timeNs);
    RowBuilder& numberCell(std::int64_t number, std::int64_t timeNs = 0); ///< text is the number

    [[nodiscard]] std::string_view name() const noexcept { return view(name_); }
    [[nodiscard]] std::string_view ns() const noexcept { return view(ns_); }
    [[nodiscard]] std::int64_t created() const noexcept { return createdNs_; }
    [[nodiscard]] bool deleting() const noexcept { return deleting_; }
    template <class Call>
    void eachLabel(Call call) const {
        for (const auto& [key, value] : labels_) call(view(key), view(value));
    }

    [[nodiscard]] RowPtr build();
    void clear() noexcept;

private:
    struct Slice {
        std::uint32_t offset = 0;
        std::uint32_t size = 0;
    };
    struct CellDraft {
        Slice slice;
        std::string_view fixed;
        double number = 0;
        std::int64_t timeNs = 0;
    };
    [[nodiscard]] Slice keep(std::string_view text);
    [[nodiscard]] std::string_view view(Slice slice) const noexcept {
        return std::string_view(text_).substr(slice.offset, slice.size);
    }

    std::string text_;
    Slice ns_, name_, uid_, version_, trouble_, ownerKind_, ownerName_, ownerUid_;
    std::int64_t createdNs_ = 0;
    bool deleting_ = false;
    bool protected_ = false;
    Health health_ = Health::Unknown;
    std::vector<CellDraft> cells_;
    std::vector<std::pair<Slice, Slice>> labels_;
};

/// "119s", "2m5s", "3h", "2d1h"...: apimachinery's duration.HumanDuration; "<invalid>" in the future (two seconds of
/// clock skew are "0s"), "<unknown>" for 0.
[[nodiscard]] std::string ageText(std::int64_t createdNs, guard::WallTime now);
/// A cell as kubectl prints it at `now`: ages and "7 (5m ago)" move with the clock.
[[nodiscard]] std::string cellText(const Column& column, const Cell& cell, guard::WallTime now);
/// The reverse of ageText, for ages that a server rendered: "5m12s" -> nanoseconds; nullopt for anything else.
[[nodiscard]] std::optional<std::int64_t> parseAgeText(std::string_view text) noexcept;
/// Natural-order comparison: digit runs compare by value, the rest by bytes. Never 0 for different texts.
[[nodiscard]] int naturalCompare(std::string_view a, std::string_view b) noexcept;
/// resource.Quantity: "1Ki", "0.5Gi", "100m", "1e3"; nullopt for anything invalid.
[[nodiscard]] std::optional<double> parseQuantity(std::string_view text) noexcept;

} // namespace alidade::cluster
