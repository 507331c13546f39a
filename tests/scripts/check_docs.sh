#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The documentation and the tree: docs/README.md lists every page, links lead somewhere, and files that are named
# in backquotes exist.
set -euo pipefail
cd "$(dirname "$0")/../.."
bad=0

complain() {
    echo "$*"
    bad=1
}

pages() {
    find . -path ./build -prune -o -name '*.md' -print | sed 's|^\./||' | sort
}

# A path from the root, from src, or of the page's own folder; or the name of a file anywhere.
exists() { # PAGE NAME
    [ -e "$2" ] || [ -e "src/$2" ] || [ -e "$(dirname "$1")/$2" ] ||
        [ -n "$(find src include tests bench examples models docs fuzz tools -path "*/$2" -print -quit)" ]
}

for page in docs/*.md docs/internals/*.md docs/*.json; do
    [ "$page" = docs/README.md ] || grep -qF "](${page#docs/})" docs/README.md ||
        complain "docs/README.md: $page is not listed"
done

for page in $(pages); do
    for target in $(grep -oE '\]\([^)# ]+' "$page" | sed 's/^](//' | grep -vE '^[a-z]+:' | sort -u); do
        [ -e "$(dirname "$page")/$target" ] || complain "$page: the link to $target leads nowhere"
    done
    for name in $(grep -oE '`[a-z_0-9/]+\.(c|h|sh|py|txt|md|pml)`' "$page" | tr -d '`' | sort -u); do
        exists "$page" "$name" || complain "$page: there is no $name"
    done
done

# The walks of ARCHITECTURE.md: each hop names a file below src and something that is in it.
hops=0
while read -r file function; do
    hops=$((hops + 1))
    grep -qw "$function" "src/$file" 2>/dev/null || complain "ARCHITECTURE.md: there is no $function in src/$file"
done < <(sed -n 's/^| [0-9]* | `\([a-z_\/.]*\)` | `\([A-Za-z_]*\)` |.*/\1 \2/p' ARCHITECTURE.md)
[ $hops -ge 20 ] || complain "ARCHITECTURE.md: $hops hops of walks were found"
exit $bad
