// SPDX-License-Identifier: GPL-3.0-or-later
// Every cell of our own rows beside kubectl's, over pods that really fail. What an old server or kubectl prints
// otherwise stands in tests/conformance/column_differences.yaml, each with its reason; whatever does not is a fault.
#include <chrono>
#include <regex>
#include <set>
#include <sstream>

#include <yaml-cpp/yaml.h>

#include "lab.hpp"
#include "live_table.hpp"

namespace alidade::test {
namespace {

using Cells = std::map<std::string, std::string>; // by title
using Table = std::map<std::string, Cells>;       // by namespace/name

/// kubectl's table: cells begin where their titles do.
Table parse(const std::string& text) {
    std::istringstream lines(text);
    std::string head;
    std::getline(lines, head);
    std::vector<std::pair<std::string, std::size_t>> columns;
    static const std::regex title("[^ ]+( [^ ]+)*");
    for (std::sregex_iterator at(head.begin(), head.end(), title), end; at != end; ++at) {
        columns.emplace_back(at->str(), static_cast<std::size_t>(at->position()));
    }
    Table table;
    for (std::string line; std::getline(lines, line);) {
        Cells cells;
        for (std::size_t i = 0; i < columns.size(); ++i) {
            const std::size_t from = columns[i].second;
            const std::size_t end = i + 1 < columns.size() ? columns[i + 1].second : line.size();
            std::string cell = from < line.size() ? line.substr(from, end - from) : std::string();
            cell.erase(cell.find_last_not_of(' ') + 1);
            cells[columns[i].first] = cell;
        }
        const std::string key = (cells.contains("NAMESPACE") ? cells["NAMESPACE"] : "") + "/" + cells["NAME"];
        cells.erase("NAMESPACE");
        table[key] = cells;
    }
    return table;
}

Table ours(const LiveTable& live) {
    const guard::WallTime now = guard::SystemClock().wall();
    Table table;
    for (const auto& [key, row] : live.rows()) {
        Cells cells;
        for (std::size_t i = 0; i < live.schema()->size() && i < row->cells.size(); ++i) {
            const cluster::Column& column = (*live.schema())[i];
            cells[column.title] = cluster::cellText(column, row->cells[i], now);
        }
        table[std::string(row->ns) + "/" + std::string(row->name)] = cells;
    }
    return table;
}

/// A listed difference: what remains of our cell is what the old one prints.
struct Difference {
    std::string kind, column;
    std::regex ours;
    std::string theirs;
};

std::vector<Difference> listedDifferences() {
    std::vector<Difference> all;
    const char* const file = std::getenv("COLUMN_DIFFERENCES");
    EXPECT_NE(file, nullptr);
    for (const YAML::Node& entry : YAML::LoadFile(file)) {
        EXPECT_FALSE(entry["reason"].as<std::string>().empty());
        all.push_back({entry["kind"].as<std::string>(), entry["column"].as<std::string>(),
                       std::regex(entry["ours"].as<std::string>()), entry["theirs"].as<std::string>()});
    }
    return all;
}

class RealCells : public RealCluster {
protected:
    RealCells() {
        const auto config = cluster::Kubeconfig::load({kubeconfig()});
        EXPECT_TRUE(config) << (config ? "" : config.error().text());
        auto opened =
            cluster::openSession(*config, {}, std::make_shared<guard::SystemClock>(), cluster::makeProcessRunner());
        EXPECT_TRUE(opened) << (opened ? "" : opened.error().text());
        session_ = std::move(*opened);
    }

    ~RealCells() override { // nor would the namespace ever go
        kubectl({"patch", "pod", "held", "--type=json", "-p", R"([{"op":"remove","path":"/metadata/finalizers"}])"});
    }

