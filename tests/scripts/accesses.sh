#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: accesses.sh [ROOT [COMPILER...]]
# What plumb-cc's programs announce by default, function by function, is what they announce with -O0: no access of the source
# is dropped, moved past another one or invented. With gcc and clang, or the COMPILERS.
set -euo pipefail

root=$(cd "${1:-.}" && pwd)
# shellcheck source=tests/support/skips.sh
source "$root/tests"/support/skips.sh
compilers=("${@:2}")
[ $# -gt 1 ] || compilers=(gcc clang)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir tmp runtime
export TMPDIR=$work/tmp PLUMB_LIB_DIR=$work/runtime
cc -w -O1 -fno-builtin -fno-tree-loop-distribute-patterns -fPIC -shared -Wl,-soname,libplumb-rt.so \
    "$root/tests/support/accesses_runtime.c" -o runtime/libplumb-rt.so

accesses() { # FLAGS...
    "$root/build/bin/plumb-cc" -w "$@" "$root/tests/support/accesses_program.c" -o program && ./program
}

failures=0 count=0
for compiler in "${compilers[@]}"; do
    has_tool "$compiler" || continue
    count=$((count + 1))
    export PLUMB_CC=$compiler
    accesses -O0 >plain
    accesses >default
    accesses -O2 >optimised
    if ! diff plain default; then
        echo "$compiler: not every access of the source happens by default, or others do"
        failures=1
    fi
    # or the test tests nothing
    ! cmp -s plain optimised || { echo "$compiler: -O2 makes no difference" && failures=1; }
    echo "$compiler: $(grep -c : plain) functions, $(wc -w <plain) bytes accessed, $(wc -w <optimised) with -O2"
done
summary "compilers" $count $failures
exit $failures
