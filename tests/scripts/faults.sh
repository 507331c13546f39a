#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: faults.sh [--most N] [--jobs N] [-k TEXT] INJECTOR PLUMB
# System calls fail, and helper processes die, at every point of a run (tests/support/fault_injector.c): the Nth fork, exec, open, map, read, write, ...
# of the tool and of all that it starts; the Nth helper that is killed, or says nothing. Each time the verdict is the one without the fault, or
# there is none, with a sentence and a documented exit code. --most: of each kind and command at most N points, evenly spread.
set -uo pipefail

tests=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
most=1000000 jobs=$(nproc) filter=''
while [[ ${1-} == -* ]]; do
    case $1 in
    --most) most=$2 ;;
    --jobs) jobs=$2 ;;
    -k) filter=$2 ;;
    *) break ;;
    esac
    shift 2
done
[ $# -eq 2 ] || { sed -n 's/^# usage/usage/p' "${BASH_SOURCE[0]}" >&2 && exit 2; }
injector=$(realpath "$1") plumb=$(realpath "$2") || exit 2
work=$(mktemp -d "${TMPDIR:-/tmp}/faults.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
export LC_ALL=C
programs=$tests/cli/inputs/programs
kinds=(fork exec open make copy map write read kill kill-write kill-late silent refuse)

declare -A commands=(
    [annotated]="check $programs/annotated.c --jobs 1 -- -DLIE"
    [annotated-clang]="check $programs/annotated.c --jobs 1 -- -DLIE"
    [holds]="check $tests/programs/right/pthread/cond_wait_static.c --jobs 1"
    [holds-clang]="check $tests/programs/right/pthread/cond_wait_static.c --jobs 1"
    [violated]="check $tests/programs/wrong/race/plain/c11_threads.c --jobs 1"
    [reports]="check $programs/annotated.c --jobs 1 --json r.json --html r.html --junit r.xml --sarif r.sarif -- -DLIE"
    [prove]="prove $tests/../examples/prove/mutex_ring.c"
    [prove-clang]="prove $tests/../examples/prove/lost_update.c"
    [orders]="orders $tests/../examples/orders/treiber.c --jobs 1 --time 20"
    [stress]="stress $tests/../examples/prove/mutex_ring.c --rounds 20"
    [auto]="auto $tests/cli/inputs/harnesses/adder.c --size 2x1 --jobs 1"
    [monitor]="monitor --spec queue $tests/cli/inputs/histories/queue_violated.jsonl"
    [replay]="replay $work/race.plr"
)

# What is the answer? The first line with a verdict, without what depends on the machine.
answer() { # FILE
    local line
    line=$(grep -aoE -m1 ': (holds|violated|survived)( \([^;)]*)?$?' "$1" | head -n 1)
    [[ $line == *survived* ]] && echo "${line%%(*}" || echo "$line"
}

expected() { # CODE FILE: is this how a run may end that a fault has met? Prints what is wrong.
    case $1 in
    0 | 1) [ "$1" -eq 1 ] && grep -qF 'standard output is incomplete' "$2" || [ "$1 $(answer "$2")" = "$reference" ] || echo "the verdict differs: exit code $1, $(answer "$2")" ;;
    2 | 3 | 4) grep -aqE 'error: |inconclusive|cannot |the execution differs' "$2" || echo "exit code $1 without a sentence" ;;
    124) echo "hangs" ;;
    125) echo "processes are left" ;;
    127) grep -aqE 'error while loading shared libraries|cannot run|cannot allocate TLS' "$2" || echo "exit code 127" ;;
    *) echo "exit code $1" ;;
    esac
}

try_point() { # NAME KIND NUMBER WORDS...
    local here=$work/$1.$2.$3 status=0 problem
    mkdir -p "$here/tmp"
    (cd "$here" && TMPDIR=$here/tmp exec "$injector" "$2" "$3" 60 report "$plumb" "${@:4}" >output 2>&1 </dev/null) || status=$?
    # The tool itself was met, which can say nothing then.
    if [ $status -eq 137 ] && [[ $2 == kill* ]] && grep -qE ' of (fault_injector|plumb)' "$here/report"; then status=4 && echo 'error: killed' >>"$here/output"; fi
    problem=$(expected $status "$here/output")
    if [ -n "$problem" ] && [ -s "$here/report" ]; then
        printf 'FAILED %s, %s %s: %s; %s\n' "$1" "$2" "$3" "$problem" "$(head -n 1 "$here/report")"
        head -n 6 "$here/output" | sed 's/^/         /'
    fi | tee -a "$work/log"
    rm -rf "$here"
}

try_kind() { # NAME KIND WORDS...
    local total points k first=1
    mkdir -p "$work/count/tmp"
    (cd "$work/count" && TMPDIR=$work/count/tmp exec "$injector" "$2" 0 60 report "$plumb" "${@:3}" >output 2>&1 </dev/null)
    total=$(sed -n 's/^calls: //p' "$work/count/report")
    case $2 in
    exec | kill | silent | refuse) first=2 ;; # the first one is the tool
    map) first=3 ;;                           # glibc's loader crashes without its first pages
    esac
    points=$((total - first + 1))
    [ $points -le "$most" ] || points=$most
    for ((k = 0; k < points; k++)); do
        while [ "$(jobs -rp | wc -l)" -ge "$jobs" ]; do wait -n; done
        try_point "$1" "$2" $((first + (2 * k + 1) * (total - first + 1) / (2 * points))) "${@:3}" &
    done
    wait
    printf '%-16s %-10s %5d of %d points\n' "$1" "$2" $points $((total - first + 1))
    tried=$((tried + points))
}

try_command() { # NAME
    local words kind status=0
    read -ra words <<<"${commands[$1]}"
    export PLUMB_CC=gcc
    [[ $1 != *-clang ]] || PLUMB_CC=clang
    mkdir -p "$work/$1"
    (cd "$work/$1" && exec "$plumb" "${words[@]}" >output 2>&1 </dev/null) || status=$?
    reference="$status $(answer "$work/$1/output")"
    for kind in "${kinds[@]}"; do
        [[ "$1,$kind" != *"$filter"* ]] || try_kind "$1" "$kind" "${words[@]}"
    done
}

tried=0
: >"$work/log"
(cd "$work" && "$plumb" check "$tests/programs/wrong/race/plain/c11_threads.c" --trace "$work/race.plr" >/dev/null 2>&1)
"$injector" exec 0 10 "$work/report" /bin/true || [ $? -ne 126 ] || { echo "skipped: the kernel has no seccomp notifications" && exit 77; }
for name in $(printf '%s\n' "${!commands[@]}" | sort); do
    try_command "$name"
done
failed=$(grep -c '^FAILED' "$work/log")
echo "$tried points, $failed failed"
[ "$tried" -gt 0 ] && [ "$failed" -eq 0 ]
