#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: bench/loops.sh [OPTIONS]        (through ./dev bench loops -- OPTIONS)
# Loops as people write them (bench/loops): does exploring them end, and with the right answer? A table: the answer, executions
# (complete, blocked, folded), seconds, what was cut, and what was expected; then how many were decided, bounded or wrong.
#   --cc gcc|clang         the compiler (gcc)
#   --memory rc11|sc|tso   the memory model (rc11)
#   --time S               for each program (15)
#   --jobs N               programs at the same time (1)
#   --only FILE            the programs that the file names, one in a line
#   -k TEXT                only programs whose name contains TEXT
#   --define NAME=VALUE    for the compiler: SPINS=10000 (1000) is how long those of bench/loops/spinning spin
#   --with OPTION          one more option of plumb check
#   --must-decide          an answer that is not decided is an error, too
# The comments on top of a program say what is right:
#   /* expect: holds */  /* expect: violated */   with /* error: A|B */ or what is found is not looked at
#   /* wrong: A|B */     with -DWRONG it is violated by one of these errors; in one model: /* wrong-sc: holds */
#   /* bounded: yes */   a server: an answer up to a bound is as good
# Exit code: 0, 1 for a wrong answer, 2 wrong usage.
set -uo pipefail
export LC_ALL=C
cd "$(dirname "$0")/.." || exit 2

usage() {
    sed -n '3,19s/^# //p' bench/loops.sh >&2
    exit 2
}

cc=gcc memory=rc11 seconds=15 jobs=1 only='' text='' with='' define='' must_decide=''
one='' # what each of the jobs is called with
while [ $# -gt 0 ]; do
    [ "$1" != --must-decide ] || { must_decide=1 && shift && continue; }
    [ $# -ge 2 ] || usage
    case $1 in
    --cc) cc=$2 ;;
    --memory) memory=$2 ;;
    --time) seconds=$2 ;;
    --jobs) jobs=$2 ;;
    --only) only=$2 ;;
    -k) text=$2 ;;
    --with) with+=" $2" ;;
    --define) define=$2 ;;
    --one) one=$2 ;;
    *) usage ;;
    esac
    shift 2
done
case $cc,$memory in gcc,rc11 | gcc,sc | gcc,tso | clang,rc11 | clang,sc | clang,tso) ;; *) usage ;; esac
plumb=${PLUMB:-$PWD/build/bin/plumb}
work=${LOOPS_WORK:-}

field() { # FILE NAME
    sed -n "1,10s|^/\* $2: \(.*\) \*/\$|\1|p" "$1" | head -n 1
}

# The answer that is right: "holds" or "violated ERRORS".
expected() { # FILE WRONG
    local answer
    if [ -z "$2" ]; then
        answer=$(field "$1" "expect-$memory")
        answer=${answer:-$(field "$1" expect)}
        [ "$answer" != violated ] || answer="violated $(field "$1" error)"
    else
        answer=$(field "$1" "wrong-$memory")
        answer=${answer:-violated $(field "$1" wrong)}
    fi
    echo "$answer"
}

# The programs and, where there is one, their wrong twins: "name" or "name WRONG".
list_programs() {
    local file
    for file in bench/loops/*/*.c bench/loops/*/*.cpp; do
        [[ ${file##*/} == *"$text"* ]] || continue
        echo "${file##*/}"
        ! grep -q '^/\* wrong: ' "$file" || echo "${file##*/} WRONG"
    done | if [ -n "$only" ]; then grep -Fx -f "$only"; else cat; fi
}

# --- one program -----------------------------------------------------------------------------------------------------

# Was this compiled from the FILE as it is now, by the compiler as it is now?
is_newest() { # COMPILED FILE
    local file
    for file in "$2" build/bin/plumb-{cc,as,instrument} include/{,plumb/,plumb/{libstdc++/bits,compiler}/}*.h; do
        [ "$1" -nt "$file" ] || return 1
    done
}

# Programs are kept: compiling takes longer than deciding most of them.
compile() { # FILE OUTPUT WRONG
    local compiler=build/bin/plumb-cc native=$cc flags=()
    [[ $1 != *.cpp ]] || { compiler='build/bin/plumb-c++' && flags=(-std=c++20); }
    [[ $1 != *.cpp || $cc != gcc ]] || native=g++
    [[ $1 != *.cpp || $cc != clang ]] || native=clang++
    ! is_newest "$2" "$1" || return 0
    mkdir -p "${2%/*}"
    PLUMB_CC=$native PLUMB_CXX=$native "$compiler" "$1" ${3:+-DWRONG} ${define:+-D"$define"} "${flags[@]}" -pthread -o "$2.$$" && mv "$2.$$" "$2"
}

member() { # NAME: the first of this name in the answer
    grep -o "\"$1\":\"\\?[^,\"}]*" answer.json 2>/dev/null | head -n 1 | sed 's/.*:"\?//'
}

# The first limit of the answer; programs are named without their folder.
limit_of() {
    grep -o '"limits":\["[^"]*"' answer.json 2>/dev/null | sed 's/.*\["\(.*\)"/\1/; s|[^ (]*bench/loops/[a-z]*/||g'
}

grade() { # EXPECTED VERDICT ERROR BOUNDED_IS_RIGHT
    case $2,$1 in
    holds,holds) echo decided ;;
    violated,violated\ ) echo decided ;;
    violated,violated\ *) [[ "|${1#violated }|" == *"|$3|"* ]] && echo decided || echo WRONG ;;
    holds,* | violated,*) echo WRONG ;;
    inconclusive,*) [ "$4" = yes ] && [ "$1" = holds ] && echo server || echo bounded ;;
    *) echo WRONG ;;
    esac
}

