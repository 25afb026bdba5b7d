// SPDX-License-Identifier: GPL-3.0-or-later
#include "kubeconfig/yaml_tree.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <exception>
#include <map>
#include <optional>
#include <set>
#include <sstream>

#include <nlohmann/json.hpp>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

namespace alidade::cluster {
namespace {

using guard::ErrorCode;

struct Refusal {
    int line;
    std::string text;
};

std::size_t weigh(const YamlNode& node) {
    std::size_t weight = 1 + node.text.size() / 64;
    for (const YamlNode& item : node.items) {
        weight += weigh(item);
    }
    for (const auto& [key, value] : node.fields) {
        weight += weigh(value) + key.size() / 64;
    }
    return weight;
}

/// Builds the tree from events: yaml-cpp's own nodes share aliases, and a walk over those can take for ever.
class TreeBuilder final : public YAML::EventHandler {
public:
    explicit TreeBuilder(std::size_t maxNodes) : budget_(maxNodes) {}

    void OnDocumentStart(const YAML::Mark&) override {}
    void OnDocumentEnd() override {}
    void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
        YamlNode node;
        node.line = mark.line + 1;
        finish(std::move(node), anchor);
    }
    void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
        const auto found = anchors_.find(anchor);
        if (found == anchors_.end()) {
            throw Refusal{mark.line + 1, "an alias inside its own anchor"};
        }
        charge(found->second.weight, mark.line + 1);
        finish(found->second.node, 0);
    }
    void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  const std::string& value) override {
        YamlNode node;
        node.kind = YamlNode::Kind::Scalar;
        node.line = mark.line + 1;
        node.plain = tag == "?" || tag.empty();
        node.text = value;
        if (node.plain && resolvePlain(value) == PlainScalar::Null) {
            node.kind = YamlNode::Kind::Null;
        }
        finish(std::move(node), anchor);
    }
    void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                         YAML::EmitterStyle::value) override {
        open(YamlNode::Kind::Sequence, mark.line + 1, anchor);
    }
    void OnSequenceEnd() override { close(); }
    void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                    YAML::EmitterStyle::value) override {
        open(YamlNode::Kind::Map, mark.line + 1, anchor);
    }
    void OnMapEnd() override { close(); }

    [[nodiscard]] YamlNode take() { return std::move(root_); }

private:
    struct Frame {
        YamlNode node;
        YAML::anchor_t anchor = 0;
        std::optional<std::pair<std::string, bool>> key; // and whether it was plain
        std::set<std::string> seen;
        std::vector<YamlNode> merges;
    };
    struct Anchored {
        YamlNode node;
        std::size_t weight = 0;
    };

    void charge(std::size_t weight, int line) {
        if (weight > budget_) {
            throw Refusal{line, "too large once its aliases are expanded"};
        }
        budget_ -= weight;
    }
    void open(YamlNode::Kind kind, int line, YAML::anchor_t anchor) {
        Frame& frame = stack_.emplace_back();
        frame.node.kind = kind;
        frame.node.line = line;
        frame.anchor = anchor;
    }
    void close() {
        Frame frame = std::move(stack_.back());
        stack_.pop_back();
        for (YamlNode& merge : frame.merges) {
            for (auto& [key, value] : merge.fields) {
                if (frame.seen.insert(key).second) {
                    frame.node.fields.push_back({key, std::move(value)});
                }
            }
        }
        finish(std::move(frame.node), frame.anchor);
    }
    void merge(Frame& frame, YamlNode value) {
        if (value.kind == YamlNode::Kind::Map) {
            frame.merges.push_back(std::move(value));
            return;
        }
        if (value.kind == YamlNode::Kind::Sequence &&
            std::all_of(value.items.begin(), value.items.end(),
                        [](const YamlNode& item) { return item.kind == YamlNode::Kind::Map; })) {
            std::move(value.items.begin(), value.items.end(), std::back_inserter(frame.merges));
            return;
        }
        throw Refusal{value.line, "\"<<\" needs a mapping"};
    }
    void finish(YamlNode node, YAML::anchor_t anchor) {
        charge(1, node.line);
        if (anchor != 0) {
            const std::size_t weight = weigh(node);
            charge(weight, node.line); // the copy kept for aliases
            anchors_[anchor] = Anchored{node, weight};
        }
        if (stack_.empty()) {
            root_ = std::move(node);
            return;
        }
        Frame& frame = stack_.back();
        if (frame.node.kind == YamlNode::Kind::Sequence) {
            frame.node.items.push_back(std::move(node));
            return;
        }
        if (!frame.key) {
            if (node.kind == YamlNode::Kind::Sequence || node.kind == YamlNode::Kind::Map) {
                throw Refusal{node.line, "a key that is not text"};
            }
            frame.key = {node.text, node.plain};
            if (!(node.text == "<<" && node.plain) && !frame.seen.insert(node.text).second) {
                throw Refusal{node.line, "key \"" + node.text.substr(0, 80) + "\" is there twice"};
            }
            return;
        }
        auto [key, plain] = *std::exchange(frame.key, std::nullopt);
        if (plain && key == "<<") {
            merge(frame, std::move(node));
        } else {
            frame.node.fields.push_back({std::move(key), std::move(node)});
        }
    }

    std::size_t budget_;
    YamlNode root_;
    std::vector<Frame> stack_;
    std::map<YAML::anchor_t, Anchored> anchors_;
};

