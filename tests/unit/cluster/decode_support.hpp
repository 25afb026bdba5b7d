// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Objects as text, decoded and printed as kubectl would.
#include <string>
#include <string_view>

#include "alidade/guard/object.hpp"
#include "decode.hpp"

namespace alidade::cluster::test {

inline const guard::WallTime kNow = *guard::parseRfc3339("2024-05-01T12:00:00Z");

struct Decoded {
    RowPtr row;
    Schema schema;
    /// The cell under a title, as printed at kNow; "<no such column>" where there is none.
    [[nodiscard]] std::string operator[](std::string_view title) const {
        for (std::size_t i = 0; row && i < schema->size() && i < row->cells.size(); ++i) {
            if ((*schema)[i].title == title) {
                return cellText((*schema)[i], row->cells[i], kNow);
            }
        }
        return "<no such column>";
    }
};

inline Decoded decodeObject(const guard::KindId& kind, std::string_view json) {
    Decoder decoder(kind);
    Decoded out;
    if (!decoder.item(PaddedText(json).padded(), out.row)) {
        return {};
    }
    out.schema = decoder.schema();
    return out;
}

inline Decoded decodePod(std::string_view spec, std::string_view status, std::string_view metadata = "") {
    std::string json = R"({"kind":"Pod","apiVersion":"v1","metadata":{"name":"p","namespace":"n","uid":"u1")";
    json.append(metadata).append(R"(},"spec":)").append(spec).append(R"(,"status":)").append(status).append("}");
    return decodeObject(guard::kinds::pods(), json);
}

} // namespace alidade::cluster::test
