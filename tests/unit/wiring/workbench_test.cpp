// SPDX-License-Identifier: GPL-3.0-or-later
#include "alidade/wiring/workbench.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
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

/// A home of its own with kubeconfig files.
class Bench : public testing::Test {
protected:
    Bench() {
        std::string pattern = (std::filesystem::temp_directory_path() / "workbench-XXXXXX").string();
        home_ = ::mkdtemp(pattern.data());
        options_.environment = {{"HOME", home_}};
        options_.ledgerFile = home_ + "/ledger.jsonl";
    }
    ~Bench() override { std::filesystem::remove_all(home_); }
    void write(const std::string& name, const std::string& context, const std::string& rest) const {
        const std::filesystem::path file = home_ + "/" + name;
        std::filesystem::create_directories(file.parent_path());
        std::ofstream(file) << "clusters: [{name: c, cluster: {server: \"https://127.0.0.1:9\"}}]\n"
                            << "contexts: [{name: " << context << ", context: {cluster: c}}]\n"
                            << rest;
    }
    std::unique_ptr<Workbench> make() const {
        auto made = Workbench::create(options_, {});
        EXPECT_TRUE(made) << made.error().text();
        return made ? std::move(*made) : nullptr;
    }

    std::string home_;
    WorkbenchOptions options_;
};

TEST_F(Bench, TakesTheListOfKUBECONFIGAsKubectlDoes) {
    write("one", "one", "");
    write("two", "two", "current-context: two\n");
    options_.environment["KUBECONFIG"] = home_ + "/one:" + home_ + "/gone:" + home_ + "/two";
    const auto bench = make();
    EXPECT_EQ(bench->firstContext(), "two");
    const auto contexts = bench->contexts();
    ASSERT_TRUE(contexts);
    ASSERT_EQ(contexts->size(), 2U);
    ASSERT_EQ(bench->configWarnings().size(), 1U);
    EXPECT_NE(bench->configWarnings()[0].find("gone: no such file"), std::string::npos);
    EXPECT_EQ(bench->simulator(), nullptr);
}

TEST_F(Bench, TheUsualPlaceIsRead) {
    write(".kube/config", "home", "current-context: home\n");
    EXPECT_EQ(make()->firstContext(), "home");
}

TEST_F(Bench, WithNothingAnywhereTheEmbeddedClusterIsShownAndSaysWhy) {
    const auto bench = make();
    EXPECT_NE(bench->simulator(), nullptr);
    EXPECT_NE(bench->fellBack().find("no such file"), std::string::npos) << bench->fellBack();
    EXPECT_FALSE(bench->configFault());
    options_.demoWhenNothing = false;
    const auto strict = make();
    EXPECT_EQ(strict->simulator(), nullptr);
    ASSERT_TRUE(strict->configFault());
}

TEST_F(Bench, WhatIsNamedOrThereAndFaultyNeverBecomesAnotherCluster) {
    write("fine", "fine", "");
    std::ofstream(home_ + "/broken") << "clusters: [";
    const auto fault = [&](const char* what) {
        const auto bench = make();
        EXPECT_EQ(bench->simulator(), nullptr) << what;
        EXPECT_EQ(bench->firstContext(), "") << what;
        EXPECT_TRUE(bench->configFault()) << what;
        return bench->configFault() ? bench->configFault()->text() : std::string();
    };
    options_.kubeconfig = {home_ + "/gone"};
    EXPECT_NE(fault("a missing file").find("gone: no such file"), std::string::npos);
    options_.kubeconfig = {home_ + "/broken"};
    EXPECT_NE(fault("a broken file").find("broken, line"), std::string::npos);
    options_.kubeconfig = {home_ + "/fine"};
    EXPECT_NE(fault("no current context").find("\"fine\""), std::string::npos);
    options_.context = "other";
    EXPECT_NE(fault("an unknown context").find("no context \"other\""), std::string::npos);
    options_.kubeconfig.clear();
    options_.context.clear();
    options_.environment["KUBECONFIG"] = home_ + "/gone";
    EXPECT_NE(fault("KUBECONFIG names a missing file").find("no such file"), std::string::npos);
    options_.environment.erase("KUBECONFIG");
    std::filesystem::create_directories(home_ + "/.kube");
    std::ofstream(home_ + "/.kube/config") << "clusters: [";
    EXPECT_NE(fault("the usual place is broken").find("not valid YAML"), std::string::npos);
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
