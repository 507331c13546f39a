#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: run.sh [-k TEXT] [--cc clang|gcc|gcc-11|...] [--memory rc11|sc|tso] [--every N] [--with OPTION] [--jobs N]
#               [--binaries DIR] [--corpus] [--results FILE] [-v] PLUMB
# Checks every program of right/ and wrong/ with the tool PLUMB and compares its answer with the comments on
# top of the program:
#   /* expect: holds */  /* expect: inconclusive */  /* expect: violated ERROR */  (ERROR may be A|B)
#   /* mode: dfs */      how to explore (random)     /* runs: N */      executions of random and pct (2000)
#   /* std: c++17 */     language (gnu17, c++20)     /* flags: ... */   more flags for the compiler
#   /* only: gcc */      skipped with the other one  /* flags-plumb: ... */  more options of the tool
#   /* not: gcc-11 */    skipped with that one (--cc)
#   /* machine: x86-64 */  skipped on others (tests/aarch64/run.sh)
#   /* command: auto */  not `plumb check`
#   /* known: holds */   what is answered today, though it is wrong: no failure, but the right answer is one (known-gcc, known-gcc-11: with one compiler)
#   /* named: TEXT */    what the answer has to say then, or when it holds: that it did not examine what is wrong (named-gcc: with one compiler)
# With --memory, every execution of that model is explored instead; what is expected then may be another thing:
#   /* all: inconclusive */  /* rc11: violated assert */  /* all: skipped */  (it has too many executions)
# Under random and pct, "survived" is as good as "holds". A search that need not end is given up soon.
#   /* races: inconclusive */ the expectation with --races=allow and --races=report, if another
#   --with OPTION  one more option of the tool, for all programs; with --races=allow: for all but those of wrong/race and those where a race is expected; with --races of any sort: and those with --symmetry, --fold, --races or --suppress
#   --every N  only one of N programs of each folder, about, and at least one
#   --corpus   right/corpus and wrong/corpus (docs/internals/testing.md), which are left out otherwise
#   --results FILE  a line for each program: name, what was expected, what came; divided by tabs
#   --binaries DIR  compiled programs are kept there and used again, by another run at the same time as well
#   -k TEXT    only programs whose path contains TEXT
#   -v         also print the programs that passed
# Exit code: 0 all as expected, 1 some not, 2 wrong usage.
set -uo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=tests/support/skips.sh
source "$here/.."/support/skips.sh
tools=$(cd "$here/../../build/bin" && pwd)
# shellcheck source=tests/support/compiled.sh
source "$here/.."/support/compiled.sh
filter='' every='' cc=clang memory='' with=() jobs=2 binaries='' corpus='' results='' plumb='' verbose=''

usage() {
    sed -n '3,28s/^# //p' "${BASH_SOURCE[0]}" >&2
    exit 2
}

# Words of a field, with quotes as in a shell, in `list`.
words() { # TEXT
    list=()
    [ -z "$1" ] || readarray -t list < <(printf '%s' "$1" | xargs -r printf '%s\n')
}

# The first member of that name, a string, in `value`.
member() { # NAME TEXT
    local shape="\"$1\": *\"([^\"]*)\""
    value=
    [[ ! $2 =~ $shape ]] || value=${BASH_REMATCH[1]}
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
    precompiled=(-include "$1/common.hpp")
    ! is_newest "$1/common.hpp.gch" || return 0
    echo '#include <thread>' >"$1/$$.hpp"
    ln "$1/$$.hpp" "$1/common.hpp" 2>/dev/null # clang wants the very file it was made from: who comes second has none
    rm "$1/$$.hpp"
    "$tools/plumb-c++" -std=c++20 -x c++-header -c "$1/common.hpp" -o "$1/$$.gch" && mv "$1/$$.gch" "$1/common.hpp.gch"
}

list_programs() {
    local folders=("$here"/{right,wrong})
    [ -z "$corpus" ] || folders=("$here"/{right,wrong}/corpus)
    find "${folders[@]}" -path "${corpus:-$here/*/corpus}" -prune -o '(' -name '*.c' -o -name '*.cpp' ')' -print
}

# The program's command with the variables of check_one.
run_plumb() (
    local command=(check --mode "$mode" "${limits[@]}" --time "$seconds")
    [ "${fields[command]-}" != auto ] || command=(auto --jobs 1)
    cd "$scratch" || return 1
    timeout -k 5 "$limit" "$plumb" "${command[@]}" --json answer.json "${options[@]}" "${source[@]}" \
        >>output 2>&1 </dev/null
)

