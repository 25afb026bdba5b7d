// SPDX-License-Identifier: GPL-3.0-or-later
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "alidade/guard/gates.hpp"
#include "signals_world.hpp"

namespace alidade::test {
namespace {

using guard::DiagnosisOutcome;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

std::string leadRule(const agent::Analysis& analysis) {
    return analysis.findings.empty() ? "" : analysis.findings.front().rule;
}
std::optional<int> rollbackOf(const guard::Diagnosis& diagnosis) {
    if (!diagnosis.recommended || !std::holds_alternative<guard::Rollback>(diagnosis.recommended->change))
        return std::nullopt;
    return std::get<guard::Rollback>(diagnosis.recommended->change).toRevision;
}

/// What every diagnosis owes: the gate finds each claim supported and each quote where it says.
void expectGrounded(const agent::Analysis& analysis, const SignalsWorld& world) {
    const auto result = guard::QualityGate::check(analysis.diagnosis, world.signals, world.evidence, std::nullopt);
    EXPECT_TRUE(result.verdict.passed) << testing::PrintToString(result.verdict.reasons);
    EXPECT_FALSE(result.verdict.reviewed);
    for (const guard::Claim& claim : result.marked.claims)
        EXPECT_TRUE(claim.supported) << claim.text << " | " << claim.quote;
}

SignalsWorld badImage(const std::string& message, const std::string& event, const std::string& before,
                      const std::string& image) {
    SignalsWorld world;
    world.workload("checkout", 3, 3, 1);
    world.pod("checkout", "old-1", true, {running(container("app", before))});
    const auto& pod = world.pod("checkout", "new-1", false,
                                {waiting("ImagePullBackOff", message, container("app", image))}, "Pending");
    if (!event.empty())
        world.event(pod.ref, "Failed", event, 5);
    world.revision("checkout", 5, true, 0);
    world.revision("checkout", 4, false, 3, {{"spec.containers[app].image", before, image}});
    return world;
}

TEST(AnalystImage, ATagThatTheRegistryDoesNotHaveIsRolledBack) {
    const auto world = badImage(
        "Back-off pulling image \\\"registry.example/checkout:2.5.O\\\"",
        "Failed to pull image \"registry.example/checkout:2.5.O\": rpc error: code = NotFound desc = not found",
        "registry.example/checkout:2.4.1", "registry.example/checkout:2.5.O");
    const auto analysis = world.analyse();
    EXPECT_EQ(leadRule(analysis), "image.not_found");
    EXPECT_EQ(rollbackOf(analysis.diagnosis), 4);
    EXPECT_EQ(analysis.diagnosis.suspectedRevision, 5);
    EXPECT_EQ(analysis.diagnosis.suspect->key.text(), "deployment shop/checkout");
    EXPECT_GE(analysis.diagnosis.confidence, 0.9);
    EXPECT_THAT(analysis.diagnosis.hypothesis, HasSubstr("the registry does not have it"));
    expectGrounded(analysis, world);
}

TEST(AnalystImage, ALetterTooManyInTheRepositoryIsCalledASlip) {
    const auto world = badImage("", "Failed to pull image: manifest unknown", "registry.example/checkout:2",
                                "registry.example/chekcout:2");
    EXPECT_THAT(world.analyse().diagnosis.hypothesis, HasSubstr("like a slip"));
}

TEST(AnalystImage, ARefusedLoginIsNoMatterForARollback) {
    const auto world = badImage("", "Failed to pull image: failed to authorize: 401 Unauthorized",
                                "registry.example/checkout:2", "registry.example/checkout:3");
    const auto analysis = world.analyse();
    EXPECT_EQ(leadRule(analysis), "image.auth");
    EXPECT_FALSE(analysis.diagnosis.recommended);
    EXPECT_THAT(analysis.findings.front().nextChecks, Contains(HasSubstr("imagePullSecrets")));
    expectGrounded(analysis, world);
}

TEST(AnalystImage, WhenTheRegistryIsOutOfReachTheImageThatStillRunsIsGoneBackTo) {
    const std::string said =
        "Failed to pull image \"r/a:2\": failed to resolve reference: proxyconnect tcp: connection refused";
    auto world = badImage("", said, "r/a:1", "r/a:2");
    const auto analysis = world.analyse();
    EXPECT_EQ(leadRule(analysis), "image.registry_unreachable");
    EXPECT_EQ(rollbackOf(analysis.diagnosis), 4);
    EXPECT_THAT(analysis.findings.front().nextChecks, Contains(HasSubstr("egress")));
    expectGrounded(analysis, world);

    // Where nothing of the older revision runs, it would have to be pulled from the same registry.
    for (auto& deploy : world.signals.recentDeploys)
        deploy.ready = 0;
    EXPECT_FALSE(world.analyse().diagnosis.recommended);
}

TEST(AnalystImage, WordsOfRegistriesAreToldApart) {
    const auto rule = [](const std::string& event) {
        return leadRule(badImage("", event, "r/a:1", "r/a:2").analyse());
    };
    EXPECT_EQ(rule("Failed to pull image: toomanyrequests: You have reached your pull rate limit"), "image.rate_limit");
    EXPECT_EQ(rule("Failed to pull image: dial tcp: lookup registry.example: no such host"),
              "image.registry_unreachable");
    EXPECT_EQ(rule("Failed to pull image: no match for platform in manifest: not found"), "image.platform");
    EXPECT_EQ(rule("Failed to pull image: pull access denied, repository does not exist or may require authorization"),
              "image.not_found_or_denied");
    EXPECT_EQ(rule("Failed to pull image: x509: certificate signed by unknown authority"),
              "image.registry_unreachable");
    EXPECT_EQ(rule(""), "image.pull_failed");
}

TEST(AnalystImage, AnImageThatWasAlwaysTheSameIsNotTheTemplatesFault) {
    SignalsWorld world;
    world.workload("checkout", 1, 0, 1);
    const auto& pod =
        world.pod("checkout", "a", false, {waiting("ErrImagePull", "", container("app", "r/a:1"))}, "Pending");
    world.event(pod.ref, "Failed", "Failed to pull image: not found");
    world.revision("checkout", 2, true, 0);
    world.revision("checkout", 1, false, 0, {{"spec.containers[app].env[LEVEL].value", "debug", "info"}});
    const auto analysis = world.analyse();
    EXPECT_EQ(leadRule(analysis), "image.not_found");
    EXPECT_FALSE(analysis.diagnosis.recommended);
}

TEST(AnalystCause, TheFailedRolloutLeadsAndTheNoisyNeighbourDoesNot) {
    auto world = badImage("", "Failed to pull image: not found", "r/checkout:1", "r/checkout:2");
    world.workload("recommender", 2, 1, 2);
    const auto& noisy = world.pod("recommender", "a", false, {crashed(1, "Error", 57)});
    world.pod("recommender", "b", true, {running()});
    world.log(noisy, "app", "fatal: cache warm-up failed");
    const auto analysis = world.analyse();
    EXPECT_EQ(analysis.diagnosis.suspect->key.name, "checkout");
    EXPECT_THAT(analysis.diagnosis.alternatives, Contains(HasSubstr("recommender")));
}

TEST(AnalystCause, ANeighbourThatRestartsAndIsReadyIsNoFault) {
    SignalsWorld world;
    world.workload("recommender", 1, 1, 1);
    auto c = running();
    c.restarts = 41;
    c.lastReason = "Error";
    c.lastExitCode = 1;
    world.pod("recommender", "a", true, {c});
    const auto analysis = world.analyse();
    EXPECT_EQ(analysis.diagnosis.outcome, DiagnosisOutcome::NoFault);
    EXPECT_THAT(analysis.diagnosis.alternatives, Contains(HasSubstr("41 times")));
    expectGrounded(analysis, world);
    // Asked about it by name, it is told.
    const auto asked = world.analyse(SignalsWorld::ref(kinds::deployments(), "recommender"));
    EXPECT_EQ(asked.diagnosis.outcome, DiagnosisOutcome::Fault);
    EXPECT_FALSE(asked.diagnosis.recommended);
}

TEST(AnalystCause, AnIncidentAboutOneObjectIsNotAnsweredWithAnother) {
    auto world = badImage("", "Failed to pull image: not found", "r/checkout:1", "r/checkout:2");
    world.workload("cart", 1, 1, 1);
    world.pod("cart", "a", true, {running()});
    const auto analysis = world.analyse(SignalsWorld::ref(kinds::deployments(), "cart"));
    EXPECT_EQ(analysis.diagnosis.outcome, DiagnosisOutcome::NoFault);
    EXPECT_THAT(analysis.diagnosis.alternatives, Contains(HasSubstr("checkout")));
}

SignalsWorld crashing(guard::ContainerSignal c, std::vector<guard::TemplateChange> changes, int readyBefore,
                      const std::string& log = "") {
    SignalsWorld world;
    world.workload("cart", 2, readyBefore, 1);
    const auto& pod = world.pod("cart", "new", false, {std::move(c)});
    if (readyBefore > 0)
        world.pod("cart", "old", true, {running()});
    if (!log.empty())
        world.log(pod, "app", log);
    world.revision("cart", 8, true, 0);
    world.revision("cart", 7, false, readyBefore, std::move(changes));
    return world;
}

TEST(AnalystCrash, ACommandThatIsNotThereIsTheRevisionsFault) {
    const auto world =
        crashing(crashed(127, "StartError"), {{"spec.containers[app].command", "[\"cart\"]", "[\"cartt\"]"}}, 1);
    const auto analysis = world.analyse();
    EXPECT_EQ(leadRule(analysis), "crash.bad_command");
    EXPECT_EQ(rollbackOf(analysis.diagnosis), 7);
    expectGrounded(analysis, world);
}

TEST(AnalystCrash, AProgramThatGivesUpIsBlamedOnTheRevisionOnlyBesideAHealthyOlderOne) {
    const std::vector<guard::TemplateChange> changes{{"spec.containers[app].image", "r/cart:1", "r/cart:2"}};
    const auto beside = crashing(crashed(1), changes, 1, "ERROR cannot parse configuration");
    EXPECT_EQ(leadRule(beside.analyse()), "crash.application");
    EXPECT_EQ(rollbackOf(beside.analyse().diagnosis), 7);
    expectGrounded(beside.analyse(), beside);
    const auto alone = crashing(crashed(1), changes, 0, "ERROR cannot parse configuration");
    EXPECT_FALSE(alone.analyse().diagnosis.recommended);
    EXPECT_THAT(alone.analyse().diagnosis.claims.back().text, HasSubstr("cannot parse configuration"));
}

TEST(AnalystCrash, WhatTheLogSaysNamesTheKind) {
    const auto rule = [](guard::ContainerSignal c, const std::string& log) {
        return leadRule(crashing(std::move(c), {}, 1, log).analyse());
    };
    EXPECT_EQ(rule(crashed(1), "dial tcp 10.0.0.7:5432: connect: connection refused"), "crash.dependency");
    EXPECT_EQ(rule(crashed(2), "panic: runtime error: index out of range"), "crash.panic");
    EXPECT_EQ(rule(crashed(1), "exec /app/cart: exec format error"), "crash.wrong_architecture");
    EXPECT_EQ(rule(crashed(0, "Completed"), "bye"), "crash.finishes");
}

TEST(AnalystConfig, TheMissingConfigMapIsTheCauseNotTheWaitingPods) {
    SignalsWorld world;
    world.workload("cart", 3, 0, 3);
    for (const char* name : {"a", "b", "c"})
        world.pod("cart", name, false, {waiting("CreateContainerConfigError", "configmap \"cart-settings\" not found")},
                  "Pending");
    world.relation(SignalsWorld::ref(kinds::deployments(), "cart"), {kinds::configMaps(), "shop", "cart-settings"},
                   "uses_config", "missing", "spec.template.spec.containers[0].envFrom[0].configMapRef.name");
    world.revision("cart", 1, true, 0);
    const auto analysis = world.analyse();
    EXPECT_EQ(leadRule(analysis), "config.missing_configmap");
    EXPECT_THAT(analysis.diagnosis.hypothesis, HasSubstr("ConfigMap cart-settings is not there"));
    EXPECT_FALSE(analysis.diagnosis.recommended); // no revision is to blame
    EXPECT_EQ(analysis.findings.front().related.size(), 3U);
    expectGrounded(analysis, world);
}

TEST(AnalystConfig, AReferenceThatTheRevisionBroughtIsRolledBack) {
    SignalsWorld world;
    world.workload("cart", 2, 2, 1);
    world.pod("cart", "a", false, {waiting("CreateContainerConfigError", "secret \"cart-keys-v2\" not found")},
              "Pending");
    world.pod("cart", "b", true, {running()});
    world.revision("cart", 3, true, 0);
    world.revision("cart", 2, false, 2,
                   {{"spec.containers[app].envFrom[0].secretRef.name", "cart-keys", "cart-keys-v2"}});
    const auto analysis = world.analyse();
    EXPECT_EQ(leadRule(analysis), "config.missing_secret");
    EXPECT_EQ(rollbackOf(analysis.diagnosis), 2);
    expectGrounded(analysis, world);
}

TEST(AnalystConfig, AMissingKeyAndAMissingVolumeAreReadFromTheKubelet) {
    SignalsWorld world;
    world.workload("cart", 1, 0, 1);
    world.pod("cart", "a", false,
              {waiting("CreateContainerConfigError", "couldn't find key LEVEL in ConfigMap shop/cart-settings")},
              "Pending");
    EXPECT_EQ(leadRule(world.analyse()), "config.missing_key");
    EXPECT_THAT(world.analyse().diagnosis.hypothesis, HasSubstr("The key LEVEL is not in ConfigMap cart-settings"));

    SignalsWorld volume;
    volume.workload("cart", 1, 0, 1);
    const auto& pod = volume.pod("cart", "a", false, {waiting("ContainerCreating", "")}, "Pending");
    volume.event(pod.ref, "FailedMount", "MountVolume.SetUp failed for volume \"tls\" : secret \"cart-tls\" not found");
    EXPECT_EQ(leadRule(volume.analyse()), "config.missing_secret");
    expectGrounded(volume.analyse(), volume);
}

TEST(AnalystConfig, APodThatIsOnlyStartingIsNotBlamedOnConfiguration) {
    SignalsWorld world;
    world.workload("cart", 1, 0, 1);
    world.pod("cart", "a", false, {waiting("ContainerCreating", "")}, "Pending");
    EXPECT_EQ(leadRule(world.analyse()), "workload.not_ready");
    const auto gate = guard::QualityGate::check(world.analyse().diagnosis, world.signals, world.evidence, std::nullopt);
    EXPECT_FALSE(gate.verdict.passed); // too little to act on: a person looks
}

TEST(AnalystMemory, AKilledContainerIsNotCalledACrash) {
    SignalsWorld world;
    world.workload("cart", 1, 0, 1);
    world.pod("cart", "a", false, {crashed(137, "OOMKilled")});
    world.revision("cart", 2, true, 0);
    world.revision("cart", 1, false, 0, {{"spec.containers[app].resources.limits.memory", "256Mi", "32Mi"}});
    const auto analysis = world.analyse();
    EXPECT_EQ(leadRule(analysis), "memory.oom");
    EXPECT_EQ(rollbackOf(analysis.diagnosis), 1);
    EXPECT_THAT(analysis.findings.front().nextChecks, Contains(HasSubstr("was not observed")));
    expectGrounded(analysis, world);
}

TEST(AnalystProbe, AReadinessProbeThatFailsIsNotACrash) {
    SignalsWorld world;
    world.workload("cart", 1, 0, 1);
    auto c = running();
    c.ready = false;
    const auto& pod = world.pod("cart", "a", false, {c});
    world.event(pod.ref, "Unhealthy", "Readiness probe failed: HTTP probe failed with statuscode: 404", 30);
    const auto analysis = world.analyse();
    EXPECT_EQ(leadRule(analysis), "probe.readiness");
    EXPECT_FALSE(analysis.diagnosis.recommended);
    expectGrounded(analysis, world);
}

TEST(AnalystProbe, ALivenessProbeNeedsAKillToBeBlamed) {
    SignalsWorld world;
    world.workload("cart", 1, 0, 1);
    auto killed = crashed(137);
    const auto& pod = world.pod("cart", "a", false, {killed});
    world.event(pod.ref, "Unhealthy", "Liveness probe failed: context deadline exceeded");
    EXPECT_EQ(leadRule(world.analyse()), "probe.liveness");

    SignalsWorld crash;
    crash.workload("cart", 1, 0, 1);
    const auto& other = crash.pod("cart", "a", false, {crashed(1)});
    crash.event(other.ref, "Unhealthy", "Liveness probe failed: connection refused");
    EXPECT_EQ(leadRule(crash.analyse()), "crash.application");
}

TEST(AnalystSchedule, WhatTheSchedulerSaysNamesTheReason) {
    const auto world = [](const std::string& message) {
        SignalsWorld out;
        out.workload("cart", 2, 1, 2);
        auto& pod = out.pod("cart", "a", false, {}, "Pending");
        pod.unschedulable = message;
        pod.evidence = out.store(pod.ref, {"\"message\": \"" + message + "\""});
        out.pod("cart", "b", true, {running()});
        return out;
    };
    EXPECT_EQ(leadRule(world("0/3 nodes are available: 3 Insufficient cpu.").analyse()), "schedule.cpu");
    EXPECT_EQ(leadRule(world("0/3 nodes are available: 3 node(s) had untolerated taint {gpu: true}.").analyse()),
              "schedule.taint");
    EXPECT_EQ(
        leadRule(world("0/3 nodes are available: 3 node(s) didn't match Pod's node affinity/selector.").analyse()),
        "schedule.selector");
    EXPECT_EQ(leadRule(world("persistentvolumeclaim \\\"data\\\" not found").analyse()), "schedule.volume");
    const auto both = world("0/3 nodes are available: 1 Insufficient memory, 2 node(s) had untolerated taint {x: y}.");
    EXPECT_THAT(both.analyse().diagnosis.hypothesis, HasSubstr("memory"));
    EXPECT_THAT(both.analyse().diagnosis.hypothesis, HasSubstr("taints"));
    expectGrounded(both.analyse(), both);
}

TEST(AnalystService, ASelectorThatFitsNothingIsFoundWhileAllPodsAreWell) {
    SignalsWorld world;
    world.workload("cart", 1, 1, 1);
    world.pod("cart", "a", true, {running()});
    world.relation(SignalsWorld::ref(kinds::services(), "cart"), {kinds::pods(), "shop", "(app=crat)"}, "selects",
                   "missing", "spec.selector");
    const auto analysis = world.analyse();
    EXPECT_EQ(leadRule(analysis), "service.selector");
    EXPECT_EQ(analysis.diagnosis.suspect->key.text(), "service shop/cart");
    EXPECT_FALSE(analysis.diagnosis.recommended);
    expectGrounded(analysis, world);
}

TEST(AnalystService, UnknownIsNotNothing) {
    SignalsWorld world;
    world.workload("cart", 1, 1, 1);
    world.relation(SignalsWorld::ref(kinds::services(), "cart"), {kinds::pods(), "shop", "(app=cart)"}, "selects",
                   "unknown", "spec.selector");
    world.signals.gaps.push_back({"pods in shop", guard::Coverage::Forbidden, "pods is forbidden"});
    const auto analysis = world.analyse();
    EXPECT_EQ(analysis.diagnosis.outcome, DiagnosisOutcome::Undetermined);
    EXPECT_THAT(analysis.diagnosis.hypothesis, HasSubstr("pods in shop (forbidden)"));
    expectGrounded(analysis, world);
}

TEST(AnalystService, PodsThatAreNotReadyLeadBeforeTheirService) {
    auto world = crashing(crashed(127, "StartError"), {}, 0);
    world.relation(SignalsWorld::ref(kinds::services(), "cart"), world.signals.pods.front().ref.key, "selects",
                   "resolved", "spec.selector");
    const auto analysis = world.analyse(SignalsWorld::ref(kinds::services(), "cart"));
    EXPECT_EQ(leadRule(analysis), "crash.bad_command");
    EXPECT_THAT(analysis.diagnosis.alternatives, Contains(HasSubstr("service shop/cart")));
}

TEST(AnalystRollout, ARefusedPodNamesTheQuota) {
    SignalsWorld world;
    world.workload("cart", 3, 1, 1);
    world.pod("cart", "a", true, {running()});
    world.event(SignalsWorld::ref(kinds::replicaSets(), "cart-77f"), "FailedCreate",
                "pods \"cart-77f-x\" is forbidden: exceeded quota: compute", 9);
    const auto analysis = world.analyse();
    EXPECT_EQ(leadRule(analysis), "rollout.quota");
    expectGrounded(analysis, world);
}

TEST(AnalystRollout, AStuckRolloutLeadsOnlyWhereNothingSaysWhy) {
    SignalsWorld world;
    world.workload("cart", 2, 2, 1).stuckReason = "ProgressDeadlineExceeded";
    world.pod("cart", "a", true, {running()});
    EXPECT_EQ(leadRule(world.analyse()), "rollout.stuck");
    world.pod("cart", "b", false, {waiting("CreateContainerConfigError", "configmap \"x\" not found")}, "Pending");
    EXPECT_EQ(leadRule(world.analyse()), "config.missing_configmap");
}

TEST(AnalystNoFault, NamesWhatWasLookedAt) {
    SignalsWorld world;
    world.workload("cart", 2, 2, 2);
    world.workload("checkout", 3, 3, 3);
    world.pod("cart", "a", true, {running()});
    const auto analysis = world.analyse();
    EXPECT_EQ(analysis.diagnosis.outcome, DiagnosisOutcome::NoFault);
    EXPECT_EQ(analysis.diagnosis.claims.size(), 2U);
    EXPECT_THAT(analysis.diagnosis.claims[1].text, HasSubstr("checkout: 3 of 3 ready"));
    EXPECT_FALSE(analysis.diagnosis.recommended);
    expectGrounded(analysis, world);
}

TEST(Analyst, OddSignalsNeverThrow) {
    SignalsWorld world;
    auto c = crashed(-1, std::string("\xff\xfe\x00", 3), -5);
    c.message = std::string(100000, 'x') + " configmap \"";
    world.workload("cart", -3, 5, -1);
    world.pod("cart", "a", false,
              {c, waiting("CreateContainerConfigError", "couldn't find key  in Secret "), waiting("", "")}, "");
    world.event(world.signals.pods.front().ref, "", "secret \"\" not found");
    world.relation({}, {}, "selects", "missing", "");
    world.relation(SignalsWorld::ref(kinds::services(), "s"), {kinds::pods(), "", "("}, "selects", "missing", "");
    world.revision("cart", 0, true, -1);
    world.revision("cart", -2, false, -1, {{"", "", ""}});
    EXPECT_NO_THROW((void)world.analyse());
}

} // namespace
} // namespace alidade::test
