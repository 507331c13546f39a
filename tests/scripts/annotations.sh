#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: annotations.sh [ROOT [PLUMB]]
# Mistakes in annotations: each line of tests/annotations/wrong.txt breaks a right program in one way, and what plumb check says
# first has to be what the line expects, with exit code 2. --write writes the lines anew, to be read before they are kept.
set -euo pipefail

write=
[ "${1:-}" != --write ] || { write=1 && shift; }
root=$(cd "${1:-.}" && pwd)
plumb=${2:-$root/build/bin/plumb}
data=$root/tests/annotations
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
failures=0 count=0
export LC_ALL=C PLUMB_CC=gcc PLUMB_CXX=g++ # whose messages are expected

fail() {
    failures=$((failures + 1))
    printf '%s\n' "$@"
}

for program in register.c stack.cc; do
    cp "$data/$program" "$program"
    "$plumb" check "$program" >right.out 2>&1 || fail "$program has to be right:" "$(<right.out)"
done

# Functions that nothing calls, which the compiler leaves out, are not passed over in silence.
sed -e 's/^void set/static &/; s/^int get/static &/' -e '/^int main/,$d' "$data/register.c" >uncalled.c
echo 'int main(void) { return 0; }' >>uncalled.c
"$plumb" check uncalled.c >right.out 2>&1 || true
grep -q 'no annotated function was called' right.out || fail "uncalled.c:" "$(<right.out)"

# Nor are those of a header that the file includes, whatever its name, while the file itself has none.
for header in uncalled.h "it's.h" 'a$b c.h'; do
    cp uncalled.c "$header"
    echo "#include \"$header\"" >includes.c
    "$plumb" check includes.c >right.out 2>&1 || true
    grep -q 'no annotated function was called' right.out || fail "$header:" "$(<right.out)"
done
"$root/build/bin/plumb-cc" -x c-header -c uncalled.h -o uncalled.h.gch
echo '#include "uncalled.h"' >includes.c
"$plumb" check includes.c >right.out 2>&1 || true
grep -q 'no annotated function was called' right.out || fail "uncalled.h.gch:" "$(<right.out)"

# Whatever the name of the source is.
lies=$root/tests/cli/inputs/programs/annotated.c
for name in 'back\ slash\.c' "it's \"a\".c" -dash.c a=b.c 'ha#sh dol$lar.c' $'star*[x];\t.c'; do
    cp "$lies" "./$name"
    PLUMB_CC=$([ $((${#name} % 2)) -eq 0 ] && echo gcc || echo clang) "$plumb" check "./$name" -- -DLIE >right.out 2>&1 || true
    grep -q 'contradicts its specification' right.out || fail "$name:" "$(<right.out)"
done
cp "$lies" $'end\nof line.c'
"$plumb" check $'end\nof line.c' -- -DLIE >right.out 2>&1 || true
grep -q 'has an end of line' right.out || fail "end of line:" "$(<right.out)"

# The first line with a place; "as this line says" of an error in a template comes later.
first_error() {
    grep -m1 -E '^[^ ]+:[0-9]+:[0-9]+: error: ' "$1" | sed -E 's/^[^:]*://; s/ \[PL[0-9]+\]$//'
}

# What plumb check does first, and all of it now and then, or where the compiler finds the mistake.
judge() { # PROGRAM; fills $code and `out`
    local language=c compiler=gcc
    [[ $1 != *.cc ]] || language=c++ compiler=g++
    code=0
    "$compiler" -E -C -dD -include "$root/include/plumb/annotated.h" "$1" | "$plumb" annotate $language >translated 2>out || code=$?
    [ $code -eq 2 ] && [ $((count % 10)) -gt 0 ] && return
    code=0
    "$plumb" check "$1" >out 2>&1 || code=$?
}

: >written
while IFS=$'\t' read -r program edit expected; do
    if [[ $program == \#* || -z $program ]] || [[ $program == the\ file* ]]; then
        printf '%s\n' "$program${edit:+	$edit}" >>written
        continue
    fi
    count=$((count + 1))
    sed "$edit" "$data/$program" >"$program"
    if cmp -s "$program" "$data/$program"; then fail "$edit: changes nothing"; fi
    judge "$program"
    said=$(first_error out) || true
    printf '%s\t%s\t%s\n' "$program" "$edit" "$said" >>written
    [ -z "$write" ] || { [ $code -eq 2 ] || fail "$edit: exit code $code" "$(<out)"; continue; }
    [ $code -eq 2 ] || fail "$program: $edit: exit code $code" "$(<out)"
    [ "$said" = "$expected" ] || fail "$program: $edit" "  expected: $expected" "  said:     $said"
done <"$data/wrong.txt"
[ -z "$write" ] || cp written "$data/wrong.txt"
echo "annotations: $count mistakes, $failures failed"
[ $failures -eq 0 ]
