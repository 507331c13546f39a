#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: gdb.sh PLUMB
# `plumb replay --gdb`: the recorded execution happens under gdb, event for event, and gdb shows the right threads, lines
# and values. The recordings come from a search, so what is expected is read off the report of the same recording.
set -uo pipefail

tests=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=tests/support/skips.sh
source "$tests"/support/skips.sh
[ $# -eq 1 ] && [ -x "$1" ] || { echo "usage: gdb.sh PLUMB" >&2 && exit 2; }
plumb=$(readlink -f "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
cd "$work" || exit 2

passed=0 failed=0
check() { # NAME COMMAND...: the command has to succeed
    local name=$1
    shift
    if "$@" >/dev/null; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED $name"
        cmp -s session shown || sed 's/^/    /' session
        cp session shown
    fi
}

can_call() { # a function, in a program that has nothing to do with plumb
    echo 'int f(int x) { return x + 1; } int main(void) { return f(1) - 2; }' >call.c
    cc -g call.c -o call && gdb -q -nx -batch -ex 'break main' -ex run -ex 'print f(41)' ./call 2>&1 </dev/null |
        grep -q '^\$1 = 42$'
}

debug() { # TRACE COMMAND...: a session without a terminal; its exit code is in $status
    local trace=$1 command words=()
    shift
    for command in "$@"; do
        words+=(-ex "$command")
    done
    "$plumb" replay "$trace" --gdb -- -nx -batch "${words[@]}" >session 2>&1 </dev/null
    status=$?
}

has() { grep -qE -- "$1" session; }
has_not() { ! grep -qE -- "$1" session; }
line_of() { sed -n "/\/\* $1 \*\//=" "$tests/support/gdb_program.c"; }

record() { # TRACE FILE
    "$plumb" check "$2" --mode random --trace "$1" -q >session 2>&1
    check "$2 has an error" [ $? -eq 1 ]
    "$plumb" replay "$1" >report 2>&1
}

# --- a lost addition --------------------------------------------------------------------------------

load=$(line_of LOAD) store=$(line_of STORE) last=$(line_of CHECK)
record lost.plr "$tests/support/gdb_program.c"
mapfile -t readers < <(sed -n "s/.*  T\([12]\): R .*:$load\$/\1/p" report)
first=${readers[0]} second=${readers[1]}

# Some versions of gdb cannot call a function of any program on some processors.
calls=('print peek()') answer=' 1000'
can_call || { calls=() answer='' && skip "this gdb cannot call functions here"; }
debug lost.plr "break $store" run continue 'print mine' backtrace 'plumb threads' "plumb thread $first" \
    'print mine' "${calls[@]}" continue backtrace 'plumb threads' continue
check "the same error and events" [ "$status" -eq 1 ]
check "the end is reported" has '^the recorded error happened again: assertion failed$'
hits=$(sed -n 's/^Thread .* "T\([0-9]\)" hit Breakpoint.*/\1/p' session | xargs)
check "breakpoints are met in the recorded order" [ "$hits" = "$first $second" ]
values=$(sed -n 's/^\$[0-9]* = //p' session | xargs)
check "thread-local variables; a called function" [ "$values" = "${second}0 ${first}0$answer" ]
check "the stack of the running thread" has "^#0 +(0x[0-9a-f]+ in )?add \(n=${second}0\) at .*:$store\$"
check "the stack of a waiting thread" has "^#[0-9]+ +0x[0-9a-f]+ in add \(n=${first}0\) at .*:$store\$"
check "a waiting thread's next step" has "^  T$first +ready: W count .*:$store\$"
check "the running thread" has "^\* T$second +running .*:$store\$"
check "a thread that joins" has "^  T0 +waits for the end of T[12] "
check "ended threads" has "^  T$first +ended\$"
check "the stop at the error" has "^#[0-9]+ .* main \(\) at .*:$last\$"
check "no frames of the runtime" has_not '^#.*(thread_main|plumb_debug)'

# Steps and events are those of the report: thread, kind and line of each row.
rows() { # PATTERN FILE
    sed -nE "s/^ +[0-9]+ +T([0-9])(:| ) +(R|W|create|join|end).*:([0-9]+)\$/\1 \3 \4/p" "$1"
}
debug lost.plr 'plumb step 100' 'plumb events'
check "stepping ends at the error" [ "$status" -eq 1 ]
rows session | head -n "$(rows report | wc -l)" >steps
rows session | tail -n "$(rows report | wc -l)" >events
check "there are steps" [ -s steps ]
check "steps as in the report" cmp -s steps <(rows report)
check "events as in the report" cmp -s events <(rows report)

debug lost.plr "break $store" run 'plumb step' run 'plumb events' 'delete' run continue
check "run again, the same again" [ "$status" -eq 1 ]
check "events of the new run only" [ "$(grep -c 'create T1' session)" -eq 1 ]

debug lost.plr "break $store" run step step 'info source'
check "steps do not enter the runtime" has 'Current source file is .*gdb_program.c'

debug lost.plr "break $store" run 'set var count = 7' 'delete' continue
check "a changed execution is noticed" [ "$status" -eq 3 ]
check "and reported" has '^the execution differs'

debug lost.plr "break $store" run
check "left early" [ "$status" -eq 3 ]
check "left early is reported" has '^gdb was left before'

debug lost.plr 'plumb threads' 'plumb events'
check "commands before the start" has "type 'run' first"

# --- other errors -----------------------------------------------------------------------------------

record deadlock.plr "$tests/programs/wrong/deadlock/lock_order.c"
debug deadlock.plr run 'plumb threads' continue
check "deadlock" [ "$status" -eq 1 ]
check "who waits for whom" has '^. T1 +waits for second, held by T2 '
check "and the other way round" has '^. T2 +waits for first, held by T1 '

record crash.plr "$tests/programs/wrong/fail/null_dereference.c"
debug crash.plr run continue
check "crash" [ "$status" -eq 1 ]
check "gdb sees the signal first" has 'received signal SIGSEGV'

record overflow.plr "$tests/programs/wrong/fail/endless_recursion.c"
debug overflow.plr run continue
check "stack overflow" [ "$status" -eq 1 ]

"$plumb" check "$tests/../examples/harness/lost_update.c" --test 'add(1) | add(1) => get' --trace h.plr -q >/dev/null 2>&1
debug h.plr 'break atomic_load' 'plumb step 5' run 'plumb events' continue
check "harness" [ "$status" -eq 1 ]
check "operations are named" has 'T[12] +call add\(1\) '
check "found after the end" has '^It was found after all threads had ended'

# --- a run of plumb prove ---------------------------------------------------------------------------

"$plumb" prove "$tests/../examples/prove/lost_update.c" --trace proof.plr -q >session 2>&1
check "a counterexample" [ $? -eq 1 ]
debug proof.plr 'plumb step 2' 'break lost_update.c:21' continue backtrace 'plumb threads' 'delete' continue 'plumb events' continue
check "the run of a proof" [ "$status" -eq 1 ]
check "its steps, one by one" has '^ +2  T[01] +load top +.*lost_update.c:20'
check "its call stack ends with the operation" has_not ' in  \(\)'
check "a thread in an operation" has '^  T[01] +in push'
check "all of its events" has '^ +15  T[01] +return pop = 0'

# --- installations ----------------------------------------------------------------------------------

mkdir lib
cp "$(dirname "$plumb")/../lib/libplumb-rt.so" lib && strip lib/libplumb-rt.so
PLUMB_LIB_DIR=$work/lib "$tests/../build/bin/plumb-cc" -o stripped "$tests/support/gdb_program.c"
record stripped.plr ./stripped
debug stripped.plr 'plumb step 3' "break $store" continue 'plumb threads' 'delete' continue
check "a stripped runtime" [ "$status" -eq 1 ]
check "threads of a stripped runtime" has "^\* T[12] +running .*:$store\$"

PATH=/nonexistent "$plumb" replay stripped.plr --gdb >session 2>&1
check "no gdb: exit code" [ $? -eq 4 ]
check "no gdb: what to do" has 'gdb was not found: install it'

summary "checks" $((passed + failed)) $failed
[ $failed -eq 0 ]
