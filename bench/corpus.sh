#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: bench/corpus.sh [OPTIONS]        (through ./dev bench corpus -- OPTIONS)
# Does *holds* mean holds? All pairs of right and wrong programs of tests/programs/{right,wrong}/corpus, with both
# compilers and in the three memory models, as a table: how many of each kind there are, which wrong ones hold, which
# right ones are violated, and which answers are neither. docs/internals/testing.md describes the programs.
#   --cc gcc|clang         with one compiler only
#   --memory rc11|sc|tso   in one model only
#   -k TEXT, --jobs N, --every N   those of tests/programs/run.sh
# Exit code: 0 all as expected, 1 some not.
set -uo pipefail
export LC_ALL=C
cd "$(dirname "$0")/.." || exit 2

usage() {
    sed -n '3,10s/^# //p' bench/corpus.sh >&2
    exit 2
}

compilers=(gcc clang) memories=(rc11 sc tso) options=()
while [ $# -gt 0 ]; do
    [ $# -ge 2 ] || usage
    case $1 in
    --cc) compilers=("$2") ;;
    --memory) memories=("$2") ;;
    -k | --jobs | --every) options+=("$1" "$2") ;;
    *) usage ;;
    esac
    shift 2
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

# A program that is wrong in one model may be right in another: what is expected in this one counts.
tabulate() { # RESULTS...
    awk -F '\t' '
        function add(list, name) { return list (list == "" ? "" : ", ") name }
        {
            split($1, part, "/")
            kind = part[3]
            wrong = $2 ~ /^violated/
            count[kind, wrong]++
            kinds[kind] = 1
            name = part[3] "/" part[4] " (" FILENAME ")"
            sub(/\(.*\//, "(", name)
            if (wrong && $3 == "holds") { holds[kind]++; listed["wrong, and hold"] = add(listed["wrong, and hold"], name) }
            else if (!wrong && $3 ~ /^violated/) { violated[kind]++; listed["right, and violated"] = add(listed["right, and violated"], name) }
            else if (wrong != ($3 ~ /^violated/)) { other[kind]++; listed["neither"] = add(listed["neither"], name ": " $3) }
        }
        END {
            row = "%-10s %6s %6s  %15s %19s %8s\n"
            printf row, "kind", "right", "wrong", "wrong that hold", "right and violated", "neither"
            sort = "sort"
            for (k in kinds) {
                printf row, k, count[k, 0] + 0, count[k, 1] + 0, holds[k] + 0, violated[k] + 0, other[k] + 0 | sort
                r += count[k, 0]; w += count[k, 1]; h += holds[k]; v += violated[k]; o += other[k]
            }
            close(sort)
            printf row, "all", r, w, h + 0, v + 0, o + 0
            for (l in listed) print l ": " listed[l]
        }' "$@"
}

failed=0
for cc in "${compilers[@]}"; do
    for memory in "${memories[@]}"; do
        bash tests/programs/run.sh --corpus --cc "$cc" --memory "$memory" --results "$work/$cc, $memory" \
            --binaries build/release/tests/programs "${options[@]}" build/bin/plumb >"$work/log" || failed=1
        echo "== $cc, $memory: $(tail -n 1 "$work/log")"
        grep '^FAILED' "$work/log"
    done
done
tabulate "$work/"*", "*
exit $failed
