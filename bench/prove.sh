#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: bench/prove.sh [-k TEXT] [--long] [--compilers] [--zoo] [--accesses] [--cc gcc|clang]       (through ./dev bench prove -- OPTIONS)
# `plumb prove` row by row of bench/rows/prove_rows.txt: verdict, states, pairs, seconds of the search and the steps and calls of a counterexample, beside what the
# first prototype had (its pairs leave out the states on the way of calls and returns, which are counted here). Then the zoo of bench/rows/prove_zoo.txt: what is
# proved, what is not and why. Then states by compiler (pairs also depend on the order in which threads are met). One part only with --zoo or --compilers, or --accesses: are all accesses of the machine code announced, or listed? Rows that are given more than a minute need --long.
# Marks: the verdicts; the same states by gcc -O1, gcc -O2 and clang -O1.
set -euo pipefail
export LC_ALL=C
cd "$(dirname "$0")/.."

text='' parts='table zoo compilers' long=0 compiler=gcc
while [ $# -gt 0 ]; do
    case $1 in
    -k) text=${2-} && shift ;;
    --long) long=1 ;;
    --compilers) parts=compilers ;;
    --zoo) parts=zoo ;;
    --accesses) exec python3 bench/prove/machine_accesses.py . ;;
    --cc) compiler=${2-} && shift ;;
    *) sed -n 's/^# usage: //p' "$0" >&2 && exit 2 ;;
    esac
    shift
done
plumb=$PWD/build/bin/plumb
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

# FOLDER FILE SECONDS CC WORDS...: the document is in answer.json, or there is none; what was said is in out.
prove() {
    local folder=$1 file=$2 seconds=$3 cc=$4 cxx=g++
    shift 4
    [ "$cc" = gcc ] || cxx=clang++
    rm -f "$work/answer.json"
    timeout $((seconds + 60)) "$plumb" prove "examples/$folder$file" --cc "$cc" --cxx $cxx --time "$seconds" --json "$work/answer.json" "$@" \
        >"$work/out" 2>&1 || true
}

member() { # NAME
    grep -o "\"$1\":\"\\?[^,\"}]*" "$work/answer.json" 2>/dev/null | head -n 1 | sed 's/.*:"\?//' || true
}

wanted() { # FILE SECONDS
    case $1 in '' | '#'*) return 1 ;; *"$text"*) [ "$long" = 1 ] || [ "$2" -le 60 ] ;; *) return 1 ;; esac
}

wrong=0
mark() { # EXPECTED
    if [ "$(member verdict)" != "$1" ]; then
        printf '    WRONG: not %s; %s\n' "$1" "$(tail -n 1 "$work/out")"
        wrong=$((wrong + 1))
    fi
}

run_table() {
    local file options verdict seconds pairs time run found
    printf '%-28s %-26s %-12s %9s %9s %7s %8s   %s\n' subject options verdict states pairs seconds run 'prototype: pairs, seconds, run'
    while IFS=';' read -r file options verdict seconds pairs time run; do
        wanted "$file" "$seconds" || continue
        read -ra options <<<"$options"
        prove prove/ "$file" $((seconds)) "$compiler" ${options[@]+"${options[@]}"}
        found=$(member run_steps)/$(member run_calls)
        printf '%-28s %-26s %-12s %9s %9s %7.2f %8s   %s\n' "$file" "${options[*]-}" "$(member verdict)" "$(member states)" "$(member pairs)" \
            "$(member seconds)" "${found#/}" "$pairs,$time,$run"
        mark "${verdict# }"
    done <bench/rows/prove_rows.txt
}

# "error": it cannot be asked.
run_zoo() {
    local file options verdict seconds why said
    printf '\n%-30s %-34s %-12s %9s %7s   %s\n' zoo options verdict pairs seconds 'what was met'
    while IFS=';' read -r file options verdict seconds why; do
        wanted "$file" "$seconds" || continue
        read -ra options <<<"$options"
        prove '' "$file" $((seconds)) "$compiler" ${options[@]+"${options[@]}"}
        said=$(member verdict)
        printf '%-30s %-34s %-12s %9s %7.2f   %s\n' "$file" "${options[*]-}" "${said:-error}" "$(member pairs)" "$(member seconds)" "${why# }"
        if [ "${said:-error}" != "${verdict# }" ] || ! grep -qF -- "${why# }" "$work/out"; then
            printf '    WRONG: not %s; %s\n' "${verdict# }" "$(head -c 300 "$work/out")"
            wrong=$((wrong + 1))
        fi
    done <bench/rows/prove_zoo.txt
}

run_compilers() {
    local file options verdict seconds rest way words
    command -v clang >/dev/null || return 0
    printf '\n%-28s %-18s %10s %10s %10s\n' 'states by compiler' options 'gcc -O1' 'gcc -O2' 'clang -O1'
    while IFS=';' read -r file options verdict seconds rest; do
        wanted "$file" "$seconds" && [ "${verdict# }" = holds ] && [ "$seconds" -le 60 ] || continue
        read -ra options <<<"$options"
        local counts=()
        for way in 'gcc -O1' 'gcc -O2' 'clang -O1'; do
            words=(${options[@]+"${options[@]}"})
            [[ " ${options[*]-} " == *' -- '* ]] || words+=(--)
            [[ $file != *.cpp ]] || words+=(-std=c++17)
            prove prove/ "$file" $((seconds)) "${way% *}" "${words[@]}" "${way#* }"
            counts+=("$(member states)")
        done
        printf '%-28s %-18.18s %10s %10s %10s\n' "$file" "${options[*]-}" "${counts[@]}"
        if [ "${counts[0]}" != "${counts[1]}" ] || [ "${counts[0]}" != "${counts[2]}" ]; then
            unlike=$((unlike + 1))
        fi
    done <bench/rows/prove_rows.txt
    echo "rows in which states differ: $unlike"
}

unlike=0
for part in $parts; do
    "run_$part"
done
echo "verdicts that differ: $wrong"
[ $wrong -eq 0 ]
