#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# realcluster.sh - a real Kubernetes (control plane and one node) made from Debian packages only.
#
#   realcluster.sh build    fetch Debian packages, compile what Debian only ships as source (idempotent)
#   realcluster.sh up       start etcd, apiserver, controller-manager, scheduler, containerd, kubelet, kube-proxy
#   realcluster.sh status   what runs
#   realcluster.sh down     stop what `up` started (by pid file), unmount, drop the bridge and the cgroups
#
# with a cluster up:
#   realcluster.sh image NAME:TAG DIR [ENTRYPOINT...]      a local image whose file system is DIR
#   realcluster.sh image NAME:TAG --from-binary BIN [--with PATH]... [ARG...]
#                                                          BIN with its libraries, a shell and the CA certificates; --with adds what
#                                                          BIN loads at run time (file or folder, same path, its libraries too)
#   realcluster.sh kill-apiserver | start-apiserver        kill -9; start again with the same flags
#   realcluster.sh pause NAME | resume NAME                SIGSTOP, SIGCONT (etcd, apiserver, controller-manager, scheduler,
#                                                          containerd, kubelet, proxy, hollow-001, ...)
#
# Environment:
#   LAB_CACHE   binaries and images                     (default /var/cache/realcluster)
#   LAB_WORK    sources, Go toolchain, Go build cache   (default $LAB_CACHE/work; may be deleted after a build)
#   LAB_RUN     everything a running cluster writes     (default /tmp/realcluster; removed by `up`)
#   LAB_NODE    1 = real node, 0 = control plane only   (default 1)
#   LAB_PROXY   1 = kube-proxy (needs the node), 0 = no (default 1)
#   LAB_PORT    API server port on 127.0.0.1            (default 16443; etcd: +1, +2; KCM +3; scheduler +4)
#   LAB_POD_NET first three octets of the pod network   (default 10.244.0; bridge and node IP: .1)
#   LAB_SVC_NET first three octets of the service net   (default 10.96.0)
#   LAB_HOLLOW  how many simulated nodes (kubemark: a real kubelet on a fake runtime) beside it (default 0)
#   LAB_AUDIT   Metadata, or Request: bodies too, for the core group, apps and LAB_AUDIT_GROUPS (default Metadata)
#   LAB_AUDIT_GROUPS  further API groups, by blanks     (default "alidade.dev lab.local")
#
# Debian 12 or later, root, openssl, curl, iproute2. Contacts only the configured Debian mirror (build) and this machine (up).
set -euo pipefail
umask 022

LAB_RUN=${LAB_RUN:-/tmp/realcluster}
case ${1:-} in build | up) ;; *) [ ! -f "$LAB_RUN/settings" ] || . "$LAB_RUN/settings" ;; esac   # as `up` had them
LAB_CACHE=${LAB_CACHE:-/var/cache/realcluster}
LAB_WORK=${LAB_WORK:-$LAB_CACHE/work}
LAB_NODE=${LAB_NODE:-1}
LAB_PROXY=${LAB_PROXY:-1}
LAB_PORT=${LAB_PORT:-16443}
LAB_POD_NET=${LAB_POD_NET:-10.244.0}
LAB_SVC_NET=${LAB_SVC_NET:-10.96.0}
LAB_HOLLOW=${LAB_HOLLOW:-0}
LAB_AUDIT=${LAB_AUDIT:-Metadata}
LAB_AUDIT_GROUPS=${LAB_AUDIT_GROUPS-alidade.dev lab.local}
KUBECTL=${KUBECTL:-$LAB_CACHE/pkg/usr/bin/kubectl}   # Debian's, of the same version
NODE_NAME=lab-node-1
BRIDGE=labbr0
NODE_IP=$LAB_POD_NET.1
RT_TABLE=1644
# paths that kubelet, containerd and CNI have compiled in
FIXED_DIRS="/var/lib/kubelet /var/lib/cni /var/log/pods /var/log/containers /run/containerd"

K8S_DEB=1.20.5+really1.20.2          # Debian's upstream version string
K8S_VER=v1.20.2
K8S_COMMIT=faecb196815e248d3ecfb03c680a4507229c2a56
SUITE=bookworm                       # the last suite whose source package is the whole of Kubernetes
MIRROR=${LAB_MIRROR:-$(apt-get indextargets --format "\$(REPO_URI)" "Codename: $SUITE" 2>/dev/null | head -n 1)} # the mirror this machine already uses
STAMP=8                              # raise when the build recipe changes

BIN=$LAB_CACHE/bin
PKG=$LAB_CACHE/pkg                   # unpacked Debian runtime packages
URL=https://127.0.0.1:$LAB_PORT
ETCD_C=http://127.0.0.1:$((LAB_PORT + 1))
ETCD_P=http://127.0.0.1:$((LAB_PORT + 2))

say() { printf '%s %s\n' "$(date +%H:%M:%S)" "$*" >&2; }
die() { say "ERROR: $*"; exit 1; }
now() { date +%s.%N; }
timed() { # timed LABEL CMD...
  local label=$1 t0; shift; t0=$(now)
  "$@"
  say "$(printf '%-34s %6.1f s' "$label" "$(echo "$(now) $t0" | awk '{print $1-$2}')")"
}

