// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Values learnt to be secret during a run, and where they turn up in a text. Thread-safe.
#include <bitset>
#include <cstdint>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "redaction/scan.hpp"

namespace alidade::guard::redaction {

class KnownSecrets {
public:
    /// The value, and the forms it takes in other places: base64, JSON-escaped, percent-encoded, its long lines.
    void learn(std::string_view value);
    void find(std::string_view text, Spans& out) const;
    [[nodiscard]] std::size_t size() const;

private:
    void add(std::string_view form);
    mutable std::shared_mutex mutex_;
    std::bitset<65536> starts_;                                          ///< by the first two bytes
    std::unordered_map<std::uint32_t, std::vector<std::string>> byHead_; ///< by the first four; the longest first
    std::unordered_set<std::string> all_;
};

/// Whether masking this value everywhere would hide more than a secret: short, common, or a word of the trade.
[[nodiscard]] bool worthLearning(std::string_view value, bool fromSensitivePlace);

} // namespace alidade::guard::redaction
