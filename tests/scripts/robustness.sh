#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: robustness.sh [-k TEXT] PLUMB
# What programs do to the tool (misbehave.c), and what users do. After each case the exit code and the report must be
# right, no process may be left (every one inherits a mark in its environment, by which /proc is searched), and no file in
# TMPDIR. Exit code: 0 all as expected, 1 some not, 2 wrong usage.
set -uo pipefail

tests=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
filter='' jobs=8 # most of them wait
[ "${1-}" != -k ] || { filter=${2-} && shift 2; }
plumb=$(realpath "${1-}") && [ -x "$plumb" ] || { sed -n 's/^# usage/usage/p' "${BASH_SOURCE[0]}" >&2 && exit 2; }
tools=$(dirname "$tests")/build/bin

# shellcheck source=tests/support/cases.sh
source "$tests/support/cases.sh"

expect() { # CODE TEXT, after a command with its output in $output and its exit code in $status
    [ "$status" -eq "$1" ] || printf ' exit %d, expected %d' "$status" "$1"
    [ -z "$2" ] || grep -qF -- "$2" "$output" || printf ' without "%s"' "$2"
}

check_role() { # VARIABLE ROLE CODE TEXT
    cp "$work/misbehave" program
    env "$1=$2" timeout -k 5 200 "$plumb" check ./program --mode random --runs 20 --compute 0.5 >"$output" 2>&1 </dev/null
    status=$?
    expect "$3" "$4"
}

role() { # NAME CODE TEXT: in a thread
    start_case "$1" check_role MISBEHAVE "$@"
}

main_role() { # the same in the main thread
    start_case "$1 in main" check_role MISBEHAVE_MAIN "$@"
}

early_role() { # the same in a constructor
    start_case "$1 before main" check_role MISBEHAVE_EARLY "$@"
}

# --- signals from outside -------------------------------------------------------------------------

# How long one waits for something matters only where it never comes: a machine may be busy.
patience=120

wait_for_process() { # NAME; prints its number
    local pid begin=$SECONDS
    while [ $((SECONDS - begin)) -lt $patience ]; do
        for pid in $(processes); do
            [ "$(cat "/proc/$pid/comm" 2>/dev/null)" != "$1" ] || { echo "$pid" && return 0; }
        done
        sleep 0.05
    done
    return 1
}

wait_for_file() { # NAME
    local begin=$SECONDS
    while [ $((SECONDS - begin)) -lt $patience ] && [ ! -e "$1" ]; do sleep 0.05; done
    [ -e "$1" ]
}

# Runs plumb on a program that never ends, and sends signals to the worker or to plumb.
signal_while_running() { # NAME_OF_PROCESS SIGNALS CODE TEXT
    local tool target signal
    cp "$work/misbehave" program
    MISBEHAVE=loop_slowly env --default-signal=INT,TERM,HUP "$plumb" check ./program --mode random --runs 20 >"$output" 2>&1 </dev/null &
    tool=$!
    wait_for_file begun || printf ' no worker'
    target=$(wait_for_process "$1") || printf ' no %s' "$1"
    for signal in $2; do
        kill "-$signal" "$target" 2>/dev/null
        sleep 0.1
    done
    finish_soon "$tool" "$3" "$4"
}

# A command that takes longer than anybody waits, as soon as it answers signals: commands with workers have some then.
interrupt() { # SIGNAL CODE TEXT COMMAND...
    local signal=$1 code=$2 text=$3 tool begin=$SECONDS
    shift 3
    mkfifo stream && exec 9<>stream
    echo '{"thread":1,"call":"enq","arg":7,"t":3}' >&9
    env --default-signal=INT,TERM "$plumb" "$@" <&9 >"$output" 2>&1 &
    tool=$!
    wait_for_process plumb >/dev/null || printf ' no tool'
    while [ $((SECONDS - begin)) -lt $patience ] && ! grep -qE '^SigCgt:.*[4-7c-f]...$' "/proc/$tool/status"; do
        sleep 0.05
    done
    case $1 in auto | orders) wait_for_process program >/dev/null || printf ' no worker' ;; esac
    kill "-$signal" "$tool"
    finish_soon "$tool" "$code" "$text"
}

