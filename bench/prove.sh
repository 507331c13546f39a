#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: bench/prove.sh [-k TEXT] [--cc CC]       (through ./dev bench prove)
# `plumb prove` on the harnesses of examples/prove, row by row of bench/prove_rows.txt: verdict, states, pairs, seconds of the search and the steps and
# calls of a counterexample, beside what the first prototype had. Its pairs leave out the states on the way of calls and returns, which are counted here.
# Mark: the verdicts.
set -euo pipefail
export LC_ALL=C
cd "$(dirname "$0")/.."

text='' cc=()
while [ $# -gt 0 ]; do
    case $1 in
    -k) text=$2 && shift 2 ;;
    --cc) cc=(--cc "$2" --cxx "${2/%cc/++}") && [ "$2" != clang ] || cc=(--cc clang --cxx clang++); shift 2 ;;
    *) sed -n 's/^# usage: //p' "$0" >&2 && exit 2 ;;
    esac
done
plumb=$PWD/build/bin/plumb
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

wrong=0
printf '%-30s %-24s %-12s %10s %10s %8s %8s   %s\n' subject options verdict states pairs seconds run 'prototype: pairs, run'
while IFS=';' read -r file options verdict pairs run; do
    case $file in '' | '#'*) continue ;; esac
    case $file in *"$text"*) ;; *) continue ;; esac
    read -ra options <<<"$options"
    verdict=${verdict# }
    "$plumb" prove "examples/prove/$file" ${cc[@]+"${cc[@]}"} --time 900 --json "$work/answer.json" ${options[@]+"${options[@]}"} >"$work/out" 2>&1 || true
    python3 - "$work/answer.json" "$file" "${options[*]-}" "$verdict" "$pairs" "$run" <<'PY' || wrong=$((wrong + 1))
import json, sys
path, name, options, expected, pairs, run = sys.argv[1:]
d = json.load(open(path))
found = f"{d['run_steps']}/{d['run_calls']}" if "run_steps" in d else "-"
right = d["verdict"] == expected
print(f"{name:30} {options:24} {d['verdict']:12} {d['states']:10,} {d['pairs']:10,} {d['stats']['seconds']:8.2f} {found:>8}  {pairs}, {run.strip()}"
      f"{'' if right else '   WRONG: not ' + expected}")
sys.exit(not right)
PY
done <bench/prove_rows.txt
echo "verdicts that differ: $wrong"
[ $wrong -eq 0 ]
