#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: bench/mpi.sh [--short] [PLUMB]     (through ./dev bench mpi)
# plumb-mpi on one machine, with 2 and 4 ranks, against one process: programs and campaigns have to have the same verdict and the same
# executions. Then a rank is killed (mpirun ends the job, and the checkpoint is continued), and a process that works for a rank (its
# work is done again) or a worker of it, then what --ranks starts is interrupted; at last executions per second by ranks. --short: a few of
# them, without rates.
# Exit code: 0, 1 something differs, 2 wrong usage, 77 there is no mpirun or no plumb-mpi.
set -uo pipefail
export LC_ALL=C
cd "$(dirname "$0")/.." || exit 2
root=$PWD

short=
if [ "${1-}" = --short ]; then
    short=1
    shift
fi
[ $# -le 1 ] || { sed -n '3,8s/^# //p' bench/mpi.sh >&2 && exit 2; }
plumb=$(realpath "${1:-build/bin/plumb}") || exit 2
mpi=$(dirname "$plumb")/plumb-mpi
if ! command -v mpirun >/dev/null || [ ! -x "$mpi" ]; then
    echo "no mpirun, or no plumb-mpi: skipped"
    exit 77
fi
mpirun=(mpirun --oversubscribe)
[ "$(id -u)" -ne 0 ] || mpirun+=(--allow-run-as-root)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
cd "$work" || exit 2

sizes=(2 4)
[ -z "$short" ] || sizes=(2)
count=0 failed=0
expect() { # NAME EXPECTED GOT
    count=$((count + 1))
    [ "$2" = "$3" ] && return
    failed=$((failed + 1))
    printf 'FAILED %s\n  expected: %s\n  got:      %s\n' "$1" "$2" "$3"
}

# "exit code, tests, executions, blocked" of result.json; of what is violated only the code.
summary() { # CODE
    local code=$1 member value numbers=
    for member in tests executions blocked; do
        value=$(grep -o "\"$member\":[0-9]*" result.json | head -n 1 | cut -d: -f2)
        numbers+=" ${value:-0}"
    done
    [ "$code" = 1 ] && numbers=
    echo "$code$numbers"
}

one() { # COMMAND ARGUMENT...: of one process
    local command=$1 extra=()
    shift
    [ "$command" = auto ] || extra=(--no-fold)
    rm -f result.json
    "$plumb" "$command" -q "${extra[@]}" --json result.json "$@" >out 2>errors </dev/null
    summary $?
}

many() { # RANKS COMMAND ARGUMENT...
    local ranks=$1 command=$2
    shift 2
    rm -f result.json
    "${mpirun[@]}" -n "$ranks" "$mpi" "$command" -q --json result.json "$@" >out 2>errors </dev/null
    summary $?
}

same() { # COMMAND ARGUMENT...
    local expected ranks got
    expected=$(one "$@")
    for ranks in "${sizes[@]}"; do
        got=$(many "$ranks" "$@")
        expect "$* with $ranks ranks" "$expected" "$got"
        [ -n "$short" ] || printf '%-60s %d ranks: %s\n' "$(basename "$2") ${*:3}" "$ranks" "$got"
    done
}

# --- programs and campaigns -------------------------------------------------------------------------

explore=$root/bench/explore orders=$root/examples/orders
same check "$explore/treiber.c"
same check "$explore/late_trylock.c"
same auto "$root/examples/harness/locked_queue.c" --size 2x2
same auto "$root/examples/harness/lost_update.c" --size 2x2
if [ -z "$short" ]; then
    same check "$explore/ainc.c" -- -DN=7
    same check "$explore/chase_lev.c"
    same check "$explore/fib_bench.c" -- -DN=4
    same check "$explore/indexer.c"
    same check "$explore/lastzero.c"
    same check "$explore/mcs_lock.c"
    same check "$explore/mpmc_ring.c" -- -DWRITERS=3 -DREADERS=2
    same check "$explore/ms_queue.c" -- -DBOTH=2
    same check "$explore/readers.c" -- -DN=10
    same check "$explore/rwlock.c"
    same check "$explore/seqlock.c" -- -DREADERS=1
    same check "$explore/ticket_lock.c" -- -DN=5
    same check "$explore/treiber.c" --memory tso
    same check "$explore/treiber.c" --memory sc
    for harness in chase_lev mcs michael_scott mpmc_ring seqlock spsc_ring treiber; do
        same check "$orders/$harness.c"
    done
    same check "$root/tests/cli/inputs/programs/race.c"
    for harness in lineup/queue harness/michael_scott progress/counter progress/treiber auto/register; do
        same auto "$root/examples/$harness.c" --size 2x2
    done
fi

# --- a rank that dies -------------------------------------------------------------------------------

ring=("$explore/mpmc_ring.c" -- -DWRITERS=3 -DREADERS=3)
all="0 0 425922 0"

begin() { # ARGUMENT...: with three ranks, every execution run, so that there is time to kill something
    PLUMB_MEMO=off "${mpirun[@]}" -n 3 "$mpi" check -q "$@" "${ring[@]}" >out 2>errors </dev/null &
    job=$!
}

await_state() { # until there is a checkpoint
    for _ in $(seq 300); do
        [ ! -s state ] || return 0
        sleep 0.1
    done
}

begin --checkpoint state
await_state
pkill -KILL -P "$job" -n -x plumb-mpi
wait "$job"
code=$?
expect "a rank was killed: not an answer" no "$([ $code -le 1 ] && echo "yes: $code")$([ $code -gt 1 ] && echo no)"
# mpirun ends the others as somebody would who interrupts them: rank 0 may have time to say that.
expect "a rank was killed: no verdict" "" "$(grep -v 'inconclusive (.*interrupted)' out)"
expect "continued" "$all" "$(many 2 check --checkpoint state "${ring[@]}")"
expect "the checkpoint is gone" "" "$(ls state 2>/dev/null)"
expect "it went on" 1 "$(grep -c 'going on from state: [1-9][0-9]* executions' errors)"

# A process that works for a rank dies: its work is done again.
begin --json result.json --checkpoint state
await_state
killed=no
for _ in $(seq 100); do # one that is there may be gone at once
    victim=$(pgrep -P "$(pgrep -P "$job" -n -x plumb-mpi)" -x plumb | head -n 1)
    [ -n "$victim" ] && kill -9 "$victim" 2>/dev/null && killed=yes && break
    sleep 0.1
done
expect "there is a process to kill" yes $killed
wait "$job"
expect "a process was killed" "$all" "$(summary $?)"

# So it is with a worker of such a process: the program under test.
begin --json result.json --checkpoint state
await_state
victim=
for _ in $(seq 100); do
    victim=$(pgrep -P "$(pgrep -P "$(pgrep -P "$job" -n -x plumb-mpi)" -x plumb)" -n -x program) && kill -9 "$victim" && break
    sleep 0.1
done
wait "$job"
expect "a worker was killed" "$all" "$(summary $?)"
expect "there was a worker to kill" yes "${victim:+yes}"

# A checkpoint is one run's alone.
begin --checkpoint state
await_state
"${mpirun[@]}" -n 2 "$mpi" check -q --checkpoint state "${ring[@]}" >second 2>&1 </dev/null
expect "a second run with the same checkpoint" 2 $?
expect "a second run: why" 1 "$(grep -c 'another run uses this checkpoint' second)"
wait "$job"

# Ctrl-C: mpirun ends with 1, and what starts it with the answer. At once: the whole search takes a second or two.
export PLUMB_MPIRUN="${mpirun[*]}"
rm -f state result.json
PLUMB_MEMO=off "$mpi" --ranks 3 check -q --checkpoint state "${ring[@]}" >out 2>errors </dev/null &
job=$!
await_state
kill -INT "$job"
wait "$job"
expect "interrupted" 3 $?
expect "interrupted: the checkpoint stays" state "$(ls state 2>/dev/null)"
"$mpi" --ranks 2 check -q --json result.json --checkpoint state "${ring[@]}" >out 2>errors </dev/null
expect "interrupted, then continued" "$all" "$(summary $?)"
"$mpi" --ranks 2 check -q "$root/tests/cli/inputs/programs/race.c" >out 2>errors </dev/null
expect "violated" 1 $?
PLUMB_MPIRUN=/nonexistent/mpirun "$mpi" --ranks 2 check -q "$explore/treiber.c" >out 2>errors </dev/null
expect "no mpirun" 4 $?

# Stopped by time, and continued.
"${mpirun[@]}" -n 2 "$mpi" check -q --time 4 --checkpoint state "$explore/lastzero.c" -- -DN=20 >out 2>errors </dev/null
expect "stopped" 3 $?
expect "stopped: why" 1 "$(grep -c 'inconclusive (.*time limit met' out)"
refused=$("${mpirun[@]}" -n 2 "$mpi" check -q --checkpoint state "$explore/treiber.c" 2>&1 </dev/null)
expect "a checkpoint of another program" 2 $?
expect "a checkpoint of another program" 1 "$(grep -c 'another program' <<<"$refused")"

# --- how fast ---------------------------------------------------------------------------------------

rate() { # NAME COMMAND...
    local name=$1 start seconds
    shift
    start=$(date +%s.%N)
    PLUMB_MEMO=off "$@" >/dev/null 2>&1 </dev/null
    seconds=$(awk -v a="$start" -v b="$(date +%s.%N)" 'BEGIN { print b - a }')
    awk -v n="$name" -v s="$seconds" 'BEGIN { printf "%-12s %8.1f s %10.0f executions per second\n", n, s, 425922 / s }'
}

if [ -z "$short" ]; then
    echo "425922 executions of mpmc_ring.c, each run, on $(nproc) processors:"
    rate "one process" "$plumb" check -q --no-fold "${ring[@]}"
    for ranks in 1 2 4; do
        rate "$ranks ranks" "${mpirun[@]}" -n $ranks "$mpi" check -q "${ring[@]}"
    done
fi

echo "$count comparisons, $failed failed"
[ "$failed" -eq 0 ]
