#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: bench/cdsspec.sh [--quick] [NAME...]        (through ./dev bench cdsspec)
# Figures 6 and 7 of the CDSSpec paper (Ou, Demsky) for the subjects of examples/cdsspec, all of them or those named, with the paper's
# figures beside ours. Figure 6: executions and seconds of the paper's driver; what compiling takes is apart. Figure 7: every order of every
# atomic access and fence that is not relaxed becomes relaxed, one at a time (plumb check --order); the execution that shows it is an
# error of some kind, or all executions were explored and nothing is wrong: then the order is unneeded by this driver. What the paper's
# driver does not need is tried with a larger one (-DEXTENDED). What that does not need either has to have a reason in
# examples/cdsspec/UNNEEDED. --quick leaves out the injections.
set -euo pipefail
export LC_ALL=C
cd "$(dirname "$0")/.."

quick=
case ${1:-} in
--quick) quick=1 && shift ;;
-*) echo "usage: bench/cdsspec.sh [--quick] [NAME...]" >&2 && exit 2 ;;
esac
plumb=$PWD/build/bin/plumb
zoo=$PWD/examples/cdsspec
only=" $* "

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
cd "$work"

# Figures of the paper: executions, feasible ones, seconds; injections, detected by race, uninitialised load, condition, synchronization.
subjects() {
    cat <<END
chase_lev chase_lev.c 1365 232 0.15 10 0 2 3 2
spsc_queue spsc_queue.c 19 15 0.01 2 2 0 0 0
rcu rcu.cpp 1269 756 0.11 3 0 0 1 2
hash_table hash_table.cpp 30941 25731 11.39 5 0 0 0 2
mcs_lock mcs_lock.c 19501 13546 2.62 4 0 0 0 4
mpmc_queue mpmc_queue.cpp 170220 93224 45.63 6 0 0 0 2
ms_queue ms_queue.c 168 114 0.05 11 0 6 3 0
rwlock rwlock.c 148053 405 13.06 8 0 0 0 8
END
}

chosen() { # NAME
    [ "$only" = "  " ] || [[ $only == *" $1 "* ]]
}

compile() { # PROGRAM FILE FLAGS...
    local program=$1 file=$2 compiler=plumb-cc
    shift 2
    case $file in *.cpp) compiler='plumb-c++' ;; esac
    "$zoo/../../build/bin/$compiler" "$@" -o "$program" "$zoo/$file"
}

# The program's answer is in answer.json; exit codes other than those of a verdict end the bench.
check() { # PROGRAM OPTIONS...
    local code=0
    "$plumb" check "./$1" "${@:2}" --json answer.json --trace trace.plr -q >out 2>&1 || code=$?
    case $code in
    0 | 1 | 3) ;;
    *) cat out >&2 && echo "bench: plumb check $* answers $code" >&2 && exit 1 ;;
    esac
}

member() { # NAME
    grep -o "\"$1\":\"\\?[^,\"}]*" answer.json | head -n 1 | sed 's/.*:"\?//'
}

seconds_of() { # COMMAND...
    local start=$EPOCHREALTIME
    "$@"
    awk -v a="$start" -v b="$EPOCHREALTIME" 'BEGIN { printf "%.2f", b - a }'
}

print_mark() { # MET TEXT
    printf '%s  %s\n' "$([ "$1" = yes ] && echo 'met   ' || echo missed)" "$2"
}

# --- figure 6 --------------------------------------------------------------------------------------------------------

differing='' failing='' total=0
figure_6_row() { # NAME PROGRAM BUILDING PAPER...
    local name=$1 program=$2 building=$3 executions seconds verdict
    shift 3
    check "$program"
    executions=$(member executions) seconds=$(member seconds) verdict=$(member verdict)
    [ "$verdict" = holds ] || failing+=" $program"
    check "$program" --no-annotations
    [ "$(member executions)" = "$executions" ] || differing+=" $program"
    [ $# -eq 0 ] || total=$(awk -v a="$total" -v b="$seconds" 'BEGIN { print a + b }')
    printf '%-18s %-9s %10d %10d %9.3f %9.2f   ' "$name" "$verdict" "$executions" "$(member executions)" "$seconds" "$building"
    [ $# -eq 0 ] || printf '%10d %10d %9.2f' "$@"
    echo
}

figure_6() {
    local building
    printf '%-18s %-9s %10s %10s %9s %9s   %10s %10s %9s\n' 'figure 6' '' executions unannot. seconds building 'paper: ex.' feasible seconds
    while read -r name file executions feasible seconds _; do
        chosen "$name" || continue
        building=$(seconds_of compile "$name" "$file")
        figure_6_row "$name" "$name" "$building" "$executions" "$feasible" "$seconds"
        building=$(seconds_of compile "${name}_extended" "$file" -DEXTENDED)
        figure_6_row '  larger driver' "${name}_extended" "$building"
    done < <(subjects)
    echo
    print_mark "$([ -z "$failing" ] && echo yes)" "all subjects hold${failing:+: but not$failing}"
    print_mark "$([ -z "$differing" ] && echo yes)" "as many executions with annotations as without${differing:+: but not$differing}"
    print_mark "$(awk -v t="$total" 'BEGIN { if (t < 1) print "yes" }')" \
        "all together under 1 s with the paper's drivers: $(printf '%.3f' "$total") s; paper: 73 s"
}

# --- figure 7 --------------------------------------------------------------------------------------------------------

# The orders that are not relaxed: "line order", with /failure behind the line for what a comparison has when it fails. The line
# is that of the call.
sites_of() { # FILE
    awk '
        /^#ifdef BUG/ { skip = 1 }
        /^#else|^#endif/ { skip = 0 }
        skip { next }
        {
            rest = $0
            while (match(rest, /(atomic_[a-z_]+|[.](load|store|exchange|compare_exchange_[a-z]+|fetch_[a-z]+)) *\(|memory_order_[a-z_]+/)) {
                word = substr(rest, RSTART, RLENGTH)
                rest = substr(rest, RSTART + RLENGTH)
                if (word !~ /^memory_order/) { line = NR; orders = 0; continue }
                sub(/memory_order_/, "", word)
                if (++orders > 2) print "more than two orders at " line > "/dev/stderr"
                if (word != "relaxed") print line (orders == 2 ? "/failure" : ""), word
            }
        }' "$zoo/$1"
}

# What becomes of an order of one site: race, uninitialised, condition, synchronization, stuck, other, unneeded, open.
classify() { # PROGRAM FILE:LINE ORDER
    check "$1" --order "$2=$3" --time 60
    case $(member verdict) in
    holds) echo unneeded ;;
    violated) ;;
    *) echo open && return ;;
    esac
    case $(member error) in
    race | uninitialised | condition | synchronization) member error ;;
    ordering-points) echo condition ;;
    deadlock | endless | livelock) echo stuck ;;
    ?*) echo other ;;
    esac
}

