// SPDX-License-Identifier: GPL-3.0-or-later
// Validation with the API server's fields and words, for the mistakes people make.
#include <algorithm>
#include <cctype>
#include <set>

#include "world/registry.hpp"
#include "world/selectors.hpp"

namespace alidade::simulator {

namespace {

using Causes = std::vector<Cause>;

bool lowerAlnum(char c) {
    return std::islower(static_cast<unsigned char>(c)) != 0 || std::isdigit(static_cast<unsigned char>(c)) != 0;
}

bool dnsLabel(std::string_view name) {
    return !name.empty() && name.size() <= 63 && lowerAlnum(name.front()) && lowerAlnum(name.back()) &&
           std::all_of(name.begin(), name.end(), [](char c) { return lowerAlnum(c) || c == '-'; });
}

bool dnsSubdomain(std::string_view name) {
    if (name.empty() || name.size() > 253)
        return false;
    std::size_t from = 0;
    for (std::size_t i = 0; i <= name.size(); ++i) {
        if (i < name.size() && name[i] != '.')
            continue;
        const auto part = name.substr(from, i - from);
        if (part.empty() || !lowerAlnum(part.front()) || !lowerAlnum(part.back()) ||
            !std::all_of(part.begin(), part.end(), [](char c) { return lowerAlnum(c) || c == '-'; }))
            return false;
        from = i + 1;
    }
    return true;
}

bool pathSegment(std::string_view name) {
    return !name.empty() && name != "." && name != ".." && name.find_first_of("/%") == std::string_view::npos;
}

std::string quote(const std::string& text) { return "\"" + text + "\""; }

constexpr std::string_view subdomainHelp =
    ": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start "
    "and "
    "end with an alphanumeric character (e.g. 'example.com', regex used for validation is "
    "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
constexpr std::string_view labelHelp = ": a lowercase RFC 1123 label must consist of lower case alphanumeric "
                                       "characters or '-', and must start and end with an "
                                       "alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for "
                                       "validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";

void checkName(const KindDef& kind, const Json& doc, Causes& causes) {
    const auto name = str(doc, {"metadata", "name"});
    const bool rbac = kind.group == "rbac.authorization.k8s.io";
    if (rbac                                                           ? pathSegment(name)
        : kind.resource == "namespaces" || kind.resource == "services" ? dnsLabel(name)
                                                                       : dnsSubdomain(name))
        return;
    causes.push_back(
        {"FieldValueInvalid", "metadata.name",
         "Invalid value: " + quote(name) +
             (rbac ? std::string(": may not contain '/' or '%'")
                   : std::string(kind.resource == "namespaces" || kind.resource == "services" ? labelHelp
                                                                                              : subdomainHelp))});
}

void checkLabels(const Json& labels, const std::string& path, Causes& causes) {
    for (const auto& [key, value] : members(labels)) {
        if (!value.is_string())
            continue;
        const auto text = str(value);
        const bool fine =
            text.empty() || (text.size() <= 63 && std::isalnum(static_cast<unsigned char>(text.front())) != 0 &&
                             std::isalnum(static_cast<unsigned char>(text.back())) != 0 &&
                             std::all_of(text.begin(), text.end(), [](unsigned char c) {
                                 return std::isalnum(c) != 0 || c == '-' || c == '_' || c == '.';
                             }));
        if (!fine)
            causes.push_back(
                {"FieldValueInvalid", path,
                 "Invalid value: " + quote(text) +
                     ": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', "
                     "and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or "
                     "'12345', regex used for validation is "
                     "'(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"});
    }
}

void checkContainers(const Json& list, const std::string& path, bool required, Causes& causes) {
    if (items(list).empty()) {
        if (required)
            causes.push_back({"FieldValueRequired", path, "Required value"});
        return;
    }
    std::set<std::string> seen;
    for (std::size_t i = 0; i < list.size(); ++i) {
        const Json& container = list[i];
        const auto here = path + "[" + std::to_string(i) + "]";
        const auto name = str(at(container, "name"));
        if (name.empty())
            causes.push_back({"FieldValueRequired", here + ".name", "Required value"});
        else if (!dnsLabel(name))
            causes.push_back(
                {"FieldValueInvalid", here + ".name", "Invalid value: " + quote(name) + std::string(labelHelp)});
        else if (!seen.insert(name).second)
            causes.push_back({"FieldValueDuplicate", here + ".name", "Duplicate value: " + quote(name)});
        if (str(at(container, "image")).empty())
            causes.push_back({"FieldValueRequired", here + ".image", "Required value"});
    }
}

void checkPodSpec(const Json& spec, const std::string& path, Causes& causes) {
    checkContainers(at(spec, "containers"), path + ".containers", true, causes);
    checkContainers(at(spec, "initContainers"), path + ".initContainers", false, causes);
    std::set<std::string> volumes;
    for (const auto& volume : items(at(spec, "volumes")))
        volumes.insert(str(at(volume, "name")));
    std::size_t c = 0;
    for (const auto& container : items(at(spec, "containers"))) {
        std::size_t m = 0;
        for (const auto& mount : items(at(container, "volumeMounts"))) {
            const auto name = str(at(mount, "name"));
            if (volumes.count(name) == 0 && name.rfind("kube-api-access-", 0) != 0)
                causes.push_back(
                    {"FieldValueNotFound",
                     path + ".containers[" + std::to_string(c) + "].volumeMounts[" + std::to_string(m) + "].name",
                     "Not found: " + quote(name)});
            ++m;
        }
        ++c;
    }
}

void checkReplicas(const Json& spec, Causes& causes) {
    const Json& replicas = at(spec, "replicas");
    if (replicas.is_number() && integer(replicas) < 0)
        causes.push_back(
            {"FieldValueInvalid", "spec.replicas",
             "Invalid value: " + std::to_string(integer(replicas)) + ": must be greater than or equal to 0"});
}

void checkWorkload(const KindDef& kind, const Json& doc, const Json* old, Causes& causes) {
    const Json& spec = at(doc, "spec");
    const Json& labels = at(spec, {"template", "metadata", "labels"});
    checkReplicas(spec, causes);
    const Json& selector = at(spec, "selector");
    if (kind.resource != "jobs" && kind.resource != "replicationcontrollers") {
        if (members(at(selector, "matchLabels")).empty() && items(at(selector, "matchExpressions")).empty())
            causes.push_back({"FieldValueRequired", "spec.selector", "Required value"});
        else if (!LabelSelector::fromJson(selector).matches(labels))
            causes.push_back({"FieldValueInvalid", "spec.template.metadata.labels",
                              "Invalid value: " + dump(labels) + ": `selector` does not match template `labels`"});
    }
    if (old != nullptr && at(*old, {"spec", "selector"}) != selector)
        causes.push_back(
            {"FieldValueInvalid", "spec.selector", "Invalid value: " + dump(selector) + ": field is immutable"});
    if (old != nullptr && kind.resource == "jobs" && at(*old, {"spec", "template"}) != at(spec, "template") &&
        !boolean(at(spec, "suspend")))
        causes.push_back({"FieldValueInvalid", "spec.template", "Invalid value: field is immutable"});
    if (old != nullptr && kind.resource == "statefulsets") {
        Json a = at(*old, "spec");
        Json b = spec;
        for (const auto* key :
             {"replicas", "ordinals", "template", "updateStrategy", "persistentVolumeClaimRetentionPolicy",
              "minReadySeconds", "revisionHistoryLimit", "selector"}) {
            a.erase(key);
            b.erase(key);
        }
        if (a != b)
            causes.push_back(
                {"FieldValueForbidden", "spec",
                 "Forbidden: updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', "
                 "'updateStrategy', "
                 "'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden"});
    }
    if (kind.resource == "deployments") {
        const auto type = str(spec, {"strategy", "type"});
        if (type != "RollingUpdate" && type != "Recreate")
            causes.push_back(
                {"FieldValueNotSupported", "spec.strategy.type",
                 "Unsupported value: " + quote(type) + ": supported values: \"Recreate\", \"RollingUpdate\""});
        const Json& rolling = at(spec, {"strategy", "rollingUpdate"});
        const auto zero = [](const Json& v) { return (v.is_number() && integer(v) == 0) || str(v) == "0%"; };
        if (type == "RollingUpdate" && zero(at(rolling, "maxUnavailable")) && zero(at(rolling, "maxSurge")))
            causes.push_back({"FieldValueInvalid", "spec.strategy.rollingUpdate.maxUnavailable",
                              "Invalid value: intstr.IntOrString{Type:0, IntVal:0, StrVal:\"\"}: may not be 0 when "
                              "`maxSurge` is 0"});
    }
    checkPodSpec(at(spec, {"template", "spec"}), "spec.template.spec", causes);
    checkLabels(labels, "spec.template.metadata.labels", causes);
}

Json comparablePodSpec(Json spec) {
    for (const auto* key : {"nodeName", "activeDeadlineSeconds", "tolerations", "terminationGracePeriodSeconds"})
        spec.erase(key);
    for (const auto* list : {"containers", "initContainers"})
        if (spec.contains(list) && spec[list].is_array())
            for (auto& container : spec[list])
                if (container.is_object())
                    container.erase("image");
    spec.erase("ephemeralContainers");
    return spec;
}

void checkPod(const Json& doc, const Json* old, Causes& causes) {
    if (old == nullptr) {
        checkPodSpec(at(doc, "spec"), "spec", causes);
        return;
    }
    if (comparablePodSpec(at(*old, "spec")) != comparablePodSpec(at(doc, "spec")))
        causes.push_back(
            {"FieldValueForbidden", "spec",
             "Forbidden: pod updates may not change fields other than `spec.containers[*].image`,"
             "`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to "
             "existing tolerations),"
             "`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)"});
}

void checkService(const Json& doc, const Json* old, Causes& causes) {
    const Json& spec = at(doc, "spec");
    if (items(at(spec, "ports")).empty() && str(at(spec, "type")) != "ExternalName" &&
        str(at(spec, "clusterIP")) != "None")
        causes.push_back({"FieldValueRequired", "spec.ports", "Required value"});
    for (std::size_t i = 0; i < items(at(spec, "ports")).size(); ++i) {
        const auto port = integer(at(items(at(spec, "ports"))[i], "port"));
        if (port < 1 || port > 65535)
            causes.push_back({"FieldValueInvalid", "spec.ports[" + std::to_string(i) + "].port",
                              "Invalid value: " + std::to_string(port) + ": must be between 1 and 65535, inclusive"});
    }
    if (old != nullptr) {
        const auto before = str(*old, {"spec", "clusterIP"});
        if (!before.empty() && str(*old, {"spec", "type"}) != "ExternalName" && before != str(at(spec, "clusterIP")))
            causes.push_back(
                {"FieldValueInvalid", "spec.clusterIPs[0]",
                 "Invalid value: []string{\"" + str(at(spec, "clusterIP")) + "\"}: may not change once set"});
    }
}

bool configKey(const std::string& key) {
    return !key.empty() && key.size() <= 253 && key != "." && key != ".." &&
           std::all_of(key.begin(), key.end(),
                       [](unsigned char c) { return std::isalnum(c) != 0 || c == '-' || c == '_' || c == '.'; });
}

void checkData(const KindDef& kind, const Json& doc, const Json* old, Causes& causes) {
    for (const auto& [key, value] : members(at(doc, "data")))
        if (!configKey(key))
            causes.push_back(
                {"FieldValueInvalid", "data[" + key + "]",
                 "Invalid value: " + quote(key) +
                     ": a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. "
                     "'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')"});
    if (old == nullptr)
        return;
    if (boolean(at(*old, "immutable")) && at(*old, "data") != at(doc, "data"))
        causes.push_back({"FieldValueForbidden", "data", "Forbidden: field is immutable when `immutable` is set"});
    if (kind.resource == "secrets" && str(at(*old, "type")) != str(at(doc, "type")))
        causes.push_back(
            {"FieldValueInvalid", "type", "Invalid value: " + quote(str(at(doc, "type"))) + ": field is immutable"});
}

} // namespace

std::vector<Cause> validate(const KindDef& kind, const Json& doc, const Json* old) {
    Causes causes;
    if (old == nullptr)
        checkName(kind, doc, causes);
    checkLabels(at(doc, {"metadata", "labels"}), "metadata.labels", causes);
    if (kind.custom)
        return causes;
    const auto& r = kind.resource;
    if (r == "pods")
        checkPod(doc, old, causes);
    else if (r == "services")
        checkService(doc, old, causes);
    else if (r == "configmaps" || r == "secrets")
        checkData(kind, doc, old, causes);
    else if (r == "deployments" || r == "replicasets" || r == "statefulsets" || r == "daemonsets" || r == "jobs" ||
             r == "replicationcontrollers")
        checkWorkload(kind, doc, old, causes);
    return causes;
}

} // namespace alidade::simulator
