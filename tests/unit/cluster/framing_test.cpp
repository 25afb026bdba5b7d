// SPDX-License-Identifier: GPL-3.0-or-later
#include "framing.hpp"

#include <gmock/gmock.h>

#include <random>

namespace alidade::cluster {
namespace {

using guard::ErrorCode;
using ::testing::ElementsAre;

struct Framed {
    std::vector<std::string> items;
    ListHead head;
    guard::Result<void> result;
};

Framed frameList(std::string_view body, std::size_t chunk) {
    Framed out;
    ListFramer framer([&](Padded item) {
        out.items.emplace_back(item.view());
        return true;
    });
    for (std::size_t at = 0; at < body.size() && out.result; at += chunk) {
        out.result = framer.feed(body.substr(at, chunk));
    }
    if (out.result) {
        out.result = framer.finish();
    }
    out.head = framer.head();
    return out;
}

TEST(ListFramer, CutsItemsWhereverTheChunksFall) {
    const std::string body = R"({ "kind":"PodList", "metadata":{"resourceVersion":"77","continue":"tok","remainingItemCount":1200},
        "items":[{"a":"}]\"{["} , {"b":{"c":[{},[1,"\\"]]}},{}], "extra":[1,{"items":[{"no":1}]}] })";
    for (std::size_t chunk = 1; chunk <= body.size(); ++chunk) {
        const Framed out = frameList(body, chunk);
        ASSERT_TRUE(out.result) << chunk << " " << out.result.error().text();
        EXPECT_THAT(out.items, ElementsAre(R"({"a":"}]\"{["})", R"({"b":{"c":[{},[1,"\\"]]}})", "{}")) << chunk;
        EXPECT_EQ(out.head.kind, "PodList");
        EXPECT_EQ(out.head.resourceVersion, "77");
        EXPECT_EQ(out.head.continueToken, "tok");
        EXPECT_EQ(out.head.remaining, 1200);
    }
}

TEST(ListFramer, TakesTheHeadFromBehindTheItemsToo) {
    const Framed out = frameList(R"({"items":[{"a":1}],"metadata":{"resourceVersion":"9"},"kind":"PodList"})", 7);
    ASSERT_TRUE(out.result);
    EXPECT_EQ(out.items.size(), 1U);
    EXPECT_EQ(out.head.resourceVersion, "9");
}

TEST(ListFramer, NullItemsAreNone) {
    const Framed out = frameList(R"({"kind":"PodList","items":null,"metadata":{}})", 100);
    ASSERT_TRUE(out.result);
    EXPECT_TRUE(out.items.empty());
}

TEST(ListFramer, HandsOutAStatusThatCameInPlaceOfAList) {
    const Framed out = frameList(
        R"({"kind":"Status","metadata":{"continue":"tokB"},"status":"Failure","reason":"Expired","code":410})", 9);
    ASSERT_TRUE(out.result);
    EXPECT_NE(out.head.status.find(R"("reason":"Expired")"), std::string::npos);
    EXPECT_NE(out.head.status.find(R"("code":410)"), std::string::npos);
}

class BrokenList : public ::testing::TestWithParam<const char*> {};

TEST_P(BrokenList, IsATypedErrorAndNeverAnEmptyList) {
    for (const std::size_t chunk : {1UL, 5UL, 1000UL}) {
        const Framed out = frameList(GetParam(), chunk);
        ASSERT_FALSE(out.result) << GetParam();
        EXPECT_EQ(out.result.error().code, ErrorCode::Protocol);
    }
}

INSTANTIATE_TEST_SUITE_P(All, BrokenList,
                         ::testing::Values("", " ", "<html><body>hi</body></html>", "[]", "\"x\"", "null",
                                           R"({"items":[{"a":1})", R"({"items":[{"a":1}])", R"({"items":[{"a":1},]})",
                                           R"({"items":[1,2]})", R"({"items":[{"a":1}{"b":2}]})", R"({"items":{}})",
                                           R"({"kind":"PodList"})", R"({"items":[]}x)", R"({"items":[],})",
                                           R"({"items":[{"a":[1}]})", R"({"items":[],"items":[]})", R"({"a" 1})"));

TEST(ListFramer, ItemOverTheLimitIsTooLargeNotAnAllocation) {
    ListFramer framer([](Padded) { return true; });
    guard::Result<void> result = framer.feed(R"({"items":[{"a":")");
    const std::string filler(1024 * 1024, 'x');
    int fed = 0;
    for (; fed < 40 && result; ++fed) result = framer.feed(filler);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::TooLarge);
    EXPECT_LE(fed, 18);
}

