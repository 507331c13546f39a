#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: bench/sync.sh [--time S] [-k TEXT]        (through ./dev bench sync -- OPTIONS)
# Rules of synchronization on all harnesses that there are. First those of tests/programs/wrong/sync, which publish with relaxed accesses
# and have no plain payload: violated, with the sentence that says so; with the orders of right/sync they hold. Then right programs
# (examples, tests/programs/right): tests of up to 2 calls in 2 threads, for at most S seconds (10) each, or those that its
# LIST or the program names. None of them may break a rule.
set -euo pipefail
export LC_ALL=C
cd "$(dirname "$0")/.."

seconds=10 text=''
while [ $# -gt 0 ]; do
    case $1 in
    --time) seconds=$2 && shift 2 ;;
    -k) text=$2 && shift 2 ;;
    *) sed -n '3,7s/^# //p' bench/sync.sh >&2 && exit 2 ;;
    esac
done
plumb=$PWD/build/bin/plumb
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

field() { # FILE NAME
    sed -n "1,10s|^/[*/] $2: \(.*[^ ]\) \*/\$|\1|p; 1,10s|^// $2: \(.*\)\$|\1|p" "$1" | head -n 1
}

# Answers 0, 1, 3 are verdicts.
run() { # WORDS...
    local code=0
    rm -f "$work/answer"
    "$plumb" "$@" >"$work/out" 2>&1 || code=$?
    case $code in
    0 | 1 | 3) ;;
    *) cat "$work/out" >&2 && echo "bench: plumb $* answers $code" >&2 && exit 1 ;;
    esac
}

member() { # NAME
    grep -o "\"$1\":\"\\?[^,\"}]*" "$work/answer" | head -n 1 | sed 's/.*:"\?//' || true
}

print_mark() { # MET TEXT
    printf '%s  %s\n' "$([ "$1" = yes ] && echo 'met   ' || echo missed)" "$2"
}

# --- relaxed publication -------------------------------------------------------------------------------------------------

check_own() { # FILE
    local flags=() options=()
    readarray -t options < <(field "$1" flags-plumb | xargs -r printf '%s\n')
    readarray -t flags < <(field "$1" flags | xargs -r printf '%s\n')
    run check "$1" "${options[@]}" --json "$work/answer" --trace "$work/t.plr" --no-repair -- -pthread "${flags[@]}"
}

# What is said below the line of the error, as one line.
sentence() {
    awk '/ error: / { inside = 1; next } inside && /^$|^  rule / { exit } inside { sub(/^ +/, ""); printf "%s ", $0 }' "$work/out"
}

unnoticed='' alarmed=''
print_publication() { # FILE OF WRONG/SYNC
    local name right=tests/programs/right/sync/${1##*/} executions
    name=$(basename "$1")
    check_own "$right"
    executions=$(member executions)
    [ "$(member verdict)" = holds ] || alarmed+=" $right"
    check_own "$1"
    [ "$(member error)" = synchronization ] || unnoticed+=" $1"
    printf '%-20s %10d  %-9s %s\n' "$name" "$executions" "$(member verdict)" "$(sentence)"
}

# --- right programs ------------------------------------------------------------------------------------------------------

# "file<tab>cflags<tab>options<tab>tests, divided by ';'"; tests -: all small ones, own: as the program's comments say
right_programs() {
    local file
    awk -F '\t' '!/^#/ && $3 == "holds" { print "examples/auto/" $1 "\t" $2 "\t-\t-" }' examples/auto/LIST
    awk -F '\t' '!/^#/ && $6 == "pass" { print "examples/lineup/" $2 "\t" $3 "\t-\t-" }' examples/lineup/LIST
    awk -F '\t' '!/^#/ && $7 == "pass" && $5 == "-" { print "examples/roundup/" $2 "\t" $3 "\t--spec " $4 "\t" $6 }' examples/roundup/LIST
    awk -F '\t' '!/^#/ && NF { print "examples/orders/" $2 "\t" $3 "\t-\t" $4 }' examples/orders/LIST
    printf '%s\t-\t-\t-\n' examples/harness/{locked_queue.c,locked_stacks.cpp,michael_scott.c} bench/clients/{michael_scott_reclaims,treiber}.c
    printf '%s\t-\t-\t%s\n' bench/clients/herlihy_wing.c 'enq(1) deq | enq(2) deq; enq(1) enq(2) => deq | deq'
    grep -rl 'plumb\.h' tests/programs/right | sort | while read -r file; do printf '%s\t-\t-\town\n' "$file"; done
}

programs=0 with_rules=0 tests=0 executions=0
count_answer() { # FILE
    ! grep -q '"synchronization of operations"' "$work/answer" || has=yes
    ! grep -q '"error":"synchronization"' "$work/answer" || alarmed+=" $1"
    verdicts[$(member verdict)]=1
    ran=$((ran + $(member tests | grep . || echo 1))) took=$((took + $(member executions)))
}

print_right() { # FILE CFLAGS OPTIONS TESTS
    local options=() flags=() has=no test ran=0 took=0
    local -A verdicts=()
    [ "$2" = - ] || read -ra flags <<<"$2"
    [ "$3" = - ] || read -ra options <<<"$3"
    if [ "$4" = own ] && [ "$(field "$1" command)" != auto ]; then
        check_own "$1"
        count_answer "$1"
    elif [ "$4" = own ] || [ "$4" = - ]; then
        run auto "$1" --size 2x2 --all --time "$seconds" "${options[@]}" --json "$work/answer" -q -- -pthread "${flags[@]}"
        count_answer "$1"
    else
        while read -rd ';' test; do
            run check "$1" --test "$test" "${options[@]}" --json "$work/answer" --trace "$work/t.plr" -q -- -pthread "${flags[@]}"
            count_answer "$1"
        done <<<"$4;"
    fi
    printf '%-66s %-5s %7d %10d  %s\n' "$1${flags[*]:+ ${flags[*]}}" $has $ran $took "${!verdicts[*]}"
    programs=$((programs + 1))
    [ $has = no ] || { with_rules=$((with_rules + 1)) tests=$((tests + ran)) executions=$((executions + took)); }
}

echo 'Relaxed publication; executions: with the orders that are needed'
printf '%-20s %10s  %-9s %s\n' program executions verdict 'what is said'
for file in tests/programs/wrong/sync/*; do
    [[ $file == *"$text"* ]] && print_publication "$file"
done
printf '\n%-66s %-5s %7s %10s  %s\n' 'right programs' rules tests executions verdicts
while IFS=$'\t' read -r file cflags options tests_of; do
    ! [[ $file == *"$text"* ]] || print_right "$file" "$cflags" "$options" "$tests_of"
done < <(right_programs)
printf '\n%d programs, %d with rules: %d tests, %d executions\n' $programs $with_rules $tests $executions
print_mark "$([ -z "$unnoticed" ] && echo yes)" "every relaxed publication is noticed${unnoticed:+: but not$unnoticed}"
print_mark "$([ -z "$alarmed" ] && echo yes)" "no false alarm${alarmed:+: but$alarmed}"
