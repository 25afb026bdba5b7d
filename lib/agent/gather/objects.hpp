// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Reading single objects: owners, states, lines with anchors, differences of templates. Pure. Thread: any.
#include <map>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "alidade/guard/evidence.hpp"
#include "alidade/guard/triage.hpp"

namespace alidade::agent {

[[nodiscard]] guard::ObjectRef refOf(const guard::KindId& kind, const nlohmann::json& object);
/// The owner that controls it, else the first; an empty key when there is none.
[[nodiscard]] guard::ObjectRef controllerOf(const nlohmann::json& object);
[[nodiscard]] bool annotatedProtected(const nlohmann::json& object);

/// Pretty-printed JSON with a Field anchor on every line: `base` is put before each pointer.
[[nodiscard]] std::vector<guard::EvidenceLine> objectLines(const nlohmann::json& redacted, const std::string& uid,
                                                           const std::string& resourceVersion,
                                                           const std::string& base = {});

/// Containers of a pod as the kubelet reports them, init containers first. Text is not redacted yet.
[[nodiscard]] std::vector<guard::ContainerSignal> containersOf(const nlohmann::json& pod);
/// kubectl's STATUS.
[[nodiscard]] std::string podStatus(const nlohmann::json& pod);
[[nodiscard]] bool podReady(const nlohmann::json& pod);
[[nodiscard]] std::string unschedulableMessage(const nlohmann::json& pod);
/// "containerd://..." of the present or the previous run; empty when there was none.
[[nodiscard]] std::string containerId(const nlohmann::json& pod, const std::string& container, bool previous);

/// Replica numbers of a Deployment, StatefulSet or DaemonSet.
[[nodiscard]] guard::WorkloadSignal workloadNumbers(const guard::KindId& kind, const nlohmann::json& object,
                                                    guard::EvidenceRef evidence);

/// What the template `to` changed against `from`, in field order.
[[nodiscard]] std::vector<guard::TemplateChange> templateChanges(const nlohmann::json& from, const nlohmann::json& to);

/// Log lines without their stamps, in order; `stamps` has one entry a line ("" where there was none).
struct LogLines {
    std::string text;
    std::vector<std::string> stamps;
};
[[nodiscard]] LogLines splitStamps(std::string_view raw);

} // namespace alidade::agent