finish_soon() { # TOOL CODE TEXT
    local begin=$SECONDS
    wait "$1" 2>/dev/null
    status=$?
    [ "$2" = 3 ] || [ $((SECONDS - begin)) -le $patience ] || printf ' took %d s' $((SECONDS - begin))
    expect "$2" "$3"
}

# A compiler that takes its time, with a process below it and a file of its own.
signal_while_compiling() { # SIGNAL CODE
    local tool
    printf '#!/bin/sh\necho text >"${TMPDIR:-/tmp}/file"\nsleep 1000 &\nsleep 1001\n' >compiler
    chmod +x compiler
    PLUMB_CC=$PWD/compiler env --default-signal=INT,TERM,HUP "$plumb" check "$tests/support/misbehave.c" >"$output" 2>&1 </dev/null &
    tool=$!
    wait_for_process sleep >/dev/null || printf ' no compiler'
    kill "-$1" "$tool"
    finish_soon "$tool" "$2" "interrupted while the compiler ran"
}

# The worker dies with the tool; nothing else can be promised.
kill_the_tool() {
    local tool
    cp "$work/misbehave" program
    MISBEHAVE=loop_slowly "$plumb" check ./program --mode random --runs 20 --compute 0.5 >"$output" 2>&1 </dev/null &
    tool=$!
    wait_for_file begun || printf ' no worker'
    kill -9 "$tool"
    finish_soon "$tool" 137 ''
    local begin=$SECONDS
    while [ $((SECONDS - begin)) -lt $patience ] && [ -n "$(processes)" ]; do sleep 0.05; done
}

# The folder of a plumb-cc that was killed is in use while its compiler is; then the next run of the tool removes it.
kill_plumb_cc() {
    local script compiler race=$tests/programs/wrong/race/plain/c11_threads.c
    printf '#!/bin/sh\ncase "$*" in *-dM*) exec gcc "$@" ;; esac\necho text >"$TMPDIR/file"\nexec sleep 1000\n' >compiler
    chmod +x compiler
    PLUMB_CC=$PWD/compiler "$tools/plumb-cc" -c "$race" >"$output" 2>&1 </dev/null &
    script=$!
    compiler=$(wait_for_process sleep) || printf ' no compiler'
    kill -9 "$script"
    run_with 1 violated "$plumb" check "$race"
    [ -n "$(ls -A "$TMPDIR")" ] || printf ' the folder of a compiler that runs was removed'
    kill -9 "$compiler"
    timeout $patience flock "$TMPDIR"/plumb-cc.* true # until all that held the lock are gone
    run_with 1 violated "$plumb" check "$race"
}

# --- places that cannot be written ----------------------------------------------------------------

run_with() { # CODE TEXT COMMAND...
    local code=$1 text=$2
    shift 2
    "$@" >"$output" 2>&1 </dev/null
    status=$?
    expect "$code" "$text"
}

in_folder() { # FOLDER COMMAND...
    cd "$1" && shift && "$@"
}

# A disk on which there may be as many files, its root among them.
on_small_disk() { # FILES COMMAND...
    local problem
    # shellcheck disable=SC2016
    problem=$("${own_mounts[@]}" bash -c 'mount -t tmpfs -o "nr_inodes=$2" none "$TMPDIR" && "${@:3}" >"$1" 2>&1 </dev/null; ls -A "$TMPDIR"' - "$output" "$@")
    [ -z "$problem" ] || printf ' left: %s' "$problem"
    grep -qF 'cannot' "$output" || printf ' no error'
}

limited() { # LETTER NUMBER CODE TEXT COMMAND...: under a limit of the shell
    ulimit "-$1" "$2"
    run_with "${@:3}"
}

