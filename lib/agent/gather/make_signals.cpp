// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <tuple>

#include "alidade/cluster_model/graph.hpp"
#include "alidade/cluster_model/json_read.hpp"
#include "alidade/cluster_model/kind_table.hpp"
#include "gather/gather.hpp"
#include "gather/objects.hpp"
#include "tools/table.hpp"

namespace alidade::agent {
namespace {

using guard::EvidenceRef;
using guard::KindId;
using guard::ObjectKey;
using guard::ObjectRef;
using nlohmann::json;
namespace kinds = guard::kinds;
namespace read = cluster::read;

constexpr std::size_t detailedObjects = 120; ///< more than these are told by the line of their list
constexpr std::size_t listLines = 500;
constexpr std::size_t eventLines = 300;
constexpr std::size_t relationSignals = 600;
constexpr std::size_t revisionsKept = 10;

class Maker {
public:
    Maker(const Reading& reading, const Incident& incident, const guard::ProtectedLists& protectedLists,
          const guard::Redactor& redactor, guard::EvidenceLedger& evidence)
        : reading_(reading), incident_(incident), lists_(protectedLists), redactor_(redactor), evidence_(evidence) {}

    Gathered run() {
        guard::Signals& signals = out_.signals;
        signals.scope = "context " + reading_.context + ", namespace " + reading_.ns;
        signals.at = reading_.at;
        signals.gaps = reading_.gaps;
        if (reading_.nsMissing) {
            signals.gaps.push_back({"namespace " + reading_.ns, guard::Coverage::Failed, "there is no such namespace"});
            return finish();
        }
        if (reading_.nsObject)
            detail(kinds::namespaces(), *reading_.nsObject, tools::getResource);
        unverifiedNamespace();
        for (const ListRead& list : reading_.lists)
            listEvidence(list);
        owners();
        workloads();
        pods();
        events();
        logs();
        revisions();
        relations();
        metrics();
        aboutExists();
        return finish();
    }

private:
    Gathered finish() {
        out_.gaps = out_.signals.gaps;
        out_.gaps.insert(out_.gaps.end(), reading_.otherGaps.begin(), reading_.otherGaps.end());
        return std::move(out_);
    }

    // --- redaction ---

    void counted(const std::vector<guard::Mask>& masks) {
        for (const guard::Mask& mask : masks)
            ++out_.masks[mask.rule];
    }
    std::string redact(std::string text) {
        if (text.empty())
            return text;
        const auto redacted = redactor_.text(guard::Raw<std::string>(std::move(text)));
        counted(redacted.masks());
        return redacted.value();
    }
    json redact(const json& object) {
        const auto redacted = redactor_.object(RawObject(object));
        counted(redacted.masks());
        return redacted.value();
    }

    // --- evidence ---

    /// An object's own lines, once; the list's line when there are too many.
    EvidenceRef detail(const KindId& kind, const RawObject& raw, guard::CitableTool tool = tools::listResources) {
        const ObjectRef ref = refOf(kind, raw.value());
        if (const auto known = byUid_.find(ref.uid); known != byUid_.end() && !ref.uid.empty())
            return known->second;
        if (byUid_.size() >= detailedObjects)
            if (const auto list = listEvidence_.find(kind); list != listEvidence_.end())
                return list->second;
        json object = raw.value();
        if (object.is_object() && object.contains("metadata") && object["metadata"].is_object())
            object["metadata"].erase("managedFields");
        const EvidenceRef out = evidence_.add(
            tool, ref, ref.key.text(),
            objectLines(redact(object), ref.uid, read::text(raw.value(), {"metadata", "resourceVersion"})),
            reading_.at);
        byUid_.emplace(ref.uid, out);
        return out;
    }