TEST(ListFramer, FastAndSlowScannersAgreeOnRandomNests) {
    std::mt19937 random(7);
    const std::string alphabet = "{}[]\"\\ax,:";
    for (int round = 0; round < 20'000; ++round) {
        std::string text = "{";
        const std::size_t size = random() % 300;
        while (text.size() < size) {
            // Mostly strings with escapes, so that quotes, backslashes and block borders meet in every way.
            if (random() % 3 == 0) {
                text += '"';
                while (random() % 5 != 0) {
                    const char c = alphabet[random() % alphabet.size()];
                    text += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
                }
                text += '"';
            } else {
                text += "{}[]ax"[random() % 6];
            }
        }
        NestScanner whole; // as wide as this processor can
        const std::size_t wholeEnd = whole.scan(text.data(), text.size());
        NestScanner narrow(false); // as any processor can
        EXPECT_EQ(narrow.scan(text.data(), text.size()), wholeEnd) << text;
        EXPECT_EQ(narrow.closed(), whole.closed()) << text;
        NestScanner single;
        std::size_t singleEnd = 0;
        while (singleEnd < text.size() && !single.closed()) singleEnd += single.scan(text.data() + singleEnd, 1);
        ASSERT_EQ(whole.closed(), single.closed()) << text;
        ASSERT_EQ(wholeEnd, singleEnd) << text;
    }
}

std::vector<std::string> lines(std::string_view bytes, std::size_t chunk) {
    std::vector<std::string> out;
    LineFramer framer([&](Padded line) {
        out.emplace_back(line.view());
        return true;
    });
    for (std::size_t at = 0; at < bytes.size(); at += chunk) {
        EXPECT_TRUE(framer.feed(bytes.substr(at, chunk)));
    }
    return out;
}

TEST(LineFramer, C17_a_OneByteAtATimeTwoEventsInOneChunkAndCrLf) {
    const std::string bytes = "{\"a\":\"caf\xC3\xA9\"}\r\n\n{\"b\":2}\n{\"c\":3}\n{\"type\":\"ADD";
    for (std::size_t chunk = 1; chunk <= bytes.size(); ++chunk) {
        EXPECT_THAT(lines(bytes, chunk), ElementsAre("{\"a\":\"caf\xC3\xA9\"}", "{\"b\":2}", "{\"c\":3}")) << chunk;
    }
}

TEST(LineFramer, LineOverTheLimitIsTooLargeNotAnAllocation) {
    LineFramer framer([](Padded) { return true; });
    const std::string filler(1024 * 1024, 'x');
    guard::Result<void> result;
    int fed = 0;
    for (; fed < 40 && result; ++fed) result = framer.feed(filler);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::TooLarge);
    EXPECT_LE(fed, 18);
    EXPECT_LE(framer.pending(), kMaxDocumentBytes + filler.size());
}

TEST(LineFramer, KeepsGoingPastSixtyFourMebibytes) {
    std::size_t seen = 0;
    LineFramer framer([&](Padded line) {
        seen += line.size + 1;
        return true;
    });
    const std::string line = "{\"x\":\"" + std::string(5000, 'y') + "\"}\n";
    std::size_t fed = 0;
    while (fed < 66UL * 1024 * 1024) {
        ASSERT_TRUE(framer.feed(line));
        fed += line.size();
    }
    EXPECT_EQ(seen, fed);
}

std::string withoutManaged(std::string_view text) {
    PaddedText document(text);
    return std::string(withoutManagedFields(document.padded()).view());
}

TEST(Framing, WhatManagedFieldsHoldIsCutOutAndNothingElse) {
    EXPECT_EQ(withoutManaged(R"({"a":1,"managedFields":[{"f:x":{"k:{\"n\":\"]}\"}":{}}},{"y":[[]]}],"spec":{"b":[2]}})"),
              R"({"a":1,"managedFields":[],"spec":{"b":[2]}})");
    EXPECT_EQ(withoutManaged(R"({"managedFields":[]})"), R"({"managedFields":[]})");
    for (const char* const same : {R"({"a":"\"managedFields\":[1]"})", R"({"managedFields":null})", R"({"managedFields":{"a":1}})",
                                   R"({"managedFields":[{"a":1})", R"({"managedFields":["]})", "{}", ""}) {
        EXPECT_EQ(withoutManaged(same), same);
    }
}

TEST(Framing, BalancedObjectTellsACutDocumentFromAWholeOne) {
    EXPECT_TRUE(balancedObject(R"( {"a":{"b":["}"]}} )"));
    EXPECT_FALSE(balancedObject(R"({"type":"ADDED","object":{"metadata":{"name":"a"}})"));
    EXPECT_FALSE(balancedObject(R"({"a":"})"));
    EXPECT_FALSE(balancedObject("{}{}"));
    EXPECT_FALSE(balancedObject(""));
    EXPECT_FALSE(balancedObject("[]"));
}

} // namespace
} // namespace alidade::cluster
