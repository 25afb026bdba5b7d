// SPDX-License-Identifier: GPL-3.0-or-later
#include "framing.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <functional>
#include <utility>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include <nlohmann/json.hpp>

namespace alidade::cluster {
namespace {

using guard::ErrorCode;

constexpr std::size_t kPadding = 64;
constexpr std::size_t kListWindow = 256UL * 1024; // stays in the second-level cache
constexpr std::size_t kLineWindow = 32UL * 1024;
constexpr std::size_t kMaxHeadValue = 1024UL * 1024;

/// One bit a byte of a 64-byte block.
struct Masks {
    std::uint64_t quote = 0, backslash = 0, open = 0, close = 0;
};

/// What any processor of the kind can do.
struct Baseline {
#if defined(__x86_64__)
    static Masks masks(const char* data) noexcept {
        Masks masks;
        const __m128i fold =
            _mm_set1_epi8(0x20); // '[' and ']' differ from '{' and '}' in this bit, and nothing else does
        for (int i = 0; i < 4; ++i) {
            const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(data + i * 16));
            const __m128i folded = _mm_or_si128(bytes, fold);
            const auto bits = [i](__m128i hits) {
                return static_cast<std::uint64_t>(static_cast<unsigned>(_mm_movemask_epi8(hits))) << (i * 16);
            };
            masks.quote |= bits(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('"')));
            masks.backslash |= bits(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\')));
            masks.open |= bits(_mm_cmpeq_epi8(folded, _mm_set1_epi8('{')));
            masks.close |= bits(_mm_cmpeq_epi8(folded, _mm_set1_epi8('}')));
        }
        return masks;
    }
#else
    static Masks masks(const char* data) noexcept {
        Masks masks;
        for (unsigned i = 0; i < 64; ++i) {
            const auto bit = [i](bool hit) { return static_cast<std::uint64_t>(hit) << i; };
            const char folded = static_cast<char>(data[i] | 0x20);
            masks.quote |= bit(data[i] == '"');
            masks.backslash |= bit(data[i] == '\\');
            masks.open |= bit(folded == '{');
            masks.close |= bit(folded == '}');
        }
        return masks;
    }
#endif
    /// Bit i is the parity of bits 0..i.
    static std::uint64_t prefixXor(std::uint64_t bits) noexcept {
        for (int shift = 1; shift < 64; shift *= 2)
            bits ^= bits << shift;
        return bits;
    }
    /// Without a popcount instruction in the baseline, std::popcount is a call.
    static int count(std::uint64_t x) noexcept {
        x -= (x >> 1) & 0x5555555555555555ULL;
        x = (x & 0x3333333333333333ULL) + ((x >> 2) & 0x3333333333333333ULL);
        x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fULL;
        return static_cast<int>((x * 0x0101010101010101ULL) >> 56);
    }
};

#if defined(__x86_64__)
#define ALIDADE_WIDE [[gnu::target("avx2,popcnt,pclmul")]] // for processors that have it, asked at run time
/// The same in fewer steps.
struct Wide {
    ALIDADE_WIDE static inline Masks masks(const char* data) noexcept {
        Masks masks;
        const __m256i fold = _mm256_set1_epi8(0x20);
        for (int i = 0; i < 2; ++i) {
            const __m256i bytes = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(data + i * 32));
            const __m256i folded = _mm256_or_si256(bytes, fold);
            masks.quote |= bits(_mm256_cmpeq_epi8(bytes, _mm256_set1_epi8('"')), i);
            masks.backslash |= bits(_mm256_cmpeq_epi8(bytes, _mm256_set1_epi8('\\')), i);
            masks.open |= bits(_mm256_cmpeq_epi8(folded, _mm256_set1_epi8('{')), i);
            masks.close |= bits(_mm256_cmpeq_epi8(folded, _mm256_set1_epi8('}')), i);
        }
        return masks;
    }
    ALIDADE_WIDE static inline std::uint64_t prefixXor(std::uint64_t bits) noexcept {
        const __m128i product =
            _mm_clmulepi64_si128(_mm_set_epi64x(0, static_cast<std::int64_t>(bits)), _mm_set1_epi8(-1), 0);
        return static_cast<std::uint64_t>(_mm_cvtsi128_si64(product));
    }
    ALIDADE_WIDE static inline int count(std::uint64_t x) noexcept { return __builtin_popcountll(x); }

private:
    ALIDADE_WIDE static inline std::uint64_t bits(__m256i hits, int half) noexcept {
        return static_cast<std::uint64_t>(static_cast<std::uint32_t>(_mm256_movemask_epi8(hits))) << (half * 32);
    }
};
#endif

