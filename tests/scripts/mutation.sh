#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: mutation.sh [--every N] [--count N] [--jobs N] [--only TEXT] [--trusted] [BUILD]
# Tests the tests: applies the deliberate bugs of tests/mutations.txt one at a time to a copy of the file, links it
# with what the folder BUILD (build/release) has of the rest, and expects the differential test, that of random
# programs ("graphs" instead of specifications), that of refinement ("refine"), of quasi histories ("quasi"), of streams
# ("streams"), of loops ("loops"), of accesses of different sizes ("mixed"), of release sequences ("sequences"), of threads that stop ("progress"), of orders of calls ("ordering"), of rules of synchronization ("sync"), of appended strings ("appends") or the file's own unit test to fail.
#   --every N     a sample of every folder's mutants: about one of N, chosen by their lines (default 1: all)
#   --count N     histories per specification (default 20000)
#   --only TEXT   only mutants whose line contains TEXT
#   --jobs N      mutants at the same time (default 2)
#   --trusted     the tests pass without any mutant: CTest runs them anyway
# Exit code: 0 every mutant was noticed, 1 some survived, 2 a mutant could not be made.
set -uo pipefail

every=1 count=20000 only='' jobs=2 trusted=''
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=$root/build/release
# shellcheck source=tests/support/skips.sh
source "$root/tests"/support/skips.sh
# shellcheck source=tests/support/sample.sh
source "$root/tests"/support/sample.sh
while [ $# -gt 0 ]; do
    case $1 in
    --every) every=$2; shift 2 ;;
    --count) count=$2; shift 2 ;;
    --only) only=$2; shift 2 ;;
    --jobs) jobs=$2; shift 2 ;;
    --trusted) trusted=yes; shift ;;
    -*) sed -n '3,13s/^# //p' "$0"; exit 2 ;;
    *) build=$(realpath "$1"); shift ;;
    esac
done

