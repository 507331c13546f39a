# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034
# To be sourced by scripts of this folder, with their arguments [--cc gcc|clang] [-k TEXT] PLUMB; the third line of a script is its usage.
# Sets tests, text and plumb, exports the compilers, and goes to an empty folder that is removed in the end.
tests=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
usage() {
    sed -n '3s/^# //p' "$script" >&2
    exit 2
}

script=$(readlink -f "$0") compiler=gcc text='' plumb=''
while [ $# -gt 0 ]; do
    case $1 in
    --cc) compiler=${2-} && shift; shift ;;
    -k) text=${2-} && shift; shift ;;
    -*) usage ;;
    *) plumb=$(readlink -f "$1") && shift ;;
    esac
done
[ -x "$plumb" ] || usage
case $compiler in
gcc) export PLUMB_CC=gcc PLUMB_CXX=g++ ;;
clang) export PLUMB_CC=clang PLUMB_CXX=clang++ ;;
*) usage ;;
esac

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
cd "$work" || exit 2
