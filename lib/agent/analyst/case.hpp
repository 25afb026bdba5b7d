// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The signals of a run as rules ask for them: by workload, by pod, by container; and claims with verbatim quotes.
// Must not know how signals were read. Thread: the run's.
#include <functional>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "alidade/guard/triage.hpp"

namespace alidade::agent {

/// A rule's result: a finding, and how sure the rule is when nothing else explains more.
struct Conclusion {
    guard::Finding finding;
    double confidence = 0.5;
};

/// A workload with what belongs to it; a bare pod is one without a signal.
struct WorkloadView {
    guard::ObjectRef ref;
    const guard::WorkloadSignal* signal = nullptr;
    std::vector<const guard::PodSignal*> pods;
    std::vector<const guard::DeploySignal*> deploys; ///< newest first
    const guard::DeploySignal* current = nullptr;

    /// Fewer ready than wanted, or a rollout whose new pods do not become ready. Unknown counts as impaired.
    [[nodiscard]] bool impaired() const;
    /// The evidence that speaks for the workload itself.
    [[nodiscard]] std::vector<guard::EvidenceRef> evidence() const;
};

struct Hit {
    const guard::PodSignal* pod;
    const guard::ContainerSignal* container;
};
/// The same trouble of one container in the pods of one workload.
struct Group {
    const WorkloadView* workload = nullptr;
    std::vector<Hit> hits;
    [[nodiscard]] const guard::PodSignal& pod() const { return *hits.front().pod; }
    [[nodiscard]] const guard::ContainerSignal& container() const { return *hits.front().container; }
    /// "container app of 2 of 3 pods of deployment shop/checkout"
    [[nodiscard]] std::string where() const;
};

/// Where to go back to, when the current template brought the trouble.
struct Remedy {
    const guard::DeploySignal* good = nullptr;
    const guard::TemplateChange* change = nullptr; ///< what the current revision changed
    bool seenHealthy = false;                      ///< pods of `good` are ready now
};

class Case {
public:
    Case(const guard::Signals& signals, const guard::EvidenceLedger& evidence);

    [[nodiscard]] const guard::Signals& signals() const noexcept { return signals_; }
    [[nodiscard]] const std::vector<WorkloadView>& workloads() const noexcept { return workloads_; }
    [[nodiscard]] const WorkloadView* workload(const guard::ObjectRef& ref) const;

    [[nodiscard]] std::vector<const guard::EventSignal*> events(const guard::ObjectRef& about) const;
    /// The first event of that object whose message holds one of `words`.
    [[nodiscard]] const guard::EventSignal* event(const guard::ObjectRef& about,
                                                  std::initializer_list<std::string_view> reasons) const;
    [[nodiscard]] std::vector<const guard::LogSignal*> logs(const Hit& hit) const;

    /// Containers in trouble, by workload and container name. Pods that are gone or finished are not in trouble.
    [[nodiscard]] std::vector<Group>
    groups(const std::function<bool(const guard::PodSignal&, const guard::ContainerSignal&)>& wanted) const;

    /// A claim; its quote is the first stored line of the evidence that holds one of `needles` (tried in order).
    [[nodiscard]] guard::Claim claim(std::string text, std::vector<guard::EvidenceRef> evidence,
                                     std::initializer_list<std::string_view> needles = {}) const;

    /// The newest older revision that differs in a field for which `blamed` holds; one whose pods are ready comes
    /// first.
    [[nodiscard]] static std::optional<Remedy> remedy(const WorkloadView& workload,
                                                      const std::function<bool(const guard::TemplateChange&)>& blamed);
    /// Sets action, suspected revision and the claims that go with them; lifts weight and confidence.
    void blameTemplate(Conclusion& conclusion, const WorkloadView& workload, const std::optional<Remedy>& remedy) const;

private:
    const guard::Signals& signals_;
    const guard::EvidenceLedger& evidence_;
    std::vector<WorkloadView> workloads_;
};

/// Case-insensitive search for one of several words.
[[nodiscard]] bool holdsAny(std::string_view text, std::initializer_list<std::string_view> words);
/// "app" of a field "spec.containers[app].image": does it belong to that container?
[[nodiscard]] bool ofContainer(const guard::TemplateChange& change, const guard::ContainerSignal& container);
[[nodiscard]] std::string count(std::size_t number, std::string_view noun);

} // namespace alidade::agent
