#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: examples_rust.sh PLUMB
# The queue of examples/rust holds, and its weakened store is found, with names and lines of the source.
set -euo pipefail
plumb=$(readlink -f "$1")
source=$(readlink -f "$(dirname "$0")/../../../examples/rust")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

compile() { # NAME OPTIONS...
    RUSTC_BOOTSTRAP=1 rustc -g -Copt-level=1 -Cpanic=abort -Zsanitizer=thread -Zexternal-clangrt -Cunsafe-allow-abi-mismatch=sanitizer \
        --crate-type lib --emit obj -Cprefer-dynamic "$source/ring.rs" -o "$1.o" "${@:2}"
}

skip() {
    echo "$*"
    exit 77
}

command -v rustc >/dev/null || skip "rustc is not installed"
compile ring 2>said || skip "this rustc has no -Zsanitizer=thread -Zexternal-clangrt: $(head -1 said)"
compile weak --cfg weak
std=$(rustc --print target-libdir)

check() { # OBJECT ANSWER EXIT TEXTS...
    local status=0 text
    "$plumb" check "$source/ring.c" --test 'enq(1) deq | enq(2) deq' -- "$PWD/$1.o" "$std"/libstd-*.so "-Wl,-rpath,$std" >out 2>&1 || status=$?
    for text in "$2" "${@:4}"; do
        [ $status -eq "$3" ] && grep -qF -- "$text" out || {
            echo "FAILED $1.o: exit $status, expected $3 and '$text'" >&2
            cat out >&2
            exit 1
        }
    done
}

check ring holds 0 'as compiled by rustc in some files' 'not examined: libstd-' 'alloc::raw_vec::RawVecInner'
check weak violated 1 'data race under rc11' 'ring::Ring::push at' 'ring.rs:'
