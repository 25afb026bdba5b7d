// SPDX-License-Identifier: GPL-3.0-or-later
// What it is for: the reads of ClusterReader that are more than one request, and the pure parts of them.
// What it must not know: who asks.
// Thread: the I/O thread; pure functions on any.
#pragma once

#include "reader/discovery.hpp"
#include "reader/reader_core.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace alidade::cluster {

using CorePtr = std::shared_ptr<ReaderCore>;

/// Events as either API writes them -> records, each UID once, newest first. Times and counts as kubectl reads them:
/// series before last/first timestamps before eventTime; none of these leaves the time open.
[[nodiscard]] std::vector<EventRecord> eventRecords(const Objects& events);
void readEvents(const CorePtr& core, const ObjectRef& about, Done<Answer<std::vector<EventRecord>>> done);

/// NotFound: there was no earlier run. Unavailable: the container has not started, or its node does not answer.
void readLogs(const CorePtr& core, const ObjectKey& pod, const LogOptions& options,
              Done<guard::Raw<guard::LogText>> done);

/// From the Deployment and its ReplicaSets, newest first.
[[nodiscard]] std::vector<Revision> deploymentRevisions(const nlohmann::json& deployment, const Objects& replicaSets);
/// From a StatefulSet or DaemonSet and its ControllerRevisions, newest first.
[[nodiscard]] std::vector<Revision> controllerRevisions(const nlohmann::json& owner, const Objects& revisions);
void readRevisions(const CorePtr& core, const ObjectRef& workload, Done<Answer<std::vector<Revision>>> done);

void reviewAccess(const CorePtr& core, std::string verb, const KindId& kind, std::string subresource, std::string ns,
                  std::string name, Done<guard::AccessReview> done);

void readRelations(const CorePtr& core, const std::shared_ptr<Discovery>& discovery, std::optional<ObjectRef> root,
                   const ListScope& scope, int depth, Done<Answer<Graph>> done);

/// "a=b,c in (d,e)" of a LabelSelector; empty when it has a form that cannot be written so.
[[nodiscard]] std::string labelSelectorText(const nlohmann::json& selector);

void describeObject(const CorePtr& core, const ObjectKey& key, Done<guard::Raw<std::string>> done);

/// NotFound when the object that has the name now is another one than `ref` says.
[[nodiscard]] std::optional<guard::Error> replacedSince(const ObjectRef& ref, const nlohmann::json& object);

} // namespace alidade::cluster
