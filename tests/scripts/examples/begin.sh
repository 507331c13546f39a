# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034
# To be sourced by scripts that try examples and programs, with their arguments [--cc clang|gcc] [-k TEXT] [--every N] [OPTION...] PLUMB [WORD...]; the third line
# of a script is its usage. OPTIONs are what the script has in `takes` (those with a value end in =); what was given is in `given`.
# Sets tests, text and plumb, exports the compilers, leaves the WORDs, and goes to an empty folder that is removed in the end.
script=$(readlink -f "$0") tests=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
usage() {
    sed -n '3s/^# //p' "$script" >&2
    exit 2
}

declare -A given=()
while [[ ${1-} == -* ]]; do
    case " --cc= -k= --every= ${takes-} " in
    *" $1= "*) [ $# -gt 1 ] || usage; given[$1]=$2 && shift 2 ;;
    *" $1 "*) given[$1]=1 && shift ;;
    *) usage ;;
    esac
done
[ $# -gt 0 ] && [ -x "$1" ] || usage
plumb=$(readlink -f "$1") text=${given[-k]-}
shift

use_compiler() { # gcc|clang
    case $1 in
    gcc) export PLUMB_CC=gcc PLUMB_CXX=g++ ;;
    clang) export PLUMB_CC=clang PLUMB_CXX=clang++ ;;
    *) usage ;;
    esac
}
use_compiler "${given[--cc]-clang}"

rows=0
is_chosen() { # NAME of a row: does it have the TEXT, and is it one of N?
    [[ $1 == *"$text"* ]] && [ $((rows++ % ${given[--every]-1})) -eq 0 ]
}

checks=0 failures=0
fail() { # WHAT, with what was printed in `out`
    failures=$((failures + 1))
    echo "FAILED $1 ($PLUMB_CC)"
    head -n 12 out
}

expect_same() { # NAME EXPECTED GOT
    checks=$((checks + 1))
    [ "$2" = "$3" ] && return
    failures=$((failures + 1))
    printf 'FAILED %s\n  expected: %s\n  got:      %s\n' "$1" "$2" "$3"
}

number() { # MEMBER: of result.json
    grep -o "\"$1\":[0-9]*" result.json | head -n 1 | cut -d: -f2
}

conclude() {
    echo "$checks checks, $failures failures"
    [ "$checks" -gt 0 ] && [ "$failures" -eq 0 ]
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
cd "$work" || exit 2
