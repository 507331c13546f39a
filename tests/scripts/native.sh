#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: native.sh TEST_NATIVE LIBRARIES ROOT CC CXX
# Harnesses are linked with libplumb-stress as users do it, plain, as C++, with a sanitizer, and for noise; nothing but public names is seen.
set -euo pipefail

test_native=$1 library=$2 root=$(cd "$3" && pwd) cc=$4 cxx=$5
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
harness=$root/tests/support/native_harness.c
flags=(-O2 -w -I"$root/include")

run() { # PROGRAM
    local out
    out=$(PLUMB_NATIVE_HARNESS=$1 "$test_native" 2>&1) || { echo "${1##*/}:" && grep -A3 -E 'ERROR|FAILED' <<<"$out" && exit 1; }
}

[ -z "$(nm -g --defined-only "$library/libplumb-stress.a" | awk 'NF == 3 && $3 !~ /^(plumb_.*|main|__VERIFIER_.*|reach_error)$/')" ]
[ -z "$(nm -g --defined-only "$library/libplumb-noise.a" | awk 'NF == 3 && $3 !~ /^(plumb_.*|__tsan_.*|Annotate.*)$/')" ]

"$cc" "${flags[@]}" "$harness" "$library/libplumb-stress.a" -lpthread -o "$work/plain"
run "$work/plain"

"$cxx" -std=c++17 "${flags[@]}" "$root/examples/harness/locked_stacks.cpp" "$library/libplumb-stress.a" -lpthread -o "$work/cxx"
status=0
"$work/cxx" 2>/dev/null || status=$?
[ $status -eq 2 ] # it is not started by the tool

# A sanitizer has handlers of its own, which win.
if "$cc" "${flags[@]}" -fsanitize=address "$harness" "$library/libplumb-stress.a" -lpthread -o "$work/address" 2>/dev/null; then
    ASAN_OPTIONS=detect_leaks=0 PLUMB_NATIVE_OWN_HANDLERS=1 run "$work/address"
fi

# The harness has no races, and ThreadSanitizer sees that rounds and segments come one after the other.
if "$cc" "${flags[@]}" -fsanitize=thread "$harness" "$library/libplumb-stress.a" -lpthread -o "$work/threads" 2>/dev/null; then
    TSAN_OPTIONS="exitcode=66 log_path=$work/race" PLUMB_NATIVE_OWN_HANDLERS=1 PLUMB_NATIVE_NO_FORKS=1 run "$work/threads"
    if grep -h -A 12 'data race' "$work"/race.* 2>/dev/null; then exit 1; fi
fi

wide=()
[ "$(uname -m)" != x86_64 ] || wide=(-mcx16 -DWITH_128)
"$cc" "${flags[@]}" "${wide[@]}" -fsanitize=thread -c "$root/tests/support/noise_program.c" -o "$work/noise.o"
"$cc" "$work/noise.o" "$library/libplumb-noise.a" -lpthread -o "$work/noise"
"$work/noise"
"$cc" "${flags[@]}" -fsanitize=thread -c "$harness" -o "$work/harness.o"
"$cc" "$work/harness.o" "$library/libplumb-stress.a" "$library/libplumb-noise.a" -lpthread -o "$work/noisy"
PLUMB_NATIVE_NOISE=30 run "$work/noisy"
