// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Cuts the bytes of LIST bodies and WATCH streams into JSON documents, without parsing them: by quotes, braces and line
// ends. Completeness comes from here, never from a parser's success. Bounded memory, any chunking, any thread (one).
// Sources: Kubernetes API concepts (chunked lists, watches are newline-separated documents); RFC 8259.
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "alidade/guard/result.hpp"

namespace alidade::cluster {

/// One document inside a framer's buffer. `capacity` bytes are readable from `data` on (simdjson's padding included);
/// valid until the callback returns. Its reader may write over the document itself.
struct Padded {
    char* data = nullptr;
    std::size_t size = 0;
    std::size_t capacity = 0;
    [[nodiscard]] std::string_view view() const noexcept { return {data, size}; }
};

/// Copies `text` and puts the padding behind it: for the few documents that do not come from a framer.
class PaddedText {
public:
    explicit PaddedText(std::string_view text);
    [[nodiscard]] Padded padded() noexcept { return {text_.data(), size_, text_.size()}; }

private:
    std::string text_;
    std::size_t size_;
};

inline constexpr std::size_t kMaxDocumentBytes = 16UL * 1024 * 1024;

/// Finds the end of one object or array. Feed it from the opening bracket on, in pieces of any size.
class NestScanner {
public:
    /// Wide: 32 bytes at a time. False on a processor without it, or to test what such a one runs.
    explicit NestScanner(bool wide = canScanWide()) noexcept : wide_(wide) {}
    [[nodiscard]] static bool canScanWide() noexcept;
    void reset() noexcept;
    /// Bytes looked at: all of them, or up to and with the bracket that closes the first one (then closed() is true).
    std::size_t scan(const char* data, std::size_t size) noexcept;
    [[nodiscard]] bool closed() const noexcept { return closed_; }

private:
    std::size_t scanSlow(const char* data, std::size_t size) noexcept;
    std::size_t scanWide(const char* data, std::size_t size) noexcept;
    template<class Ops>
    std::size_t scanBlocks(const char* data, std::size_t size) noexcept;
    std::uint64_t escapedBy(std::uint64_t backslash) noexcept;
    int closedIn(std::uint64_t open, std::uint64_t close) noexcept;

    std::int64_t depth_ = 0;
    bool inString_ = false;
    bool escaped_ = false; // the next byte is escaped
    bool closed_ = false;
    bool wide_;
};

/// A growing byte window: bytes are appended behind, consumed in front, moved only when room is needed.
class ByteWindow {
public:
    explicit ByteWindow(std::size_t initial);
    /// Takes as much of `bytes` as fits while [keepFrom, end) stays; returns how much. Offsets shift by shifted().
    std::size_t append(std::string_view bytes, std::size_t& keepFrom, std::size_t& scan);
    [[nodiscard]] char* data() noexcept { return data_.get(); }
    [[nodiscard]] std::size_t end() const noexcept { return end_; }
    [[nodiscard]] std::size_t capacity() const noexcept { return capacity_; } ///< readable, padding included
    void clear() noexcept;

private:
    void grow(std::size_t room, std::size_t keepFrom);
    std::size_t initial_;
    std::size_t capacity_ = 0;
    std::size_t end_ = 0;
    std::unique_ptr<char[]> data_;
};

/// What a list says about itself, wherever in the body it stands.
struct ListHead {
    std::string kind;
    std::string resourceVersion;
    std::string continueToken;
    std::optional<std::int64_t> remaining;
    std::string columnDefinitions; ///< a Table's, raw JSON
    std::string status;            ///< raw JSON of the whole body when it is a Status, at most 64 KiB
};

/// LIST bodies and Tables: `items` or `rows` one by one, everything else into the head.
class ListFramer {
public:
    /// Returns false to stop with a Protocol error (the item could not be decoded).
    using OnItem = std::function<bool(Padded)>;
    explicit ListFramer(OnItem onItem);

    [[nodiscard]] guard::Result<void> feed(std::string_view bytes);
    /// After the last byte: an error unless the body was one whole document with an items array (null counts).
    [[nodiscard]] guard::Result<void> finish();
    [[nodiscard]] const ListHead& head() const noexcept { return head_; }
    [[nodiscard]] std::size_t items() const noexcept { return items_; }

private:
    enum class At : std::uint8_t {
        Start,
        KeyOrEnd,
        Key,
        Colon,
        Value,
        Scalar,
        Text,
        Nested,
        CommaOrEnd,
        ItemOrEnd,
        Item,
        ItemCommaOrEnd,
        Done
    };
    guard::Result<void> run();
    guard::Result<void> broken(const char* what);
    void endValue();

    OnItem onItem_;
    ByteWindow window_;
    std::size_t keep_ = 0; // first byte still needed
    std::size_t scan_ = 0;
    At at_ = At::Start;
    bool afterComma_ = false;
    bool escaped_ = false;
    bool discard_ = false; // the value is of no interest: its bytes need not be kept
    NestScanner nest_;
    std::string key_;
    ListHead head_;
    std::string statusText_;
    std::size_t items_ = 0;
    bool itemsSeen_ = false;
    std::optional<guard::Error> failed_;
};

/// WATCH streams: one document a line. CR LF and empty lines are fine; a last line without its end is dropped.
class LineFramer {
public:
    using OnLine = std::function<bool(Padded)>; ///< false: stop feeding (the rest of the bytes is dropped)
    explicit LineFramer(OnLine onLine, std::size_t maxLine = kMaxDocumentBytes);
    /// TooLarge for a line over the limit.
    [[nodiscard]] guard::Result<void> feed(std::string_view bytes);
    /// Bytes of an unfinished last line.
    [[nodiscard]] std::size_t pending() const noexcept { return window_.end() - keep_; }

private:
    OnLine onLine_;
    std::size_t maxLine_;
    ByteWindow window_;
    std::size_t keep_ = 0;
    std::size_t scan_ = 0;
};

/// `document` without what its first "managedFields" holds: no row shows it, and it is a third of what a server sends.
/// In place. As it came where there is none, or none that ends.
[[nodiscard]] Padded withoutManagedFields(Padded document) noexcept;

/// True when `text` is one object whose braces, brackets and quotes balance.
[[nodiscard]] bool balancedObject(std::string_view text) noexcept;

} // namespace alidade::cluster
