// SPDX-License-Identifier: GPL-3.0-or-later
#include "api/convert.hpp"

#include <utility>

namespace alidade::simulator {

namespace {

void rename(Json& doc, const std::string& from, const std::string& to) {
    if (!doc.contains(from))
        return;
    Json value = std::move(doc[from]);
    doc.erase(from);
    doc[to] = std::move(value);
}

// core/v1 Event <-> events.k8s.io/v1 Event
constexpr std::pair<const char*, const char*> eventFields[] = {{"message", "note"},
                                                               {"involvedObject", "regarding"},
                                                               {"reportingComponent", "reportingController"},
                                                               {"source", "deprecatedSource"},
                                                               {"firstTimestamp", "deprecatedFirstTimestamp"},
                                                               {"lastTimestamp", "deprecatedLastTimestamp"},
                                                               {"count", "deprecatedCount"}};

Json hpaToV1(Json doc) {
    for (const auto& metric : items(at(doc, {"spec", "metrics"})))
        if (str(metric, {"resource", "name"}) == "cpu")
            doc["spec"]["targetCPUUtilizationPercentage"] = at(metric, {"resource", "target", "averageUtilization"});
    if (doc.contains("spec"))
        doc["spec"].erase("metrics");
    if (doc.contains("status") && doc["status"].is_object()) {
        doc["status"].erase("currentMetrics");
        doc["status"].erase("conditions");
    }
    return doc;
}

Json hpaFromV1(Json doc) {
    const Json percent = at(doc, {"spec", "targetCPUUtilizationPercentage"});
    if (!percent.is_null()) {
        doc["spec"].erase("targetCPUUtilizationPercentage");
        doc["spec"]["metrics"] = Json::array(
            {{{"type", "Resource"},
              {"resource",
               {{"name", "cpu"}, {"target", {{"type", "Utilization"}, {"averageUtilization", percent}}}}}}});
    }
    return doc;
}

Json sliceToBeta(Json doc) {
    if (doc.contains("endpoints") && doc["endpoints"].is_array())
        for (auto& endpoint : doc["endpoints"])
            if (endpoint.is_object() && endpoint.contains("nodeName"))
                endpoint["topology"] = {{"kubernetes.io/hostname", endpoint["nodeName"]}};
    return doc;
}

Json converted(const Served& served, Json doc) {
    const auto& resource = served.kind->resource;
    if (served.isStored() || served.kind->custom)
        return doc;
    if (resource == "events")
        for (const auto& [core, fresh] : eventFields)
            rename(doc, core, fresh);
    if (resource == "horizontalpodautoscalers")
        return hpaToV1(std::move(doc));
    if (resource == "endpointslices")
        return sliceToBeta(std::move(doc));
    return doc;
}

std::string prefix(const Served& served) {
    return "{\"kind\":\"" + served.kind->kind + "\",\"apiVersion\":\"" + served.apiVersion() + "\",";
}

} // namespace

std::string itemBytes(const Served& served, const Entry& entry) {
    return served.isStored() || served.kind->custom ? entry.bytes() : dump(converted(served, entry.doc()));
}

std::string shownBytes(const Served& served, const Entry& entry) {
    if (served.isStored())
        return prefix(served).append(entry.bytes(), 1, std::string::npos);
    return dump(shown(served, entry));
}

Json shown(const Served& served, const Entry& entry) {
    Json doc = converted(served, entry.doc());
    doc["kind"] = served.kind->kind;
    doc["apiVersion"] = served.apiVersion();
    return doc;
}

Json stored(const Served& served, Json sent) {
    if (served.isStored() || served.kind->custom)
        return sent;
    if (served.kind->resource == "events")
        for (const auto& [core, fresh] : eventFields)
            rename(sent, fresh, core);
    if (served.kind->resource == "horizontalpodautoscalers")
        return hpaFromV1(std::move(sent));
    return sent;
}

Json partialMetadata(const Entry& entry) {
    return {
        {"kind", "PartialObjectMetadata"}, {"apiVersion", "meta.k8s.io/v1"}, {"metadata", at(entry.doc(), "metadata")}};
}

} // namespace alidade::simulator