# ---------------------------------------------------------------------------------------------- build
apt_opts() {
  local a=$LAB_WORK/apt
  APT=(-oDir::Etc::SourceList="$a/sources.list" -oDir::Etc::SourceParts=/dev/null
       -oDir::Etc::Preferences=/dev/null -oDir::Etc::PreferencesParts=/dev/null
       -oDir::State::Lists="$a/lists" -oDir::Cache="$a/cache" -oDir::State::status="$a/status"
       -oAPT::Sandbox::User=root -oAPT::Install-Recommends=0 -oAcquire::Languages=none -oAcquire::Retries=3 -qq)
}
b_lists() {
  local a=$LAB_WORK/apt key=/usr/share/keyrings/debian-archive-keyring.gpg
  mkdir -p "$a/lists/partial" "$a/cache/archives/partial"; : > "$a/status"
  printf '%s [signed-by=%s] %s %s main\n' deb $key $MIRROR $SUITE deb-src $key $MIRROR $SUITE > "$a/sources.list"
  apt-get "${APT[@]}" update
}
b_download() {
  mkdir -p "$LAB_WORK/debs" && cd "$LAB_WORK/debs"
  # libs: what the dynamically linked binaries need beyond libc, so that nothing is installed on the host
  apt-get "${APT[@]}" download golang-1.19-go golang-1.19-src golang-github-modern-go-reflect2-dev \
    etcd-server etcd-client kubernetes-client containerd runc containernetworking-plugins busybox-static \
    libseccomp2 iptables libxtables12 libip4tc2 libip6tc2 libnftnl11 libmnl0 libnfnetlink0 libnetfilter-conntrack3 conntrack
  apt-get "${APT[@]}" source --download-only kubernetes
}
b_unpack() {
  cd "$LAB_WORK"; rm -rf go gopath "$PKG.new"; mkdir -p go gopath/src/k8s.io/kubernetes "$PKG.new"
  local d
  for d in debs/golang-1.19-*.deb; do dpkg-deb -x "$d" go; done
  for d in debs/*.deb; do case $d in debs/golang-*) ;; *) dpkg-deb -x "$d" "$PKG.new";; esac; done
  rm -rf "$PKG.new/usr/share/doc" "$PKG.new/usr/share/man" "$PKG"; mv "$PKG.new" "$PKG"
  tar -xzf "debs/kubernetes_$K8S_DEB.orig.tar.gz" -C gopath/src/k8s.io/kubernetes --strip-components=1
}
go_env() {
  export GOROOT=$LAB_WORK/go/usr/lib/go-1.19 GOPATH=$LAB_WORK/gopath GOCACHE=$LAB_WORK/gocache
  export GOENV=off GOPROXY=off GOSUMDB=off GOFLAGS= GO111MODULE=off CGO_ENABLED=0 GOTOOLCHAIN=local
  export PATH=$GOROOT/bin:$PATH
  K=$GOPATH/src/k8s.io/kubernetes
}
b_patch() {
  cd "$K"
  # 1. reflect2 1.0.1 crashes with Go >= 1.18: take Debian's 1.0.2.
  local r=vendor/github.com/modern-go/reflect2
  rm -f $r/*.go $r/*.s
  dpkg-deb --fsys-tarfile "$LAB_WORK"/debs/golang-github-modern-go-reflect2-dev_*.deb |
    tar -x -C $r --strip-components=8 ./usr/share/gocode/src/github.com/modern-go/reflect2
  # 2. kubelet: warn about kernel settings (vm.overcommit_memory, kernel.panic, ...) instead of changing the machine's.
  sed -i 's/^\tb := KernelTunableModify$/\tb := KernelTunableWarn/' pkg/kubelet/cm/container_manager_linux.go
  grep -q '^	b := KernelTunableWarn$' pkg/kubelet/cm/container_manager_linux.go
  # 3. kube-proxy: route_localnet on the lab's bridge only, not on every interface of the machine.
  sed -i "s#\"net/ipv4/conf/all/route_localnet\"#\"net/ipv4/conf/$BRIDGE/route_localnet\"#" pkg/proxy/iptables/proxier.go
  grep -q "conf/$BRIDGE/route_localnet" pkg/proxy/iptables/proxier.go
  # 4. kubelet: no cloud credential providers, no cloud detection (they ask 169.254.169.254); see also -tags providerless.
  sed -i -E '/^\t_ "k8s.io\/kubernetes\/pkg\/credentialprovider\/(aws|azure|gcp)"$/d' cmd/kubelet/app/plugins.go
  sed -i '/cadvisor\/utils\/cloudinfo\//d' pkg/kubelet/cadvisor/cadvisor_linux.go
  ! grep -q 'credentialprovider/' cmd/kubelet/app/plugins.go
  ! grep -q 'cloudinfo/' pkg/kubelet/cadvisor/cadvisor_linux.go
  # 5. kubemark: its unauthenticated kubelet port listens on loopback only.
  sed -i 's#c.Address = "0.0.0.0" /\* bind address \*/#c.Address = "127.0.0.1"#' pkg/kubemark/hollow_kubelet.go
  grep -q 'c.Address = "127.0.0.1"' pkg/kubemark/hollow_kubelet.go
  # 6. kubemark: the node IP is given, not looked up in the DNS.
  sed -i -e 's#^\t"fmt"$#\t"fmt"\n\t"os"#' -e 's#^\tf.HostnameOverride = opt.NodeName$#&\n\tf.NodeIP = os.Getenv("LAB_NODE_IP")#' \
    -e 's#MakeTempDirOrDie("hollow-kubelet.", "")#MakeTempDirOrDie("hollow-kubelet.", os.Getenv("TMPDIR"))#' pkg/kubemark/hollow_kubelet.go
  grep -q LAB_NODE_IP pkg/kubemark/hollow_kubelet.go
  # 7. kubemark: a socket of its own for each node's fake runtime (upstream runs one node a container).
  printf '// +build !windows\n\npackage fake\n\nimport "os"\n\n// GenerateEndpoint names the socket.\nfunc GenerateEndpoint() (string, error) {\n\treturn "unix://" + os.Getenv("TMPDIR") + "/cri.sock", nil\n}\n' > pkg/kubelet/cri/remote/fake/endpoint.go
  grep -q TMPDIR pkg/kubelet/cri/remote/fake/endpoint.go
}
b_openapi() { # the one generated file that upstream does not commit
  cd "$K"
  go build -p 2 -o "$LAB_WORK/openapi-gen" ./vendor/k8s.io/kube-openapi/cmd/openapi-gen
  local dirs
  dirs=$( { (cd vendor && find -L k8s.io -name '*.go' -not -path '*/_examples/*' -not -path '*/testdata/*' -print0 |
                xargs -0 grep -l '^// *+k8s:openapi-gen=' | sed 's#^#vendor/#')
            find pkg plugin cmd test -name '*.go' -print0 | xargs -0 grep -l '^// *+k8s:openapi-gen=' || true; } |
          xargs -n1 dirname | LC_ALL=C sort -u | grep -vE '^vendor/k8s.io/(code-generator|sample-apiserver|kube-openapi|gengo)')
  "$LAB_WORK/openapi-gen" --logtostderr -i "$(echo "$dirs" | sed 's#^#k8s.io/kubernetes/#' | paste -sd,)" \
    -p k8s.io/kubernetes/pkg/generated/openapi -O zz_generated.openapi \
    -h vendor/k8s.io/code-generator/hack/boilerplate.go.txt -r "$LAB_WORK/violations.report"
  cmp "$LAB_WORK/violations.report" api/api-rules/violation_exceptions.list   # same input as upstream's
}
b_compile() { # b_compile COMMAND
  cd "$K"
  local v=k8s.io/kubernetes/vendor/k8s.io l="-s -w" p
  for p in component-base/version client-go/pkg/version; do
    l+=" -X $v/$p.gitVersion=$K8S_VER -X $v/$p.gitMajor=1 -X $v/$p.gitMinor=20 -X $v/$p.gitTreeState=clean"
    l+=" -X $v/$p.gitCommit=$K8S_COMMIT -X $v/$p.buildDate=2021-01-13T13:20:00Z"
  done
  go build -p 2 -trimpath -tags providerless -ldflags "$l" -o "$BIN/$1.new" "./cmd/$1"
  mv "$BIN/$1.new" "$BIN/$1"
}
b_images() { # two docker-archive tars, made by hand: a pause and a busybox
  local w=$LAB_WORK/images; rm -rf "$w"; mkdir -p "$w/pause" "$w/pausesrc" "$LAB_CACHE/images"
  cat > "$w/pausesrc/main.go" <<'E'
package main

import (
	"os"
	"os/signal"
	"syscall"
)

func main() { // the sandbox process: waits for a stop, reaps orphans
	c := make(chan os.Signal, 16)
	signal.Notify(c, syscall.SIGINT, syscall.SIGTERM, syscall.SIGCHLD)
	for s := range c {
		if s != syscall.SIGCHLD {
			os.Exit(0)
		}
		for {
			if p, err := syscall.Wait4(-1, nil, syscall.WNOHANG, nil); p <= 0 || err != nil {
				break
			}
		}
	}
}
E
  (cd "$w/pausesrc" && go build -trimpath -ldflags '-s -w' -o "$w/pause/pause" main.go)
  local b=$w/busybox a; mkdir -p "$b"/{bin,etc,tmp,root,proc,sys,dev,var/www,var/run,usr}
  cp "$PKG/bin/busybox" "$b/bin/busybox"
  "$b/bin/busybox" --list | while read -r a; do [ -e "$b/bin/$a" ] || ln -s /bin/busybox "$b/bin/$a"; done
  ln -s /bin "$b/sbin"; ln -s /bin "$b/usr/bin"; chmod 1777 "$b/tmp"
  printf 'root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534:nobody:/:/bin/false\n' > "$b/etc/passwd"
  printf 'root:x:0:\nnogroup:x:65534:\n' > "$b/etc/group"
  echo 'hello from a real pod' > "$b/var/www/index.html"
  archive "$w/pause" lab.local/pause:1 '["/pause"]' null '["PATH=/bin"]' "$LAB_CACHE/images/pause.tar" > /dev/null
  archive "$b" docker.io/library/busybox:1.35 null '["sh"]' '["PATH=/bin"]' "$LAB_CACHE/images/busybox.tar" > /dev/null
}
archive() { # archive DIR REF ENTRYPOINT CMD ENV OUT: a docker archive with one layer; prints the image's id
  local o=$6.parts diff cfg
  rm -rf "$o"; mkdir -p "$o"
  tar --sort=name --owner=0 --group=0 --numeric-owner --mtime=@0 -cf "$o/layer.tar" -C "$1" .
  diff=$(sha256sum "$o/layer.tar" | cut -d' ' -f1)
  printf '{"architecture":"%s","os":"linux","created":"2021-01-01T00:00:00Z","config":{"Entrypoint":%s,"Cmd":%s,"Env":%s,"WorkingDir":"/"},"rootfs":{"type":"layers","diff_ids":["sha256:%s"]},"history":[{"created":"2021-01-01T00:00:00Z"}]}' \
    "$(dpkg --print-architecture)" "$3" "$4" "$5" "$diff" > "$o/config.json"
  cfg=$(sha256sum "$o/config.json" | cut -d' ' -f1); mv "$o/config.json" "$o/$cfg.json"
  printf '[{"Config":"%s.json","RepoTags":["%s"],"Layers":["layer.tar"]}]' "$cfg" "$2" > "$o/manifest.json"
  tar -cf "$6" -C "$o" .
  rm -rf "$o"
  echo "sha256:$cfg"
}
cmd_build() {
  mkdir -p "$BIN" "$LAB_WORK"
  local c want="$STAMP $K8S_DEB"
  if [ "$(cat "$LAB_CACHE/built" 2>/dev/null)" = "$want" ]; then say "build: already done in $LAB_CACHE"; return; fi
  local t0; t0=$(now); apt_opts
  timed "apt lists" b_lists
  timed "download packages and source" b_download
  timed "unpack" b_unpack
  go_env
  timed "patch" b_patch
  timed "generate openapi" b_openapi
  for c in kube-apiserver kube-controller-manager kube-scheduler kubelet kube-proxy kubemark; do timed "compile $c" b_compile "$c"; done
  timed "images" b_images
  echo "$want" > "$LAB_CACHE/built"
  say "$(printf '%-34s %6.1f s' "build, all" "$(echo "$(now) $t0" | awk '{print $1-$2}')")"
  du -sh "$BIN" "$PKG" "$LAB_CACHE/images" "$LAB_WORK" >&2
}