    /// What differs and is not listed; empty when all cells agree with kubectl's a moment before or after.
    std::string differences(LiveTable& live, const guard::KindId& kind, bool namespaced) const {
        std::vector<std::string> words{"get", kind.resource + (kind.group.empty() ? "" : "." + kind.group), "-o",
                                       "wide"};
        if (namespaced) {
            words.emplace_back("-A");
        }
        const Table before = parse(kubectl(words).out);
        live.take(std::chrono::milliseconds(0));
        const Table mine = ours(live);
        const Table after = parse(kubectl(words).out);
        static const std::vector<Difference> listed = listedDifferences();
        std::string out;
        for (const auto& [key, cells] : before) {
            const auto row = mine.find(key);
            const auto later = after.find(key);
            if (row == mine.end()) {
                out += key + " is missing\n";
                continue;
            }
            if (later == after.end()) {
                out += key + " came and went\n";
                continue;
            }
            for (const auto& [title, cell] : cells) {
                const auto found = row->second.find(title);
                std::string text = found == row->second.end() ? "<no such column>" : found->second;
                for (const Difference& difference : listed) {
                    if (difference.kind == kind.resource && difference.column == title) {
                        text = std::regex_replace(text, difference.ours, difference.theirs);
                    }
                }
                if (text != cell && text != later->second.at(title)) {
                    out += key;
                    out.append(" ").append(title).append(": ours \"").append(text).append("\", kubectl's \"");
                    out.append(cell).append("\"\n");
                }
            }
        }
        for (const auto& [key, cells] : mine) {
            if (!before.contains(key) && !after.contains(key)) {
                out += key + " is ours alone\n";
            }
        }
        return out;
    }

    /// `word` as a person says it; the version is the one the server prefers.
    void expectSame(const char* word, bool namespaced = true) const {
        const auto catalog = cluster::BlockingReader(session_->reader()).catalog({});
        ASSERT_TRUE(catalog) << catalog.error().text();
        ASSERT_NE(catalog->partial().find(word), nullptr) << word;
        const guard::KindId kind = catalog->partial().find(word)->id;
        LiveTable live(*session_, kind, "");
        ASSERT_TRUE(eventually([&] {
            live.take(std::chrono::milliseconds(100));
            return live.live();
        })) << kind.resource;
        ASSERT_FALSE(live.rows().empty()) << kind.resource << ": nothing to compare";
        std::string unlike;
        EXPECT_TRUE(eventually(
            [&] {
                unlike = differences(live, kind, namespaced);
                return unlike.empty();
            },
            std::chrono::seconds(30)))
            << kind.resource << "\n"
            << unlike;
    }

    std::shared_ptr<cluster::ClusterSession> session_;
};

constexpr const char* kFailing = R"(
apiVersion: v1
kind: Pod
metadata: {name: crashing}
spec:
  containers: [{name: c, image: "busybox:1.35", command: [sh, -c, "exit 3"]}]
---
apiVersion: v1
kind: Pod
metadata: {name: out-of-memory}
spec:
  containers:
  - name: c
    image: busybox:1.35
    command: [sh, -c, "tail /dev/zero"]
    resources: {limits: {memory: 16Mi}}
---
apiVersion: v1
kind: Pod
metadata: {name: no-image}
spec:
  containers: [{name: c, image: "busybox:no-such-tag"}]
---
apiVersion: v1
kind: Pod
metadata: {name: init-crashes}
spec:
  initContainers: [{name: i, image: "busybox:1.35", command: [sh, -c, "exit 1"]}]
  containers: [{name: c, image: "busybox:1.35", command: [sleep, "3600"]}]
---
apiVersion: v1
kind: Pod
metadata: {name: no-config}
spec:
  containers:
  - name: c
    image: busybox:1.35
    command: [sleep, "3600"]
    envFrom: [{configMapRef: {name: not-there}}]
---
apiVersion: v1
kind: Pod
metadata: {name: nowhere}
spec:
  nodeSelector: {disk: of-gold}
  containers: [{name: c, image: "busybox:1.35", command: [sleep, "3600"]}]
---
apiVersion: v1
kind: Pod
metadata: {name: done}
spec:
  restartPolicy: Never
  containers: [{name: c, image: "busybox:1.35", command: ["true"]}]
---
apiVersion: v1
kind: Pod
metadata: {name: failed}
spec:
  restartPolicy: Never
  containers: [{name: c, image: "busybox:1.35", command: ["false"]}]
---
apiVersion: v1
kind: Pod
metadata: {name: half-ready, labels: {app: half}}
spec:
  terminationGracePeriodSeconds: 0
  containers:
  - {name: a, image: "busybox:1.35", command: [sleep, "3600"]}
  - name: b
    image: busybox:1.35
    command: [sleep, "3600"]
    readinessProbe: {exec: {command: ["false"]}}
  readinessGates: [{conditionType: lab.local/gate}]
---
apiVersion: v1
kind: Pod
metadata: {name: held, finalizers: [lab.local/hold]}
spec:
  terminationGracePeriodSeconds: 0
  containers: [{name: c, image: "busybox:1.35", command: [sleep, "3600"]}]
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}, matchExpressions: [{key: tier, operator: In, values: [b, a]}]}
  template:
    metadata: {labels: {app: web, tier: a}}
    spec:
      terminationGracePeriodSeconds: 0
      containers:
      - {name: web, image: "busybox:1.35", command: [sleep, "3600"]}
      - {name: side, image: "busybox:1.35", command: [sleep, "3600"]}
