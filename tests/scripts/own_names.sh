#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: own_names.sh [--every N] [--results FILE] PLUMB
# A program may define any name of the C library: each one that libc.so.6 exports once as a variable, once as a function. The answers about a
# right program and a wrong one that has a race stay what they are. Names are tried many at a time, and one by one where an answer
# differs; those with which the right program does not run by itself, either, are left out.
#   --every N       every N-th name only
#   --results FILE  a line for each name that is not fine: kind, name, answer
# Exit code: 0 no answer differs, 1 some do, 2 wrong usage.
set -uo pipefail
export LC_ALL=C

scripts=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=tests/support/skips.sh
source "$scripts/../support/skips.sh"
every=1 results=/dev/null plumb=''
while [ $# -gt 0 ]; do
    case $1 in
    --every) every=$2 && shift ;;
    --results) results=$(realpath -m "$2") && shift ;;
    *) plumb=$(realpath "$1") ;;
    esac
    shift
done
[ -n "$plumb" ] || exit 2
wrapper=$(cd "$scripts/../../build/bin" && pwd)/plumb-cc
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
cd "$work" || exit 2
: >"$results"

cat >right.c <<END
#include <pthread.h>
#include <stdatomic.h>
static atomic_int count;
static int plain;
static void *work(void *arg)
{
    atomic_fetch_add(&count, 1);
#ifdef WRONG
    plain++;
#endif
    return arg;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    atomic_fetch_add(&count, 1);
#ifdef WRONG
    plain++;
#endif
    pthread_join(t, 0);
    return atomic_load(&count) + plain == 0;
}
END
export PLUMB_LIB_DIR=${PLUMB_LIB_DIR:-$(dirname "$plumb")/../lib}
"$wrapper" -c right.c -o right.o && "$wrapper" -DWRONG -c right.c -o wrong.o && cc -c right.c -o native.o || exit 2

# Names that main itself is made of, and those that the linker makes.
list_names() {
    nm -D --defined-only "$(cc -print-file-name=libc.so.6)" | awk '$2 ~ /^[TWBDRVi]$/ { print $3 }' | sed 's/@.*//' |
        grep -vxE '_(end|edata|init|fini)|__bss_start|main|pthread_(create|join)' | sort -u | awk -v every="$every" 'NR % every == 0'
}

define() { # KIND NAMES...: into names.c
    local form='int %s = 5;\n'
    [ "$1" = variable ] || form='int %s(void) { return 5; }\n'
    # shellcheck disable=SC2059
    printf "$form" "${@:2}" >names.c
}

# Does the right program run with these names without us?
runs_natively() {
    cc -w -fno-builtin -c names.c -o names_native.o 2>/dev/null && cc -w native.o names_native.o -pthread -o native 2>/dev/null &&
        { timeout 10 ./native; } >/dev/null 2>&1
}

answer_of() { # OBJECT; fills $answer
    "$wrapper" -Wl,--no-warnings "$1" names.o -o program 2>/dev/null || "$wrapper" "$1" names.o -o program 2>/dev/null
    answer=$(timeout 60 "$plumb" check ./program -q --jobs 1 --trace x.plr 2>&1 </dev/null)
}

tried=0 failed=0 native=0
try() { # KIND NAMES...
    local half answers
    define "$@"
    if runs_natively; then
        "$wrapper" -w -fno-builtin -c names.c -o names.o || exit 2
        answer_of right.o
        answers=$answer
        answer_of wrong.o
        answers+=" / $answer"
        if [[ $answers == './program: holds'*' / ./program: violated'* ]]; then
            tried=$((tried + $# - 1))
            return
        fi
    elif [ $# -eq 2 ]; then
        native=$((native + 1))
        return
    fi
    if [ $# -eq 2 ]; then
        tried=$((tried + 1))
        # The C library writes there itself, and crashes where the name has to be seen by others.
        case $1$2 in
        function__environ | function__libc_single_threaded)
            skip "of functions in the place of its variables, known to crash"
            return
            ;;
        esac
        failed=$((failed + 1))
        printf '%s\t%s\t%s\n' "$1" "$2" "${answers//$'\n'/ }" | tee -a "$results"
        return
    fi
    half=$((($# - 1) / 2))
    try "$1" "${@:2:half}"
    try "$1" "${@:2+half}"
}

mapfile -t names < <(list_names)
for kind in variable function; do
    for ((k = 0; k < ${#names[@]}; k += 64)); do
        try $kind "${names[@]:k:64}"
    done
done
[ $native -eq 0 ] || skip "with which the program does not run natively" $native
summary "own names" $tried $failed
[ $failed -eq 0 ]
