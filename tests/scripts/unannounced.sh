#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: unannounced.sh [ROOT [GCC]]
# gcc does not announce all accesses: those of tests/support/unannounced_program.c are marked, in every way to compile, and no others; without
# places in the code they are named. clang's assembly, with types of sections of its own, is assembled without a word.
set -euo pipefail

root=$(cd "${1:-.}" && pwd)
# shellcheck source=tests/support/skips.sh
source "$root/tests"/support/skips.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
[ "$(uname -m)" = x86_64 ] && command -v "${2:-gcc}" >/dev/null || { echo "skipped: for gcc on x86-64" && exit 77; }
mkdir tmp
export TMPDIR=$work/tmp
cp "$root/tests/support/unannounced_program.c" program.c
lines() { # KIND...
    grep -nE "// ($(IFS='|' && echo "$*"))$" program.c | cut -d: -f1
}
lines result argument operand written >expected
for kind in result argument; do
    lines $kind | sed "s,^,$kind program.c:,"
done | sort >names
sed -n '/_mm_\(stream\|mask\)/{=;}' program.c | sed 's/^/streamed program.c:/' | sort >streams
echo 'int nothing;' >other.c
failures=0

fail() {
    echo "$*"
    failures=1
}

named() {
    readelf -p .GCC.command.line program.o | sed -n 's/.*plumb-unannounced //p' | sort
}

# The lines of the instructions behind the marks.
marked() {
    objdump -d program.o | sed -n -E '/nopl +0x4000/{n;/^ *[0-9a-f]+:(\t[0-9a-f]{2} +)+$/n;s/^ *([0-9a-f]+):.*/\1/p}' |
        sed 's/^/0x/' | addr2line -i -e program.o | sed -n -E 's/.*program\.c:([0-9]+).*/\1/p' | sort -un
}

compile() { # ARGUMENTS...; the object is program.o
    rm -f program.o
    "$root/tools/plumb-cc" "$@" || fail "plumb-cc $* failed"
    readelf -p .GCC.command.line program.o | grep -q -- -fno-branch-probabilities || fail "plumb-cc $*: the list is not recorded"
}

try() { # ARGUMENTS...
    compile "$@"
    named | diff streams - || fail "plumb-cc $*: other names"
    marked >found
    diff expected found || fail "plumb-cc $*: other lines are marked"
}

export PLUMB_CC=${2:-gcc}
try -c program.c
try -pipe -c program.c -o program.o
try -c other.c program.c
try -O2 -c program.c
compile -g0 -c program.c
named | grep -v -e operand -e streamed | diff names - || fail "without places in the code: other names"
# Assembly that cannot be marked is named.
cat >program.c <<'END'
volatile int x;
void f(void)
{
    __asm__ volatile(".rept 2\n\tnop");
    x = 1;
    __asm__ volatile(".endr");
}
END
compile -g1 -c program.c
[ "$(named | xargs)" = "assembly program.c:4 assembly program.c:6" ] || fail "assembly that cannot be marked: $(named)"
# A piece that begins in one section and ends in another has no length.
sed -i 's/\.rept 2/.pushsection .data/; s/\.endr/.popsection/' program.c
compile -g1 -c program.c
[ "$(named | xargs)" = "assembly program.c:4 assembly program.c:6" ] || fail "assembly that leaves its section: $(named)"
# Assembly has no list, and says so.
"$root/tools/plumb-cc" -S program.c -o program.s
! grep -q -- -fno-branch-probabilities program.s || fail "-S: there is no list"
[ -z "$(ls tmp)" ] || fail "temporary files are left: $(ls tmp)"

# gcc 11 writes addresses of functions like variables, but with a place; those of destructors without, but with a space. What describes
# a type of C++ is constant, wherever it is.
cat >dump <<'END'
void __GIMPLE (ssa,guessed_local(1073741824))
use ()
{
  __BB(2,guessed_local(1073741824)):
  [x.c:3:5] call (1, [x.c:3:10] worker);
  [x.c:4:5] take (shared);
  [x.c:5:5] __cxa_throw (_3, &_ZTI1e, __dt_comp );
  [x.c:6:5] _20 = [x.c:6:9] __MEM <const struct type_info> ((const struct type_info &)[x.c:6:12] &_ZTIi).__name;
  [x.c:7:5] return;

}
END
printf '\t.text\n\t.type f, @function\nf:\n#APP\n\tnop\n#NO_APP\n\tret\n\t.ident "GCC"\n' >x.s
PLUMB_DUMP=$PWD/dump "$root/tools/plumb-as" x.s --64 -o program.o </dev/null || fail "plumb-as with its input first"
grep -qa PlAs program.o || fail "plumb-as with its input first: the assembly is not marked"
[ "$(named | xargs)" = "argument x.c:4" ] || fail "addresses of functions: $(named)"

count=1
if has_tool clang; then
    count=2
    printf '\t.ident "clang"\n\t.section ".linker-options","e",@llvm_linker_options\n\t.text\n\t.globl f\nf:\tret\n' >types.s
    "$root/tools/plumb-as" --64 -o types.o types.s -g -gdwarf-5 >said 2>&1 </dev/null # as clang 16 calls it
    [ ! -s said ] || fail "plumb-as complains: $(cat said)"
fi
summary "compilers" $count $failures
exit $failures
