#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: prove.sh [--cc clang|gcc] [-k TEXT] [-f FOLDER] [-t] PLUMB
# `plumb prove` on the harnesses of examples/prove and tests/prove, as their LISTs have them, options separated by +: verdict, exit code and a word of the report.
# Every counterexample is replayed from its recording: the same error.
# -f: of that folder only; documents and what is refused belong to examples/prove. -t prints how many pairs each had, and how long it took.
set -uo pipefail

takes='-f= -t'
# shellcheck source=tests/scripts/examples/begin.sh
source "$(dirname "${BASH_SOURCE[0]}")/examples/begin.sh"
root=$(dirname "$tests") folders=${given[-f]-examples/prove tests/prove}

replays() { # RECORDING
    "$plumb" replay "$1" >again 2>&1
    [ $? -eq 1 ] && [ "$(grep -c ': error: ' again)" -eq 1 ] && grep -qxF "$(grep ': error: ' again)" out
}

expect() { # FOLDER FILE OPTIONS VERDICT WORD
    local code status word words=() flags=()
    case $4 in holds) code=0 ;; violated) code=1 ;; *) code=3 ;; esac
    IFS=+ read -ra words <<<"$3"
    for word in "${words[@]}"; do
        case $word in -) ;; -D* | -f* | -W*) flags+=("$word") ;; *) set -- "$@" "$word" ;; esac
    done
    set -- "$@" -- ${flags[@]+"${flags[@]}"}
    "$plumb" prove "$1/$2" -v "${@:6}" >out 2>err
    status=$?
    checks=$((checks + 1))
    if [ $status -ne $code ] || ! grep -q ": $4" out || { [ "$5" != - ] && ! grep -qF -- "$5" out; }; then
        echo "FAILED: plumb prove $2 $3: exit code $status, not $code; or no '$5' in"
        cat out err
        failures=$((failures + 1))
    elif [ "$4" = violated ] && ! replays "$(sed -n 's/^  replay: plumb replay //p' out)"; then
        echo "FAILED: the recording of plumb prove $2 $3 says something else:"
        cat out again
        failures=$((failures + 1))
    elif [ "${given[-t]-}" ]; then
        printf '%-30s %-12s %-12s %s\n' "$2" "$3" "$4" "$(tail -n 1 err)"
    fi
}

for folder in $folders; do
    while read -r file options verdict word; do
        case $file in '' | '#'*) continue ;; esac
        case $file in *"$text"*) expect "$root/$folder" "$file" "$options" "$verdict" "$word" ;; esac
    done <"$root/$folder/LIST"
done

# A counterexample as documents: the same run in each.
if [ -z "$text" ] && [ "$folders" != tests/prove ]; then
    checks=$((checks + 1))
    "$plumb" prove "$root/examples/prove/lost_update.c" -q --json found.json --html found.html --junit found.xml >out 2>&1
    if ! grep -q '"verdict":"violated"' found.json || ! grep -q '"run_calls":4' found.json || ! grep -q 'pop' found.html ||
        ! grep -q '<failure' found.xml; then
        echo "FAILED: documents of lost_update.c"
        failures=$((failures + 1))
    fi
    # The same calls as a test: plumb check finds it, and its recording can be replayed.
    checks=$((checks + 1))
    "$plumb" prove "$root/examples/prove/lost_update.c" >out 2>&1
    grep -q '^  step  T1  *T2 ' out || fail "lost_update.c: threads are counted from 1"
    command=$(sed -n 's/.*as a test: plumb //p' out)
    if [ -z "$command" ] || eval "$plumb $command -q" >out 2>&1 || ! grep -q violated out || "$plumb" replay lost_update.plr >out 2>&1 ||
        ! grep -q 'not linearizable' out; then
        fail "lost_update.c as a test: $command"
    fi
    # A specification in C.
    checks=$((checks + 1))
    if ! "$plumb" prove "$root/tests/prove/three.c" --spec "$root/tests/prove/three_spec.c" >out 2>&1 ||
        "$plumb" prove "$root/tests/prove/three.c" --spec "$root/tests/prove/three_spec.c" -- -DBUG >>out 2>&1 ||
        ! grep -q 'three.c: holds' out || ! grep -q 'next() = 0 is impossible' out; then
        fail "three.c with its specification"
    fi
    # Functions of libstdc++ that are compiled with the harness do what they should.
    checks=$((checks + 1))
    if ! c++ -std=c++17 -O1 "$root/tests/oracle/compiled_containers.cpp" -o containers >out 2>&1 || ! ./containers >>out; then
        fail "functions of containers"
    fi
    # The other compiler comes to the same states, and has nothing to say. It has to announce a read that a write follows (the ring), and not to copy the first
    # round of a loop (Treiber's stack).
    for file in two_lock_queue mutex_ring treiber_gc; do
        command -v clang >/dev/null || break
        checks=$((checks + 1))
        "$plumb" prove "$root/examples/prove/$file.c" --cc gcc --json gcc.json >out 2>err
        "$plumb" prove "$root/examples/prove/$file.c" --cc clang --json clang.json >out 2>err
        if ! grep -q ': holds' out || [ -s err ] ||
            [ "$(grep -o '"states":[0-9]*' gcc.json)" != "$(grep -o '"states":[0-9]*' clang.json)" ]; then
            echo "FAILED: $file.c by clang"
            cat out err
            failures=$((failures + 1))
        fi
    done
    # Later ones have other names for memcpy; plumb-instrument has to be built with their LLVM.
    for compiler in clang-15 clang-16 clang-19; do
        command -v $compiler >/dev/null && [ "$("${plumb%/*}/plumb-instrument" --version)" \> "${compiler#clang-}" ] || continue
        checks=$((checks + 1))
        "$plumb" prove "$root/tests/prove/copied.c" --cc $compiler >out 2>&1
        grep -q 'bytes that threads share are copied' out || fail "copied.c by $compiler"
    done
    # What cannot be asked is refused, by name.
    checks=$((checks + 1))
    if "$plumb" prove "$root/tests/prove/early_thread.c" >out 2>&1 || ! grep -q "starts threads before" out; then
        fail "a thread before the operations"
    fi
    checks=$((checks + 1))
    { echo '#include <plumb.h>' && echo 'PLUMB_OBJECT()' && printf 'PLUMB_OP(f%d) { return PLUMB_OK; }\n' {1..33}; } >many.c
    if "$plumb" prove many.c >out 2>&1 || ! grep -q "more than 32 operations" out; then
        fail "33 operations"
    fi
    checks=$((checks + 1))
    if "$plumb" prove "$root/tests/prove/with_main.c" >out 2>&1 || ! grep -q "has a main function" out; then
        fail "a program with a main function"
    fi
    checks=$((checks + 1))
    if "$plumb" prove "$root/examples/prove/treiber_gc.c" --spec counter >out 2>&1 || ! grep -q "no operation" out; then
        fail "a specification without these operations"
    fi
fi
conclude