limits() {
    local annotated=$tests/cli/inputs/programs/annotated.c kibibytes
    for kibibytes in 150000 250000; do
        start_case "$kibibytes KiB of addresses, annotations" limited v $kibibytes 3 'the system has no memory left' "$plumb" check "$annotated" -- -DLIE
    done
    start_case '150000 KiB of addresses, two workers' limited v 150000 3 'no memory for 2 workers' "$plumb" check "$annotated" --jobs 2
    for kibibytes in 100 128 1000; do
        start_case "$kibibytes KiB of stack" limited s $kibibytes 1 'contradicts its specification' "$plumb" check "$annotated" -- -DLIE
    done
}

places() {
    local own_mounts=(unshare -rm)
    [ "$(id -u)" -ne 0 ] || own_mounts=(unshare -m)
    local race=$tests/programs/wrong/race/plain/c11_threads.c
    start_case 'TMPDIR is missing' run_with 4 'cannot' env TMPDIR="$work/nowhere" "$plumb" check "$race"
    start_case 'TMPDIR is read-only' run_with 4 'cannot' env TMPDIR=/proc "$plumb" check "$race"
    start_case 'current folder is read-only' run_with 1 'c11_threads.plr: error: cannot be written' in_folder /proc "$plumb" check "$race"
    start_case 'current folder is read-only, --trace' run_with 1 'replay: plumb replay' \
        in_folder /proc "$plumb" check "$race" --trace "$work/elsewhere.plr"
    start_case 'current folder is gone' run_with 1 'violated' \
        bash -c 'mkdir gone && cd gone && rmdir ../gone && exec "$@"' - "$plumb" check "$race" \
        --trace "$work/gone.plr"
    "${own_mounts[@]}" mount -t tmpfs none "$work" 2>/dev/null || { echo "skipped: disks that are full, which cannot be mounted here" && return; }
    start_case 'a disk with room for a folder, and no file' on_small_disk 2 "$plumb" check "$race"
    start_case 'a disk with room for a folder and a file' on_small_disk 3 "$plumb" check "$race"
}

# --- all cases ------------------------------------------------------------------------------------

survived='survived' unsupported='not supported: '
export PLUMB_CC=${PLUMB_CC:-gcc}
$PLUMB_CC -std=gnu17 -O1 -c -o "$work/raw_call.o" "$tests/support/raw_call.c" &&
    "$tools/plumb-cc" -std=gnu17 -D_GNU_SOURCE -o "$work/misbehave" "$tests/support/misbehave.c" "$work/raw_call.o" || exit 1

# The long ones first.
role sleep_for_ever 3 'inconclusive (the process is blocked in a system call'
# One line or the other: a busy machine does not give it its half a second of processor time before the tool gives up.
role print_for_ever 3 $'inconclusive (no visible step of T1 for 0.5 s\ninconclusive (the program made no progress)'
role exec_raw 3 'inconclusive (the program made no progress)'
role ignore_all 3 'inconclusive (the program made no progress)'
role own_handler 3 'inconclusive (the program made no progress)'
early_role sleep_for_ever 3 'inconclusive (the program made no progress before'
start_case 'SIGSTOP to the worker' signal_while_running program STOP 3 'the program made no progress'
role loop 1 'in a loop without a visible step'
role use_alarm 1 'in a loop without a visible step'
role use_virtual_timer 1 'in a loop without a visible step'
role block_all_and_loop 1 'a loop that does not end'

role heap_overrun_by_kernel 1 'outside of any allocated block'
role own_heap 1 'outside of any allocated block'
role libc_heap 1 'signal 6 (ABRT)'
role libc_file 1 'violated'
role wild_write 1 'signal 11 (SEGV)'
role jump_nowhere 1 'signal 11'
role stack_overflow 1 'the stack of T1 is exhausted'
main_role stack_overflow 1 'the stack of T0 is exhausted'
role large_frame 1 'the stack of T1 is exhausted'
early_role wild_write 1 'before main'

role fork_by_name 3 "$unsupported"
role exec_by_name 3 "$unsupported"
role system_by_name 3 "$unsupported"
role fork_by_number 3 "$unsupported"
role fork_raw 0 "$survived"
role fork_raw_leaves_session 0 "$survived"
role exec_raw_short 3 'the program ended itself'
early_role fork_by_name 0 "$survived"
early_role system_by_name 0 "$survived"
early_role fork_raw_leaves_session 0 "$survived"
early_role exec_raw_short 4 'before the runtime took over'

