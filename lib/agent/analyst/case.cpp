// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyst/case.hpp"

#include <algorithm>
#include <cctype>

#include "alidade/guard/text.hpp"

namespace alidade::agent {
namespace {

using guard::ObjectRef;

bool same(const ObjectRef& a, const ObjectRef& b) {
    if (!a.uid.empty() && !b.uid.empty())
        return a.uid == b.uid;
    return a.key == b.key && !a.key.name.empty();
}

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

std::size_t findFolded(std::string_view text, std::string_view word) {
    const auto it = std::search(text.begin(), text.end(), word.begin(), word.end(),
                                [](char a, char b) { return lower(a) == lower(b); });
    return it == text.end() ? std::string_view::npos : static_cast<std::size_t>(it - text.begin());
}

/// The form a text has inside a JSON string.
std::string escaped(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c == '"' || c == '\\')
            out += '\\';
        out += c;
    }
    return out;
}

constexpr std::size_t quoteBytes = 240;

/// The line without blanks around it; of a long one the part around the needle.
std::string quoteFrom(std::string_view line, std::size_t at, std::size_t size) {
    while (!line.empty() && (line.front() == ' ' || line.front() == '\t')) {
        line.remove_prefix(1);
        at = at == 0 ? 0 : at - 1;
    }
    while (!line.empty() && (line.back() == ' ' || line.back() == ',' || line.back() == '\r'))
        line.remove_suffix(1);
    if (line.size() <= quoteBytes)
        return std::string(line);
    const auto boundary = [&](std::size_t i) {
        while (i > 0 && i < line.size() && (static_cast<unsigned char>(line[i]) & 0xC0U) == 0x80U)
            --i;
        return i;
    };
    const std::size_t room = size >= quoteBytes ? 0 : (quoteBytes - size) / 2;
    const std::size_t begin = boundary(at > room ? at - room : 0);
    const std::size_t end = boundary(std::min(line.size(), begin + quoteBytes));
    return std::string(line.substr(begin, end - begin));
}

} // namespace

bool holdsAny(std::string_view text, std::initializer_list<std::string_view> words) {
    return std::any_of(words.begin(), words.end(),
                       [&](std::string_view word) { return findFolded(text, word) != std::string_view::npos; });
}

bool ofContainer(const guard::TemplateChange& change, const guard::ContainerSignal& container) {
    const std::string place = (container.init ? "initContainers[" : "containers[") + container.name + "]";
    return change.field.find(place) != std::string::npos;
}

std::string count(std::size_t number, std::string_view noun) {
    return std::to_string(number) + " " + std::string(noun) + (number == 1 ? "" : "s");
}

bool WorkloadView::impaired() const {
    if (signal == nullptr)
        return std::any_of(pods.begin(), pods.end(), [](const guard::PodSignal* pod) { return !pod->ready; });
    return signal->ready < signal->desired || signal->updated < signal->desired || !signal->stuckReason.empty() ||
           !signal->generationObserved;
}

std::vector<guard::EvidenceRef> WorkloadView::evidence() const {
    std::vector<guard::EvidenceRef> out;
    if (signal != nullptr)
        out.push_back(signal->evidence);
    else
        for (const guard::PodSignal* pod : pods)
            out.push_back(pod->evidence);
    return out;
}

std::string Group::where() const {
    std::string out = (container().init ? "init container " : "container ") + container().name;
    if (workload->signal == nullptr)
        return out + " of " + workload->ref.key.text();
    return out + " of " + std::to_string(hits.size()) + " of " + count(workload->pods.size(), "pod") + " of " +
           workload->ref.key.text();
}

Case::Case(const guard::Signals& signals, const guard::EvidenceLedger& evidence)
    : signals_(signals), evidence_(evidence) {
    for (const guard::WorkloadSignal& signal : signals.workloads) {
        WorkloadView view;
        view.ref = signal.ref;
        view.signal = &signal;
        for (const guard::DeploySignal& deploy : signals.recentDeploys)
            if (same(deploy.workload, signal.ref)) {
                view.deploys.push_back(&deploy);
                if (deploy.current)
                    view.current = &deploy;
            }
        std::stable_sort(view.deploys.begin(), view.deploys.end(),
                         [](const auto* a, const auto* b) { return a->revision > b->revision; });
        workloads_.push_back(std::move(view));
    }
    for (const guard::PodSignal& pod : signals.pods) {
        const auto owner = std::find_if(workloads_.begin(), workloads_.end(), [&](const WorkloadView& view) {
            return view.signal != nullptr && same(view.ref, pod.workload);
        });
        if (owner != workloads_.end()) {
            owner->pods.push_back(&pod);
            continue;
        }
        WorkloadView bare;
        bare.ref = pod.ref;
        bare.pods.push_back(&pod);
        workloads_.push_back(std::move(bare));
    }
}

const WorkloadView* Case::workload(const ObjectRef& ref) const {
    for (const WorkloadView& view : workloads_)
        if (same(view.ref, ref))
            return &view;
    return nullptr;
}

