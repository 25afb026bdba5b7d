// SPDX-License-Identifier: GPL-3.0-or-later
#include "alidade/models/row_filter.hpp"

#include <gtest/gtest.h>

#include "alidade/models/text.hpp"
#include "made_rows.hpp"

namespace alidade::models {
namespace {

bool matches(const QString& filter, const test::MadePod& pod) {
    const auto row = test::makeRow(pod);
    const std::string haystack = folded(pod.ns + '\n' + pod.name + '\n' + pod.ready + '\n' + pod.status);
    return RowFilter::parse(filter).matches(*row, haystack);
}

const test::MadePod checkout{"shop", "checkout-7d9f-x2kl", "u", "0/1", "ImagePullBackOff", 3, 0, cluster::Health::Bad,
                             "ImagePullBackOff", {{"app", "checkout"}, {"tier", "web"}}};

TEST(RowFilter, TermsAreJoinedByAnd) {
    EXPECT_TRUE(matches("CHECK pull", checkout));
    EXPECT_FALSE(matches("check running", checkout));
    EXPECT_TRUE(matches("  ", checkout));
}
TEST(RowFilter, NotExcludes) {
    EXPECT_TRUE(matches("!running", checkout));
    EXPECT_FALSE(matches("!shop", checkout));
    EXPECT_TRUE(matches("!", checkout)) << "a term being typed hides nothing";
}
TEST(RowFilter, RegularExpressions) {
    EXPECT_TRUE(matches("/^checkout-[0-9a-f]+-/m", checkout) || matches("/checkout-[0-9a-f]+-/", checkout));
    EXPECT_FALSE(matches("!/pull.*off/", checkout));
    const auto bad = RowFilter::parse("/(/ shop");
    EXPECT_FALSE(bad.error().isEmpty());
    EXPECT_FALSE(bad.empty()) << "what was understood still filters";
}
TEST(RowFilter, FuzzyLooksAtTheName) {
    EXPECT_TRUE(matches("~chkx2", checkout));
    EXPECT_FALSE(matches("~shop-checkout", checkout));
}
TEST(RowFilter, Labels) {
    EXPECT_TRUE(matches("-l app=checkout", checkout));
    EXPECT_TRUE(matches("-l app==checkout,tier!=db", checkout));
    EXPECT_FALSE(matches("-l app=cart", checkout));
    EXPECT_TRUE(matches("-l tier pull", checkout));
    EXPECT_FALSE(matches("-l !tier", checkout));
    EXPECT_TRUE(matches("-l", checkout));
}
TEST(RowFilter, HidesWhatSucceeded) {
    test::MadePod done = checkout;
    done.health = cluster::Health::Done;
    EXPECT_FALSE(matches("-s", done));
    EXPECT_TRUE(matches("-s", checkout));
}
TEST(RowFilter, QuotedWordsKeepTheirBlanks) {
    test::MadePod spaced = checkout;
    spaced.status = "Init: two words";
    EXPECT_TRUE(matches("\"two words\"", spaced));
    EXPECT_FALSE(matches("\"words two\"", spaced));
    EXPECT_FALSE(matches("!\"two words\"", spaced));
}

} // namespace
} // namespace alidade::models
