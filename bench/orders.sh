#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: bench/orders.sh [NAME...]        (through ./dev bench orders)
# plumb orders on the structures of examples/orders, all of them or those named in its LIST: the weakest orders that their tests accept
# together, beside those of the published versions (examples/orders/PUBLISHED). Where they differ, the reason that the
# file has; a difference without one is a mark that is missed. Times are of the wall clock, with compiling.
set -euo pipefail
export LC_ALL=C
cd "$(dirname "$0")/.."

case ${1:-} in
-*) echo "usage: bench/orders.sh [NAME...]" >&2 && exit 2 ;;
esac
plumb=$PWD/build/bin/plumb
zoo=$PWD/examples/orders
only=" $* "

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

find_weakest() { # FILE CFLAGS TESTS
    local flags=() tests=() test code=0
    [ "$2" = - ] || read -ra flags <<<"$2"
    while read -rd ';' test; do tests+=(--test "$test"); done <<<"$3;"
    "$plumb" orders "$zoo/$1" "${tests[@]}" --json "$work/answer" -q -- "${flags[@]}" >"$work/out" 2>&1 || code=$?
    [ $code -eq 0 ] || { cat "$work/out" >&2 && echo "bench: plumb orders $1 answers $code" >&2 && exit 1; }
}

member() { # NAME
    grep -o "\"$1\":[^,}]*" "$work/answer" | tail -n 1 | sed 's/.*://'
}

# A line for each site: line[/failure] access weakest-alone together.
sites() {
    sed 's/{"site":/\n&/g; s/"weakest":\[/"weakest":/g' "$work/answer" | awk '
        function member(name, found) {
            if (!match($0, "\"" name "\":\"?[^\",}]*")) return "-"
            found = substr($0, RSTART, RLENGTH)
            sub(/^"[a-z]*":"?/, "", found)
            gsub(/ /, "-", found)
            return found
        }
        /^{"site":/ {
            failure = $0 ~ /^{"site":"[^"]*\/failure"/ ? "/failure" : ""
            print member("line") failure, member("access"), member("weakest"), member("together")
        }'
}

published() { # NAME LINE COLUMN
    awk -F '\t' -v name="$1" -v line="$2" -v column="$3" '$1 == name && $2 == line { print $column }' "$zoo/PUBLISHED"
}

total=0 same=0 different=0 unexplained=''
print_structure() { # NAME
    local line access weakest together theirs why
    printf '\n%s: %s sites, %s variants, %s executions, %.2f s\n' "$1" "$(sites | wc -l)" "$(member variants)" "$(member executions)" "$(member seconds)"
    printf '  %-12s %-12s %-8s %-8s %-9s %s\n' line access alone together published ''
    while read -r line access weakest together; do
        theirs=$(published "$1" "$line" 3) why=$(published "$1" "$line" 4)
        case $theirs in
        "$together") same=$((same + 1)) why= ;;
        *)
            different=$((different + 1))
            if [ -z "$why" ] || [ "$why" = - ]; then unexplained+=" $1:$line" why=UNEXPLAINED; fi
            ;;
        esac
        printf '  %-12s %-12s %-8s %-8s %-9s %s\n' "$line" "$access" "$weakest" "$together" "${theirs:--}" "$why"
    done < <(sites)
    [ "$(sites | wc -l)" -gt 0 ] || { echo "bench: $1 has no sites" >&2 && exit 1; }
    total=$(awk -v a="$total" -v b="$(member seconds)" 'BEGIN { print a + b }')
}

print_mark() { # MET TEXT
    printf '%s  %s\n' "$([ "$1" = yes ] && echo 'met   ' || echo missed)" "$2"
}

structures=0
while IFS=$'\t' read -r name file cflags tests; do
    case $name in '#'* | '') continue ;; esac
    [ "$only" = "  " ] || [[ $only == *" $name "* ]] || continue
    find_weakest "$file" "$cflags" "$tests"
    print_structure "$name"
    structures=$((structures + 1))
done <"$zoo/LIST"
[ $structures -gt 0 ] || { echo "bench: no such structure" >&2 && exit 2; }

printf '\n%d programs, %.1f s: %d orders as published, %d others\n' "$structures" "$total" "$same" "$different"
print_mark "$([ -z "$unexplained" ] && echo yes)" "every difference is explained${unexplained:+: but not$unexplained}"
