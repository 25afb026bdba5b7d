// SPDX-License-Identifier: GPL-3.0-or-later
#include "api/access.hpp"

#include <algorithm>
#include <random>

namespace alidade::simulator {

namespace {

constexpr std::string_view adminName = "admin";

std::string makeToken() {
    std::random_device source;
    std::string out;
    for (int i = 0; i < 32; ++i)
        out += "0123456789abcdefghijklmnopqrstuv"[source() % 32U];
    return out;
}

bool has(const std::vector<std::string>& list, const std::string& word) {
    return std::any_of(list.begin(), list.end(), [&](const std::string& one) { return one == "*" || one == word; });
}

} // namespace

Access::Access(std::vector<User> users) : users_(std::move(users)) {
    tokens_[std::string(adminName)] = makeToken();
    for (const auto& user : users_)
        tokens_.try_emplace(user.name, makeToken());
}

std::optional<std::string> Access::authenticate(std::string_view authorization) const {
    if (!authorization.starts_with("Bearer "))
        return std::nullopt;
    authorization.remove_prefix(7);
    for (const auto& [user, token] : tokens_)
        if (authorization == token)
            return user;
    return std::nullopt;
}

bool Access::known(const std::string& user) const { return tokens_.count(user) != 0; }

bool Access::allowed(const std::string& user, const Attributes& a) const {
    for (const auto& one : users_) {
        if (one.name != user)
            continue;
        if (!a.isResource())
            return a.verb == "get"; // discovery, version, health, documents
        // Everybody may ask what they may do.
        if ((a.group == "authorization.k8s.io" || a.group == "authentication.k8s.io") && a.verb == "create")
            return true;
        const auto resource = a.subresource.empty() ? a.resource : a.resource + "/" + a.subresource;
        return std::any_of(one.rules.begin(), one.rules.end(), [&](const Rule& rule) {
            const bool resourceFits =
                has(rule.resources, resource) || (!a.subresource.empty() && has(rule.resources, "*/" + a.subresource));
            const bool namespaceFits = rule.namespaces.empty() || has(rule.namespaces, a.ns);
            return has(rule.verbs, a.verb) && has(rule.groups, a.group) && resourceFits && namespaceFits;
        });
    }
    return user == adminName;
}

Refusal Access::refusal(const std::string& user, const Attributes& a) const {
    if (!a.isResource())
        return {403,
                "Forbidden",
                "forbidden: User \"" + user + "\" cannot " + a.verb + " path \"" + a.path + "\"",
                Json::object(),
                {}};
    const auto resource = a.subresource.empty() ? a.resource : a.resource + "/" + a.subresource;
    std::string message = a.resource;
    if (!a.group.empty())
        message += "." + a.group;
    if (!a.name.empty())
        message += " \"" + a.name + "\"";
    message += " is forbidden: User \"" + user + "\" cannot " + a.verb + " resource \"" + resource +
               "\" in API group \"" + a.group + "\" " +
               (a.ns.empty() ? std::string("at the cluster scope") : "in the namespace \"" + a.ns + "\"");
    Json details = Json::object();
    if (!a.name.empty())
        details["name"] = a.name;
    if (!a.group.empty())
        details["group"] = a.group;
    details["kind"] = a.resource;
    return {403, "Forbidden", message, details, {}};
}

Json Access::rules(const std::string& user, const std::string& ns) const {
    Json resourceRules = Json::array();
    resourceRules.push_back({{"verbs", {"create"}},
                             {"apiGroups", {"authorization.k8s.io"}},
                             {"resources", {"selfsubjectaccessreviews", "selfsubjectrulesreviews"}}});
    resourceRules.push_back(
        {{"verbs", {"create"}}, {"apiGroups", {"authentication.k8s.io"}}, {"resources", {"selfsubjectreviews"}}});
    Json nonResource = Json::array({{{"verbs", {"get"}},
                                     {"nonResourceURLs",
                                      {"/api", "/api/*", "/apis", "/apis/*", "/healthz", "/livez", "/openapi",
                                       "/openapi/*", "/readyz", "/version", "/version/"}}}});
    bool scripted = false;
    for (const auto& one : users_) {
        if (one.name != user)
            continue;
        scripted = true;
        for (const auto& rule : one.rules)
            if (rule.namespaces.empty() || has(rule.namespaces, ns))
                resourceRules.push_back(
                    {{"verbs", rule.verbs}, {"apiGroups", rule.groups}, {"resources", rule.resources}});
    }
    if (!scripted && user == adminName) {
        const Json everything = {{"verbs", {"*"}}, {"apiGroups", {"*"}}, {"resources", {"*"}}};
        const Json everywhere = {{"verbs", {"*"}}, {"nonResourceURLs", {"*"}}};
        resourceRules.insert(resourceRules.begin(), everything);
        nonResource.insert(nonResource.begin(), everywhere);
    }
    return {{"resourceRules", resourceRules}, {"nonResourceRules", nonResource}, {"incomplete", false}};
}

} // namespace alidade::simulator