bool isBlank(char c) noexcept { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

} // namespace

PaddedText::PaddedText(std::string_view text) : size_(text.size()) {
    text_.reserve(size_ + kPadding);
    text_.append(text).append(kPadding, '\0');
}

void NestScanner::reset() noexcept { *this = NestScanner{wide_}; }

std::size_t NestScanner::scanSlow(const char* data, std::size_t size) noexcept {
    for (std::size_t i = 0; i < size; ++i) {
        const char c = data[i];
        const bool escaped = std::exchange(escaped_, false);
        if (c == '\\' && !escaped) {
            escaped_ = true;
        } else if (c == '"' && !escaped) {
            inString_ = !inString_;
        } else if (inString_) {
            continue;
        } else if (c == '{' || c == '[') {
            ++depth_;
        } else if ((c == '}' || c == ']') && --depth_ == 0) {
            closed_ = true;
            return i + 1;
        }
    }
    return size;
}

/// Block by block, as `Ops` can; inlined into a function for the processor that has them.
template<class Ops>
[[gnu::always_inline]] inline std::size_t NestScanner::scanBlocks(const char* data, std::size_t size) noexcept {
    std::size_t at = 0;
    for (; at + 64 <= size; at += 64) {
        Masks masks = Ops::masks(data + at);
        // A backslash outside of a string is broken JSON. It counts as an escape there as well, here and in scanSlow():
        // what such input ends in must not depend on how the network cut it.
        const std::uint64_t inside =
            Ops::prefixXor(masks.quote & ~escapedBy(masks.backslash)) ^ (inString_ ? ~0ULL : 0ULL);
        inString_ = (inside >> 63) != 0;
        masks.open &= ~inside;
        masks.close &= ~inside;
        if (const int closes = Ops::count(masks.close); depth_ > closes) {
            depth_ += Ops::count(masks.open) - closes;
        } else if (const int end = closedIn(masks.open, masks.close); end != 0) {
            return at + static_cast<std::size_t>(end);
        }
    }
    return at + scanSlow(data + at, size - at);
}

/// The bytes of a block that a backslash stands before, the last block's last one included.
std::uint64_t NestScanner::escapedBy(std::uint64_t backslash) noexcept {
    std::uint64_t escaped = std::exchange(escaped_, false) ? 1 : 0;
    backslash &= ~escaped;
    while (backslash != 0) { // rare: outside of embedded JSON there are hardly any
        const int i = std::countr_zero(backslash);
        if (i == 63) {
            escaped_ = true;
            break;
        }
        escaped |= 2ULL << i;
        backslash &= ~(3ULL << i);
    }
    return escaped;
}

/// Where the first bracket closes among these, from 1, or 0.
int NestScanner::closedIn(std::uint64_t open, std::uint64_t close) noexcept {
    std::uint64_t both = open | close;
    while (both != 0) {
        const int i = std::countr_zero(both);
        const std::uint64_t bit = 1ULL << i;
        both &= ~bit;
        if ((open & bit) != 0) {
            ++depth_;
        } else if (--depth_ == 0) {
            closed_ = true;
            return i + 1;
        }
    }
    return 0;
}

