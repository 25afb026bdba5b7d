// SPDX-License-Identifier: GPL-3.0-or-later
// ConfigMaps and Secrets that are not there, or lack a key: the object named is the cause, not the pods that wait for
// it.
#include "analyst/rules.hpp"

namespace alidade::agent {
namespace {

struct Missing {
    std::string kind; ///< "ConfigMap" or "Secret"
    std::string name;
    std::string key; ///< empty: the whole object
};

std::string between(std::string_view text, std::string_view before, std::string_view after) {
    const std::size_t at = text.find(before);
    if (at == std::string_view::npos)
        return {};
    const std::string_view rest = text.substr(at + before.size());
    return std::string(rest.substr(0, rest.find(after)));
}

/// The kubelet's words: 'configmap "x" not found', 'couldn't find key K in ConfigMap ns/x', 'references non-existent
/// config key: K'.
std::optional<Missing> parse(std::string_view text) {
    for (const auto& [kind, lower] : {std::pair("ConfigMap", "configmap"), std::pair("Secret", "secret")}) {
        if (const std::string key = between(text, "couldn't find key ", std::string(" in ") + kind);
            !key.empty() && text.find(std::string(" in ") + kind + " ") != std::string_view::npos) {
            std::string name = between(text, std::string(" in ") + kind + " ", " ");
            if (const std::size_t slash = name.rfind('/'); slash != std::string::npos)
                name.erase(0, slash + 1);
            while (!name.empty() && (name.back() == '.' || name.back() == ',' || name.back() == '"'))
                name.pop_back();
            return Missing{kind, name, key};
        }
        const std::string name = between(text, std::string(lower) + " \"", "\"");
        if (!name.empty() && holdsAny(text, {"not found"}))
            return Missing{kind, name, ""};
    }
    return std::nullopt;
}

bool waitsForConfig(const guard::PodSignal&, const guard::ContainerSignal& c) {
    return c.state == "waiting" && (c.reason == "CreateContainerConfigError" || c.reason == "ContainerCreating" ||
                                    c.reason == "PodInitializing");
}

bool ofKind(const guard::ObjectKey& key, const Missing& missing) {
    return key.kind.kind == missing.kind && key.name == missing.name;
}

const guard::RelationSignal* reference(const Case& facts, const WorkloadView& workload, const Group& group,
                                       const Missing& missing) {
    for (const guard::RelationSignal& relation : facts.signals().relations)
        if (relation.relation == "uses_config" && ofKind(relation.to, missing) &&
            (relation.from == workload.ref || relation.from == group.pod().ref))
            return &relation;
    return nullptr;
}

void one(const Case& facts, const Group& group, std::vector<Conclusion>& out) {
    const guard::ContainerSignal& container = group.container();
    const guard::EventSignal* event =
        facts.event(group.pod().ref, {"configmap \"", "secret \"", "couldn't find key", "references non-existent"});
    std::optional<Missing> missing = parse(container.message);
    if (!missing && event != nullptr)
        missing = parse(event->message);
    if (!missing)
        return;

    const std::string thing = missing->kind + " " + missing->name;
    const bool wholeObject = missing->key.empty();
    Conclusion conclusion =
        conclude(wholeObject ? (missing->kind == "Secret" ? "config.missing_secret" : "config.missing_configmap")
                             : "config.missing_key",
                 weight::config, 0.85, *group.workload,
                 (wholeObject ? thing + " is not there" : "The key " + missing->key + " is not in " + thing) +
                     ", and " + group.where() + " cannot start without it");
    if (!container.message.empty() && parse(container.message))
        conclusion.finding.claims.push_back(facts.claim("The kubelet waits: " + container.message,
                                                        {group.pod().evidence}, {container.message, container.reason}));
    else
        conclusion.finding.claims.push_back(
            facts.claim("The kubelet reported: " + event->message, {event->evidence}, {event->message}));
    if (const auto* relation = reference(facts, *group.workload, group, *missing)) {
        conclusion.finding.claims.push_back(facts.claim("It is asked for at " + relation->field, {relation->evidence},
                                                        {"\"" + missing->name + "\"", missing->name}));
        if (wholeObject && relation->resolution == "unknown")
            conclusion.finding.nextChecks.push_back(
                "The " + missing->kind + "s of the namespace could not be read; the kubelet's word stands alone");
    }
    conclusion.finding.nextChecks.push_back("Find out who removed or renamed " + thing + ", and put it back");
    relate(conclusion, group);
    facts.blameTemplate(conclusion, *group.workload,
                        Case::remedy(*group.workload, [&](const guard::TemplateChange& change) {
                            return change.after == missing->name || (!wholeObject && change.after == missing->key);
                        }));
    out.push_back(std::move(conclusion));
}

} // namespace

void configRules(const Case& facts, std::vector<Conclusion>& out) {
    for (const Group& group : facts.groups(waitsForConfig))
        one(facts, group, out);
}

} // namespace alidade::agent
