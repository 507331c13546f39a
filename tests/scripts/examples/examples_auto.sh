#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: examples_auto.sh [--cc clang|gcc] [-k TEXT] PLUMB
# The harnesses of examples/auto, as its LIST has them: plain `plumb auto` finds what is wrong, and nothing where nothing is
# (there with a fixed number of larger tests, so that it does not use all its time).
set -uo pipefail

# shellcheck source=tests/scripts/examples/begin.sh
source "$(dirname "${BASH_SOURCE[0]}")/begin.sh"
zoo=$tests/../examples/auto

check_row() { # FILE CFLAGS EXPECTED ERROR
    local flags=() options=() status code=1
    [ "$2" = - ] || read -ra flags <<<"$2"
    [ "$3" = violated ] || options=(--samples 24) code=0
    checks=$((checks + 1))
    "$plumb" auto "$zoo/$1" "${options[@]}" --json answer.json -- -Wall -Wextra -Werror "${flags[@]}" >out 2>&1
    status=$?
    if [ $status -ne $code ] || ! grep -q "\"verdict\":\"$3\"" answer.json ||
        { [ "$4" != - ] && ! grep -q "\"error\":\"$4\"" answer.json; }; then
        fail "$1 $2: expected $3 $4, got exit $status"
    fi
}

while IFS=$'\t' read -r file cflags expected error; do
    case $file in '#'* | '') continue ;; esac
    [[ $file == *"$text"* ]] || continue
    check_row "$file" "$cflags" "$expected" "$error"
done <"$zoo/LIST"

conclude
