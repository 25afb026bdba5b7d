// SPDX-License-Identifier: GPL-3.0-or-later
// Answers from a hostile server, in one piece and split and paused: no crash, no hang, and what is accepted is accepted
// alike however the network cut it.
#include "framing.hpp"

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

namespace {

using namespace alidade::http;

struct Collected final : ResponseFramer::Sink {
    int heads = 0;
    int status = 0;
    std::string body;
    bool pausing = false;
    bool paused = false;

    void onHead(ResponseHead head) override {
        ++heads;
        status = head.status;
        paused = pausing;
    }
    void onBody(std::string_view bytes) override {
        if (body.size() < (1U << 22U)) {
            body.append(bytes);
        }
        paused = pausing;
    }
    [[nodiscard]] bool stopped() const noexcept override { return paused; }
};

void require(bool condition) {
    if (!condition) {
        std::abort();
    }
}

bool run(std::string_view input, std::size_t step, bool toHead, FramingLimits limits, Collected& into) {
    ResponseFramer framer(limits, toHead, into);
    std::string pending;
    std::size_t offset = 0;
    for (;;) {
        std::size_t consumed = 0;
        const FrameState state = framer.feed(pending, consumed);
        require(consumed <= pending.size());
        pending.erase(0, consumed);
        require(into.heads <= 1);
        if (state == FrameState::Stopped) {
            require(into.paused);
            into.paused = false;
            continue;
        }
        if (state == FrameState::Complete) {
            require(into.heads == 1);
            return true;
        }
        if (state == FrameState::Failed) {
            require(!framer.error().detail.empty());
            return false;
        }
        require(pending.size() <= limits.maxHeaderBytes); // what a connection has to hold stays bounded
        if (offset == input.size()) {
            break;
        }
        const auto piece = input.substr(offset, step);
        pending.append(piece);
        offset += piece.size();
    }
    return framer.eof(pending) == FrameState::Complete;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 2) {
        return 0;
    }
    const bool toHead = (data[0] & 1U) != 0;
    const std::size_t step = 1 + data[1] % 32;
    const std::string_view input(reinterpret_cast<const char*>(data) + 2, size - 2);
    const FramingLimits roomy{1U << 20U, 1000, std::nullopt};

    Collected whole;
    const bool wholeComplete = run(input, input.size() + 1, toHead, roomy, whole);
    Collected split;
    split.pausing = (data[0] & 2U) != 0;
    const bool splitComplete = run(input, step, toHead, roomy, split);
    require(wholeComplete == splitComplete);
    if (wholeComplete) {
        require(whole.status == split.status);
        require(whole.body == split.body);
        require(whole.status >= 200);
    }

    Collected tight;
    run(input, step, toHead, FramingLimits{64, 10, 256}, tight);
    require(tight.body.size() <= 256);
    return 0;
}