    void listEvidence(const ListRead& list) {
        std::vector<guard::EvidenceLine> lines;
        for (const RawObject& object : list.objects) {
            if (lines.size() == listLines)
                break;
            const ObjectRef ref = refOf(list.kind, object.value());
            std::string text = ref.key.name;
            std::string column = "NAME";
            if (list.kind == kinds::pods()) {
                text += "  " + podStatus(object.value()) + (podReady(object.value()) ? "  ready" : "  not ready");
                column = "STATUS";
            }
            lines.push_back({std::move(text), guard::anchor::Cell{ref.uid, column}});
        }
        const std::string source = cluster::sourceGap(list.kind, reading_.ns, guard::Coverage::Failed, "").source;
        const bool incomplete = std::any_of(out_.signals.gaps.begin(), out_.signals.gaps.end(),
                                            [&](const guard::Gap& gap) { return gap.source == source; }) ||
                                std::any_of(reading_.otherGaps.begin(), reading_.otherGaps.end(),
                                            [&](const guard::Gap& gap) { return gap.source == source; });
        // A list that failed is no read, and an empty one says so.
        if (list.objects.empty() && incomplete)
            return;
        if (lines.empty())
            lines.push_back({"none", guard::anchor::Section{source}});
        listEvidence_.emplace(list.kind,
                              evidence_.add(tools::listResources, {{list.kind, reading_.ns, ""}, ""},
                                            guard::countText(list.objects.size(), !incomplete) + " " + source, lines,
                                            reading_.at, incomplete || list.objects.size() > listLines));
    }

    void unverifiedNamespace() {
        if (reading_.nsObject)
            return;
        const bool empty = std::all_of(reading_.lists.begin(), reading_.lists.end(),
                                       [](const ListRead& list) { return list.objects.empty(); });
        // A list in a namespace that does not exist is empty too.
        if (empty)
            out_.signals.gaps.push_back({"namespace " + reading_.ns, guard::Coverage::Unavailable,
                                         "nothing was found in it, and whether it exists could not be verified"});
    }

    // --- signals ---

    void owners() {
        for (const RawObject& replicaSet : reading_.objects(kinds::replicaSets())) {
            const ObjectRef ref = refOf(kinds::replicaSets(), replicaSet.value());
            if (const ObjectRef owner = controllerOf(replicaSet.value()); !owner.key.name.empty())
                aboveReplicaSet_.emplace(ref.uid, owner);
            readyOf_.emplace(ref.uid, read::path(replicaSet.value(), {"status"}) == nullptr
                                          ? -1
                                          : read::number(*read::path(replicaSet.value(), {"status"}), "readyReplicas"));
        }
    }
    [[nodiscard]] ObjectRef topOwner(const json& pod) const {
        ObjectRef owner = controllerOf(pod);
        const auto above = aboveReplicaSet_.find(owner.uid);
        return above == aboveReplicaSet_.end() ? owner : above->second;
    }
    void protect(const ObjectKey& key) { out_.signals.protectedResources.push_back(key); }

    void workloads() {
        for (const KindId& kind : {kinds::deployments(), kinds::statefulSets(), kinds::daemonSets()})
            for (const RawObject& object : reading_.objects(kind)) {
                guard::WorkloadSignal signal = workloadNumbers(kind, object.value(), detail(kind, object));
                if (signal.ref.key.name.empty())
                    continue;
                signal.isProtected = annotatedProtected(object.value()) || lists_.resourceProtected(signal.ref.key) ||
                                     lists_.namespaceProtected(signal.ref.key.ns);
                if (signal.isProtected) {
                    protect(signal.ref.key);
                    protectedUids_.insert(signal.ref.uid);
                }
                out_.signals.workloads.push_back(std::move(signal));
            }
        // What a protected object owns is protected with it.
        for (const RawObject& object : reading_.objects(kinds::replicaSets()))
            if (annotatedProtected(object.value()) || protectedUids_.contains(controllerOf(object.value()).uid))
                protect(refOf(kinds::replicaSets(), object.value()).key);
        for (const KindId& kind : {kinds::services(), kinds::configMaps(), kinds::secrets()})
            for (const RawObject& object : reading_.objects(kind))
                if (const ObjectRef ref = refOf(kind, object.value());
                    annotatedProtected(object.value()) || lists_.resourceProtected(ref.key))
                    protect(ref.key);
    }

