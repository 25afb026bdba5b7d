// SPDX-License-Identifier: GPL-3.0-or-later
// What it is for: rows and batches made by hand, for tests and benchmarks of models and views.
// What it must not know: any cluster.
// Thread: any.
#pragma once

#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "alidade/cluster_model/deltas.hpp"

namespace alidade::test {

/// kubectl's columns of pods, without the wide ones.
inline cluster::Schema podSchema() {
    using cluster::ColumnType;
    static const cluster::Schema schema = std::make_shared<const std::vector<cluster::Column>>(std::vector<cluster::Column>{
        {"NAME", ColumnType::Text, false, "Name of the pod"},
        {"READY", ColumnType::Text, false, ""},
        {"STATUS", ColumnType::Text, false, ""},
        {"RESTARTS", ColumnType::Count, false, ""},
        {"AGE", ColumnType::Age, false, ""},
        {"NODE", ColumnType::Text, true, ""},
    });
    return schema;
}

struct MadePod {
    std::string ns = "shop";
    std::string name = "checkout-1";
    std::string uid = "u1";
    std::string ready = "1/1";
    std::string status = "Running";
    int restarts = 0;
    std::int64_t createdNs = 1'700'000'000'000'000'000;
    cluster::Health health = cluster::Health::Ok;
    std::string trouble;
    std::vector<std::pair<std::string, std::string>> labels;
};

inline cluster::RowPtr makeRow(const MadePod& pod) {
    cluster::RowBuilder b;
    b.ns(pod.ns).name(pod.name).uid(pod.uid).created(pod.createdNs).health(pod.health).trouble(pod.trouble);
    for (const auto& [key, value] : pod.labels) {
        b.label(key, value);
    }
    b.nameCell().cell(pod.ready).cell(pod.status).numberCell(pod.restarts).ageCell(pod.createdNs).cell("node-1");
    return b.build();
}

inline cluster::DeltaBatch upsert(std::vector<cluster::RowPtr> rows) {
    cluster::DeltaBatch batch;
    batch.upserts = std::move(rows);
    batch.freshness.state = cluster::Freshness::State::Live;
    return batch;
}
inline cluster::DeltaBatch removal(std::vector<std::string> keys) {
    cluster::DeltaBatch batch;
    batch.removals = std::move(keys);
    batch.freshness.state = cluster::Freshness::State::Live;
    return batch;
}
inline cluster::DeltaBatch reset(std::vector<cluster::RowPtr> rows, cluster::Schema schema = podSchema()) {
    cluster::DeltaBatch batch = upsert(std::move(rows));
    batch.reset = true;
    batch.schema = std::move(schema);
    return batch;
}

/// A plausible pod, some of them in trouble.
inline MadePod randomPod(std::mt19937_64& random, int number) {
    static const char* const apps[] = {"checkout", "cart", "payments", "search", "catalog", "web"};
    static const char* const spaces[] = {"shop", "ops", "default"};
    MadePod pod;
    pod.ns = spaces[random() % 3];
    pod.name = std::string(apps[random() % 6]) + '-' + std::to_string(random() % 1000) + "-x" + std::to_string(number);
    pod.uid = "uid-" + std::to_string(number);
    pod.restarts = random() % 4 == 0 ? static_cast<int>(random() % 40) : 0;
    pod.createdNs += static_cast<std::int64_t>(random() % 1'000'000) * 1'000'000'000;
    pod.labels = {{"app", pod.name.substr(0, pod.name.find('-'))}};
    if (random() % 5 == 0) {
        pod.ready = "0/1";
        pod.status = "CrashLoopBackOff";
        pod.health = cluster::Health::Bad;
        pod.trouble = "CrashLoopBackOff: back-off 5m0s restarting failed container";
    } else if (random() % 7 == 0) {
        pod.ready = "0/1";
        pod.status = "Completed";
        pod.health = cluster::Health::Done;
    }
    return pod;
}

} // namespace alidade::test
