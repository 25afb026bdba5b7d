// SPDX-License-Identifier: GPL-3.0-or-later
#include "alidade/cluster_model/graph.hpp"
#include "alidade/cluster_model/json_read.hpp"
#include "alidade/guard/settings.hpp"
#include "alidade/guard/text.hpp"
#include "facts_health.hpp"
#include "facts_pod.hpp"
#include "alidade/cluster_model/kind_table.hpp"

namespace alidade::cluster {
namespace {

using nlohmann::json;

void owners(const json& object, const std::string& ns, std::vector<Fact>& out) {
    read::each(read::path(object, {"metadata", "ownerReferences"}), [&](const json& owner, std::size_t i) {
        Fact fact;
        fact.relation = Relation::OwnedBy;
        fact.target.kind = kindFromReference(read::text(owner, "apiVersion"), read::text(owner, "kind"));
        fact.target.ns = fact.target.kind.namespaced ? ns : std::string();
        fact.target.name = read::text(owner, "name");
        fact.targetUid = read::text(owner, "uid");
        fact.field = "metadata.ownerReferences[" + std::to_string(i) + "]";
        if (!fact.target.name.empty() || !fact.targetUid.empty())
            out.push_back(std::move(fact));
    });
}

void named(Relation relation, const guard::KindId& kind, const std::string& ns, std::string name, std::string field,
           std::vector<Fact>& out) {
    if (name.empty())
        return;
    Fact fact;
    fact.relation = relation;
    fact.target = {kind, kind.namespaced ? ns : std::string(), std::move(name)};
    fact.field = std::move(field);
    out.push_back(std::move(fact));
}

/// An empty or absent selector of a Service selects nothing; its endpoints are kept by somebody else.
void selects(std::vector<std::pair<std::string, std::string>> selector, const std::string& ns, std::string field,
             std::vector<Fact>& out) {
    if (selector.empty())
        return;
    Fact fact;
    fact.relation = Relation::Selects;
    fact.target = {guard::kinds::pods(), ns, ""};
    fact.selector = std::move(selector);
    fact.field = std::move(field);
    out.push_back(std::move(fact));
}

/// Only what equality expresses: `In` with one value is equality, any other expression gives no fact.
void labelSelector(const json& spec, const std::string& ns, std::vector<Fact>& out) {
    const json* selector = read::member(spec, "selector");
    if (selector == nullptr)
        return;
    auto pairs = read::pairs(read::member(*selector, "matchLabels"));
    if (const json* expressions = read::member(*selector, "matchExpressions");
        expressions != nullptr && expressions->is_array())
        for (const json& expression : *expressions) {
            const json* values = read::member(expression, "values");
            if (read::text(expression, "operator") != "In" || values == nullptr || !values->is_array() ||
                values->size() != 1 || !(*values)[0].is_string())
                return;
            pairs.emplace_back(read::text(expression, "key"), (*values)[0].get<std::string>());
        }
    selects(std::move(pairs), ns, "spec.selector", out);
}

void service(const json& spec, const std::string& ns, std::vector<Fact>& out) {
    if (read::text(spec, "type") != "ExternalName")
        selects(read::pairs(read::member(spec, "selector")), ns, "spec.selector", out);
}

void endpointSlice(const json& object, const std::string& ns, std::vector<Fact>& out) {
    const json* labels = read::path(object, {"metadata", "labels"});
    if (labels != nullptr) {
        const std::string name = read::text(*labels, "kubernetes.io/service-name");
        if (!name.empty()) {
            named(Relation::RoutesTo, guard::kinds::services(), ns, name, "metadata.labels[kubernetes.io/service-name]",
                  out);
            out.back().reversed = true;
        }
    }
    read::each(object, "endpoints", [&](const json& endpoint, std::size_t i) {
        const json* target = read::member(endpoint, "targetRef");
        if (target == nullptr || read::text(*target, "kind") != "Pod")
            return;
        Fact fact;
        fact.relation = Relation::RoutesTo;
        fact.provenance = ProvenanceKind::Observed;
        fact.target = {guard::kinds::pods(), ns, read::text(*target, "name")};
        fact.targetUid = read::text(*target, "uid");
        fact.field = "endpoints[" + std::to_string(i) + "].targetRef";
        if (!fact.target.name.empty())
            out.push_back(std::move(fact));
    });
}

void backend(const json& holder, std::string_view key, const std::string& ns, const std::string& field,
             std::vector<Fact>& out) {
    if (const json* found = read::path(holder, {key, "service"}))
        named(Relation::RoutesTo, guard::kinds::services(), ns, read::text(*found, "name"), field + ".service.name",
              out);
}

void ingress(const json& spec, const std::string& ns, std::vector<Fact>& out) {
    backend(spec, "defaultBackend", ns, "spec.defaultBackend", out);
    read::each(spec, "rules", [&](const json& rule, std::size_t i) {
        read::each(read::path(rule, {"http", "paths"}), [&](const json& path, std::size_t j) {
            backend(path, "backend", ns,
                    "spec.rules[" + std::to_string(i) + "].http.paths[" + std::to_string(j) + "].backend", out);
        });
    });
    read::each(spec, "tls", [&](const json& tls, std::size_t i) {
        named(Relation::UsesConfig, guard::kinds::secrets(), ns, read::text(tls, "secretName"),
              "spec.tls[" + std::to_string(i) + "].secretName", out);
    });
}

void autoscaler(const json& spec, const std::string& ns, std::vector<Fact>& out) {
    const json* target = read::member(spec, "scaleTargetRef");
    if (target == nullptr)
        return;
    named(Relation::Scales, kindFromReference(read::text(*target, "apiVersion"), read::text(*target, "kind")), ns,
          read::text(*target, "name"), "spec.scaleTargetRef", out);
}

void persistentVolume(const json& spec, std::vector<Fact>& out) {
    const json* secret = read::path(spec, {"csi", "nodePublishSecretRef"});
    if (secret == nullptr)
        return;
    named(Relation::UsesConfig, guard::kinds::secrets(), read::text(*secret, "namespace"), read::text(*secret, "name"),
          "spec.csi.nodePublishSecretRef", out);
}

void template_(const json& spec, std::initializer_list<std::string_view> where, const std::string& ns,
               std::vector<Fact>& out) {
    const json* podSpec = read::path(spec, where);
    if (podSpec == nullptr)
        return;
    std::string field = "spec";
    for (const std::string_view key : where)
        field += "." + std::string(key);
    podSpecFacts(*podSpec, ns, field, "", out);
}

} // namespace

FactSet extractFacts(const guard::KindId& kind, const json& object) {
    FactSet out;
    const std::string ns = kind.namespaced ? read::text(object, {"metadata", "namespace"}) : std::string();
    const std::string name = read::text(object, {"metadata", "name"});
    out.object = {{kind, ns, name}, read::text(object, {"metadata", "uid"})};
    out.labels = read::pairs(read::path(object, {"metadata", "labels"}));
    if (const json* annotations = read::path(object, {"metadata", "annotations"}))
        out.isProtected = read::text(*annotations, guard::protectedAnnotation) == "true";
    factHealth(kind, object, out);
    owners(object, ns, out.facts);

    if (kind == guard::kinds::endpointSlices())
        endpointSlice(object, ns, out.facts);
    if (kind == guard::kinds::serviceAccounts())
        for (const std::string_view list : {"imagePullSecrets", "secrets"})
            read::each(object, list, [&](const json& secret, std::size_t i) {
                named(Relation::UsesConfig, guard::kinds::secrets(), ns, read::text(secret, "name"),
                      std::string(list) + "[" + std::to_string(i) + "].name", out.facts);
            });
    const json* spec = read::member(object, "spec");
    if (spec == nullptr)
        return out;
    if (kind == guard::kinds::pods())
        podSpecFacts(*spec, ns, "spec", name, out.facts);
    if (kind == guard::kinds::services())
        service(*spec, ns, out.facts);
    const bool apps = kind.group == "apps" && (kind.resource == "deployments" || kind.resource == "replicasets" ||
                                               kind.resource == "statefulsets" || kind.resource == "daemonsets");
    const bool job = kind.group == "batch" && kind.resource == "jobs";
    if (apps || job) {
        if (apps)
            labelSelector(*spec, ns, out.facts);
        template_(*spec, {"template", "spec"}, ns, out.facts);
    }
    if (kind.group == "batch" && kind.resource == "cronjobs")
        template_(*spec, {"jobTemplate", "spec", "template", "spec"}, ns, out.facts);
    if (kind.group == "networking.k8s.io" && kind.resource == "ingresses")
        ingress(*spec, ns, out.facts);
    if (kind.group == "autoscaling" && kind.resource == "horizontalpodautoscalers")
        autoscaler(*spec, ns, out.facts);
    if (kind.group.empty() && kind.resource == "persistentvolumes")
        persistentVolume(*spec, out.facts);
    return out;
}

const std::vector<guard::KindId>& graphSources() {
    static const std::vector<guard::KindId> sources{guard::kinds::pods(),
                                                    guard::kinds::deployments(),
                                                    guard::kinds::replicaSets(),
                                                    guard::kinds::statefulSets(),
                                                    guard::kinds::daemonSets(),
                                                    guard::kinds::services(),
                                                    guard::kinds::endpointSlices(),
                                                    guard::kinds::configMaps(),
                                                    guard::kinds::secrets(),
                                                    guard::kinds::nodes(),
                                                    guard::kinds::persistentVolumeClaims(),
                                                    guard::kinds::serviceAccounts(),
                                                    kindFromReference("v1", "PersistentVolume"),
                                                    kindFromReference("batch/v1", "Job"),
                                                    kindFromReference("batch/v1", "CronJob"),
                                                    kindFromReference("networking.k8s.io/v1", "Ingress"),
                                                    kindFromReference("autoscaling/v2", "HorizontalPodAutoscaler")};
    return sources;
}

guard::Gap sourceGap(const guard::KindId& kind, std::string_view ns, guard::Coverage coverage, std::string reason) {
    std::string source = kind.group.empty() || kind.group == "apps" ? kind.resource : kind.resource + "." + kind.group;
    if (!ns.empty())
        source += " in " + std::string(ns);
    if (reason.size() > guard::Limits::gapReasonBytes) {
        reason.resize(guard::Limits::gapReasonBytes);
        reason = guard::validUtf8(reason);
    }
    return {std::move(source), coverage, std::move(reason)};
}

} // namespace alidade::cluster
