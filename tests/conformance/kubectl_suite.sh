#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# kubectl as a client: what a person types, and what must come back. The same cases run against the simulator and, with
# ALIDADE_CONFORMANCE_KUBECONFIG, against a real API server with a node.
#   kubectl_suite.sh CASE PATH-TO-KUBECTL PATH-TO-SIM_MAIN
#   kubectl_suite.sh --list
set -u
CASE=$1
IMAGE=${ALIDADE_CONFORMANCE_IMAGE:-busybox:1.35}
NEVER=${ALIDADE_CONFORMANCE_MISSING_IMAGE:-registry.invalid/nothing:1}
NS="conformance-$CASE"
WORK=$(mktemp -d)
failures=0

fail() { echo "FAIL: $*" >&2; failures=$((failures + 1)); }
k() { "$KUBECTL" --kubeconfig "$KUBECONFIG" -n "$NS" "$@"; }
# expect PATTERN command...: succeeds, and its output has a line that matches
expect() {
    local pattern=$1 out
    shift
    out=$("$@" 2>&1) || fail "'$*' failed: $out"
    grep -qE -- "$pattern" <<<"$out" || fail "'$*' does not say /$pattern/: $out"
}
# refuse PATTERN command...: fails, and says why
refuse() {
    local pattern=$1 out
    shift
    if out=$("$@" 2>&1); then fail "'$*' succeeded: $out"; fi
    grep -qE -- "$pattern" <<<"$out" || fail "'$*' does not say /$pattern/: $out"
}
# until_says PATTERN command...: it comes true within a bound
until_says() {
    local pattern=$1 out="" deadline=$((SECONDS + 60))
    shift
    while ((SECONDS < deadline)); do
        out=$("$@" 2>&1)
        grep -qE -- "$pattern" <<<"$out" && return 0
        sleep 0.2
    done
    fail "'$*' never says /$pattern/: $out"
}
manifest() { # name image replicas script
    cat <<YAML
apiVersion: apps/v1
kind: Deployment
metadata: {name: $1, annotations: {kubernetes.io/change-cause: "image $2"}}
spec:
  replicas: $3
  progressDeadlineSeconds: 20
  selector: {matchLabels: {app: $1}}
  strategy: {rollingUpdate: {maxUnavailable: 1, maxSurge: 1}}
  template:
    metadata: {labels: {app: $1}}
    spec:
      terminationGracePeriodSeconds: 1
      containers:
      - name: app
        image: $2
        command: ["sh", "-c", "$4"]
YAML
}
web() { manifest web "$IMAGE" "${1:-3}" "echo up; sleep 3600" | k apply -f -; }

case_version() {
    expect 'Server Version' k version
    expect '^ok$' k get --raw /readyz
    expect '^deployments +deploy +apps/v1 +true +Deployment$' k api-resources
    expect '^pods +po +v1 +true +Pod$' k api-resources --api-group=
    expect '^apps/v1$' k api-versions
}

case_get() {
    expect 'created|configured' web
    expect 'successfully rolled out' k rollout status deployment/web --timeout=60s
    expect '^NAME +READY +UP-TO-DATE +AVAILABLE +AGE$' k get deployment web
    expect '^web +3/3 +3 +3 ' k get deployment web
    expect '^NAME +READY +UP-TO-DATE +AVAILABLE +AGE +CONTAINERS +IMAGES +SELECTOR$' k get deployment web -o wide
    expect '^NAME +READY +STATUS +RESTARTS +AGE +IP +NODE +NOMINATED NODE +READINESS GATES$' k get pods -o wide
    expect '^NAME +DESIRED +CURRENT +READY +AGE$' k get replicasets
    expect '^NAME +STATUS +ROLES +AGE +VERSION' k get nodes
    expect '^NAMESPACE +NAME +STATUS|^NAMESPACE +NAME +READY' k get pods -A
    expect 'replicas: 3' k get deployment web -o yaml
    expect '^3$' k get deployment web -o 'jsonpath={.status.readyReplicas}{"\n"}'
    expect '^web$' k get deployment -l '!missing' -o 'custom-columns=NAME:.metadata.name'
    expect 'No resources found' k get pods -l app=nobody
    expect '^web-' k get pods --field-selector=status.phase=Running
    refuse 'pods "nobody" not found' k get pod nobody
    refuse "doesn't have a resource type \"nonsense\"" k get nonsense
}

