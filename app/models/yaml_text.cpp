// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <cctype>

#include <nlohmann/json.hpp>

#include <QCoreApplication>

#include "alidade/models/object_text.hpp"
#include "alidade/models/text.hpp"

namespace alidade::models {
namespace {

using nlohmann::json;

/// Keys people look for first; the rest follows by name.
int rankOf(std::string_view key) {
    constexpr std::array first{"apiVersion", "kind",        "metadata",  "name",    "namespace", "type",
                               "reason",     "message",     "image",     "command", "args",      "uid",
                               "labels",     "annotations", "immutable", "data",    "spec"};
    const auto it = std::find(first.begin(), first.end(), key);
    return it != first.end() ? static_cast<int>(it - first.begin()) : key == "status" ? 1000 : 100;
}

std::string escaped(std::string_view key) {
    std::string out;
    for (const char c : key) {
        if (c == '~') {
            out += "~0";
        } else if (c == '/') {
            out += "~1";
        } else {
            out += c;
        }
    }
    return out;
}

bool looksLikeNumber(std::string_view text) {
    return std::all_of(text.begin(), text.end(), [](char c) {
        return std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '-' || c == '+' || c == '_' ||
               c == ':' || c == 'e' || c == 'E' || c == 'x' || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
    });
}

/// A YAML plain scalar that any reader takes for the same string.
bool isPlain(std::string_view text) {
    if (text.empty() || text.front() == ' ' || text.back() == ' ' || text.back() == ':' || looksLikeNumber(text)) {
        return false;
    }
    constexpr std::string_view leading = "-?:,[]{}#&*!|>'\"%@`~=<";
    if (leading.find(text.front()) != std::string_view::npos) {
        return false;
    }
    for (const auto* word : {"true", "false", "yes", "no", "on", "off", "null", "y", "n"}) {
        if (folded(text) == word) {
            return false;
        }
    }
    return text.find(": ") == std::string_view::npos && text.find(" #") == std::string_view::npos &&
           std::none_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; });
}

class Writer {
public:
    void object(const json& value, int indent, const std::string& pointer) {
        std::vector<const std::string*> keys;
        for (const auto& item : value.items()) {
            keys.push_back(&item.key());
        }
        std::sort(keys.begin(), keys.end(), [](const std::string* a, const std::string* b) {
            return std::pair(rankOf(*a), std::string_view(*a)) < std::pair(rankOf(*b), std::string_view(*b));
        });
        for (const std::string* key : keys) {
            const std::string at = pointer + '/' + escaped(*key);
            if (at == "/metadata/managedFields") {
                continue;
            }
            begin(indent, scalarText(*key) + ':', at);
            member(value.at(*key), indent, at);
        }
    }

    YamlDocument take() && {
        YamlDocument document;
        for (std::size_t i = 0; i < lines_.size(); ++i) {
            document.text += shown(lines_[i]);
            document.text += QLatin1Char('\n');
        }
        document.pointers = std::move(pointers_);
        return document;
    }
    bool secret = false;

private:
    void begin(int indent, const std::string& text, const std::string& pointer) {
        lines_.push_back(pendingDash_ ? lines_.back() + text
                                      : std::string(static_cast<std::size_t>(indent), ' ') + text);
        if (pendingDash_) {
            lines_.erase(lines_.end() - 2);
            pointers_.back() = pointer;
            pendingDash_ = false;
        } else {
            pointers_.push_back(pointer);
        }
    }
    void more(int indent, std::string_view text, const std::string& pointer) {
        lines_.push_back(std::string(static_cast<std::size_t>(indent), ' ') + std::string(text));
        pointers_.push_back(pointer);
    }

    void member(const json& value, int indent, const std::string& pointer) {
        if (hidden(pointer) && value.is_string()) {
            lines_.back() +=
                ' ' + QCoreApplication::translate("Yaml", "<%n byte(s), hidden>", nullptr,
                                                  static_cast<int>(value.get_ref<const std::string&>().size()))
                          .toStdString();
        } else if (value.is_object() && !value.empty()) {
            object(value, indent + 2, pointer);
        } else if (value.is_array() && !value.empty()) {
            array(value, indent, pointer);
        } else {
            scalar(value, indent, pointer);
        }
    }

    void array(const json& value, int indent, const std::string& pointer) {
        std::size_t i = 0;
        for (const auto& item : value) {
            const std::string at = pointer + '/' + std::to_string(i++);
            more(indent, "- ", at);
            if (item.is_object() && !item.empty()) {
                pendingDash_ = true;
                object(item, indent + 2, at);
                pendingDash_ = false;
            } else if (item.is_array() && !item.empty()) {
                lines_.back() += item.dump(-1, ' ', false, json::error_handler_t::replace);
            } else {
                lines_.back().pop_back();
                scalar(item, indent, at);
            }
        }
    }

    void scalar(const json& value, int indent, const std::string& pointer) {
        if (!value.is_string()) {
            lines_.back() += ' ' + value.dump(-1, ' ', false, json::error_handler_t::replace);
            return;
        }
        const auto& text = value.get_ref<const std::string&>();
        if (text.find('\n') == std::string::npos || text.front() == ' ' || text.front() == '\n') {
            lines_.back() += ' ' + scalarText(text);
            return;
        }
        const bool ends = text.back() == '\n';
        lines_.back() += ends ? " |" : " |-";
        std::size_t at = 0;
        while (at < text.size()) {
            const std::size_t end = std::min(text.find('\n', at), text.size());
            more(indent + 2, std::string_view(text).substr(at, end - at), pointer);
            at = end + 1;
        }
    }

    static std::string scalarText(const std::string& text) {
        return isPlain(text) ? text : json(text).dump(-1, ' ', false, json::error_handler_t::replace);
    }
    [[nodiscard]] bool hidden(const std::string& pointer) const {
        return secret && (pointer.starts_with("/data/") || pointer.starts_with("/stringData/") ||
                          pointer.find("last-applied-configuration") != std::string::npos);
    }

    std::vector<std::string> lines_;
    std::vector<std::string> pointers_;
    bool pendingDash_ = false;
};

} // namespace

int YamlDocument::lineOf(std::string_view pointer) const {
    while (!pointer.empty()) {
        // A list item has no line of its own: its first field stands on it.
        const auto it = std::find_if(pointers.begin(), pointers.end(), [&](const std::string& each) {
            return each.starts_with(pointer) && (each.size() == pointer.size() || each[pointer.size()] == '/');
        });
        if (it != pointers.end()) {
            return static_cast<int>(it - pointers.begin());
        }
        const auto slash = pointer.rfind('/');
        pointer = pointer.substr(0, slash == std::string_view::npos ? 0 : slash);
    }
    return -1;
}

YamlDocument toYaml(const nlohmann::json& object) {
    Writer writer;
    if (!object.is_object()) {
        return {};
    }
    const auto kind = object.find("kind");
    writer.secret = kind != object.end() && kind->is_string() && kind->get_ref<const std::string&>() == "Secret";
    writer.object(object, 0, "");
    return std::move(writer).take();
}

} // namespace alidade::models