# Is a race what is wrong with it? There is nothing to expect where races are allowed, unless its comments say what.
is_wrong_by_race() { # FILE, with its `fields`
    local expected=${fields[all]-${fields[expect]-}}
    [[ $1 == */wrong/race/* || ${fields[${memory:-all}]-$expected} == *race* ]]
}

# Why is a program not for this run?
why_not() { # FILE, with its `fields`
    if [ "${fields[only]:-$family}" != "$family" ]; then
        echo "for ${fields[only]} only"
    elif [ "${fields[not]-}" = "$cc" ]; then
        echo "not for $cc"
    elif [[ $memory && ${fields[all]-} == skipped ]]; then
        echo "too many executions"
    elif [[ ${with[*]} == --races=allow && ! -v 'fields[races]' ]] && is_wrong_by_race "$1"; then
        echo "wrong by a race alone"
    elif [[ ${with[*]} == --races=* && ${fields[flags-plumb]-} == *--@(symmetry|fold|races|suppress)* ]]; then
        echo "with options that exclude ${with[*]}"
    fi
}

check_one() { # FILE, with its `fields`
    local file=$1 name=${1#"$here"/} scratch=$work/$count expected known mode std verdict error status value seconds=$time
    local -a list flags options limits=() source
    expected=${fields[expect]-}
    mode=${fields[mode]:-random}
    [ -z "$memory" ] || { mode=all expected=${fields[all]-$expected} expected=${fields[$memory]-$expected}; }
    [[ ${with[*]} != --races=* ]] || expected=${fields[races]-$expected}
    [[ $mode == @(random|pct) || $expected != inconclusive ]] || seconds=4
    case $mode in random | pct) limits=(--runs "${fields[runs]:-2000}" --seed 1) ;; esac
    case $file in *.cpp) std=c++20 ;; *) std=gnu17 ;; esac
    std=${fields[std]:-$std}
    words "${fields[flags]-}"
    flags=("-std=$std" "${list[@]}")
    words "${fields[flags-plumb]-}"
    options=("${list[@]}")
    [ -z "$memory" ] || options+=(--memory "$memory")
    options+=("${with[@]}")
    [ "$std${fields[flags]-}" != c++20 ] || flags+=("${precompiled[@]}")
    mkdir "$scratch"
    source=("$file" -- "${flags[@]}")
    if [ "$binaries" ] && [ "${fields[command]-}" != auto ]; then
        source=("$binaries/$name.out")
        compile "$file" "${source[0]}" "${flags[@]}" >"$scratch/output" 2>&1 </dev/null
    fi
    run_plumb
    status=$?
    list=()
    [ ! -e "$scratch/answer.json" ] || readarray -t list <"$scratch/answer.json"
    known=${fields[known-$cc]-${fields[known-$family]-${fields[known]-}}}
    member verdict "${list[*]}"
    verdict=$value
    member error "${list[*]}"
    error=$value
    [ -z "$results" ] || printf '%s\t%s\t%s\n' "$name" "$expected" "${verdict:-none}${error:+ }$error" >>"$results"
    named=false
    [[ $(<"$scratch/output") != *"${fields[named-$family]-${fields[named]-}}"* ]] || named=true
    if [ "$expected" ] && agrees "$expected" "$verdict" "$error" "$mode" && [ "$known" ] && [ "$known" != "$verdict" ]; then
        echo "FAILED $name: is answered as it should be, '$verdict': its line 'known: $known' has to go"
    elif [ "$expected" ] && agrees "$expected" "$verdict" "$error" "$mode" && { [ "$verdict" != holds ] || "$named"; }; then
        [ -z "$verbose" ] || echo "ok     $name"
    elif [ "$known" ] && agrees "$known" "$verdict" "$error" "$mode" && "$named"; then
        echo "known  $name: expected '$expected', got '$verdict'"
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
    --binaries) binaries=${2-}; shift 2 || usage ;;
    --corpus) corpus=yes; shift ;;
    --results) results=$(realpath -m "${2-}"); shift 2 || usage ;;
    -v) verbose=yes; shift ;;
    -*) usage ;;
    *) [ -z "$plumb" ] || usage
       plumb=$1; shift ;;
    esac
done
plumb=$(command -v -- "$plumb") || usage
plumb=$(realpath "$plumb")
choose_compiler "$cc" || usage
limit=120 time=100
[ -z "$memory" ] || time=20

work=$(mktemp -d "${TMPDIR:-/tmp}/programs.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
if [ "$binaries" ]; then
    binaries=$(realpath -m "$binaries/$family-$($cc -dumpversion)")
    mkdir -p "$binaries" || exit 1
fi
count=0 running=0 every=${every:-1} log=$work/log precompiled=()
touch "$log"
[ "$filter" ] || precompile "${binaries:-$work}" || exit 1
mapfile -t names < <(list_programs | LC_ALL=C sort)
names=("${names[@]#"$here"/}")
choose_sample "$every" "${names[@]}"
for name in "${names[@]}"; do
    [[ $name == *"$filter"* ]] || continue
    [ "${sample[$name]-}" ] || { skip "not in the sample" && continue; }
    file=$here/$name
    read_fields "$file"
    reason=$(why_not "$file")
    [ -z "$reason" ] || { skip "$reason" && continue; }
    count=$((count + 1))
    [ $((++running)) -le "$jobs" ] || { wait -n; running=$((running - 1)); }
    (report=$(check_one "$file")
    [ -z "$report" ] || printf '%s\n' "$report" | tee -a "$log") &
done
wait
failed=$(grep -c '^FAILED' "$log")
summary "programs" "$count" "$failed"
[ "$count" -gt 0 ] && [ "$failed" -eq 0 ]