case_watch() {
    web 1 >/dev/null
    k rollout status deployment/web --timeout=60s >/dev/null
    timeout 20 "$KUBECTL" --kubeconfig "$KUBECONFIG" -n "$NS" get pods -w >"$WORK/watch" 2>&1 &
    local watcher=$!
    until_says 'Running' cat "$WORK/watch"
    k delete pod -l app=web --wait=false >/dev/null
    until_says 'Terminating' cat "$WORK/watch"
    until_says 'ContainerCreating|Pending' cat "$WORK/watch"
    kill $watcher 2>/dev/null
    wait $watcher 2>/dev/null
}

case_describe() {
    web 1 >/dev/null
    k rollout status deployment/web --timeout=60s >/dev/null
    expect 'ScalingReplicaSet' k describe deployment web
    expect 'StrategyType: +RollingUpdate' k describe deployment web
    expect 'NewReplicaSet: +web-[a-z0-9]+ \(1/1 replicas created\)' k describe deployment web
    expect 'Controlled By: +ReplicaSet/web-' k describe pod -l app=web
    expect 'Started container app|Started +.*container' k describe pod -l app=web
    expect 'Ready +True' k describe node
}

case_logs() {
    manifest loop "$IMAGE" 1 'echo hello; sleep 2; echo bye; exit 3' | k apply -f - >/dev/null
    until_says '^hello$' k logs deployment/loop
    until_says '^bye$' k logs deployment/loop --previous
    expect '^[0-9T:.-]+Z hello$' k logs deployment/loop --previous --timestamps
    expect '^bye$' k logs deployment/loop --previous --tail=1
    until_says 'CrashLoopBackOff' k get pods -l app=loop
    manifest count "$IMAGE" 1 'while true; do echo tick; sleep 1; done' | k apply -f - >/dev/null
    k rollout status deployment/count --timeout=60s >/dev/null
    timeout 4 "$KUBECTL" --kubeconfig "$KUBECONFIG" -n "$NS" logs -f deployment/count >"$WORK/follow" 2>&1
    (($(grep -c tick "$WORK/follow") >= 2)) || fail "a followed log says $(cat "$WORK/follow")"
    refuse 'previous terminated container "app" in pod' k logs deployment/count --previous
}

case_rollout() {
    web >/dev/null
    k rollout status deployment/web --timeout=60s >/dev/null
    manifest web "$NEVER" 3 'echo up; sleep 3600' | k apply -f - >/dev/null
    until_says 'ErrImagePull|ImagePullBackOff' k get pods -l app=web
    expect '^web +2/3 ' k get deployment web
    refuse 'exceeded its progress deadline|timed out waiting' k rollout status deployment/web --timeout=60s
    expect "^1 +image $IMAGE" k rollout history deployment/web
    expect "^2 +image $NEVER" k rollout history deployment/web
    expect "Image:\s+$IMAGE" k rollout history deployment/web --revision=1
    expect 'rolled back' k rollout undo deployment/web
    expect 'successfully rolled out' k rollout status deployment/web --timeout=60s
    expect "^3 +image $IMAGE" k rollout history deployment/web
    expect 'restarted' k rollout restart deployment/web
    expect 'successfully rolled out' k rollout status deployment/web --timeout=60s
    expect 'paused' k rollout pause deployment/web
    refuse 'paused' k rollout restart deployment/web
    expect 'resumed' k rollout resume deployment/web
}

