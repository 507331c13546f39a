#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: plumb_as.sh [ROOT [GCC]]
# plumb-as marks what tests/support/marked_program.c says, in every way to compile, and nothing else. Assembly that cannot be assembled with
# marks is named in the object. clang's assembly, with types of sections of its own, is assembled without a word.
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
cp "$root/tests/support/marked_program.c" program.c
grep -nE "// [a-z]+$" program.c | cut -d: -f1 >expected
sed -n '/ _mm_\(stream\|mask\)/{=;}' program.c | sed 's/^/streamed program.c:/' | sort >streams
echo 'int nothing;' >other.c
failures=0

fail() {
    echo "$*"
    failures=1
}

named() {
    readelf -p .GCC.command.line program.o | sed -n 's/.*plumb-unannounced //p' | sort
}

# The lines of the instructions behind the marks, which have 16 bytes.
marked() {
    local at
    for at in $(objdump -d program.o | sed -n -E 's/^ *([0-9a-f]+):.*nopl +0x73416c50.*/0x\1/p'); do
        printf '%#x\n' $((at + 16))
    done | addr2line -i -e program.o | sed -n -E 's/.*program\.c:([0-9]+).*/\1/p' | sort -un
}

compile() { # ARGUMENTS...; the object is program.o
    rm -f program.o
    "$root/build/bin/plumb-cc" "$@" || fail "plumb-cc $* failed"
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
[ "$(named | xargs)" = "assembly program.c:4" ] || fail "assembly that cannot be marked: $(named)"
# A piece that begins in one section and ends in another has no length.
sed -i 's/\.rept 2/.pushsection .data/; s/\.endr/.popsection/' program.c
compile -g1 -c program.c
[ "$(named | xargs)" = "assembly program.c:4" ] || fail "assembly that leaves its section: $(named)"
# Files of assembly are marked, those that a compiler wrote are not, and errors have the places of the file.
printf '\t.globl g\ng:\tnop\n\tmovnti %%eax, (%%rdi)\n\tret\n' >alone.s
compile -c alone.s -o program.o
grep -qa PlAs program.o || fail "a file of assembly is not marked"
[ "$(named)" = "streamed alone.s:3" ] || fail "non-temporal stores in a file of assembly: $(named)"
printf '\t.file "x.c"\n\t.globl g\ng:\tnop\n\tret\n' >alone.s
compile -c alone.s -o program.o
! grep -qa PlAs program.o || fail "what a compiler wrote is marked like a file of assembly"
printf 'g:\tnop\n\tnonsense\n' >alone.s
"$root/build/bin/plumb-cc" -c alone.s -o program.o 2>said && fail "errors in assembly pass"
grep -q '^alone.s:2: Error' said || fail "errors in assembly have no place: $(cat said)"
[ -z "$(ls tmp)" ] || fail "temporary files are left: $(ls tmp)"
printf '\t.text\n\t.type f, @function\nf:\n#APP\n\tnop\n#NO_APP\n\tret\n\t.ident "GCC"\n' >x.s
"$root/build/bin/plumb-as" x.s --64 -o program.o </dev/null || fail "plumb-as with its input first"
grep -qa PlAs program.o || fail "plumb-as with its input first: the assembly is not marked"

count=1
if has_tool clang; then
    count=2
    printf '\t.ident "clang"\n\t.section ".linker-options","e",@llvm_linker_options\n\t.text\n\t.globl f\nf:\n\trdrandl\t%%eax\n\tret\n' >types.s
    "$root/build/bin/plumb-as" --64 -o types.o types.s -g -gdwarf-5 >said 2>&1 </dev/null # as clang 16 calls it
    [ ! -s said ] || fail "plumb-as complains: $(cat said)"
    # What plumb-instrument has marked is not marked again.
    printf 'void f(void) { __asm__ volatile("nop"); }\n' >once.c
    PLUMB_CC=clang "$root/build/bin/plumb-cc" -Wa,--noexecstack -c once.c -o once.o
    [ "$(grep -oa PlAs once.o | wc -l)" = 1 ] || fail "assembly is marked $(grep -oa PlAs once.o | wc -l) times"
fi
summary "compilers" $count $failures
exit $failures
