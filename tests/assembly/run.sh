#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: run.sh PLUMB [COMPILER...]
# Thousands of instructions of inline assembly, run by the processor alone and under plumb: registers, flags and memory are
# the same. x86-64 only. And a queue with such instructions in loops.
set -euo pipefail

plumb=$(readlink -f -- "${1:?usage: run.sh PLUMB [COMPILER...]}")
shift
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
[ "$(uname -m)" = x86_64 ] || { echo "skipped: instructions of x86-64" && exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

for cc in "${@:-gcc}"; do
    PLUMB_CC=$cc "$here/../../build/bin/plumb-cc" "$here/instructions.c" -o "instructions_$cc"
    read -r hash count < <("./instructions_$cc")
    [ "$count" -gt 2000 ] || { echo "only $count instances"; exit 1; }
    for memory in rc11 tso sc; do
        answer=$(EXPECTED=$hash "$plumb" check "./instructions_$cc" --memory $memory || true)
        [[ $answer == *": holds (all 1 execution"* ]] || { echo "$cc $memory: $answer"; exit 1; }
    done
    answer=$(EXPECTED=1$hash "$plumb" check "./instructions_$cc" || true)
    [[ $answer == *": violated"* ]] || { echo "$cc: a wrong hash is not noticed: $answer"; exit 1; }
    # A thread whose exchange fails is further than before it, with the same registers: it has not come back.
    answer=$(PLUMB_CC=$cc "$plumb" check "$here/../../bench/loops/structures/assembly_queue.c" --loops 1 || true)
    [[ $answer == *inconclusive* && $answer != *"same state"* ]] || { echo "$cc: assembly_queue.c: $answer"; exit 1; }
    echo "$cc: $count instances"
done
