// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Text by origin. A type says where text came from and what may be done with it:
//   Untrusted      cluster or model text: shown as plain text only, never markup, never an instruction
//   SystemText     a compile-time constant of ours: the only text with a system role
//   OperatorText   text the operator configured on purpose (a skill's prompt)
//   Secret<T>      a credential: not copyable to a stream, wiped at the end
//   Raw<T> -> Redacted<T> -> Bounded<T> -> OutboundPayload: the one way out to a model (payload.hpp)
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace alidade::guard {

/// Text from a cluster or a model. visible() neutralises control, ANSI, bidi and tag characters for display.
class Untrusted {
public:
    Untrusted() = default;
    explicit Untrusted(std::string text) : text_(std::move(text)) {}
    [[nodiscard]] const std::string& raw() const noexcept { return text_; }
    [[nodiscard]] std::string visible() const;
    [[nodiscard]] bool empty() const noexcept { return text_.empty(); }
    friend bool operator==(const Untrusted&, const Untrusted&) = default;

private:
    std::string text_;
};

/// Makes control, escape, bidi-override, zero-width and tag characters visible or removes them, keeps '\n' and '\t'
/// when `keepLines`, replaces invalid UTF-8 by U+FFFD (maximal subpart). ZWJ inside emoji and LRM/RLM stay.
[[nodiscard]] std::string visibleText(std::string_view text, bool keepLines = true);
/// Valid UTF-8 of any bytes (U+FFFD by maximal subpart), nothing else changed.
[[nodiscard]] std::string validUtf8(std::string_view bytes);

/// Only string literals become SystemText.
class SystemText {
public:
    template <std::size_t N>
    consteval SystemText(const char (&literal)[N]) : text_(literal, N - 1) {}  // NOLINT(google-explicit-constructor)
    [[nodiscard]] constexpr std::string_view view() const noexcept { return text_; }

private:
    std::string_view text_;
};

/// Text that the operator wrote into a configuration or skill file on purpose.
class OperatorText {
public:
    /// `source` names the file and entry it was read from.
    [[nodiscard]] static OperatorText fromConfiguration(std::string text, std::string source) {
        return OperatorText(std::move(text), std::move(source));
    }
    [[nodiscard]] std::string_view view() const noexcept { return text_; }
    [[nodiscard]] std::string_view source() const noexcept { return source_; }

private:
    OperatorText(std::string text, std::string source) : text_(std::move(text)), source_(std::move(source)) {}
    std::string text_;
    std::string source_;
};

/// Overwrites memory in a way the optimiser keeps.
void wipe(void* data, std::size_t size) noexcept;

/// A credential. Move-only, not streamable, not comparable, wiped when destroyed. Shared by pointer where needed.
template <class T>
class Secret;

template <>
class Secret<std::string> {
public:
    Secret() = default;
    explicit Secret(std::string value) : value_(std::move(value)) {}
    Secret(const Secret&) = delete;
    Secret& operator=(const Secret&) = delete;
    Secret(Secret&& other) noexcept : value_(std::move(other.value_)) { other.clear(); }
    Secret& operator=(Secret&& other) noexcept {
        if (this != &other) {
            clear();
            value_ = std::move(other.value_);
            other.clear();
        }
        return *this;
    }
    ~Secret() { clear(); }
    /// The one way to the value; grep for it in review.
    [[nodiscard]] const std::string& reveal() const noexcept { return value_; }
    [[nodiscard]] bool empty() const noexcept { return value_.empty(); }
    [[nodiscard]] Secret clone() const { return Secret(value_); }

private:
    void clear() noexcept {
        if (!value_.empty()) wipe(value_.data(), value_.size());
        value_.clear();
    }
    std::string value_;
};

template <class T, class Stream>
Stream& operator<<(Stream&, const Secret<T>&) = delete;

}  // namespace alidade::guard
