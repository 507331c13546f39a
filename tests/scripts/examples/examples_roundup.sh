#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: examples_roundup.sh [--cc clang|gcc] [-k TEXT] [--every N] [-v] PLUMB [OPTION...]      OPTIONs are for 'plumb check', such as --memory sc
# Every row of examples/roundup/LIST: the verdict has to be the one that is written there.
set -euo pipefail
takes=-v
# shellcheck source=tests/scripts/examples/begin.sh
source "$(dirname "${BASH_SOURCE[0]}")/begin.sh"
folder=$tests/../examples/roundup

while IFS=$'\t' read -r name file cflags spec quasi test expected; do
    case $name in '' | '#'*) continue ;; esac
    is_chosen "$name" || continue
    options=() flags=()
    [ "$quasi" = - ] || options+=(--quasi "$quasi")
    [ "$cflags" = - ] || read -ra flags <<<"$cflags"
    status=0
    echo >answer.json
    "$plumb" check "$folder/$file" --spec "$spec" --mode all --test "$test" --json answer.json -q "${options[@]}" "$@" \
        -- "${flags[@]}" >out 2>&1 || status=$?
    case $status in 0) found=pass ;; 1) found=fail ;; *) found="status $status" ;; esac
    # What fails has to fail by its answers, unless the bug is a data race.
    error=$(sed -n 's/.*"error":"\([^"]*\)".*/\1/p' answer.json)
    case $found:$cflags:$error in pass:*:) ;; fail:-DPLAIN:race | fail:*:not-linearizable) ;; *) found="$found $error" ;; esac
    checks=$((checks + 1))
    if [ "$found" != "$expected" ]; then
        fail "$name: $found, expected $expected: $file $cflags --quasi $quasi --test '$test'"
    elif [ "${given[-v]-}" ]; then
        echo "$name: $found: $(sed -n 's/.*"executions":\([0-9]*\).*"seconds":\([0-9.]*\).*/\1 executions, \2 s/p' answer.json)"
    fi
done <"$folder/LIST"
conclude
