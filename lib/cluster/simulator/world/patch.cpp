// SPDX-License-Identifier: GPL-3.0-or-later
#include "world/patch.hpp"

#include <algorithm>

namespace alidade::simulator {

namespace {

struct MergeList {
    std::string_view field;
    std::vector<std::string> keys;
    std::string_view parent; ///< "" any
};

// patchMergeKey of k8s.io/api's types; a list that is not here is atomic.
const std::vector<MergeList>& mergeLists() {
    static const std::vector<MergeList> lists{
        {"containers", {"name"}, ""},
        {"initContainers", {"name"}, ""},
        {"ephemeralContainers", {"name"}, ""},
        {"env", {"name"}, ""},
        {"ports", {"port"}, "spec"},
        {"ports", {"containerPort"}, "containers"},
        {"ports", {"containerPort"}, "initContainers"},
        {"volumes", {"name"}, ""},
        {"volumeMounts", {"mountPath"}, ""},
        {"volumeDevices", {"devicePath"}, ""},
        {"imagePullSecrets", {"name"}, ""},
        {"hostAliases", {"ip"}, ""},
        {"topologySpreadConstraints", {"topologyKey"}, ""},
        {"conditions", {"type"}, "status"},
        {"addresses", {"type"}, "status"},
        {"ownerReferences", {"uid"}, "metadata"},
        {"secrets", {"name"}, "root"},
        {"podIPs", {"ip"}, "status"},
    };
    return lists;
}

bool primitiveMerge(std::string_view parent, std::string_view field) {
    return field == "finalizers" && (parent == "metadata" || parent == "spec");
}

Json& listOf(Json& target, const std::string& field) {
    Json& list = target[field];
    if (!list.is_array())
        list = Json::array();
    return list;
}

std::optional<Refusal> strategic(Json& target, const Json& patch, std::string_view parent);

std::optional<Refusal> mergeList(Json& target, const std::string& field, const Json& patch, const std::string& key) {
    if (std::any_of(patch.begin(), patch.end(), [](const Json& e) { return str(at(e, "$patch")) == "replace"; })) {
        Json fresh = Json::array();
        for (const auto& element : patch)
            if (str(at(element, "$patch")).empty())
                fresh.push_back(element);
        target[field] = std::move(fresh);
        return std::nullopt;
    }
    Json& list = listOf(target, field);
    for (const auto& element : patch) {
        if (!element.is_object() || !element.contains(key))
            return badRequest("map: " + dump(element) + " does not contain declared merge key: " + key);
        const auto found =
            std::find_if(list.begin(), list.end(), [&](const Json& e) { return at(e, key) == element[key]; });
        if (str(at(element, "$patch")) == "delete") {
            if (found != list.end())
                list.erase(found);
            continue;
        }
        if (found == list.end()) {
            Json fresh = Json::object();
            if (auto wrong = strategic(fresh, element, field))
                return wrong;
            list.push_back(std::move(fresh));
        } else if (auto wrong = strategic(*found, element, field)) {
            return wrong;
        }
    }
    return std::nullopt;
}

void orderList(Json& list, const Json& order, const std::string& key) {
    auto& elements = list.get_ref<Json::array_t&>();
    const auto place = [&](const Json& element) {
        const Json& value = key.empty() ? element : at(element, key);
        for (std::size_t i = 0; i < order.size(); ++i) {
            const Json& wanted = key.empty() || !order[i].is_object() ? order[i] : at(order[i], key);
            if (wanted == value)
                return i;
        }
        return order.size();
    };
    std::stable_sort(elements.begin(), elements.end(),
                     [&](const Json& a, const Json& b) { return place(a) < place(b); });
}

std::optional<Refusal> strategic(Json& target, const Json& patch, std::string_view parent) {
    if (!patch.is_object()) {
        target = patch;
        return std::nullopt;
    }
    const auto directive = str(at(patch, "$patch"));
    if (directive == "replace" || directive == "delete") {
        target = Json::object();
        if (directive == "replace")
            for (const auto& [key, value] : patch.items())
                if (key != "$patch")
                    target[key] = value;
        return std::nullopt;
    }
    if (!target.is_object())
        target = Json::object();
    std::vector<std::pair<std::string, const Json*>> orders;
    for (const auto& [key, value] : patch.items()) {
        if (key == "$patch" || key == "$retainKeys")
            continue;
        if (key.starts_with("$setElementOrder/")) {
            orders.emplace_back(key.substr(17), &value);
        } else if (key.starts_with("$deleteFromPrimitiveList/")) {
            Json& list = listOf(target, key.substr(25));
            for (const auto& element : items(value))
                list.erase(std::remove(list.begin(), list.end(), element), list.end());
        } else if (value.is_null()) {
            target.erase(key);
        } else if (value.is_object()) {
            if (auto wrong = strategic(target[key], value, key))
                return wrong;
        } else if (value.is_array()) {
            const auto keys = mergeKeys(parent, key);
            if (!keys.empty()) {
                if (auto wrong = mergeList(target, key, value, keys.front()))
                    return wrong;
            } else if (primitiveMerge(parent, key)) {
                Json& list = listOf(target, key);
                for (const auto& element : value)
                    if (std::find(list.begin(), list.end(), element) == list.end())
                        list.push_back(element);
            } else {
                target[key] = value;
            }
        } else {
            target[key] = value;
        }
    }
    if (const auto& retain = at(patch, "$retainKeys"); retain.is_array()) {
        for (auto it = target.begin(); it != target.end();)
            it = std::find(retain.begin(), retain.end(), Json(it.key())) == retain.end() ? target.erase(it)
                                                                                         : std::next(it);
    }
    for (const auto& [field, order] : orders)
        if (target.contains(field) && target[field].is_array() && order->is_array()) {
            const auto keys = mergeKeys(parent, field);
            orderList(target[field], *order, keys.empty() ? std::string() : keys.front());
        }
    return std::nullopt;
}

} // namespace

std::vector<std::string> mergeKeys(std::string_view parent, std::string_view field) {
    for (const auto& list : mergeLists())
        if (list.field == field && (list.parent.empty() || list.parent == parent))
            return list.keys;
    return {};
}

Outcome<Json> applyJsonPatch(const Json& document, const Json& patch) {
    if (!patch.is_array())
        return tl::unexpected(
            badRequest("error decoding patch: json: cannot unmarshal into Go value of type jsonpatch.Patch"));
    for (const auto& op : patch)
        if (!op.is_object() || !at(op, "op").is_string() || !at(op, "path").is_string())
            return tl::unexpected(bareInvalid());
    try {
        return document.patch(patch);
    } catch (const Json::exception&) {
        return tl::unexpected(bareInvalid());
    }
}

Json applyMergePatch(const Json& document, const Json& patch) {
    Json out = document;
    out.merge_patch(patch);
    return out;
}

Outcome<Json> applyStrategicPatch(const Json& document, const Json& patch) {
    Json out = document;
    if (!patch.is_object())
        return tl::unexpected(badRequest("error decoding patch: the patch is not an object"));
    if (auto wrong = strategic(out, patch, "root"))
        return tl::unexpected(std::move(*wrong));
    return out;
}

} // namespace alidade::simulator
