// SPDX-License-Identifier: GPL-3.0-or-later
// What is served: /api, /apis, per-version resource lists, aggregated discovery, and documents light enough for
// kubectl.
#include <algorithm>

#include "api/openapi_v2.hpp"
#include "api/server.hpp"

namespace alidade::simulator {

namespace {

const std::vector<std::string> allVerbs{"create", "delete", "deletecollection", "get",
                                        "list",   "patch",  "update",           "watch"};

/// verbs, and the kind a subresource answers with.
struct SubresourceInfo {
    std::vector<std::string> verbs;
    std::string group, version, kind;
};

SubresourceInfo infoOf(const Served& served, const std::string& subresource) {
    if (subresource == "scale")
        return {{"get", "patch", "update"}, "autoscaling", "v1", "Scale"};
    if (subresource == "log")
        return {{"get"}, "", "", "Pod"};
    if (subresource == "eviction")
        return {{"create"}, "policy", "v1", "Eviction"};
    if (subresource == "binding")
        return {{"create"}, "", "", "Binding"};
    if (subresource == "finalize")
        return {{"update"}, "", "", served.kind->kind};
    return {{"get", "patch", "update"}, "", "", served.kind->kind};
}

/// Groups whose kinds are made of code, not of stored objects.
struct Virtual {
    std::string group, version, kind, resource;
    bool namespaced;
    std::vector<std::string> verbs;
};
const std::vector<Virtual>& virtuals() {
    static const std::vector<Virtual> list{
        {"authentication.k8s.io", "v1", "SelfSubjectReview", "selfsubjectreviews", false, {"create"}},
        {"authorization.k8s.io", "v1", "SelfSubjectAccessReview", "selfsubjectaccessreviews", false, {"create"}},
        {"authorization.k8s.io", "v1", "SelfSubjectRulesReview", "selfsubjectrulesreviews", false, {"create"}},
        {"authorization.k8s.io", "v1", "SubjectAccessReview", "subjectaccessreviews", false, {"create"}},
        {"metrics.k8s.io", "v1beta1", "NodeMetrics", "nodes", false, {"get", "list"}},
        {"metrics.k8s.io", "v1beta1", "PodMetrics", "pods", true, {"get", "list"}},
    };
    return list;
}

std::vector<std::string> groupsOf(const Kinds& kinds) {
    auto out = kinds.groups();
    for (const auto& v : virtuals())
        if (std::find(out.begin(), out.end(), v.group) == out.end())
            out.push_back(v.group);
    return out;
}

std::vector<std::string> versionsOf(const Kinds& kinds, const std::string& group) {
    auto out = kinds.versions(group);
    for (const auto& v : virtuals())
        if (v.group == group && std::find(out.begin(), out.end(), v.version) == out.end())
            out.push_back(v.version);
    return out;
}

std::string join(const std::string& group, const std::string& version) {
    return group.empty() ? version : group + "/" + version;
}

Json groupJson(const Kinds& kinds, const std::string& group) {
    Json versions = Json::array();
    for (const auto& version : versionsOf(kinds, group))
        versions.push_back({{"groupVersion", join(group, version)}, {"version", version}});
    return {{"name", group}, {"versions", versions}, {"preferredVersion", versions.front()}};
}

Json resourceList(const Kinds& kinds, const std::string& group, const std::string& version) {
    Json resources = Json::array();
    for (const auto& s : kinds.allServed()) {
        if (s.group != group || s.version != version)
            continue;
        Json one = {{"name", s.kind->resource},
                    {"singularName", s.kind->singular},
                    {"namespaced", s.kind->namespaced},
                    {"kind", s.kind->kind},
                    {"verbs", allVerbs}};
        if (!s.kind->shortNames.empty())
            one["shortNames"] = s.kind->shortNames;
        if (!s.kind->categories.empty())
            one["categories"] = s.kind->categories;
        resources.push_back(one);
        for (const auto& sub : s.kind->subresources) {
            const auto info = infoOf(s, sub);
            Json more = {{"name", s.kind->resource + "/" + sub},
                         {"singularName", ""},
                         {"namespaced", s.kind->namespaced},
                         {"kind", info.kind},
                         {"verbs", info.verbs}};
            if (!info.group.empty()) {
                more["group"] = info.group;
                more["version"] = info.version;
            }
            resources.push_back(more);
        }
    }
    for (const auto& v : virtuals())
        if (v.group == group && v.version == version)
            resources.push_back({{"name", v.resource},
                                 {"singularName", ""},
                                 {"namespaced", v.namespaced},
                                 {"kind", v.kind},
                                 {"verbs", v.verbs}});
    return {{"kind", "APIResourceList"},
            {"apiVersion", "v1"},
            {"groupVersion", join(group, version)},
            {"resources", resources}};
}

Json aggregated(const Kinds& kinds, const std::vector<std::string>& groups, const std::string& apiVersion) {
    Json list = Json::array();
    for (const auto& group : groups) {
        Json versions = Json::array();
        for (const auto& version : versionsOf(kinds, group)) {
            Json resources = Json::array();
            for (const auto& s : kinds.allServed()) {
                if (s.group != group || s.version != version)
                    continue;
                Json one = {{"resource", s.kind->resource},
                            {"responseKind", {{"group", group}, {"version", version}, {"kind", s.kind->kind}}},
                            {"scope", s.kind->namespaced ? "Namespaced" : "Cluster"},
                            {"singularResource", s.kind->singular},
                            {"verbs", allVerbs}};
                if (!s.kind->shortNames.empty())
                    one["shortNames"] = s.kind->shortNames;
                if (!s.kind->categories.empty())
                    one["categories"] = s.kind->categories;
                for (const auto& sub : s.kind->subresources) {
                    const auto info = infoOf(s, sub);
                    one["subresources"].push_back({{"subresource", sub},
                                                   {"verbs", info.verbs},
                                                   {"responseKind",
                                                    {{"group", info.group.empty() ? group : info.group},
                                                     {"version", info.version.empty() ? version : info.version},
                                                     {"kind", info.kind}}}});
                }
                resources.push_back(one);
            }
            for (const auto& v : virtuals())
                if (v.group == group && v.version == version)
                    resources.push_back({{"resource", v.resource},
                                         {"responseKind", {{"group", group}, {"version", version}, {"kind", v.kind}}},
                                         {"scope", v.namespaced ? "Namespaced" : "Cluster"},
                                         {"singularResource", ""},
                                         {"verbs", v.verbs}});
            versions.push_back({{"version", version}, {"resources", resources}, {"freshness", "Current"}});
        }
        Json meta = {{"creationTimestamp", nullptr}};
        if (!group.empty())
            meta["name"] = group;
        list.push_back({{"metadata", meta}, {"versions", versions}});
    }
    return {
        {"kind", "APIGroupDiscoveryList"}, {"apiVersion", apiVersion}, {"metadata", Json::object()}, {"items", list}};
}

/// "v2", "v2beta1" or nothing: which aggregated form the client prefers to the old one.
std::string aggregatedForm(const Call& call) {
    for (const auto line : call.request.headers.all("Accept"))
        for (const auto* version : {"v2", "v2beta1"})
            for (std::size_t pos = line.find("as=APIGroupDiscoveryList"); pos != std::string_view::npos;
                 pos = std::string_view::npos) {
                const std::string text(line);
                if (text.find("g=apidiscovery.k8s.io;v=" + std::string(version) + ";as") != std::string::npos ||
                    text.find("g=apidiscovery.k8s.io; v=" + std::string(version) + ";") != std::string::npos)
                    return version;
            }
    return {};
}

} // namespace

bool ApiServer::discovery(const Call& call, const std::vector<std::string>& s) {
    if (call.request.method != "GET" && call.request.method != "HEAD")
        return false;
    const auto& kinds = world_.kinds();
    if (s.empty()) {
        answer(call, 200,
               {{"paths",
                 {"/api", "/api/v1", "/apis", "/healthz", "/livez", "/openapi/v2", "/openapi/v3", "/readyz",
                  "/version"}}});
        return true;
    }
    if (s[0] == "openapi") {
        openapi(call, s);
        return true;
    }
    if (s.size() == 1 && (s[0] == "api" || s[0] == "apis")) {
        auto groups = groupsOf(kinds);
        std::erase_if(groups, [&](const std::string& group) { return group.empty() != (s[0] == "api"); });
        if (const auto form = aggregatedForm(call); !form.empty()) {
            answerBytes(call, 200, dump(aggregated(kinds, groups, "apidiscovery.k8s.io/" + form)) + "\n",
                        "application/json;g=apidiscovery.k8s.io;v=" + form + ";as=APIGroupDiscoveryList");
        } else if (s[0] == "api") {
            answer(call, 200,
                   {{"kind", "APIVersions"}, {"versions", {"v1"}}, {"serverAddressByClientCIDRs", Json::array()}});
        } else {
            Json list = Json::array();
            for (const auto& group : groups)
                list.push_back(groupJson(kinds, group));
            answer(call, 200, {{"kind", "APIGroupList"}, {"apiVersion", "v1"}, {"groups", list}});
        }
        return true;
    }
    if (s.size() == 2 && s[0] == "api" && s[1] == "v1") {
        answer(call, 200, resourceList(kinds, "", "v1"));
        return true;
    }
    if (s[0] == "apis" && (s.size() == 2 || s.size() == 3)) {
        const auto versions = versionsOf(kinds, s[1]);
        if (versions.empty() || (s.size() == 3 && std::find(versions.begin(), versions.end(), s[2]) == versions.end()))
            return false;
        if (s.size() == 3) {
            answer(call, 200, resourceList(kinds, s[1], s[2]));
        } else {
            Json group = groupJson(kinds, s[1]);
            group["kind"] = "APIGroup";
            group["apiVersion"] = "v1";
            answer(call, 200, group);
        }
        return true;
    }
    return false;
}

void ApiServer::openapi(const Call& call, const std::vector<std::string>& s) {
    const auto& kinds = world_.kinds();
    if (s.size() == 2 && s[1] == "v2") {
        // No definitions: clients then leave validation to the server.
        const auto accept = std::string(call.request.headers.get("Accept").value_or(""));
        if (accept.find("proto-openapi") != std::string::npos)
            return answerBytes(call, 200, openapiV2Protobuf(kinds, options_.version),
                               "application/com.github.proto-openapi.spec.v2.v1.0+protobuf");
        return answer(call, 200,
                      {{"swagger", "2.0"},
                       {"info", {{"title", "Alidade simulator"}, {"version", options_.version}}},
                       {"paths", Json::object()}});
    }
    if (s.size() == 2 && s[1] == "v3") {
        Json paths = Json::object();
        for (const auto& group : kinds.groups())
            for (const auto& version : kinds.versions(group)) {
                const auto key = (group.empty() ? "api/" : "apis/") + join(group, version);
                paths[key] = {{"serverRelativeURL", "/openapi/v3/" + key + "?hash=" + std::to_string(hash64(key))}};
            }
        return answer(call, 200, {{"paths", paths}});
    }
    const std::string group = s.size() == 5 ? s[3] : "";
    const std::string version = s.size() == 5 ? s[4] : s.size() == 4 ? s[3] : "";
    Json paths = Json::object();
    for (const auto& served : kinds.allServed()) {
        if (served.group != group || served.version != version)
            continue;
        const std::string root = (group.empty() ? "/api/" : "/apis/") + join(group, version) +
                                 (served.kind->namespaced ? "/namespaces/{namespace}/" : "/") + served.kind->resource;
        Json parameters = Json::array();
        for (const auto* name : {"dryRun", "fieldManager", "fieldValidation", "force"})
            parameters.push_back(
                {{"name", name}, {"in", "query"}, {"schema", {{"type", "string"}, {"uniqueItems", true}}}});
        const auto operation = [&](const char* action) {
            return Json{{"parameters", parameters},
                        {"responses", {{"200", {{"description", "OK"}}}}},
                        {"x-kubernetes-action", action},
                        {"x-kubernetes-group-version-kind",
                         {{"group", group}, {"version", version}, {"kind", served.kind->kind}}}};
        };
        paths[root] = {{"get", operation("list")}, {"post", operation("post")}};
        paths[root + "/{name}"] = {{"get", operation("get")},
                                   {"put", operation("put")},
                                   {"patch", operation("patch")},
                                   {"delete", operation("delete")}};
    }
    if (paths.empty())
        return answerBytes(call, 404, "404 page not found\n", "text/plain; charset=utf-8");
    answer(call, 200,
           {{"openapi", "3.0.0"},
            {"info", {{"title", "Alidade simulator"}, {"version", options_.version}}},
            {"paths", paths},
            {"components", {{"schemas", Json::object()}}}});
}

} // namespace alidade::simulator
