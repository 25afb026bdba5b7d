// SPDX-License-Identifier: GPL-3.0-or-later
#include "alidade/guard/text.hpp"

#include <gtest/gtest.h>

using namespace alidade::guard;
using namespace std::string_literals;

TEST(VisibleText, C34_escape_sequences_are_shown_and_never_acted_on) {
    EXPECT_EQ(visibleText("pull failed\x1b[2J\x1b[1;1Hall good\a"), "pull failed␛[2J␛[1;1Hall good␇");
    EXPECT_EQ(visibleText("\x1b]8;;http://203.0.113.9/\aclick\x1b]8;;\a"), "␛]8;;http://203.0.113.9/␇click␛]8;;␇");
    EXPECT_EQ(visibleText("\x1b[31mERROR\x1b[0m disk full"), "ERROR disk full");
    EXPECT_EQ(visibleText("10%\r50%\r100%\n"), "10%␍50%␍100%\n");
    EXPECT_EQ(visibleText("a\0b\xc2\x85"s), "a␀b<U+0085>");
    EXPECT_EQ(visibleText("line\r\nnext"), "line\nnext");
}

TEST(VisibleText, C59_hidden_text_becomes_visible) {
    EXPECT_EQ(visibleText("ok\U000e0072\U000e0075\U000e006e"), "ok<U+E0072><U+E0075><U+E006E>");
    EXPECT_EQ(visibleText("\u200bign\u200bore"), "<U+200B>ign<U+200B>ore");
    EXPECT_EQ(visibleText("a\u202eb\u2066c"), "a<U+202E>b<U+2066>c");
    EXPECT_EQ(visibleText("a\u200db"), "a<U+200D>b");
    EXPECT_EQ(visibleText("a\u2028b"), "a<U+2028>b");
    EXPECT_EQ(visibleText("x\ufe01\ufe02"), "x<U+FE01><U+FE02>");
}

TEST(VisibleText, lawful_text_stays) {
    const std::string family = "👨\u200d👩\u200d👧 ❤\ufe0f 1\ufe0f\u20e3 العربية \u200e日本語";
    EXPECT_EQ(visibleText(family), family);
    EXPECT_EQ(visibleText("a\tb\nc"), "a\tb\nc");
    EXPECT_EQ(visibleText("a\nb", false), "a␊b");
}

TEST(VisibleText, keeps_the_number_of_lines_for_any_bytes) {
    std::string bytes;
    unsigned state = 7;
    for (int i = 0; i < 100'000; ++i)
        bytes += static_cast<char>((state = state * 1664525U + 1013904223U) >> 24U);
    const std::string shown = visibleText(bytes);
    EXPECT_EQ(std::count(shown.begin(), shown.end(), '\n'), std::count(bytes.begin(), bytes.end(), '\n'));
    EXPECT_EQ(validUtf8(shown), shown);
}

TEST(ValidUtf8, C37_b_replaces_maximal_subparts) {
    EXPECT_EQ(validUtf8("ok \xc3\xa9"), "ok é");
    EXPECT_EQ(validUtf8("\xf0\x9f\x92"), "\ufffd");
    EXPECT_EQ(validUtf8("\xf0\x80\x80\x80"), "\ufffd\ufffd\ufffd\ufffd");
    EXPECT_EQ(validUtf8("\xed\xa0\x80"), "\ufffd\ufffd\ufffd");
    EXPECT_EQ(validUtf8("a\xffz"), "a\ufffdz");
    EXPECT_EQ(validUtf8("\xe2\x82"
                        "A"),
              "\ufffdA");
}

TEST(SecretText, is_gone_after_a_move) {
    Secret<std::string> a("pw-Example-1-that-is-long-enough-for-the-heap");
    Secret<std::string> b(std::move(a));
    EXPECT_TRUE(a.empty()); // NOLINT(bugprone-use-after-move): the point of the test
    EXPECT_EQ(b.reveal(), "pw-Example-1-that-is-long-enough-for-the-heap");
}
