// SPDX-License-Identifier: GPL-3.0-or-later
#include "diff.hpp"

#include <algorithm>
#include <array>

namespace alidade::cluster::writer {

using guard::FieldDiff;
using nlohmann::json;

namespace {
constexpr std::size_t mostFields = 500;
constexpr std::size_t mostBytes = 256UL * 1024;
constexpr std::size_t context = 3;

json withoutNoise(json object) {
    if (!object.is_object())
        return object;
    object.erase("status");
    const auto metadata = object.find("metadata");
    if (metadata != object.end() && metadata->is_object())
        for (const char* key : {"managedFields", "resourceVersion", "generation", "selfLink"})
            metadata->erase(key);
    return object;
}

std::string escaped(const std::string& key) {
    std::string out;
    for (const char c : key) {
        if (c == '~')
            out += "~0";
        else if (c == '/')
            out += "~1";
        else
            out += c;
    }
    return out;
}
std::string shown(const json* value) {
    if (!value)
        return {};
    std::string out =
        value->is_string() ? value->get<std::string>() : value->dump(-1, ' ', false, json::error_handler_t::replace);
    if (out.size() > 2048)
        out = out.substr(0, 2048) + "...";
    return out;
}

const json* member(const json* object, const std::string& key) {
    if (!object || !object->is_object())
        return nullptr;
    const auto found = object->find(key);
    return found == object->end() ? nullptr : &*found;
}
const json* element(const json* array, std::size_t i) {
    return array && array->is_array() && i < array->size() ? &(*array)[i] : nullptr;
}
bool same(const json* a, const json* b) { return a == b || (a && b && *a == *b); }

void walk(const json* before, const json* intended, const json* after, bool knowsIntended, const std::string& pointer,
          std::vector<FieldDiff>& out, int depth) {
    if (same(before, after) || out.size() >= mostFields)
        return;
    if (depth < 64 && before && after && before->is_object() && after->is_object()) {
        for (const auto& [key, value] : before->items())
            walk(&value, member(intended, key), member(after, key), knowsIntended, pointer + "/" + escaped(key), out,
                 depth + 1);
        for (const auto& [key, value] : after->items())
            if (!before->contains(key))
                walk(nullptr, member(intended, key), &value, knowsIntended, pointer + "/" + escaped(key), out,
                     depth + 1);
        return;
    }
    if (depth < 64 && before && after && before->is_array() && after->is_array()) {
        for (std::size_t i = 0; i < std::max(before->size(), after->size()); ++i)
            walk(element(before, i), element(intended, i), element(after, i), knowsIntended,
                 pointer + "/" + std::to_string(i), out, depth + 1);
        return;
    }
    FieldDiff diff;
    diff.pointer = pointer;
    diff.before = shown(before);
    diff.after = shown(after);
    diff.kind = !before ? FieldDiff::Kind::Added : !after ? FieldDiff::Kind::Removed : FieldDiff::Kind::Changed;
    if (knowsIntended && !same(intended, after))
        diff.kind = FieldDiff::Kind::AddedByServer;
    out.push_back(std::move(diff));
}

bool plainScalar(const std::string& text) {
    if (text.empty() || text.size() > 200)
        return false;
    static constexpr std::array<std::string_view, 8> words{"true", "false", "null", "yes", "no", "on", "off", "~"};
    if (std::find(words.begin(), words.end(), text) != words.end())
        return false;
    if (std::string_view("-?:,[]{}#&*!|>'\"%@` ").find(text.front()) != std::string_view::npos || text.back() == ' ' ||
        text.back() == ':')
        return false;
    if (text.find_first_not_of("0123456789.+-eE") == std::string::npos)
        return false;
    return text.find(": ") == std::string::npos && text.find(" #") == std::string::npos &&
           text.find_first_of("\n\t\r") == std::string::npos;
}

void emit(const json& value, const std::string& indent, const std::string& lead, std::vector<std::string>& out,
          int depth) {
    if (depth > 64) {
        out.push_back(lead + " ...");
        return;
    }
    if (value.is_object() && !value.empty()) {
        std::string prefix = lead;
        const bool inItem = !lead.empty() && lead.back() == '-';
        if (!inItem && !lead.empty())
            out.push_back(lead);
        const std::string deeper = lead.empty() ? indent : indent + "  ";
        bool first = true;
        for (const auto& [key, v] : value.items()) {
            const std::string start = inItem && first ? prefix + " " : deeper;
            emit(v, deeper, start + key + ":", out, depth + 1);
            first = false;
        }
    } else if (value.is_array() && !value.empty()) {
        if (!lead.empty())
            out.push_back(lead);
        for (const json& v : value)
            emit(v, indent, indent + "-", out, depth + 1);
    } else if (value.is_string() && value.get_ref<const std::string&>().find('\n') != std::string::npos) {
        out.push_back(lead + " |");
        const std::string& text = value.get_ref<const std::string&>();
        for (std::size_t begin = 0; begin < text.size();) {
            const std::size_t end = std::min(text.find('\n', begin), text.size());
            out.push_back(indent + "  " + text.substr(begin, end - begin));
            begin = end + 1;
        }
    } else {
        const std::string scalar = value.is_string() && plainScalar(value.get_ref<const std::string&>())
                                       ? value.get<std::string>()
                                       : value.dump(-1, ' ', false, json::error_handler_t::replace);
        out.push_back(lead.empty() ? scalar : lead + " " + scalar);
    }
}

struct Line {
    char mark;
    const std::string* text;
};
std::vector<Line> aligned(const std::vector<std::string>& a, const std::vector<std::string>& b) {
    std::size_t head = 0, tail = 0;
    while (head < a.size() && head < b.size() && a[head] == b[head])
        ++head;
    while (tail < a.size() - head && tail < b.size() - head && a[a.size() - 1 - tail] == b[b.size() - 1 - tail])
        ++tail;
    std::vector<Line> out;
    for (std::size_t i = 0; i < head; ++i)
        out.push_back({' ', &a[i]});
    const std::size_t n = a.size() - head - tail, m = b.size() - head - tail;
    std::size_t i = 0, j = 0;
    if (n * m <= 4'000'000 && n > 0 && m > 0) {
        std::vector<std::uint32_t> common((n + 1) * (m + 1), 0); // longest common part of the rests
        const auto cell = [&](std::size_t x, std::size_t y) -> std::uint32_t& { return common[x * (m + 1) + y]; };
        for (std::size_t x = n; x-- > 0;)
            for (std::size_t y = m; y-- > 0;)
                cell(x, y) =
                    a[head + x] == b[head + y] ? cell(x + 1, y + 1) + 1 : std::max(cell(x + 1, y), cell(x, y + 1));
        while (i < n && j < m) {
            if (a[head + i] == b[head + j]) {
                out.push_back({' ', &a[head + i]});
                ++i, ++j;
            } else if (cell(i + 1, j) >= cell(i, j + 1)) {
                out.push_back({'-', &a[head + i++]});
            } else {
                out.push_back({'+', &b[head + j++]});
            }
        }
    }
    for (; i < n; ++i)
        out.push_back({'-', &a[head + i]});
    for (; j < m; ++j)
        out.push_back({'+', &b[head + j]});
    for (std::size_t k = a.size() - tail; k < a.size(); ++k)
        out.push_back({' ', &a[k]});
    return out;
}

std::string unifiedText(const std::vector<std::string>& a, const std::vector<std::string>& b) {
    const std::vector<Line> lines = aligned(a, b);
    std::vector<bool> keep(lines.size(), false);
    for (std::size_t i = 0; i < lines.size(); ++i)
        if (lines[i].mark != ' ')
            for (std::size_t k = i > context ? i - context : 0; k <= std::min(i + context, lines.size() - 1); ++k)
                keep[k] = true;
    std::string out;
    std::size_t folded = 0;
    const auto fold = [&] {
        if (folded > 0)
            out += "@@ " + std::to_string(folded) + " unchanged lines @@\n";
        folded = 0;
    };
    bool any = false;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (!keep[i]) {
            ++folded;
            continue;
        }
        any = true;
        fold();
        if (out.size() > mostBytes) {
            out += "@@ cut @@\n";
            return out;
        }
        out += lines[i].mark;
        out += ' ';
        out += *lines[i].text;
        out += '\n';
    }
    if (any)
        fold();
    return out;
}
} // namespace

std::vector<std::string> yamlLines(const json& value) {
    std::vector<std::string> out;
    emit(value, "", "", out, 0);
    return out;
}

Difference difference(const json& before, const json& intended, const json& after, const guard::Redactor& redactor) {
    // The same redactor for all: equal masks then mean equal values. What the later ones teach counts for the first.
    const auto masked = [&](const json& object) {
        return withoutNoise(redactor.object(guard::Raw<json>(object)).value());
    };
    static_cast<void>(masked(after));
    const json from = masked(before), to = masked(after), ours = masked(intended);
    Difference result;
    walk(&from, &ours, &to, intended.is_object(), "", result.fields, 0);
    result.unified = unifiedText(yamlLines(from), yamlLines(to));
    return result;
}

} // namespace alidade::cluster::writer