# ------------------------------------------------------------------------------------------- up, down
start() { # start NAME CMD...   (own session; log, pid file and command line are kept)
  local n=$1; shift
  printf '%s\0' "$@" > "$LAB_RUN/cmd/$n"
  setsid nohup "$@" >> "$LAB_RUN/log/$n.log" 2>&1 < /dev/null &
  local p=$!
  echo "$p $(awk '{print $22}' "/proc/$p/stat")" > "$LAB_RUN/pid/$n"
}
alive() { # alive NAME: the pid file's process is still that one (pid and start time)
  local p t; [ -e "$LAB_RUN/pid/$1" ] && read -r p t < "$LAB_RUN/pid/$1" || return 1
  [ "$(awk '$3 != "Z" {print $22}' "/proc/$p/stat" 2>/dev/null)" = "$t" ]
}
stop() { # stop NAME [SECONDS]
  alive "$1" || { rm -f "$LAB_RUN/pid/$1"; return 0; }
  local p i; read -r p _ < "$LAB_RUN/pid/$1"
  kill "$p" 2>/dev/null && kill -CONT "$p" 2>/dev/null || true   # a paused one could not end
  for ((i = 0; i < ${2:-15} * 10; i++)); do alive "$1" || break; sleep 0.1; done
  alive "$1" && kill -9 "$p" 2>/dev/null || true
  rm -f "$LAB_RUN/pid/$1"
}
wait_for() { # wait_for SECONDS WHAT CMD...
  local s=$1 w=$2 i; shift 2
  for ((i = 0; i < s * 5; i++)); do "$@" > /dev/null 2>&1 && return 0; sleep 0.2; done
  die "$w: not ready after $s s (see $LAB_RUN/log)"
}
kc() { "$KUBECTL" --kubeconfig "$LAB_RUN/admin.kubeconfig" "$@"; }
api() { # api PATH: plain GET as admin, without kubectl
  curl -sf --cacert "$LAB_RUN/pki/ca.crt" --cert "$LAB_RUN/pki/admin.crt" --key "$LAB_RUN/pki/admin.key" "$URL$1"
}