    void pods() {
        // Pods in trouble first, so that they have their own evidence when there are too many.
        std::vector<const RawObject*> order;
        for (const RawObject& pod : reading_.objects(kinds::pods()))
            order.push_back(&pod);
        std::stable_sort(order.begin(), order.end(), [](const RawObject* a, const RawObject* b) {
            return std::tuple(podReady(a->value())) < std::tuple(podReady(b->value()));
        });
        for (const RawObject* raw : order) {
            const json& pod = raw->value();
            guard::PodSignal signal{.ref = refOf(kinds::pods(), pod),
                                    .workload = topOwner(pod),
                                    .status = podStatus(pod),
                                    .phase = read::text(pod, {"status", "phase"}),
                                    .ready = podReady(pod),
                                    .node = read::text(pod, {"spec", "nodeName"}),
                                    .unschedulable = redact(unschedulableMessage(pod)),
                                    .templateHash = read::text(pod, {"metadata", "labels", "pod-template-hash"}),
                                    .containers = containersOf(pod),
                                    .evidence = detail(kinds::pods(), *raw)};
            if (signal.ref.key.name.empty())
                continue;
            for (guard::ContainerSignal& container : signal.containers) {
                container.message = redact(std::move(container.message));
                container.lastMessage = redact(std::move(container.lastMessage));
            }
            if (annotatedProtected(pod) || lists_.resourceProtected(signal.ref.key) ||
                protectedUids_.contains(signal.workload.uid))
                protect(signal.ref.key);
            out_.signals.pods.push_back(std::move(signal));
        }
        std::sort(out_.signals.pods.begin(), out_.signals.pods.end(),
                  [](const auto& a, const auto& b) { return a.ref.key < b.ref.key; });
    }

    void events() {
        struct Parsed {
            guard::EventSignal signal;
            std::string uid;
        };
        const auto ledgerRef = listEvidence_.find(kinds::events());
        if (ledgerRef == listEvidence_.end())
            return;
        std::vector<Parsed> parsed;
        for (const RawObject& raw : reading_.objects(kinds::events())) {
            const json& event = raw.value();
            const json* about = read::member(event, "involvedObject");
            if (about == nullptr)
                about = read::member(event, "regarding");
            if (about == nullptr)
                continue;
            const KindId kind =
                cluster::kindFromReference(read::text(*about, "apiVersion"), read::text(*about, "kind"));
            std::string message = read::text(event, "message");
            if (message.empty())
                message = read::text(event, "note");
            std::replace(message.begin(), message.end(), '\n', ' ');
            guard::EventSignal signal{.about = {{kind, read::text(*about, "namespace"), read::text(*about, "name")},
                                                read::text(*about, "uid")},
                                      .type = read::text(event, "type"),
                                      .reason = read::text(event, "reason"),
                                      .message = redact(std::move(message)),
                                      .count = std::max(1, read::number(event, "count", 1)),
                                      .last = {},
                                      .evidence = ledgerRef->second};
            for (const std::string& stamp :
                 {read::text(event, {"series", "lastObservedTime"}), read::text(event, "lastTimestamp"),
                  read::text(event, "eventTime"), read::text(event, "firstTimestamp")})
                if (!signal.last)
                    signal.last = guard::parseRfc3339(stamp);
            if (const json* series = read::member(event, "series"))
                signal.count = std::max(signal.count, read::number(*series, "count", 1));
            parsed.push_back({std::move(signal), read::text(event, {"metadata", "uid"})});
        }
        std::stable_sort(parsed.begin(), parsed.end(), [](const Parsed& a, const Parsed& b) {
            const bool warnA = a.signal.type == "Warning";
            const bool warnB = b.signal.type == "Warning";
            return std::tuple(!warnA, b.signal.last) < std::tuple(!warnB, a.signal.last);
        });
        const bool cut = parsed.size() > eventLines;
        if (cut)
            parsed.resize(eventLines, parsed.front());
        std::vector<guard::EvidenceLine> lines;
        for (const Parsed& each : parsed) {
            const guard::EventSignal& s = each.signal;
            lines.push_back({(s.last ? guard::formatRfc3339(*s.last) + " " : "") + s.type + " " + s.reason + " " +
                                 s.about.key.text() + ": " + s.message +
                                 (s.count > 1 ? " (x" + std::to_string(s.count) + ")" : ""),
                             guard::anchor::Event{each.uid, s.count}});
        }
        if (lines.empty())
            return;
        const EvidenceRef ref = evidence_.add(tools::getEvents, {{kinds::events(), reading_.ns, ""}, ""},
                                              "events in " + reading_.ns, lines, reading_.at, cut);
        for (Parsed& each : parsed) {
            each.signal.evidence = ref;
            out_.signals.events.push_back(std::move(each.signal));
        }
    }