reason_of() { # FILE:LINE ORDER
    awk -F '\t' -v site="$1" -v order="$2" '$1 == site && $2 == order { print $3 }' "$zoo/UNNEEDED"
}

print_row_7() { # TITLE COUNTS...
    local title=$1
    shift
    # shellcheck disable=SC2059
    printf '%-22s %10d %6d %7d %10d %6d %6d %6d %9d %6d' "$title" "$@"
    awk -v n="$1" -v d="$(($2 + $3 + $4 + $5 + $6 + $7))" 'BEGIN { printf " %5.0f %%\n", n ? 100 * d / n : 100 }'
}

declare -A sum
count() { # TABLE NAME KIND
    sum[$1,$2,$3]=$((${sum[$1,$2,$3]:-0} + 1))
    sum[$1,,$3]=$((${sum[$1,,$3]:-0} + 1))
}

print_table_row() { # TABLE NAME TITLE
    local kind counts=() injections=0
    for kind in race uninitialised condition synchronization stuck other unneeded open; do
        counts+=("${sum[$1,$2,$kind]:-0}")
        injections=$((injections + ${sum[$1,$2,$kind]:-0}))
    done
    print_row_7 "$3" "$injections" "${counts[@]}"
}

# Lines "NAME SITE ORDER WITH_PAPERS_DRIVER WITH_EITHER" in the file injections.
inject() { # NAME FILE
    local line order site first second
    while read -r line order; do
        site=$2:${line%/failure}
        [ "$site" = "$2:$line" ] || site+=/failure
        first=$(classify "$1" "$site" relaxed) second=$first
        [ "$first" != unneeded ] || second=$(classify "$1_extended" "$site" relaxed)
        echo "$1 $site $order $first $second" >>injections
        count paper "$1" "$first"
        count both "$1" "$second"
    done < <(sites_of "$2")
}

print_head_7() { # TITLE
    printf '%-22s %10s %6s %7s %10s %6s %6s %6s %9s %6s %7s\n' "$1" injections race uninit. conditions sync stuck other unneeded open rate
}

figure_7() {
    local name file injections race uninitialised condition synchronization rest
    while read -r name file rest; do
        ! chosen "$name" || inject "$name" "$file"
    done < <(subjects)
    echo
    print_head_7 'figure 7'
    while read -r name file _ _ _ injections race uninitialised condition synchronization; do
        chosen "$name" || continue
        print_table_row paper "$name" "$name"
        print_row_7 '  paper' "$injections" "$race" "$uninitialised" "$condition" "$synchronization" 0 0 \
            $((injections - race - uninitialised - condition - synchronization)) 0
        print_table_row both "$name" '  and larger driver'
    done < <(subjects)
    print_table_row paper '' 'all'
    print_row_7 '  paper' 49 2 8 7 20 0 0 12 0
    print_table_row both '' '  and larger driver'
}

print_injections() {
    local name site order first second reason
    printf '\n%-28s %-8s %-16s %s\n' 'site' 'order' "paper's driver" 'larger driver'
    while read -r name site order first second; do
        reason=$(reason_of "$site" "$order")
        [ "$second" = unneeded ] || reason=
        [ "$second" != unneeded ] || [ -n "$reason" ] || without_reason+=" $site"
        [ "$first" = unneeded ] || second=
        printf '%-28s %-8s %-16s %s%s\n' "$site" "$order" "$first" "$second" "${reason:+: $reason}"
    done <injections
}

without_reason=
figure_6
if [ -z "$quick" ]; then
    figure_7
    print_injections
    echo
    open=$((${sum[paper,,open]:-0} + ${sum[both,,open]:-0}))
    print_mark "$([ $open -eq 0 ] && echo yes)" "every injection is detected, or proved harmless for the driver: $open open"
    print_mark "$(awk '{ n++; d += $5 != "unneeded" } END { if (d >= 0.9 * n) print "yes" }' injections)" \
        "at least 90 % are detected by one of the drivers: $(awk '{ n++; d += $5 != "unneeded" } END { print d " of " n }' injections)"
    print_mark "$([ -z "$without_reason" ] && echo yes)" "every other one has a reason${without_reason:+: but not$without_reason}"
fi
