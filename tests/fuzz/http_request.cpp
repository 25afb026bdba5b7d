// SPDX-License-Identifier: GPL-3.0-or-later
// Requests from a hostile client: no crash, bounded memory, and accepted alike however the network cut them.
#include "framing.hpp"

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

namespace {

using namespace alidade::http;

struct Collected final : RequestFramer::Sink {
    int heads = 0;
    RequestHead head;
    std::string body;

    void onHead(RequestHead got) override {
        ++heads;
        head = std::move(got);
    }
    void onBody(std::string_view bytes) override { body.append(bytes); }
};

void require(bool condition) {
    if (!condition) {
        std::abort();
    }
}

bool run(std::string_view input, std::size_t step, const FramingLimits& limits, Collected& into, std::size_t& used) {
    RequestFramer framer(limits, into);
    std::string pending;
    std::size_t offset = 0;
    for (;;) {
        std::size_t consumed = 0;
        const FrameState state = framer.feed(pending, consumed);
        require(consumed <= pending.size());
        pending.erase(0, consumed);
        require(into.heads <= 1);
        if (state == FrameState::Complete) {
            require(into.heads == 1);
            used = offset - pending.size();
            return true;
        }
        if (state == FrameState::Failed) {
            require(framer.error().status >= 400);
            return false;
        }
        require(state == FrameState::NeedMore && pending.size() <= limits.maxHeaderBytes);
        if (offset == input.size()) {
            return false;
        }
        const auto piece = input.substr(offset, step);
        pending.append(piece);
        offset += piece.size();
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 1) {
        return 0;
    }
    const std::size_t step = 1 + data[0] % 32;
    const std::string_view input(reinterpret_cast<const char*>(data) + 1, size - 1);
    const FramingLimits roomy{1U << 20U, 1000, 1U << 22U};

    Collected whole;
    Collected split;
    std::size_t wholeUsed = 0;
    std::size_t splitUsed = 0;
    const bool wholeComplete = run(input, input.size() + 1, roomy, whole, wholeUsed);
    const bool splitComplete = run(input, step, roomy, split, splitUsed);
    require(wholeComplete == splitComplete);
    if (wholeComplete) {
        require(whole.head.method == split.head.method && whole.head.target == split.head.target);
        require(whole.head.headers.fields() == split.head.headers.fields());
        require(whole.body == split.body);
        require(wholeUsed == splitUsed); // or the next request would begin elsewhere: smuggling
    }

    Collected tight;
    std::size_t used = 0;
    run(input, step, FramingLimits{64, 10, 256}, tight, used);
    require(tight.body.size() <= 256);
    return 0;
}
