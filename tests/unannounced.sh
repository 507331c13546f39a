#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: unannounced.sh [ROOT]
# Objects that gcc compiles list the accesses that it does not announce: those of tests/unannounced_program.c, line by line, in every
# way to compile. clang's assembly, with types of sections of its own, is assembled without a word.
set -euo pipefail

root=$(cd "${1:-.}" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
[ "$(uname -m)" = x86_64 ] && command -v gcc >/dev/null || exit 0
mkdir tmp
export TMPDIR=$work/tmp
cp "$root/tests/unannounced_program.c" program.c
grep -n '// list' program.c | sed -E 's,^([0-9]+):.*// list ([a-z]+)$,\2 program.c:\1,' | sort >expected
echo 'int nothing;' >other.c
failures=0

fail() {
    echo "$*"
    failures=1
}

try() { # ARGUMENTS...; the object is program.o
    rm -f program.o
    "$root/tools/plumb-cc" "$@" || fail "plumb-cc $* failed"
    readelf -p .GCC.command.line program.o | sed -n 's/.*plumb-unannounced //p' | sort >found
    diff expected found || fail "plumb-cc $*: another list"
    readelf -p .GCC.command.line program.o | grep -q -- -fno-branch-probabilities || fail "plumb-cc $*: the list is not recorded"
}

export PLUMB_CC=gcc
try -c program.c
try -pipe -c program.c -o program.o
try -c other.c program.c
try -O2 -c program.c
# Assembly has no list, and says so.
"$root/tools/plumb-cc" -S program.c -o program.s
! grep -q -- -fno-branch-probabilities program.s || fail "-S: there is no list"
[ -z "$(ls tmp)" ] || fail "temporary files are left: $(ls tmp)"

if command -v clang >/dev/null; then
    printf '\t.ident "clang"\n\t.section ".linker-options","e",@llvm_linker_options\n\t.text\n\t.globl f\nf:\tret\n' >types.s
    "$root/tools/plumb-as" -o types.o types.s >said 2>&1
    [ ! -s said ] || fail "plumb-as complains: $(cat said)"
fi
exit $failures
