#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: mutation.sh [--count N] [--jobs N] [--only TEXT] [--keep] [ROOT]
# Tests the tests: applies the deliberate bugs of tests/mutations.txt one at a time to a scratch copy of
# the sources and expects the differential test, that of random programs ("graphs" instead of specifications), that of
# refinement ("refine") or the file's own unit test to fail.
#   --count N     histories per specification (default 20000)
#   --only TEXT   only mutants whose line contains TEXT
#   --jobs N      mutants at the same time (default 2)
#   --keep        leave the scratch copy behind
# Exit code: 0 every mutant was noticed, 1 some survived, 2 a mutant could not be made.
set -uo pipefail

count=20000 only='' keep='' jobs=2
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
while [ $# -gt 0 ]; do
    case $1 in
    --count) count=$2; shift 2 ;;
    --only) only=$2; shift 2 ;;
    --jobs) jobs=$2; shift 2 ;;
    --keep) keep=yes; shift ;;
    -*) sed -n '3,11s/^# //p' "$0"; exit 2 ;;
    *) root=$1; shift ;;
    esac
done

scratch=$(mktemp -d "${TMPDIR:-/tmp}/mutation.XXXXXX")
if [ "$keep" ]; then
    echo "scratch copy: $scratch"
else
    trap 'rm -rf "$scratch"' EXIT
fi
cc=${CC:-cc}
flags=(-std=gnu17 -O1 -D_GNU_SOURCE -Isrc -Iinclude -Itests)
time_limit=120
drivers=(tests/differential.c tests/random_programs.c tests/graph_runs.c tests/refine_compare.c)
programs=1500   # random ones
containers=30   # random ones, for refinement

# ---- building ----

compile() { # SOURCE OBJECT
    mkdir -p "$(dirname "$2")" && $cc "${flags[@]}" -c "$1" -o "$2"
}

link() { # OUTPUT OBJECT...
    $cc "${@:2}" -lm -lcmocka -o "$1"
}

library_sources() {
    ls src/{base,history,spec,monitor,graph,explore,litmus,refine}/*.c
}

build_all() {
    local source
    for source in $(library_sources) tests/oracle/*.c "${drivers[@]}"; do
        compile "$source" "objects/$source.o" || return 1
    done
}

# The unit test of src/monitor/queue.c is tests/test_queue.c, when there is one.
unit_test_of() {
    local source
    source=tests/test_$(basename "$1")
    [ -e "$source" ] && echo "$source"
}

# Objects of the library, with that of FILE replaced.
library_objects() { # FILE REPLACEMENT
    local source
    for source in $(library_sources); do
        [ "$source" = "$1" ] && echo "$2" || echo "objects/$source.o"
    done
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
    local dir=mutants/$1 file=$2 specs=$3 unit problem objects
    mkdir -p "$dir"
    problem=$(mutate "$file" "$4" "$5" "$dir/mutant.c") || { echo "BROKEN: original text $problem"; return; }
    if ! $cc "${flags[@]}" -I"$(dirname "$file")" -c "$dir/mutant.c" -o "$dir/mutant.o" 2>"$dir/errors"; then
        echo "BROKEN: $(grep -m1 error "$dir/errors")"
        return
    fi
    mapfile -t objects < <(library_objects "$file" "$dir/mutant.o")
    unit=$(unit_test_of "$file")
    if [ "$unit" ]; then
        if ! { compile "$unit" "$dir/unit.o" && link "$dir/unit" "$dir/unit.o" objects/tests/oracle/*.o "${objects[@]}"; } 2>"$dir/errors"; then
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
        link "$dir/random_programs" objects/tests/{random_programs,graph_runs}.c.o objects/tests/oracle/*.o "${objects[@]}" ||
            { echo "BROKEN: does not link"; return; }
        fails "$dir/random_programs" --count "$programs" --quick && echo "killed by random programs" || echo SURVIVED
        return
    fi
    if [ "$specs" = refine ]; then
        link "$dir/refine_compare" objects/tests/refine_compare.c.o objects/tests/oracle/*.o "${objects[@]}" ||
            { echo "BROKEN: does not link"; return; }
        fails "$dir/refine_compare" --count "$containers" && echo "killed by refine_compare" || echo SURVIVED
        return
    fi
    link "$dir/differential" objects/tests/differential.c.o objects/tests/oracle/*.o "${objects[@]}" ||
        { echo "BROKEN: does not link"; return; }
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

cp -r "$root/src" "$root/include" "$root/tests" "$scratch" || exit 2
cd "$scratch" || exit 2
mkdir -p objects mutants
build_all || { echo "the sources do not build"; exit 2; }
mapfile -t everything < <(library_objects - -)
link differential objects/tests/differential.c.o objects/tests/oracle/*.o "${everything[@]}" || exit 2
mapfile -t lines < <(grep -vE '^[[:space:]]*(#|$)' tests/mutations.txt | grep -F -e "$only")
specs=$(for line in "${lines[@]}"; do
    split_line "$line"
    [[ ${fields[1]} == - || ${fields[1]} == graphs || ${fields[1]} == refine ]] || tr , '\n' <<<"${fields[1]}"
done | sort -u | paste -sd,)
if [ "$specs" ] && fails ./differential --specs "$specs" --count "$count"; then
    echo "the differential test of $specs fails without any mutant"
    exit 2
fi

link random_programs objects/tests/{random_programs,graph_runs}.c.o objects/tests/oracle/*.o "${everything[@]}" || exit 2
if printf '%s\n' "${lines[@]}" | grep -q '| graphs |' && fails ./random_programs --count "$programs" --quick; then
    echo "the test of random programs fails without any mutant"
    exit 2
fi

link refine_compare objects/tests/refine_compare.c.o objects/tests/oracle/*.o "${everything[@]}" || exit 2
if printf '%s\n' "${lines[@]}" | grep -q '| refine |' && fails ./refine_compare --count "$containers"; then
    echo "the comparison of refinements fails without any mutant"
    exit 2
fi

# A test that fails without any mutant would seem to notice all of them.
for file in $(printf '%s\n' "${lines[@]%% |*}" | sort -u); do
    unit=$(unit_test_of "$file") || continue
    if ! { compile "$unit" objects/unit.o && link unit objects/unit.o objects/tests/oracle/*.o "${everything[@]}"; } || fails ./unit; then
        echo "$unit fails without any mutant"
        exit 2
    fi
done

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
