// SPDX-License-Identifier: GPL-3.0-or-later
#include "world/selectors.hpp"

#include <algorithm>
#include <cstdlib>

namespace alidade::simulator {

namespace {

std::string trim(std::string_view text) {
    while (!text.empty() && text.front() == ' ')
        text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ')
        text.remove_suffix(1);
    return std::string(text);
}

std::vector<std::string> split(std::string_view text, char separator, bool respectBrackets) {
    std::vector<std::string> out;
    std::size_t from = 0;
    int depth = 0;
    for (std::size_t i = 0; i <= text.size(); ++i) {
        if (i < text.size() && respectBrackets && text[i] == '(')
            ++depth;
        if (i < text.size() && respectBrackets && text[i] == ')')
            --depth;
        if (i == text.size() || (text[i] == separator && depth == 0)) {
            out.push_back(trim(text.substr(from, i - from)));
            from = i + 1;
        }
    }
    return out;
}

bool validKey(std::string_view key) {
    return !key.empty() && key.size() <= 317 && std::all_of(key.begin(), key.end(), [](unsigned char c) {
        return std::isalnum(c) != 0 || c == '-' || c == '_' || c == '.' || c == '/';
    });
}

bool has(const std::vector<std::string>& values, const std::string& value) {
    return std::find(values.begin(), values.end(), value) != values.end();
}

using Op = Requirement::Op;

std::optional<Requirement> parseOne(const std::string& term) {
    if (term.front() == '!')
        return Requirement{trim(std::string_view(term).substr(1)), Op::Missing, {}};
    for (const auto& [word, op] : {std::pair<std::string_view, Op>{" notin ", Op::NotIn},
                                   {" in ", Op::In},
                                   {" notin(", Op::NotIn},
                                   {" in(", Op::In}}) {
        const auto pos = term.find(word);
        if (pos == std::string::npos)
            continue;
        const auto open = term.find('(', pos);
        if (open == std::string::npos || term.back() != ')')
            return std::nullopt;
        return Requirement{trim(std::string_view(term).substr(0, pos)), op,
                           split(std::string_view(term).substr(open + 1, term.size() - open - 2), ',', false)};
    }
    for (const auto& [word, op] : {std::pair<std::string_view, Op>{"!=", Op::NotEquals},
                                   {"==", Op::Equals},
                                   {"=", Op::Equals},
                                   {">", Op::Greater},
                                   {"<", Op::Less}}) {
        const auto pos = term.find(word);
        if (pos != std::string::npos)
            return Requirement{trim(std::string_view(term).substr(0, pos)),
                               op,
                               {trim(std::string_view(term).substr(pos + word.size()))}};
    }
    return Requirement{term, Op::Exists, {}};
}

std::string fieldValue(const Entry& entry, const std::string& field) {
    if (field == "metadata.name")
        return entry.name();
    if (field == "metadata.namespace")
        return entry.ns();
    const Json* here = &entry.doc();
    for (const auto& part : split(field, '.', false))
        here = &at(*here, part);
    if (here->is_string())
        return str(*here);
    if (here->is_boolean())
        return here->get<bool>() ? "true" : "false";
    if (here->is_number_integer())
        return std::to_string(here->get<std::int64_t>());
    if (field == "spec.unschedulable")
        return "false";
    return {};
}

bool supported(const KindDef& kind, const std::string& field) {
    if (field == "metadata.name" || (field == "metadata.namespace" && kind.namespaced))
        return true;
    static const std::vector<std::pair<std::string, std::vector<std::string>>> fields{
        {"pods",
         {"spec.nodeName", "spec.restartPolicy", "spec.schedulerName", "spec.serviceAccountName", "spec.hostNetwork",
          "status.phase", "status.podIP", "status.nominatedNodeName"}},
        {"events",
         {"involvedObject.kind", "involvedObject.namespace", "involvedObject.name", "involvedObject.uid",
          "involvedObject.apiVersion", "involvedObject.resourceVersion", "involvedObject.fieldPath", "reason",
          "reportingComponent", "source", "type", "regarding.kind", "regarding.namespace", "regarding.name",
          "regarding.uid", "regarding.apiVersion", "regarding.resourceVersion", "regarding.fieldPath",
          "reportingController"}},
        {"nodes", {"spec.unschedulable"}},
        {"namespaces", {"status.phase"}},
        {"secrets", {"type"}},
        {"jobs", {"status.successful"}},
        {"replicasets", {"status.replicas"}},
        {"replicationcontrollers", {"status.replicas"}},
    };
    for (const auto& [resource, names] : fields)
        if (kind.resource == resource)
            return has(names, field);
    return false;
}

} // namespace

Outcome<LabelSelector> LabelSelector::parse(std::string_view text) {
    LabelSelector out;
    for (const auto& term : split(text, ',', true)) {
        if (term.empty())
            continue;
        auto one = parseOne(term);
        if (!one || !validKey(one->key))
            return tl::unexpected(
                badRequest("unable to parse requirement: found '" + term + "', expected: a label selector"));
        out.requirements_.push_back(std::move(*one));
    }
    return out;
}

LabelSelector LabelSelector::fromJson(const Json& selector) {
    LabelSelector out;
    for (const auto& [key, value] : members(at(selector, "matchLabels")))
        out.requirements_.push_back({key, Op::Equals, {str(value)}});
    for (const auto& expression : items(at(selector, "matchExpressions"))) {
        Requirement one;
        one.key = str(at(expression, "key"));
        const auto op = str(at(expression, "operator"));
        one.op = op == "In"       ? Op::In
                 : op == "NotIn"  ? Op::NotIn
                 : op == "Exists" ? Op::Exists
                 : op == "Gt"     ? Op::Greater
                 : op == "Lt"     ? Op::Less
                                  : Op::Missing;
        for (const auto& value : items(at(expression, "values")))
            one.values.push_back(str(value));
        out.requirements_.push_back(std::move(one));
    }
    return out;
}

bool LabelSelector::matches(const Json& labels) const {
    return std::all_of(requirements_.begin(), requirements_.end(), [&](const Requirement& r) {
        const Json& label = at(labels, r.key);
        const bool there = label.is_string();
        const std::string value = str(label);
        switch (r.op) {
        case Op::Equals: return there && value == r.values.front();
        case Op::NotEquals: return !there || value != r.values.front();
        case Op::In: return there && has(r.values, value);
        case Op::NotIn: return !there || !has(r.values, value);
        case Op::Exists: return there;
        case Op::Missing: return !there;
        case Op::Greater:
            return there && !r.values.empty() &&
                   std::strtoll(value.c_str(), nullptr, 10) > std::strtoll(r.values.front().c_str(), nullptr, 10);
        case Op::Less:
            return there && !r.values.empty() &&
                   std::strtoll(value.c_str(), nullptr, 10) < std::strtoll(r.values.front().c_str(), nullptr, 10);
        }
        return false;
    });
}

std::string LabelSelector::text() const {
    std::string out;
    for (const auto& r : requirements_) {
        if (!out.empty())
            out += ",";
        std::string values;
        for (const auto& value : r.values)
            values += (values.empty() ? "" : ",") + value;
        switch (r.op) {
        case Op::Equals: out += r.key + "=" + values; break;
        case Op::NotEquals: out += r.key + "!=" + values; break;
        case Op::In: out += r.key + " in (" + values + ")"; break;
        case Op::NotIn: out += r.key + " notin (" + values + ")"; break;
        case Op::Exists: out += r.key; break;
        case Op::Missing: out += "!" + r.key; break;
        case Op::Greater: out += r.key + ">" + values; break;
        case Op::Less: out += r.key + "<" + values; break;
        }
    }
    return out;
}

Outcome<FieldSelector> FieldSelector::parse(const KindDef& kind, std::string_view text) {
    FieldSelector out;
    for (const auto& term : split(text, ',', false)) {
        if (term.empty())
            continue;
        Term one;
        std::size_t pos = term.find("!=");
        std::size_t width = 2;
        if (pos != std::string::npos) {
            one.equal = false;
        } else if ((pos = term.find("==")) == std::string::npos) {
            pos = term.find('=');
            width = 1;
        }
        if (pos == std::string::npos)
            return tl::unexpected(
                badRequest("invalid field selector: '" + term + "'; can't understand '" + term + "'"));
        one.field = trim(std::string_view(term).substr(0, pos));
        one.value = trim(std::string_view(term).substr(pos + width));
        if (!supported(kind, one.field))
            return tl::unexpected(badRequest("field label not supported: " + one.field));
        // Stored events are core/v1: the newer API's names mean the same fields.
        if (one.field.starts_with("regarding."))
            one.field = "involvedObject." + one.field.substr(10);
        if (one.field == "reportingController")
            one.field = "reportingComponent";
        if (one.field == "source")
            one.field = "source.component";
        out.terms_.push_back(std::move(one));
    }
    return out;
}

bool FieldSelector::matches(const Entry& entry) const {
    return std::all_of(terms_.begin(), terms_.end(),
                       [&](const Term& term) { return (fieldValue(entry, term.field) == term.value) == term.equal; });
}

bool matchesAll(const Json& wanted, const Json& labels) {
    const auto& pairs = members(wanted);
    return !pairs.empty() && std::all_of(pairs.begin(), pairs.end(), [&](const auto& pair) {
        return at(labels, pair.first).is_string() && str(at(labels, pair.first)) == str(pair.second);
    });
}

} // namespace alidade::simulator
