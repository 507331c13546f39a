#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: check_layers.sh [ROOT]
# Every #include of ROOT/src obeys ROOT/tests/layers.txt, ARCHITECTURE.md shows
# the same table, and the certificate checker stays small and independent.
set -euo pipefail

root=${1:-.}
cd "$root"
failures=0

complain() {
    printf '%s\n' "$1"
    failures=$((failures + 1))
}

# "folder: a b" per line, without comments and with single spaces.
layer_rows() {
    sed -e 's/#.*//' -e 's/[[:space:]]\+/ /g' -e 's/ $//' tests/layers.txt | grep . || true
}

# The rows of ARCHITECTURE.md's table: | src/folder | one sentence | a b |
architecture_rows() {
    sed -n 's/^| *src\/\([a-z]*\) *|[^|]*| *\([^|]*[^| ]\) *|$/\1: \2/p' ARCHITECTURE.md | sed 's/: —$/:/'
}

declare -A allowed
while IFS=: read -r folder below; do
    allowed[$folder]=" $folder $below "
done < <(layer_rows)

check_include() { # FILE LINE INCLUDED; FILE is in a folder of the table
    local file=$1 line=$2 included=$3 own=${1#src/} target
    own=${own%%/*}
    target=${included%%/*}
    case $included in
    ../* | */../* | ./*) complain "$file:$line: relative include of $included" ;;
    plumb/*) ;;
    */*)
        if [ -z "${allowed[$target]+x}" ]; then
            complain "$file:$line: include of unknown folder $target"
        elif [[ ${allowed[$own]} != *" $target "* ]]; then
            complain "$file:$line: $own may not include $target"
        fi
        ;;
    *) complain "$file:$line: $included is named without its folder" ;;
    esac
}

# file:line:kind:name of every include; kind is " or <.
list_includes() {
    find src -name '*.[ch]' -print0 | sort -z | xargs -0r awk '
        match($0, /^[ \t]*#[ \t]*include[ \t]*["<]/) {
            kind = substr($0, RLENGTH, 1)
            name = substr($0, RLENGTH + 1)
            sub(/[">].*/, "", name)
            print FILENAME ":" FNR ":" kind ":" name
        }'
}

check_includes() {
    local file line kind name
    while IFS=: read -r file line kind name; do
        local folder=${file#src/}
        [ -n "${allowed[${folder%%/*}]+x}" ] || continue
        # A system header is one whose first folder is none of ours.
        [ "$kind" = '<' ] && [ -z "${allowed[${name%%/*}]+x}" ] && [[ $name != ../* ]] && continue
        check_include "$file" "$line" "$name"
    done < <(list_includes)
}

check_folders() {
    local folder
    for folder in src/*/; do
        folder=$(basename "$folder")
        [ -n "${allowed[$folder]+x}" ] || complain "src/$folder: no row in tests/layers.txt"
    done
    for folder in "${!allowed[@]}"; do
        [ -d "src/$folder" ] || complain "tests/layers.txt: row of $folder, which does not exist"
    done
}

check_architecture() {
    local difference
    if ! difference=$(diff <(layer_rows | sort) <(architecture_rows | sort)); then
        complain "ARCHITECTURE.md: its table differs from tests/layers.txt"
        printf '%s\n' "$difference"
    fi
}

check_certificate() {
    local checker=src/monitor/certificate.c lines place file line kind name
    [ -e $checker ] || return 0
    lines=$(wc -l <$checker)
    [ "$lines" -lt 300 ] || complain "$checker: $lines lines, has to stay below 300"
    while IFS=: read -r file line kind name; do
        [ "$file" = $checker ] && [ "$kind" = '"' ] || continue
        place="$file:$line"
        case $name in
        history/* | spec/* | plumb/* | monitor/certificate.h) ;;
        *) complain "$place: the certificate checker may not include $name" ;;
        esac
    done < <(list_includes)
}

check_folders
check_includes
check_architecture
check_certificate
[ $failures -eq 0 ] || { echo "$failures violations of the layers"; exit 1; }
echo "$(list_includes | wc -l) includes obey the layers"
