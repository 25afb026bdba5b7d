// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The rules of the built-in analyst. Each restates what was observed and names a cause; the heaviest leads.
// Must not read anything but the case. Thread: the run's.
#include <array>
#include <string_view>
#include <vector>

#include "analyst/case.hpp"

namespace alidade::agent {

/// Base weights: cause before symptom. To these come +30 when the current revision's template brought it, +20 when the
/// workload is impaired by it, -40 when all of the workload is ready all the same (noise, however often it restarts).
namespace weight {
inline constexpr int config = 90;    ///< a named object or key is not there: nothing else is needed to explain it
inline constexpr int image = 90;     ///< the image cannot be pulled
inline constexpr int command = 85;   ///< the command cannot be run
inline constexpr int memory = 75;    ///< the kernel killed it for memory
inline constexpr int schedule = 70;  ///< no node takes the pod
inline constexpr int refused = 70;   ///< pods are not admitted: quota, policy, webhook
inline constexpr int probe = 70;     ///< it runs, but a probe says no
inline constexpr int selector = 65;  ///< a Service selects nothing
inline constexpr int crash = 60;     ///< it ends by itself; the reason is in its log
inline constexpr int stuck = 35;     ///< a rollout does not get on: a symptom
inline constexpr int endpoints = 30; ///< a Service has no ready pod: a symptom
inline constexpr int notReady = 15;  ///< something is missing and no rule says why
inline constexpr int restarts = 10;  ///< restarts of something that is ready

inline constexpr int introduced = 30;
inline constexpr int impaired = 20;
inline constexpr int harmless = -40;
} // namespace weight

using Rule = void (*)(const Case&, std::vector<Conclusion>&);

void imageRules(const Case& facts, std::vector<Conclusion>& out);
void commandRules(const Case& facts, std::vector<Conclusion>& out);
void configRules(const Case& facts, std::vector<Conclusion>& out);
void memoryRules(const Case& facts, std::vector<Conclusion>& out);
void scheduleRules(const Case& facts, std::vector<Conclusion>& out);
void probeRules(const Case& facts, std::vector<Conclusion>& out);
void serviceRules(const Case& facts, std::vector<Conclusion>& out);
void rolloutRules(const Case& facts, std::vector<Conclusion>& out);
/// Last: what no other rule explained.
void unexplainedRules(const Case& facts, std::vector<Conclusion>& out);

struct RuleRow {
    std::string_view family;
    Rule rule;
};
inline constexpr std::array rules{
    RuleRow{"config", configRules},   RuleRow{"image", imageRules},       RuleRow{"crash", commandRules},
    RuleRow{"memory", memoryRules},   RuleRow{"schedule", scheduleRules}, RuleRow{"probe", probeRules},
    RuleRow{"service", serviceRules}, RuleRow{"rollout", rolloutRules},   RuleRow{"unexplained", unexplainedRules},
};

/// What rules share: a conclusion on a group, with weight by impairment.
[[nodiscard]] Conclusion conclude(std::string_view rule, int baseWeight, double confidence,
                                  const WorkloadView& workload, std::string explanation);
/// Adds the pods of the group as related objects.
void relate(Conclusion& conclusion, const Group& group);
/// A waiting container whose log has the last say: the last line that looks like an error, with its evidence.
struct TellingLine {
    std::string text;
    guard::EvidenceRef evidence;
};
[[nodiscard]] std::optional<TellingLine> tellingLine(const Case& facts, const Hit& hit);

} // namespace alidade::agent
