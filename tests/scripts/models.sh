#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: tests/scripts/models.sh [-k TEXT] [--seconds N] PLUMB
# Every model of models/ says what is expected of it, in lines of its head like
#   refine: -D FACTOR=1 --spec queue --quasi deq=1 : holds
# (or violated, or error). Each is checked. -k: only lines with the text; --seconds: for each (60).
set -uo pipefail
export LC_ALL=C
cd "$(dirname "$0")/../../models" || exit 2

text='' seconds=60
while [ $# -gt 1 ]; do
    case $1 in
    -k) text=$2 && shift 2 ;;
    --seconds) seconds=$2 && shift 2 ;;
    *) break ;;
    esac
done
[ $# -eq 1 ] || { echo "usage: tests/scripts/models.sh [-k TEXT] [--seconds N] PLUMB" >&2 && exit 2; }
plumb=$(cd - >/dev/null && realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0

complain() { # TEXT
    failed=$((failed + 1))
    echo "FAILED: $1"
    sed 's/^/    /' "$work/output"
}

expect() { # MODEL OPTIONS VERDICT
    local options status=0 wanted
    case $3 in
    holds) wanted=0 ;;
    violated) wanted=1 ;;
    error) wanted=2 ;;
    *) wanted=none ;;
    esac
    read -ra options <<<"$2"
    "$plumb" refine "$1" "${options[@]}" --time "$seconds" >"$work/output" 2>&1 || status=$?
    if [ $status = $wanted ]; then
        passed=$((passed + 1))
    else
        complain "plumb refine models/$1 $2: status $status, expected $3"
    fi
}

for model in *.pml; do
    while IFS= read -r line; do
        [[ "$model $line" == *"$text"* ]] || continue
        expect "$model" "${line% : *}" "${line##* : }"
    done < <(sed -n 's/^ \* refine: //p' "$model")
done
echo "models: $passed passed, $failed failed"
[ $failed -eq 0 ]
