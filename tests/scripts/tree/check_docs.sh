#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: check_docs.sh [ROOT]
# The documentation and the tree: docs/README.md lists every page, links lead somewhere, files and patterns of files that
# pages name exist, as do names of code in CONTRIBUTING.md and docs/internals, and files that comments name.
set -euo pipefail
cd "${1:-$(dirname "$0")/../../..}"
bad=0
scratch=$(mktemp -d)
trap 'rm -r "$scratch"' EXIT

internals=(docs/internals/*.md docs/internals/*/*.md)

complain() {
    echo "$*"
    bad=1
}

pages() {
    find . -path ./build -prune -o -name '*.md' -print | sed 's|^\./||' | sort
}

# Every file below the root, by its path and by each end of its path: tests/unit/judging/test_map.c, judging/test_map.c, test_map.c.
find . \( -path ./build -o -path ./.git \) -prune -o -type f -print | sed 's|^\./||' >"$scratch/files"
awk '{ print; while (sub("^[^/]*/", "")) print }' "$scratch/files" >"$scratch/known"

# Stdin: lines "PLACE NAME". Complains about names that are neither the path of a file, nor the end of one, nor in the folder
# of the place; those below build are made later. Not for the end of a pipe: that would set `bad` of another process.
complain_missing() {
    local lines
    lines=$(awk 'NR == FNR { known[$0] = 1; next }
        { folder = $1; sub("[^/]*$", "", folder); if ($2 !~ "^build/" && !($2 in known) && !(folder $2 in known)) print $1 ": there is no " $2 }' \
        "$scratch/known" - | sort -u)
    [ -z "$lines" ] || complain "$lines"
}

for page in docs/*.md "${internals[@]}" docs/*.json; do
    [ "$page" = docs/README.md ] || grep -qF "](${page#docs/})" docs/README.md ||
        complain "docs/README.md: $page is not listed"
done

for page in $(pages); do
    for target in $(grep -oE '\]\([^)# ]+' "$page" | sed 's/^](//' | grep -vE '^[a-z]+:' | sort -u); do
        [ -e "$(dirname "$page")/$target" ] || complain "$page: the link to $target leads nowhere"
    done
done

# Names of files: in backquotes, and in the pages about the inside anywhere. Names of one letter are examples.
endings='\.(c|h|S|def|inc|sh|py|txt|md|pml)'
complain_missing < <(
    for page in $(pages); do
        grep -oE "\`[A-Za-z_0-9/]+$endings\`" "$page" | tr -d '`' | sed "s|^|$page |" || true
    done
    grep -oE "(^|[ (\`])[A-Za-z][A-Za-z_0-9/]+$endings\b" "${internals[@]}" | tr -d '(` ' | sed 's/:/ /'
)

# Patterns in backquotes: `src/rt/library/*.def`, `fold.{h,c}`, `gaps.[ch]`. Each alternative of braces matches something.
while IFS=: read -r page pattern; do
    for one in $(set -f && eval "echo $pattern"); do
        expression=$(sed -e 's/\./\\./g' -e 's/\*/[^\/]*/g' <<<"$one")
        grep -qE "(^|/)$expression(/|\$)" "$scratch/files" || complain "$page: nothing matches $one of $pattern"
    done
done < <(for page in $(pages); do
    grep -oE '`[][A-Za-z_0-9/.*{},]+`' "$page" | tr -d '`' | grep '[[*{]' | grep -E '[a-z]/|\.[a-z[{]' | sed "s|^|$page:|" || true
done)

# Names of code in backquotes, `word_word` or `word_word()`, occur in the code; `others` are not ours.
others=' pass_tsan CONFIG_PROC_CHILDREN money_get time_get '
sed -s '/^## Words that are not used/,$d' CONTRIBUTING.md "${internals[@]}" | grep -oE '`[A-Za-z][A-Za-z0-9]*_[A-Za-z_0-9]+(\(\))?`' |
    tr -d '`()' | sort -u >"$scratch/names"
grep -rohwFf "$scratch/names" --exclude='*.md' --exclude="${0##*/}" src tests tools include examples | sort -u >"$scratch/found" || true
while read -r name; do
    [[ $others == *" $name "* ]] || complain "$(grep -lE "\`$name(\(\))?\`" CONTRIBUTING.md "${internals[@]}" | paste -sd ' '): there is no $name in the code"
done < <(comm -23 "$scratch/names" "$scratch/found")

# Files that comments name, of C and of scripts.
complain_missing < <(find src include tools tests bench fuzz examples dev CMakeLists.txt -name '*.[chS]' -o -name '*.inc' -o \
    -name '*.sh' -o -name 'plumb-*' -o -name dev -o -name CMakeLists.txt | sort | xargs awk -v endings='\\.(c|h|S|def|inc|sh|py|md)' '
    FNR == 1 { inside = 0; is_script = FILENAME !~ "[.](c|h|S|inc)$" }
    is_script && !/^ *# / { next }
    {
        comment = is_script ? $0 : ""; rest = is_script ? "" : $0
        while (rest != "") {
            if (inside) {
                at = index(rest, "*/")
                comment = comment " " (at ? substr(rest, 1, at - 1) : rest)
                rest = at ? substr(rest, at + 2) : ""
                inside = !at
            } else if (match(rest, "/[*]|(^|[^:])//")) {
                inside = substr(rest, RSTART, 2) == "/*"
                if (!inside) comment = comment " " substr(rest, RSTART)
                rest = inside ? substr(rest, RSTART + 2) : ""
            } else
                rest = ""
        }
        while (match(comment, "(^|[ (`])[a-z][A-Za-z_0-9/]+" endings "([^A-Za-z_0-9]|$)")) {
            name = substr(comment, RSTART, RLENGTH)
            comment = substr(comment, RSTART + RLENGTH)
            gsub("^[ (`]|[^A-Za-z]$", "", name)
            print FILENAME, name
        }
    }')

# The walks of ARCHITECTURE.md: each hop names a file below src and something that is in it.
hops=0
while read -r file function; do
    hops=$((hops + 1))
    grep -qw "$function" "src/$file" 2>/dev/null || complain "ARCHITECTURE.md: there is no $function in src/$file"
done < <(sed -n 's/^| [0-9]* | `\([a-z_\/.]*\)` | `\([A-Za-z_]*\)` |.*/\1 \2/p' ARCHITECTURE.md)
[ $hops -ge 20 ] || complain "ARCHITECTURE.md: $hops hops of walks were found"
exit $bad
