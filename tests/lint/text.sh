#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Rules that a search can hold.  text.sh ROOT
# A line that must break one says so and why, on itself:  // lint: allow <rule>: <reason>
set -euo pipefail
shopt -s lastpipe # rule() counts in this shell, not in a pipe's
cd "$1"

list=$(mktemp)
trap 'rm -f "$list"' EXIT
problems=0
files() { # files FOLDER... -- PATTERN...: existing files below the folders with names that match
    local folders=() patterns=()
    while [ "$1" != -- ]; do [ -e "$1" ] && folders+=("$1"); shift; done
    shift
    for p in "$@"; do patterns+=(-o -name "$p"); done
    [ ${#folders[@]} -eq 0 ] || find "${folders[@]}" -path ./build -prune -o -type f \( -false "${patterns[@]}" \) -print0
}
rule() { # rule NAME WHY REGEX < NUL-separated files
    local found
    found=$(xargs -0 -r grep -nHIE -- "$3" | grep -vE "lint: allow $1: ." || true)
    if [ -n "$found" ]; then
        printf '[%s] %s\n%s\n' "$1" "$2" "$found"
        problems=$((problems + 1))
    fi
}

source_globs=('*.cpp' '*.hpp')
all_globs=('*.cpp' '*.hpp' '*.cmake' 'CMakeLists.txt' '*.sh')

files tests -- "${source_globs[@]}" | rule qtest \
    "QVERIFY and QCOMPARE pass silently inside GoogleTest" '\b(QVERIFY|QCOMPARE|QTRY_[A-Z]+)[A-Z0-9_]*\b'
files tests -- "${source_globs[@]}" | rule disabled "a test that does not run proves nothing" '\bDISABLED_|GTEST_SKIP'
files tests -- "${source_globs[@]}" | rule sleep "wait for a condition, not for luck" \
    'sleep_for|sleep_until|\busleep\(|QThread::m?u?sleep|\bqWait\(|\bqSleep\('
files lib/agent -- "${source_globs[@]}" | rule person_draft "a run's drafts come from a validated plan; a person's are made at the desk" \
    '\bfromPerson\b'
files lib app tests -- "${source_globs[@]}" | rule tls "a TLS error is never ignored" 'ignoreSslErrors|VerifyNone'
files lib app -- "${source_globs[@]}" | rule shell "children get an argument list, never a shell" \
    '\bsystem\(|\bpopen\(|/bin/(ba|da)?sh|execlp?\('
files lib app -- "${source_globs[@]}" | rule network "HTTP goes through alidade_http" 'QNetworkAccessManager'
files app/ui app/models app/desktop -- "${source_globs[@]}" | rule nested_loop "the GUI thread never waits" \
    'processEvents\(|\bQEventLoop\b|waitForFinished\(|waitForStarted\(|\bmsleep\('
files lib -- '*.hpp' | while IFS= read -r -d '' f; do case $f in */include/*) printf '%s\0' "$f" ;; esac; done |
    rule qstring "the libraries' interfaces speak UTF-8 std::string" '\bQ(String|StringView|ByteArray|Object|Variant)\b'
files lib/guard lib/cluster/model lib/cluster/simulator lib/cluster/writer lib/agent -- "${source_globs[@]}" |
    rule qt_free "QString begins in app/" '\bQString\b'
files app -- "${source_globs[@]}" | rule markup "a tool tip guesses markup: plainTip() for what is not our own words" \
    '(setToolTip\(|TabToolTip\(\w+, )(tr\(.*\.arg\(|[^tmp{ )]|t[^r]|m[^o]|mo[^d]|p[^l]|models::[^p])|showText\([^,]*, [^pm]|ToolTipRole: return (shown|[^pcft])'
files lib app tests -- "${all_globs[@]}" | rule unfinished "what is landed is finished" '\b([T]ODO|[F]IXME|[X]XX|[H]ACK)\b'
files lib app -- '*.hpp' | while IFS= read -r -d '' f; do
    grep -q '^#pragma once' "$f" || printf '%s:1: no #pragma once\n' "$f"
done > "$list"
files . -- "${all_globs[@]}" | while IFS= read -r -d '' f; do
    head -n 2 "$f" | grep -q 'SPDX-License-Identifier: GPL-3.0-or-later' || printf '%s:1: no SPDX line on top\n' "$f"
done >> "$list"
files lib app tests -- "${source_globs[@]}" | while IFS= read -r -d '' f; do
    lines=$(wc -l < "$f")
    [ "$lines" -le 600 ] || printf '%s:1: %s lines, 600 at most\n' "$f" "$lines"
done >> "$list"
files lib app -- '*.hpp' | xargs -0 -r awk '
    FNR == 1 { depth = 0; space = "" }
    /^namespace [a-z:]+ \{/ { outer[depth++] = space; space = space "::" $2 }
    /^\}.*\/\/ namespace/ && depth > 0 { space = outer[--depth] }
    /^(struct|class) [A-Za-z]+( final)?( :.*)? ?\{/ { name = $2; sub(/\{.*/, "", name); key = space "::" name
        if (key in seen && seen[key] != FILENAME)
            printf "%s:%d: [one_definition] %s is also defined in %s: the linker keeps one of their functions\n", FILENAME, FNR, key, seen[key]
        seen[key] = FILENAME }' >> "$list"
if [ -s "$list" ]; then
    printf '[file] every file: SPDX line, header guard, length\n'
    cat "$list"
    problems=$((problems + 1))
fi

count=$(files . -- "${all_globs[@]}" | tr -cd '\0' | wc -c)
[ "$count" -gt 0 ] || { echo "no files found: nothing was checked"; exit 1; }
echo "$count files read, $problems rules broken"
[ "$problems" -eq 0 ]
