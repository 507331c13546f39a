#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: examples_orders.sh PLUMB
# The structures of examples/orders hold with every test of their LIST.
set -uo pipefail

tests=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
zoo=$tests/../examples/orders
plumb=$(readlink -f "${1:-}")
[ -x "$plumb" ] || { echo "usage: examples_orders.sh PLUMB" >&2 && exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
cd "$work" || exit 2

checks=0 failures=0
while IFS=$'\t' read -r name file cflags list; do
    case $name in '#'* | '') continue ;; esac
    flags=()
    [ "$cflags" = - ] || read -ra flags <<<"$cflags"
    while read -rd ';' test; do
        checks=$((checks + 1))
        "$plumb" check "$zoo/$file" --test "$test" --trace trace.plr -- -Wall -Wextra -Werror "${flags[@]}" >out 2>&1 && continue
        failures=$((failures + 1))
        echo "FAILED $name: $test"
        head -n 12 out
    done <<<"$list;"
done <"$zoo/LIST"

echo "$checks checks, $failures failures"
[ $checks -gt 0 ] && [ $failures -eq 0 ]
