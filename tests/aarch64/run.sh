#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: run.sh fibers | run.sh machine [--all] | run.sh native TEST_NATIVE | run.sh record PLUMB | run.sh programs RUN_WORKER OBJECTS [all|sample]
# Another architecture: compiles for aarch64 and runs under an emulator of user programs.
#   fibers     tests/unit/exploring/test_fiber.c with the engine's switching routines
#   machine    the decoder of machine code, compared with objdump
#   native     a harness on real threads, with TEST_NATIVE (tests/unit/programs/test_native.c) for a tool, and its noise
#   record     a program that records itself, judged by PLUMB
#   programs   the runtime and C programs of tests/programs, all or those of programs.txt, started by RUN_WORKER; the runtime is
#              compiled into the folder OBJECTS, as far as it is not there already
# Exit code: 0 all as expected, 1 not, 2 wrong usage, 77 compiler or emulator not installed.
set -uo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=tests/support/skips.sh
source "$here/.."/support/skips.sh
source=$(realpath "$here/../..")
tools=$source/build/bin
# shellcheck source=tests/support/compiled.sh
source "$here/.."/support/compiled.sh
cc=aarch64-linux-gnu-gcc emulator=qemu-aarch64 libraries=/usr/aarch64-linux-gnu

if ! command -v $cc $emulator >/dev/null || [ ! -e $libraries/lib/libc.so.6 ]; then
    echo "skipped: $cc or $emulator is not installed"
    exit 77
fi
work=$(mktemp -d "${TMPDIR:-/tmp}/aarch64.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
mkdir "$work/include"
# The host's header, alone: the others of its folder are not for this architecture.
ln -s "${XXHASH_HEADER:-/usr/include/xxhash.h}" "$work/include/xxhash.h"
flags=(-std=gnu17 -O1 -D_GNU_SOURCE '-DPLUMB_VERSION="0"' -Wall -Wextra -Werror
    -Wno-maybe-uninitialized # of -O1, for pthread_setspecific
    -DPLUMB_WORD_VALUES -I"$work/include" -I"$source/src" -I"$source/include")

test_fibers() {
    "$cc" "${flags[@]}" -I"$here" -o "$work/test_fiber" "$source/tests/unit/exploring/test_fiber.c" "$source"/src/engine/fiber/fiber.c \
        "$source"/src/engine/fiber/fiber_switch.S "$source"/src/engine/real.c "$source"/src/base/check.c -ldl -lpthread &&
        "$emulator" -L $libraries "$work/test_fiber"
}

# Every instruction that accesses memory atomically, and others that look like them.
write_atomics() {
    local operation order size register
    echo '.arch armv8.3-a+lse'
    for operation in ldadd ldclr ldeor ldset ldsmax ldsmin ldumax ldumin swp cas; do
        for order in '' a l al; do
            for size in b h ''; do
                echo "$operation$order$size w1, w2, [x3]"
            done
            echo "$operation$order x1, x2, [sp]"
        done
    done
    for register in w x; do
        printf '%s\n' "ldxr ${register}1, [x3]" "ldaxr ${register}1, [x3]" "stxr w9, ${register}1, [x3]" "stlxr w9, ${register}1, [x3]" \
            "ldaxp ${register}1, ${register}2, [x3]" "stlxp w9, ${register}1, ${register}2, [sp]" "ldar ${register}1, [x3]" \
            "stlr ${register}1, [x3]" "ldapr ${register}1, [x3]" "caspal ${register}0, ${register}1, ${register}2, ${register}3, [x4]" \
            "ldr ${register}1, [x3, x2]" "str ${register}1, [x3, x2]" "ldp ${register}1, ${register}2, [sp], 16" "stp ${register}1, ${register}2, [x29]"
    done
    printf '%s\n' 'ldrsw x1, [x3]' 'prfm pldl1keep, [x3]' 'prfm pldl1keep, [x3, x2]' 'prfum pldl1keep, [x3, -1]' 'dmb ish' 'str q1, [x3]' \
        'ldr q1, [x3]' 'st1 {v1.16b}, [x3]' 'ld1 {v1.16b}, [x3]' 'sturb w1, [sp, -1]' 'ldapr x1, [sp]' nop ret
}

test_machine() { # [--all]
    command -v aarch64-linux-gnu-objdump python3 >/dev/null || { echo "skipped: no objdump for aarch64" && exit 77; }
    "$cc" "${flags[@]}" -o "$work/machine_dump" "$source/tests/support/machine_dump.c" "$source"/src/machine/*.c &&
        write_atomics | "$cc" -x assembler -c -o "$work/atomics.o" - &&
        python3 "$source/tests/scripts/machine.py" "$@" --objdump aarch64-linux-gnu-objdump --run "$emulator -L $libraries" \
            "$work/machine_dump" "$work/atomics.o" $libraries/lib/libc.so.6 $libraries/lib/libgcc_s.so.1
}

test_native() { # TEST_NATIVE
    "$cc" "${flags[@]}" -Wno-missing-prototypes -fvisibility=hidden -o "$work/program" "$source/tests/support/native_harness.c" \
        "$source"/src/native/*.c "$source"/src/native/optional/*.c "$source"/src/record/*.c "$source"/src/seal/*.c -lpthread &&
        "$cc" "${flags[@]}" -Wno-tsan -DWITH_128 -fsanitize=thread -c -o "$work/noise.o" "$source/tests/support/noise_program.c" &&
        "$cc" "${flags[@]}" -o "$work/noise" "$work/noise.o" "$source"/src/native/noise/*.c -lpthread || return 1
    printf '#!/bin/sh\nexec %s -L %s %s\n' $emulator $libraries "$work/program" >"$work/start"
    chmod +x "$work/start"
    PLUMB_NATIVE_NO_FORKS=1 PLUMB_NATIVE_HARNESS="$work/start" "$1" 2>&1 | grep -v OK && "$emulator" -L $libraries "$work/noise"
}

test_record() { # PLUMB
    "$cc" "${flags[@]}" -o "$work/program" "$source/tests/support/record_correct.c" "$source"/src/record/*.c \
        "$source"/src/record/recorder/*.c -lpthread || return 1
    local object
    for object in register flag seqlock; do
        "$emulator" -L $libraries "$work/program" $object "$work/run.bin" 20000 && "$1" monitor --spec register "$work/run.bin" || return 1
    done
}

# Is this file of the runtime compiled as it is now, with all headers as they are now?
is_compiled() { # SOURCE
    local object=$objects/${1##*/}
    object=${object%.*}.o
    [ "$object" -nt "$1" ] && [ "$object" -nt "$newest_header" ] && [ "$object" -nt "${BASH_SOURCE[0]}" ]
}

