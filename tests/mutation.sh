#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: mutation.sh [--count N] [--jobs N] [--only TEXT] [--trusted] [BUILD]
# Tests the tests: applies the deliberate bugs of tests/mutations.txt one at a time to a copy of the file, links it
# with what the folder BUILD (build/release) has of the rest, and expects the differential test, that of random
# programs ("graphs" instead of specifications), that of refinement ("refine"), of quasi histories ("quasi"), of streams
# ("streams") or the file's own unit test to fail.
#   --count N     histories per specification (default 20000)
#   --only TEXT   only mutants whose line contains TEXT
#   --jobs N      mutants at the same time (default 2)
#   --trusted     the tests pass without any mutant: CTest runs them anyway
# Exit code: 0 every mutant was noticed, 1 some survived, 2 a mutant could not be made.
set -uo pipefail

count=20000 only='' jobs=2 trusted=''
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=$root/build/release
while [ $# -gt 0 ]; do
    case $1 in
    --count) count=$2; shift 2 ;;
    --only) only=$2; shift 2 ;;
    --jobs) jobs=$2; shift 2 ;;
    --trusted) trusted=yes; shift ;;
    -*) sed -n '3,11s/^# //p' "$0"; exit 2 ;;
    *) build=$(realpath "$1"); shift ;;
    esac
done

scratch=$(mktemp -d "${TMPDIR:-/tmp}/mutation.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
cc=${CC:-cc}
flags=(-std=gnu17 -O1 -D_GNU_SOURCE "-I$root/src" "-I$root/include" "-I$root/tests")
time_limit=120
programs=1500 # random ones
containers=30 # random ones, for refinement
streams=5000  # histories
libraries=("$build"/tests/liboracle.a
    "$build"/libplumb_{refine,litmus,explore,judge,graph,monitor,spec,formats,history,base}.a)
[ -e "${libraries[0]}" ] || { echo "build first: $build has no tests"; exit 2; }

# The object files of a test program. What the mutant has is not taken from the libraries.
link() { # PROGRAM OUTPUT MUTANT
    $cc "$build/tests/CMakeFiles/$1.dir"/*.o "$3" -Wl,--strip-debug -Wl,--start-group "${libraries[@]}" -Wl,--end-group \
        -lm -lcmocka -lzstd -o "$2"
}

# The unit test of src/monitor/queue.c is tests/test_queue.c, when there is one.
unit_test_of() {
    local name
    name=test_$(basename "$1" .c)
    [[ $1 == */src/monitor/longest.c ]] && name=test_search # it is a part of search.h
    [[ $1 == */src/monitor/core_*.c ]] && name=test_core
    [[ $1 == *src/refine/promela_*.c ]] && name=test_promela
    [ -d "$build/tests/CMakeFiles/$name.dir" ] && echo "$name"
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

# Prints "killed", "SURVIVED" or "BROKEN: reason" and who noticed it.
judge_mutant() { # NUMBER FILE SPECS ORIGINAL REPLACEMENT
    local dir=mutants/$1 file=$root/$2 specs=$3 unit problem
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
    if [ "$specs" = - ]; then
        echo SURVIVED
        return
    fi
    if [ "$specs" = graphs ]; then
        link random_programs "$dir/random_programs" "$dir/mutant.o" || { echo "BROKEN: does not link"; return; }
        fails "$dir/random_programs" --count "$programs" --quick && echo "killed by random programs" || echo SURVIVED
        return
    fi
    if [ "$specs" = streams ]; then
        link stream_compare "$dir/stream_compare" "$dir/mutant.o" || { echo "BROKEN: does not link"; return; }
        fails "$dir/stream_compare" --count "$streams" && echo "killed by stream_compare" || echo SURVIVED
        return
    fi
    if [ "$specs" = refine ]; then
        link refine_compare "$dir/refine_compare" "$dir/mutant.o" || { echo "BROKEN: does not link"; return; }
        fails "$dir/refine_compare" --count "$containers" && echo "killed by refine_compare" || echo SURVIVED
        return
    fi
    if [ "$specs" = quasi ]; then
        link quasi_histories "$dir/quasi_histories" "$dir/mutant.o" || { echo "BROKEN: does not link"; return; }
        fails "$dir/quasi_histories" --count 150 --middle 100 && echo "killed by quasi_histories" || echo SURVIVED
        return
    fi
    link differential "$dir/differential" "$dir/mutant.o" || { echo "BROKEN: does not link"; return; }
    fails "$dir/differential" --specs "$specs" --count "$count" && echo "killed by differential" || echo SURVIVED
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
mapfile -t lines < <(grep -vE '^[[:space:]]*(#|$)' "$root/tests/mutations.txt" | grep -F -e "$only")

# A test that fails without any mutant would seem to notice all of them.
check_tests() {
    local specs unit
    specs=$(for line in "${lines[@]}"; do
        split_line "$line"
        [[ ${fields[1]} =~ ^(-|graphs|refine|quasi|streams)$ ]] || tr , '\n' <<<"${fields[1]}"
    done | sort -u | paste -sd,)
    [ -z "$specs" ] || ! fails "$build/tests/differential" --specs "$specs" --count "$count" || echo differential
    ! printf '%s\n' "${lines[@]}" | grep -q '| graphs |' ||
        ! fails "$build/tests/random_programs" --count "$programs" --quick || echo random_programs
    ! printf '%s\n' "${lines[@]}" | grep -q '| streams |' ||
        ! fails "$build/tests/stream_compare" --count "$streams" || echo stream_compare
    ! printf '%s\n' "${lines[@]}" | grep -q '| refine |' ||
        ! fails "$build/tests/refine_compare" --count "$containers" || echo refine_compare
    ! printf '%s\n' "${lines[@]}" | grep -q '| quasi |' ||
        ! fails "$build/tests/quasi_histories" --count 150 --middle 100 || echo quasi_histories
    for file in $(printf '%s\n' "${lines[@]%% |*}" | sort -u); do
        unit=$(unit_test_of "$file") || continue
        ! fails "$build/tests/$unit" || echo "$unit"
    done
}

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
echo "$number mutants: $killed killed, $survived survived, $broken could not be made"
[ "$broken" -eq 0 ] || exit 2
[ "$survived" -eq 0 ]
