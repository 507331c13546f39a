#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: bench/lineup.sh [--full | --quick] [NAME...]        (through ./dev bench lineup)
# Table 2 of the Line-Up paper (PLDI 2010) for the classes of examples/lineup, all of them or those named in its LIST. For
# each version: random tests of 3 threads with 3 calls each, as many as the paper's 100 (--quick: 10), in two phases, never
# bounded; and the smallest size of a test that shows its root cause, searched with the cause's own calls, small tests first.
# Below each line is the paper's, in minutes. Times are of the wall clock; a failing test's includes that it is confirmed.
# --full gives a test half an hour instead of half a minute. BENCH_JOBS: tests at a time; BENCH_MEMORY: the memory model;
# BENCH_SEED: another sample; BENCH_KEEP: a folder for what `plumb auto --table` wrote.
set -euo pipefail
export LC_ALL=C
cd "$(dirname "$0")/.."

samples=100 test_time=30
case ${1:-} in
--full) test_time=1800 && shift ;;
--quick) samples=10 test_time=3 && shift ;;
-*) echo "usage: bench/lineup.sh [--full | --quick] [NAME...]" >&2 && exit 2 ;;
esac
plumb=$PWD/build/bin/plumb
zoo=$PWD/examples/lineup
memory=${BENCH_MEMORY:-rc11}
only=" $* "

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

# The paper's row for a version of ours: smallest size, histories of phase 1 (average, most), minutes of phase 1 (the same),
# tests passed and failed, minutes for one that passes and one that fails, preemption bound. Some versions have none; those
# of the blocking collection that have one cause each share the row of the class that had them all.
paper_of() {
    case $1 in
    lazy) echo "- 60 68 0.07 0.07 100 0 9.7 - 2" ;;
    event_pre) echo "2x3 828 1680 3.31 8.36 93 7 12.9 19.9 2" ;;
    event) echo "- 76 133 0.07 0.07 100 0 170.5 - 2" ;;
    semaphore) echo "- 1511 1680 3.91 7.31 100 0 18.1 - 1" ;;
    countdown) echo "- 410 1680 1.20 4.95 100 0 6.3 - 2" ;;
    dictionary) echo "- 1678 1680 7.02 10.94 100 0 6.8 - 1" ;;
    queue_pre) echo "2x2 1680 1680 6.00 6.33 43 57 33.8 5.7 2" ;;
    queue) echo "- 1680 1680 6.37 6.77 100 0 33.7 - 2" ;;
    linked_list_pre) echo "2x2 1674 1680 8.54 12.36 80 20 5.8 2.0 1" ;;
    stack) echo "- 1680 1680 3.49 3.68 100 0 1.3 - 2" ;;
    blocking_collection_pre) echo "2x2 850 1680 4.09 17.84 13 87 109.6 47.4 2" ;;
    blocking_collection_count | blocking_collection_cancel) echo "2x2 259 501 0.07 0.07 43 57 205.3 68.7 2" ;;
    blocking_collection_take) echo "3x2 259 501 0.07 0.07 43 57 205.3 68.7 2" ;;
    bag_pre) echo "2x2 1680 1680 4.18 4.52 75 25 1.7 0.4 1" ;;
    bag_take) echo "2x2 1680 1680 4.05 4.43 87 13 0.6 3.2 2" ;;
    task_completion_pre) echo "2x2 1432 1680 7.30 20.26 65 35 32.9 9.4 2" ;;
    task_completion_beta) echo "2x2 1209 1680 5.98 11.95 53 47 53.3 3.7 2" ;;
    cancellation) echo "- 1680 1680 4.49 5.74 100 0 9.6 - 2" ;;
    barrier) echo "2x2 1166 1680 4.10 7.02 22 78 7.0 1.5 2" ;;
    esac
}

