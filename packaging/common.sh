# SPDX-License-Identifier: GPL-3.0-or-later
# Shared by packaging/run, packaging/test and .ci/run: where the project is, its packages, stages with their seconds.
# Sourced; bash, set -euo pipefail.
project=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
jobs=$(nproc 2> /dev/null || echo 2)

# Precompiled headers are cacheable only with these, and objects are found again from another folder only with the rest.
export CCACHE_SLOPPINESS=${CCACHE_SLOPPINESS:-pch_defines,time_macros,include_file_mtime,include_file_ctime}
export CCACHE_BASEDIR=${CCACHE_BASEDIR:-$project}
export CCACHE_NOHASHDIR=${CCACHE_NOHASHDIR:-1}

say() { printf '== %s\n' "$*"; }
die() {
    printf 'error: %s\n' "$*" >&2
    exit 1
}

# packages_of GROUP...: "package<TAB>description" for what is missing here of the groups.
packages_of() {
    local group first rest
    while read -r group first rest; do
        case " $* " in *" $group "*) ;; *) continue ;; esac
        if [[ $first == command\?* ]]; then
            command -v "${first#command?}" > /dev/null && continue
            read -r first rest <<< "$rest"
        fi
        if command -v dpkg-query > /dev/null; then
            [ "$(dpkg-query -W -f='${db:Status-Status}' "$first" 2> /dev/null)" != installed ] || continue
        fi
        printf '%s\t%s\n' "$first" "$rest"
    done < <(grep -v '^#' "$project/packaging/dependencies")
}

# need GROUP...: installs what is missing, or says exactly what to install.
need() {
    local missing as_root=()
    if ! command -v apt-get > /dev/null; then
        [ ! -e "$project/build/.packages-assumed" ] || return 0
        say "This is not Debian or Ubuntu, so nothing is installed here. Alidade needs (Debian's name, then what it is):"
        packages_of "$@" | sed 's/^/   /'
        say "Install them with this system's package manager, then: touch build/.packages-assumed, and start again."
        exit 1
    fi
    missing=$(packages_of "$@" | cut -f 1)
    [ -n "$missing" ] || return 0
    missing=$(tr '\n' ' ' <<< "$missing")
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo > /dev/null || die "as root, run:  apt-get install --no-install-recommends $missing"
        as_root=(sudo)
        [ -t 0 ] || as_root=(sudo -n)
    fi
    say "installing $missing"
    export DEBIAN_FRONTEND=noninteractive
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q update < /dev/null ||
        die "apt-get update failed; as root, run:  apt-get update && apt-get install --no-install-recommends $missing"
    # shellcheck disable=SC2086 # a list of names
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -y install --no-install-recommends $missing < /dev/null ||
        die "the packages could not be installed; as root, run:  apt-get install --no-install-recommends $missing"
}

# build PRESET TARGET...: configures when needed, then builds.
build() {
    local preset=$1
    shift
    (
        cd "$project"
        mkdir -p "build/$preset"
        cmake --preset "$preset" > "build/$preset/configure.log" 2>&1 || {
            cat "build/$preset/configure.log"
            die "configuring the preset $preset failed"
        }
        cmake --build --preset "$preset" -j "$jobs" --target "$@"
    )
}

# stage NAME COMMAND...: runs it, remembers its seconds; the first failure is remembered and the rest still runs.
stages=()
failures=()
stage() {
    local name=$1 begin=$SECONDS result=ok
    shift
    say "$name"
    # A subshell of its own, so that set -e holds inside although the result is asked for.
    set +e
    (
        set -e
        "$@"
    )
    local code=$?
    set -e
    if [ $code -ne 0 ]; then
        result="FAILED ($code)"
        failures+=("$name")
    fi
    stages+=("$(printf '%6d s  %-12s %s' $((SECONDS - begin)) "$result" "$name")")
}
absent() { # absent NAME WHY: a stage that there is nothing for yet
    say "$1: $2"
    stages+=("$(printf '%8s  %-12s %s' - "not there" "$1: $2")")
}
summary() {
    printf '\n== %s: stages\n' "$1"
    [ ${#stages[@]} -eq 0 ] || printf '%s\n' "${stages[@]}"
    if [ ${#failures[@]} -ne 0 ]; then
        printf '== failed: %s\n' "$(
            IFS=,
            echo "${failures[*]}"
        )"
        return 1
    fi
    [ ${#stages[@]} -ne 0 ] || die "no stage ran"
}
