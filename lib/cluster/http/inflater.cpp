// SPDX-License-Identifier: GPL-3.0-or-later
#include "inflater.hpp"

#include <algorithm>
#include <limits>

#include <zlib.h>

namespace alidade::http {
namespace {

constexpr std::size_t kBlock = 128UL * 1024;
constexpr std::uint64_t kFreeExpansion = 1024UL * 1024;
constexpr int kGzipWindow = 16 + MAX_WBITS;

Bytef* bytes(const char* text) { return reinterpret_cast<Bytef*>(const_cast<char*>(text)); }

uInt clampSize(std::size_t size) {
    return static_cast<uInt>(std::min<std::size_t>(size, std::numeric_limits<uInt>::max()));
}

} // namespace

Inflater::Inflater(std::size_t maxRatio) : stream_(std::make_unique<z_stream_s>()), maxRatio_(maxRatio) {
    if (inflateInit2(stream_.get(), kGzipWindow) != Z_OK) {
        state_ = State::Corrupt;
    }
}

Inflater::~Inflater() { inflateEnd(stream_.get()); }

std::string_view Inflater::next(std::string_view& input) {
    if (state_ != State::Ok || (input.empty() && !hasOutput_)) {
        return {};
    }
    if (memberDone_) { // another member follows
        if (inflateReset(stream_.get()) != Z_OK) {
            state_ = State::Corrupt;
            return {};
        }
        memberDone_ = false;
    }
    if (!block_) {
        block_ = std::make_unique<char[]>(kBlock);
    }
    stream_->next_in = bytes(input.data());
    stream_->avail_in = clampSize(input.size());
    stream_->next_out = bytes(block_.get());
    stream_->avail_out = static_cast<uInt>(kBlock);
    const uInt offered = stream_->avail_in;
    const int result = inflate(stream_.get(), Z_NO_FLUSH);
    const std::size_t taken = offered - stream_->avail_in;
    const std::size_t made = kBlock - stream_->avail_out;
    input.remove_prefix(taken);
    totalIn_ += taken;
    totalOut_ += made;
    hasOutput_ = stream_->avail_out == 0 && result == Z_OK;
    if (result == Z_STREAM_END) {
        memberDone_ = true;
    } else if (result == Z_BUF_ERROR && taken == 0 && made == 0 && input.empty()) {
        hasOutput_ = false; // nothing was left inside after all
    } else if (result != Z_OK) {
        state_ = State::Corrupt;
        return {};
    }
    if (totalOut_ > kFreeExpansion && totalOut_ / maxRatio_ > totalIn_) {
        state_ = State::TooLarge;
        return {};
    }
    return {block_.get(), made};
}

Deflater::Deflater() : stream_(std::make_unique<z_stream_s>()) {
    // Level 1, as the Kubernetes API server does: speed counts more than the last tenth.
    deflateInit2(stream_.get(), 1, Z_DEFLATED, kGzipWindow, 8, Z_DEFAULT_STRATEGY);
}

Deflater::~Deflater() { deflateEnd(stream_.get()); }

void Deflater::append(std::string_view input, bool last, std::string& out) {
    do {
        stream_->next_in = bytes(input.data());
        stream_->avail_in = clampSize(input.size());
        const uInt offered = stream_->avail_in;
        do {
            const std::size_t before = out.size();
            out.resize(before + 32UL * 1024);
            stream_->next_out = bytes(out.data() + before);
            stream_->avail_out = 32U * 1024;
            deflate(stream_.get(), last && input.size() == offered ? Z_FINISH : Z_NO_FLUSH);
            out.resize(out.size() - stream_->avail_out);
        } while (stream_->avail_out == 0);
        input.remove_prefix(offered - stream_->avail_in);
    } while (!input.empty());
}

} // namespace alidade::http
