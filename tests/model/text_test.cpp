// SPDX-License-Identifier: GPL-3.0-or-later
#include "alidade/models/text.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "key_sort.hpp"

namespace alidade::models {
namespace {

// C34: control and ANSI characters in cluster text
TEST(Text, C34_sequencesHaveNoEffectInTheLogView) {
    EXPECT_EQ(shownLogLine("\x1b[31mERROR\x1b[0m disk full"), QStringLiteral("ERROR disk full"));
    EXPECT_EQ(shownLogLine("\x1b]8;;http://203.0.113.9/\x07" "click\x1b]8;;\x07"), QStringLiteral("click"));
    EXPECT_EQ(shownLogLine("\x1b]0;title\x1b\\after"), QStringLiteral("after"));
    const QString progress = shownLogLine("10%\r50%\r100%");
    EXPECT_TRUE(progress.contains(QStringLiteral("10%")) && progress.contains(QStringLiteral("100%")));
    EXPECT_FALSE(progress.contains(u'\r'));
}
TEST(Text, C34_controlsAreNotActedOnOutsideLogs) {
    const QString text = shown("pull failed\x1b[2J\x1b[1;1Hall good\x07");
    EXPECT_FALSE(text.contains(QChar(0x1b)));
    EXPECT_FALSE(text.contains(QChar(7)));
    EXPECT_TRUE(text.contains(QStringLiteral("pull failed")));
    EXPECT_TRUE(text.contains(QStringLiteral("all good")));
}
// C35: a huge line is cut and says how much is missing
TEST(Text, C35_aHugeLineIsCut) {
    const QString text = shownLogLine(std::string(200'000, 'x'), 8192);
    EXPECT_LT(text.size(), 8300);
    EXPECT_TRUE(text.contains(QStringLiteral("188 KB"))) << text.right(40).toStdString();
}
// C38: bidi overrides are shown as marks
TEST(Text, C38_bidiOverridesAreVisible) {
    const QString text = shown("safe\xE2\x80\xAEgnp.exe");
    EXPECT_FALSE(text.contains(QChar(0x202e)));
    EXPECT_TRUE(shown("\xE6\x97\xA5\xE6\x9C\xAC").contains(QStringLiteral("日本")));
}

TEST(Text, NaturalKeysOrderNumbersByValue) {
    std::vector<std::string> names{"pod-10", "pod-9", "Pod-1", "pod", "pod-009", "pod-100a", "pod-99b", "node.2", "node.10"};
    std::sort(names.begin(), names.end(), [](const auto& a, const auto& b) { return naturalKey(a) < naturalKey(b); });
    const std::vector<std::string> first(names.begin(), names.begin() + 4);
    EXPECT_EQ(first, (std::vector<std::string>{"node.2", "node.10", "pod", "Pod-1"}));
    EXPECT_EQ(names.back(), "pod-100a");
    EXPECT_EQ(naturalKey("pod-009"), naturalKey("pod-9"));
}

TEST(KeySort, AgreesWithPlainSorting) {
    std::mt19937_64 random(3);
    std::vector<std::string> keys;
    for (int i = 0; i < 5'000; ++i) {
        std::string key = "shop\x01" + std::string(random() % 3, 'a') + std::to_string(random() % 700);
        keys.push_back(naturalKey(key));
    }
    std::vector<KeyedId> entries(keys.size());
    for (std::uint32_t i = 0; i < keys.size(); ++i) {
        entries[i].id = i;
    }
    sortByKey(entries.data(), entries.data() + entries.size(), 0,
              [&](std::uint32_t id) -> std::string_view { return keys[id]; },
              [](KeyedId* a, KeyedId* b) { std::sort(a, b, [](auto x, auto y) { return x.id < y.id; }); });
    std::vector<std::uint32_t> expected(keys.size());
    for (std::uint32_t i = 0; i < keys.size(); ++i) {
        expected[i] = i;
    }
    std::stable_sort(expected.begin(), expected.end(), [&](auto a, auto b) { return keys[a] < keys[b]; });
    for (std::size_t i = 0; i < keys.size(); ++i) {
        ASSERT_EQ(entries[i].id, expected[i]) << i;
    }
}

} // namespace
} // namespace alidade::models