#if defined(__x86_64__)
ALIDADE_WIDE std::size_t NestScanner::scanWide(const char* data, std::size_t size) noexcept {
    return scanBlocks<Wide>(data, size);
}
#else
std::size_t NestScanner::scanWide(const char* data, std::size_t size) noexcept {
    return scanBlocks<Baseline>(data, size);
}
#endif

bool NestScanner::canScanWide() noexcept {
#if defined(__x86_64__)
    return __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("popcnt") != 0 &&
           __builtin_cpu_supports("pclmul") != 0;
#else
    return false;
#endif
}

std::size_t NestScanner::scan(const char* data, std::size_t size) noexcept {
    return wide_ ? scanWide(data, size) : scanBlocks<Baseline>(data, size);
}

Padded withoutManagedFields(Padded document) noexcept {
    // Within a string its quotes would be escaped: this is a field's name wherever it stands.
    constexpr std::string_view kField = R"("managedFields":[)";
    static const std::boyer_moore_horspool_searcher search(kField.begin(), kField.end());
    const std::string_view text = document.view();
    const auto found = std::search(text.begin(), text.end(), search);
    if (found == text.end()) {
        return document;
    }
    const auto head = static_cast<std::size_t>(found - text.begin()) + kField.size();
    NestScanner scanner;
    const std::size_t array = scanner.scan(document.data + head - 1, document.size - head + 1);
    if (!scanner.closed()) {
        return document;
    }
    const std::size_t cut = array - 2;
    std::memmove(document.data + cut, document.data, head);
    return {document.data + cut, document.size - cut, document.capacity - cut};
}

bool balancedObject(std::string_view text) noexcept {
    while (!text.empty() && isBlank(text.back()))
        text.remove_suffix(1);
    while (!text.empty() && isBlank(text.front()))
        text.remove_prefix(1);
    if (text.size() < 2 || text.front() != '{' || text.back() != '}') {
        return false;
    }
    NestScanner scanner;
    return scanner.scan(text.data(), text.size()) == text.size() && scanner.closed();
}

ByteWindow::ByteWindow(std::size_t initial) : initial_(initial) { grow(initial, 0); }

void ByteWindow::grow(std::size_t room, std::size_t keepFrom) {
    auto bigger = std::make_unique<char[]>(room + kPadding);
    if (end_ > keepFrom) {
        std::memcpy(bigger.get(), data_.get() + keepFrom, end_ - keepFrom);
    }
    data_ = std::move(bigger);
    capacity_ = room + kPadding;
    end_ -= keepFrom;
}

std::size_t ByteWindow::append(std::string_view bytes, std::size_t& keepFrom, std::size_t& scan) {
    const std::size_t usable = capacity_ - kPadding;
    if (usable - end_ < bytes.size() && (keepFrom > 0 || usable == end_)) {
        const std::size_t kept = end_ - keepFrom;
        if (kept > usable / 2) {
            grow(usable * 2, keepFrom);
        } else {
            std::memmove(data_.get(), data_.get() + keepFrom, kept);
            end_ = kept;
        }
        scan -= keepFrom;
        keepFrom = 0;
    }
    const std::size_t taken = std::min(bytes.size(), capacity_ - kPadding - end_);
    std::memcpy(data_.get() + end_, bytes.data(), taken);
    end_ += taken;
    return taken;
}

void ByteWindow::clear() noexcept {
    end_ = 0;
    if (capacity_ > initial_ * 4 + kPadding) {
        grow(initial_, 0);
    }
}

ListFramer::ListFramer(OnItem onItem) : onItem_(std::move(onItem)), window_(kListWindow) {}

guard::Result<void> ListFramer::broken(const char* what) {
    failed_.emplace(ErrorCode::Protocol, "list", what);
    return tl::unexpected(*failed_);
}

guard::Result<void> ListFramer::feed(std::string_view bytes) {
    if (failed_) {
        return tl::unexpected(*failed_);
    }
    while (!bytes.empty()) {
        bytes.remove_prefix(window_.append(bytes, keep_, scan_));
        if (auto done = run(); !done) {
            return done;
        }
        if (window_.end() - keep_ > kMaxDocumentBytes) {
            failed_.emplace(ErrorCode::TooLarge, "list", "one item is over 16 MiB");
            return tl::unexpected(*failed_);
        }
    }
    return {};
}

