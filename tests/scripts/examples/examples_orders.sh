#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: examples_orders.sh [--cc clang|gcc] [-k TEXT] PLUMB
# The structures of examples/orders hold with every test of their LIST.
set -uo pipefail

# shellcheck source=tests/scripts/examples/begin.sh
source "$(dirname "${BASH_SOURCE[0]}")/begin.sh"
zoo=$tests/../examples/orders

while IFS=$'\t' read -r name file cflags list; do
    case $name in '#'* | '') continue ;; esac
    [[ $name == *"$text"* ]] || continue
    flags=()
    [ "$cflags" = - ] || read -ra flags <<<"$cflags"
    while read -rd ';' test; do
        checks=$((checks + 1))
        "$plumb" check "$zoo/$file" --test "$test" --trace trace.plr -- -Wall -Wextra -Werror "${flags[@]}" >out 2>&1 && continue
        fail "$name: $test"
    done <<<"$list;"
done <"$zoo/LIST"

conclude
