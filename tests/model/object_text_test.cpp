// SPDX-License-Identifier: GPL-3.0-or-later
#include "alidade/models/object_text.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include <QStringList>

namespace alidade::models {
namespace {

using nlohmann::json;

TEST(Yaml, WritesWhatPeopleExpectAndFindsFields) {
    const auto object = json::parse(R"({
        "kind": "Pod", "apiVersion": "v1",
        "metadata": {"name": "web", "labels": {"app": "web", "on": "yes", "version": "1.20"}, "managedFields": [{"manager": "x"}]},
        "spec": {"containers": [{"name": "app", "image": "registry.example/web:1", "args": ["--a", "- b"], "env": []}]},
        "status": {"phase": "Running", "message": "two\nlines\n"}})");
    const YamlDocument yaml = toYaml(object);
    const QStringList lines = yaml.text.split(u'\n');
    EXPECT_EQ(lines[0], QStringLiteral("apiVersion: v1"));
    EXPECT_EQ(lines[1], QStringLiteral("kind: Pod"));
    EXPECT_FALSE(yaml.text.contains(QStringLiteral("managedFields")));
    EXPECT_TRUE(yaml.text.contains(QStringLiteral("    \"on\": \"yes\"\n"))) << yaml.text.toStdString();
    EXPECT_TRUE(yaml.text.contains(QStringLiteral("    version: \"1.20\"\n"))) << "a string stays a string";
    EXPECT_TRUE(yaml.text.contains(QStringLiteral("  - name: app\n    image: registry.example/web:1\n")));
    EXPECT_TRUE(yaml.text.contains(QStringLiteral("    - \"- b\"\n")));
    EXPECT_TRUE(yaml.text.contains(QStringLiteral("  message: |\n    two\n    lines\n")));
    EXPECT_EQ(lines.size() - 1, static_cast<qsizetype>(yaml.pointers.size()));
    const int image = yaml.lineOf("/spec/containers/0/image");
    ASSERT_GE(image, 0);
    EXPECT_EQ(lines[image], QStringLiteral("    image: registry.example/web:1"));
    EXPECT_EQ(lines[yaml.lineOf("/spec/containers/0/resources/limits")], QStringLiteral("  - name: app")) << "nearest ancestor";
    EXPECT_EQ(yaml.lineOf("/nothing"), -1);
}

TEST(Yaml, SecretValuesStayHidden) {
    const auto object = json::parse(R"({"kind": "Secret", "apiVersion": "v1", "metadata": {"name": "s", "annotations":
        {"kubectl.kubernetes.io/last-applied-configuration": "{\"data\":{\"p\":\"aHVudGVyMg==\"}}"}},
        "data": {"password": "aHVudGVyMg=="}, "stringData": {"x": "hunter2"}})");
    const QString text = toYaml(object).text;
    EXPECT_FALSE(text.contains(QStringLiteral("aHVudGVyMg")));
    EXPECT_FALSE(text.contains(QStringLiteral("hunter2")));
    EXPECT_TRUE(text.contains(QStringLiteral("password: <12 byte(s), hidden>"))) << text.toStdString();
}

TEST(Yaml, OddDocumentsDoNotHurt) {
    EXPECT_TRUE(toYaml(json::array({1, 2})).text.isEmpty());
    EXPECT_TRUE(toYaml(json()).text.isEmpty());
    const auto odd = json{{"a", json::array({json::array({1}), json::object(), nullptr})}, {"", "empty key"}};
    const YamlDocument yaml = toYaml(odd);
    EXPECT_EQ(yaml.text.count(u'\n'), static_cast<qsizetype>(yaml.pointers.size()));
}

TEST(Overview, TellsContainersConditionsAndOwners) {
    const auto pod = json::parse(R"({"metadata": {"name": "checkout-1", "uid": "u1", "annotations": {"alidade.dev/protected": "true"},
          "ownerReferences": [{"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "checkout", "uid": "r1", "controller": true}]},
        "spec": {"nodeName": "node-2", "containers": [{"name": "app", "image": "nope:9"}], "initContainers": [{"name": "setup", "image": "i"}]},
        "status": {"phase": "Pending",
          "conditions": [{"type": "PodScheduled", "status": "True"}, {"type": "Ready", "status": "False", "reason": "ContainersNotReady", "message": "m"}],
          "containerStatuses": [{"name": "app", "ready": false, "restartCount": 2, "state": {"waiting": {"reason": "ImagePullBackOff", "message": "Back-off"}},
                                 "lastState": {"terminated": {"exitCode": 137, "reason": "OOMKilled"}}}]}})");
    const OverviewFacts facts = overviewOf(guard::kinds::pods(), pod);
    ASSERT_EQ(facts.containers.size(), 2U);
    EXPECT_TRUE(facts.containers[0].init);
    EXPECT_EQ(facts.containers[1].state, QStringLiteral("waiting: ImagePullBackOff"));
    EXPECT_EQ(facts.containers[1].health, cluster::Health::Bad);
    EXPECT_EQ(facts.containers[1].last, QStringLiteral("terminated: OOMKilled (exit 137)"));
    ASSERT_EQ(facts.conditions.size(), 2U);
    EXPECT_EQ(facts.conditions[0].type, QStringLiteral("Ready")) << "what is bad comes first";
    EXPECT_TRUE(facts.conditions[0].bad);
    ASSERT_EQ(facts.owners.size(), 1U);
    EXPECT_EQ(facts.owners[0].uid, "r1");
    EXPECT_TRUE(facts.isProtected);
    EXPECT_EQ(facts.containerNames, (std::vector<std::string>{"setup", "app"}));
}

TEST(Overview, OddObjectsGiveFewerFacts) {
    const auto odd = json::parse(R"({"metadata": [], "spec": {"containers": [{}, 3, {"name": 7}]}, "status": {"conditions": [null, {"type": {}}]}})");
    const OverviewFacts facts = overviewOf(guard::kinds::pods(), odd);
    EXPECT_EQ(facts.containers.size(), 1U);
    EXPECT_EQ(facts.conditions.size(), 2U);
}

TEST(Diff, PartsLinesWithNumbers) {
    const auto lines = parseUnifiedDiff("--- before\n+++ after\n@@ -10,3 +10,3 @@\n spec:\n-  image: a\n+  image: b\n   name: app\n");
    ASSERT_EQ(lines.size(), 5U);
    EXPECT_EQ(lines[0].kind, DiffLine::Kind::Fold);
    EXPECT_EQ(lines[1].before, 10);
    EXPECT_EQ(lines[2].kind, DiffLine::Kind::Removed);
    EXPECT_EQ(lines[2].before, 11);
    EXPECT_EQ(lines[3].after, 11);
    EXPECT_EQ(lines[3].text, QStringLiteral("  image: b"));
    EXPECT_EQ(lines[4].before, 12);
    EXPECT_EQ(lines[4].after, 12);
}

} // namespace
} // namespace alidade::models
