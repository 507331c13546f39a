#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: lies.sh PLUMB
# `plumb check` with a worker that lies (fake_worker.c): what it says first is not what it says when it is asked again, or
# its history does not show what it claims. Compares exit code and the line with the verdict. And programs that write over what they
# share with the tool, or over the tool (liar.c): no command may say that they hold or survive, hang, or crash.
set -uo pipefail

tests=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=tests/support/skips.sh
source "$tests/support/skips.sh"
plumb=$(realpath "${1:?usage: lies.sh PLUMB}") || exit 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
cd "$work" || exit 2

# A runtime in name only: the tool asks for one before it starts a program.
echo 'void nothing(void); void nothing(void) {}' >runtime.c
cc -shared -fPIC -Wl,-soname,libplumb-rt.so runtime.c -o libplumb-rt.so || exit 2
cc -std=gnu17 -D_GNU_SOURCE -I"$tests/../src" -I"$tests/../include" "$tests/support/fake_worker.c" \
    "$tests/../src/seal/sign_off.c" "$tests/../src/engine/shared/worker_result.c" -Wl,--no-as-needed -L. \
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
signature='inconclusive (the program wrote over memory of the runtime: its result has no valid signature)'
expect done_unsigned 3 "$signature"
expect done_too_late 3 "$signature"
expect refused_unsigned 3 "$signature"
expect found_unsigned 3 "$signature"
expect asked_less 3 'inconclusive (the program wrote over memory of the runtime: what was to be run)'
expect no_executions 70 'error (the runtime has counted 0 executions, which cannot be)'
expect backwards 70 'error (the runtime has counted 5 executions, which cannot be)'

# ---- programs

mkdir liar # not beside the runtime in name only

cc -std=gnu17 -D_GNU_SOURCE -O1 -shared -fPIC -I"$tests/../src" -I"$tests/../include" "$tests/support/liar.c" -o liar/libliar.so || exit 2
cat >program.c <<'END'
#include <pthread.h>
#include <stdatomic.h>
void lie(void);
void (*volatile used)(void) = lie;
atomic_int x;
static void *work(void *lies)
{
    x++;
    if (lies)
        lie();
    x++;
    return lies;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, work, LIES ? &x : 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
END
cat >harness.c <<'END'
#include <plumb.h>
#include <stdatomic.h>
void lie(void);
void (*volatile used)(void) = lie;
static atomic_long count;
PLUMB_OBJECT(counter)
PLUMB_OP(add, long, n)
{
#if LIES
    lie();
#endif
    atomic_fetch_add(&count, n);
    return PLUMB_OK;
}
PLUMB_OP(get)
{
    return PLUMB_INT(atomic_load(&count));
}
END
linked=(-w "-L$work/liar" -lliar "-Wl,-rpath,$work/liar")

lying() { # "VARIABLE=..." CODES TEXT COMMAND...
    local output code begin=$SECONDS
    output=$(env "$1" timeout -k 5 50 "$plumb" "${@:4}" 2>&1 </dev/null)
    code=$?
    count=$((count + 1))
    [[ " $2 " == *" $code "* ]] && [[ $output == *"$3"* ]] && [[ ! $output =~ (holds|survived) ]] && return
    failed=$((failed + 1))
    printf 'FAILED %s, %s: expected %s, got %s after %d s\n  %s\n' "$1" "${*:4:1}" "$2" "$code" $((SECONDS - begin)) "$output"
}
check() { # ROLE CODES TEXT [OPTION...]
    lying "LIE=$1" "$2" "$3" check program.c -q --trace liar.plr "${@:4}" -- -DLIES=1 "${linked[@]}"
}
stress() { # ROLE CODES TEXT
    [ -e "${plumb%/*}/../lib/libplumb-stress.a" ] || { skip "this build has no runtime for real threads" && return; }
    lying "LIE=$1" "$2" "$3" stress harness.c -q --time 1 --hang 2 --no-handover -- -DLIES=1 "${linked[@]}"
}
# A child that claims all the time, and may come too late or too early: then the result is that of the program.
claimed() { # COMMAND...
    local output code forged='100 executions|100 pairs|[ (]0 operations'
    output=$(LIE_EARLY=1 LIE=claim_for_long timeout -k 5 50 "$plumb" "$@" -- -DLIES=0 "${linked[@]}" 2>&1 </dev/null)
    code=$?
    count=$((count + 1))
    [[ " 3 4 " == *" $code "* ]] && return
    [ $code = 0 ] && [[ ! $output =~ $forged ]] && return
    failed=$((failed + 1))
    printf 'FAILED a child that claims, %s: got %s\n  %s\n' "$1" "$code" "$output"
}
over='wrote over memory of the runtime'
for role in say_done say_done_of_nothing say_done_signed refused exec_true kill_tool; do
    check $role 3 "$over: its result has no valid signature"
done
check counts 3 "$over: the counts of executions"
check counts_back 3 "$over"
check asks_less 3 "$over: what was to be run"
check leave_0 3 'the program ended itself'
check through_mem 3 ''
check pool_done 3 "$over: what the workers share" --jobs 2
check zeros '1 3 4' ''
check unmap '1 3 70' ''
check replace '1 3 70' ''
lying LIE=say_done 3 "$over" auto harness.c -q --size 1x1 -- -DLIES=1 "${linked[@]}"
stress say_done 3 'its end has no valid signature'
stress leave_0 1 violated
claimed check program.c -q
claimed check program.c -q --mode random --runs 2000
claimed stress harness.c -q --time 1
claimed prove harness.c -q

wait "$patient"
failed=$((failed + $?))
summary "lies" $((count + 1)) "$failed"
[ "$failed" -eq 0 ]
