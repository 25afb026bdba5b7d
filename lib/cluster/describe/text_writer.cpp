// SPDX-License-Identifier: GPL-3.0-or-later
#include "describe/text_writer.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace alidade::cluster {
namespace {

/// Columns that a text takes: one per code point.
std::size_t width(std::string_view text) {
    return static_cast<std::size_t>(std::count_if(
        text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

void pad(std::string& out, std::size_t by) { out.append(by, ' '); }

} // namespace

void TextWriter::field(int level, const std::string& key, const std::string& value) {
    std::size_t from = 0;
    bool first = true;
    while (from <= value.size()) {
        const std::size_t to = std::min(value.find('\n', from), value.size());
        lines_.push_back({level, first ? key + ":" : std::string(), value.substr(from, to - from), true});
        first = false;
        from = to + 1;
    }
}

void TextWriter::list(int level, const std::string& key, const std::vector<std::string>& values) {
    if (values.empty()) {
        field(level, key, "<none>");
        return;
    }
    field(level, key, values.front());
    for (std::size_t i = 1; i < values.size(); ++i) {
        lines_.push_back({level, {}, values[i], true});
    }
}

void TextWriter::line(int level, const std::string& text) { lines_.push_back({level, text, {}, false}); }

void TextWriter::table(int level, const std::vector<std::string>& header,
                       const std::vector<std::vector<std::string>>& rows) {
    std::vector<std::size_t> widths;
    for (const std::string& title : header) {
        widths.push_back(width(title));
    }
    for (const auto& row : rows) {
        for (std::size_t i = 0; i < row.size() && i < widths.size(); ++i) {
            widths[i] = std::max(widths[i], width(row[i]));
        }
    }
    const auto put = [&](const std::vector<std::string>& cells) {
        std::string text;
        for (std::size_t i = 0; i < cells.size() && i < widths.size(); ++i) {
            std::string cell = cells[i];
            std::replace(cell.begin(), cell.end(), '\n', ' ');
            text += cell;
            if (i + 1 < widths.size()) {
                pad(text, widths[i] - std::min(widths[i], width(cell)) + 2);
            }
        }
        line(level, text);
    };
    put(header);
    std::vector<std::string> rule;
    for (const std::string& title : header) {
        rule.emplace_back(width(title), '-');
    }
    put(rule);
    for (const auto& row : rows) {
        put(row);
    }
}

std::string TextWriter::finish() {
    std::string out;
    std::size_t i = 0;
    while (i < lines_.size()) {
        if (!lines_[i].pair) {
            pad(out, static_cast<std::size_t>(lines_[i].level) * 2);
            out += lines_[i].key + "\n";
            ++i;
            continue;
        }
        std::size_t end = i;
        std::size_t column = 0;
        while (end < lines_.size() && lines_[end].pair && lines_[end].level == lines_[i].level) {
            column = std::max(column, width(lines_[end].key));
            ++end;
        }
        for (; i < end; ++i) {
            const Line& line = lines_[i];
            std::string text(static_cast<std::size_t>(line.level) * 2, ' ');
            text += line.key;
            if (!line.value.empty()) {
                pad(text, column - width(line.key) + 2);
                text += line.value;
            }
            out += text + "\n";
        }
    }
    lines_.clear();
    return out;
}

} // namespace alidade::cluster
