// SPDX-License-Identifier: GPL-3.0-or-later
#include "alidade/http/message.hpp"

#include <gtest/gtest.h>

namespace alidade::http {
namespace {

TEST(HttpHeaders, AreFoundWithoutRegardToCase) {
    Headers headers;
    headers.add("Warning", "one");
    headers.add("warning", "two");
    EXPECT_EQ(headers.get("WARNING"), "one");
    EXPECT_EQ(headers.all("Warning"), (std::vector<std::string_view>{"one", "two"}));
    EXPECT_FALSE(headers.get("Warn"));
    headers.set("WARNING", "three");
    EXPECT_EQ(headers.all("warning"), (std::vector<std::string_view>{"three"}));
}

TEST(HttpMessage, PercentCodingIsItsOwnInverse) {
    std::string every;
    for (int byte = 0; byte < 256; ++byte) {
        every.push_back(static_cast<char>(byte));
    }
    EXPECT_EQ(percentDecode(percentEncode(every)), every);
    EXPECT_EQ(percentEncode("a-b_c.d~e f/g=h&i+\xC3\xA4"), "a-b_c.d~e%20f%2Fg%3Dh%26i%2B%C3%A4");
    EXPECT_EQ(percentDecode("a%2fb+c"), "a/b+c");
    EXPECT_EQ(percentDecode("a+b", true), "a b");
    for (const char* broken : {"%", "%1", "%g0", "%0g", "a%"}) {
        EXPECT_FALSE(percentDecode(broken)) << broken;
    }
}

TEST(HttpMessage, ParsesTheUrlsThatKubeconfigsHold) {
    const auto plain = parseUrl("https://example.test");
    ASSERT_TRUE(plain);
    EXPECT_EQ(plain->scheme, "https");
    EXPECT_EQ(plain->host, "example.test");
    EXPECT_EQ(plain->port, 443);
    EXPECT_EQ(plain->path, "");

    const auto full = parseUrl("HTTP://10.0.0.1:8080/k8s/clusters/c-1/?a=b#fragment");
    ASSERT_TRUE(full);
    EXPECT_EQ(full->scheme, "http");
    EXPECT_EQ(full->host, "10.0.0.1");
    EXPECT_EQ(full->port, 8080);
    EXPECT_EQ(full->path, "/k8s/clusters/c-1");
    EXPECT_EQ(full->query, "a=b");

    const auto six = parseUrl("https://[fd00::1]:6443");
    ASSERT_TRUE(six);
    EXPECT_EQ(six->host, "fd00::1");
    EXPECT_EQ(six->port, 6443);
    EXPECT_EQ(parseUrl("http://h?x")->query, "x");
}

TEST(HttpMessage, RefusesWhatIsNoHttpUrl) {
    for (const char* bad :
         {"", "localhost:8080", "ftp://a", "https://", "https:///path", "https://:443", "https://a:0",
          "https://a:65536", "https://a:", "https://a:1x", "https://[::1", "https://[::1]x", "https://[a]:1",
          "https://user:pw@a", "https://a b", "https://a\r\n", "https://a]b", "https://\xC3\xA4"}) {
        EXPECT_FALSE(parseUrl(bad)) << bad;
    }
}

} // namespace
} // namespace alidade::http