cert() { # cert NAME CN O EKU [SAN]
  local d=$LAB_RUN/pki ca=${CA:-ca}
  openssl req -new -newkey rsa:2048 -nodes -keyout "$d/$1.key" -out "$d/$1.csr" -subj "${3:+/O=$3}/CN=$2" 2> /dev/null
  { echo "extendedKeyUsage=$4"; echo "keyUsage=digitalSignature,keyEncipherment"; [ -z "${5:-}" ] || echo "subjectAltName=$5"; } > "$d/$1.ext"
  openssl x509 -req -in "$d/$1.csr" -CA "$d/$ca.crt" -CAkey "$d/$ca.key" -CAcreateserial -days 3650 -extfile "$d/$1.ext" -out "$d/$1.crt" 2> /dev/null
}
kubeconfig() { # kubeconfig FILE CERT   (certificates embedded: the file can be copied anywhere)
  local d=$LAB_RUN/pki
  cat > "$LAB_RUN/$1" <<E
apiVersion: v1
kind: Config
clusters:
- name: lab
  cluster: {server: "$URL", certificate-authority-data: $(base64 -w0 "$d/ca.crt")}
users:
- name: $2
  user: {client-certificate-data: $(base64 -w0 "$d/$2.crt"), client-key-data: $(base64 -w0 "$d/$2.key")}
contexts:
- name: lab
  context: {cluster: lab, user: $2}
current-context: lab
E
  chmod 600 "$LAB_RUN/$1"
}
kubeconfig_token() { # kubeconfig_token FILE USER TOKEN
  cat > "$LAB_RUN/$1" <<E
apiVersion: v1
kind: Config
clusters:
- name: lab
  cluster: {server: "$URL", certificate-authority-data: $(base64 -w0 "$LAB_RUN/pki/ca.crt")}
users:
- name: $2
  user: {token: $3}
contexts:
- name: lab
  context: {cluster: lab, user: $2}
current-context: lab
E
  chmod 600 "$LAB_RUN/$1"
}
u_pki() {
  local d=$LAB_RUN/pki; mkdir -p "$d"; chmod 700 "$d"
  local c
  for c in ca front-ca; do
    openssl req -x509 -newkey rsa:2048 -nodes -days 3650 -keyout "$d/$c.key" -out "$d/$c.crt" -subj "/CN=lab-$c" \
      -addext keyUsage=critical,keyCertSign,cRLSign 2> /dev/null
  done
  openssl genrsa -out "$d/sa.key" 2048 2> /dev/null; openssl rsa -in "$d/sa.key" -pubout -out "$d/sa.pub" 2> /dev/null
  cert apiserver kube-apiserver "" serverAuth "IP:127.0.0.1,IP:$LAB_SVC_NET.1,IP:$NODE_IP,DNS:localhost,DNS:kubernetes,DNS:kubernetes.default,DNS:kubernetes.default.svc,DNS:kubernetes.default.svc.cluster.local"
  cert admin lab-admin system:masters clientAuth
  cert controller-manager system:kube-controller-manager "" clientAuth
  cert scheduler system:kube-scheduler "" clientAuth
  cert proxy system:kube-proxy "" clientAuth
  cert kubelet system:node:$NODE_NAME system:nodes clientAuth
  cert kubelet-server $NODE_NAME "" serverAuth "IP:$NODE_IP,DNS:$NODE_NAME"
  cert apiserver-kubelet kube-apiserver-kubelet-client system:masters clientAuth
  [ "$LAB_HOLLOW" = 0 ] || cert hollow lab-hollow system:masters clientAuth   # simulated nodes; a name of their own keeps them out of the audit log
  CA=front-ca cert front-proxy front-proxy-client "" clientAuth
  kubeconfig admin.kubeconfig admin
  [ "$LAB_HOLLOW" = 0 ] || kubeconfig hollow.kubeconfig hollow
  for c in controller-manager scheduler proxy kubelet; do kubeconfig $c.kubeconfig $c; done
  # users without rights of their own: RBAC decides (see u_users)
  local t u; : > "$d/tokens.csv"
  for u in viewer editor nobody-at-all; do
    t=$(openssl rand -hex 16); echo "$t,$u,$u,\"lab:${u}s\"" >> "$d/tokens.csv"
    kubeconfig_token $u.kubeconfig $u "$t"
  done
}
u_etcd() {
  start etcd "$PKG/usr/bin/etcd" --name lab --data-dir "$LAB_RUN/etcd" --logger zap \
    --listen-client-urls "$ETCD_C" --advertise-client-urls "$ETCD_C" \
    --listen-peer-urls "$ETCD_P" --initial-advertise-peer-urls "$ETCD_P" --initial-cluster "lab=$ETCD_P"
  wait_for 30 etcd curl -sf "$ETCD_C/health"
}
u_apiserver() {
  local d=$LAB_RUN/pki g eps=none
  {
    cat <<'E'
apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules:
- level: None
  userGroups: [system:nodes, "system:serviceaccounts:kube-system"]
- level: None
  users: [system:apiserver, system:kube-controller-manager, system:kube-scheduler, system:kube-proxy, lab-hollow]
E
    if [ "$LAB_AUDIT" = Request ]; then
      printf -- '- level: Request\n  resources:\n'
      for g in '' apps $LAB_AUDIT_GROUPS; do printf -- '  - group: "%s"\n' "$g"; done
    fi
    echo '- level: Metadata'
  } > "$LAB_RUN/audit.yaml"
  [ "$LAB_NODE" != 1 ] || eps=lease   # the API server itself keeps the endpoints of the service `kubernetes` (see u_api_for_pods)
  start apiserver "$BIN/kube-apiserver" \
    --bind-address=127.0.0.1 --secure-port="$LAB_PORT" --insecure-port=0 --advertise-address="$NODE_IP" --endpoint-reconciler-type=$eps \
    --etcd-servers="$ETCD_C" --service-cluster-ip-range="$LAB_SVC_NET.0/24" \
    --tls-cert-file="$d/apiserver.crt" --tls-private-key-file="$d/apiserver.key" --client-ca-file="$d/ca.crt" \
    --service-account-issuer=https://kubernetes.default.svc --service-account-key-file="$d/sa.pub" --service-account-signing-key-file="$d/sa.key" \
    --authorization-mode=Node,RBAC --anonymous-auth=false --token-auth-file="$d/tokens.csv" --enable-admission-plugins=NodeRestriction \
    --kubelet-client-certificate="$d/apiserver-kubelet.crt" --kubelet-client-key="$d/apiserver-kubelet.key" --kubelet-certificate-authority="$d/ca.crt" \
    --kubelet-preferred-address-types=InternalIP \
    --requestheader-client-ca-file="$d/front-ca.crt" --requestheader-allowed-names=front-proxy-client --requestheader-username-headers=X-Remote-User \
    --requestheader-group-headers=X-Remote-Group --requestheader-extra-headers-prefix=X-Remote-Extra- \
    --proxy-client-cert-file="$d/front-proxy.crt" --proxy-client-key-file="$d/front-proxy.key" \
    --allow-privileged=true --event-ttl=1h --audit-policy-file="$LAB_RUN/audit.yaml" --audit-log-path="$LAB_RUN/log/audit.jsonl" \
    ${LAB_APISERVER_FLAGS:-}
  wait_for 60 apiserver api /readyz
}
u_controllers() {
  local d=$LAB_RUN/pki
  start controller-manager "$BIN/kube-controller-manager" --kubeconfig="$LAB_RUN/controller-manager.kubeconfig" \
    --bind-address=127.0.0.1 --secure-port=$((LAB_PORT + 3)) --port=0 --leader-elect=false --use-service-account-credentials \
    --service-account-private-key-file="$d/sa.key" --root-ca-file="$d/ca.crt" --cluster-signing-cert-file="$d/ca.crt" --cluster-signing-key-file="$d/ca.key" \
    --authentication-kubeconfig="$LAB_RUN/controller-manager.kubeconfig" --authorization-kubeconfig="$LAB_RUN/controller-manager.kubeconfig" \
    --controllers='*,bootstrapsigner,tokencleaner' --allocate-node-cidrs=false
  start scheduler "$BIN/kube-scheduler" --kubeconfig="$LAB_RUN/scheduler.kubeconfig" \
    --bind-address=127.0.0.1 --secure-port=$((LAB_PORT + 4)) --port=0 --leader-elect=false \
    --authentication-kubeconfig="$LAB_RUN/scheduler.kubeconfig" --authorization-kubeconfig="$LAB_RUN/scheduler.kubeconfig"
  wait_for 60 "default service account" api /api/v1/namespaces/default/serviceaccounts/default
}
u_users() {
  kc apply -f - > /dev/null <<'E'
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: lab-viewers}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: view}
subjects: [{apiGroup: rbac.authorization.k8s.io, kind: Group, name: "lab:viewers"}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: lab-editors, namespace: default}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: edit}
subjects: [{apiGroup: rbac.authorization.k8s.io, kind: Group, name: "lab:editors"}]
E
}
u_net() {
  ip link show $BRIDGE > /dev/null 2>&1 || ip link add $BRIDGE type bridge
  ip addr replace "$NODE_IP/24" dev $BRIDGE
  ip link set $BRIDGE up
  # service addresses never leave the machine, with or without kube-proxy
  ip route replace "$LAB_SVC_NET.0/24" dev $BRIDGE
  # what pods send is forwarded to pods only: own routing table, everything else is dropped
  sysctl -qw net.ipv4.conf.$BRIDGE.forwarding=1
  ip route replace "$LAB_POD_NET.0/24" dev $BRIDGE table $RT_TABLE
  ip route replace blackhole default table $RT_TABLE
  ip rule show | grep -q "iif $BRIDGE lookup $RT_TABLE" || ip rule add iif $BRIDGE lookup $RT_TABLE
}
u_containerd() {
  local c=$LAB_RUN/containerd; mkdir -p "$c/cni" "$c/bin"
  ln -sf "$PKG"/usr/bin/containerd* "$PKG/usr/sbin/runc" "$c/bin/"
  cat > "$c/cni/10-lab.conflist" <<E
{"cniVersion": "0.4.0", "name": "lab", "plugins": [
  {"type": "bridge", "bridge": "$BRIDGE", "isGateway": false, "ipMasq": false, "hairpinMode": true,
   "ipam": {"type": "host-local", "dataDir": "$c/ipam",
            "ranges": [[{"subnet": "$LAB_POD_NET.0/24", "rangeStart": "$LAB_POD_NET.10", "gateway": "$NODE_IP"}]],
            "routes": [{"dst": "0.0.0.0/0", "gw": "$NODE_IP"}]}}]}
E
  cat > "$c/config.toml" <<E
version = 2
root = "$c/root"
state = "$c/state"
oom_score = 0
[grpc]
  address = "$c/containerd.sock"
[ttrpc]
  address = "$c/containerd.sock.ttrpc"
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "lab.local/pause:1"
  restrict_oom_score_adj = true
  disable_apparmor = true
  stream_server_address = "127.0.0.1"
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "$PKG/usr/lib/cni"
    conf_dir = "$c/cni"
  [plugins."io.containerd.grpc.v1.cri".containerd]
    snapshotter = "${LAB_SNAPSHOTTER:-overlayfs}"
    default_runtime_name = "runc"
    [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
      runtime_type = "io.containerd.runc.v2"
      [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc.options]
        BinaryName = "$c/bin/runc"
        SystemdCgroup = false
[plugins."io.containerd.internal.v1.opt"]
  path = "$c/opt"
E
  # every image pull, whatever the registry in its name, ends at a closed port of this machine (no name is looked up)
  HTTP_PROXY=http://127.0.0.1:1 HTTPS_PROXY=http://127.0.0.1:1 NO_PROXY= PATH=$c/bin:$PATH start containerd "$c/bin/containerd" --config "$c/config.toml"
  wait_for 30 containerd ctr_lab version
  local i; for i in pause busybox; do ctr_lab -n k8s.io images import --snapshotter "${LAB_SNAPSHOTTER:-overlayfs}" "$LAB_CACHE/images/$i.tar" > /dev/null; done
}
ctr_lab() { "$PKG/usr/bin/ctr" -a "$LAB_RUN/containerd/containerd.sock" "$@"; }
u_kubelet() {
  local k=$LAB_RUN/kubelet; mkdir -p "$k" "$LAB_RUN/manifests"
  printf 'nameserver 127.0.0.1\n' > "$LAB_RUN/resolv.conf"       # pods get no name server of the machine's
  cat > "$LAB_RUN/kubelet.yaml" <<E
apiVersion: kubelet.config.k8s.io/v1beta1
kind: KubeletConfiguration
address: $NODE_IP
port: 10250
healthzBindAddress: 127.0.0.1
authentication: {anonymous: {enabled: false}, webhook: {enabled: true}, x509: {clientCAFile: "$LAB_RUN/pki/ca.crt"}}
authorization: {mode: Webhook}
tlsCertFile: "$LAB_RUN/pki/kubelet-server.crt"
tlsPrivateKeyFile: "$LAB_RUN/pki/kubelet-server.key"
cgroupDriver: cgroupfs
failSwapOn: false
makeIPTablesUtilChains: false
resolvConf: "$LAB_RUN/resolv.conf"
clusterDNS: [$LAB_SVC_NET.10]
clusterDomain: cluster.local
staticPodPath: "$LAB_RUN/manifests"
oomScoreAdj: 0
maxPods: 200
imageGCHighThresholdPercent: 100
evictionHard: {memory.available: 100Mi, nodefs.available: 1%, imagefs.available: 1%}
enforceNodeAllocatable: [pods]
syncFrequency: 10s
nodeStatusUpdateFrequency: 2s
volumePluginDir: "$k/volumeplugins"
E
  PATH=$LAB_RUN/containerd/bin:$PATH start kubelet "$BIN/kubelet" --config="$LAB_RUN/kubelet.yaml" --kubeconfig="$LAB_RUN/kubelet.kubeconfig" --root-dir="$k" --cert-dir="$k/pki" \
    --containerd="$LAB_RUN/containerd/containerd.sock" --container-runtime=remote --container-runtime-endpoint="unix://$LAB_RUN/containerd/containerd.sock" \
    --hostname-override=$NODE_NAME --node-ip="$NODE_IP" --node-labels=lab.local/real=true
  wait_for 60 "node $NODE_NAME" node_ready
}
node_ready() { api /api/v1/nodes/$NODE_NAME | tr -d ' \n' | grep -q '"reason":"KubeletReady"'; }
u_iptables() { # wrappers for the unpacked packages' iptables and conntrack
  mkdir -p "$LAB_RUN/iptables"
  local b l; l=$(echo "$PKG"/usr/lib/*-linux-gnu)
  for b in iptables iptables-save iptables-restore ip6tables ip6tables-save ip6tables-restore; do
    printf '#!/bin/sh\nexport LD_LIBRARY_PATH=%s XTABLES_LIBDIR=%s/xtables XTABLES_LOCKFILE=%s/xtables.lock\nexec %s/usr/sbin/%s %s "$@"\n' \
      "$l" "$l" "$LAB_RUN/iptables" "$PKG" "xtables-${LAB_IPTABLES:-legacy}-multi" "$b" > "$LAB_RUN/iptables/$b"
  done
  printf '#!/bin/sh\nexport LD_LIBRARY_PATH=%s\nexec %s/usr/sbin/conntrack "$@"\n' "$l" "$PKG" > "$LAB_RUN/iptables/conntrack"
  chmod +x "$LAB_RUN"/iptables/*
}
u_proxy() {
  cat > "$LAB_RUN/proxy.yaml" <<E
apiVersion: kubeproxy.config.k8s.io/v1alpha1
kind: KubeProxyConfiguration
mode: iptables
clientConnection: {kubeconfig: "$LAB_RUN/proxy.kubeconfig"}
clusterCIDR: $LAB_POD_NET.0/24
hostnameOverride: $NODE_NAME
bindAddress: $NODE_IP
healthzBindAddress: 127.0.0.1:10256
metricsBindAddress: 127.0.0.1:10249
nodePortAddresses: [$NODE_IP/32]
conntrack: {maxPerCore: 0, min: 0, tcpEstablishedTimeout: 0s, tcpCloseWaitTimeout: 0s}
E
  PATH=$LAB_RUN/iptables:$PATH start proxy "$BIN/kube-proxy" --config="$LAB_RUN/proxy.yaml"
  wait_for 30 kube-proxy curl -sf http://127.0.0.1:10256/healthz
}
u_api_for_pods() { # the API server listens on loopback only: what pods (and this machine) send to the service or to its endpoint goes there
  local i="$LAB_RUN/iptables/iptables -w 10" n="$LAB_RUN/iptables/iptables -w 10 -t nat"
  sysctl -qw net.ipv4.conf.$BRIDGE.route_localnet=1
  $n -N LAB-API 2> /dev/null || $n -F LAB-API
  $n -A LAB-API -d "$LAB_SVC_NET.1/32" -p tcp --dport 443 -j DNAT --to-destination "127.0.0.1:$LAB_PORT"
  $n -A LAB-API -d "$NODE_IP/32" -p tcp --dport "$LAB_PORT" -j DNAT --to-destination "127.0.0.1:$LAB_PORT"
  # ahead of kube-proxy's own rule, whose target (the endpoint) could not be turned a second time
  $n -C PREROUTING -i $BRIDGE -j LAB-API 2> /dev/null || $n -I PREROUTING -i $BRIDGE -j LAB-API
  $n -C OUTPUT -j LAB-API 2> /dev/null || $n -I OUTPUT -j LAB-API
  # pods reach nothing else on loopback; the node's address answers only pods and this machine
  $i -N LAB-IN 2> /dev/null || $i -F LAB-IN
  $i -A LAB-IN -i lo -j RETURN
  $i -A LAB-IN -i $BRIDGE -d 127.0.0.0/8 -m conntrack ! --ctstate RELATED,ESTABLISHED,DNAT -j DROP
  $i -A LAB-IN ! -i $BRIDGE -d "$NODE_IP/32" -j DROP
  $i -C INPUT -j LAB-IN 2> /dev/null || $i -I INPUT -j LAB-IN
  wait_for 30 "endpoints of the service kubernetes" api_has_endpoints
}
api_has_endpoints() {
  api /api/v1/namespaces/default/endpoints/kubernetes | grep -q "\"$NODE_IP\"" &&
    api /apis/discovery.k8s.io/v1beta1/namespaces/default/endpointslices/kubernetes | grep -q "\"$NODE_IP\""
}
d_api_for_pods() {
  local i="$LAB_RUN/iptables/iptables -w 10" n="$LAB_RUN/iptables/iptables -w 10 -t nat"
  $n -D PREROUTING -i $BRIDGE -j LAB-API; $n -D OUTPUT -j LAB-API; $n -F LAB-API; $n -X LAB-API
  $i -D INPUT -j LAB-IN; $i -F LAB-IN; $i -X LAB-IN
}
u_hollow() { # LAB_HOLLOW simulated nodes; tainted, so that only pods which tolerate lab.local/hollow land there
  local i n
  for ((i = 1; i <= LAB_HOLLOW; i++)); do
    n=$(printf 'hollow-%03d' "$i")
    mkdir -p "$LAB_RUN/hollow/$n"
    LAB_NODE_IP=$NODE_IP TMPDIR=$LAB_RUN/hollow/$n GOMAXPROCS=1 start "$n" "$BIN/kubemark" --morph=kubelet --name="$n" --kubeconfig="$LAB_RUN/hollow.kubeconfig" \
      --kubelet-port=$((LAB_PORT + 100 + i)) --kubelet-read-only-port=0 --node-labels=lab.local/hollow=true --register-with-taints=lab.local/hollow=true:NoSchedule
  done
  wait_for $((30 + LAB_HOLLOW * 2)) "hollow nodes" hollow_ready
}
hollow_ready() { [ "$(kc get nodes -l lab.local/hollow=true --no-headers | grep -c ' Ready ')" = "$LAB_HOLLOW" ]; }
cmd_up() {
  [ -e "$LAB_CACHE/built" ] || die "run 'build' first"
  [ ! -d "$LAB_RUN/pid" ] || [ -z "$(ls -A "$LAB_RUN/pid")" ] || die "something is up in $LAB_RUN: run 'down' first"
  [ "$LAB_NODE" != 1 ] || [ -z "$(pod_procs)" ] || die "another kubelet's pods run on this machine (cgroup kubepods)"
  command -v curl > /dev/null || die "curl is needed"
  case $LAB_AUDIT in Metadata | Request) ;; *) die "LAB_AUDIT is Metadata or Request, not '$LAB_AUDIT'" ;; esac
  local t0; t0=$(now)
  rm -rf "$LAB_RUN"; mkdir -p "$LAB_RUN/log" "$LAB_RUN/pid" "$LAB_RUN/cmd"
  local v; for v in LAB_CACHE LAB_NODE LAB_PROXY LAB_PORT LAB_POD_NET LAB_SVC_NET LAB_HOLLOW LAB_SNAPSHOTTER; do
    printf '%s=%q\n' $v "${!v:-}"
  done > "$LAB_RUN/settings"
  local d; for d in $FIXED_DIRS; do [ -e "$d" ] || echo "$d"; done > "$LAB_RUN/made"   # `down` removes these
  timed "certificates, kubeconfigs" u_pki
  timed "etcd" u_etcd
  timed "kube-apiserver" u_apiserver
  timed "controller-manager, scheduler" u_controllers
  timed "RBAC for the token users" u_users
  [ "$LAB_NODE$LAB_HOLLOW" = 00 ] || timed "bridge, routes" u_net
  if [ "$LAB_NODE" = 1 ]; then
    timed "containerd, images" u_containerd
    timed "kubelet until Ready" u_kubelet
    u_iptables
    [ "$LAB_PROXY" != 1 ] || timed "kube-proxy" u_proxy
    timed "API server for pods" u_api_for_pods
  fi
  [ "$LAB_HOLLOW" = 0 ] || timed "$LAB_HOLLOW hollow nodes" u_hollow
  say "$(printf '%-34s %6.1f s' "up, all" "$(echo "$(now) $t0" | awk '{print $1-$2}')")"
  echo "export KUBECONFIG=$LAB_RUN/admin.kubeconfig"
}
d_pods() { # stop the pods' containers through containerd, then their shims
  local c=$LAB_RUN/containerd id i
  [ -S "$c/containerd.sock" ] && alive containerd || return 0
  for id in $(ctr_lab -n k8s.io tasks ls -q 2>/dev/null); do ctr_lab -n k8s.io tasks kill -s KILL "$id" > /dev/null 2>&1 || true; done
  for ((i = 0; i < 50; i++)); do [ -z "$(ctr_lab -n k8s.io tasks ls 2>/dev/null | awk 'NR>1 && $3!="STOPPED"')" ] && break; sleep 0.1; done
  for id in $(ctr_lab -n k8s.io tasks ls -q 2>/dev/null); do ctr_lab -n k8s.io tasks rm -f "$id" > /dev/null 2>&1 || true; done
}
d_rest() {
  local m n p h d
  # containers that are left, should containerd have died: everything in the cgroups that this kubelet made
  for p in $(pod_procs); do kill -9 "$p" 2>/dev/null || true; done
  # shims that are left: those whose command line names this run's containerd socket
  for p in /proc/[0-9]*; do
    { tr '\0' ' ' < "$p/cmdline"; } 2>/dev/null | grep -q "^[^ ]*containerd-shim.* -address $LAB_RUN/containerd/containerd.sock" && kill "${p#/proc/}" 2>/dev/null || true
  done
  sleep 0.3
  # network namespaces of pods: the CNI's are mounts under /run/netns (cni-*), named in the sandboxes' specs
  for n in $(cat "$LAB_RUN"/pid.netns 2>/dev/null || true); do umount "$n" 2>/dev/null && rm -f "$n" || true; done
  awk -v r="$LAB_RUN/" 'index($2, r) == 1 {print $2}' /proc/mounts | sort -r | while read -r m; do umount -l "$m" 2>/dev/null || true; done
  if [ -x "$LAB_RUN/iptables/iptables" ]; then
    d_api_for_pods 2> /dev/null || true
    PATH=$LAB_RUN/iptables:$PATH "$BIN/kube-proxy" --cleanup --proxy-mode=iptables > "$LAB_RUN/log/proxy-cleanup.log" 2>&1 || true
    local t f c   # what kube-proxy's own clean-up leaves: its canary and mark chains
    for f in iptables ip6tables; do for t in filter nat mangle; do
      for c in $("$LAB_RUN/iptables/$f" -t $t -S 2>/dev/null | sed -n 's/^-N \(KUBE-.*\)$/\1/p'); do
        "$LAB_RUN/iptables/$f" -t $t -F "$c" 2>/dev/null && "$LAB_RUN/iptables/$f" -t $t -X "$c" 2>/dev/null || true
      done
    done; done
  fi
  if ip link show $BRIDGE > /dev/null 2>&1; then
    while ip rule del iif $BRIDGE lookup $RT_TABLE 2>/dev/null; do :; done
    ip route flush table $RT_TABLE 2>/dev/null || true
    ip link del $BRIDGE || true
  fi
  for d in $(cat "$LAB_RUN/made" 2>/dev/null || true); do rm -rf --one-file-system "$d"; done
  for h in /sys/fs/cgroup/*/kubepods /sys/fs/cgroup/kubepods; do
    [ -d "$h" ] && find "$h" -depth -type d -exec rmdir {} \; 2>/dev/null || true
  done
}
pod_procs() { find /sys/fs/cgroup -path '*/kubepods/*' -name cgroup.procs -exec cat {} + 2>/dev/null | sort -un; }
cmd_down() {
  [ -d "$LAB_RUN/pid" ] || { say "nothing is up in $LAB_RUN"; return; }
  local n
  for n in "$LAB_RUN"/pid/hollow-*; do [ ! -e "$n" ] || stop "${n##*/}"; done
  timed "stop kubelet" stop kubelet; timed "stop kube-proxy" stop proxy
  # remember the pods' network namespaces (mounts under /run/netns, made by containerd)
  grep -hos '/[a-z/]*/netns/cni-[0-9a-f-]*' "$LAB_RUN"/containerd/state/io.containerd.runtime.v2.task/k8s.io/*/config.json | sort -u > "$LAB_RUN/pid.netns" || true
  timed "stop pods" d_pods
  for n in scheduler controller-manager apiserver containerd etcd; do timed "stop $n" stop $n; done
  timed "unmount, network, cgroups" d_rest
  say "down"
}
cmd_status() {
  [ -d "$LAB_RUN/pid" ] || { echo "nothing is up in $LAB_RUN"; return 1; }
  local n p rc=0
  for n in etcd apiserver controller-manager scheduler containerd kubelet proxy $(cd "$LAB_RUN/pid" && ls -d hollow-* 2>/dev/null || true); do
    [ -e "$LAB_RUN/pid/$n" ] || continue
    read -r p _ < "$LAB_RUN/pid/$n"
    if alive $n; then printf '%-20s pid %-7s RSS %5d MiB%s\n' $n "$p" $(( $(awk '/VmRSS/{print $2}' "/proc/$p/status") / 1024 )) "$(paused $n && echo '  PAUSED' || true)"
    else printf '%-20s DEAD (log: %s)\n' $n "$LAB_RUN/log/$n.log"; rc=1; fi
  done
  kc --request-timeout=5s get nodes -o wide 2>&1 || rc=1
  kc --request-timeout=5s get pods -A 2>&1 | head -40
  echo "KUBECONFIG=$LAB_RUN/admin.kubeconfig   also: viewer, editor, nobody-at-all (.kubeconfig, bearer tokens)"
  return $rc
}
# ------------------------------------------------------------------------------------ images, failures
json() { # json WORD...: a list of strings
  local a o=
  for a in "$@"; do
    a=${a//\\/\\\\}; a=${a//\"/\\\"}; a=${a//$'\n'/\\n}; a=${a//$'\t'/\\t}
    o+=",\"$a\""
  done
  printf '[%s]' "${o:1}"
}
i_libs() { # i_libs ROOT FILE: copies the shared libraries that FILE needs, with the loader
  local l m
  m=$(ldd "$2" 2> /dev/null | grep 'not found' || true)
  [ -z "$m" ] || die "$2: libraries are missing: $(echo $m)"
  { ldd "$2" 2> /dev/null || true; } | sed -nE 's/^.* => (\/.+) \(0x[0-9a-f]+\)$/\1/p; s/^[[:space:]]*(\/.+) \(0x[0-9a-f]+\)$/\1/p' |
    while IFS= read -r l; do
      case $l in /lib/* | /lib64/* | /usr/lib/* | /usr/lib64/*) m=$1$l ;; *) m=$1/usr/local/lib/${l##*/} ;; esac
      [ -e "$m" ] || { mkdir -p "${m%/*}"; cp -L "$l" "$m"; }
    done
}
i_with() { # i_with ROOT PATH: a file or folder at its own path, and the libraries its programs and plugins need
  local p f; p=$(realpath -s "$2"); [ -e "$p" ] || die "--with $2: no such file"
  mkdir -p "$1${p%/*}"; cp -rLT "$p" "$1$p"
  find "$1$p" -type f -print0 | while IFS= read -r -d '' f; do
    if head -c 4 "$f" | LC_ALL=C grep -qa '^.ELF'; then i_libs "$1" "${f#"$1"}"; fi
  done
}
i_root() { # i_root ROOT BIN WITH...: a file system around one program
  local r=$1 b=$2 w q; shift 2
  mkdir -p "$r"/usr/{bin,sbin,lib,lib64,local/bin,local/lib} "$r"/{etc/ssl/certs,root,proc,sys,dev,run,var}
  mkdir -m 1777 "$r/tmp"
  for w in bin sbin lib lib64; do ln -s usr/$w "$r/$w"; done
  cp -L "$b" "$r/usr/local/bin/${b##*/}"; chmod 755 "$r/usr/local/bin/${b##*/}"
  i_libs "$r" "$b"
  for w in "$@"; do i_with "$r" "$w"; done
  for q in "$r"/usr/lib/*/libQt6Network.so.6; do       # Qt loads its TLS plugin, and that one OpenSSL, at run time
    q=${q#"$r"}; q=${q%/*}
    for w in "$q/qt6/plugins/tls" "$q/libssl.so.3" "$q/libcrypto.so.3"; do [ ! -e "$w" ] || i_with "$r" "$w"; done
  done
  cp "$PKG/bin/busybox" "$r/bin/busybox"
  "$PKG/bin/busybox" --list | while read -r w; do [ -e "$r/bin/$w" ] || ln -s busybox "$r/bin/$w"; done
  printf 'root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534:nobody:/:/bin/false\n' > "$r/etc/passwd"
  printf 'root:x:0:\nnogroup:x:65534:\n' > "$r/etc/group"
  printf 'passwd: files\ngroup: files\nhosts: files dns\n' > "$r/etc/nsswitch.conf"
  if [ -e /etc/ssl/certs/ca-certificates.crt ]; then cp -L /etc/ssl/certs/ca-certificates.crt "$r/etc/ssl/certs/"
  else say "note: no CA certificates on this machine, the image has none"; fi
}
cmd_image() {
  local ref=${1:-} first from=${2:-} w root env with=() id i
  [[ $ref =~ ^[a-z0-9]([a-z0-9._/:-]*[a-z0-9])?:[A-Za-z0-9_][A-Za-z0-9_.-]*$ && ${ref##*:} != */* ]] || die "image: NAME:TAG is needed, not '$ref'"
  [ "${ref##*:}" != latest ] || say "note: pods always pull ':latest' unless imagePullPolicy says otherwise, and no pull works here"
  first=${ref%%/*}                                     # a short name means the same as everywhere
  case $ref in */*) [[ $first == *.* || $first == *:* || $first == localhost ]] || ref=docker.io/$ref ;; *) ref=docker.io/library/$ref ;; esac
  alive containerd || die "image: no node is up in $LAB_RUN"
  w=$(mktemp -d "$LAB_RUN/image.XXXXXX"); trap 'rm -rf "$LAB_RUN"/image.*' EXIT
  case $from in
    --from-binary)
      from=${3:-}; shift 3 || die "image: which binary?"
      [ -f "$from" ] && [ -x "$from" ] || die "image: $from is not a program"
      while [ "${1:-}" = --with ]; do with+=("${2:?--with needs a path}"); shift 2; done
      [ "${1:-}" != -- ] || shift
      root=$w/root; i_root "$root" "$(realpath -s "$from")" ${with[@]+"${with[@]}"}
      set -- "/usr/local/bin/${from##*/}" "$@"
      env='["PATH=/usr/local/bin:/bin:/sbin","LD_LIBRARY_PATH=/usr/local/lib","LANG=C.UTF-8","SSL_CERT_FILE=/etc/ssl/certs/ca-certificates.crt"]' ;;
    *)
      [ -d "$from" ] || die "image: '$from' is not a folder"
      root=$from; shift 2
      env='["PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"]' ;;
  esac
  id=$(archive "$root" "$ref" "$([ $# = 0 ] && echo null || json "$@")" null "$env" "$w/image.tar")
  ctr_lab -n k8s.io images rm "$ref" > /dev/null 2>&1 || true   # the name moves; containers of an older image live on
  ctr_lab -n k8s.io images import --snapshotter "${LAB_SNAPSHOTTER:-overlayfs}" "$w/image.tar" > /dev/null
  wait_for 20 "image $ref" i_known "$ref"              # until the kubelet's side of containerd has it
  say "image $ref ($id, $(du -sh "$root" | cut -f1))"
}
i_known() { ctr_lab -n k8s.io images ls "name==$1" | grep -q 'io.cri-containerd.image=managed'; }
paused() { [ "$(awk '{print $3}' "/proc/$(cut -d' ' -f1 "$LAB_RUN/pid/$1")/stat" 2> /dev/null)" = T ]; }
gone() { ! alive "$1"; }
component() { # component NAME: one that `up` started and that lives
  [[ ${1:-} =~ ^[a-z0-9-]+$ ]] && [ -e "$LAB_RUN/pid/$1" ] || die "'${1:-}' is none of: $(ls "$LAB_RUN/pid" 2> /dev/null | paste -sd' ')"
  alive "$1" || die "$1 does not run"
}
signal() { local p; read -r p _ < "$LAB_RUN/pid/$2"; kill "-$1" "$p"; }
cmd_kill-apiserver() { component apiserver; signal KILL apiserver; wait_for 10 "end of the API server" gone apiserver; say "apiserver killed"; }
cmd_start-apiserver() {
  [ -e "$LAB_RUN/cmd/apiserver" ] || die "nothing is up in $LAB_RUN"
  ! alive apiserver || die "the API server runs already"
  local c; mapfile -d '' -t c < "$LAB_RUN/cmd/apiserver"
  start apiserver "${c[@]}"
  timed "kube-apiserver" wait_for 60 apiserver api /readyz
}
cmd_pause() { component "${1:-}"; signal STOP "$1"; wait_for 5 "pause of $1" paused "$1"; say "$1 paused"; }
cmd_resume() { component "${1:-}"; signal CONT "$1"; say "$1 resumed"; }
[ "$(id -u)" = 0 ] || die "run as root"
case ${1:-} in
  build | up | down | status | image | kill-apiserver | start-apiserver | pause | resume) "cmd_$1" "${@:2}" ;;
  *) awk 'NR > 1 { if (!/^#/) exit; print }' "$0"; exit 2 ;;
esac