    void logs() {
        for (const LogRead& log : reading_.logs) {
            LogLines lines = splitStamps(log.text.value().text);
            const auto redacted = redactor_.text(guard::Raw<guard::LogText>(guard::LogText{std::move(lines.text)}));
            counted(redacted.masks());
            std::vector<guard::EvidenceLine> stored;
            std::string_view rest = redacted.value();
            std::string before;
            int ordinal = 0;
            for (const std::string& stamp : lines.stamps) {
                const std::size_t end = rest.find('\n');
                ordinal = !stamp.empty() && stamp == before ? ordinal + 1 : 0;
                before = stamp;
                stored.push_back({std::string(rest.substr(0, end)),
                                  guard::anchor::LogLine{log.pod.uid, log.container, log.containerId, log.previous,
                                                         stamp, ordinal}});
                rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
            }
            if (stored.empty())
                continue;
            const EvidenceRef ref = evidence_.add(tools::getLogs, log.pod,
                                                  "log of " + log.pod.key.text() + ", container " + log.container +
                                                      (log.previous ? ", previous run" : ""),
                                                  stored, reading_.at);
            out_.signals.logs.push_back({log.pod, log.container, log.previous, redacted.value(), ref});
        }
    }

    void revisions() {
        for (const RevisionRead& each : reading_.revisions) {
            const auto current =
                std::find_if(each.revisions.begin(), each.revisions.end(), [](const auto& r) { return r.current; });
            const json currentTemplate = current == each.revisions.end() ? json() : templateOf(*current);
            std::size_t kept = 0;
            for (const cluster::Revision& revision : each.revisions) {
                if (++kept > revisionsKept && !revision.current)
                    continue;
                const json shape = templateOf(revision);
                const auto ready = readyOf_.find(revision.source.uid);
                guard::DeploySignal signal{.workload = each.workload,
                                           .revision = revision.number,
                                           .current = revision.current,
                                           .images = revision.images,
                                           .changeCause = redact(revision.changeCause),
                                           .at = revision.at,
                                           .evidence = revisionEvidence(each.workload, revision, shape,
                                                                        ready == readyOf_.end() ? -1 : ready->second),
                                           .ready = ready == readyOf_.end() ? -1 : ready->second,
                                           .changes = {}};
                if (!revision.current && currentTemplate.is_object())
                    signal.changes = templateChanges(shape, currentTemplate);
                out_.signals.recentDeploys.push_back(std::move(signal));
            }
        }
    }
    json templateOf(const cluster::Revision& revision) {
        json parsed = json::parse(revision.templateJson, nullptr, false);
        return parsed.is_discarded() ? json() : redact(parsed);
    }
    EvidenceRef revisionEvidence(const ObjectRef& workload, const cluster::Revision& revision, const json& shape,
                                 int ready) {
        const auto field = [&](const std::string& pointer) {
            return guard::anchor::Field{revision.source.uid, pointer, ""};
        };
        std::vector<guard::EvidenceLine> lines;
        lines.push_back({"revision: " + std::to_string(revision.number) + (revision.current ? " (current)" : ""),
                         field("/metadata/annotations/deployment.kubernetes.io~1revision")});
        if (ready >= 0)
            lines.push_back({"ready: " + std::to_string(ready), field("/status/readyReplicas")});
        if (revision.at)
            lines.push_back({"created: " + guard::formatRfc3339(*revision.at), field("/metadata/creationTimestamp")});
        if (!revision.changeCause.empty())
            lines.push_back({"change cause: " + redact(revision.changeCause),
                             field("/metadata/annotations/kubernetes.io~1change-cause")});
        const bool replicaSet = revision.source.key.kind == kinds::replicaSets();
        for (guard::EvidenceLine& line :
             objectLines(shape, revision.source.uid, "", replicaSet ? "/spec/template" : "/data/spec/template"))
            lines.push_back(std::move(line));
        return evidence_.add(tools::getRevisions, revision.source,
                             "revision " + std::to_string(revision.number) + " of " + workload.key.text(), lines,
                             reading_.at);
    }

