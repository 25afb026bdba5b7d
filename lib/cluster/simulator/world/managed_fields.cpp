// SPDX-License-Identifier: GPL-3.0-or-later
// metadata.managedFields (KEP-555): who set which field last, as fieldsV1 trees.
#include "world/fields.hpp"
#include "world/patch.hpp"
#include "world/registry.hpp"

namespace alidade::simulator {

namespace {

std::string elementKey(const Json& element, const std::vector<std::string>& keys) {
    Json id = Json::object();
    for (const auto& key : keys)
        if (element.is_object() && element.contains(key))
            id[key] = element[key];
    return id.empty() ? std::string() : "k:" + dump(id);
}

std::vector<std::string> keysOf(std::string_view parent, std::string_view field) {
    auto keys = mergeKeys(parent, field);
    if (field == "ports" && !keys.empty())
        keys.emplace_back("protocol");
    return keys;
}

const Json* findByKey(const Json& list, const std::string& key, const std::vector<std::string>& keys) {
    for (const auto& element : items(list))
        if (elementKey(element, keys) == key)
            return &element;
    return nullptr;
}

void changed(const Json& before, const Json& after, std::string_view parent, Json& out) {
    for (const auto& [key, value] : after.items()) {
        const Json& was = at(before, key);
        if (was == value)
            continue;
        Json& node = out["f:" + key];
        node = Json::object();
        if (value.is_object()) {
            changed(was, value, key, node);
        } else if (const auto keys = keysOf(parent, key); value.is_array() && !keys.empty()) {
            for (const auto& element : value) {
                const auto id = elementKey(element, keys);
                if (id.empty())
                    continue;
                const Json* same = findByKey(was, id, keys);
                if (same != nullptr && *same == element)
                    continue;
                Json& child = node[id];
                child = Json::object();
                if (same == nullptr)
                    child["."] = Json::object();
                changed(same == nullptr ? Json() : *same, element, key, child);
            }
        }
    }
}

bool isLeaf(const Json& tree) { return tree.empty() || (tree.size() == 1 && tree.contains(".")); }

} // namespace

Json changedFields(const Json& before, const Json& after) {
    Json out = Json::object();
    Json b = before.is_object() ? before : Json::object();
    Json a = after;
    for (Json* doc : {&a, &b}) {
        doc->erase("kind");
        doc->erase("apiVersion");
        if (!doc->contains("metadata"))
            continue;
        Json meta = Json::object();
        for (const auto* key : {"labels", "annotations", "finalizers", "ownerReferences"})
            if (doc->at("metadata").contains(key))
                meta[key] = doc->at("metadata")[key];
        if (meta.empty())
            doc->erase("metadata");
        else
            (*doc)["metadata"] = meta;
    }
    changed(b, a, "root", out);
    return out;
}

void subtractFields(Json& tree, const Json& taken) {
    for (const auto& [key, value] : members(taken)) {
        if (!tree.contains(key))
            continue;
        if (isLeaf(value) || isLeaf(tree[key]))
            tree.erase(key);
        else {
            subtractFields(tree[key], value);
            if (tree[key].empty())
                tree.erase(key);
        }
    }
}

void addFields(Json& tree, const Json& more) {
    for (const auto& [key, value] : members(more)) {
        if (!tree.contains(key))
            tree[key] = value;
        else
            addFields(tree[key], value);
    }
}

void recordManager(const KindDef& kind, const Json& before, Json& after, const Actor& actor,
                   std::string_view subresource, WallTime now) {
    Json fields = changedFields(before, after);
    if (fields.empty())
        return;
    Json& list = after["metadata"]["managedFields"];
    if (!list.is_array())
        list = Json::array();
    const auto apiVersion = actor.apiVersion.empty() ? kind.apiVersion() : actor.apiVersion;
    const std::string operation = actor.apply ? "Apply" : "Update";
    Json kept = Json::array();
    Json own = Json::object();
    for (auto& entry : list) {
        if (!entry.is_object())
            continue;
        const bool mine = str(at(entry, "manager")) == actor.manager && str(at(entry, "operation")) == operation &&
                          str(at(entry, "subresource")) == subresource;
        if (mine) {
            own = at(entry, "fieldsV1");
            if (!own.is_object())
                own = Json::object();
            continue;
        }
        Json rest = at(entry, "fieldsV1");
        subtractFields(rest, fields);
        if (rest.empty())
            continue;
        entry["fieldsV1"] = rest;
        kept.push_back(entry);
    }
    addFields(own, fields);
    Json entry = {{"manager", actor.manager}, {"operation", operation},   {"apiVersion", apiVersion},
                  {"time", stamp(now)},       {"fieldsType", "FieldsV1"}, {"fieldsV1", own}};
    if (!subresource.empty())
        entry["subresource"] = subresource;
    kept.push_back(entry);
    list = kept;
}

} // namespace alidade::simulator
