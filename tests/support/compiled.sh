# shellcheck shell=bash disable=SC2034
# SPDX-License-Identifier: Apache-2.0
# Compiled programs under test are kept and used again: set `tools`, the folder of plumb-cc, and source this.
: "${tools:?}"
# shellcheck source=tests/support/sample.sh
source "${BASH_SOURCE[0]%/*}/sample.sh"

# The compilers behind plumb-cc and plumb-c++ by the name of one, such as gcc or clang-16. Fills `family`: gcc or clang.
choose_compiler() { # NAME
    family=${1%%-*}
    case $family in
    gcc) export PLUMB_CC=$1 PLUMB_CXX=g++${1#gcc} ;;
    clang) export PLUMB_CC=$1 PLUMB_CXX=clang++${1#clang} ;;
    *) return 1 ;;
    esac
}

# Was this compiled from the FILES as they are now?
is_newest() { # COMPILED FILES...
    local compiled=$1 file
    shift
    for file in "$@" "$tools"/plumb-{as,cc,instrument} "$tools"/../../include/{{,plumb/,plumb/{libstdc++/bits,compiler}/}*.h,plumb/libstdc++/{atomic,barrier,latch,semaphore}}; do
        [ "$compiled" -nt "$file" ] || return 1
    done
}

# Compiles a program unless that was done before, with the headers beside it as they are now. Who comes second at the same time replaces it by its like.
compile() { # FILE OUTPUT FLAGS...
    local file=$1 output=$2 compiler=$tools/plumb-cc
    shift 2
    ! is_newest "$output" "$file" "${file%/*}"/*.h || return 0
    [[ $file != *.cpp ]] || compiler=$tools/plumb-c++
    mkdir -p "${output%/*}"
    rm -f "$output"
    "$compiler" "$file" "$@" -o "$output.$$" && mv "$output.$$" "$output"
}

# The comments on top of a program, by name, in `fields`. Without another process: there are hundreds of programs.
declare -A fields
read_fields() { # FILE
    local line number=0
    local shape='^/\* ([a-z0-9-]+): (.*) \*/$'
    fields=()
    while IFS= read -r line && [ $((number++)) -lt 10 ]; do
        [[ ! $line =~ $shape ]] || fields[${BASH_REMATCH[1]}]=${BASH_REMATCH[2]}
    done <"$1"
}
