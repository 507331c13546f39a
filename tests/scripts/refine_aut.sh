#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: refine_aut.sh PLUMB_BINARY AUT_INCLUSION
# Small models and their specifications, written out as transition systems: does an independent check of trace inclusion
# say what `plumb refine` says, and trace refinement of the files as well?
set -u
plumb=$(realpath "$1")
inclusion=$(realpath "$2")
models=$(cd "$(dirname "$0")/../../models" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 2
cases=0 failed=0

verdict_of() { # ARGUMENTS of refine
    "$plumb" refine "$@" -q | sed 's/^[^ ]*: \([a-z]*\).*/\1/'
}

compare() { # MODEL OPTIONS...
    local model=$1 ours independent files
    shift
    ours=$(verdict_of "$models/$model" "$@" --values free:2 --export-aut impl.aut --export-spec spec.aut)
    independent=$("$inclusion" impl.aut spec.aut)
    files=$(verdict_of impl.aut --trace --spec spec.aut)
    cases=$((cases + 1))
    if [ -z "$ours" ] || [ "$ours" != "$independent" ] || [ "$ours" != "$files" ]; then
        failed=$((failed + 1))
        echo "$model $*: refine says '$ours', the independent check '$independent', trace refinement '$files'"
    fi
    printf '%s\n' "$ours" >>verdicts
}

compare segmented_queue.pml -D FACTOR=1 -D SEGMENTS=1 --spec queue --capacity 2 --quasi deq=1
compare segmented_queue.pml -D FACTOR=1 -D SEGMENTS=1 --spec queue --capacity 2
compare segmented_queue.pml -D FACTOR=1 -D SEGMENTS=1 -D BUG=1 --spec queue --capacity 2 --quasi deq=1
compare segmented_queue.pml -D FACTOR=2 -D SEGMENTS=1 --spec queue --capacity 3 --quasi deq=1
compare queue.pml -D CAPACITY=2 --spec queue --capacity 2
compare queue.pml -D CAPACITY=2 --spec queue --capacity 2 --full capacity
compare queue.pml -D CAPACITY=1 --spec queue --capacity 2 --full capacity
compare queue.pml -D CAPACITY=2 -D BUG=1 --spec queue --capacity 2
compare queue.pml -D CAPACITY=2 --spec queue --capacity 2 --quasi deq=1
compare stack.pml -D CAPACITY=2 --spec stack --capacity 2
compare stack.pml -D CAPACITY=2 --spec stack --capacity 2 --full block
compare register.pml --spec register
compare register.pml -D BUG=1 --spec register
compare set.pml --spec set
compare set.pml -D BUG=1 --spec set

if [ "$(sort -u verdicts | tr '\n' ' ')" != "holds violated " ]; then
    failed=$((failed + 1))
    echo "both verdicts should occur"
fi
echo "$cases cases, $failed failed"
[ "$failed" -eq 0 ]
