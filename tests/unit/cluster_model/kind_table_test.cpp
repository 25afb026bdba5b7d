// SPDX-License-Identifier: GPL-3.0-or-later
#include "alidade/cluster_model/kind_table.hpp"

#include <gtest/gtest.h>

namespace alidade::cluster {
namespace {

TEST(KindTable, ReferencesKnowPluralsAndWhatHasNoNamespace) {
    const auto role = kindFromReference("rbac.authorization.k8s.io/v1", "ClusterRole");
    EXPECT_EQ(role.resource, "clusterroles");
    EXPECT_FALSE(role.namespaced);
    EXPECT_FALSE(kindFromReference("storage.k8s.io/v1", "StorageClass").namespaced);
    EXPECT_EQ(kindFromReference("networking.k8s.io/v1", "NetworkPolicy").resource, "networkpolicies");
    EXPECT_TRUE(kindFromReference("policy/v1", "PodDisruptionBudget").namespaced);
}

TEST(KindTable, PluralsOfUnknownKindsFollowEnglish) {
    EXPECT_EQ(kindFromReference("example.com/v1", "Proxy").resource, "proxies");
    EXPECT_EQ(kindFromReference("example.com/v1", "Gateway").resource, "gateways");
    EXPECT_EQ(kindFromReference("example.com/v1", "Box").resource, "boxes");
    EXPECT_EQ(kindFromReference("example.com/v1", "Address").resource, "addresses");
    EXPECT_EQ(kindFromReference("example.com/v1", "Widget").resource, "widgets");
}

} // namespace
} // namespace alidade::cluster
