#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: bench/clients.sh [--quick]        (through ./dev bench clients)
# Most parallel clients: N additions and N removals, one operation in each thread, every execution under rc11 judged for every
# client, with --fold --opaque-items. Marks are seconds, compiling included. At most BENCH_SECONDS for each row; --quick leaves out 4+4.
# BENCH_JOBS: processes, 2 by default.
set -uo pipefail
export LC_ALL=C
cd "$(dirname "$0")/.." || exit

quick=''
case ${1:-} in
--quick) quick=1 ;;
"") ;;
*) echo "usage: bench/clients.sh [--quick]" >&2 && exit 2 ;;
esac
plumb=build/bin/plumb
[ -x "$plumb" ] || { echo "bench: no $plumb" >&2 && exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

number() { # NAME: of the answer's first one
    grep -oE "\"$1\": *[0-9.]+" "$work/answer.json" | head -n 1 | tr -cd 0-9.
}

row() { # NAME FILE ADDITION REMOVAL N MARK [CFLAG...]
    local test='' k seconds verdict
    for ((k = 1; k <= $5; k++)); do test+="$3($k) | "; done
    for ((k = 1; k <= $5; k++)); do test+="$4 | "; done
    rm -f "$work/answer.json"
    local start=$EPOCHREALTIME
    "$plumb" check "$2" --test "${test% | }" --memory rc11 --fold --opaque-items \
        --jobs "${BENCH_JOBS:-2}" --time "${BENCH_SECONDS:-120}" --json "$work/answer.json" -q -- "${@:7}" >/dev/null 2>&1
    seconds=$(awk -v a="$start" -v b="$EPOCHREALTIME" 'BEGIN { printf "%.2f", b - a }')
    verdict=$(grep -oE '"verdict": *"[a-z]*"' "$work/answer.json" | head -n 1 | cut -d '"' -f 4)
    printf '%-22s %d+%d %12s %12s %9s %7s  %s\n' "$1" "$5" "$5" "$(number executions)" "$(number folded)" "$seconds" "$6" "$verdict"
}

herlihy_wing=bench/clients/herlihy_wing.c treiber=bench/clients/treiber.c
michael_scott=examples/roundup/ms_queue.c reclaims=bench/clients/michael_scott_reclaims.c

printf '%-22s %3s %12s %12s %9s %7s\n' object '' executions folded seconds mark
row Herlihy-Wing $herlihy_wing enq deq 3 -
row Treiber $treiber push pop 3 -
row Michael-Scott $michael_scott enq deq 3 - -DNODES_LEAK
row "... with reclamation" $reclaims enq deq 3 0.3
if [ -z "$quick" ]; then
    row Herlihy-Wing $herlihy_wing enq deq 4 2
    row Treiber $treiber push pop 4 2
    row Michael-Scott $michael_scott enq deq 4 - -DNODES_LEAK
    row "... with reclamation" $reclaims enq deq 4 60
fi
echo 'Michael-Scott: nearly all executions are folded ones, of threads whose exchange is bound to fail. docs/internals/explore/folding.md, "What is left", says why they are run.'
