// SPDX-License-Identifier: GPL-3.0-or-later
// Seeded schedules of faults, in virtual time. A failing seed is kept by adding it to kKeptSeeds.
#include <gmock/gmock.h>

#include "live_rows.hpp"
#include "world.hpp"

namespace alidade::cluster::test {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using State = Freshness::State;

constexpr std::uint64_t kKeptSeeds[] = {0};

/// 200, or as many as ALIDADE_FAULT_SCHEDULES says (the long form: 2000).
int schedules() {
    const char* const wanted = std::getenv("ALIDADE_FAULT_SCHEDULES");
    return std::max(10, wanted != nullptr ? std::atoi(wanted) : 200);
}

void runSchedule(std::uint64_t seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    VirtualLoop loop;
    FakeTransport transport(loop);
    World::Faults faults;
    faults.watchList = seed % 3 == 0;
    faults.bookmarks = seed % 4 != 0;
    faults.cacheIgnoresLimit = seed % 2;
    World world(loop, transport, seed, faults);
    WatchMachine::Options options;
    options.seed = seed;
    options.watchList = seed % 5 != 0;
    Mirror mirror;
    LiveRows rows(loop.loop(), transport, Source::Target{guard::kinds::pods(), {}, true}, options);
    rows.subscribe(1, 1, mirror.mailbox);
    rows.start();

    std::size_t live = 0;
    for (int i = 0; i < 400; ++i) {
        world.step();
        loop.run(milliseconds(300));
        mirror.drain();
        ASSERT_EQ(mirror.broken, "");
        if (mirror.freshness.state == State::Live) {
            ++live;
            // Live is only said while a watch is open that the server believes in; a silent one is the watchdog's matter.
            ASSERT_TRUE(world.watchOpen()) << "step " << i << " shown live without a watch";
        }
        if (mirror.freshness.state == State::Stale) {
            ASSERT_TRUE(mirror.freshness.error) << "stale without a reason";
        }
        ASSERT_NE(mirror.freshness.state, State::Failed) << mirror.freshness.error->text();
        ASSERT_NE(mirror.freshness.state, State::Forbidden);
    }
    world.calm();
    for (int i = 0; i < 5; ++i) world.step();
    loop.run(seconds(180)); // longer than any back-off
    world.step();
    loop.run(seconds(1));
    mirror.drain();

    ASSERT_EQ(mirror.broken, "");
    EXPECT_EQ(mirror.freshness.state, State::Live);
    std::map<std::string, int> shown;
    for (const auto& [key, row] : mirror.rows) shown[std::string(row->name)] = std::stoi(std::string(row->resourceVersion));
    EXPECT_EQ(shown, world.objects());
    EXPECT_GT(live, 20U) << "the schedule is so hard that it proves little";
    EXPECT_LT(world.requests(), 400U) << "a storm of requests";
}

class Schedules : public ::testing::TestWithParam<int> {};

/// Ten a test, so that ctest's own cost stays small.
TEST_P(Schedules, EndWithWhatTheServerHas) {
    for (int i = 0; i < 10 && !HasFatalFailure(); ++i) {
        runSchedule(static_cast<std::uint64_t>(GetParam() * 10 + i));
    }
}
INSTANTIATE_TEST_SUITE_P(Seeded, Schedules, ::testing::Range(0, schedules() / 10));

TEST(KeptSeeds, EndWithWhatTheServerHas) {
    for (const std::uint64_t seed : kKeptSeeds) runSchedule(seed);
}

} // namespace
} // namespace alidade::cluster::test
