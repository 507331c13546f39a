#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: bench/broken.sh [OPTIONS]        (through ./dev bench broken -- OPTIONS)
# Every right C program of tests/programs that is explored to its end is broken in one way at a time (bench/mutants/mutate.c), and
# checked under rc11. Mutants that hold are decided again in slow ways that share less: without optimisation by the other
# compiler, and (main programs) by all schedules without reduction, which are sequentially consistent. A run that finds an error where the
# first answer was *holds* disagrees: an internal error.
#   --every N    every N-th mutant (20)
#   -k TEXT      mutants of the programs whose path contains TEXT
#   --jobs N     mutants at a time (2)
#   --table F    a line for each: answer, second, third, kind, program, line, change, file; divided by tabs
#   --keep DIR   where the mutants are written, and left
# Exit code: 0 none disagrees, 1 some do.
set -uo pipefail
export LC_ALL=C
cd "$(dirname "$0")/.." || exit 2

usage() {
    sed -n '3,14s/^# //p' bench/broken.sh >&2
    exit 2
}

every=20 text='' jobs=2 table='' work=''
while [ $# -gt 0 ]; do
    [ $# -ge 2 ] || usage
    case $1 in
    --every) every=$2 ;;
    -k) text=$2 ;;
    --jobs) jobs=$2 ;;
    --table) table=$2 ;;
    --keep) mkdir -p "$2" && work=$(realpath "$2") ;;
    *) usage ;;
    esac
    shift 2
done
if [ -z "$work" ]; then
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
fi
trap 'exit 130' INT TERM
PLUMB=$(realpath "${PLUMB:-build/bin/plumb}")
export PLUMB ROOT=$PWD
cc -std=gnu17 -O1 -D_GNU_SOURCE -Wall -Wextra bench/mutants/mutate.c -o "$work/mutate" || exit 1

field() { # NAME FILE: what a comment on top says
    sed -n "1,10s|^/\* $1: \(.*\) \*/\$|\1|p" "$2"
}
export -f field

# Those that have other expectations than *holds* under rc11, or need more than `plumb check`, are left out.
originals() {
    local file
    for file in tests/programs/right/*/*.c tests/programs/right/corpus/*/*.c; do
        [[ $file == *"$text"* && $(field expect "$file") == holds ]] || continue
        [ -z "$(field all "$file")$(field rc11 "$file")$(field command "$file")$(field only "$file")" ] || continue
        [[ $(field flags "$file") != *-O* ]] || continue
        echo "$file"
    done
}

meaning() { # FILE FOLDER-OF-THE-ORIGINAL
    gcc -E -P -w -D_GNU_SOURCE -Iinclude -I"$2" "$1" 2>/dev/null | cksum
}

compiles() { # FILE FOLDER-OF-THE-ORIGINAL
    gcc -fsyntax-only -w -D_GNU_SOURCE -Iinclude -I"$2" "$1" 2>/dev/null
}

make_mutants() { # ORIGINAL; prints lines: file, original, kind, line, change
    local folder=$work/${1//\//_}
    mkdir -p "$folder"
    "$work/mutate" "$1" "$folder" calls | awk -F '\t' -v folder="$folder" -v original="$ROOT/$1" -v OFS='\t' \
        '{ print folder "/" $1 ".c", original, $2, $3, $4 }'
}

# Those that mean something else than the original, and compile.
sift() {
    local file original rest
    while IFS=$'\t' read -r file original rest; do
        [ "$(meaning "$file" "${original%/*}")" != "$(meaning "$original" "${original%/*}")" ] || continue
        ! compiles "$file" "${original%/*}" || printf '%s\t%s\t%s\n' "$file" "$original" "$rest"
    done
}

# One word: holds, violated, inconclusive, error.
answer() { # FILE ORIGINAL FLAGS OPTIONS...
    local file=$1 original=$2 flags=$3 options verdict
    shift 3
    options=$(field flags-plumb "$original")
    verdict=$(cd "${file%/*}" && eval "timeout 60 \"\$PLUMB\" check --time 12 -q --trace \"\$file.plr\" \"\$@\" $options \
        \"\$file\" -- -w -I\"\${original%/*}\" $(field flags "$original") $flags" 2>>"$file.log" </dev/null | head -n 1)
    verdict=${verdict#*"${file##*/}: "}
    verdict=${verdict:-error}
    echo "${verdict%% *}"
}

decide() { # A LINE OF make_mutants
    local file original kind line change first second=- third=-
    IFS=$'\t' read -r file original kind line change <<<"$1"
    first=$(answer "$file" "$original" '')
    if [ "$first" = holds ]; then
        second=$(PLUMB_CC=clang answer "$file" "$original" -O0)
        [[ $(field flags-plumb "$original") == *--* ]] || third=$(answer "$file" "$original" -O0 --mode dfs)
    fi
    printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$first" "$second" "$third" "$kind" "$original" "$line" "$change" "$file"
}
export -f answer decide

originals | while IFS= read -r file; do make_mutants "$file"; done >"$work/all"
awk -v every="$every" 'NR % every == 0' "$work/all" | sift >"$work/todo"
echo "$(wc -l <"$work/todo") of $(wc -l <"$work/all") mutants"
# shellcheck disable=SC2016 # that shell expands it
xargs -d '\n' -P "$jobs" -I '{}' bash -c 'decide "$1"' _ '{}' <"$work/todo" >"$work/results"
[ -z "$table" ] || cp "$work/results" "$table"
awk -F '\t' '
    { kinds[$4]; count[$4, $1]++; all[$4]++ }
    $1 == "holds" && ($2 == "violated" || $3 == "violated") { disagree[$4]++; sub(/.*\/tests\/programs\//, "", $5); list = list "\n  " $5 ":" $6 ": " $4 ": " $7 }
    END {
        row = "%-12s %8s %9s %6s %13s %6s %9s\n"
        printf row, "kind", "mutants", "violated", "hold", "inconclusive", "error", "disagree"
        for (k in kinds)
            printf row, k, all[k], count[k, "violated"] + 0, count[k, "holds"] + 0, count[k, "inconclusive"] + 0,
                count[k, "error"] + 0, disagree[k] + 0
        if (list) { print "hold, and another way finds an error:" list; exit 1 }
    }' "$work/results"
