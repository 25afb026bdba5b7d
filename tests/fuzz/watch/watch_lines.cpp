// SPDX-License-Identifier: GPL-3.0-or-later
// Streams and lists from a hostile API server: no crash, bounded rows, and the same outcome however the network cut them.
// The first byte chooses kind, form and size of the pieces; the rest is what the server sends.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "decode.hpp"
#include "framing.hpp"

namespace {

using namespace alidade;
using namespace alidade::cluster;

void require(bool condition) {
    if (!condition) {
        std::abort();
    }
}

guard::KindId kindOf(unsigned choice) {
    switch (choice % 8) {
    case 0: return guard::kinds::pods();
    case 1: return guard::kinds::deployments();
    case 2: return guard::kinds::services();
    case 3: return guard::kinds::nodes();
    case 4: return guard::kinds::events();
    case 5: return guard::kinds::endpointSlices();
    case 6: return guard::kinds::namespaces();
    default: return {"example.com", "v1", "Thing", "things", true}; // a Table
    }
}

/// What came out, as text.
std::string summary(Decoder& decoder, const RowPtr& row) {
    require(row->cells.size() == decoder.schema()->size());
    require(!row->key.empty());
    std::string out(row->key);
    for (std::size_t i = 0; i < row->cells.size(); ++i) {
        out.append("|").append(cellText((*decoder.schema())[i], row->cells[i], guard::WallTime{}));
    }
    return out + "\n";
}

std::string lines(const guard::KindId& kind, std::string_view bytes, std::size_t piece) {
    Decoder decoder(kind);
    std::string out;
    LineFramer framer([&](Padded text) {
        WatchLine line;
        if (!decoder.line(text, line)) {
            out += "broken\n";
            return true;
        }
        out += std::to_string(static_cast<int>(line.type)).append(line.resourceVersion).append("\n");
        for (const RowPtr& row : line.rows) out += summary(decoder, row);
        return true;
    });
    for (std::size_t at = 0; at < bytes.size(); at += piece) {
        if (!framer.feed(bytes.substr(at, piece))) {
            return out + "too large";
        }
    }
    return out;
}

std::string list(const guard::KindId& kind, std::string_view bytes, std::size_t piece) {
    Decoder decoder(kind);
    std::string out;
    ListFramer framer([&](Padded item) {
        RowPtr row;
        if (!decoder.item(item, row)) {
            return false;
        }
        if (row) {
            out += summary(decoder, row);
        }
        return true;
    });
    guard::Result<void> result;
    for (std::size_t at = 0; at < bytes.size() && result; at += piece) {
        result = framer.feed(bytes.substr(at, piece));
    }
    if (result) {
        result = framer.finish();
    }
    return result ? out + framer.head().resourceVersion + framer.head().continueToken : "error: " + result.error().detail;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 2) {
        return 0;
    }
    const unsigned choice = data[0];
    const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
    const guard::KindId kind = kindOf(choice);
    const std::size_t piece = 1 + (choice / 16) * 5;
    const auto decode = (choice & 8U) != 0 ? list : lines;
    require(decode(kind, bytes, bytes.size()) == decode(kind, bytes, piece));
    return 0;
}
