// SPDX-License-Identifier: GPL-3.0-or-later
#include "alidade/wiring/settings.hpp"

#include <fstream>
#include <set>

#include <gtest/gtest.h>

namespace alidade::wiring {
namespace {

using guard::ErrorCode;

TEST(Settings, AMissingFileGivesTheDefaults) {
    const auto settings = loadSettings("/nonexistent/alidade/config.yaml");
    ASSERT_TRUE(settings);
    EXPECT_FALSE(settings->readOnly);
    EXPECT_TRUE(settings->protectedLists.namespaceProtected("kube-system"));
}

TEST(Settings, EmptyFilesGiveTheDefaults) {
    for (const char* text : {"", "# nothing\n", "---\n", "~\n"})
        EXPECT_TRUE(parseSettings(text, "c.yaml")) << text;
}

TEST(Settings, ProtectionIsReadWhole) {
    const auto settings = parseSettings(R"(
readOnly: true
theme: dark
protected:
  contexts: ["prod-*"]
  namespaces: [kube-system, billing]
  strict: true
  resources:
    - {namespace: shop, kind: Deployment, name: "pay*"}
)",
                                        "c.yaml");
    ASSERT_TRUE(settings) << settings.error().text();
    EXPECT_TRUE(settings->readOnly);
    EXPECT_EQ(settings->theme, Theme::Dark);
    EXPECT_TRUE(settings->protectedLists.strict);
    EXPECT_TRUE(settings->protectedLists.contextProtected("prod-eu"));
    EXPECT_FALSE(settings->protectedLists.contextProtected("staging"));
    EXPECT_TRUE(settings->protectedLists.namespaceProtected("billing"));
    EXPECT_FALSE(settings->protectedLists.namespaceProtected("kube-public")) << "a given list replaces the default one";
    EXPECT_TRUE(settings->protectedLists.resourceProtected({guard::kinds::deployments(), "shop", "payments"}));
    EXPECT_FALSE(settings->protectedLists.resourceProtected({guard::kinds::deployments(), "shop", "cart"}));
}

TEST(Settings, TheExampleInTheDocumentationIsWhatTheProgramReads) {
    const std::string file = std::string(ALIDADE_DOCS) + "/settings.example.yaml";
    const auto settings = loadSettings(file);
    ASSERT_TRUE(settings) << settings.error().text();
    // Each of its settings is a real one: with the key misspelt, the file would be refused.
    std::ifstream in(file);
    std::set<std::string> keys;
    for (std::string line; std::getline(in, line);)
        if (const auto colon = line.find(':'); colon != std::string::npos && line[0] != '#' && line[0] != ' ')
            keys.insert(line.substr(0, colon));
    EXPECT_EQ(keys, (std::set<std::string>{"readOnly", "theme", "language", "reducedMotion", "protected"}));
    EXPECT_FALSE(settings->readOnly);
    EXPECT_EQ(settings->theme, Theme::System);
    EXPECT_TRUE(settings->language.empty());
    const guard::ProtectedLists& lists = settings->protectedLists;
    EXPECT_TRUE(lists.contextProtected("prod-eu"));
    for (const std::string& ns : guard::ProtectedLists{}.namespaces)
        EXPECT_TRUE(lists.namespaceProtected(ns)) << ns;
    EXPECT_TRUE(lists.namespaceProtected("billing"));
    EXPECT_TRUE(lists.resourceProtected({guard::kinds::deployments(), "shop", "payments-eu"}));
    EXPECT_TRUE(lists.resourceProtected({guard::kinds::statefulSets(), "anywhere", "orders-db"}));
    EXPECT_FALSE(lists.resourceProtected({guard::kinds::deployments(), "shop", "checkout"}));
    EXPECT_FALSE(lists.strict);
}

TEST(Settings, ACredentialInTheFileIsRefusedWithoutBeingRepeated) {
    for (const char* key : {"apiKey", "api_key", "token", "db-password", "clientSecret"}) {
        const auto settings = parseSettings(std::string(key) + ": hunter2-example\n", "c.yaml");
        ASSERT_FALSE(settings) << key;
        EXPECT_EQ(settings.error().code, ErrorCode::Config);
        EXPECT_NE(settings.error().where.find(key), std::string::npos);
        EXPECT_EQ(settings.error().text().find("hunter2"), std::string::npos) << "the value must not be printed";
    }
}

TEST(Settings, FaultsNameFileAndKey) {
    const struct {
        const char* text;
        const char* names;
    } cases[] = {
        {"them: dark\n", "them"},
        {"theme: pink\n", "theme"},
        {"readOnly: maybe\n", "readOnly"},
        {"readOnly: true\nreadOnly: false\n", "readOnly"},
        {"protected: [a]\n", "protected"},
        {"protected: {namespaces: prod}\n", "protected.namespaces"},
        {"protected: {resources: [{nmae: x}]}\n", "protected.resources.nmae"},
        {"- a\n", "settings"},
        {"a: [\n", "c.yaml"},
        {"a: &x {b: *x}\n", "c.yaml"},
    };
    for (const auto& test : cases) {
        const auto settings = parseSettings(test.text, "c.yaml");
        ASSERT_FALSE(settings) << test.text;
        EXPECT_NE(settings.error().text().find(test.names), std::string::npos) << settings.error().text();
        EXPECT_NE(settings.error().text().find("c.yaml"), std::string::npos) << settings.error().text();
    }
}

TEST(Paths, FollowTheXdgVariablesAndIgnoreRelativeOnes) {
    const Paths given = Paths::of({{"HOME", "/h"}, {"XDG_STATE_HOME", "/s"}, {"XDG_CONFIG_HOME", "relative"}});
    EXPECT_EQ(given.ledgerFile(), "/s/alidade/ledger.jsonl");
    EXPECT_EQ(given.settingsFile(), "/h/.config/alidade/config.yaml");
}

} // namespace
} // namespace alidade::wiring
