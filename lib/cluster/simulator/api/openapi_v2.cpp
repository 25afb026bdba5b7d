// SPDX-License-Identifier: GPL-3.0-or-later
// Field numbers are those of gnostic's OpenAPIv2.proto.
#include "api/openapi_v2.hpp"

#include <cstdint>

namespace alidade::simulator {

namespace {

/// A length-delimited field.
std::string field(unsigned number, const std::string& bytes) {
    std::string out;
    const auto varint = [&out](std::uint64_t value) {
        for (; value > 127; value >>= 7U)
            out += static_cast<char>((value & 127U) | 128U);
        out += static_cast<char>(value);
    };
    varint(static_cast<std::uint64_t>(number) << 3U | 2U);
    varint(bytes.size());
    return out + bytes;
}

std::string queryParameter(const std::string& name) {
    const auto query = field(2, "query") + field(4, name); // QueryParameterSubSchema
    return field(8, field(1, field(2, field(3, query))));  // ParametersItem, Parameter, NonBodyParameter
}

std::string operation(const Served& served) {
    const auto yaml =
        "group: \"" + served.group + "\"\nversion: " + served.version + "\nkind: " + served.kind->kind + "\n";
    const auto extension = field(1, "x-kubernetes-group-version-kind") + field(2, field(2, yaml)); // NamedAny, Any
    return queryParameter("dryRun") + queryParameter("fieldManager") + field(13, extension);
}

} // namespace

std::string openapiV2Protobuf(const Kinds& kinds, const std::string& version) {
    std::string paths;
    for (const auto& served : kinds.allServed()) {
        const auto root = (served.group.empty() ? "/api/" : "/apis/") + served.apiVersion() +
                          (served.kind->namespaced ? "/namespaces/{namespace}/" : "/") + served.kind->resource;
        const auto same = operation(served);
        paths += field(2, field(1, root) + field(2, field(4, same)));
        paths += field(2, field(1, root + "/{name}") + field(2, field(3, same) + field(5, same) + field(8, same)));
    }
    return field(1, "2.0") + field(2, field(1, "Alidade simulator") + field(2, version)) + field(8, paths);
}

} // namespace alidade::simulator