guard::Result<void> ListFramer::run() {
    while (scan_ < window_.end()) {
        char* const data = window_.data();
        const std::size_t end = window_.end();
        switch (at_) {
        case At::Scalar:
            while (scan_ < end && data[scan_] != ',' && data[scan_] != '}' && !isBlank(data[scan_]))
                ++scan_;
            if (scan_ == end) {
                continue;
            }
            endValue();
            at_ = At::CommaOrEnd;
            continue;
        case At::Key:
        case At::Text:
            while (scan_ < end) {
                const char c = data[scan_++];
                if (escaped_) {
                    escaped_ = false;
                } else if (c == '\\') {
                    escaped_ = true;
                } else if (c == '"') {
                    if (at_ == At::Key) {
                        key_.assign(data + keep_ + 1, scan_ - keep_ - 2);
                        at_ = At::Colon;
                    } else {
                        endValue();
                        at_ = At::CommaOrEnd;
                    }
                    keep_ = scan_;
                    break;
                }
            }
            continue;
        case At::Nested:
        case At::Item:
            scan_ += nest_.scan(data + scan_, end - scan_);
            if (!nest_.closed()) {
                if (at_ == At::Nested && discard_) {
                    keep_ = scan_;
                } else if (at_ == At::Nested && scan_ - keep_ > kMaxHeadValue) {
                    discard_ = true;
                }
                continue;
            }
            if (at_ == At::Nested) {
                endValue();
                at_ = At::CommaOrEnd;
            } else {
                const Padded item{data + keep_, scan_ - keep_, window_.capacity() - keep_};
                if (data[scan_ - 1] != '}') {
                    return broken("an item's brackets do not match");
                }
                ++items_;
                // A parser looks one byte further; what stands there must not depend on how the network cut the list.
                const char behind = std::exchange(data[scan_], '\0');
                const bool good = onItem_(item);
                data[scan_] = behind;
                if (!good) {
                    return broken("an item is not valid JSON");
                }
                at_ = At::ItemCommaOrEnd;
            }
            keep_ = scan_;
            continue;
        default: break;
        }

        const char c = data[scan_];
        if (isBlank(c)) {
            keep_ = ++scan_;
            continue;
        }
        switch (at_) {
        case At::Start:
            if (c != '{') {
                return broken("the answer is not a JSON object");
            }
            at_ = At::KeyOrEnd;
            afterComma_ = false;
            break;
        case At::KeyOrEnd:
            if (c == '"') {
                at_ = At::Key;
                keep_ = scan_++;
                continue;
            }
            if (c != '}' || afterComma_) {
                return broken("a field name is missing");
            }
            at_ = At::Done;
            break;
        case At::Colon:
            if (c != ':') {
                return broken("a colon is missing");
            }
            at_ = At::Value;
            break;
        case At::Value:
            keep_ = scan_;
            discard_ = false;
            if (c == '[' && (key_ == "items" || key_ == "rows")) {
                if (itemsSeen_) {
                    return broken("the items stand there twice");
                }
                itemsSeen_ = true;
                afterComma_ = false;
                at_ = At::ItemOrEnd;
                break;
            }
            if (c == '{' || c == '[') {
                nest_.reset();
                discard_ = key_ != "metadata" && key_ != "columnDefinitions" && key_ != "details";
                at_ = At::Nested; // the scanner wants the bracket itself
                continue;
            }
            at_ = c == '"' ? At::Text : At::Scalar;
            if (c == '"') {
                ++scan_;
            }
            continue;
        case At::CommaOrEnd:
            if (c != ',' && c != '}') {
                return broken("a comma is missing");
            }
            at_ = c == ',' ? At::KeyOrEnd : At::Done;
            afterComma_ = true;
            break;
        case At::ItemOrEnd:
            if (c == '{') {
                nest_.reset();
                keep_ = scan_;
                at_ = At::Item;
                continue;
            }
            if (c != ']' || afterComma_) {
                return broken("an item is not an object");
            }
            at_ = At::CommaOrEnd;
            break;
        case At::ItemCommaOrEnd:
            if (c != ',' && c != ']') {
                return broken("a comma between items is missing");
            }
            at_ = c == ',' ? At::ItemOrEnd : At::CommaOrEnd;
            afterComma_ = true;
            break;
        default: return broken("there is something behind the list");
        }
        keep_ = ++scan_;
    }
    return {};
}

