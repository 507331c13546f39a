#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: check_headers.sh ROOT CC CXX
# Public headers compile alone and twice, as strict C11, C17 and C++11, C++17;
# every header of src compiles alone as GNU C17.
set -euo pipefail

root=$1 cc=$2 cxx=$3
cd "$root"
warnings=(-Wall -Wextra -Werror -Wshadow -fsyntax-only)
count=0 failures=0

check() { # HEADER COMPILER OPTIONS...
    local header=$1
    shift
    count=$((count + 1))
    if ! printf '#include "%s"\n#include "%s"\n' "$header" "$header" | "$@" "${warnings[@]}" -; then
        echo "$header does not compile alone: $*"
        failures=$((failures + 1))
    fi
}

for header in include/plumb/*.h include/*.h; do
    [ -e "$header" ] || continue
    name=${header#include/}
    for standard in c11 c17; do
        check "$name" "$cc" -x c -std=$standard -pedantic -Wstrict-prototypes -Iinclude
    done
    for standard in c++11 c++17; do
        check "$name" "$cxx" -x c++ -std=$standard -pedantic -Iinclude
    done
done
llvm=$(llvm-config --includedir 2>/dev/null) || llvm=
while read -r header; do
    if [[ $header == src/instrument/* ]]; then
        [ -z "$llvm" ] || check "${header#src/}" "$cc" -x c -std=gnu17 -D_GNU_SOURCE -Isrc -isystem "$llvm"
        continue
    fi
    check "${header#src/}" "$cc" -x c -std=gnu17 -D_GNU_SOURCE -DPLUMB_WORD_VALUES -Wstrict-prototypes -Isrc -Iinclude
done < <(find src -name '*.h' | sort)

[ $failures -eq 0 ] || { echo "$failures of $count compilations failed"; exit 1; }
echo "$count compilations of single headers"
