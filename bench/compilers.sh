#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: bench/compilers.sh [--every N] [--only COMPILER] [--builds | --programs]       (through ./dev bench compilers -- OPTIONS)
# Every gcc and clang of the distribution that is installed, in two roles:
#   builds     Plumbline itself, as -DCMAKE_BUILD_TYPE=Release; gcc also with link-time optimisation and with hardening beyond dpkg-buildflags:
#              how many warnings, and the unit tests
#   programs   what users compile their programs with: accesses and calls that have to stay, programs in C and C++ with the answers that
#              are expected (every Nth of them, default all), races through objects of the C++ library
# A line for each, and a matrix at the end. Logs are in build/compilers.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 2

compilers=() every=1 roles='builds programs'
while [ $# -gt 0 ]; do
    case $1 in
    --every) every=${2-} && shift ;;
    --only) compilers+=("${2-}") && shift ;;
    --builds | --programs) roles=${1#--} ;;
    *) sed -n '3,9s/^# //p' "$0" >&2 && exit 2 ;;
    esac
    shift
done
[ ${#compilers[@]} -gt 0 ] || compilers=(gcc-11 gcc-12 clang-14 clang-15 clang-16 clang-19)
place=$PWD/build/compilers
mkdir -p "$place"
failed=0
declare -A table=()
columns=()

note() { # COMPILER COLUMN STATUS TEXT
    [[ " ${columns[*]} " == *" $2 "* ]] || columns+=("$2")
    table[$1,$2]=$4
    [ "$3" -eq 0 ] || { failed=1 table[$1,$2]="FAILED: $4"; }
    printf '%-10s %-16s %s\n' "$1" "$2" "${table[$1,$2]}"
}

cxx_of() { # COMPILER
    case $1 in
    gcc*) echo "g++${1#gcc}" ;;
    *) echo "clang++${1#clang}" ;;
    esac
}

# Plumbline built by COMPILER, and its unit tests with it.
build_with() { # COMPILER COLUMN OPTIONS OF CMAKE...
    local compiler=$1 column=$2 folder=$place/$1-$2 warnings status=0 text
    shift 2
    rm -rf "$folder"
    cmake -S . -B "$folder" -G Ninja -DCMAKE_C_COMPILER="$compiler" -DCMAKE_CXX_COMPILER="$(cxx_of "$compiler")" -DCMAKE_BUILD_TYPE=Release \
        -DPLUMB_MPI=OFF "$@" >"$folder.log" 2>&1 && cmake --build "$folder" -j "$(nproc)" --target all >>"$folder.log" 2>&1 ||
        { note "$compiler" "$column" 1 "does not build: $folder.log" && return; }
    warnings=$(grep -c 'warning: ' "$folder.log")
    text=$(ctest --test-dir "$folder" -R '^(unit_|smoke$|library_races$|assembly$|programs_rc11$)' -j "$(nproc)" 2>&1 | tee -a "$folder.log" |
        grep 'tests passed') || status=1
    [[ $text == 100%* ]] || status=1
    note "$compiler" "$column" $status "$warnings warnings, ${text#*, }"
}

# The last line of a runner.
run() { # COMPILER COLUMN COMMAND...
    local compiler=$1 column=$2 status=0
    shift 2
    "$@" >"$place/$compiler-$column.log" 2>&1 </dev/null || status=1
    note "$compiler" "$column" $status "$(tail -n 1 "$place/$compiler-$column.log" | sed 's/ skipped (.*/ skipped/; s/ with [a-z0-9-]*,/,/')"
}

# plumb-instrument reads what a clang up to its own LLVM writes: a newer one needs it built with another. Fills $plumb.
use_instrument() { # COMPILER
    local version=${1#clang-} folder=$place/llvm-${1#clang-}
    plumb=$PWD/build/bin/plumb
    unset PLUMB_TOOL
    [[ $1 == clang-* ]] && [ "$(build/bin/plumb-instrument --version | cut -d. -f1)" -lt "$version" ] || return 0
    cmake -S . -B "$folder" -G Ninja -DCMAKE_BUILD_TYPE=Release -DPLUMB_MPI=OFF -DLLVM_CONFIG="llvm-config-$version" >"$folder.log" 2>&1 &&
        cmake --build "$folder" -j "$(nproc)" --target tools >>"$folder.log" 2>&1 || return 1
    export PLUMB_TOOL=$folder/bin/plumb
    plumb=$PLUMB_TOOL
}

try_programs() { # COMPILER
    local plumb
    use_instrument "$1" || { note "$1" programs 1 "no plumb-instrument for it: $place/llvm-${1#clang-}.log" && return; }
    run "$1" accesses bash tests/scripts/accesses.sh . "$1"
    run "$1" calls bash tests/scripts/builtins.sh . "$1"
    [[ $1 != gcc* ]] || run "$1" plumb_as bash tests/scripts/plumb_as.sh . "$1"
    run "$1" C-and-C++ bash tests/programs/run.sh --cc "$1" --every "$every" --jobs "$(nproc)" --binaries "$place/programs" "$plumb"
    run "$1" executions bash tests/programs/run.sh --cc "$1" --every "$every" --memory rc11 --jobs "$(nproc)" --binaries "$place/programs" "$plumb"
    run "$1" pairs bash tests/programs/run.sh --corpus --cc "$1" --every "$((4 * every))" --memory rc11 --jobs "$(nproc)" --binaries "$place/programs" "$plumb"
    run "$1" C++-library bash tests/cxx_library/run.sh --cc "$1" --every "$every" --binaries "$place/library" "$plumb" text.cpp containers.cpp objects.cpp
}

print_matrix() {
    local compiler column
    echo
    for compiler in "${compilers[@]}"; do
        for column in "${columns[@]}"; do
            printf '%s\t%s\t%s\n' "$compiler" "$column" "${table[$compiler,$column]:--}"
        done
    done | awk -F '\t' '
        !($1 in seen) { seen[$1]; rows[++n] = $1 }
        !($2 in place) { place[$2] = ++m; heads[m] = $2 }
        { cell[$1, place[$2]] = $3 ~ /^FAILED/ ? "FAILED" : $3 == "-" ? "-" : "ok" }
        END {
            printf "%-10s", ""
            for (k = 1; k <= m; k++) printf " %-12s", heads[k]
            print ""
            for (j = 1; j <= n; j++) {
                printf "%-10s", rows[j]
                for (k = 1; k <= m; k++) printf " %-12s", cell[rows[j], k]
                print ""
            }
        }'
}

for compiler in "${compilers[@]}"; do
    command -v "$compiler" >/dev/null && command -v "$(cxx_of "$compiler")" >/dev/null ||
        { note "$compiler" installed 1 "not installed" && continue; }
    [[ $roles != *programs* ]] || try_programs "$compiler"
    [[ $roles == *builds* ]] || continue
    build_with "$compiler" Release
done
if [[ $roles == *builds* ]] && command -v gcc-12 >/dev/null && [[ " ${compilers[*]} " == *" gcc-12 "* ]]; then
    build_with gcc-12 LTO -DCMAKE_INTERPROCEDURAL_OPTIMIZATION=ON
    build_with gcc-12 hardened -DCMAKE_C_FLAGS="-fcf-protection=full -fstack-protector-all -fstack-clash-protection -D_FORTIFY_SOURCE=3 -fPIE" \
        -DCMAKE_EXE_LINKER_FLAGS="-pie -Wl,-z,relro,-z,now"
fi
print_matrix
exit $failed