    void relations() {
        std::vector<cluster::FactSet> facts;
        std::map<std::string, std::pair<const KindId*, const RawObject*>> objects;
        for (const ListRead& list : reading_.lists) {
            if (list.kind == kinds::events())
                continue;
            for (const RawObject& object : list.objects) {
                facts.push_back(cluster::extractFacts(list.kind, object.value()));
                objects.emplace(facts.back().object.uid, std::pair(&list.kind, &object));
            }
        }
        std::vector<guard::Gap> gaps = reading_.gaps;
        gaps.insert(gaps.end(), reading_.otherGaps.begin(), reading_.otherGaps.end());
        const auto answer = cluster::buildGraph(std::move(facts), std::move(gaps));
        const cluster::Graph& graph = answer.partial(); // its gaps are the reading's own
        for (const cluster::GraphEdge& edge : graph.edges) {
            const ObjectRef& from = graph.nodes[edge.from].ref;
            const bool service = edge.relation == cluster::Relation::Selects && from.key.kind == kinds::services();
            const bool config =
                edge.relation == cluster::Relation::UsesConfig && !(from.key.kind == kinds::replicaSets());
            const auto source = objects.find(from.uid);
            if ((!service && !config) || source == objects.end() || out_.signals.relations.size() == relationSignals)
                continue;
            out_.signals.relations.push_back({from, graph.nodes[edge.to].ref.key, std::string(name(edge.relation)),
                                              std::string(name(edge.resolution)), edge.field, edge.optional,
                                              detail(*source->second.first, *source->second.second)});
        }
    }

    void metrics() {
        for (const guard::WorkloadSignal& workload : out_.signals.workloads) {
            const double desired = workload.desired;
            out_.signals.metrics.push_back(
                {"ready_ratio", workload.ref, desired <= 0 ? 1.0 : workload.ready / desired, workload.evidence});
            double restarts = 0;
            for (const guard::PodSignal& pod : out_.signals.pods)
                if (pod.workload == workload.ref)
                    for (const guard::ContainerSignal& container : pod.containers)
                        restarts += container.restarts;
            out_.signals.metrics.push_back({"restarts", workload.ref, restarts, workload.evidence});
        }
    }

    /// An incident about something that is not there must not end in "no fault".
    void aboutExists() {
        if (!incident_.about)
            return;
        const ObjectRef& about = *incident_.about;
        const auto list = std::find_if(reading_.lists.begin(), reading_.lists.end(),
                                       [&](const ListRead& each) { return each.kind == about.key.kind; });
        if (list == reading_.lists.end()) {
            out_.signals.gaps.push_back(
                {about.key.text(), guard::Coverage::Unavailable, "this kind is not read in a triage"});
            return;
        }
        for (const RawObject& object : list->objects) {
            const ObjectRef ref = refOf(list->kind, object.value());
            if (!(ref.key == about.key))
                continue;
            if (!about.uid.empty() && ref.uid != about.uid)
                out_.signals.gaps.push_back(
                    {about.key.text(), guard::Coverage::Partial, "it was made anew since the incident was opened"});
            return;
        }
        out_.signals.gaps.push_back({about.key.text(), guard::Coverage::Unavailable, "not found"});
    }

    const Reading& reading_;
    const Incident& incident_;
    const guard::ProtectedLists& lists_;
    const guard::Redactor& redactor_;
    guard::EvidenceLedger& evidence_;
    Gathered out_;
    std::map<std::string, EvidenceRef> byUid_;
    std::map<KindId, EvidenceRef> listEvidence_;
    std::map<std::string, ObjectRef> aboveReplicaSet_;
    std::map<std::string, int> readyOf_;
    std::set<std::string> protectedUids_;
};

} // namespace

Gathered makeSignals(const Reading& reading, const Incident& incident, const guard::ProtectedLists& protectedLists,
                     const guard::Redactor& redactor, guard::EvidenceLedger& evidence) {
    return Maker(reading, incident, protectedLists, redactor, evidence).run();
}

} // namespace alidade::agent