bool anyOf(std::string_view text, std::initializer_list<std::string_view> words) noexcept {
    return std::find(words.begin(), words.end(), text) != words.end();
}

bool isFalse(std::string_view text) noexcept {
    return anyOf(text, {"no", "No", "NO", "off", "Off", "OFF", "false", "False", "FALSE"});
}

bool isDigits(std::string_view text, std::string_view digits) noexcept {
    return !text.empty() && text.find_first_not_of(digits) == std::string_view::npos;
}

bool isInteger(std::string_view text) noexcept {
    if (!text.empty() && (text.front() == '+' || text.front() == '-')) {
        text.remove_prefix(1);
    }
    if (text.size() > 2 && text.front() == '0') {
        switch (text[1]) {
        case 'x':
        case 'X': return isDigits(text.substr(2), "0123456789abcdefABCDEF_");
        case 'b':
        case 'B': return isDigits(text.substr(2), "01_");
        case 'o':
        case 'O': return isDigits(text.substr(2), "01234567_");
        default: break;
        }
    }
    return !text.empty() && text.front() != '_' && isDigits(text, "0123456789_");
}

bool isFloat(std::string_view text) noexcept {
    if (!text.empty() && (text.front() == '+' || text.front() == '-')) {
        text.remove_prefix(1);
    }
    if (anyOf(text, {".inf", ".Inf", ".INF", ".nan", ".NaN", ".NAN"})) {
        return true;
    }
    std::size_t at = 0;
    const auto digits = [&] {
        const std::size_t from = at;
        while (at < text.size() && text[at] >= '0' && text[at] <= '9') {
            ++at;
        }
        return at - from;
    };
    std::size_t mantissa = digits();
    if (at < text.size() && text[at] == '.') {
        ++at;
        mantissa += digits();
    }
    if (mantissa == 0) {
        return false;
    }
    if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
        ++at;
        if (at < text.size() && (text[at] == '+' || text[at] == '-')) {
            ++at;
        }
        if (digits() == 0) {
            return false;
        }
    }
    return at == text.size();
}

} // namespace

const YamlNode* YamlNode::field(std::string_view name) const noexcept {
    for (const auto& [key, value] : fields) {
        if (key == name) {
            return &value;
        }
    }
    return nullptr;
}

bool isYamlTrue(std::string_view text) noexcept {
    return anyOf(text, {"yes", "Yes", "YES", "on", "On", "ON", "true", "True", "TRUE"});
}

PlainScalar resolvePlain(std::string_view text) noexcept {
    if (anyOf(text, {"", "~", "null", "Null", "NULL"})) {
        return PlainScalar::Null;
    }
    if (isYamlTrue(text) || isFalse(text)) {
        return PlainScalar::Bool;
    }
    return isInteger(text) || isFloat(text) ? PlainScalar::Number : PlainScalar::Text;
}

guard::Result<YamlNode> parseYaml(const std::string& text, const std::string& name, std::size_t maxNodes) {
    const auto refuse = [&](int line, const std::string& why) {
        return guard::fail(ErrorCode::Config, line > 0 ? name + ", line " + std::to_string(line) : name, why);
    };
    if (text.find('\0') != std::string::npos) {
        return refuse(0, "this is not a text file");
    }
    try {
        std::istringstream stream(text);
        YAML::Parser parser(stream);
        TreeBuilder builder(maxNodes);
        parser.HandleNextDocument(builder);
        return builder.take();
    } catch (const Refusal& refusal) {
        return refuse(refusal.line, refusal.text);
    } catch (const YAML::Exception& e) {
        return refuse(e.mark.is_null() ? 0 : e.mark.line + 1, "not valid YAML: " + e.msg);
    } catch (const std::exception&) {
        return refuse(0, "not valid YAML");
    }
}

nlohmann::json toJson(const YamlNode& node) {
    switch (node.kind) {
    case YamlNode::Kind::Null: return nullptr;
    case YamlNode::Kind::Sequence: {
        nlohmann::json array = nlohmann::json::array();
        for (const YamlNode& item : node.items) {
            array.push_back(toJson(item));
        }
        return array;
    }
    case YamlNode::Kind::Map: {
        nlohmann::json object = nlohmann::json::object();
        for (const auto& [key, value] : node.fields) {
            object[key] = toJson(value);
        }
        return object;
    }
    case YamlNode::Kind::Scalar: break;
    }
    const PlainScalar plain = node.plain ? resolvePlain(node.text) : PlainScalar::Text;
    if (plain == PlainScalar::Bool) {
        return isYamlTrue(node.text);
    }
    if (plain == PlainScalar::Number) {
        std::int64_t integer = 0;
        const char* end = node.text.data() + node.text.size();
        if (const auto [at, error] = std::from_chars(node.text.data(), end, integer);
            error == std::errc{} && at == end) {
            return integer;
        }
        double number = 0;
        if (const auto [at, error] = std::from_chars(node.text.data(), end, number);
            error == std::errc{} && at == end) {
            return number;
        }
    }
    return node.text;
}

} // namespace alidade::cluster
