// SPDX-License-Identifier: GPL-3.0-or-later
// What it is for: a description's lines with their values in columns, as kubectl's tab writer sets them.
// What it must not know: kinds.
// Thread: any; pure.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace alidade::cluster {

class TextWriter {
public:
    /// "Key:   value"; the values of neighbours at one level stand in one column. Lines after the first of a value are
    /// set below it.
    void field(int level, const std::string& key, const std::string& value);
    /// "Key:   first", and the others below it; "<none>" when there are none.
    void list(int level, const std::string& key, const std::vector<std::string>& values);
    /// A line on its own.
    void line(int level, const std::string& text);
    /// A header, a rule and rows, each cell as wide as its column.
    void table(int level, const std::vector<std::string>& header, const std::vector<std::vector<std::string>>& rows);

    [[nodiscard]] std::string finish();

private:
    struct Line {
        int level = 0;
        std::string key;
        std::string value;
        bool pair = false;
    };
    std::vector<Line> lines_;
};

} // namespace alidade::cluster
