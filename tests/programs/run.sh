#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: run.sh [-k TEXT] [--cc gcc|clang] [--memory rc11|sc|tso] [--every N] [--with OPTION] [--jobs N] [-v] PLUMB
# Checks every program of right/ and wrong/ with the tool PLUMB and compares its answer with the comments on
# top of the program:
#   /* expect: holds */  /* expect: inconclusive */  /* expect: violated ERROR */  (ERROR may be A|B)
#   /* mode: dfs */      how to explore (random)     /* runs: N */      executions of random and pct (2000)
#   /* std: c++17 */     language (gnu17, c++20)     /* flags: ... */   more flags for the compiler
#   /* only: gcc */      skipped with the other one  /* flags-plumb: ... */  more options of the tool
#   /* machine: x86-64 */  skipped on others (tests/aarch64/run.sh)
# With --memory, every execution of that model is explored instead; what is expected then may be another thing:
#   /* all: inconclusive */  /* rc11: violated assert */  /* all: skipped */  (it has too many executions)
# Under random and pct, "survived" is as good as "holds".
#   /* races: inconclusive */ the expectation with --races=allow, if another
#   --with OPTION  one more option of the tool, for all programs; with --races=allow: for all but those of wrong/race and those with --symmetry or --fold
#   --every N  only one of N programs
#   -k TEXT    only programs whose path contains TEXT
#   -v         also print the programs that passed
# Exit code: 0 all as expected, 1 some not, 2 wrong usage.
set -uo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
filter='' every='' cc=gcc memory='' with=() jobs=2 plumb='' verbose=''

usage() {
    sed -n '3,19s/^# //p' "${BASH_SOURCE[0]}" >&2
    exit 2
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

# Words of a field, with quotes as in a shell.
words() { # TEXT
    printf '%s' "$1" | xargs -r printf '%s\n'
}

member() { # NAME JSON
    grep -o "\"$1\": *\"[^\"]*\"" "$2" 2>/dev/null | head -n 1 | sed 's/.*"\([^"]*\)"$/\1/'
}

agrees() { # EXPECTED VERDICT ERROR MODE
    case $1 in
    holds) [ "$2" = holds ] || { [ "$2" = survived ] && [ "$4" != dfs ] && [ "$4" != all ]; } ;;
    violated\ *) [ "$2" = violated ] && [[ "|${1#violated }|" == *"|$3|"* ]] ;;
    *) [ "$2" = "$1" ] ;;
    esac
}

# Most of the time goes into reading <thread> again and again: it is compiled once for the usual dialect.
precompile() { # FOLDER; fills $precompiled
    echo '#include <thread>' >"$1/common.hpp"
    "$here/../../tools/plumb-c++" -std=c++20 -x c++-header -c "$1/common.hpp" -o "$1/common.hpp.gch" &&
        precompiled=(-include "$1/common.hpp")
}

check_one() { # FILE, with its `fields`
    local file=$1 name=${1#"$here"/} scratch=$work/$count expected mode std verdict error status
    local -a flags options sample=()
    expected=${fields[expect]-}
    mode=${fields[mode]:-random}
    [ -z "$memory" ] || { mode=all expected=${fields[all]-$expected} expected=${fields[$memory]-$expected}; }
    [[ ${with[*]} != --races=allow ]] || expected=${fields[races]-$expected}
    case $mode in random | pct) sample=(--runs "${fields[runs]:-2000}" --seed 1) ;; esac
    case $file in *.cpp) std=c++20 ;; *) std=gnu17 ;; esac
    std=${fields[std]:-$std}
    readarray -t flags < <(words "${fields[flags]-}")
    readarray -t options < <(words "${fields[flags-plumb]-}")
    [ -z "$memory" ] || options+=(--memory "$memory")
    options+=("${with[@]}")
    [ "$std${fields[flags]-}" != c++20 ] || flags=("${precompiled[@]}")
    mkdir "$scratch"
    (cd "$scratch" && timeout -k 5 "$limit" "$plumb" check "$file" --mode "$mode" "${sample[@]}" \
        --time "$time" --json answer.json "${options[@]}" -- "-std=$std" "${flags[@]}" >output 2>&1 </dev/null)
    status=$?
    verdict=$(member verdict "$scratch/answer.json")
    error=$(member error "$scratch/answer.json")
    if [ "$expected" ] && agrees "$expected" "$verdict" "$error" "$mode"; then
        [ -z "$verbose" ] || echo "ok     $name"
    else
        echo "FAILED $name: expected '${expected:-(no comment)}', got '${verdict:-none}${error:+ }$error', exit $status"
        head -n 12 "$scratch/output" | sed 's/^/         /'
    fi
    rm -rf "$scratch"
}

while [ $# -gt 0 ]; do
    case $1 in
    -k) filter=${2-}; shift 2 || usage ;;
    --cc) cc=${2-}; shift 2 || usage ;;
    --memory) memory=${2-}; shift 2 || usage ;;
    --every) every=${2-}; shift 2 || usage ;;
    --with) with=("${2-}"); shift 2 || usage ;;
    --jobs) jobs=${2-}; shift 2 || usage ;;
    -v) verbose=yes; shift ;;
    -*) usage ;;
    *) [ -z "$plumb" ] || usage
       plumb=$1; shift ;;
    esac
done
plumb=$(command -v -- "$plumb") || usage
plumb=$(realpath "$plumb")
case $cc in
gcc) export PLUMB_CC=gcc PLUMB_CXX=g++ ;;
clang) export PLUMB_CC=clang PLUMB_CXX=clang++ ;;
*) usage ;;
esac
limit=120 time=100
[ -z "$memory" ] || time=20

work=$(mktemp -d "${TMPDIR:-/tmp}/programs.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
count=0 seen=0 every=${every:-1} log=$work/log precompiled=()
touch "$log"
[ "$filter" ] || precompile "$work" || exit 1
while IFS= read -r file; do
    [[ "${file#"$here"/}" == *"$filter"* ]] || continue
    read_fields "$file"
    [ "${fields[only]:-$cc}" = "$cc" ] || continue
    [[ -z $memory || ${fields[all]-} != skipped ]] || continue
    [[ ${with[*]} != --races=allow || $file != */wrong/race/* && ${fields[flags-plumb]-} != *--@(symmetry|fold)* ]] ||
        continue
    [ $((++seen % every)) -eq 0 ] || continue
    count=$((count + 1))
    while [ "$(jobs -rp | wc -l)" -ge "$jobs" ]; do wait -n; done
    (report=$(check_one "$file")
    [ -z "$report" ] || printf '%s\n' "$report" | tee -a "$log") &
done < <(find "$here/right" "$here/wrong" -name '*.c' -o -name '*.cpp' | LC_ALL=C sort)
wait
failed=$(grep -c '^FAILED' "$log")
echo "$count programs, $failed failed"
[ "$count" -gt 0 ] && [ "$failed" -eq 0 ]
