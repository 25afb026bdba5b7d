// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Label selectors (strings and LabelSelector objects) and field selectors.
#include <string>
#include <string_view>
#include <vector>

#include "world/refusal.hpp"
#include "world/world.hpp"

namespace alidade::simulator {

struct Requirement {
    enum class Op : std::uint8_t { Equals, NotEquals, In, NotIn, Exists, Missing, Greater, Less };
    std::string key;
    Op op = Op::Equals;
    std::vector<std::string> values;
};

class LabelSelector {
public:
    /// "a=b,c!=d,e in (f,g),!h"
    [[nodiscard]] static Outcome<LabelSelector> parse(std::string_view text);
    /// metav1.LabelSelector
    [[nodiscard]] static LabelSelector fromJson(const Json& selector);
    [[nodiscard]] bool matches(const Json& labels) const;
    [[nodiscard]] bool empty() const noexcept { return requirements_.empty(); }
    [[nodiscard]] std::string text() const;

private:
    std::vector<Requirement> requirements_;
};

class FieldSelector {
public:
    [[nodiscard]] static Outcome<FieldSelector> parse(const KindDef& kind, std::string_view text);
    [[nodiscard]] bool matches(const Entry& entry) const;
    [[nodiscard]] bool empty() const noexcept { return terms_.empty(); }

private:
    struct Term {
        std::string field, value;
        bool equal = true;
    };
    std::vector<Term> terms_;
};

/// Service style: every pair must match; an empty map matches nothing.
[[nodiscard]] bool matchesAll(const Json& wanted, const Json& labels);

} // namespace alidade::simulator