scratch=$(mktemp -d "${TMPDIR:-/tmp}/mutation.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
cc=${CC:-cc}
# Most mutants die soon: compiling takes longer than running.
flags=(-std=gnu17 -O0 -D_GNU_SOURCE -DPLUMB_WORD_VALUES "-I$root/src" "-I$root/include" "-I$root/tests")
time_limit=120
libraries=("$build"/tests/lib{support,oracle}.a
    "$build"/libplumb_{seal,stress,autotest,campaign,explain,ownspec,pipeline,harness,record,report,promela,refine,litmus,target,machine,engine,explore,judge,ordering,graph,monitor,spec,formats,history,base}.a)
[ -e "${libraries[0]}" ] || { echo "build first: $build has no tests"; exit 2; }

# The object files of a test program. What the mutant has is not taken from the libraries.
link() { # PROGRAM OUTPUT MUTANT
    local objects
    mapfile -t objects < <(find "$build"/tests/{unit,campaigns}/CMakeFiles/"$1.dir" -name '*.o' 2>/dev/null)
    $cc "${objects[@]}" "$3" -Wl,--strip-debug -Wl,--start-group "${libraries[@]}" -Wl,--end-group \
        -lm -lcmocka -lzstd -ldw -lelf -o "$2"
}

# The unit test of src/monitor/map/map.c is tests/unit/judging/test_map.c; not every file has one.
unit_test_of() {
    local name
    name=test_$(basename "$1" .c)
    [[ $1 == */src/monitor/search/longest.c ]] && name=test_search # it is a part of search.h
    [[ $1 == */src/monitor/core/core_*.c ]] && name=test_core
    [[ $1 == */src/monitor/core/why_*.c ]] && name=test_monitor
    [[ $1 == */src/ordering/ordering_*.c ]] && name=test_ordering
    [[ $1 == *src/promela/promela_*.c ]] && name=test_promela
    [[ $1 =~ src/stress/stress_(pairs|mix|rounds|harness).c$ ]] && name=test_stress_plan
    [[ $1 =~ src/stress/stress_(judge|follow|merge|stuck).c$ ]] && name=test_stress_records
    [[ $1 == */src/report/interleaving_*.c ]] && name=test_interleaving
    [[ $1 =~ src/report/(html|junit|sarif|json_[a-z]*).c$ ]] && name=test_documents
    [[ $1 =~ src/target/code/(liveness_[a-z]*|program_code).c$ ]] && name=test_liveness
    [[ $1 =~ src/target/code/(landing_pads|jump_tables).c$ ]] && name=test_code_units
    [[ $1 == */src/machine/* ]] && name=test_instruction
    [ -d "$build/tests/unit/CMakeFiles/$name.dir" ] && echo "$name"
}

# ---- one mutant ----

# Writes FILE with ORIGINAL, which must occur exactly once, replaced.
mutate() { # FILE ORIGINAL REPLACEMENT OUTPUT
    local content rest
    content=$(<"$1")
    [[ $content == *"$2"* ]] || { echo "not found"; return 1; }
    rest=${content#*"$2"}
    [[ $rest != *"$2"* ]] || { echo "not unique"; return 1; }
    printf '%s\n' "${content%%"$2"*}$3$rest" >"$4"
}

fails() { # COMMAND...; a crash or an endless loop is noticed too
    ! timeout "$time_limit" "$@" >/dev/null 2>&1
}

# The test for the second field of a line: the program `campaign`, its `arguments`, and in `start` the option that makes it
# begin at another number than the first, if it has one.
choose_campaign() { # SPECS
    start=''
    case $1 in
    graphs) campaign=random_programs arguments=(--count 1500 --quick) start=--first ;;
    alike) campaign=random_programs arguments=(--alike --model rc11 --count 1500 --quick) start=--first ;;
    mixed) campaign=random_programs arguments=(--mixed --count 600 --budget 20000 --quick) start=--first ;;
    sequences) campaign=random_programs arguments=(--sequences --count 300 --budget 1500 --quick) start=--first ;;
    loops) campaign=loop_programs arguments=(--count 600 --steps 6000 --quick) start=--first ;;
    progress) campaign=progress_programs arguments=(--count 150 --steps 6000) start=--first ;;
    refine) campaign=refine_compare arguments=(--count 30) start=--from ;;
    ordering) campaign=ordering arguments=(--count 1200) start=--first ;;
    sync) campaign=sync_rules arguments=(--count 80000) ;;
    appends) campaign=appends_histories arguments=(--count 48000) ;;
    quasi) campaign=quasi_histories arguments=(--count 150 --middle 100) ;;
    streams) campaign=stream_compare arguments=(--count 5000) ;;
    *) campaign=differential arguments=(--specs "$1" --count "$count") ;;
    esac
}

# Does a campaign notice the mutant? Where it did so before is tried first, if the line says so.
campaign_fails() { # FOLDER SPECS[@NUMBER]
    local hint=${2#"${2%@*}"} campaign arguments start
    choose_campaign "${2%@*}"
    if ! link "$campaign" "$1/$campaign" "$1/mutant.o" 2>"$1/errors"; then
        echo "BROKEN: $campaign: $(grep -m1 error "$1/errors")"
    elif [ "$hint" ] && [ "$start" ] && fails "$1/$campaign" "${arguments[@]}" "$start" "${hint#@}" --count 1; then
        echo "killed by $campaign at ${hint#@}"
    elif fails "$1/$campaign" "${arguments[@]}"; then
        echo "killed by $campaign"
    else
        echo SURVIVED
    fi
}

# Prints "killed", "SURVIVED" or "BROKEN: reason" and who noticed it.
judge_mutant() { # NUMBER FILE SPECS ORIGINAL REPLACEMENT
    local dir=mutants/$1 file=$root/$2 unit problem
    mkdir -p "$dir"
    problem=$(mutate "$file" "$4" "$5" "$dir/mutant.c") || { echo "BROKEN: original text $problem"; return; }
    if ! $cc "${flags[@]}" -I"$(dirname "$file")" -c "$dir/mutant.c" -o "$dir/mutant.o" 2>"$dir/errors"; then
        echo "BROKEN: $(grep -m1 error "$dir/errors")"
        return
    fi
    unit=$(unit_test_of "$file")
    if [ "$unit" ]; then
        if ! link "$unit" "$dir/unit" "$dir/mutant.o" 2>"$dir/errors"; then
            echo "BROKEN: $unit: $(grep -m1 error "$dir/errors")"
            return
        fi
        fails "$dir/unit" && { echo "killed by $unit"; return; }
    fi
    if [ "$3" = - ]; then echo SURVIVED; else campaign_fails "$dir" "$3"; fi
}

trim() {
    local text=$1
    text=${text#"${text%%[![:space:]]*}"}
    printf '%s' "${text%"${text##*[![:space:]]}"}"
}

# Splits a line "file | specs | original | replacement | comment" at " | " into `fields`.
split_line() { # LINE
    local rest="$1 | "
    fields=()
    while [ "$rest" ]; do
        fields+=("$(trim "${rest%%" | "*}")")
        rest=${rest#*" | "}
    done
}

run_line() { # NUMBER LINE
    local fields answer
    split_line "$2"
    if [ ${#fields[@]} -ne 5 ]; then
        answer="BROKEN: ${#fields[@]} fields instead of 5"
    else
        answer=$(judge_mutant "$1" "${fields[@]:0:4}")
    fi
    echo "$answer — ${fields[0]}: ${fields[4]-}" | tee "mutants/$1.result"
    rm -rf "mutants/$1"
}

# ---- all of them ----

cd "$scratch" || exit 2
mkdir mutants
mapfile -t listed < <(grep -vE '^[[:space:]]*(#|$)' "$root/tests/mutations.txt" | grep -F -e "$only")

# The sample of each folder of src. A name of a line is its folder and its checksum.
declare -A of_folder=()
lines=() names=()
for line in "${listed[@]}"; do
    folder=${line#src/} folder=${folder%%/*}
    of_folder[$folder]=1
    names+=("$folder/$(cksum <<<"$line")")
done
choose_sample "$every" "${names[@]}"
for k in "${!listed[@]}"; do
    if [ "${sample[${names[k]}]-}" ]; then lines+=("${listed[k]}"); else skip "not in the sample"; fi
done

# A test that fails without any mutant would seem to notice all of them.
check_tests() {
    local specs unit campaign arguments start
    for specs in $(for line in "${lines[@]}"; do
        split_line "$line"
        [ "${fields[1]}" = - ] || tr , '\n' <<<"${fields[1]%@*}"
    done | sort -u); do
        choose_campaign "$specs"
        ! fails "$build/tests/$campaign" "${arguments[@]}" || echo "$campaign ($specs)"
    done
    for file in $(printf '%s\n' "${lines[@]%% |*}" | sort -u); do
        unit=$(unit_test_of "$root/$file") || continue
        ! fails "$build/tests/$unit" || echo "$unit"
    done
}

# Also of what is not in the sample: can the mutant be made?
check_lines() {
    local line problem
    for line in "${listed[@]}"; do
        split_line "$line"
        problem=$(mutate "$root/${fields[0]}" "${fields[2]-}" "${fields[3]-}" /dev/null 2>&1) ||
            echo "${fields[0]}: '${fields[2]-}' $problem"
    done
}

stale=$(check_lines)
[ -z "$stale" ] || { printf 'the original text of mutants has changed:\n%s\n' "$stale"; exit 2; }
failing=$([ "$trusted" ] || check_tests)
[ -z "$failing" ] || { echo "fails without any mutant: $failing"; exit 2; }

number=0
for line in "${lines[@]}"; do
    number=$((number + 1))
    while [ "$(jobs -rp | wc -l)" -ge "$jobs" ]; do
        wait -n
    done
    run_line "$number" "$line" &
done
wait

killed=$(cat mutants/*.result 2>/dev/null | grep -c '^killed')
survived=$(cat mutants/*.result 2>/dev/null | grep -c '^SURVIVED')
broken=$(cat mutants/*.result 2>/dev/null | grep -c '^BROKEN')
echo "${#of_folder[@]} folders: $killed killed, $survived survived, $broken could not be made"
summary "mutants" $number $((survived + broken))
[ "$broken" -eq 0 ] || exit 2
[ "$survived" -eq 0 ]
