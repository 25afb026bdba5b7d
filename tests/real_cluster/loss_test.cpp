// SPDX-License-Identifier: GPL-3.0-or-later
// The API server dies five times under churn: no row is shown as live while it is gone, and afterwards we hold what it
// does.
#include <set>
#include <sstream>

#include "lab.hpp"
#include "live_table.hpp"

namespace alidade::test {
namespace {

using RealLoss = RealCluster;

TEST_F(RealLoss, FiveKillsUnderChurnEndInWhatTheServerHolds) {
    apply(R"(apiVersion: apps/v1
kind: Deployment
metadata: {name: churn}
spec:
  replicas: 3
  selector: {matchLabels: {app: churn}}
  template:
    metadata: {labels: {app: churn}}
    spec:
      terminationGracePeriodSeconds: 0
      containers: [{name: c, image: "busybox:1.35", command: [sleep, "3600"]}]
)");
    const auto config = cluster::Kubeconfig::load({kubeconfig()});
    ASSERT_TRUE(config) << config.error().text();
    const auto session =
        cluster::openSession(*config, {}, std::make_shared<guard::SystemClock>(), cluster::makeProcessRunner());
    ASSERT_TRUE(session) << session.error().text();
    LiveTable live(**session, guard::kinds::pods(), ns_);
    const auto take = [&] { live.take(std::chrono::milliseconds(100)); };
    ASSERT_TRUE(eventually([&] {
        take();
        return live.live() && live.rows().size() == 3;
    }));

    for (int round = 0; round < 5; ++round) {
        ASSERT_EQ(
            kubectl({"scale", "deployment/churn", "--replicas=" + std::to_string(round % 2 == 0 ? 6 : 2)}).exitCode, 0);
        take();
        (void)live.leftLive();
        ASSERT_EQ(lab({"kill-apiserver"}).exitCode, 0);
        ASSERT_TRUE(eventually(
            [&] {
                take();
                return live.leftLive();
            },
            std::chrono::seconds(15)))
            << "rows were shown as live in round " << round;
        EXPECT_TRUE(live.freshness().error) << "and why they are not is said";
        ASSERT_EQ(lab({"start-apiserver"}).exitCode, 0);
        ASSERT_TRUE(eventually([&] {
            take();
            return live.live();
        })) << "round "
            << round;
    }

    const auto ours = [&] {
        std::set<std::string> held;
        for (const auto& [uid, row] : live.rows()) {
            held.insert(uid + " " + std::string(row->resourceVersion));
        }
        return held;
    };
    const auto servers = [&] {
        std::istringstream lines(
            kubectl({"get", "pods", "-o",
                     R"(jsonpath={range .items[*]}{.metadata.uid}{" "}{.metadata.resourceVersion}{"\n"}{end})"})
                .out);
        std::set<std::string> held;
        for (std::string line; std::getline(lines, line);) {
            held.insert(line);
        }
        return held;
    };
    EXPECT_TRUE(eventually([&] {
        take();
        return !live.rows().empty() && ours() == servers();
    })) << "ours: "
        << testing::PrintToString(ours()) << "\nthe server's: " << testing::PrintToString(servers());
}

} // namespace
} // namespace alidade::test
