#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Does every relative link and every `path/in/backquotes` of the documents lead to something?  links.sh ROOT
set -euo pipefail
cd "$1"
failed=0 count=0
while read -r document link; do
    count=$((count + 1))
    if [ ! -e "$(dirname "$document")/$link" ]; then
        echo "$document: $link leads nowhere"
        failed=1
    fi
done < <(
    for document in *.md docs/*.md docs/*/*.md; do
        [ -f "$document" ] || continue
        grep -oE '\]\([^)#: ]+' "$document" | sed "s,^](,$document ," || true
        if [ "$(dirname "$document")" = . ]; then
            grep -oE '`(app|lib|tests|packaging|cmake|docs|translations|resources)/[a-z_/.-]+`' "$document" |
                tr -d '`' | sed "s,^,$document ," || true
        fi
    done
)
echo "$count links followed"
[ "$count" -gt 0 ] && exit $failed