void ListFramer::endValue() {
    const std::string_view raw(window_.data() + keep_, scan_ - keep_);
    keep_ = scan_;
    if (discard_ || raw.size() > kMaxHeadValue) {
        return;
    }
    if (key_ == "columnDefinitions") {
        head_.columnDefinitions = raw;
        return;
    }
    if ((key_ == "items" || key_ == "rows") && raw == "null") {
        itemsSeen_ = true;
        return;
    }
    if (statusText_.size() + raw.size() < 64UL * 1024) {
        statusText_.append(statusText_.empty() ? "{\"" : ",\"").append(key_).append("\":").append(raw);
    }
    const auto value = nlohmann::json::parse(raw, nullptr, false);
    if (key_ == "kind" && value.is_string()) {
        head_.kind = value.get<std::string>();
    } else if (key_ == "metadata" && value.is_object()) {
        const auto text = [&value](const char* name) {
            const auto found = value.find(name);
            return found != value.end() && found->is_string() ? found->get<std::string>() : std::string();
        };
        head_.resourceVersion = text("resourceVersion");
        head_.continueToken = text("continue");
        if (const auto found = value.find("remainingItemCount"); found != value.end() && found->is_number_integer()) {
            head_.remaining = std::max<std::int64_t>(0, found->get<std::int64_t>());
        }
    }
}

guard::Result<void> ListFramer::finish() {
    if (failed_) {
        return tl::unexpected(*failed_);
    }
    if (at_ == At::Start) {
        return broken("the answer is empty");
    }
    if (at_ != At::Done) {
        return broken("the answer is cut short");
    }
    if (head_.kind == "Status") {
        head_.status = statusText_ + "}";
        return {};
    }
    if (!itemsSeen_) {
        return broken("the answer is not a list");
    }
    return {};
}

LineFramer::LineFramer(OnLine onLine, std::size_t maxLine)
    : onLine_(std::move(onLine)), maxLine_(maxLine), window_(kLineWindow) {}

guard::Result<void> LineFramer::feed(std::string_view bytes) {
    while (!bytes.empty()) {
        bytes.remove_prefix(window_.append(bytes, keep_, scan_));
        while (scan_ < window_.end()) {
            char* const data = window_.data();
            const void* const found = std::memchr(data + scan_, '\n', window_.end() - scan_);
            if (found == nullptr) {
                scan_ = window_.end();
                break;
            }
            const auto lineEnd = static_cast<std::size_t>(static_cast<const char*>(found) - data);
            std::size_t size = lineEnd - keep_;
            while (size > 0 && isBlank(data[keep_ + size - 1]))
                --size;
            const Padded line{data + keep_, size, window_.capacity() - keep_};
            keep_ = scan_ = lineEnd + 1;
            if (size > maxLine_) {
                return guard::fail(ErrorCode::TooLarge, "watch", "one line is over the limit");
            }
            if (size > 0 && !onLine_(line)) {
                return {};
            }
        }
        if (window_.end() - keep_ > maxLine_) {
            return guard::fail(ErrorCode::TooLarge, "watch", "one line is over the limit");
        }
        if (keep_ == window_.end()) {
            window_.clear();
            keep_ = scan_ = 0;
        }
    }
    return {};
}

} // namespace alidade::cluster
