// SPDX-License-Identifier: GPL-3.0-or-later
// Lines of a watch, in odd orders and broken.
#include <gmock/gmock.h>

#include "decode_support.hpp"

namespace alidade::cluster::test {
namespace {

using Type = WatchLine::Type;

class WatchLineTest : public ::testing::Test {
protected:
    Decoder decoder{guard::kinds::pods()};
    WatchLine line;
    PaddedText text_{""}; // what the line's views point into
    bool decode(std::string_view text) {
        text_ = PaddedText(text);
        return decoder.line(text_.padded(), line);
    }
};

TEST_F(WatchLineTest, TypeMayStandBehindTheObject) {
    ASSERT_TRUE(decode(R"({"object":{"metadata":{"name":"a","uid":"u","resourceVersion":"7"}},"type":"DELETED"})"));
    EXPECT_EQ(line.type, Type::Deleted);
    ASSERT_EQ(line.rows.size(), 1U);
    EXPECT_EQ(line.rows[0]->name, "a");
    EXPECT_EQ(line.resourceVersion, "7");
}

TEST_F(WatchLineTest, ManagedFieldsAreReadOverOnTheWayToTheRest) {
    ASSERT_TRUE(decode(
        R"({"type":"ADDED","object":{"metadata":{"name":"a","managedFields":[{"fieldsV1":{"f:spec":{"k:{\"x\":\"]\"}":[]}}}],"uid":"u"},"status":{"phase":"Pending"}}})"));
    ASSERT_EQ(line.rows.size(), 1U);
    EXPECT_EQ(line.rows[0]->key, "u");
    EXPECT_EQ(line.rows[0]->cells[2].text, "Pending");
    EXPECT_FALSE(decode(R"({"type":"ADDED","object":{"metadata":{"name":"a","managedFields":[{"uid":"u"}}}})"));
}

TEST(ListItems, WhatABrokenOneIsSaidToBeDoesNotDependOnHowTheNetworkCutIt) {
    for (const char* const item : {R"({"metadata":{"name":]}})", R"({"metadata":{"name"::{}}})", R"({"metadata":{"name":)", R"({"metadata"})",
                                   R"({"metadata":{"name":"a","uid":"u"},"status"::})", R"({"name"::{})"}) {
        const std::string body = std::string(R"({"items":[)") + item + R"(,{"metadata":{"name":"b"}}],"metadata":{}})";
        std::string whole;
        for (std::size_t piece = body.size(); piece > 0; --piece) {
            Decoder decoder(guard::kinds::pods());
            std::string out;
            ListFramer framer([&](Padded document) {
                RowPtr row;
                const bool good = decoder.item(document, row);
                out += good ? (row ? "row " : "nothing ") : "broken ";
                return good;
            });
            guard::Result<void> result;
            for (std::size_t at = 0; at < body.size() && result; at += piece) {
                result = framer.feed(std::string_view(body).substr(at, piece));
            }
            if (result) {
                result = framer.finish();
            }
            out += result ? "read" : result.error().detail;
            whole = whole.empty() ? out : whole;
            ASSERT_EQ(out, whole) << item << " in pieces of " << piece;
        }
    }
}

TEST_F(WatchLineTest, BookmarksCarryAVersionAndNoRow) {
    ASSERT_TRUE(decode(
        R"({"type":"BOOKMARK","object":{"kind":"Pod","metadata":{"resourceVersion":"99","annotations":{"k8s.io/initial-events-end":"true"}}}})"));
    EXPECT_EQ(line.type, Type::Bookmark);
    EXPECT_TRUE(line.rows.empty());
    EXPECT_EQ(line.resourceVersion, "99");
    EXPECT_TRUE(line.initialEventsEnd);
    ASSERT_TRUE(decode(R"({"type":"BOOKMARK","object":{"metadata":{"resourceVersion":"100"}}})"));
    EXPECT_FALSE(line.initialEventsEnd);
}

TEST_F(WatchLineTest, ErrorsCarryTheirStatusAndNoRow) {
    ASSERT_TRUE(decode(R"({"type":"ERROR","object":{"kind":"Status","code":410,"reason":"Expired"}})"));
    EXPECT_EQ(line.type, Type::Error);
    EXPECT_TRUE(line.rows.empty());
    EXPECT_EQ(line.status, R"({"kind":"Status","code":410,"reason":"Expired"})");
}

TEST_F(WatchLineTest, TypesOfALaterServerAreIgnored) {
    ASSERT_TRUE(decode(R"({"type":"COMPRESSED","object":{"metadata":{"name":"a"}}})"));
    EXPECT_EQ(line.type, Type::Unknown);
    EXPECT_TRUE(line.rows.empty());
}

TEST_F(WatchLineTest, ABrokenLineIsSaid) {
    for (const char* text : {"", "{", R"({"type":"ADDED","object":{"metadata":{"name":"a"}})", "[]", "null", "garbage", "{}}",
                             R"({"type":"ADDED","object":{"metadata":{"name" "a"}}})", R"({"type":"ADDED")"}) {
        EXPECT_FALSE(decode(text)) << text;
        EXPECT_TRUE(line.rows.empty());
    }
}

TEST_F(WatchLineTest, OddValuesNeitherThrowNorCrash) {
    for (const char* text : {R"({"type":"ADDED","object":null})", R"({"type":7,"object":{}})", R"({"type":"ADDED"})",
                             R"({"type":"ADDED","object":{}})", R"({"type":"ERROR","object":{}})",
                             R"({"type":"BOOKMARK","object":{"metadata":null}})", R"({"type":"BOOKMARK","object":{"metadata":{"annotations":[]}}})"}) {
        (void)decode(text);
        EXPECT_TRUE(line.rows.empty()) << text;
    }
}

TEST_F(WatchLineTest, OneHugeObjectDoesNotSpoilTheNext) {
    const std::string filler(3 * 1024 * 1024, 'x');
    ASSERT_TRUE(decode(R"({"type":"ADDED","object":{"metadata":{"name":"big","annotations":{"a":")" + filler + R"("}}}})"));
    EXPECT_EQ(line.rows[0]->name, "big");
    EXPECT_LT(line.rows[0]->footprint(), 2048U);
    ASSERT_TRUE(decode(R"({"type":"ADDED","object":{"metadata":{"name":"small"}}})"));
    EXPECT_EQ(line.rows[0]->name, "small");
}

} // namespace
} // namespace alidade::cluster::test