std::vector<const guard::EventSignal*> Case::events(const ObjectRef& about) const {
    std::vector<const guard::EventSignal*> out;
    for (const guard::EventSignal& event : signals_.events)
        if (same(event.about, about))
            out.push_back(&event);
    return out;
}

const guard::EventSignal* Case::event(const ObjectRef& about, std::initializer_list<std::string_view> words) const {
    for (const guard::EventSignal* event : events(about))
        if (holdsAny(event->message, words))
            return event;
    return nullptr;
}

std::vector<const guard::LogSignal*> Case::logs(const Hit& hit) const {
    std::vector<const guard::LogSignal*> out;
    for (const guard::LogSignal& log : signals_.logs)
        if (same(log.pod, hit.pod->ref) && log.container == hit.container->name)
            out.push_back(&log);
    std::stable_sort(out.begin(), out.end(), [](const auto* a, const auto* b) { return a->previous > b->previous; });
    return out;
}

std::vector<Group>
Case::groups(const std::function<bool(const guard::PodSignal&, const guard::ContainerSignal&)>& wanted) const {
    std::vector<Group> out;
    for (const WorkloadView& view : workloads_) {
        std::map<std::pair<bool, std::string>, Group> found;
        for (const guard::PodSignal* pod : view.pods) {
            if (pod->phase == "Succeeded" || pod->status == "Terminating")
                continue;
            for (const guard::ContainerSignal& container : pod->containers)
                if (wanted(*pod, container)) {
                    Group& group = found[{!container.init, container.name}];
                    group.workload = &view;
                    group.hits.push_back({pod, &container});
                }
        }
        for (auto& [key, group] : found)
            out.push_back(std::move(group));
    }
    return out;
}

guard::Claim Case::claim(std::string text, std::vector<guard::EvidenceRef> evidence,
                         std::initializer_list<std::string_view> needles) const {
    guard::Claim out;
    out.text = std::move(text);
    std::sort(evidence.begin(), evidence.end());
    evidence.erase(std::unique(evidence.begin(), evidence.end()), evidence.end());
    out.refs = std::move(evidence);
    for (const std::string_view needle : needles) {
        if (needle.empty())
            continue;
        const std::string inJson = escaped(needle);
        for (const guard::EvidenceRef ref : out.refs) {
            const auto stored = evidence_.find(ref);
            if (!stored)
                continue;
            for (const guard::EvidenceLine& line : stored->lines)
                for (const std::string_view form : {needle, std::string_view(inJson)})
                    if (const std::size_t at = line.text.find(form); at != std::string::npos) {
                        out.quote = quoteFrom(line.text, at, form.size());
                        return out;
                    }
        }
    }
    return out;
}

std::optional<Remedy> Case::remedy(const WorkloadView& workload,
                                   const std::function<bool(const guard::TemplateChange&)>& blamed) {
    if (workload.current == nullptr)
        return std::nullopt;
    std::optional<Remedy> best;
    for (const guard::DeploySignal* deploy : workload.deploys) {
        if (deploy->current || deploy->revision >= workload.current->revision)
            continue;
        const auto change = std::find_if(deploy->changes.begin(), deploy->changes.end(), blamed);
        if (change == deploy->changes.end())
            continue;
        if (deploy->ready > 0)
            return Remedy{deploy, &*change, true};
        if (!best)
            best = Remedy{deploy, &*change, false};
    }
    return best;
}

void Case::blameTemplate(Conclusion& conclusion, const WorkloadView& workload,
                         const std::optional<Remedy>& remedy) const {
    if (!remedy)
        return;
    guard::Finding& finding = conclusion.finding;
    const guard::DeploySignal& good = *remedy->good;
    const guard::DeploySignal& current = *workload.current;
    finding.suspectedRevision = current.revision;
    finding.action = guard::Action{workload.ref, guard::Scope::Object, guard::Rollback{good.revision}};
    finding.weight += 30;
    const guard::TemplateChange& change = *remedy->change;
    const std::string what = change.before.empty() ? " added " + change.field + ": " + change.after
                             : change.after.empty()
                                 ? " removed " + change.field + ": " + change.before
                                 : " changed " + change.field + " from " + change.before + " to " + change.after;
    finding.claims.push_back(claim("Revision " + std::to_string(current.revision) + what + " (against revision " +
                                       std::to_string(good.revision) + ")",
                                   {current.evidence, good.evidence},
                                   {change.after.empty() ? change.before : change.after}));
    if (remedy->seenHealthy) {
        finding.claims.push_back(claim("Of revision " + std::to_string(good.revision) + ", " +
                                           count(static_cast<std::size_t>(good.ready), "pod") +
                                           (good.ready == 1 ? " is" : " are") + " ready now",
                                       {good.evidence}, {"ready: " + std::to_string(good.ready)}));
        conclusion.confidence = std::min(0.97, conclusion.confidence + 0.1);
    } else {
        finding.nextChecks.push_back("No pod of revision " + std::to_string(good.revision) +
                                     " is running now, so its health was not observed");
    }
}

} // namespace alidade::agent
