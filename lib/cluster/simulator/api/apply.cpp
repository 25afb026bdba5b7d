// SPDX-License-Identifier: GPL-3.0-or-later
// Server-side apply: fields with owners, conflicts, and removal of what an owner no longer wants.
#include <algorithm>
#include <map>

#include "api/convert.hpp"
#include "api/server.hpp"
#include "world/fields.hpp"
#include "world/patch.hpp"

namespace alidade::simulator {

namespace {

Json keyOf(const std::string& name) { return Json::parse(std::string_view(name).substr(2), nullptr, false); }

bool holds(const Json& element, const Json& key) {
    if (!key.is_object())
        return false;
    return std::all_of(
               key.begin(), key.end(),
               [&](const Json& value) { return std::find(element.begin(), element.end(), value) != element.end(); }) &&
           std::all_of(members(key).begin(), members(key).end(),
                       [&](const auto& pair) { return at(element, pair.first) == pair.second; });
}

const Json& child(const Json& value, const std::string& name) {
    if (name.starts_with("f:"))
        return at(value, std::string_view(name).substr(2));
    if (name.starts_with("k:")) {
        const auto key = keyOf(name);
        for (const auto& element : items(value))
            if (holds(element, key))
                return element;
    }
    return at(value, "no such child");
}

std::string pathOf(const std::string& path, const std::string& name) {
    if (name.starts_with("f:"))
        return path + "." + name.substr(2);
    const auto key = keyOf(name);
    std::string inside;
    for (const auto& [field, value] : members(key))
        inside += (inside.empty() ? "" : ",") + field + "=" + dump(value);
    return path + "[" + inside + "]";
}

/// Leaves that both trees hold and whose values differ.
void conflicts(const Json& theirs, const Json& ours, const Json& live, const Json& wanted, const std::string& path,
               std::vector<std::string>& out) {
    for (const auto& [name, tree] : members(ours)) {
        if (name == "." || !theirs.contains(name))
            continue;
        const Json& other = theirs[name];
        const Json& now = child(live, name);
        const Json& then = child(wanted, name);
        const auto here = pathOf(path, name);
        const auto leaf = [](const Json& t) { return t.empty() || (t.size() == 1 && t.contains(".")); };
        if (leaf(tree) || leaf(other)) {
            if (now != then && !(then.is_object() && leaf(other) && !leaf(tree)))
                out.push_back(here);
        } else {
            conflicts(other, tree, now, then, here, out);
        }
    }
}

std::string managerText(const Json& entry) {
    std::string out = "\"" + str(at(entry, "manager")) + "\"";
    if (const auto sub = str(at(entry, "subresource")); !sub.empty())
        out += " with subresource \"" + sub + "\"";
    if (str(at(entry, "operation")) == "Update") {
        out += " using " + str(at(entry, "apiVersion"));
        if (const auto time = str(at(entry, "time")); !time.empty())
            out += " at " + time;
    }
    return out;
}

/// Removes from `doc` the leaves that `old` owned, `kept` does not own, and nobody else owns.
void removeFields(Json& doc, const Json& gone) {
    for (const auto& [name, tree] : members(gone)) {
        if (name == ".")
            continue;
        const bool leaf = tree.empty() || (tree.size() == 1 && tree.contains("."));
        if (name.starts_with("f:")) {
            const auto field = name.substr(2);
            if (!doc.is_object() || !doc.contains(field))
                continue;
            if (leaf)
                doc.erase(field);
            else
                removeFields(doc[field], tree);
        } else if (name.starts_with("k:") && doc.is_array()) {
            const auto key = keyOf(name);
            for (auto it = doc.begin(); it != doc.end(); ++it) {
                if (!holds(*it, key))
                    continue;
                if (tree.contains("."))
                    doc.erase(it);
                else
                    removeFields(*it, tree);
                break;
            }
        }
    }
}

} // namespace

void ApiServer::apply(Call& call, const Json& wanted) {
    const auto manager = param(call.request, "fieldManager");
    if (manager.empty())
        return refuse(
            call,
            {422,
             "Invalid",
             "PatchOptions.meta.k8s.io \"\" is invalid: fieldManager: Required value: is required for apply patch",
             {{"group", "meta.k8s.io"},
              {"kind", "PatchOptions"},
              {"causes", Json::array({{{"reason", "FieldValueRequired"},
                                       {"message", "Required value: is required for apply patch"},
                                       {"field", "fieldManager"}}})}},
             {}});
    if (!at(wanted, {"metadata", "managedFields"}).is_null())
        return refuse(call, badRequest("metadata.managedFields must be nil"));
    if (str(at(wanted, "kind")) != call.served->kind->kind ||
        str(at(wanted, "apiVersion")) != call.served->apiVersion())
        return refuse(call, badRequest("the object's kind or apiVersion does not match the request's"));
    Json config = stored(*call.served, wanted);
    config.erase("kind");
    config.erase("apiVersion");
    const Json fields = changedFields(Json::object(), config);
    const auto entry = [&](const Json& tree) {
        Json out = {
            {"manager", manager},          {"operation", "Apply"},     {"apiVersion", call.served->apiVersion()},
            {"time", stamp(world_.now())}, {"fieldsType", "FieldsV1"}, {"fieldsV1", tree}};
        if (!call.subresource.empty())
            out["subresource"] = call.subresource;
        return out;
    };
    Actor actor{manager, call.served->apiVersion(), true};
    const auto old = world_.find(*call.served->kind, call.ns, call.name);
    if (!old) {
        if (!call.subresource.empty())
            return refuse(call, notFound(*call.served->kind, call.name));
        object(config, "metadata")["name"] = call.name;
        const auto made = registry_.create(*call.served->kind, call.ns, std::move(config), actor, call.dryRun());
        if (!made)
            return refuse(call, made.error());
        return answerObject(call, 201, **made);
    }
    Json causes = Json::array();
    std::map<std::string, std::vector<std::string>> byManager;
    Json others = Json::array();
    Json othersFields = Json::object();
    Json before = Json::object();
    for (const auto& one : items(at(old->doc(), {"metadata", "managedFields"}))) {
        const bool mine = str(at(one, "manager")) == manager && str(at(one, "operation")) == "Apply" &&
                          str(at(one, "subresource")) == call.subresource;
        if (mine) {
            before = at(one, "fieldsV1");
            continue;
        }
        std::vector<std::string> paths;
        conflicts(at(one, "fieldsV1"), fields, old->doc(), config, "", paths);
        for (const auto& path : paths) {
            const auto who = managerText(one);
            causes.push_back(
                {{"reason", "FieldManagerConflict"}, {"message", "conflict with " + who}, {"field", path}});
            byManager[who].push_back(path);
        }
        Json kept = one;
        if (!paths.empty())
            subtractFields(kept["fieldsV1"], fields);
        if (kept["fieldsV1"].empty())
            continue;
        addFields(othersFields, kept["fieldsV1"]);
        others.push_back(std::move(kept));
    }
    if (!causes.empty() && !flag(call.request, "force")) {
        std::string text;
        for (const auto& [who, paths] : byManager) {
            if (causes.size() == 1) {
                text = "conflict with " + who + ": " + paths.front();
                break;
            }
            text += (text.empty() ? "conflicts with " : "\nconflicts with ") + who + ":";
            for (const auto& path : paths)
                text += "\n- " + path;
        }
        return refuse(call, {409,
                             "Conflict",
                             "Apply failed with " + std::to_string(causes.size()) +
                                 (causes.size() == 1 ? " conflict: " : " conflicts: ") + text,
                             {{"causes", causes}},
                             {}});
    }
    const Json current = old->doc();
    auto merged = applyStrategicPatch(current, config);
    if (!merged)
        return refuse(call, merged.error());
    Json gone = before;
    subtractFields(gone, fields);
    subtractFields(gone, othersFields);
    removeFields(*merged, gone);
    others.push_back(entry(fields));
    object(*merged, "metadata")["managedFields"] = others;
    if (at(current, {"metadata", "managedFields"}).is_array()) {
        // Applying the same again changes nothing, not even a time.
        Json same = *merged;
        Json was = current;
        for (Json* doc : {&same, &was})
            for (auto& one : (*doc)["metadata"]["managedFields"])
                one.erase("time");
        if (same == was)
            return answerObject(call, 200, *old);
    }
    const auto done = registry_.update(old, std::move(*merged), call.subresource, actor, call.dryRun());
    if (!done)
        return refuse(call, done.error());
    answerObject(call, 200, **done);
}

} // namespace alidade::simulator
