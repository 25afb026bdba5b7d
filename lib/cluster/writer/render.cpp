// SPDX-License-Identifier: GPL-3.0-or-later
#include "render.hpp"

#include <algorithm>

#include "alidade/http/message.hpp"

namespace alidade::cluster::writer {

using guard::ErrorCode;
using nlohmann::json;

namespace {
constexpr const char* restartedAt = "kubectl.kubernetes.io/restartedAt";

const json& at(const json& object, std::initializer_list<const char*> path) {
    static const json none;
    const json* here = &object;
    for (const char* key : path) {
        if (!here->is_object())
            return none;
        const auto found = here->find(key);
        if (found == here->end())
            return none;
        here = &*found;
    }
    return *here;
}
std::string text(const json& value) { return value.is_string() ? value.get<std::string>() : std::string(); }

bool isKind(const guard::Action& action, const KindId& kind) { return action.target.key.kind == kind; }
bool rolls(const guard::Action& action) {
    return isKind(action, guard::kinds::deployments()) || isKind(action, guard::kinds::statefulSets()) ||
           isKind(action, guard::kinds::daemonSets());
}

tl::unexpected<guard::Error> refuse(const guard::Action& action, std::string why) {
    return guard::fail(ErrorCode::Refused, action.summary(), std::move(why));
}

json test(std::string pointer, json value) {
    return {{"op", "test"}, {"path", std::move(pointer)}, {"value", std::move(value)}};
}

guard::WriteRequest patch(std::string path, const json& operations, const std::string& uid,
                          std::vector<std::string> conditions) {
    guard::WriteRequest request;
    request.method = "PATCH";
    request.path = std::move(path);
    request.contentType = "application/json-patch+json";
    request.body = operations.dump(-1, ' ', false, json::error_handler_t::replace);
    if (!uid.empty())
        request.preconditions.push_back("uid is " + uid);
    request.preconditions.insert(request.preconditions.end(), conditions.begin(), conditions.end());
    return request;
}
json startOf(const std::string& uid) {
    json operations = json::array();
    if (!uid.empty())
        operations.push_back(test("/metadata/uid", uid));
    return operations;
}

/// A template as a revision keeps it, without what the controller adds.
json cleanTemplate(json podTemplate) {
    if (!podTemplate.is_object())
        return podTemplate;
    podTemplate.erase("$patch");
    const auto metadata = podTemplate.find("metadata");
    if (metadata != podTemplate.end() && metadata->is_object()) {
        const auto labels = metadata->find("labels");
        if (labels != metadata->end() && labels->is_object())
            labels->erase("pod-template-hash");
    }
    return podTemplate;
}

Result<guard::WriteRequest> renderRollback(const guard::Action& action, const std::string& uid, const Seen& seen) {
    if (!rolls(action))
        return refuse(action, "a " + action.target.key.kind.kind + " keeps no revisions");
    if (at(seen.object, {"spec", "paused"}) == true)
        return refuse(action, "it is paused: resume it first");
    const json& current = at(seen.object, {"spec", "template"});
    if (!current.is_object())
        return refuse(action, "it has no pod template");
    const int wanted = std::get<guard::Rollback>(action.change).toRevision;
    const Revision* chosen = nullptr;
    for (const Revision& revision : seen.revisions) {
        if (wanted != 0 ? revision.number == wanted : !revision.current) {
            chosen = &revision;
            break;
        }
    }
    if (!chosen) {
        const bool any =
            std::any_of(seen.revisions.begin(), seen.revisions.end(), [](const Revision& r) { return !r.current; });
        if (!seen.revisionsComplete)
            return refuse(action, "its revisions could not all be read");
        return refuse(action,
                      any ? "there is no revision " + std::to_string(wanted) : "there is nothing to go back to");
    }
    if (chosen->current)
        return refuse(action, "revision " + std::to_string(chosen->number) + " is the current one");
    const json to = cleanTemplate(json::parse(chosen->templateJson, nullptr, false));
    if (!to.is_object())
        return refuse(action, "the template of revision " + std::to_string(chosen->number) + " could not be read");
    if (to == cleanTemplate(current))
        return refuse(action, "its template is that of revision " + std::to_string(chosen->number) + " already");
    json operations = startOf(uid);
    operations.push_back(test("/spec/template", current));
    operations.push_back({{"op", "replace"}, {"path", "/spec/template"}, {"value", to}});
    return patch(objectPath(action.target.key), operations, uid, {"/spec/template is as shown"});
}

Result<guard::WriteRequest> renderScale(const guard::Action& action, const std::string& uid, const Seen& seen) {
    const int replicas = std::get<guard::Scale>(action.change).replicas;
    if (isKind(action, guard::kinds::daemonSets()))
        return refuse(action, "a DaemonSet runs one pod a node and cannot be scaled");
    if (replicas < 0)
        return refuse(action, "there are no negative replicas");
    if (!seen.scale.is_object())
        return refuse(action, "a " + action.target.key.kind.kind + " cannot be scaled");
    const json& spec = at(seen.scale, {"spec"});
    const json& current = at(seen.scale, {"spec", "replicas"});
    if (current.is_number_integer() && current == replicas)
        return refuse(action, "it has " + std::to_string(replicas) + " replicas already");
    // The API leaves out a zero.
    if (!current.is_number_integer() && replicas == 0)
        return refuse(action, "it has 0 replicas already");
    json operations = startOf(uid);
    std::string condition;
    if (current.is_number_integer()) {
        operations.push_back(test("/spec/replicas", current));
        operations.push_back({{"op", "replace"}, {"path", "/spec/replicas"}, {"value", replicas}});
        condition = "/spec/replicas is " + current.dump();
    } else if (spec.is_object()) {
        operations.push_back(test("/spec", spec));
        operations.push_back({{"op", "add"}, {"path", "/spec/replicas"}, {"value", replicas}});
        condition = "/spec/replicas is 0";
    } else {
        operations.push_back({{"op", "add"}, {"path", "/spec"}, {"value", {{"replicas", replicas}}}});
        condition = "/spec/replicas is 0";
    }
    return patch(objectPath(action.target.key) + "/scale", operations, uid, {condition});
}

Result<guard::WriteRequest> renderRestart(const guard::Action& action, const std::string& uid, const Seen& seen,
                                          guard::WallTime now) {
    if (!rolls(action))
        return refuse(action, "a " + action.target.key.kind.kind + " cannot be restarted, only deleted");
    if (at(seen.object, {"spec", "paused"}) == true)
        return refuse(action, "it is paused: resume it first");
    const json& current = at(seen.object, {"spec", "template"});
    if (!current.is_object())
        return refuse(action, "it has no pod template");
    json operations = startOf(uid);
    operations.push_back(test("/spec/template", current));
    const std::string time = guard::formatRfc3339(now);
    if (at(current, {"metadata", "annotations"}).is_object())
        operations.push_back({{"op", "add"},
                              {"path", "/spec/template/metadata/annotations/kubectl.kubernetes.io~1restartedAt"},
                              {"value", time}});
    else if (at(current, {"metadata"}).is_object())
        operations.push_back(
            {{"op", "add"}, {"path", "/spec/template/metadata/annotations"}, {"value", {{restartedAt, time}}}});
    else
        operations.push_back(
            {{"op", "add"}, {"path", "/spec/template/metadata"}, {"value", {{"annotations", {{restartedAt, time}}}}}});
    return patch(objectPath(action.target.key), operations, uid, {"/spec/template is as shown"});
}

guard::WriteRequest renderDelete(const guard::Action& action, const std::string& uid) {
    json options{{"apiVersion", "v1"},
                 {"kind", "DeleteOptions"},
                 {"propagationPolicy", guard::name(std::get<guard::Delete>(action.change).propagation)}};
    if (!uid.empty())
        options["preconditions"] = {{"uid", uid}};
    guard::WriteRequest request;
    request.method = "DELETE";
    request.path = objectPath(action.target.key);
    request.contentType = "application/json";
    request.body = options.dump();
    if (!uid.empty())
        request.preconditions.push_back("uid is " + uid);
    return request;
}

std::string shown(const json& value) {
    std::string out = value.dump(-1, ' ', false, json::error_handler_t::replace);
    if (out.size() > 80)
        out = out.substr(0, 77) + "...";
    return out;
}
const json* pointed(const json& object, const json& operation) {
    const std::string pointer = text(at(operation, {"path"}));
    if (pointer.empty() || pointer.front() != '/')
        return nullptr;
    const json::json_pointer p(pointer);
    return object.contains(p) ? &object.at(p) : nullptr;
}
} // namespace

std::string objectPath(const ObjectKey& key) {
    std::string path = key.kind.group.empty() ? "/api/" + http::percentEncode(key.kind.version)
                                              : "/apis/" + http::percentEncode(key.kind.group) + "/" +
                                                    http::percentEncode(key.kind.version);
    if (key.kind.namespaced)
        path += "/namespaces/" + http::percentEncode(key.ns);
    return path + "/" + http::percentEncode(key.kind.resource) + "/" + http::percentEncode(key.name);
}

Result<guard::WriteRequest> render(const guard::Action& action, const std::string& uid, const Seen& seen,
                                   guard::WallTime now) {
    switch (action.kind()) {
    case guard::ActionKind::Rollback: return renderRollback(action, uid, seen);
    case guard::ActionKind::Scale: return renderScale(action, uid, seen);
    case guard::ActionKind::Restart: return renderRestart(action, uid, seen, now);
    case guard::ActionKind::Delete: return renderDelete(action, uid);
    }
    return guard::fail(ErrorCode::Internal, "writer", "no such action");
}

json applied(const guard::WriteRequest& request, const json& before) {
    if (request.contentType != "application/json-patch+json" || !before.is_object())
        return nullptr;
    const json operations = json::parse(request.body, nullptr, false);
    if (!operations.is_array())
        return nullptr;
    try {
        return before.patch(operations);
    } catch (const json::exception&) {
        return nullptr;
    }
}

std::string changedSince(const guard::WriteRequest& request, const std::string& uid, const json& now) {
    if (!now.is_object())
        return "the object is gone";
    const std::string present = text(at(now, {"metadata", "uid"}));
    if (!uid.empty() && !present.empty() && present != uid)
        return "it is another object now: its uid is " + present + ", not " + uid;
    const json operations = json::parse(request.body, nullptr, false);
    if (request.contentType != "application/json-patch+json" || !operations.is_array())
        return {};
    for (const json& operation : operations) {
        if (text(at(operation, {"op"})) != "test")
            continue;
        const json* value = pointed(now, operation);
        const json& wanted = at(operation, {"value"});
        if (value && *value == wanted)
            continue;
        const std::string where = text(at(operation, {"path"}));
        if (!value)
            return where + " is gone";
        if (!value->is_structured())
            return where + " is " + shown(*value) + " now, not " + shown(wanted);
        const json difference = json::diff(wanted, *value);
        const std::string inner = difference.empty() ? std::string() : text(at(difference.front(), {"path"}));
        return where + inner + " was changed since";
    }
    return {};
}

bool inPlace(const guard::WriteRequest& request, const json& now) {
    if (request.method == "DELETE")
        return !now.is_object() || at(now, {"metadata", "deletionTimestamp"}).is_string();
    const json operations = json::parse(request.body, nullptr, false);
    if (!operations.is_array() || !now.is_object())
        return false;
    return std::all_of(operations.begin(), operations.end(), [&](const json& operation) {
        if (text(at(operation, {"op"})) == "test")
            return true;
        const json* value = pointed(now, operation);
        return value && *value == at(operation, {"value"});
    });
}

std::vector<std::string> notesOn(const guard::Action& action, const json& object) {
    std::vector<std::string> notes;
    const std::string strategy = text(at(object, {"spec", "updateStrategy", "type"}));
    if (action.kind() == guard::ActionKind::Rollback || action.kind() == guard::ActionKind::Restart) {
        if (strategy == "OnDelete")
            notes.emplace_back("update strategy OnDelete: pods change only when they are deleted");
        const json& partition = at(object, {"spec", "updateStrategy", "rollingUpdate", "partition"});
        if (partition.is_number_integer() && partition.get<std::int64_t>() > 0)
            notes.push_back("partition " + partition.dump() + ": only pods with an ordinal of at least " +
                            partition.dump() + " are rolled");
        if (text(at(object, {"spec", "strategy", "type"})) == "Recreate")
            notes.emplace_back("strategy Recreate: all pods stop before new ones start, there will be downtime");
    }
    if (action.kind() == guard::ActionKind::Rollback)
        notes.emplace_back("the result becomes a new revision; the number of replicas stays");
    const json& owners = at(object, {"metadata", "ownerReferences"});
    const json* controller = nullptr;
    if (owners.is_array())
        for (const json& owner : owners)
            if (at(owner, {"controller"}) == true)
                controller = &owner;
    if (action.kind() == guard::ActionKind::Scale) {
        if (controller)
            notes.push_back(text(at(*controller, {"kind"})) + " " + text(at(*controller, {"name"})) +
                            " owns it and will set replicas again");
        const json& managers = at(object, {"metadata", "managedFields"});
        if (managers.is_array())
            for (const json& manager : managers) {
                const std::string name = text(at(manager, {"manager"}));
                if (!at(manager, {"fieldsV1", "f:spec", "f:replicas"}).is_object() || name.empty() ||
                    name.rfind("kubectl", 0) == 0)
                    continue;
                notes.push_back("replicas are managed by " + name + ", which may set them again");
            }
    }
    if (action.kind() == guard::ActionKind::Delete) {
        if (isKind(action, guard::kinds::pods())) {
            if (!controller)
                notes.emplace_back("no controller owns this pod: nothing re-creates it");
            else
                notes.push_back(text(at(*controller, {"kind"})) + " " + text(at(*controller, {"name"})) +
                                " re-creates it");
        }
        const json& finalizers = at(object, {"metadata", "finalizers"});
        if (finalizers.is_array())
            for (const json& finalizer : finalizers)
                notes.push_back("finalizer " + text(finalizer) + " holds it until its owner has cleaned up");
        if (at(object, {"metadata", "deletionTimestamp"}).is_string())
            notes.emplace_back("it is being deleted already");
    }
    return notes;
}

std::vector<std::string> autoscalerNotes(const guard::Action& action, const std::vector<json>& autoscalers) {
    std::vector<std::string> notes;
    const auto* scale = std::get_if<guard::Scale>(&action.change);
    if (!scale)
        return notes;
    for (const json& hpa : autoscalers) {
        if (text(at(hpa, {"spec", "scaleTargetRef", "name"})) != action.target.key.name ||
            text(at(hpa, {"spec", "scaleTargetRef", "kind"})) != action.target.key.kind.kind)
            continue;
        const std::string name = text(at(hpa, {"metadata", "name"}));
        const json& least = at(hpa, {"spec", "minReplicas"});
        const std::string range =
            (least.is_number() ? least.dump() : "1") + "-" + at(hpa, {"spec", "maxReplicas"}).dump();
        if (scale->replicas == 0)
            notes.push_back("autoscaler " + name + " stops acting at 0 replicas, until they are set above 0 again");
        else
            notes.push_back("autoscaler " + name + " will set it again (range " + range + ")");
    }
    return notes;
}

} // namespace alidade::cluster::writer
