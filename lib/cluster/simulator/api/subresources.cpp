// SPDX-License-Identifier: GPL-3.0-or-later
// scale, log, eviction, binding.
#include <algorithm>

#include "api/convert.hpp"
#include "api/log_stream.hpp"
#include "world/patch.hpp"

namespace alidade::simulator {

namespace {

Json scaleOf(const Entry& entry) {
    const Json& doc = entry.doc();
    Json meta = {{"name", entry.name()},
                 {"namespace", entry.ns()},
                 {"uid", entry.uid()},
                 {"resourceVersion", std::to_string(entry.rv())},
                 {"creationTimestamp", at(doc, {"metadata", "creationTimestamp"})}};
    const Json& selector = at(doc, {"spec", "selector"});
    const auto text = at(selector, "matchLabels").is_object() || at(selector, "matchExpressions").is_array()
                          ? LabelSelector::fromJson(selector).text()
                          : LabelSelector::fromJson({{"matchLabels", selector}}).text();
    return {{"kind", "Scale"},
            {"apiVersion", "autoscaling/v1"},
            {"metadata", meta},
            {"spec", {{"replicas", integer(doc, {"spec", "replicas"})}}},
            {"status", {{"replicas", integer(doc, {"status", "replicas"})}, {"selector", text}}}};
}

} // namespace

void ApiServer::scale(Call& call) {
    const auto old = target(call);
    if (!old)
        return refuse(call, old.error());
    const Json current = scaleOf(**old);
    if (call.verb == "get")
        return answer(call, 200, current);
    if (call.verb != "update" && call.verb != "patch")
        return refuse(call, methodNotAllowed());
    auto sent = body(call);
    if (!sent)
        return refuse(call, sent.error());
    Outcome<Json> wanted = *sent;
    const auto type = mediaType(call.request);
    if (call.verb == "patch") {
        if (type == "application/json-patch+json")
            wanted = applyJsonPatch(current, *sent);
        else if (type == "application/merge-patch+json" || type == "application/strategic-merge-patch+json")
            wanted = applyMergePatch(current, *sent);
        else
            return refuse(call, unsupportedMedia("application/json-patch+json, application/merge-patch+json"));
    }
    if (!wanted)
        return refuse(call, wanted.error());
    const auto& kind = *call.served->kind;
    const auto uid = str(*wanted, {"metadata", "uid"});
    if (!uid.empty() && uid != (*old)->uid())
        return refuse(call, conflict(kind, call.name,
                                     "Precondition failed: UID in precondition: " + uid +
                                         ", UID in object meta: " + (*old)->uid()));
    const auto rv = str(*wanted, {"metadata", "resourceVersion"});
    if (!rv.empty() && rv != str(current, {"metadata", "resourceVersion"}))
        return refuse(call, conflict(kind, call.name));
    const Json& replicas = at(*wanted, {"spec", "replicas"});
    if (!replicas.is_null() && !replicas.is_number_integer())
        return refuse(
            call, badRequest("Scale in version \"v1\" cannot be handled as a Scale: spec.replicas is not a number"));
    if (integer(replicas) < 0) {
        KindDef scaleKind;
        scaleKind.group = "autoscaling";
        scaleKind.kind = "Scale";
        return refuse(call, invalid(scaleKind, call.name,
                                    {{"FieldValueInvalid", "spec.replicas",
                                      "Invalid value: " + std::to_string(integer(replicas)) +
                                          ": must be greater than or equal to 0"}}));
    }
    Json doc = (*old)->doc();
    doc["spec"]["replicas"] = integer(replicas);
    auto who = actor(call);
    const auto done = registry_.update(*old, std::move(doc), "scale", who, call.dryRun());
    if (!done)
        return refuse(call, done.error());
    answer(call, 200, scaleOf(**done));
}

void ApiServer::log(Call& call) {
    const auto pod = target(call);
    if (!pod)
        return refuse(call, pod.error());
    std::vector<std::string> names;
    std::vector<std::string> initNames;
    for (const auto& c : items(at((*pod)->doc(), {"spec", "containers"})))
        names.push_back(str(at(c, "name")));
    for (const auto& c : items(at((*pod)->doc(), {"spec", "initContainers"})))
        initNames.push_back(str(at(c, "name")));
    const auto text = [](const std::vector<std::string>& list) {
        std::string out = "[";
        for (const auto& name : list)
            out += (out.size() > 1 ? " " : "") + name;
        return out + "]";
    };
    auto container = param(call.request, "container");
    if (container.empty()) {
        if (names.size() != 1)
            return refuse(call,
                          badRequest("a container name must be specified for pod " + call.name +
                                     ", choose one of: " + text(names) +
                                     (initNames.empty() ? "" : " or one of the init containers: " + text(initNames))));
        container = names.front();
    }
    if (std::find(names.begin(), names.end(), container) == names.end() &&
        std::find(initNames.begin(), initNames.end(), container) == initNames.end())
        return refuse(call, badRequest("container " + container + " is not valid for pod " + call.name));
    LogOptions options;
    options.timestamps = flag(call.request, "timestamps");
    for (const auto* name : {"tailLines", "sinceSeconds", "limitBytes"})
        if (call.request.param(name) && number(call.request, name).value_or(-1) < 0)
            return refuse(call, {422,
                                 "Invalid",
                                 std::string("PodLogOptions \"") + call.name + "\" is invalid: " + name +
                                     ": Invalid value: must be greater than or equal to 0",
                                 {{"name", call.name}, {"kind", "PodLogOptions"}},
                                 {}});
    if (const auto tail = number(call.request, "tailLines"))
        options.tail = static_cast<std::size_t>(*tail);
    if (const auto limit = number(call.request, "limitBytes"))
        options.limitBytes = static_cast<std::size_t>(*limit);
    if (const auto seconds = number(call.request, "sinceSeconds"))
        options.since = world_.now() - std::chrono::seconds(*seconds);
    if (const auto since = call.request.param("sinceTime")) {
        const auto time = guard::parseRfc3339(*since);
        if (!time)
            return refuse(call, badRequest("sinceTime is not a time"));
        options.since = wholeSeconds(*time);
    }
    const bool follow = flag(call.request, "follow");
    if ((*pod)->bulk())
        return answerBytes(call, 200, "started\n", "text/plain");
    std::string why;
    const auto run = kubelet_.log(**pod, container, flag(call.request, "previous"), why);
    if (!run)
        return refuse(call, badRequest(why));
    std::optional<WallTime> last;
    if (!follow)
        return answerBytes(call, 200, logText(*run, options, world_.now(), last), "text/plain");
    call.out->begin(200, headers("text/plain"));
    const auto stream = std::make_shared<LogStream>(world_, call.out, run, options);
    streams_.push_back(stream);
    stream->finished = [this, place = std::prev(streams_.end())] {
        world_.clock().after(Millis(0), [keep = *place] {});
        streams_.erase(place);
    };
    stream->start();
}

void ApiServer::evict(Call& call) {
    const auto pod = target(call);
    if (!pod)
        return refuse(call, pod.error());
    const auto sent = body(call);
    if (!sent)
        return refuse(call, sent.error());
    for (const auto& budget : world_.list(world_.kind("poddisruptionbudgets"), call.ns)) {
        if (!LabelSelector::fromJson(at(budget->doc(), {"spec", "selector"}))
                 .matches(at((*pod)->doc(), {"metadata", "labels"})))
            continue;
        if (integer(budget->doc(), {"status", "disruptionsAllowed"}) > 0)
            continue;
        auto refusal = tooManyRequests("Cannot evict pod as it would violate the pod's disruption budget.");
        refusal.details["causes"] = Json::array(
            {{{"reason", "DisruptionBudget"},
              {"message", "The disruption budget " + budget->name() + " needs " +
                              std::to_string(integer(budget->doc(), {"status", "desiredHealthy"})) +
                              " healthy pods and has " +
                              std::to_string(integer(budget->doc(), {"status", "currentHealthy"})) + " currently"}}});
        return refuse(call, refusal);
    }
    DeleteOptions options;
    options.dryRun = call.dryRun();
    options.uid = str(*sent, {"deleteOptions", "preconditions", "uid"});
    options.resourceVersion = str(*sent, {"deleteOptions", "preconditions", "resourceVersion"});
    if (at(*sent, {"deleteOptions", "gracePeriodSeconds"}).is_number())
        options.graceSeconds = integer(*sent, {"deleteOptions", "gracePeriodSeconds"});
    const auto done = registry_.remove(*pod, options);
    if (!done)
        return refuse(call, done.error());
    answer(
        call, 201,
        {{"kind", "Status"}, {"apiVersion", "v1"}, {"metadata", Json::object()}, {"status", "Success"}, {"code", 201}});
}

void ApiServer::bind(Call& call) {
    auto sent = body(call);
    if (!sent)
        return refuse(call, sent.error());
    const auto pod = target(call);
    if (!pod)
        return refuse(call, pod.error());
    if (!str((*pod)->doc(), {"spec", "nodeName"}).empty())
        return refuse(call, conflict(*call.served->kind, call.name,
                                     "pod " + call.name + " is already assigned to node \"" +
                                         str((*pod)->doc(), {"spec", "nodeName"}) + "\""));
    if (!call.dryRun())
        registry_.amend((*pod)->kind(), call.ns, call.name, [&](Json& doc) {
            doc["spec"]["nodeName"] = str(*sent, {"target", "name"});
        });
    answer(
        call, 201,
        {{"kind", "Status"}, {"apiVersion", "v1"}, {"metadata", Json::object()}, {"status", "Success"}, {"code", 201}});
}

} // namespace alidade::simulator
