#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every model in SPIN and in promela_states: the same number of states, and errors in both or in none. For the number, SPIN
# optimises nothing away (-o1 -o2 -o3, -DNOREDUCE), and we keep the values of dead variables.
# usage: spin.sh PROMELA_STATES [FILE...]
set -euo pipefail
cd "$(dirname "$0")/../.."

states=$(realpath "$1")
shift
[ $# -gt 0 ] || set -- models/*.pml tests/promela/*.pml
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Most models take far longer to compile than to search.
if command -v tcc >/dev/null; then compiler=(tcc); else compiler=(cc -O0); fi

failed=0 compared=0

fail() {
    echo "FAIL $1"
    failed=$((failed + 1))
}

# Large models in sizes that take a second.
sizes_of() { # FILE
    case $(basename "$1") in
    queue_clustered.pml | segmented_queue.pml) echo -DFACTOR=1 -DSEGMENTS=2 ;;
    segmented_queue_fine.pml) echo -DFACTOR=1 -DSEGMENTS=1 ;;
    queue_two_lock.pml) echo -DNODES=3 ;;
    esac
}

compare() { # FILE
    local file=$1 folder options=() ours theirs our_error=no their_error=no define
    folder=$(dirname "$file")
    read -ra options < <(sizes_of "$file") || true
    local ours_options=()
    for define in "${options[@]}"; do ours_options+=(-D "${define#-D}"); done
    rm -rf "$work/m" && mkdir "$work/m"
    cp "$folder"/*.pml "$work/m"
    cp models/plumb.pml "$work/m"
    if ! (cd "$work/m" && spin -a -o1 -o2 -o3 "${options[@]}" "$(basename "$file")") >"$work/spin.log" 2>&1 ||
        grep -qi '\berror\b' "$work/spin.log"; then
        fail "$file: SPIN refuses it: $(grep -i error "$work/spin.log" | head -n 1)"
        return
    fi
    (cd "$work/m" && "${compiler[@]}" -w -DNOREDUCE -DSAFETY -DVECTORSZ=4096 -o pan pan.c && timeout 60 ./pan -E -m2000000) >"$work/pan.log"
    ours=$(timeout 60 "$states" "${ours_options[@]}" "$file" 2>&1) || {
        fail "$file: $ours"
        return
    }
    grep -q 'errors: 0$' "$work/pan.log" || their_error=yes
    grep -q ' 0 faults' <<<"$ours" || our_error=yes
    theirs=$(sed -n 's/^ *\([0-9]*\) states, stored.*/\1/p' "$work/pan.log")
    ours=$(sed -n 's/^\([0-9]*\) states, .*/\1/p' <<<"$ours")
    compared=$((compared + 1))
    if [ $their_error != $our_error ]; then
        fail "$file: an error in SPIN: $their_error, in ours: $our_error"
    elif [ $our_error = no ] && [ "$ours" != "$theirs" ]; then
        fail "$file: $theirs states in SPIN, $ours in ours"
    fi
}

for file in "$@"; do
    # Not a model by itself: what others include, and specifications that nothing runs.
    [ "$(basename "$file")" != plumb.pml ] || continue
    grep -qE '^(active|init)' "$file" || continue
    compare "$file"
done
echo "$compared models compared, $failed failed"
[ $failed -eq 0 ] && [ $compared -gt 0 ]
