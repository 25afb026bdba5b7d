// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// gzip (RFC 1952, also several members in a row) as a stream, with a bound on how far it may expand.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

struct z_stream_s;

namespace alidade::http {

class Inflater {
public:
    /// Output over 1 MiB that is more than `maxRatio` times the input is refused.
    explicit Inflater(std::size_t maxRatio);
    ~Inflater();
    Inflater(const Inflater&) = delete;
    Inflater& operator=(const Inflater&) = delete;

    enum class State : std::uint8_t { Ok, Corrupt, TooLarge };
    /// Takes some of `input` (removes it from the front) and returns the next block of output, valid until the next
    /// call. Call until the input is empty and hasOutput() is false.
    [[nodiscard]] std::string_view next(std::string_view& input);
    [[nodiscard]] bool hasOutput() const noexcept { return hasOutput_; } ///< more may come without more input
    [[nodiscard]] State state() const noexcept { return state_; }
    /// At the end of the input: all members are complete, or there was no input at all.
    [[nodiscard]] bool complete() const noexcept { return state_ == State::Ok && (memberDone_ || totalIn_ == 0); }

private:
    std::unique_ptr<z_stream_s> stream_;
    std::unique_ptr<char[]> block_;
    std::size_t maxRatio_;
    std::uint64_t totalIn_ = 0;
    std::uint64_t totalOut_ = 0;
    bool memberDone_ = false;
    bool hasOutput_ = false;
    State state_ = State::Ok;
};

class Deflater {
public:
    Deflater();
    ~Deflater();
    Deflater(const Deflater&) = delete;
    Deflater& operator=(const Deflater&) = delete;
    /// Appends the compressed form of `input` to `out`; `last` ends the stream.
    void append(std::string_view input, bool last, std::string& out);

private:
    std::unique_ptr<z_stream_s> stream_;
};

} // namespace alidade::http