case_scale() {
    web 2 >/dev/null
    k rollout status deployment/web --timeout=60s >/dev/null
    expect 'scaled' k scale deployment/web --replicas=4
    expect 'successfully rolled out' k rollout status deployment/web --timeout=60s
    expect '^web +4/4 ' k get deployment web
    refuse 'Expected replicas to be 9' k scale deployment/web --current-replicas=9 --replicas=1
    expect '"kind":"Scale"' k get --raw "/apis/apps/v1/namespaces/$NS/deployments/web/scale"
}

case_write() {
    expect 'created' k create configmap settings --from-literal=a=1
    refuse 'already exists' k create configmap settings --from-literal=a=1
    expect 'created \(server dry run\)' k create configmap ghost --from-literal=a=1 --dry-run=server
    refuse 'not found' k get configmap ghost
    expect 'created' k create secret generic keys --from-literal=p=x
    expect '^keys +Opaque +1 ' k get secrets
    expect 'created' web 1
    expect 'unchanged|configured' web 1
    expect 'labeled' k label deployment web colour=blue
    expect 'patched' k patch deployment web -p '{"spec":{"template":{"spec":{"containers":[{"name":"app","env":[{"name":"A","value":"b"}]}]}}}}'
    expect '"name":"A"' k get deployment web -o 'jsonpath={.spec.template.spec.containers[0].env}'
    refuse 'The request is invalid|rejected our request' k patch deployment web --type=json -p '[{"op":"test","path":"/spec/replicas","value":99}]'
    refuse 'field is immutable' k patch deployment web -p '{"spec":{"selector":{"matchLabels":{"app":"x"}},"template":{"metadata":{"labels":{"app":"x"}}}}}'
    expect 'serverside-applied' k apply --server-side --field-manager=one -f - <<<'{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"owned"},"data":{"k":"1"}}'
    refuse 'conflict with "one"' k apply --server-side --field-manager=two -f - <<<'{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"owned"},"data":{"k":"2"}}'
    expect 'deleted' k delete deployment web --wait
    until_says 'No resources found' k get pods -l app=web
    refuse 'not found' k delete deployment web
    refuse 'Invalid value: "Bad_Name"' k apply -f - <<<'{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"Bad_Name"}}'
}

case_auth() {
    expect '^yes$' k auth can-i delete pods
    expect '\*\.\* +\[\] +\[\] +\[\*\]' k auth can-i --list
}

case_jobs() {
    k create job once --image="$IMAGE" -- sh -c 'echo done' >/dev/null
    expect 'condition met' k wait --for=condition=complete job/once --timeout=60s
    expect '^done$' k logs job/once
    expect '1/1' k get jobs
}

case_events() {
    web 1 >/dev/null
    k rollout status deployment/web --timeout=60s >/dev/null
    expect '^LAST SEEN +TYPE +REASON +OBJECT +MESSAGE$' k get events
    expect 'Normal +Scheduled +pod/web-' k get events
    expect 'Scheduled' k get events --field-selector=reason=Scheduled
    expect 'Scheduled' k get events.events.k8s.io
}

if [ "$CASE" = --list ]; then
    declare -F | sed -n 's/^declare -f case_//p'
    exit 0
fi
KUBECTL=$2
export HOME=$WORK
if [ -n "${ALIDADE_CONFORMANCE_KUBECONFIG:-}" ]; then
    KUBECONFIG=$ALIDADE_CONFORMANCE_KUBECONFIG
    stop() { k delete namespace "$NS" --wait=false >/dev/null 2>&1; }
else
    KUBECONFIG=$WORK/kubeconfig
    exec 7> >(exec "$3" "$KUBECONFIG" --scenario healthy) # ends when this script lets go of its input
    simulator=$!
    stop() { exec 7>&-; wait $simulator; }
    for _ in $(seq 400); do [ -f "$KUBECONFIG" ] && break; sleep 0.05; done
fi
"$KUBECTL" --kubeconfig "$KUBECONFIG" create namespace "$NS" >/dev/null || fail "no namespace"
"case_$CASE"
stop
rm -rf "$WORK"
exit $((failures > 0))