---
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: each-node}
spec:
  selector: {matchLabels: {app: each-node}}
  template:
    metadata: {labels: {app: each-node}}
    spec:
      terminationGracePeriodSeconds: 0
      containers: [{name: c, image: "busybox:1.35", command: [sleep, "3600"]}]
---
apiVersion: v1
kind: Service
metadata: {name: web}
spec:
  selector: {app: web}
  ports: [{name: http, port: 80, targetPort: 8080}, {name: dns, port: 53, protocol: UDP}]
---
apiVersion: v1
kind: Service
metadata: {name: outside}
spec: {type: ExternalName, externalName: example.com}
---
apiVersion: v1
kind: Service
metadata: {name: door}
spec:
  type: NodePort
  ports: [{port: 443, nodePort: 30443}]
---
apiVersion: v1
kind: ConfigMap
metadata: {name: three}
data: {a: "1", b: "2"}
binaryData: {c: AAAA}
)";

TEST_F(RealCells, AgreeWithKubectlsOverPodsThatFailInEveryWay) {
    apply(kFailing);
    const auto reaches = [this](const char* pod, const char* word) {
        EXPECT_TRUE(eventually([&] {
            return kubectl({"get", "pod", pod}).out.find(word) != std::string::npos;
        })) << pod
            << ": " << kubectl({"get", "pod", pod}).out;
    };
    reaches("held", "Running");
    EXPECT_EQ(kubectl({"delete", "pod", "held", "--wait=false"}).exitCode, 0);
    reaches("crashing", "CrashLoopBackOff");
    reaches("out-of-memory", "OOMKilled");
    reaches("no-image", "ImagePullBackOff");
    reaches("init-crashes", "Init:CrashLoopBackOff");
    reaches("no-config", "CreateContainerConfigError");
    reaches("nowhere", "Pending");
    reaches("done", "Completed");
    reaches("failed", "Error");
    reaches("half-ready", "1/2");
    reaches("held", "Terminating");
    expectSame("pods");
    expectSame("deployments");
    expectSame("replicasets");
    expectSame("services");
    expectSame("configmaps");
    expectSame("secrets");
    expectSame("nodes", false);
    expectSame("namespaces", false);
    expectSame("endpointslices");
    for (const char* const word : {"serviceaccounts", "roles", "rolebindings", "endpoints", "daemonsets", "leases"}) {
        expectSame(word); // as the server prints them
    }
    expectSame("clusterroles", false);
}

} // namespace
} // namespace alidade::test