for way in '' main_; do
    "${way}role" exit_0 0 "$survived"
    "${way}role" exit_3 1 'ends with status 3'
    "${way}role" exit_now_0 0 "$survived"
    "${way}role" exit_now_3 1 'ends with status 3'
    "${way}role" quick_exit_0 0 "$survived"
    "${way}role" quick_exit_3 1 'ends with status 3'
    "${way}role" exit_raw_0 3 'the program ended itself'
    "${way}role" exit_raw_3 1 'ended with exit code 3'
done
early_role exit_0 4 'before the runtime took over'
early_role exit_3 4 'before the runtime took over'

role close_all 0 "$survived"
role close_all_and_open 0 "$survived"
early_role close_all 0 "$survived"
role print_megabytes 0 "$survived"
role change_folder 0 "$survived"
role unlink_itself 0 "$survived"
role leave_files 0 "$survived"
role loop_with_steps 3 'cut at the step limit'

role raise_segv 1 'signal 11 (SEGV)'
role raise_kill 1 'ends itself by signal 9'
role raise_term 1 'ends itself by signal 15'
role raise_user 1 'ends itself by signal 10'
role raise_stop 3 'stops itself'
main_role raise_term 1 'ends itself by signal 15'
role block_all 0 "$survived"
role block_all_and_crash 1 'signal 11 (SEGV)'
role own_handler_raised 0 "$survived"
role own_signal_stack 1 'signal 11 (SEGV)'
role no_signal_stack 1 'SIGSEGV'
role kill_parent_term 0 "$survived"
role kill_parent_int 0 "$survived"
role kill_parent_hup 0 "$survived"
early_role kill_parent_term 0 "$survived"
role kill_everybody 3 'killed from outside by signal 9'

role alarm_with_handler 3 "$unsupported"
role limit_files 0 "$survived"
role limit_processor 3 'cut at the step limit'
role limit_memory 3 'no memory left'
role limit_stack 0 "$survived"
role limit_file_size 0 "$survived"

start_case 'SIGKILL to the worker' signal_while_running program KILL 3 'killed from outside by signal 9'
start_case 'SIGSTOP, SIGKILL to the worker' signal_while_running program 'STOP KILL' 3 'killed from outside by signal 9'
start_case 'SIGTERM to the worker' signal_while_running program TERM 3 'killed from outside by signal 15'
start_case 'SIGINT while running' signal_while_running plumb INT 3 '(0 executions of 20; interrupted)'
start_case 'SIGTERM while running' signal_while_running plumb TERM 3 '(0 executions of 20; interrupted)'
start_case 'SIGHUP while running' signal_while_running plumb HUP 129 ''
start_case 'SIGINT, auto' interrupt INT 3 'of 2056996 tests up to 4x4, ' auto "$tests/cli/inputs/harnesses/adder.c" --size 4x4 -- -DRIGHT=1
start_case 'SIGTERM, orders' interrupt TERM 3 'interrupted)' orders "$tests/cli/inputs/programs/many.c" -- -DREADERS=24
start_case 'SIGTERM, refine' interrupt TERM 3 'inconclusive (it was interrupted)' \
    refine "$tests/../models/segmented_queue.pml" -D FACTOR=3 -D SEGMENTS=6 --threads 4 --spec queue --quasi deq=3
start_case 'SIGTERM, monitor' interrupt TERM 3 'interrupted after 1 of 2 inputs' monitor --spec queue - "$tests/cli/inputs/histories/queue_holds.jsonl"
start_case 'SIGINT while compiling' signal_while_compiling INT 130
start_case 'SIGTERM while compiling' signal_while_compiling TERM 143
start_case 'SIGKILL to the tool' kill_the_tool
start_case 'SIGKILL to plumb-cc' kill_plumb_cc
places
limits

end_cases