build_runtime() {
    local layer file newest_header
    newest_header=$(find "$source"/{src,include} -name '*.[hid]*' -printf '%T@ %p\n' | sort -n | tail -n 1 | cut -d ' ' -f 2-)
    mkdir -p "$objects"
    for layer in base seal history spec harness monitor graph ordering judge explore machine engine rt worker; do
        find "$source/src/$layer" -name "*.[cS]"
    done >"$work/sources"
    while read -r file; do
        is_compiled "$file" || echo "$file"
    done <"$work/sources" >"$work/stale"
    (cd "$objects" && xargs -r -P 2 -n 16 "$cc" "${flags[@]}" -fPIC -fvisibility=hidden -fexceptions -fno-builtin-memcpy \
        -fno-builtin-memmove -fno-builtin-memset -c <"$work/stale") || return 1
    sed -E "s|.*/(.*)\.[cS]\$|$objects/\1.o|" "$work/sources" |
        xargs "$cc" -shared -Wl,-z,now -Wl,-soname,libplumb-rt.so -o "$work/libplumb-rt.so" -ldl -lpthread
}

# Can it be run by the bare worker, and is the C compiler all it takes?
is_suitable() { # with `fields`
    [ -z "${fields[flags-plumb]-}${fields[only]-}${fields[machine]-}" ] && [ "${fields[expect]-}" != inconclusive ]
}

check_program() { # FILE, with its `fields`
    local expected=${fields[expect]-} mode=${fields[mode]-} runs=${fields[runs]-} got given=${fields[flags]-}
    local -a options
    read -ra options <<<"${given/-mcx16/}"
    if PLUMB_LIB_DIR=$work PLUMB_CC=$cc "$source/build/bin/plumb-cc" -std=gnu17 ${options[@]+"${options[@]}"} "$1" \
        -o "$work/program" >"$work/log" 2>&1; then
        got=$("$worker" "${mode:-random}" "${runs:-500}" "$work/start")
    else
        got="no program: $(tail -n 1 "$work/log")"
    fi
    [ "$got" = "$expected" ] || [[ $expected == violated\ *\|* && "|${expected#violated }|" == *"|${got#violated }|"* ]] || {
        echo "FAILED ${1#"$source"/}: expected '$expected', got '$got'"
        return 1
    }
}

test_programs() {
    local file count=0 failed=0 listed
    listed=$(<"$source/tests/aarch64/programs.txt")
    build_runtime || return 1
    printf '#!/bin/sh\nexec %s -L %s -E LD_LIBRARY_PATH=%s %s\n' \
        $emulator $libraries "$work" "$work/program" >"$work/start"
    chmod +x "$work/start"
    for file in "$source"/tests/programs/{right,wrong}/[!h]*/*.c; do
        read_fields "$file"
        is_suitable || { skip "not for another architecture" && continue; }
        [ "$which" = all ] || [[ $'\n'$listed$'\n' == *$'\n'"${file#"$source"/tests/programs/}"$'\n'* ]] ||
            { skip "not in the sample" && continue; }
        count=$((count + 1))
        check_program "$file" || failed=$((failed + 1))
    done
    summary "programs" $count $failed
    [ $count -gt 0 ] && [ $failed -eq 0 ]
}

case ${1-} in
fibers) test_fibers ;;
machine) test_machine "${@:2}" ;;
native) test_native "${2?}" ;;
record) test_record "${2?}" ;;
programs)
    worker=${2-} objects=${3-} which=${4:-all}
    [ -x "$worker" ] && [ "$objects" ] || exit 2
    objects=$(realpath -m "$objects")
    test_programs
    ;;
*) exit 2 ;;
esac
