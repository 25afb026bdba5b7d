// SPDX-License-Identifier: GPL-3.0-or-later
#include "describe/describe.hpp"

#include "alidade/cluster_model/rows.hpp"
#include "alidade/guard/text.hpp"
#include "reader/json_fields.hpp"

namespace alidade::cluster {
namespace {

using nlohmann::json;

constexpr std::size_t kMaxAnnotation = 140;
constexpr std::size_t kMaxEvents = 50;

std::vector<std::string> annotationsOf(const json& meta) {
    std::vector<std::string> texts;
    const json& annotations = child(meta, "annotations");
    if (annotations.is_object()) {
        for (const auto& [key, value] : annotations.items()) {
            if (key == "kubectl.kubernetes.io/last-applied-configuration") {
                continue;
            }
            std::string text = scalarText(value);
            if (text.size() > kMaxAnnotation) {
                text = guard::validUtf8(text.substr(0, kMaxAnnotation)) + "...";
            }
            texts.push_back(key + ": " + text);
        }
    }
    return texts;
}

std::int64_t nanoseconds(const std::optional<guard::WallTime>& time) {
    return time ? time->time_since_epoch().count() : 0;
}

std::string ageOf(const EventRecord& event, guard::WallTime now) {
    const std::string last = ageText(nanoseconds(event.last), now);
    if (event.count <= 1 || !event.first) {
        return last;
    }
    return last + " (x" + std::to_string(event.count) + " over " + ageText(nanoseconds(event.first), now) + ")";
}

void eventLines(TextWriter& out, const std::vector<EventRecord>& events, guard::WallTime now) {
    if (events.empty()) {
        out.field(0, "Events", "<none>");
        return;
    }
    std::vector<std::vector<std::string>> rows;
    for (const EventRecord& event : events) {
        if (rows.size() == kMaxEvents) {
            break;
        }
        rows.push_back({event.type, event.reason, ageOf(event, now), event.source, event.message});
    }
    out.line(0, "Events:");
    out.table(1, {"Type", "Reason", "Age", "From", "Message"}, rows);
    if (events.size() > kMaxEvents) {
        out.line(1, std::to_string(events.size() - kMaxEvents) + " older events are not shown");
    }
}

} // namespace

std::string describeText(const KindId& kind, const json& object, const DescribeExtras& extras, guard::WallTime now) {
    namespace kinds = guard::kinds;
    TextWriter out;
    const json& meta = child(object, "metadata");
    out.field(0, "Name", textOf(meta, "name"));
    if (const std::string ns = textOf(meta, "namespace"); !ns.empty()) {
        out.field(0, "Namespace", ns);
    }
    out.field(0, "Kind", kind.kind + " (" + kind.apiVersion() + ")");
    if (const std::string created = textOf(meta, "creationTimestamp"); !created.empty()) {
        out.field(0, "CreationTimestamp",
                  created + " (" + ageText(nanoseconds(timeOf(meta, "creationTimestamp")), now) + " ago)");
    }
    if (const std::string deleted = textOf(meta, "deletionTimestamp"); !deleted.empty() && !(kind == kinds::pods())) {
        out.field(0, "DeletionTimestamp", deleted);
    }
    out.list(0, "Labels", pairs(child(meta, "labels"), "="));
    out.list(0, "Annotations", annotationsOf(meta));
    if (kind == kinds::pods()) {
        describePod(out, object);
    } else if (kind == kinds::deployments()) {
        describeDeployment(out, object, extras);
    } else if (kind == kinds::replicaSets()) {
        describeReplicaSet(out, object, extras);
    } else if (kind == kinds::services()) {
        describeService(out, object, extras);
    } else if (kind == kinds::configMaps()) {
        describeConfigMap(out, object);
    } else if (kind == kinds::secrets()) {
        describeSecret(out, object);
    } else if (kind == kinds::nodes()) {
        describeNode(out, object, extras);
    } else if (kind == kinds::namespaces()) {
        describeNamespace(out, object, extras);
    } else if (kind.kind == "Event") {
        describeEvent(out, object);
    } else {
        if (const std::string owner = controllerOf(object); !owner.empty()) {
            out.field(0, "Controlled By", owner);
        }
        describeAny(out, object);
    }
    if (kind.kind != "Event") {
        eventLines(out, extras.events, now);
    }
    for (const guard::Gap& gap : extras.gaps) {
        out.line(0, "Not read: " + gap.source + " (" + std::string(name(gap.coverage)) + "): " + gap.reason);
    }
    return out.finish();
}

} // namespace alidade::cluster
