// SPDX-License-Identifier: GPL-3.0-or-later
// Server-side Tables (meta.k8s.io/v1 Table): columns and rows as the server prints them.
#include <algorithm>
#include <charconv>

#include <nlohmann/json.hpp>

#include "decode_kinds.hpp"

namespace alidade::cluster::decode {
namespace {

std::string upper(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
    return text;
}

std::string member(const nlohmann::json& object, const char* name) {
    const auto found = object.find(name);
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

/// "1/3" -> both numbers.
bool ratio(std::string_view text, std::int64_t& part, std::int64_t& whole) {
    const auto slash = text.find('/');
    if (slash == std::string_view::npos) {
        return false;
    }
    const auto number = [](std::string_view digits, std::int64_t& out) {
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), out);
        return error == std::errc{} && end == digits.data() + digits.size();
    };
    return number(text.substr(0, slash), part) && number(text.substr(slash + 1), whole);
}

} // namespace

TableColumns::TableColumns()
    : schema_(std::make_shared<const std::vector<Column>>(std::vector<Column>{
          {"NAME", ColumnType::Text, false, "Name"}, {"AGE", ColumnType::Age, false, "Time since it was created"}})),
      sources_{Source::AsIs, Source::Creation} {}

bool TableColumns::set(std::string_view definitions) {
    if (definitions == definitions_) {
        return false;
    }
    const auto parsed = nlohmann::json::parse(definitions, nullptr, false);
    if (!parsed.is_array() || parsed.empty()) {
        return false;
    }
    std::vector<Column> columns;
    std::vector<Source> sources;
    for (const auto& definition : parsed) {
        if (!definition.is_object()) {
            return false;
        }
        Column column;
        column.title = upper(member(definition, "name"));
        column.description = member(definition, "description");
        if (const auto priority = definition.find("priority"); priority != definition.end()) {
            column.wide = priority->is_number_integer() && priority->get<std::int64_t>() != 0;
        }
        Source source = Source::AsIs;
        const std::string type = member(definition, "type");
        if (column.title == "AGE") {
            column.type = ColumnType::Age;
            source = Source::Creation;
        } else if (type == "date" || column.title == "LAST SCHEDULE") {
            column.type = ColumnType::Age;
            source = Source::Age;
        } else if (type == "integer" || type == "number") {
            column.type = ColumnType::Number;
        } else if (column.title == "CAPACITY") {
            column.type = ColumnType::Quantity;
        }
        columns.push_back(std::move(column));
        sources.push_back(source);
    }
    definitions_ = definitions;
    sources_ = std::move(sources);
    schema_ = std::make_shared<const std::vector<Column>>(std::move(columns));
    return true;
}

void TableColumns::row(json::Reader& in, ondemand::object object, RowBuilder& row, Meta& meta, std::int64_t nowNs) {
    values_.clear();
    in.fields(object, [&](const auto& key, ondemand::value& value) {
        if (json::is(key, "cells")) {
            in.items(value, [&](ondemand::value& item) {
                Value& cell = values_.emplace_back();
                ondemand::json_type type = ondemand::json_type::null;
                if (item.type().get(type) != simdjson::SUCCESS) {
                    return;
                }
                if (type == ondemand::json_type::string) {
                    cell.text = in.text(item);
                    cell.number = parseQuantity(cell.text).value_or(0);
                } else if (type == ondemand::json_type::number) {
                    std::string_view token = item.raw_json_token();
                    while (!token.empty() && static_cast<unsigned char>(token.back()) <= ' ')
                        token.remove_suffix(1);
                    cell.text = token;
                    std::from_chars(token.data(), token.data() + token.size(), cell.number);
                } else if (type == ondemand::json_type::boolean) {
                    cell.text = in.boolean(item) ? "true" : "false";
                } else if (type == ondemand::json_type::array || type == ondemand::json_type::object) {
                    std::string_view raw;
                    if (simdjson::to_json_string(item).get(raw) == simdjson::SUCCESS) {
                        cell.text = raw;
                    } else {
                        in.broken = true;
                    }
                }
            });
        } else if (json::is(key, "object")) {
            in.fields(value, [&](const auto& part, ondemand::value& field) {
                if (json::is(part, "metadata")) {
                    metadata(in, field, row, meta);
                }
            });
        } else if (json::is(key, "metadata")) { // a server without Tables answered with the object itself
            metadata(in, value, row, meta);
        }
    });
    row.health(row.deleting() ? Health::Progressing : Health::Unknown);
    for (std::size_t i = 0; i < sources_.size(); ++i) {
        const Value* const value = i < values_.size() ? &values_[i] : nullptr;
        const std::string_view text = value != nullptr ? std::string_view(value->text) : std::string_view{};
        const Column& column = (*schema_)[i];
        if (sources_[i] == Source::Creation && row.created() != 0) {
            row.ageCell(row.created());
        } else if (sources_[i] != Source::AsIs) {
            const auto age = parseAgeText(text);
            row.cell(age ? std::string_view{} : text, 0, age ? nowNs - *age : 0);
        } else if (i == 0 && (value == nullptr || text == row.name())) {
            row.nameCell();
        } else {
            row.cell(text, value != nullptr ? value->number : 0);
        }
        std::int64_t part = 0;
        std::int64_t whole = 0;
        if (column.title == "READY" && !row.deleting() && ratio(text, part, whole)) {
            row.health(part < whole ? Health::Progressing : Health::Ok);
        }
    }
}

} // namespace alidade::cluster::decode
