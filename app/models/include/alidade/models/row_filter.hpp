// SPDX-License-Identifier: GPL-3.0-or-later
// What it is for: the filter line's language. Terms are joined by "and":
//   word            the row's text contains it (no case)       "two words"   the same with blanks
//   !word           it does not                                 /regex/       regular expression, no case
//   ~word           its letters occur in this order in the name -l k=v        a label (also k!=v, k, !k)
//   -s              hides what has succeeded
// What it must not know: models, widgets.
// Thread: any; a value.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <QRegularExpression>
#include <QString>

#include "alidade/cluster_model/rows.hpp"

namespace alidade::models {

class RowFilter {
public:
    RowFilter() = default;
    /// A term that cannot be understood is left out, and error() says so.
    [[nodiscard]] static RowFilter parse(const QString& text);

    [[nodiscard]] bool empty() const noexcept { return terms_.empty(); }
    [[nodiscard]] const QString& error() const noexcept { return error_; }
    /// `haystack` is folded(): name, namespace and cells.
    [[nodiscard]] bool matches(const cluster::Row& row, std::string_view haystack) const;

private:
    enum class Kind : std::uint8_t { Contains, Regex, Fuzzy, LabelEquals, LabelExists, NotDone };
    struct Term {
        Kind kind = Kind::Contains;
        bool negated = false;
        std::string text;   ///< folded; or the label's key
        std::string value;
        QRegularExpression expression;
    };
    void add(const QString& word, bool quoted);
    void addLabel(const QString& requirement);
    [[nodiscard]] static bool holds(const Term& term, const cluster::Row& row, std::string_view haystack);

    std::vector<Term> terms_;
    QString error_;
};

} // namespace alidade::models
