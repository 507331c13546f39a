#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: bench/monitor.sh [--full | --quick]        (through ./dev bench monitor)
# How long `plumb monitor` takes on synthetic, on adversarial and on key-value histories, end
# to end, how its work grows per tenfold history, and what it is over that of
# reading and ranking. Seconds are the best of BENCH_REPEAT runs; what takes longer than
# BENCH_LIMIT is given up, and longer histories of the kind are left out. --full adds ten million operations, --quick stops at a
# hundred thousand; BENCH_SPECS, BENCH_SIZES, BENCH_THREADS override.
set -euo pipefail
export LC_ALL=C
cd "$(dirname "$0")/.."

plumb=build/bin/plumb
adversarial=build/release/bench/adversarial
clients=build/release/bench/kv_clients
nodes=build/release/bench/search_nodes
specs=${BENCH_SPECS:-queue stack pqueue set register map multiset counter bag deque kv}
sizes="10000 100000 1000000"
adversarial_ops=1000000
case ${1:-} in
--full) sizes="$sizes 10000000" ;;
--quick) sizes="10000 100000" adversarial_ops=100000 ;;
"") ;;
*) echo "usage: bench/monitor.sh [--full | --quick]" >&2 && exit 2 ;;
esac
sizes=${BENCH_SIZES:-$sizes}
threads=${BENCH_THREADS:-2 8 32}
repeat=${BENCH_REPEAT:-3}
limit=${BENCH_LIMIT:-20} # seconds after which a run is given up

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

# Our marks and the best public tool measured, for a million operations of
# eight threads, end to end: seconds, megabytes, the tool's seconds.
mark_of() {
    case $1 in
    queue) echo "0.50 150 1.0" ;;
    stack) echo "1.00 300 2.0" ;;
    pqueue) echo "0.90 - 1.9" ;;
    set) echo "0.35 47 0.65" ;;
    register) echo "0.50 - out-of-memory" ;;
    map) echo "0.60 - 1.9" ;;
    *) echo "- - -" ;;
    esac
}

generate() { # SPEC OPS THREADS
    "$plumb" generate "$1" --ops "$2" --threads "$3" --seed 1
}

# One run: prints "exit-code read decide certify total peak_kib". The total is taken from outside; the
# rest is what -v says: "A s reading, B s deciding, C s certifying; peak memory D MiB".
run_once() { # SPEC FILE
    local code=0 start=$EPOCHREALTIME end
    timeout "$limit" "$plumb" monitor -v --spec "$1" "$2" >"$work/out" 2>"$work/err" || code=$?
    end=$EPOCHREALTIME
    awk -v code=$code -v start="$start" -v end="$end" '
        /s reading, / {
            for (i = 3; i <= NF; i++) {
                if ($i ~ /^(reading|deciding|certifying)/) spent[substr($i, 1, 4)] = $(i - 2)
                if ($i == "MiB") peak = $(i - 1) * 1024
            }
        }
        END { print code, spent["read"] + 0, spent["deci"] + 0, spent["cert"] + 0, end - start, peak + 0 }' "$work/err"
}

# The best of several runs, by total time; one is enough when it is long.
run_best() { # SPEC FILE
    local i started
    for ((i = 0; i < repeat; i++)); do
        started=$SECONDS
        run_once "$1" "$2"
        [ $((SECONDS - started)) -lt 10 ] || break
    done | sort -k5,5g | sed 1q
}

print_row() { # EXPECTED-CODE "CODE READ DECIDE CERTIFY TOTAL PEAK" MARK-S MARK-MB TOOL-S LABELS...
    local expected=$1 measured=$2 mark=$3 mark_mb=$4 tool=$5
    shift 5
    awk -v expected="$expected" -v mark="$mark" -v mark_mb="$mark_mb" -v tool="$tool" -v a="$1" -v b="$2" -v c="$3" '
        {
            verdict = $1 == 0 ? "holds" : $1 == 1 ? "violated" : $1 == 3 ? "inconclusive" : "exit " $1
            if ($1 == 124) verdict = "gave up"
            note = $1 == expected ? "" : "  UNEXPECTED"
            if (mark != "-") {
                mb = $6 * 1024 / 1e6
                met = $5 <= mark && (mark_mb == "-" || mb <= mark_mb)
                note = note sprintf("  mark %s s%s: %s; best tool %s", mark, mark_mb == "-" ? "" : " " mark_mb " MB",
                    met ? "met" : "MISSED", tool == "out-of-memory" ? "out of memory" : tool == "none" ? "unknown" : tool " s")
            }
            printf "%-9s %10s %7s  %7.3f %7.3f %7.3f %8.3f %8.1f  %s%s\n", a, b, c, $2, $3, $4, $5,
                $6 * 1024 / 1e6, verdict, note
        }' <<<"$measured"
}

print_head() {
    printf '%-9s %10s %7s  %7s %7s %7s %8s %8s  verdict\n' spec ops "$1" read decide certify total MB
}

