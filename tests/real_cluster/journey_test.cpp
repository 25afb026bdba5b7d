// SPDX-License-Identifier: GPL-3.0-or-later
// The journey where it counts: a real rollout to an image that does not exist, a real approval, a real rollback.
#include "lab.hpp"

namespace alidade::test {
namespace {

constexpr const char* kWeb = R"(apiVersion: apps/v1
kind: Deployment
metadata: {name: web, labels: {app: web}}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      terminationGracePeriodSeconds: 0
      containers:
      - {name: web, image: "busybox:1.35", command: [sleep, "3600"]}
)";

class RealJourney : public RealCluster {
protected:
    void rollOutAMissingImage() const {
        apply(kWeb);
        const Outcome ready = kubectl({"rollout", "status", "deployment/web", "--timeout=90s"});
        ASSERT_EQ(ready.exitCode, 0) << ready.out << ready.err;
        ASSERT_EQ(kubectl({"set", "image", "deployment/web", "web=busybox:no-such-tag"}).exitCode, 0);
        ASSERT_TRUE(eventually([this] {
            const std::string pods = kubectl({"get", "pods"}).out;
            return pods.find("ErrImagePull") != std::string::npos || pods.find("ImagePullBackOff") != std::string::npos;
        }));
    }
};

TEST_F(RealJourney, ABadImageIsRolledBackByOneAuditedPatch) {
    rollOutAMissingImage();
    Person person([&] { become({"triage", "deployment/web", "--kubeconfig", kubeconfig(), "--namespace", ns_}); });
    ASSERT_TRUE(person.waitFor("to approve")) << person.screen;
    EXPECT_TRUE(writesOfOurs().empty()) << "nothing changes before a person says so";
    person.type(person.digest() + "\n");
    EXPECT_EQ(person.end(), 0) << person.screen;

    const Outcome ready = kubectl({"rollout", "status", "deployment/web", "--timeout=60s"});
    EXPECT_EQ(ready.exitCode, 0) << ready.out;
    const std::string image =
        kubectl({"get", "deployment", "web", "-o", "jsonpath={.spec.template.spec.containers[0].image}"}).out;
    EXPECT_EQ(image, "busybox:1.35");
    const std::string phases = kubectl({"get", "pods", "-o", "jsonpath={.items[*].status.phase}"}).out;
    EXPECT_EQ(phases, "Running Running");

    const auto writes = writesOfOurs();
    ASSERT_EQ(writes.size(), 1U);
    EXPECT_EQ(writes[0]["verb"], "patch");
    EXPECT_EQ(writes[0]["objectRef"]["resource"], "deployments");
    EXPECT_EQ(writes[0]["responseStatus"]["code"], 200);
    bool uid = false;
    bool values = false;
    for (const auto& step : writes[0]["requestObject"]) {
        uid = uid || (step["op"] == "test" && step["path"] == "/metadata/uid");
        values = values || (step["op"] == "test" && step["path"].get<std::string>().starts_with("/spec/template"));
    }
    EXPECT_TRUE(uid) << writes[0]["requestObject"];
    EXPECT_TRUE(values) << writes[0]["requestObject"];

    const Outcome verified = run({"ledger", "verify", "--json"});
    EXPECT_EQ(verified.exitCode, 0) << verified.out;
    const auto report = nlohmann::json::parse(verified.out, nullptr, false);
    ASSERT_TRUE(report.is_object()) << verified.out;
    EXPECT_TRUE(report["valid"].get<bool>());
    EXPECT_TRUE(report["unknownIntents"].empty());
}

TEST_F(RealJourney, WhoeverDeclinesChangesNothing) {
    rollOutAMissingImage();
    Person person([&] { become({"triage", "deployment/web", "--kubeconfig", kubeconfig(), "--namespace", ns_}); });
    ASSERT_TRUE(person.waitFor("to approve")) << person.screen;
    person.type("n\n");
    EXPECT_EQ(person.end(), 4) << person.screen;
    EXPECT_TRUE(writesOfOurs().empty());
}

TEST_F(RealJourney, AProtectedDeploymentIsBlocked) {
    rollOutAMissingImage();
    ASSERT_EQ(kubectl({"annotate", "deployment", "web", "alidade.dev/protected=true"}).exitCode, 0);
    const Outcome outcome = run({"triage", "deployment/web", "--kubeconfig", kubeconfig(), "--namespace", ns_});
    EXPECT_EQ(outcome.exitCode, 4) << outcome.out << outcome.err;
    EXPECT_NE(outcome.out.find("blocked"), std::string::npos) << outcome.out;
    EXPECT_TRUE(writesOfOurs().empty());
}

TEST_F(RealJourney, AViewerSeesTheDiagnosisAndMayNotChangeAnything) {
    rollOutAMissingImage();
    const Outcome outcome = run({"triage", "deployment/web", "--kubeconfig", kubeconfig("viewer"), "--namespace", ns_});
    EXPECT_EQ(outcome.exitCode, 4) << outcome.out << outcome.err;
    EXPECT_NE(outcome.out.find("no-such-tag"), std::string::npos) << outcome.out;
    EXPECT_NE(outcome.out.find("not permitted: patch deployments.apps"), std::string::npos) << outcome.out;
    EXPECT_TRUE(writesOfOurs().empty());
}

TEST_F(RealJourney, SomebodyWithoutRightsIsToldWhatIsMissingNotThatAllIsWell) {
    rollOutAMissingImage();
    const Outcome outcome =
        run({"triage", "deployment/web", "--kubeconfig", kubeconfig("nobody-at-all"), "--namespace", ns_});
    EXPECT_NE(outcome.exitCode, 0) << outcome.out << outcome.err;
    EXPECT_NE((outcome.out + outcome.err).find("deployments"), std::string::npos) << outcome.out << outcome.err;
    EXPECT_TRUE(writesOfOurs().empty());
}

} // namespace
} // namespace alidade::test
