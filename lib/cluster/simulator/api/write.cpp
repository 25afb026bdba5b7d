// SPDX-License-Identifier: GPL-3.0-or-later
// POST, PUT, PATCH, DELETE.
#include <algorithm>

#include "api/convert.hpp"
#include "api/server.hpp"
#include "world/patch.hpp"

namespace alidade::simulator {

namespace {

std::optional<Refusal> wrongKind(const Served& served, const Json& sent) {
    const auto kind = str(at(sent, "kind"));
    const auto version = str(at(sent, "apiVersion"));
    if ((!kind.empty() && kind != served.kind->kind) || (!version.empty() && version != served.apiVersion()))
        return badRequest(served.kind->kind + " in version \"" + served.version + "\" cannot be handled as a " +
                          served.kind->kind + ": no kind \"" + kind + "\" is registered for version \"" + version +
                          "\"");
    return std::nullopt;
}

std::optional<Refusal> wrongDryRun(const Call& call) {
    const auto value = param(call.request, "dryRun");
    if (value.empty() || value == "All")
        return std::nullopt;
    return Refusal{
        422,
        "Invalid",
        "CreateOptions.meta.k8s.io \"\" is invalid: dryRun: Unsupported value: \"" + value +
            "\": supported values: \"All\"",
        {{"group", "meta.k8s.io"},
         {"kind", "CreateOptions"},
         {"causes", Json::array({{{"reason", "FieldValueNotSupported"},
                                  {"message", "Unsupported value: \"" + value + "\": supported values: \"All\""},
                                  {"field", "dryRun"}}})}},
        {}};
}

} // namespace

void ApiServer::create(Call& call) {
    if (auto wrong = wrongDryRun(call))
        return refuse(call, *wrong);
    auto sent = body(call);
    if (!sent)
        return refuse(call, sent.error());
    if (auto wrong = wrongKind(*call.served, *sent))
        return refuse(call, *wrong);
    const auto made = registry_.create(*call.served->kind, call.ns, stored(*call.served, std::move(*sent)), actor(call),
                                       call.dryRun());
    if (!made)
        return refuse(call, made.error());
    answerObject(call, 201, **made);
}

void ApiServer::update(Call& call) {
    if (auto wrong = wrongDryRun(call))
        return refuse(call, *wrong);
    auto sent = body(call);
    if (!sent)
        return refuse(call, sent.error());
    if (auto wrong = wrongKind(*call.served, *sent))
        return refuse(call, *wrong);
    const auto old = target(call);
    if (!old)
        return refuse(call, old.error());
    if (call.subresource == "finalize") {
        // A namespace's spec.finalizers, emptied by force.
        if (items(at(*sent, {"spec", "finalizers"})).empty() && (*old)->deleting())
            world_.erase((*old)->kind(), "", (*old)->name());
        return answerObject(call, 200, **old);
    }
    const auto done =
        registry_.update(*old, stored(*call.served, std::move(*sent)), call.subresource, actor(call), call.dryRun());
    if (!done)
        return refuse(call, done.error());
    answerObject(call, 200, **done);
}

void ApiServer::patch(Call& call) {
    if (auto wrong = wrongDryRun(call))
        return refuse(call, *wrong);
    const auto type = mediaType(call.request);
    auto sent = body(call);
    if (!sent)
        return refuse(call, sent.error());
    if (type == "application/apply-patch+yaml" || type == "application/apply-patch+json")
        return apply(call, *sent);
    const auto old = target(call);
    if (!old)
        return refuse(call, old.error());
    const Json current = shown(*call.served, **old);
    Outcome<Json> changed = Json();
    if (type == "application/json-patch+json")
        changed = applyJsonPatch(current, *sent);
    else if (type == "application/merge-patch+json")
        changed = applyMergePatch(current, *sent);
    else if (type == "application/strategic-merge-patch+json" && !call.served->kind->custom)
        changed = applyStrategicPatch(current, *sent);
    else
        return refuse(
            call, unsupportedMedia(
                      call.served->kind->custom
                          ? "application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml"
                          : "application/json-patch+json, application/merge-patch+json, "
                            "application/strategic-merge-patch+json, application/apply-patch+yaml"));
    if (!changed)
        return refuse(call, changed.error());
    if (!changed->is_object())
        return refuse(call, badRequest("the patch does not leave an object"));
    const auto done =
        registry_.update(*old, stored(*call.served, std::move(*changed)), call.subresource, actor(call), call.dryRun());
    if (!done)
        return refuse(call, done.error());
    answerObject(call, 200, **done);
}

Outcome<DeleteOptions> ApiServer::deleteOptions(const Call& call) const {
    DeleteOptions options;
    Json sent = Json::object();
    if (!call.request.body.empty()) {
        auto read = body(call);
        if (!read)
            return tl::unexpected(read.error());
        sent = std::move(*read);
    }
    const auto grace = number(call.request, "gracePeriodSeconds");
    if (grace)
        options.graceSeconds = grace;
    if (at(sent, "gracePeriodSeconds").is_number())
        options.graceSeconds = integer(at(sent, "gracePeriodSeconds"));
    auto policy = str(at(sent, "propagationPolicy"), param(call.request, "propagationPolicy"));
    if (boolean(at(sent, "orphanDependents")))
        policy = "Orphan";
    options.propagation = policy == "Foreground" ? Propagation::Foreground
                          : policy == "Orphan"   ? Propagation::Orphan
                                                 : Propagation::Background;
    options.uid = str(sent, {"preconditions", "uid"});
    options.resourceVersion = str(sent, {"preconditions", "resourceVersion"});
    options.dryRun = call.dryRun() || !items(at(sent, "dryRun")).empty();
    return options;
}

void ApiServer::remove(Call& call) {
    const auto options = deleteOptions(call);
    if (!options)
        return refuse(call, options.error());
    const auto entry = target(call);
    if (!entry)
        return refuse(call, entry.error());
    const auto done = registry_.remove(*entry, *options);
    if (!done)
        return refuse(call, done.error());
    const auto& kind = *call.served->kind;
    if (!done->gone || (kind.group.empty() && kind.resource == "pods"))
        return answerObject(call, 200, *done->object);
    answer(call, 200, successJson(kind, call.name, (*entry)->uid()));
}

void ApiServer::removeCollection(Call& call) {
    const auto options = deleteOptions(call);
    if (!options)
        return refuse(call, options.error());
    const auto& kind = *call.served->kind;
    const auto labels = LabelSelector::parse(param(call.request, "labelSelector"));
    if (!labels)
        return refuse(call, labels.error());
    const auto fields = FieldSelector::parse(kind, param(call.request, "fieldSelector"));
    if (!fields)
        return refuse(call, fields.error());
    std::string out = "{\"kind\":\"" + kind.kind + "List\",\"apiVersion\":\"" + call.served->apiVersion() +
                      "\",\"metadata\":{\"resourceVersion\":\"" + std::to_string(world_.rv()) + "\"},\"items\":[";
    bool first = true;
    for (const auto& entry : world_.list(kind, call.ns)) {
        if (!fields->matches(*entry) || !labels->matches(at(entry->doc(), {"metadata", "labels"})))
            continue;
        const auto done = registry_.remove(entry, *options);
        if (!done)
            continue;
        out += std::exchange(first, false) ? "" : ",";
        out += itemBytes(*call.served, *done->object);
    }
    answerBytes(call, 200, out + "]}\n");
}

} // namespace alidade::simulator
