// SPDX-License-Identifier: GPL-3.0-or-later
// What it is for: sorting many byte-string keys without touching each one at every comparison.
// What it must not know: where keys come from. Keys hold no NUL byte.
// Thread: any.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace alidade::models {

struct KeyedId {
    std::uint64_t chunk = 0;
    std::uint32_t id = 0;
};

/// The keys of ids 0, 1, 2... in one block: where each key has memory of its own, reading them costs more than sorting.
class KeyBlock {
public:
    void add(std::string_view key) {
        bytes_.append(key);
        ends_.push_back(bytes_.size());
    }
    [[nodiscard]] bool empty() const noexcept { return ends_.empty(); }
    [[nodiscard]] std::string_view operator[](std::uint32_t id) const noexcept {
        const std::size_t from = id == 0 ? 0 : ends_[id - 1];
        return {bytes_.data() + from, ends_[id] - from};
    }

private:
    std::string bytes_;
    std::vector<std::size_t> ends_;
};

[[nodiscard]] inline std::uint64_t chunkAt(std::string_view key, std::size_t depth) noexcept {
    std::uint64_t chunk = 0;
    const std::size_t have = depth < key.size() ? std::min<std::size_t>(8, key.size() - depth) : 0;
    if constexpr (std::endian::native == std::endian::little) {
        if (have == 8) {
            std::memcpy(&chunk, key.data() + depth, 8);
            return __builtin_bswap64(chunk);
        }
    }
    for (std::size_t i = 0; i < have; ++i) {
        chunk |= static_cast<std::uint64_t>(static_cast<unsigned char>(key[depth + i])) << (56 - 8 * i);
    }
    return chunk;
}

/// Sorts [first, last) by keyOf(id), eight bytes at a time: each key is read once per eight bytes of shared prefix.
/// `onTie(first, last)` gets each run of equal keys.
template<class KeyOf, class OnTie>
void sortByKey(KeyedId* first, KeyedId* last, std::size_t depth, const KeyOf& keyOf, const OnTie& onTie) {
    for (KeyedId* e = first; e != last; ++e) {
        e->chunk = chunkAt(keyOf(e->id), depth);
    }
    std::sort(first, last, [](const KeyedId& a, const KeyedId& b) { return a.chunk < b.chunk; });
    for (KeyedId* run = first; run != last;) {
        KeyedId* end = run + 1;
        while (end != last && end->chunk == run->chunk) {
            ++end;
        }
        if (end - run > 1) {
            if ((run->chunk & 0xff) == 0) { // ended within this chunk: equal
                onTie(run, end);
            } else {
                sortByKey(run, end, depth + 8, keyOf, onTie);
            }
        }
        run = end;
    }
}

} // namespace alidade::models
