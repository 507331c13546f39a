#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: bench/mutants.sh [OPTIONS]        (through ./dev bench mutants -- OPTIONS)
# How many small mistakes are found? Mutants of right programs (bench/mutants/LIST), one change each
# (bench/mutants/mutate.c), are run by `plumb auto` against the original as the golden implementation, under rc11: all tests
# of two calls in each of two threads and of one in each of three; if it passes, some chosen tests, which may use a second
# object (bench/mutants/box.h), then samples of larger ones.
#   --quick         a fraction of the mutants, without the samples: under two minutes
#   --every N       every N-th mutant
#   -k TEXT         mutants of the programs whose name contains TEXT
#   --only FILE     mutants that FILE names: program, kind, change (as this prints them); divided by tabs
#   --must-kill     exit code 1 if any mutant is left
#   --table FILE    a line for each mutant: program, number, kind, line, change, result, seconds
#   --keep DIR      where the mutants are written, and left
#   --jobs N        mutants at a time (2)
# PLUMB: the tool (build/bin/plumb). Answers are explained in docs/internals/mutants.md.
set -euo pipefail
export LC_ALL=C
cd "$(dirname "$0")/.."

usage() {
    sed -n '3,17s/^# //p' "bench/mutants.sh" >&2
    exit 2
}

every=1 text='' only='' must_kill='' table='' keep='' jobs=2
export SAMPLES=yes ALL_TIME=60
while [ $# -gt 0 ]; do
    case $1 in
    --quick) every=17 SAMPLES='' ALL_TIME=20 && shift ;;
    --must-kill) must_kill=yes && shift ;;
    --every | -k | --only | --table | --keep | --jobs)
        [ $# -ge 2 ] || usage
        case $1 in
        --every) every=$2 ;;
        -k) text=$2 ;;
        --only) only=$2 ;;
        --table) table=$2 ;;
        --keep) keep=$2 ;;
        --jobs) jobs=$2 ;;
        esac
        shift 2
        ;;
    *) usage ;;
    esac
done
PLUMB=$(readlink -f "${PLUMB:-build/bin/plumb}")
export PLUMB ROOT=$PWD
[ -x "$PLUMB" ] || { echo "mutants: no tool at $PLUMB" >&2 && exit 2; }

if [ -n "$keep" ]; then
    mkdir -p "$keep"
    work=$(readlink -f "$keep")
else
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
fi
trap 'exit 130' INT TERM

# ---- making them ----

cc -std=gnu17 -O1 -D_GNU_SOURCE -Wall -Wextra bench/mutants/mutate.c -o "$work/mutate"

# Which mutants of a table on standard input are wanted?
wanted() { # NAME
    if [ -n "$only" ]; then
        awk -F '\t' -v name="$1" 'NR == FNR { if ($1 == name) keep[$2 "\t" $3] = 1; next } ($2 "\t" $4) in keep' "$only" -
    else
        cat
    fi
}

preprocess() { # FILE FOLDER-OF-THE-ORIGINAL
    cc -E -P -w -D_GNU_SOURCE -Iinclude -I"$2" "$1" 2>/dev/null
}

# Those that compile and say something new, as lines: name, number, kind, line, change, file, original, calls, tests.
make_mutants() { # NAME FILE CALLS TESTS
    local name=$1 file=$2 folder number kind line change sum
    local -A seen=()
    folder=$(dirname "$file")
    mkdir -p "$work/$name"
    sum=$(preprocess "$file" "$folder" | cksum)
    seen[$sum]=1
    while IFS=$'\t' read -r number kind line change; do
        sum=$(preprocess "$work/$name/$number.c" "$folder" | cksum)
        [ -z "${seen[$sum]-}" ] || continue
        seen[$sum]=1
        cc -fsyntax-only -w -D_GNU_SOURCE -Iinclude -I"$folder" "$work/$name/$number.c" 2>/dev/null || continue
        printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$name" "$number" "$kind" "$line" "$change" \
            "$work/$name/$number.c" "$ROOT/$file" "$3" "$4"
    done < <("$work/mutate" "$file" "$work/$name" | wanted "$name")
}

while IFS=$'\t' read -r name file calls tests; do
    case $name in '#'* | '') continue ;; esac
    [[ $name == *"$text"* ]] || continue
    make_mutants "$name" "$file" "$calls" "$tests"
done <bench/mutants/LIST >"$work/all"
awk -v every="$every" 'NR % every == 0' "$work/all" >"$work/todo"

# ---- running them ----

