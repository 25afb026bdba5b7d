// SPDX-License-Identifier: GPL-3.0-or-later
#include "facts_pod.hpp"

#include <array>

#include "alidade/cluster_model/json_read.hpp"

namespace alidade::cluster {
namespace {

using nlohmann::json;

class PodSpec {
public:
    PodSpec(const std::string& ns, std::vector<Fact>& out) : ns_(ns), out_(out) {}

    /// `holder[nameKey]` names an object of `kind`; nothing when it is not a string.
    void reference(const json& holder, std::string_view key, std::string_view nameKey, const guard::KindId& kind,
                   Relation relation, const std::string& field, bool holderIsOptional = false) {
        const json* source = read::member(holder, key);
        if (source == nullptr)
            return;
        const json* name = read::member(*source, nameKey);
        if (name == nullptr || !name->is_string())
            return;
        Fact fact;
        fact.relation = relation;
        fact.target = {kind, kind.namespaced ? ns_ : std::string(), name->get<std::string>()};
        fact.field = field + "." + std::string(key) + "." + std::string(nameKey);
        fact.optional = holderIsOptional || read::flag(*source, "optional");
        out_.push_back(std::move(fact));
    }

    void container(const json& container, const std::string& field) {
        read::each(container, "env", [&](const json& env, std::size_t i) {
            const json* from = read::member(env, "valueFrom");
            if (from == nullptr)
                return;
            const std::string at = field + ".env[" + std::to_string(i) + "].valueFrom";
            reference(*from, "configMapKeyRef", "name", guard::kinds::configMaps(), Relation::UsesConfig, at);
            reference(*from, "secretKeyRef", "name", guard::kinds::secrets(), Relation::UsesConfig, at);
        });
        read::each(container, "envFrom", [&](const json& from, std::size_t i) {
            const std::string at = field + ".envFrom[" + std::to_string(i) + "]";
            reference(from, "configMapRef", "name", guard::kinds::configMaps(), Relation::UsesConfig, at);
            reference(from, "secretRef", "name", guard::kinds::secrets(), Relation::UsesConfig, at);
        });
    }

    void volume(const json& volume, const std::string& field, const std::string& podName) {
        reference(volume, "configMap", "name", guard::kinds::configMaps(), Relation::UsesConfig, field);
        reference(volume, "secret", "secretName", guard::kinds::secrets(), Relation::UsesConfig, field);
        reference(volume, "persistentVolumeClaim", "claimName", guard::kinds::persistentVolumeClaims(),
                  Relation::UsesVolume, field);
        if (const json* projected = read::member(volume, "projected"))
            read::each(*projected, "sources", [&](const json& source, std::size_t i) {
                const std::string at = field + ".projected.sources[" + std::to_string(i) + "]";
                reference(source, "configMap", "name", guard::kinds::configMaps(), Relation::UsesConfig, at);
                reference(source, "secret", "name", guard::kinds::secrets(), Relation::UsesConfig, at);
            });
        if (const json* csi = read::member(volume, "csi"))
            reference(*csi, "nodePublishSecretRef", "name", guard::kinds::secrets(), Relation::UsesConfig,
                      field + ".csi");
        const std::string name = read::text(volume, "name");
        if (!podName.empty() && !name.empty() && read::member(volume, "ephemeral") != nullptr) {
            Fact fact;
            fact.relation = Relation::UsesVolume;
            fact.target = {guard::kinds::persistentVolumeClaims(), ns_, podName + "-" + name};
            fact.field = field + ".ephemeral";
            out_.push_back(std::move(fact));
        }
    }

private:
    const std::string& ns_;
    std::vector<Fact>& out_;
};

} // namespace

void podSpecFacts(const json& spec, const std::string& ns, const std::string& field, const std::string& podName,
                  std::vector<Fact>& out) {
    PodSpec reader(ns, out);
    for (const std::string_view list : {"initContainers", "containers", "ephemeralContainers"})
        read::each(spec, list, [&](const json& container, std::size_t i) {
            reader.container(container, field + "." + std::string(list) + "[" + std::to_string(i) + "]");
        });
    read::each(spec, "volumes", [&](const json& volume, std::size_t i) {
        reader.volume(volume, field + ".volumes[" + std::to_string(i) + "]", podName);
    });
    // The kubelet pulls without a pull secret that is not there, so that alone stops nothing.
    read::each(spec, "imagePullSecrets", [&](const json& secret, std::size_t i) {
        const std::string name = read::text(secret, "name");
        if (name.empty())
            return;
        Fact fact;
        fact.relation = Relation::UsesConfig;
        fact.target = {guard::kinds::secrets(), ns, name};
        fact.field = field + ".imagePullSecrets[" + std::to_string(i) + "].name";
        out.push_back(std::move(fact));
    });
    if (const std::string node = read::text(spec, "nodeName"); !node.empty()) {
        Fact fact;
        fact.relation = Relation::ScheduledOn;
        fact.provenance = ProvenanceKind::Observed;
        fact.target = {guard::kinds::nodes(), "", node};
        fact.field = field + ".nodeName";
        out.push_back(std::move(fact));
    }
}

} // namespace alidade::cluster
