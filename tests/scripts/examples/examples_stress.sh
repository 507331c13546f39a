#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: examples_stress.sh [--cc clang|gcc] [-k TEXT] [--only check|stress] PLUMB
# The objects of examples/stress, as its LIST has them. `plumb check` on the test that each names: wrong ones are violated, their fixed
# twins hold. `plumb stress`: wrong ones are found; a few rounds of the right ones survive.
set -uo pipefail

takes=--only=
# shellcheck source=tests/scripts/examples/begin.sh
source "$(dirname "${BASH_SOURCE[0]}")/begin.sh"
folder=$tests/../examples/stress only=${given[--only]-}

expect() { # NAME VERDICT ERROR COMMAND...
    local name=$1 verdict=$2 error=$3 code=0 status
    shift 3
    [ "$verdict" != violated ] || code=1
    checks=$((checks + 1))
    echo >answer.json
    "$plumb" "$@" >out 2>&1
    status=$?
    if [ $status -ne $code ] || ! grep -q "\"verdict\":\"$verdict\"" answer.json ||
        { [ "$error" != - ] && ! grep -q "\"error\":\"$error\"" answer.json; }; then
        fail "$name: expected $verdict $error, got exit $status: plumb $*"
    fi
}

# What a run on real threads calls a hang or a crash has a name of its own in an exploration.
check_row() { # NAME FILE ERROR FLAGS...
    local name=$1 file=$2 error=$3 verdict=violated
    shift 3
    case $error in
    hang) error=deadlock ;;
    crash) error=use-after-free ;;
    -) verdict=holds ;;
    esac
    expect "$name" $verdict "$error" check "$folder/$file" --json answer.json -- -Wall -Wextra -Werror "$@"
}

stress_row() { # NAME FILE VERDICT ERROR OPTIONS FLAGS...
    local name=$1 file=$2 verdict=$3 error=$4 options=()
    [ "$5" = - ] || read -ra options <<<"$5"
    # Most are found in less than a second, all of them in ten when nothing else runs.
    if [ "$verdict" = violated ]; then options+=(--time 60 --no-handover); else options+=(--rounds 20); fi
    shift 5
    # Memory that was freed may be another node by then: it answers wrongly before it crashes.
    [ "$error" != crash ] || error='\(crash\|not-linearizable\)'
    expect "$name" "$verdict" "$error" stress "$folder/$file" "${options[@]}" --json answer.json -- "$@"
}

while IFS=$'\t' read -r name file cflags options expected error; do
    case $name in '#'* | '') continue ;; esac
    [[ $name == *"$text"* ]] || continue
    flags=()
    [ "$cflags" = - ] || read -ra flags <<<"$cflags"
    [ "$only" = stress ] || [[ $options == *--quasi* ]] || check_row "$name" "$file" "$error" "${flags[@]}"
    [ "$only" = check ] || stress_row "$name" "$file" "$expected" "$error" "$options" "${flags[@]}"
done <"$folder/LIST"

# Pops that look through many pools come back to where they were, by chance or not, hundreds of times in one exploration.
if [ "$only" != stress ] && [[ 'time stamps again' == *"$text"* ]]; then
    expect "time stamps again" holds - check "$folder/time_stamps.c" --json answer.json --test 'push(1) push(2) pop | pop pop' -- -DFIXED -O2
    echo >answer.json
    "$plumb" check "$folder/time_stamps.c" --json answer.json --executions 3000 --test 'push(1) pop | pop push(2) | pop' -- -DFIXED -O2 >out 2>&1
    checks=$((checks + 1))
    grep -q '"verdict":"inconclusive"' answer.json || fail "time stamps again, cut"
fi

conclude
