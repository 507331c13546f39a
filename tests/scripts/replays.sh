#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: replays.sh [--seeds N] [--every K] [--binaries DIR] PLUMB
# Same seed, same trace: one of K wrong programs of each folder (default 1), about, is built once, checked with N seeds (default 2), and each
# recorded execution is run again, without and with plain accesses shown. A replay must show the same error with the same
# events (exit code 1). --binaries: as for tests/programs/run.sh, which has the same programs.
set -uo pipefail

tests=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=tests/support/skips.sh
source "$tests"/support/skips.sh
tools=$(cd "$tests/../build/bin" && pwd)
# shellcheck source=tests/support/compiled.sh
source "$tests"/support/compiled.sh
seeds=2 every=1 binaries='' plumb=''
usage() {
    sed -n '3s/^# //p' "$0" >&2
    exit 2
}
while [ $# -gt 0 ]; do
    case $1 in
    --seeds) seeds=$2 && shift 2 ;;
    --every) every=$2 && shift 2 ;;
    --binaries) binaries=$2 && shift 2 ;;
    -*) usage ;;
    *) plumb=$(readlink -f "$1") && shift ;;
    esac
done
[ -x "$plumb" ] || usage

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
export PLUMB_CC=clang
binaries=$(realpath -m "${binaries:-$work}/clang-$(clang -dumpversion)")
cd "$work" || exit 2

traces=0 differed=0
mapfile -t programs < <(find "$tests/programs/wrong" -path '*/corpus' -prune -o -name '*.c' -print | LC_ALL=C sort)
names=("${programs[@]#"$tests"/programs/}")
choose_sample "$every" "${names[@]}"
for name in "${names[@]}"; do
    [ "${sample[$name]-}" ] || { skip "not in the sample" && continue; }
    program=$tests/programs/$name
    read_fields "$program"
    [ -z "${fields[flags-plumb]-}" ] || { skip "needs options" && continue; }
    read -ra flags <<<"${fields[flags]-}"
    mode=${fields[mode]-}
    compiled=$binaries/$name.out
    compile "$program" "$compiled" "-std=${fields[std]:-gnu17}" ${flags[@]+"${flags[@]}"} 2>/dev/null || { skip "does not compile" && continue; }
    for seed in $(seq "$seeds"); do
        case ${mode:-random} in random | pct) limits=(--runs 2000 --seed "$seed") ;; *) limits=() ;; esac
        "$plumb" check "$compiled" --mode "${mode:-random}" ${limits[@]+"${limits[@]}"} --trace t.plr -q >/dev/null 2>&1
        [ $? -eq 1 ] || { skip "no error with this seed" && continue; }
        traces=$((traces + 1))
        "$plumb" replay t.plr >out 2>&1
        status=$?
        "$plumb" replay t.plr --plain >plain 2>&1
        if [ $? -ne 1 ] || [ $status -ne 1 ]; then
            differed=$((differed + 1))
            echo "FAILED ${program#"$tests"/}, seed $seed"
            tail -n 3 out
        fi
    done
done

# The threads of a harness test are started by the runtime, whose addresses mean nothing to the reader.
harness=$tests/../examples/harness/lost_update.c
"$plumb" check "$harness" --test 'add(1) | add(1) => get' --trace t.plr >out 2>&1
traces=$((traces + 1))
"$plumb" replay t.plr >again 2>&1
if [ $? -ne 1 ] || ! grep -q 'T0: create T1' again || grep 0x out again; then
    differed=$((differed + 1))
    echo "FAILED ${harness##*/}"
fi
summary "executions run again" $traces $differed
[ "$traces" -gt 0 ] && [ "$differed" -eq 0 ]