# Exit codes: 0 no test failed, 1 one did, 3 something was cut.
plumb() { # auto|check FILE GOLDEN OPTIONS...
    local status=0 command=$1 file=$2 golden=$3
    shift 3
    "$PLUMB" "$command" "$file" --golden "$golden" --spurious --jobs 1 -q --trace "$file.plr" "$@" -- -w \
        -I"$FOLDER" -I"$ROOT/bench/mutants" >>"$file.log" 2>&1 || status=$?
    echo $status
}

add_box() { # FILE: prints it
    cat "$1"
    echo '#include "box.h"'
}

# The chosen tests.
judge_with_box() { # FILE ORIGINAL TESTS
    local boxed=${1%.c}.box.c golden=${1%.c}.golden.c test status
    add_box "$1" >"$boxed"
    add_box "$2" >"$golden"
    while read -r test; do
        status=$(plumb check "$boxed" "$golden" --time 10 --test "$test")
        [ "$status" != 1 ] || { echo killed && return; }
    done <<<"${3// \/ /$'\n'}"
}

# killed, survived, inconclusive (not all tests came to an end), or failed (something else went wrong).
judge() { # FILE ORIGINAL CALLS TESTS
    local file=$1 original=$2 set size answer=survived status options
    while read -r set; do
        options=()
        [ "$set" = - ] || options=(--calls "$set")
        for size in 2x2 1x3; do
            status=$(plumb auto "$file" "$original" --size $size --time "$ALL_TIME" --test-time 10 ${options[@]+"${options[@]}"})
            case $status in
            0) ;;
            1) echo killed && return ;;
            3) answer=inconclusive ;;
            *) echo failed && return ;;
            esac
        done
    done <<<"${3// \/ /$'\n'}"
    [ -z "$(judge_with_box "$file" "$original" "$4")" ] || { echo "killed by a chosen test" && return; }
    if [ -n "$SAMPLES" ]; then
        for size in 3x2 2x3; do
            status=$(plumb auto "$file" "$original" --random $size --samples 30 --time 3 --test-time 1)
            [ "$status" != 1 ] || { echo "killed by a sample of $size" && return; }
        done
    fi
    echo $answer
}

run_one() { # LINE
    local name number kind line change file original calls tests started=$EPOCHREALTIME answer
    IFS=$'\t' read -r name number kind line change file original calls tests <<<"$1"
    FOLDER=$(dirname "$original") && export FOLDER
    answer=$(judge "$file" "$original" "$calls" "$tests")
    awk -v a="$started" -v b="$EPOCHREALTIME" -v row="$name"$'\t'"$number"$'\t'"$kind"$'\t'"$line"$'\t' \
        -v answer="$answer" 'BEGIN { getline change; printf "%s%s\t%s\t%.1f\n", row, change, answer, b - a }' <<<"$change"
}
export -f plumb add_box judge_with_box judge run_one

tr '\n' '\0' <"$work/todo" | xargs -0 -r -n 1 -P "$jobs" bash -c 'run_one "$0"' | sort >"$work/results"
[ -z "$table" ] || cp "$work/results" "$table"

# ---- the answer ----

awk -F '\t' '
    { kind[$3]++; all++ }
    $6 ~ /^killed/ { killed[$3]++; sum++ }
    $6 ~ /^survived/ { survived[$3]++ }
    $6 ~ /^(inconclusive|failed)/ { open[$3]++ }
    { seconds += $7 }
    function row(name, n, k, s, o) {
        printf "%-12s %7d %7d %9d %13d %9.1f %%\n", name, n, k, s, o, n ? 100 * k / n : 0
    }
    END {
        printf "%-12s %7s %7s %9s %13s %11s\n", "kind", "mutants", "killed", "survived", "inconclusive", "kill rate"
        split("re-read order swap retry off-by-one lock notify split", kinds, " ")
        for (i = 1; i in kinds; i++) {
            k = kinds[i]
            row(k, kind[k], killed[k], survived[k], open[k])
            s += survived[k]; o += open[k]
        }
        row("all", all, sum, s, o)
        printf "%.0f s of running\n", seconds
    }' "$work/results"
awk -F '\t' '$6 !~ /^killed/ { printf "%s: %s %s:%s %s\n", $6, $3, $1, $4, $5 }' "$work/results"

if [ -n "$must_kill" ]; then
    [ -z "$only" ] || [ "$(grep -vc -e '^#' -e '^$' "$only")" -le "$(wc -l <"$work/todo")" ] ||
        { echo "mutants: some of $only are no longer made" >&2 && exit 1; }
    ! awk -F '\t' '$6 !~ /^killed/' "$work/results" | grep -q .
fi
