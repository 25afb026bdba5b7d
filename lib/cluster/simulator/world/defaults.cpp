// SPDX-License-Identifier: GPL-3.0-or-later
// Defaults of the API server for the kinds that controllers act on.
#include <set>

#include "world/quota.hpp"
#include "world/registry.hpp"

namespace alidade::simulator {

namespace {

void set(Json& object, const char* key, Json value) {
    if (!object.contains(key) || object[key].is_null())
        object[key] = std::move(value);
}

std::string defaultPullPolicy(const std::string& image) {
    const auto slash = image.rfind('/');
    const auto name = slash == std::string::npos ? image : image.substr(slash + 1);
    if (name.find('@') != std::string::npos)
        return "IfNotPresent";
    const auto colon = name.rfind(':');
    return colon == std::string::npos || name.substr(colon + 1) == "latest" ? "Always" : "IfNotPresent";
}

void probeDefaults(Json& container, const char* key) {
    if (!container.contains(key) || !container[key].is_object())
        return;
    Json& probe = container[key];
    set(probe, "timeoutSeconds", 1);
    set(probe, "periodSeconds", 10);
    set(probe, "successThreshold", 1);
    set(probe, "failureThreshold", 3);
    if (probe.contains("httpGet") && probe["httpGet"].is_object()) {
        set(probe["httpGet"], "path", "/");
        set(probe["httpGet"], "scheme", "HTTP");
    }
}

void containerDefaults(Json& containers) {
    if (!containers.is_array())
        return;
    for (auto& container : containers) {
        if (!container.is_object())
            continue;
        set(container, "terminationMessagePath", "/dev/termination-log");
        set(container, "terminationMessagePolicy", "File");
        set(container, "imagePullPolicy", defaultPullPolicy(str(at(container, "image"))));
        set(container, "resources", Json::object());
        for (auto* probe : {"livenessProbe", "readinessProbe", "startupProbe"})
            probeDefaults(container, probe);
        if (container.contains("ports") && container["ports"].is_array())
            for (auto& port : container["ports"])
                if (port.is_object())
                    set(port, "protocol", "TCP");
        if (container.contains("env") && container["env"].is_array())
            for (auto& env : container["env"])
                if (env.is_object() && env.contains("valueFrom") && env["valueFrom"].is_object() &&
                    env["valueFrom"].contains("fieldRef") && env["valueFrom"]["fieldRef"].is_object())
                    set(env["valueFrom"]["fieldRef"], "apiVersion", "v1");
        if (container["resources"].is_object() && container["resources"].contains("limits") &&
            container["resources"]["limits"].is_object()) {
            Json& requests = object(container["resources"], "requests");
            for (const auto& [key, value] : container["resources"]["limits"].items())
                if (!requests.contains(key))
                    requests[key] = value;
        }
    }
}

void podSpecDefaults(Json& spec) {
    if (!spec.is_object())
        return;
    set(spec, "restartPolicy", "Always");
    set(spec, "terminationGracePeriodSeconds", 30);
    set(spec, "dnsPolicy", "ClusterFirst");
    set(spec, "schedulerName", "default-scheduler");
    set(spec, "securityContext", Json::object());
    if (spec.contains("containers"))
        containerDefaults(spec["containers"]);
    if (spec.contains("initContainers"))
        containerDefaults(spec["initContainers"]);
    if (const auto account = str(at(spec, "serviceAccountName")); !account.empty())
        spec["serviceAccount"] = account;
    if (spec.contains("volumes") && spec["volumes"].is_array())
        for (auto& volume : spec["volumes"]) {
            if (!volume.is_object())
                continue;
            for (const auto* source : {"configMap", "secret", "projected", "downwardAPI"})
                if (volume.contains(source) && volume[source].is_object())
                    set(volume[source], "defaultMode", 420);
        }
}

void templateDefaults(Json& spec) {
    Json& pod = object(spec, "template");
    Json& meta = object(pod, "metadata");
    set(meta, "creationTimestamp", nullptr);
    podSpecDefaults(object(pod, "spec"));
}

std::string qosClass(const Json& spec) {
    bool any = false;
    bool guaranteed = true;
    for (const auto& container : items(at(spec, "containers"))) {
        for (const auto* what : {"cpu", "memory"}) {
            const Json& request = at(container, {"resources", "requests", what});
            const Json& limit = at(container, {"resources", "limits", what});
            if (!request.is_null() || !limit.is_null())
                any = true;
            if (limit.is_null() || (!request.is_null() && quantity(request) != quantity(limit)))
                guaranteed = false;
        }
    }
    return !any ? "BestEffort" : guaranteed ? "Guaranteed" : "Burstable";
}

Json toleration(const char* key) {
    return {{"key", key}, {"operator", "Exists"}, {"effect", "NoExecute"}, {"tolerationSeconds", 300}};
}

void podDefaults(Json& doc) {
    Json& spec = object(doc, "spec");
    set(spec, "serviceAccountName", "default");
    podSpecDefaults(spec);
    set(spec, "enableServiceLinks", true);
    set(spec, "preemptionPolicy", "PreemptLowerPriority");
    set(spec, "priority", 0);
    Json& tolerations = spec["tolerations"];
    if (!tolerations.is_array())
        tolerations = Json::array();
    for (const auto* key : {"node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"}) {
        bool has = false;
        for (const auto& t : tolerations)
            has = has || str(at(t, "key")) == key || (str(at(t, "key")).empty() && str(at(t, "operator")) == "Exists");
        if (!has)
            tolerations.push_back(toleration(key));
    }
    Json& status = object(doc, "status");
    set(status, "phase", "Pending");
    set(status, "qosClass", qosClass(spec));
}

void deploymentDefaults(Json& spec) {
    set(spec, "replicas", 1);
    set(spec, "revisionHistoryLimit", 10);
    set(spec, "progressDeadlineSeconds", 600);
    Json& strategy = object(spec, "strategy");
    set(strategy, "type", "RollingUpdate");
    if (strategy["type"] == "RollingUpdate") {
        Json& rolling = object(strategy, "rollingUpdate");
        set(rolling, "maxUnavailable", "25%");
        set(rolling, "maxSurge", "25%");
    }
    templateDefaults(spec);
}

std::string allocateClusterIp(World& world) {
    std::set<std::string> taken;
    for (const auto& service : world.list(world.kind("services"), ""))
        taken.insert(str(service->doc(), {"spec", "clusterIP"}));
    for (;;) {
        const auto n = world.random();
        const auto ip = "10.96." + std::to_string((n >> 8U) % 255U) + "." + std::to_string(2 + n % 250U);
        if (taken.count(ip) == 0)
            return ip;
    }
}

void serviceDefaults(World& world, Json& spec) {
    set(spec, "type", "ClusterIP");
    set(spec, "sessionAffinity", "None");
    if (spec.contains("ports") && spec["ports"].is_array())
        for (auto& port : spec["ports"]) {
            if (!port.is_object())
                continue;
            set(port, "protocol", "TCP");
            if (port.contains("port"))
                set(port, "targetPort", port["port"]);
            if ((spec["type"] == "NodePort" || spec["type"] == "LoadBalancer"))
                set(port, "nodePort", static_cast<int>(30000 + world.random() % 2768));
        }
    if (spec["type"] == "ExternalName")
        return;
    set(spec, "clusterIP", "");
    if (str(spec["clusterIP"]).empty())
        spec["clusterIP"] = allocateClusterIp(world);
    spec["clusterIPs"] = Json::array({spec["clusterIP"]});
    set(spec, "ipFamilies", Json::array({"IPv4"}));
    set(spec, "ipFamilyPolicy", "SingleStack");
    set(spec, "internalTrafficPolicy", "Cluster");
}

void jobDefaults(Json& doc) {
    Json& spec = object(doc, "spec");
    set(spec, "parallelism", 1);
    if (!spec.contains("completions"))
        set(spec, "completions", 1);
    set(spec, "backoffLimit", 6);
    set(spec, "completionMode", "NonIndexed");
    set(spec, "suspend", false);
    set(spec, "podReplacementPolicy", "TerminatingOrFailed");
    if (!spec.contains("selector")) {
        const auto uid = str(doc, {"metadata", "uid"});
        const auto name = str(doc, {"metadata", "name"});
        spec["selector"] = {{"matchLabels", {{"batch.kubernetes.io/controller-uid", uid}}}};
        Json& labels = object(object(object(spec, "template"), "metadata"), "labels");
        labels["batch.kubernetes.io/controller-uid"] = uid;
        labels["batch.kubernetes.io/job-name"] = name;
        labels["controller-uid"] = uid;
        labels["job-name"] = name;
    }
    templateDefaults(spec);
}

} // namespace

void applyDefaults(World& world, const KindDef& kind, Json& doc, const Json* old) {
    const auto& r = kind.resource;
    if (kind.custom)
        return;
    if (r == "pods") {
        if (old == nullptr)
            podDefaults(doc);
    } else if (r == "deployments") {
        deploymentDefaults(object(doc, "spec"));
    } else if (r == "replicasets" || r == "replicationcontrollers") {
        set(object(doc, "spec"), "replicas", 1);
        templateDefaults(doc["spec"]);
    } else if (r == "statefulsets") {
        Json& spec = object(doc, "spec");
        set(spec, "replicas", 1);
        set(spec, "revisionHistoryLimit", 10);
        set(spec, "podManagementPolicy", "OrderedReady");
        set(object(spec, "updateStrategy"), "type", "RollingUpdate");
        if (spec["updateStrategy"]["type"] == "RollingUpdate")
            set(object(spec["updateStrategy"], "rollingUpdate"), "partition", 0);
        templateDefaults(spec);
    } else if (r == "daemonsets") {
        Json& spec = object(doc, "spec");
        set(spec, "revisionHistoryLimit", 10);
        set(object(spec, "updateStrategy"), "type", "RollingUpdate");
        if (spec["updateStrategy"]["type"] == "RollingUpdate") {
            set(object(spec["updateStrategy"], "rollingUpdate"), "maxUnavailable", 1);
            set(spec["updateStrategy"]["rollingUpdate"], "maxSurge", 0);
        }
        templateDefaults(spec);
    } else if (r == "services") {
        serviceDefaults(world, object(doc, "spec"));
        set(object(doc, "status"), "loadBalancer", Json::object());
    } else if (r == "jobs") {
        jobDefaults(doc);
    } else if (r == "cronjobs") {
        Json& spec = object(doc, "spec");
        set(spec, "concurrencyPolicy", "Allow");
        set(spec, "suspend", false);
        set(spec, "successfulJobsHistoryLimit", 3);
        set(spec, "failedJobsHistoryLimit", 1);
        templateDefaults(object(object(spec, "jobTemplate"), "spec"));
    } else if (r == "namespaces") {
        object(doc, "spec")["finalizers"] = Json::array({"kubernetes"});
        if (old == nullptr)
            object(doc, "status")["phase"] = "Active";
        object(doc["metadata"], "labels")["kubernetes.io/metadata.name"] = str(doc, {"metadata", "name"});
    } else if (r == "secrets") {
        set(doc, "type", "Opaque");
        if (doc.contains("stringData") && doc["stringData"].is_object()) {
            Json& data = object(doc, "data");
            for (const auto& [key, value] : doc["stringData"].items())
                data[key] = encodeBase64(str(value));
            doc.erase("stringData");
        }
    } else if (r == "persistentvolumeclaims") {
        set(object(doc, "spec"), "volumeMode", "Filesystem");
        if (old == nullptr)
            object(doc, "status")["phase"] = "Pending";
    } else if (r == "horizontalpodautoscalers") {
        set(object(doc, "spec"), "minReplicas", 1);
    } else if (r == "storageclasses") {
        set(doc, "reclaimPolicy", "Delete");
        set(doc, "volumeBindingMode", "Immediate");
    }
}

} // namespace alidade::simulator
