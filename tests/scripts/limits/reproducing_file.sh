#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: reproducing_file.sh PLUMB
# The file that fails by itself has each header once, however they include each other, and those that a condition includes where they are
# needed.
set -uo pipefail

plumb=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
failures=0 count=0

check() { # WHAT COMMAND...
    local what=$1
    shift
    count=$((count + 1))
    "$@" && return
    echo "FAILED $what"
    failures=$((failures + 1))
}

find_failure() { # FILE
    timeout 100 "$plumb" auto "$1" --size 1x2 --calls 'add(1)' --final get -- -Iinclude >out 2>&1
    [ $? -eq 1 ] && grep -q 'reproduce: plumb check' out
}

fails_alone() { # FILE
    mkdir -p alone && cp "$1" alone && (cd alone && "$plumb" check "$1" >out 2>&1; [ $? -eq 1 ])
}

harness() { # HEADER...
    printf '#include "%s"\n' "$@"
    cat <<'END'
#include <plumb.h>
#include <stdatomic.h>
static atomic_int n;
PLUMB_OBJECT(counter)
PLUMB_OP(add, int, v)
{
    atomic_store(&n, atomic_load(&n) + v * ONE);
    return PLUMB_OK;
}
PLUMB_OP(get)
{
    return PLUMB_INT(atomic_load(&n));
}
END
}

# --- 24 headers, each of which includes all others: 24! ways, some guarded, some once, some with a comment in between
mkdir include
for i in $(seq 24); do
    case $((i % 3)) in
    0) printf '#pragma once\n' ;;
    1) printf '/* %s */\n#ifndef H%s\n#define H%s\n' "$i" "$i" "$i" ;;
    2) printf '#ifndef H%s\n\n/* a guard */\n#define H%s\n' "$i" "$i" ;;
    esac >"include/h$i.h"
    for k in $(seq 24); do
        [ "$k" -eq "$i" ] || echo "#include \"h$k.h\""
    done >>"include/h$i.h"
    echo "enum { N$i = 1 };" >>"include/h$i.h"
    [ $((i % 3)) -eq 0 ] || echo '#endif' >>"include/h$i.h"
done
harness h1.h >web.c
sed -i 's/ONE/N24/' web.c
check 'headers that include each other' find_failure web.c
check 'each of them once' [ "$(grep -c '^enum { N' web.repro.c)" = 24 ]
check 'the file fails alone' fails_alone web.repro.c

# --- a header that a condition leaves out first
printf '#ifndef ONE_H\n#define ONE_H\n#define ONE 1\n#endif\n' >include/one.h
printf '#if 0\n#include "one.h"\n#endif\n#include "one.h"\n' >include/first.h
: >include/empty.h
harness empty.h first.h >left_out.c
check 'a header that is left out first' find_failure left_out.c
check 'it fails alone' fails_alone left_out.repro.c
printf '#pragma once\n#define ONE 1\nenum { TWICE };\n' >include/one.h
printf '#ifdef __STDC__\n#include "one.h"\n#endif\n#include "one.h"\n' >include/first.h
harness first.h >conditional.c
check 'a header under a condition, and again' find_failure conditional.c
check 'that fails alone' fails_alone conditional.repro.c

# --- more than 4 MiB
{
    echo '#define ONE 1'
    yes '/* 0123456789012345678901234567890123456789012345678901234567890123456789 */' | head -n 60000
} >include/large.h
harness large.h >large.c
check 'a large header' find_failure large.c
check 'is named, not copied' grep -q 'reproduce: plumb check large.repro.c .*-Iinclude' out

echo "$count checks, $failures failures"
[ "$failures" -eq 0 ]