run_auto() { # TABLE FILE CFLAGS OPTIONS...
    local table=$1 file=$2 cflags=() code=0
    [ "$3" = - ] || read -ra cflags <<<"$3"
    shift 3
    "$plumb" auto "$zoo/$file" "$@" --memory "$memory" ${BENCH_JOBS:+--jobs "$BENCH_JOBS"} --test-time "$test_time" \
        --table "$table" --reproduce "$work/repro.c" --trace "$work/trace.plr" -q \
        -- ${cflags[@]+"${cflags[@]}"} </dev/null >"$work/out" 2>&1 || code=$?
    case $code in
    0 | 1 | 3) ;;
    *) cat "$work/out" >&2 && echo "bench: plumb auto $file answers $code" >&2 && exit 1 ;;
    esac
}

# The calls of a test, each once, as --calls wants them.
calls_of() { # TEST
    tr -s ' |' '\n' <<<"$1" | sort -u | paste -sd ';' -
}

# Threads x most calls of a thread of the first test that failed; "none".
smallest_failing() { # TABLE
    awk -F '\t' '$2 == "fail" {
        threads = split($8, column, / \| /)
        for (t = 1; t <= threads; t++) {
            calls = split(column[t], ignored, " ")
            if (calls > most) most = calls
        }
        print threads "x" most
        found = 1
        exit
    }
    END { if (!found) print "none" }' "$1"
}

# Small tests first, so the first that fails has the smallest size.
find_smallest() { # FILE CFLAGS TEST
    run_auto "$work/sizes" "$1" "$2" --size 3x2 --calls "$(calls_of "$3")"
    smallest_failing "$work/sizes"
}

# Of a table: "histories-avg histories-max seconds-avg seconds-max passed failed unknown pass-avg pass-median fail-avg
# fail-median"; "-" where there is none.
figures_of() { # TABLE
    sort -t $'\t' -k 7,7g "$1" | awk -F '\t' '
        function average(sum, count) { return count ? sprintf("%.2f", sum / count) : "-" }
        function median(verdict) {
            n = count[verdict]
            return n ? sprintf("%.2f", (seconds[verdict, int((n + 1) / 2)] + seconds[verdict, int(n / 2) + 1]) / 2) : "-"
        }
        {
            histories += $3 + $4; if ($3 + $4 > histories_most) histories_most = $3 + $4
            serial += $5; if ($5 > serial_most) serial_most = $5
            seconds[$2, ++count[$2]] = $7
            sum[$2] += $7
        }
        END {
            printf "%.0f %d %.3f %.3f %d %d %d %s %s %s %s\n", histories / NR, histories_most, serial / NR, serial_most,
                count["pass"], count["fail"], count["unknown"], average(sum["pass"], count["pass"]), median("pass"),
                average(sum["fail"], count["fail"]), median("fail")
        }'
}

head_format='%-27s %-5s %-6s %13s %15s %4s %4s %5s %15s %15s  %s\n'
print_head() {
    # shellcheck disable=SC2059
    printf "$head_format" "version ($memory)" cause size histories 'phase 1 s' pass fail incon. 'passing s' 'failing s' bound
    # shellcheck disable=SC2059
    printf "$head_format" '' '' '' 'avg   max' 'avg     max' '' '' '' 'avg  median' 'avg  median' ''
}

print_version() { # NAME CAUSE SIZE FIGURES...
    local name=$1 cause=$2 size=$3
    shift 3
    # shellcheck disable=SC2059
    printf "$head_format" "$name" "$cause" "$size" "$(printf '%6s %6s' "$1" "$2")" "$(printf '%7s %7s' "$3" "$4")" \
        "$5" "$6" "$7" "$(printf '%7s %7s' "$8" "$9")" "$(printf '%7s %7s' "${10}" "${11}")" none
}

in_minutes() { # FIGURE
    [ "$1" = - ] && echo - || echo "${1}m"
}

print_paper() { # SIZE HISTORIES MOST MINUTES MOST PASSED FAILED PASSING FAILING BOUND
    # shellcheck disable=SC2059
    printf "$head_format" '  paper' '' "$1" "$(printf '%6s %6s' "$2" "$3")" \
        "$(printf '%7s %7s' "$(in_minutes "$4")" "$(in_minutes "$5")")" "$6" "$7" '' \
        "$(printf '%7s %7s' "$(in_minutes "$8")" '')" "$(printf '%7s %7s' "$(in_minutes "$9")" '')" "${10}"
}

