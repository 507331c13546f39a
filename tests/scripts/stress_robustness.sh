#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: stress_robustness.sh [-k TEXT] PLUMB
# What programs on real threads do to the tool (tests/support/misbehave_natively.c), and what users do to both. After each case the exit code and
# the report must be right, no process may be left (every one inherits a mark in its environment, by which /proc is
# searched), and no file in TMPDIR. Exit code: 0 all as expected, 1 some not, 2 wrong usage.
set -uo pipefail

tests=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
filter='' jobs=3
[ "${1-}" != -k ] || { filter=${2-} && shift 2; }
plumb=$(realpath "${1-}") && [ -x "$plumb" ] || { sed -n 's/^# usage/usage/p' "${BASH_SOURCE[0]}" >&2 && exit 2; }

# shellcheck source=tests/support/cases.sh
source "$tests/support/cases.sh"

harness=$tests/support/misbehave_natively.c

expect() { # CODE TEXT, after a command with its output in $output and its exit code in $status
    [ "$status" -eq "$1" ] || printf ' exit %d, expected %d' "$status" "$1"
    # Names of folders may be long, and lines are folded.
    [ -z "$2" ] || tr -s '\n ' ' ' <"$output" | grep -qE -- "$2" || printf ' without "%s"' "$2"
}

run_role() { # ROLE CODE TEXT FLAGS...
    local hang=1
    [ "$2" -ne 0 ] || hang=30 # what is to survive may be slow
    [ "$1" != eats_memory ] || ulimit -v 2000000 # of the program: a machine without memory is no place for tests
    timeout -k 5 60 "$plumb" stress "$harness" --threads 2 --time 2 --hang $hang --no-handover -- -w -O1 -D_GNU_SOURCE -DROLE="$1" "${@:4}" \
        >"$output" 2>&1 </dev/null
    status=$?
    expect "$2" "$3"
}

role() { # ROLE CODE TEXT FLAGS...
    start_case "$1 ${*:4}" run_role "$@"
}

program_of_case() {
    processes | while read -r pid; do [ "$(<"/proc/$pid/comm")" != program ] || echo "$pid"; done
}

# A run that lasts, and signals for the tool or for the program.
signal_while_running() { # tool|program SIGNALS CODE TEXT
    local tool target signal
    env --default-signal=INT,TERM,HUP "$plumb" stress "$harness" --threads 2 --time 30 -- -w -O1 -D_GNU_SOURCE >"$output" 2>&1 </dev/null &
    tool=$!
    until [ -n "$(program_of_case)" ]; do
        kill -0 "$tool" 2>/dev/null || break
        sleep 0.1
    done
    sleep 2 # a few rounds
    target=$tool
    [ "$1" = tool ] || target=$(program_of_case)
    for signal in $2; do
        kill "-$signal" $target 2>/dev/null
        sleep 0.1
    done
    wait "$tool" 2>/dev/null
    status=$?
    expect "$3" "$4"
}

# The verdict is there, and the explorer looks at small tests for long. While a compiler runs, the signal ends the tool at once.
interrupt_handover() {
    local tool
    env --default-signal=INT "$plumb" stress "$tests/stress/hidden.c" --threads 2 --rounds 1 --ops 200 --handover 60 >"$output" 2>&1 </dev/null &
    tool=$!
    for _ in {1..200}; do
        grep -q 'round 1 with seed' "$output" && break
        sleep 0.1
    done
    sleep 0.5
    kill -INT "$tool" 2>/dev/null
    wait "$tool" 2>/dev/null
    status=$?
    [ "$status" != 130 ] || status=1
    expect 1 'violated'
}

role nothing 0 survived
role forks 0 survived
role forks_daemon 0 survived
role execs 1 ''
role exits 1 'exit'
role exits_well 1 'exit'
role aborts 1 SIGABRT
role ends_thread 1 ''
role smashes_heap 1 'SIG(ABRT|SEGV)'
role smashes_all 3 'makes no sense'
role smashes_stack 1 'SIG(ABRT|SEGV|BUS|ILL)'
role overflows_stack 1 SIGSEGV
role closes_all 0 survived
role eats_memory 1 'SIGABRT|hang'
role ignores_signals 1 ''
role blocks 1 ''
role spins 1 ''
role kills_itself 3 ''
role stops_itself 1 ''
role kills_group 3 SIGTERM
role unmaps 1 ''
role prints_much 0 survived
role divides 1 SIGFPE
role segfaults 1 SIGSEGV
role catches_signals 1 SIGSEGV
role changes_folder 0 survived
role segfaults 1 'it happened in .* at .*misbehave_natively.c:[0-9]+' -DIN_SETUP
role exits 1 '' -DIN_SETUP
role blocks 1 '' -DIN_SETUP
role segfaults 1 'it happened in .* at .*misbehave_natively.c:[0-9]+' -DIN_TEARDOWN
start_case 'Ctrl-C' signal_while_running tool INT 0 'survived'
start_case 'Ctrl-C in the handover' interrupt_handover
start_case 'SIGTERM' signal_while_running tool TERM 0 'survived'
start_case 'the program is killed' signal_while_running program KILL 3 ''
start_case 'does not compile' run_role 'not a name' 4 ''
end_cases
