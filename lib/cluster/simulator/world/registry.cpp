// SPDX-License-Identifier: GPL-3.0-or-later
#include "world/registry.hpp"

#include <algorithm>

#include "world/quota.hpp"

namespace alidade::simulator {

namespace {

bool hasStatusSubresource(const KindDef& kind) { return kind.serves("status"); }

Json withoutVolatile(Json doc) {
    if (doc.contains("metadata")) {
        doc["metadata"].erase("resourceVersion");
        doc["metadata"].erase("managedFields");
    }
    return doc;
}

bool sameObject(const Json& a, const Json& b) { return withoutVolatile(a) == withoutVolatile(b); }

std::vector<std::string> finalizersOf(const Json& doc) {
    std::vector<std::string> out;
    for (const auto& f : items(at(doc, {"metadata", "finalizers"})))
        out.push_back(str(f));
    return out;
}

std::string goList(const std::vector<std::string>& words) {
    std::string out = "[]string{";
    for (std::size_t i = 0; i < words.size(); ++i)
        out += (i ? ", " : "") + ("\"" + words[i] + "\"");
    return out + "}";
}

/// Kinds whose deletion passes through their controller and finalizer.
bool isNamespace(const KindDef& kind) { return kind.group.empty() && kind.resource == "namespaces"; }
bool isPod(const KindDef& kind) { return kind.group.empty() && kind.resource == "pods"; }

} // namespace

Registry::Registry(World& world) : world_(world) {
    world_.listen([this](const Change& change) { collect(change); });
}

std::optional<Refusal> Registry::admit(const KindDef& kind, std::string_view ns, const Json& doc) const {
    if (!kind.namespaced)
        return std::nullopt;
    const auto& namespaces = world_.kind("namespaces");
    const auto space = world_.find(namespaces, "", ns);
    if (!space)
        return notFound(namespaces, ns);
    if (space->deleting() && !(kind.resource == "events")) {
        auto refusal = forbidden(kind, str(doc, {"metadata", "name"}),
                                 "unable to create new content in namespace " + std::string(ns) +
                                     " because it is being terminated");
        refusal.details["causes"] = Json::array({{{"reason", "NamespaceTerminating"},
                                                  {"message", "namespace " + std::string(ns) + " is being terminated"},
                                                  {"field", "metadata.namespace"}}});
        return refusal;
    }
    if (isPod(kind))
        return checkQuota(world_, ns, doc);
    return std::nullopt;
}

Outcome<EntryPtr> Registry::create(const KindDef& kind, std::string_view ns, Json doc, const Actor& actor,
                                   bool dryRun) {
    auto& meta = object(doc, "metadata");
    const auto claimed = str(at(meta, "namespace"));
    if (kind.namespaced && !claimed.empty() && claimed != ns)
        return tl::unexpected(
            badRequest("the namespace of the provided object does not match the namespace sent on the request"));
    if (kind.namespaced)
        meta["namespace"] = ns;
    else
        meta.erase("namespace");
    if (!str(at(meta, "resourceVersion")).empty())
        return tl::unexpected(badRequest("resourceVersion should not be set on objects to be created"));
    if (str(at(meta, "name")).empty() && !str(at(meta, "generateName")).empty())
        meta["name"] = str(at(meta, "generateName")) + world_.randomSuffix(5);
    if (str(at(meta, "name")).empty())
        return tl::unexpected(invalid(
            kind, "", {{"FieldValueRequired", "metadata.name", "Required value: name or generateName is required"}}));
    doc.erase("kind");
    doc.erase("apiVersion");
    for (const auto* key :
         {"resourceVersion", "deletionTimestamp", "deletionGracePeriodSeconds", "managedFields", "selfLink"})
        meta.erase(key);
    meta["uid"] = world_.newUid();
    meta["creationTimestamp"] = stamp(world_.now());
    if (kind.hasGeneration)
        meta["generation"] = 1;
    if (hasStatusSubresource(kind))
        doc.erase("status");
    const auto name = str(at(meta, "name"));
    if (auto refusal = admit(kind, ns, doc))
        return tl::unexpected(std::move(*refusal));
    applyDefaults(world_, kind, doc, nullptr);
    if (const auto causes = validate(kind, doc, nullptr); !causes.empty())
        return tl::unexpected(invalid(kind, name, causes));
    if (world_.find(kind, ns, name))
        return tl::unexpected(alreadyExists(kind, name));
    recordManager(kind, Json::object(), doc, actor, "", world_.now());
    if (dryRun)
        return std::make_shared<const Entry>(kind, std::move(doc), 0);
    return world_.write(kind, std::move(doc));
}

Outcome<EntryPtr> Registry::update(const EntryPtr& old, Json doc, std::string_view subresource, const Actor& actor,
                                   bool dryRun) {
    const auto& kind = old->kind();
    const Json& before = old->doc();
    doc.erase("kind");
    doc.erase("apiVersion");
    auto& meta = object(doc, "metadata");
    const auto name = str(at(meta, "name"), old->name());
    if (name != old->name())
        return tl::unexpected(badRequest("the name of the object (" + name + ") does not match the name on the URL (" +
                                         old->name() + ")"));
    if (const auto ns = str(at(meta, "namespace")); !ns.empty() && ns != old->ns())
        return tl::unexpected(
            badRequest("the namespace of the provided object does not match the namespace sent on the request"));
    if (const auto rv = str(at(meta, "resourceVersion"));
        !rv.empty() && rv != str(before, {"metadata", "resourceVersion"}))
        return tl::unexpected(conflict(kind, name));
    if (const auto uid = str(at(meta, "uid")); !uid.empty() && uid != old->uid())
        return tl::unexpected(conflict(
            kind, name, "Precondition failed: UID in precondition: " + uid + ", UID in object meta: " + old->uid()));
    for (const auto* key : {"uid", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds", "generation",
                            "name", "namespace", "resourceVersion", "generateName", "managedFields"}) {
        // Managers may rewrite managedFields (kubectl does, when it moves to server-side apply); leaving them out
        // changes nothing. Everything else in this list is the server's.
        if (std::string_view(key) == "managedFields" && at(meta, key).is_array())
            continue;
        if (at(before, "metadata").contains(key))
            meta[key] = before["metadata"][key];
        else
            meta.erase(key);
    }
    if (subresource == "status") {
        Json merged = before;
        if (doc.contains("status"))
            merged["status"] = doc["status"];
        if (actor.apply && meta.contains("managedFields"))
            merged["metadata"]["managedFields"] = meta["managedFields"];
        doc = std::move(merged);
    } else if (hasStatusSubresource(kind)) {
        if (before.contains("status"))
            doc["status"] = before["status"];
        else
            doc.erase("status");
    }
    if (subresource != "status")
        applyDefaults(world_, kind, doc, &before);
    if (const auto causes = validate(kind, doc, &before); !causes.empty())
        return tl::unexpected(invalid(kind, name, causes));
    if (old->deleting()) {
        std::vector<std::string> fresh;
        const auto had = finalizersOf(before);
        for (const auto& f : finalizersOf(doc))
            if (std::find(had.begin(), had.end(), f) == had.end())
                fresh.push_back(f);
        if (!fresh.empty())
            return tl::unexpected(invalid(
                kind, name,
                {{"FieldValueForbidden", "metadata.finalizers",
                  "Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers " +
                      goList(fresh)}}));
    }
    if (sameObject(before, doc) && at(before, {"metadata", "managedFields"}) == at(doc, {"metadata", "managedFields"}))
        return old;
    if (kind.hasGeneration && at(before, "spec") != at(doc, "spec"))
        doc["metadata"]["generation"] = integer(before, {"metadata", "generation"}, 1) + 1;
    if (!actor.apply)
        recordManager(kind, before, doc, actor, subresource, world_.now());
    if (dryRun)
        return std::make_shared<const Entry>(kind, std::move(doc), old->rv());
    auto stored = world_.write(kind, std::move(doc));
    if (stored->deleting() && finalizersOf(stored->doc()).empty() &&
        integer(stored->doc(), {"metadata", "deletionGracePeriodSeconds"}) == 0 && !isNamespace(kind)) {
        world_.erase(kind, stored->ns(), stored->name());
    }
    return stored;
}

void Registry::amend(const KindDef& kind, std::string_view ns, std::string_view name,
                     const std::function<void(Json&)>& change) {
    const auto entry = world_.find(kind, ns, name);
    if (!entry)
        return;
    Json doc = entry->doc();
    change(doc);
    if (doc == entry->doc())
        return;
    if (kind.hasGeneration && at(entry->doc(), "spec") != at(doc, "spec"))
        doc["metadata"]["generation"] = integer(doc, {"metadata", "generation"}, 1) + 1;
    const auto stored = world_.write(kind, std::move(doc));
    if (stored->deleting() && finalizersOf(stored->doc()).empty() &&
        integer(stored->doc(), {"metadata", "deletionGracePeriodSeconds"}) == 0 && !isNamespace(kind))
        world_.erase(kind, stored->ns(), stored->name());
}

Outcome<Deleted> Registry::remove(const EntryPtr& entry, const DeleteOptions& options) {
    const auto& kind = entry->kind();
    if (!options.uid.empty() && options.uid != entry->uid())
        return tl::unexpected(conflict(kind, entry->name(),
                                       "Precondition failed: UID in precondition: " + options.uid +
                                           ", UID in object meta: " + entry->uid()));
    const auto rv = str(entry->doc(), {"metadata", "resourceVersion"});
    if (!options.resourceVersion.empty() && options.resourceVersion != rv)
        return tl::unexpected(conflict(kind, entry->name(),
                                       "Precondition failed: ResourceVersion in precondition: " +
                                           options.resourceVersion + ", ResourceVersion in object meta: " + rv));
    Json doc = entry->doc();
    std::int64_t grace = 0;
    if (isPod(kind)) {
        const auto phase = str(doc, {"status", "phase"});
        const bool running = !str(doc, {"spec", "nodeName"}).empty() && phase != "Succeeded" && phase != "Failed";
        grace =
            running ? options.graceSeconds.value_or(integer(doc, {"spec", "terminationGracePeriodSeconds"}, 30)) : 0;
    }
    auto finalizers = finalizersOf(doc);
    const bool hasDependents = !world_.dependents(entry->uid()).empty();
    if (options.propagation == Propagation::Foreground && hasDependents &&
        std::find(finalizers.begin(), finalizers.end(), "foregroundDeletion") == finalizers.end())
        finalizers.emplace_back("foregroundDeletion");
    const bool held = grace > 0 || !finalizers.empty() || isNamespace(kind);
    if (options.dryRun)
        return Deleted{entry, !held};
    if (options.propagation == Propagation::Orphan)
        orphan(entry->uid());
    if (!held) {
        world_.erase(kind, entry->ns(), entry->name());
        return Deleted{entry, true};
    }
    if (entry->deleting()) {
        const auto standing = integer(doc, {"metadata", "deletionGracePeriodSeconds"});
        if (grace >= standing && finalizers == finalizersOf(doc))
            return Deleted{entry, false};
    }
    doc["metadata"]["deletionTimestamp"] = stamp(world_.now() + std::chrono::seconds(grace));
    doc["metadata"]["deletionGracePeriodSeconds"] = grace;
    if (!finalizers.empty())
        doc["metadata"]["finalizers"] = finalizers;
    if (kind.hasGeneration)
        doc["metadata"]["generation"] = integer(doc, {"metadata", "generation"}, 1) + 1;
    if (isNamespace(kind)) {
        object(doc, "status")["phase"] = "Terminating";
        doc["metadata"].erase("deletionGracePeriodSeconds");
    }
    auto stored = world_.write(kind, std::move(doc));
    if (options.propagation == Propagation::Foreground) {
        const auto uid = stored->uid();
        world_.clock().after(Millis(20), [this, uid] { sweepForeground(uid); });
    }
    return Deleted{stored, false};
}

void Registry::finish(const EntryPtr& entry) {
    const auto now = world_.find(entry->kind(), entry->ns(), entry->name());
    if (!now || now->uid() != entry->uid())
        return;
    if (finalizersOf(now->doc()).empty()) {
        world_.erase(now->kind(), now->ns(), now->name());
    } else {
        amend(now->kind(), now->ns(), now->name(),
              [](Json& doc) { doc["metadata"]["deletionGracePeriodSeconds"] = 0; });
    }
}

void Registry::dropFinalizer(const EntryPtr& entry, std::string_view finalizer) {
    amend(entry->kind(), entry->ns(), entry->name(), [&](Json& doc) {
        Json kept = Json::array();
        for (const auto& f : items(at(doc, {"metadata", "finalizers"})))
            if (str(f) != finalizer)
                kept.push_back(f);
        if (kept.empty())
            doc["metadata"].erase("finalizers");
        else
            doc["metadata"]["finalizers"] = kept;
    });
}

void Registry::orphan(const std::string& uid) {
    for (const auto& child : world_.dependents(uid))
        amend(child->kind(), child->ns(), child->name(), [&](Json& doc) {
            Json kept = Json::array();
            for (const auto& owner : items(at(doc, {"metadata", "ownerReferences"})))
                if (str(at(owner, "uid")) != uid)
                    kept.push_back(owner);
            if (kept.empty())
                doc["metadata"].erase("ownerReferences");
            else
                doc["metadata"]["ownerReferences"] = kept;
        });
}

void Registry::sweepForeground(const std::string& ownerUid) {
    const auto owner = world_.findByUid(ownerUid);
    if (!owner || !owner->deleting())
        return;
    const auto children = world_.dependents(ownerUid);
    if (children.empty()) {
        dropFinalizer(owner, "foregroundDeletion");
        return;
    }
    for (const auto& child : children) {
        if (child->deleting())
            continue;
        DeleteOptions options;
        options.propagation = Propagation::Foreground;
        (void)remove(child, options);
    }
}

/// Garbage collection: the dependents of what is gone go too, unless another owner still lives.
void Registry::collect(const Change& change) {
    if (change.type != ChangeType::Deleted)
        return;
    const auto uid = change.object->uid();
    for (const auto& owner : items(at(change.object->doc(), {"metadata", "ownerReferences"}))) {
        const auto ownerUid = str(at(owner, "uid"));
        world_.clock().after(Millis(20), [this, ownerUid] { sweepForeground(ownerUid); });
    }
    if (world_.dependents(uid).empty())
        return;
    world_.clock().after(Millis(50), [this, uid] {
        for (const auto& child : world_.dependents(uid)) {
            const auto& owners = items(at(child->doc(), {"metadata", "ownerReferences"}));
            const bool another = std::any_of(owners.begin(), owners.end(), [&](const Json& owner) {
                return world_.findByUid(str(at(owner, "uid"))) != nullptr;
            });
            if (another)
                orphan(uid);
            else if (!child->deleting())
                (void)remove(child);
        }
    });
}

} // namespace alidade::simulator
