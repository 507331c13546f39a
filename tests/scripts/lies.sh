#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: lies.sh PLUMB
# `plumb check` with a worker that lies (fake_worker.c): what it says first is not what it says when it is asked again, or
# its history does not show what it claims. Compares exit code and the line with the verdict.
set -uo pipefail

tests=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
plumb=$(realpath "${1:?usage: lies.sh PLUMB}") || exit 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
cd "$work" || exit 2

# A runtime in name only: the tool asks for one before it starts a program.
echo 'void nothing(void); void nothing(void) {}' >runtime.c
cc -shared -fPIC -Wl,-soname,libplumb-rt.so runtime.c -o libplumb-rt.so || exit 2
cc -std=gnu17 -D_GNU_SOURCE -I"$tests/../src" -I"$tests/../include" "$tests/support/fake_worker.c" -Wl,--no-as-needed -L. \
    -lplumb-rt -Wl,-rpath,"$work" -o fake || exit 2

count=0 failed=0
expect() { # ROLE CODE LINE [OPTION...]
    local got code
    got=$("$plumb" check ./fake --test "$1" -q --trace "$1.plr" "${@:4}" 2>&1 </dev/null)
    code=$?
    got=${got% (not examined: the program: *, which may order threads)} # the worker's own code, beside a race
    count=$((count + 1))
    [ "$code" = "$2" ] && [ "$got" = "./fake: $3" ] && return
    failed=$((failed + 1))
    printf 'FAILED %s: expected %s, got %s\n  %s\n  %s\n' "$1" "$2" "$code" "./fake: $3" "$got"
}

differs='nondeterministic program: an execution was found to be wrong (data race), but, run again, it'
history='an execution was found to be wrong (not linearizable), but, run again, it'

# Takes as long as the tool is patient.
(expect loop_judging 3 "inconclusive (plumb itself took too long over the verdict on one execution)"
exit "$failed") &
patient=$!
expect again_same 1 violated
expect again_other_step 3 "inconclusive ($differs differed at step 2)"
expect again_nothing 3 "inconclusive ($differs ended without an error)"
expect again_other_error 3 "inconclusive ($differs ended with another error: crash)"
expect again_nothing 3 "inconclusive ($differs ended without an error)" --jobs 3
expect wrong_history 1 violated --mode dfs # a graph has to be run in the order of its history
expect right_history 70 "error (not confirmed: $history left a history in which the monitor finds nothing wrong)"
expect unreadable_history 70 "error (not confirmed: $history left a history that cannot be read: expected an integer or a string for \"thread\", found the end of the line)"
expect no_history 3 "inconclusive (not confirmed: $history had a history too long to be kept)"
expect undecided 3 "inconclusive (the monitor gave up on 2 histories)"
expect crash_in_setup 1 violated
expect crash_judging 70 'error (the runtime was killed by signal 11 (SIGSEGV))'
wait "$patient"
failed=$((failed + $?))
echo "$((count + 1)) lies, $failed failed"
[ "$failed" -eq 0 ]
