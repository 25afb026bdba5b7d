// SPDX-License-Identifier: GPL-3.0-or-later
#include "alidade/wiring/workbench.hpp"

#include <regex>
#include <set>

#include <gtest/gtest.h>

namespace alidade::wiring {
namespace {

TEST(Target, KindAndNameInTheDefaultNamespace) {
    const auto target = parseTarget("deploy/checkout", "shop");
    ASSERT_TRUE(target);
    EXPECT_EQ(target->text(), "deployment shop/checkout");
}

TEST(Target, ANamespaceOfItsOwn) {
    const auto target = parseTarget("billing/sts/db", "shop");
    ASSERT_TRUE(target);
    EXPECT_EQ(target->ns, "billing");
    EXPECT_EQ(target->kind, guard::kinds::statefulSets());
}

TEST(Target, C56_NothingThatIsNoNameBecomesAPath) {
    for (const char* text : {"checkout", "deploy/", "deploy/..", "deploy/a%2Fb", "deploy/a b", "a/b/c/d",
                             "UPPER/deploy/x", "widget/x", "/deploy/x", "deploy/web\nDELETE"})
        EXPECT_FALSE(parseTarget(text, "shop")) << text;
}

TEST(IncidentId, IsReadableAndDiffers) {
    std::set<std::string> ids;
    const guard::WallTime now{std::chrono::seconds{1'714'564'800}};
    for (int i = 0; i < 5; ++i)
        ids.insert(newIncidentId(now));
    EXPECT_GT(ids.size(), 1u);
    EXPECT_TRUE(std::regex_match(*ids.begin(), std::regex("inc-20240501-120000-[0-9a-f]{4}"))) << *ids.begin();
}

} // namespace
} // namespace alidade::wiring
