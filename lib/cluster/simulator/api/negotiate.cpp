// SPDX-License-Identifier: GPL-3.0-or-later
#include "api/negotiate.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace alidade::simulator {

namespace {

std::string squeezed(std::string_view text) {
    std::string out;
    for (const unsigned char c : text)
        if (std::isspace(c) == 0)
            out += static_cast<char>(c);
    return out;
}

bool parameter(const std::string& item, std::string_view wanted) {
    return (";" + item + ";").find(";" + std::string(wanted) + ";") != std::string::npos;
}

} // namespace

std::string param(const http::ServerRequest& request, std::string_view name) {
    return std::string(request.param(name).value_or(""));
}

bool flag(const http::ServerRequest& request, std::string_view name) {
    const auto value = request.param(name);
    return value && (*value == "true" || *value == "1" || *value == "True");
}

std::optional<std::int64_t> number(const http::ServerRequest& request, std::string_view name) {
    const auto value = request.param(name);
    if (!value)
        return std::nullopt;
    std::int64_t out = 0;
    const auto [end, error] = std::from_chars(value->data(), value->data() + value->size(), out);
    if (error != std::errc{} || end != value->data() + value->size())
        return std::nullopt;
    return out;
}

std::string mediaType(const http::ServerRequest& request) {
    auto type = squeezed(request.headers.get("Content-Type").value_or(""));
    type = type.substr(0, type.find(';'));
    std::transform(type.begin(), type.end(), type.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return type;
}

std::optional<Shape> negotiate(const http::ServerRequest& request) {
    Shape shape;
    const auto include = param(request, "includeObject");
    shape.include = include == "None" ? Include::None : include == "Object" ? Include::Object : Include::Metadata;
    std::string accept;
    for (const auto line : request.headers.all("Accept"))
        accept += (accept.empty() ? "" : ",") + squeezed(line);
    if (accept.empty())
        return shape;
    std::size_t from = 0;
    while (from <= accept.size()) {
        const auto comma = std::min(accept.find(',', from), accept.size());
        const auto item = accept.substr(from, comma - from);
        from = comma + 1;
        const auto type = item.substr(0, item.find(';'));
        if (type != "application/json" && type != "*/*" && type != "application/*")
            continue;
        const bool meta = parameter(item, "g=meta.k8s.io") && (parameter(item, "v=v1") || parameter(item, "v=v1beta1"));
        if (item.find(";as=") == std::string::npos)
            return shape;
        if (!meta)
            continue;
        if (parameter(item, "as=Table"))
            return Shape{Form::Table, shape.include};
        if (parameter(item, "as=PartialObjectMetadata") || parameter(item, "as=PartialObjectMetadataList"))
            return Shape{Form::Metadata, shape.include};
    }
    return std::nullopt;
}

} // namespace alidade::simulator
