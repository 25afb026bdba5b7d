// SPDX-License-Identifier: GPL-3.0-or-later
#include "reader/json_fields.hpp"
#include "reader/reads.hpp"

#include <algorithm>
#include <charconv>

namespace alidade::cluster {
namespace {

using guard::Error;
using guard::ErrorCode;
using nlohmann::json;

constexpr std::size_t kMaxRevisions = 500;
constexpr const char* kRevision = "deployment.kubernetes.io/revision";
constexpr const char* kChangeCause = "kubernetes.io/change-cause";

int revisionNumber(const std::string& text) {
    int number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc{} && end == text.data() + text.size() ? number : 0;
}

bool ownedBy(const json& object, const std::string& uid) {
    for (const json& owner : elements(child(object, "metadata"), "ownerReferences")) {
        if (flagOf(owner, "controller") && textOf(owner, "uid") == uid && !uid.empty()) {
            return true;
        }
    }
    return false;
}

std::vector<std::string> imagesOf(const json& podTemplate) {
    std::vector<std::string> images;
    for (const char* list : {"initContainers", "containers"}) {
        for (const json& container : elements(child(podTemplate, "spec"), list)) {
            if (std::string image = textOf(container, "image"); !image.empty()) {
                images.push_back(std::move(image));
            }
        }
    }
    return images;
}

Revision revisionOf(const json& source, const KindId& kind, int number, json podTemplate) {
    if (auto meta = podTemplate.find("metadata"); meta != podTemplate.end() && meta->is_object()) {
        if (auto labels = meta->find("labels"); labels != meta->end() && labels->is_object()) {
            labels->erase("pod-template-hash");
        }
    }
    podTemplate.erase("$patch");
    const json& meta = child(source, "metadata");
    Revision revision;
    revision.number = number;
    revision.source.key = ObjectKey{kind, textOf(meta, "namespace"), textOf(meta, "name")};
    revision.source.uid = textOf(meta, "uid");
    revision.images = imagesOf(podTemplate);
    revision.changeCause = textOf(child(meta, "annotations"), kChangeCause);
    revision.at = timeOf(meta, "creationTimestamp");
    revision.templateJson = podTemplate.dump(-1, ' ', false, json::error_handler_t::replace);
    return revision;
}

void newestFirst(std::vector<Revision>& revisions) {
    std::stable_sort(revisions.begin(), revisions.end(),
                     [](const Revision& a, const Revision& b) { return a.number > b.number; });
}

const KindId& controllerRevisionKind() {
    static const KindId kKind{"apps", "v1", "ControllerRevision", "controllerrevisions", true};
    return kKind;
}

} // namespace

std::string labelSelectorText(const json& selector) {
    std::string text;
    const auto add = [&text](const std::string& term) { text += (text.empty() ? "" : ",") + term; };
    const json& labels = child(selector, "matchLabels");
    if (labels.is_object()) {
        for (const auto& [key, value] : labels.items()) {
            add(key + "=" + scalarText(value));
        }
    }
    for (const json& expression : elements(selector, "matchExpressions")) {
        const std::string key = textOf(expression, "key");
        const std::string op = textOf(expression, "operator");
        std::string values;
        for (const json& value : elements(expression, "values")) {
            values += (values.empty() ? "" : ",") + scalarText(value);
        }
        if (op == "In" || op == "NotIn") {
            add(key + (op == "In" ? " in (" : " notin (") + values + ")");
        } else if (op == "Exists") {
            add(key);
        } else if (op == "DoesNotExist") {
            add("!" + key);
        } else {
            return {};
        }
    }
    return text;
}

std::optional<guard::Error> replacedSince(const ObjectRef& ref, const json& object) {
    const std::string uid = textOf(child(object, "metadata"), "uid");
    if (ref.uid.empty() || ref.uid == uid) {
        return std::nullopt;
    }
    return Error(ErrorCode::NotFound, ref.key.text(), "it was deleted; another object has its name now");
}

std::vector<Revision> deploymentRevisions(const json& deployment, const Objects& replicaSets) {
    const std::string uid = textOf(child(deployment, "metadata"), "uid");
    const int current = revisionNumber(textOf(at(deployment, {"metadata", "annotations"}), kRevision));
    std::vector<Revision> revisions;
    for (const json& set : replicaSets) {
        const int number = revisionNumber(textOf(at(set, {"metadata", "annotations"}), kRevision));
        const json& podTemplate = at(set, {"spec", "template"});
        if (!ownedBy(set, uid) || number <= 0 || !podTemplate.is_object()) {
            continue;
        }
        revisions.push_back(revisionOf(set, guard::kinds::replicaSets(), number, podTemplate));
        revisions.back().current = number == current;
    }
    newestFirst(revisions);
    return revisions;
}

std::vector<Revision> controllerRevisions(const json& owner, const Objects& sources) {
    const std::string uid = textOf(child(owner, "metadata"), "uid");
    const std::string current = textOf(child(owner, "status"), "updateRevision");
    std::vector<Revision> revisions;
    for (const json& source : sources) {
        const json& podTemplate = at(source, {"data", "spec", "template"});
        const auto number = integerOf(source, "revision");
        if (!ownedBy(source, uid) || !number || *number <= 0 || *number > 1'000'000'000 || !podTemplate.is_object()) {
            continue;
        }
        revisions.push_back(revisionOf(source, controllerRevisionKind(), static_cast<int>(*number), podTemplate));
        revisions.back().current = !current.empty() && revisions.back().source.key.name == current;
    }
    newestFirst(revisions);
    if (current.empty() && !revisions.empty()) {
        revisions.front().current = true; // a DaemonSet names none: its newest is the one it rolls to
    }
    return revisions;
}

void readRevisions(const CorePtr& core, const ObjectRef& workload, Done<Answer<std::vector<Revision>>> done) {
    const bool deployment = workload.key.kind == guard::kinds::deployments();
    if (!deployment && !(workload.key.kind == guard::kinds::statefulSets()) &&
        !(workload.key.kind == guard::kinds::daemonSets())) {
        done(guard::fail(ErrorCode::Unsupported, workload.key.text(),
                         "only Deployments, StatefulSets and DaemonSets have revisions"));
        return;
    }
    core->getObject(workload.key, [core, workload, deployment, done = std::move(done)](const Result<json>& object) {
        if (!object) {
            done(tl::unexpected(object.error()));
            return;
        }
        if (auto replaced = replacedSince(workload, *object)) {
            done(tl::unexpected(std::move(*replaced)));
            return;
        }
        ListQuery request;
        request.kind = deployment ? guard::kinds::replicaSets() : controllerRevisionKind();
        request.scope.ns = workload.key.ns;
        request.scope.labelSelector = labelSelectorText(at(*object, {"spec", "selector"}));
        request.limit = kMaxRevisions;
        request.checkNamespace = false;
        core->list(std::move(request),
                   [workload, deployment, owner = *object, done](const Result<Answer<Objects>>& answer) {
                       if (!answer) {
                           done(tl::unexpected(answer.error()));
                           return;
                       }
                       auto revisions = deployment ? deploymentRevisions(owner, answer->partial())
                                                   : controllerRevisions(owner, answer->partial());
                       done(Answer<std::vector<Revision>>(std::move(revisions), "revisions of " + workload.key.text(),
                                                          answer->gaps()));
                   });
    });
}

} // namespace alidade::cluster
