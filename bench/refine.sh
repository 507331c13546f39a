#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: bench/refine.sh [--quick] [SECTION]        (through ./dev bench refine)
# plumb refine on the models, with what the paper on quasi refinement reports (bench/rows/refine_rows.txt) beside it. Columns:
#   verdict      ours; the line says so if it is not the expected one
#   pairs        pairs of a state and a set of explanations; `states` of the model; steps taken (`transitions`)
#   seconds      of the whole process, the best of BENCH_REPEAT runs (1); MB: its largest size
#   paper        its states, transitions, seconds (its machine had 8 GB; MOut: they were not enough)
# Marks: the seconds of the row, and 200 MB for rows of the tables; `done`: any time will do. A run may take BENCH_SECONDS (120),
# and a sixth of that if it has no mark. --quick: at most 6 seconds a run. SECTION: only sections whose title has this text.
set -euo pipefail
export LC_ALL=C
cd "$(dirname "$0")/.."

limit=${BENCH_SECONDS:-120} repeat=${BENCH_REPEAT:-1}
if [ "${1:-}" = --quick ]; then limit=6 && shift; fi
only=${1:-}
plumb=$(realpath "${PLUMB:-build/bin/plumb}")
[ -x "$plumb" ] || { echo "bench: no plumb at $plumb" >&2 && exit 2; }
rows=$PWD/bench/rows/refine_rows.txt
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
cd models

met=0 missed=0 differ=0 others=()

member() { # NAME: the first member of that name in answer.json
    tr ',{}' '\n' <"$work/answer.json" | sed -n 's/^"'"$1"'":"\{0,1\}\([^"]*\)"\{0,1\}$/\1/p' | head -n 1
}

# Leaves verdict, pairs, states, transitions, seconds, kib.
measure() { # OPTIONS MARK
    local options status run now most=$limit
    [ "$2" != - ] || most=$((limit / 6))
    read -ra options <<<"$1"
    seconds=''
    for ((run = 0; run < repeat; run++)); do
        status=0
        echo >"$work/answer.json"
        local began=$EPOCHREALTIME
        "$plumb" refine "${options[@]}" --time "$most" --json "$work/answer.json" -q >"$work/output" 2>&1 || status=$?
        now=$(awk "BEGIN { print $EPOCHREALTIME - $began }")
        case $status in
        0) verdict=holds ;;
        1) verdict=violated ;;
        3) verdict=gave-up ;;
        *) verdict="status-$status" && sed 's/^/    /' "$work/output" >&2 ;;
        esac
        [ -n "$seconds" ] && awk "BEGIN { exit !($seconds <= $now) }" || seconds=$now
    done
    kib=$(member peak_kib)
    pairs=$(member pairs) states=$(member states) transitions=$(member transitions)
}

# met, missed, or nothing to meet
judge() { # MARK TABLE
    case $1 in
    -) word='' && return ;;
    done) [ "$verdict" = "$expected" ] && word='met done' || word='missed done' ;;
    *)
        word="missed $1 s"
        if [ "$verdict" = "$expected" ] && awk "BEGIN { exit !($seconds < $1) }"; then word="met $1 s"; fi
        if [ -n "$2" ] && [ "${kib:-0}" -ge $((200 * 1024)) ]; then word="missed 200 MB"; fi
        ;;
    esac
    case $word in met*) met=$((met + 1)) ;; *) missed=$((missed + 1)) ;; esac
}

row() { # NAME OPTIONS STATES TRANSITIONS SECONDS PAPER-VERDICT EXPECTED MARK NOTE
    local expected=$7 word='' note=${9:-}
    measure "$2" "$8"
    judge "$8" "$in_table"
    if [ "$verdict" != "$expected" ] && { [ "$8" != - ] || [ "$verdict" != gave-up ]; }; then
        note="EXPECTED $expected" && differ=$((differ + 1)) && others+=("$1 $2: $verdict")
    elif [ "$6" != - ] && [ "$6" != "$verdict" ] && [ "$verdict" != gave-up ]; then
        note="the paper says $6; $note"
    fi
    printf '%-26s %8s %9s %9s %11s %8.2f %6d | %8s %8s %7s   %s%s\n' "$1" "$verdict" "${pairs:--}" "${states:--}" \
        "${transitions:--}" "$seconds" $((${kib:-0} / 1024)) "$3" "$4" "$5" "$word" "${note:+   $note}"
}

while IFS=$'\t' read -r name options paper_states paper_transitions paper_seconds paper_verdict expected mark note; do
    case $name in
    '#'* | '') continue ;;
    '== '*)
        shown=''
        [[ $name == *"$only"* ]] || continue
        shown=1 in_table=''
        case $name in *--trace*) ;; '== Table'*) in_table=1 ;; esac
        printf '\n%s\n%-26s %8s %9s %9s %11s %8s %6s | %8s %8s %7s   %s\n' "${name#== }" '' verdict pairs states transitions \
            seconds MB 'paper: st' transit. seconds mark
        continue
        ;;
    esac
    [ -z "$shown" ] || row "$name" "$options" "$paper_states" "$paper_transitions" "$paper_seconds" "$paper_verdict" "$expected" \
        "$mark" "$note"
done <"$rows"
printf '\n%d rows met their marks, %d missed; %d verdicts differ from those expected\n' "$met" "$missed" "$differ"
[ "$differ" -eq 0 ] || printf '  %s\n' "${others[@]}"
[ "$differ" -eq 0 ]
