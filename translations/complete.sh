#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Is every text of the sources in every catalogue, and translated?  complete.sh LUPDATE SOURCES CATALOGUE...
set -euo pipefail
lupdate=$1 sources=$2
shift 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
for catalogue in "$@"; do
    # What lupdate would have to add shows in a copy, as an unfinished entry.
    copy=$work/$(basename "$catalogue")
    cp "$catalogue" "$copy"
    only=()
    [[ $catalogue != *_en.ts ]] || only=(-pluralonly) # English needs its plural forms, nothing else
    "$lupdate" -silent -no-obsolete "${only[@]}" -locations none "$sources" -ts "$copy"
    messages=$(grep -c '<source>' "$copy" || true)
    unfinished=$(grep -c 'type="unfinished"' "$copy" || true)
    empty=$(grep -cE '<translation></translation>|<translation/>|<numerusform></numerusform>' "$copy" || true)
    gone=$(grep -cE 'type="(vanished|obsolete)"' "$catalogue" || true)
    printf '%s: %s texts, %s unfinished, %s empty, %s no longer used\n' "$(basename "$catalogue")" "$messages" \
        "$unfinished" "$empty" "$gone"
    if [ "$unfinished" -gt 0 ]; then
        grep -B 3 'type="unfinished"' "$copy" | sed -nE 's,^ *<source>(.*)</source>,  unfinished: \1,p' | head -n 40
    fi
    [ $((unfinished + empty + gone)) -eq 0 ] && [ "$messages" -gt 0 ] || failed=1
done
exit $failed