# A row, divided by tabs: name, verdict, executions, complete, blocked, folded, seconds, limit, expected, grade.
check_one() { # NAME [WRONG]
    local file wrong=${2:-} code=0 folder program verdict error want executions blocked folded options=()
    file=$(echo bench/loops/*/"$1")
    folder=$work/$1$wrong program=$PWD/build/loops/$cc${define:+.$define}/$1$wrong
    mkdir -p "$folder"
    want=$(expected "$file" "$wrong")
    compile "$file" "$program" "$wrong" >"$folder/log" 2>&1 || { cat "$folder/log" >&2 && return 1; }
    read -ra options <<<"$with"
    cd "$folder" || return 1
    timeout -k 5 $((seconds + 10)) "$plumb" check "$program" --memory "$memory" --time "$seconds" --no-repair "${options[@]}" \
        --json answer.json --trace t.plr >log 2>&1 </dev/null || code=$?
    verdict=$(member verdict) error=$(member error) executions=$(member executions) blocked=$(member blocked) folded=$(member folded)
    case $code in 0 | 1 | 3) ;; *) verdict="exit $code" ;; esac
    executions=${executions:-0} blocked=${blocked:-0} folded=${folded:-0}
    printf '%s\t' "$1${wrong:+ WRONG}" "$verdict${error:+ $error}" "$executions" $((executions - blocked - folded)) "$blocked" "$folded" \
        "$(member seconds)" "$(limit_of)" "$want"
    cd - >/dev/null || return 1
    grade "$want" "$verdict" "$error" "$(field "$file" bounded)"
}

if [ -n "$one" ]; then
    read -ra words <<<"$one"
    check_one "${words[@]}" >"$work/row.$$" && mv "$work/row.$$" "$work/${one/ /}.row"
    exit
fi

# --- all of them -----------------------------------------------------------------------------------------------------

print_row() { # COLUMNS OF A ROW...
    local name=${1/ WRONG/, wrong}
    printf '%-35s %-22s %9s %9s %8s %8s %8.2f  %-8s %-34s %s\n' "$name" "$2" "$3" "$4" "$5" "$6" "${7:-0}" "${10:-WRONG}" "$9" "$8"
}

summarise() { # ROWS...
    cat "$@" | awk -F '\t' -v must="$must_decide" '
        { count[$NF]++; seconds += $7 }
        $NF == "WRONG" { wrong = wrong "\n  wrong: " $1 ": " $2 ", expected: " $9 }
        END {
            printf "%d programs: %d decided, %d servers with a bound, %d bounded, %d wrong; %.1f s\n", NR, count["decided"], count["server"],
                count["bounded"], count["WRONG"], seconds
            if (wrong != "") print substr(wrong, 2)
            exit (count["WRONG"] > 0 || NR == 0 || (must != "" && count["bounded"] > 0))
        }'
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
readarray -t programs < <(list_programs)
[ ${#programs[@]} -gt 0 ] || { echo "bench: no such programs" >&2 && exit 2; }
printf '%-35s %-22s %9s %9s %8s %8s %8s  %-8s %-34s %s\n' "$cc, $memory" answer executions complete blocked folded seconds grade expected limit
export LOOPS_WORK=$work PLUMB=$plumb
printf '%s\0' "${programs[@]}" |
    xargs -0 -P "$jobs" -I{} bash bench/loops.sh --cc "$cc" --memory "$memory" --time "$seconds" --with "$with" --define "$define" --one {} &
running=$!
rows=()
for program in "${programs[@]}"; do
    row=$work/${program/ /}.row
    while [ ! -s "$row" ] && kill -0 $running 2>/dev/null; do sleep 0.05; done
    [ -s "$row" ] || printf '%s\tfailed\t0\t0\t0\t0\t0\t\t\tWRONG\n' "$program" >"$row"
    rows+=("$row")
    readarray -d $'\t' -t columns < <(tr -d '\n' <"$row")
    print_row "${columns[@]}"
done
wait $running
echo
summarise "${rows[@]}"
