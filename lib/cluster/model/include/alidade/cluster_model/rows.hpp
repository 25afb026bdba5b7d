// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Table rows: kubectl's cells, sort keys, health and what Trouble needs. One row per object, small.
#include <array>
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

enum class ColumnType : std::uint8_t { Text, Number, Quantity, Age };
struct Column {
    std::string title;       ///< kubectl's: "NAME", "READY", "STATUS"
    ColumnType type = ColumnType::Text;
    bool wide = false;       ///< only with -o wide
    std::string description;
};
/// The columns of one kind. Immutable once published; a new schema is a new pointer.
using Schema = std::shared_ptr<const std::vector<Column>>;

enum class Health : std::uint8_t { Ok, Progressing, Warning, Bad, Unknown, Done };

/// A cell: text as kubectl prints it, and the value it sorts by.
/// Age columns keep a time (nanoseconds since the epoch) and no text: views print it (age_text.hpp).
struct Cell {
    std::string text;
    double number = 0;          ///< ColumnType::Number and Quantity
    std::int64_t timeNs = 0;    ///< ColumnType::Age; 0 is unknown
};

/// Stable while the object lives; snapshots share rows.
struct Row {
    std::string ns;
    std::string name;
    std::string uid;
    std::string resourceVersion;   ///< opaque: equality only
    std::int64_t createdNs = 0;
    bool deleting = false;
    bool isProtected = false;      ///< by annotation alidade.dev/protected
    Health health = Health::Unknown;
    std::string trouble;           ///< the reason in the cluster's own words, empty when fine
    std::vector<Cell> cells;       ///< as many as the schema has columns
    std::vector<std::pair<std::string, std::string>> labels;
};
using RowPtr = std::shared_ptr<const Row>;

/// "119s", "2m5s", "3h", "2d1h"...: apimachinery's duration.HumanDuration; "<invalid>" in the future, "<unknown>" for 0.
[[nodiscard]] std::string ageText(std::int64_t createdNs, guard::WallTime now);
/// Natural-order comparison key: digits compare by value.
[[nodiscard]] int naturalCompare(std::string_view a, std::string_view b) noexcept;
/// resource.Quantity: "1Ki", "0.5Gi", "100m", "1e3"; nullopt for anything invalid.
[[nodiscard]] std::optional<double> parseQuantity(std::string_view text) noexcept;

}  // namespace alidade::cluster