bench_synthetic() {
    local spec size count mark measured
    echo "== synthetic histories (seconds, best of $repeat)"
    print_head threads
    for spec in $specs; do
        for count in $threads; do
            for size in $sizes; do
                generate "$spec" "$size" "$count" >"$work/history" || continue
                mark="- - -"
                [ "$size $count" != "1000000 8" ] || mark=$(mark_of "$spec")
                measured=$(run_best "$spec" "$work/history")
                # shellcheck disable=SC2086
                print_row 0 "$measured" $mark "$spec" "$size" "$count"
                [[ $measured != 124\ * ]] || break
            done
        done
    done
}

bench_adversarial() {
    local family spec expected ops
    echo "== adversarial histories (seconds, best of $repeat)"
    print_head family
    for family in open deep overlap late; do
        for spec in queue stack pqueue set register; do
            expected=0 ops=$adversarial_ops
            [ $family != late ] || expected=1
            [ $family != deep ] || ops=$((2 * adversarial_ops)) # as deep as the others are long
            "$adversarial" $family $spec $ops >"$work/history"
            print_row $expected "$(run_best $spec "$work/history")" - - - $spec $ops $family
        done
    done
}

# Key-value stores: 50 clients that overlap nearly always.
bench_clients() {
    local way expected ops mark
    echo "== puts, appends and gets of 50 clients on 10 keys (seconds, best of $repeat)"
    print_head way
    for ops in 2000 $sizes; do
        for way in right equal broken; do
            expected=0 mark=-
            [ $way != broken ] || expected=1
            [ "$ops" != 2000 ] || mark=1.00
            [ "$ops" != 1000000 ] || mark=2.00
            "$clients" $way 50 10 "$ops" >"$work/history"
            print_row $expected "$(run_best kv "$work/history")" $mark - none kv "$ops" $way
        done
    done
    echo "== appends and gets of 50 clients on one key"
    print_head way
    for way in long torn; do
        expected=0
        [ $way != torn ] || expected=1
        "$clients" $way 50 1 2000 >"$work/history"
        print_row $expected "$(run_best kv "$work/history")" 1.00 - none kv 2000 $way
    done
}

# Specifications with parameters, and such as have no algorithm of their own.
bench_parameters() {
    local spec ops
    echo "== specifications with parameters, 8 threads (seconds, best of $repeat)"
    print_head threads
    for spec in "queue(weak)" "stack(weak)" "register(weak)" "queue(cap=4)" "queue(cap=64)" "stack(cap=100)" "queue(cap=64, weak)" multiregister snapshot; do
        for ops in 2000 20000; do
            generate "$spec" $ops 8 >"$work/history"
            print_row 0 "$(run_best "$spec" "$work/history")" - - - "$spec" $ops 8
        done
    done
}

# The general search, and a plain one after Wing, Gong and Lowe.
bench_nodes() {
    local spec broken
    echo "== steps of both searches, 1000 operations of 6 threads"
    for spec in register lock semaphore multiregister snapshot counter "queue(cap=4)" "stack(cap=4)" "deque(cap=4)" bag pqueue map; do
        for broken in "" --broken; do
            "$plumb" generate "$spec" --ops 1000 --threads 6 --seed 3 $broken >"$work/history"
            printf '%-14s %-9s%s\n' "$spec" "$broken" "$("$nodes" "$spec" "$work/history")"
        done
    done
}

# Instructions of the whole run, and of reading, packing and ranking operations. Nothing when it takes longer than the limit: they are counted some
# fifty times slower than run.
count_instructions() { # SPEC FILE
    timeout "$limit" valgrind --tool=callgrind --callgrind-out-file="$work/profile" \
        "$plumb" monitor --spec "$1" "$2" >"$work/out" 2>"$work/err" || [ $? -ne 124 ] || return 0
    callgrind_annotate --inclusive=yes --threshold=100 "$work/profile" 2>/dev/null | awk '
        { gsub(",", "", $1) }
        /PROGRAM TOTALS/ { total = $1 }
        /:format_read_rest/ && !reading { reading = $1 }
        /:rows_pack/ && !packing { packing = $1 }
        /:order_rank/ && !ranking { ranking = $1 }
        END { print total, reading + packing + ranking }'
}

bench_growth() {
    local spec small large
    echo "== instructions for 100000 operations of 8 threads: over those for 10000 (10 is linear), and over those of reading, packing and ranking operations (mark 2)"
    for spec in $specs; do
        generate "$spec" 10000 8 >"$work/small" || continue
        generate "$spec" 100000 8 >"$work/large"
        small=$(count_instructions "$spec" "$work/small")
        large=${small:+$(count_instructions "$spec" "$work/large")}
        if [ -z "$small" ] || [ -z "$large" ]; then
            echo "$spec: gave up after $limit s"
            continue
        fi
        awk -v spec="$spec" '{
            printf "%-9s %8.1f M -> %8.1f M  factor %.2f  over the floor %.2f: %s\n", spec, $1 / 1e6, $3 / 1e6, $3 / $1, $3 / $4,
                $3 <= 2 * $4 ? "met" : "MISSED"
        }' <<<"$small $large"
    done
}

echo "plumb $("$plumb" --version 2>/dev/null | head -n 1 | sed 's/^plumb //'), $(nproc) cores," \
    "$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)"
bench_synthetic
bench_adversarial
bench_clients
bench_parameters
bench_nodes
bench_growth
