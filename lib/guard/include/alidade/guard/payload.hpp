// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The one way from a cluster to a model: Raw<T> -> Redacted<T> -> Bounded<T> -> OutboundPayload.
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "alidade/guard/result.hpp"

namespace alidade::guard {

/// Plain text of a container log, as the API returned it (bytes; not necessarily UTF-8).
struct LogText {
    std::string text;
    std::size_t omittedBytes = 0;  ///< older bytes, before `text`, that a byte budget left out
};

/// As read; may hold secrets. The person at the desk may see it, nothing else may leave with it.
template<class T>
class Raw {
public:
    explicit Raw(T value) : value_(std::move(value)) {}
    [[nodiscard]] const T& value() const& noexcept { return value_; }
    [[nodiscard]] T&& value() && noexcept { return std::move(value_); }

private:
    T value_;
};

class Redactor;

/// One masked place: which rule, where (JSON pointer, or "line N").
struct Mask {
    std::string rule;
    std::string path;
};

/// Masked by the redactor, which alone makes one.
template<class T>
class Redacted {
public:
    [[nodiscard]] const T& value() const noexcept { return value_; }
    [[nodiscard]] const std::vector<Mask>& masks() const noexcept { return masks_; }

private:
    friend class Redactor;
    Redacted(T value, std::vector<Mask> masks) : value_(std::move(value)), masks_(std::move(masks)) {}
    T value_;
    std::vector<Mask> masks_;
};

/// Cut to a size after redaction, never before.
template<class T>
class Bounded {
public:
    [[nodiscard]] const T& value() const noexcept { return value_; }
    [[nodiscard]] bool cut() const noexcept { return cut_; }

private:
    friend Bounded<std::string> bound(Redacted<std::string> text, std::size_t maxBytes);
    Bounded(T value, bool cut) : value_(std::move(value)), cut_(cut) {}
    T value_;
    bool cut_ = false;
};

/// Cuts on a UTF-8 and, where possible, line boundary and says how much is missing.
[[nodiscard]] Bounded<std::string> bound(Redacted<std::string> text, std::size_t maxBytes);

/// Masks secrets and (towards models) personal data: "[masked:rule#1a2b3c4d]", where the tag is an HMAC of the value
/// with a key of this redactor, so that equal values stay comparable within a run. One per run. What comes out is valid
/// UTF-8 with hidden characters made visible (visibleText). A second pass leaves masks as they are.
/// Thread-safe once constructed; linear in the size of the text.
class Redactor {
public:
    struct Options {
        bool personalData = true; ///< e-mail, phone, card numbers, public client addresses
    };
    Redactor();
    explicit Redactor(Options options);
    ~Redactor();
    Redactor(Redactor&&) noexcept;
    Redactor& operator=(Redactor&&) noexcept;

    /// Text form: logs, events, messages. Keeps the number of lines.
    [[nodiscard]] Redacted<std::string> text(const Raw<LogText>& raw) const;
    [[nodiscard]] Redacted<std::string> text(const Raw<std::string>& raw) const;
    /// Object form: Secret data, sensitive keys, env pairs, arguments, annotations, and text rules in every string.
    [[nodiscard]] Redacted<nlohmann::json> object(const Raw<nlohmann::json>& raw) const;
    /// Serialises a redacted object for sending or storing (2-space JSON).
    [[nodiscard]] static Redacted<std::string> serialise(const Redacted<nlohmann::json>& object);
    /// A value learnt to be secret in one place is masked wherever else it turns up in this run. Thread-safe.
    void learn(std::string_view secretValue) const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

/// What is handed to a model's transport. Only the outbound policy makes one.
class OutboundPayload {
public:
    [[nodiscard]] const std::string& body() const noexcept { return body_; }
    [[nodiscard]] const std::vector<Mask>& masks() const noexcept { return masks_; }

private:
    friend class OutboundPolicy;
    OutboundPayload(std::string body, std::vector<Mask> masks) : body_(std::move(body)), masks_(std::move(masks)) {}
    std::string body_;
    std::vector<Mask> masks_;
};

} // namespace alidade::guard
