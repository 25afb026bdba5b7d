// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Pods as a busy cluster serves them: about 5.6 kB each, with managed fields, probes, volumes, conditions.
#include <string>

namespace alidade::cluster::bench {

inline std::string podJson(int i) {
    const std::string n = std::to_string(i);
    const std::string app = "service-" + std::to_string(i % 400);
    const std::string name = app + "-7d9c6b5f4d-" + n;
    std::string managed;
    for (const char* manager : {"kube-controller-manager", "kubelet"}) {
        managed += std::string(managed.empty() ? "" : ",") + R"({"manager":")" + manager +
                   R"(","operation":"Update","apiVersion":"v1","time":"2024-05-01T10:00:00Z","fieldsType":"FieldsV1","fieldsV1":{"f:metadata":{"f:generateName":{},"f:labels":{".":{},"f:app":{},"f:pod-template-hash":{},"f:tier":{}},"f:ownerReferences":{".":{},"k:{\"uid\":\"6f1de5f4-58a5-4cbb-a31f-0a3b5b0a0000\"}":{}}},"f:spec":{"f:containers":{"k:{\"name\":\"app\"}":{".":{},"f:env":{".":{},"k:{\"name\":\"LOG_LEVEL\"}":{".":{},"f:name":{},"f:value":{}}},"f:image":{},"f:imagePullPolicy":{},"f:livenessProbe":{".":{},"f:failureThreshold":{},"f:httpGet":{".":{},"f:path":{},"f:port":{},"f:scheme":{}},"f:periodSeconds":{},"f:successThreshold":{},"f:timeoutSeconds":{}},"f:name":{},"f:ports":{".":{},"k:{\"containerPort\":8080,\"protocol\":\"TCP\"}":{".":{},"f:containerPort":{},"f:protocol":{}}},"f:resources":{".":{},"f:limits":{".":{},"f:cpu":{},"f:memory":{}},"f:requests":{".":{},"f:cpu":{},"f:memory":{}}},"f:terminationMessagePath":{},"f:terminationMessagePolicy":{}}},"f:dnsPolicy":{},"f:enableServiceLinks":{},"f:restartPolicy":{},"f:schedulerName":{},"f:securityContext":{},"f:terminationGracePeriodSeconds":{}}}})";
    }
    return R"({"metadata":{"name":")" + name + R"(","generateName":")" + app + R"(-7d9c6b5f4d-","namespace":"team-)" +
           std::to_string(i % 50) + R"(","uid":"3f7a2c1e-8b4d-4e6f-9a0b-)" + std::string(12 - n.size(), '0') + n +
           R"(","resourceVersion":")" + std::to_string(1'000'000 + i) +
           R"(","creationTimestamp":"2024-05-01T09:00:00Z","labels":{"app":")" + app +
           R"(","pod-template-hash":"7d9c6b5f4d","tier":"backend","app.kubernetes.io/part-of":"shop"},"annotations":{"prometheus.io/scrape":"true","checksum/config":"0f343b0931126a20f133d67c2b018a3b0f343b0931126a20f133d67c2b018a3b"},"ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":")" +
           app + R"(-7d9c6b5f4d","uid":"6f1de5f4-58a5-4cbb-a31f-0a3b5b0a0000","controller":true,"blockOwnerDeletion":true}],"managedFields":[)" +
           managed +
           R"(]},"spec":{"volumes":[{"name":"kube-api-access","projected":{"sources":[{"serviceAccountToken":{"expirationSeconds":3607,"path":"token"}},{"configMap":{"name":"kube-root-ca.crt","items":[{"key":"ca.crt","path":"ca.crt"}]}}],"defaultMode":420}},{"name":"config","configMap":{"name":")" +
           app + R"(-config","defaultMode":420}}],"containers":[{"name":"app","image":"registry.example.com/shop/)" + app +
           R"(:1.42.0","ports":[{"containerPort":8080,"protocol":"TCP"}],"env":[{"name":"LOG_LEVEL","value":"info"},{"name":"POD_NAME","valueFrom":{"fieldRef":{"apiVersion":"v1","fieldPath":"metadata.name"}}}],"resources":{"limits":{"cpu":"500m","memory":"512Mi"},"requests":{"cpu":"100m","memory":"256Mi"}},"volumeMounts":[{"name":"config","mountPath":"/etc/app"},{"name":"kube-api-access","readOnly":true,"mountPath":"/var/run/secrets/kubernetes.io/serviceaccount"}],"livenessProbe":{"httpGet":{"path":"/healthz","port":8080,"scheme":"HTTP"},"timeoutSeconds":1,"periodSeconds":10,"successThreshold":1,"failureThreshold":3},"terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File","imagePullPolicy":"IfNotPresent"}],"restartPolicy":"Always","terminationGracePeriodSeconds":30,"dnsPolicy":"ClusterFirst","serviceAccountName":"default","serviceAccount":"default","nodeName":"node-)" +
           std::to_string(i % 200) +
           R"(.example.internal","securityContext":{},"schedulerName":"default-scheduler","tolerations":[{"key":"node.kubernetes.io/not-ready","operator":"Exists","effect":"NoExecute","tolerationSeconds":300},{"key":"node.kubernetes.io/unreachable","operator":"Exists","effect":"NoExecute","tolerationSeconds":300}],"priority":0,"enableServiceLinks":true,"preemptionPolicy":"PreemptLowerPriority"},"status":{"phase":"Running","conditions":[{"type":"Initialized","status":"True","lastProbeTime":null,"lastTransitionTime":"2024-05-01T09:00:01Z"},{"type":"Ready","status":"True","lastProbeTime":null,"lastTransitionTime":"2024-05-01T09:00:05Z"},{"type":"ContainersReady","status":"True","lastProbeTime":null,"lastTransitionTime":"2024-05-01T09:00:05Z"},{"type":"PodScheduled","status":"True","lastProbeTime":null,"lastTransitionTime":"2024-05-01T09:00:00Z"}],"hostIP":"10.1.0.7","podIP":"10.42.3.17","podIPs":[{"ip":"10.42.3.17"}],"startTime":"2024-05-01T09:00:01Z","containerStatuses":[{"name":"app","state":{"running":{"startedAt":"2024-05-01T09:00:04Z"}},"lastState":{},"ready":true,"restartCount":0,"image":"registry.example.com/shop/)" +
           app +
           R"(:1.42.0","imageID":"registry.example.com/shop/app@sha256:0f343b0931126a20f133d67c2b018a3b0f343b0931126a20f133d67c2b018a3b","containerID":"containerd://9c56cc51b374c3ba189210d5b6d4bf57790d351c96c47c02190ecf1e430635ab","started":true}],"qosClass":"Burstable"}})";
}

inline std::string podList(int count) {
    std::string body = R"({"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"2000000"},"items":[)";
    for (int i = 0; i < count; ++i) {
        body += (i == 0 ? "" : ",") + podJson(i);
    }
    return body + "]}";
}

} // namespace alidade::cluster::bench
