// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// An unreadable source is never reported as an empty one: answers carry their coverage.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "alidade/guard/result.hpp"

namespace alidade::guard {

enum class Coverage : std::uint8_t { Complete, Partial, Forbidden, Unavailable, Failed, Capped };
[[nodiscard]] std::string_view name(Coverage coverage) noexcept;
[[nodiscard]] Coverage coverageOf(ErrorCode code) noexcept;  ///< what a failed read means for coverage

/// Evidence that could not be had, and why.
struct Gap {
    std::string source;  ///< "pods in shop", "logs checkout-abc/app (previous)"
    Coverage coverage = Coverage::Failed;
    std::string reason;  ///< at most 512 characters
    friend bool operator==(const Gap&, const Gap&) = default;
};

/// A read's value together with how complete it is. There is no way to the value that hides the coverage:
/// ifComplete() gives it only when nothing is missing, partial() says so by its name.
template <class T>
class Answer {
public:
    Answer(T value, std::string scope) : value_(std::move(value)), scope_(std::move(scope)) {}
    Answer(T value, std::string scope, std::vector<Gap> gaps)
        : value_(std::move(value)), scope_(std::move(scope)), gaps_(std::move(gaps)) {}

    [[nodiscard]] bool complete() const noexcept { return gaps_.empty(); }
    [[nodiscard]] Coverage coverage() const noexcept { return gaps_.empty() ? Coverage::Complete : gaps_.front().coverage; }
    [[nodiscard]] const std::vector<Gap>& gaps() const noexcept { return gaps_; }
    [[nodiscard]] const std::string& scope() const noexcept { return scope_; }
    [[nodiscard]] const T* ifComplete() const noexcept { return gaps_.empty() ? &value_ : nullptr; }
    [[nodiscard]] const T& partial() const& noexcept { return value_; }
    [[nodiscard]] T&& partial() && noexcept { return std::move(value_); }
    void addGap(Gap gap) { gaps_.push_back(std::move(gap)); }

private:
    T value_;
    std::string scope_;
    std::vector<Gap> gaps_;
};

/// "3" or "3 or more".
[[nodiscard]] std::string countText(std::size_t count, bool complete);

}  // namespace alidade::guard
