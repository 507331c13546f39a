#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every row of examples/roundup/LIST: the verdict has to be the one that is written there.
# tests/scripts/examples/examples_roundup.sh [-k TEXT] [-v] PLUMB [OPTION...]      OPTIONs are for 'plumb check', such as --memory sc
set -euo pipefail
only='' verbose=''
while getopts k:v option; do
    case $option in
    k) only=$OPTARG ;;
    v) verbose=1 ;;
    *) exit 2 ;;
    esac
done
shift $((OPTIND - 1))
plumb=$(realpath "$1")
shift
folder=$(realpath "$(dirname "$0")/../../../examples/roundup")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

count=0 failed=0
while IFS=$'\t' read -r name file cflags spec quasi test expected; do
    case $name in '' | '#'*) continue ;; esac
    case $name in *"$only"*) ;; *) continue ;; esac
    options=() flags=()
    [ "$quasi" = - ] || options+=(--quasi "$quasi")
    [ "$cflags" = - ] || read -ra flags <<<"$cflags"
    status=0
    echo >answer.json
    "$plumb" check "$folder/$file" --spec "$spec" --mode all --test "$test" --json answer.json -q "${options[@]}" "$@" \
        -- "${flags[@]}" >output 2>&1 || status=$?
    case $status in 0) found=pass ;; 1) found=fail ;; *) found="status $status" ;; esac
    # What fails has to fail by its answers, unless the bug is a data race.
    error=$(sed -n 's/.*"error":"\([^"]*\)".*/\1/p' answer.json)
    case $found:$cflags:$error in pass:*:) ;; fail:-DPLAIN:race | fail:*:not-linearizable) ;; *) found="$found $error" ;; esac
    count=$((count + 1))
    if [ "$found" != "$expected" ]; then
        failed=$((failed + 1))
        echo "$name: $found, expected $expected: $file $cflags --quasi $quasi --test '$test'"
        sed 's/^/  /' output
    elif [ -n "$verbose" ]; then
        echo "$name: $found: $(sed -n 's/.*"executions":\([0-9]*\).*"seconds":\([0-9.]*\).*/\1 executions, \2 s/p' answer.json)"
    fi
done <"$folder/LIST"
echo "$count rows, $failed failed"
[ "$count" -gt 0 ] && [ "$failed" -eq 0 ]