versions=0 causes=0 found=0 missed='' false_alarms='' unknown=0
run_version() { # NAME FILE CFLAGS CAUSE TEST EXPECTED
    local name=$1 cause=$4 expected=$6 size=- figures paper
    [ "$expected" = pass ] || size=$(find_smallest "$2" "$3" "$5")
    run_auto "$work/$name" "$2" "$3" --random 3x3 --samples "$samples" --seed "${BENCH_SEED:-1}" --all
    read -ra figures < <(figures_of "$work/$name")
    print_version "$name" "$cause" "$size" "${figures[@]}"
    read -ra paper < <(paper_of "$name") || true
    [ ${#paper[@]} -eq 0 ] || print_paper "${paper[@]}"

    versions=$((versions + 1)) unknown=$((unknown + figures[6]))
    if [ "$expected" = pass ]; then
        [ "${figures[5]}" -eq 0 ] || false_alarms+=" $name"
    else
        causes=$((causes + 1))
        if [ "$size" = none ] && [ "${figures[5]}" -eq 0 ]; then missed+=" $cause"; else found=$((found + 1)); fi
    fi
}

print_mark() { # MET TEXT
    printf '%s  %s\n' "$([ "$1" = yes ] && echo 'met   ' || echo missed)" "$2"
}

print_head
while IFS=$'\t' read -r name file cflags cause test expected; do
    case $name in '#'* | '') continue ;; esac
    [ "$only" = "  " ] || [[ $only == *" $name "* ]] || continue
    run_version "$name" "$file" "$cflags" "$cause" "$test" "$expected"
done <"$zoo/LIST"
[ $versions -gt 0 ] || { echo "bench: no such version" >&2 && exit 2; }

# All rows, with the version in front.
for table in "$work"/*; do
    case $(basename "$table") in sizes | out | repro.c | trace.plr) continue ;; esac
    sed "s/^/$(basename "$table")\t/" "$table"
    [ -z "${BENCH_KEEP:-}" ] || cp "$table" "$BENCH_KEEP/"
done >"$work/out"

printf '\nMost executions\n'
sort -t $'\t' -k 7,7nr "$work/out" | awk -F '\t' '{ printf "%10d %8.2f s  %-7s %s: %s\n", $7, $8, $3, $1, $9 }' | awk "NR <= 5"
if [ $unknown -gt 0 ]; then
    printf '\nGiven up after %s s: %d\n' "$test_time" "$unknown"
    awk -F '\t' '$3 == "unknown" { printf "%10d %8.2f s  %s: %s\n", $7, $8, $1, $9 }' "$work/out"
fi

echo
print_mark "$([ -z "$missed" ] && echo yes)" "every root cause is found: $found of $causes${missed:+; not:$missed}"
print_mark "$([ -z "$false_alarms" ] && echo yes)" "no false alarm${false_alarms:+: but$false_alarms}"
# One that was given up counts as one that passes, with the time it had: it might have.
medians=$(sort -t $'\t' -k 8,8g "$work/out" | awk -F '\t' '
    function median(n, which) { return (seconds[which, int((n + 1) / 2)] + seconds[which, int(n / 2) + 1]) / 2 }
    $3 == "pass" || $3 == "unknown" { seconds[$1, ++count[$1]] = $8; seconds["", ++all] = $8 }
    END {
        for (name in count)
            if (median(count[name], name) >= worst) { worst = median(count[name], name); slowest = name }
        printf "%.2f %.2f %s\n", all ? median(all, "") : 0, worst, slowest
    }')
read -r median worst slowest <<<"$medians"
print_mark "$(awk -v m="$median" 'BEGIN { if (m < 2) print "yes" }')" \
    "median passing test of 3x3 under 2 s: $median s; of the slowest version, $slowest, $worst s"
