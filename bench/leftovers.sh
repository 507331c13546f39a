#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: bench/leftovers.sh [--count N] [--seed S] [-k TEXT]       (through ./dev bench leftovers -- OPTIONS)
# Nothing is left behind, neither files in TMPDIR (whose name has spaces) nor processes: each command is ended N times (20) at a random
# moment, by Ctrl-C once or twice, by SIGTERM or SIGHUP, or runs to its end; on disks of every small size up to what it needs; and by kill -9,
# after which the next run removes what is left.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 2

count_each=20 seed=1 filter='' jobs=$(nproc)
while [ $# -gt 0 ]; do
    case $1 in
    --count) count_each=${2-} ;;
    --seed) seed=${2-} ;;
    -k) filter=${2-} ;;
    *) sed -n '3,6s/^# //p' "$0" >&2 && exit 2 ;;
    esac
    shift 2 || exit 2
done
outer=$(mktemp -d -p /tmp)
mkdir "$outer/a folder"
ln -s "$PWD" "$outer/tree" # commands below are split at spaces
root=$outer/tree plumb=$outer/tree/build/bin/plumb
export TMPDIR="$outer/a folder"
# shellcheck source=tests/support/cases.sh
source tests/support/cases.sh
trap 'rm -rf "$outer"' EXIT
RANDOM=$seed
own_mounts=(unshare -rm)
[ "$(id -u)" -ne 0 ] || own_mounts=(unshare -m)
skipped=''

declare -A commands=(
    [check]="$plumb check $root/tests/programs/wrong/race/plain/c11_threads.c"
    [check-clang]="env PLUMB_CC=clang $plumb check $root/tests/programs/wrong/race/plain/c11_threads.c"
    [check-mistake]="$plumb check $root/README.md"
    [check-annotated]="$plumb check $root/examples/cdsspec/mcs_lock.c"
    [check-jobs]="$plumb check --jobs 2 $root/examples/cdsspec/rwlock.c"
    [task]="$plumb check $root/tests/svcomp/race_free/mutex_counter.yml"
    [auto]="$plumb auto $root/examples/first/queue.c"
    [orders]="$plumb orders $root/examples/orders/treiber.c"
    [stress]="$plumb stress $root/examples/first/queue.c --time 1"
    [prove]="$plumb prove $root/examples/prove/treiber_tags.c"
    [own-spec]="$plumb monitor --spec $root/examples/specs/account.c $root/examples/specs/account.jsonl"
    [plumb-cc]="$root/build/bin/plumb-cc $root/tests/programs/wrong/race/plain/c11_threads.c -o program"
    [plumb-cc-mistake]="$root/build/bin/plumb-cc -x c $root/README.md -o program"
    [plumb-cc-clang]="env PLUMB_CC=clang $root/build/bin/plumb-cc $root/tests/programs/wrong/race/plain/c11_threads.c -o program"
    [plumb-cc-annotated]="$root/build/bin/plumb-cc -c $root/examples/cdsspec/mcs_lock.c -o program.o"
)

# As a terminal does: the whole group gets the signal.
end_by() { # WHO SIGNAL TIMES MILLISECONDS COMMAND
    local words tool k
    read -ra words <<<"$5"
    setsid env --default-signal=INT,TERM,HUP "${words[@]}" >"$output" 2>&1 </dev/null &
    tool=$!
    sleep "$(printf '%d.%03d' $(($4 / 1000)) $(($4 % 1000)))"
    for ((k = 0; k < $3; k++)); do
        if [ "$1" = group ]; then kill "-$2" -- "-$tool"; else kill "-$2" "$tool"; fi 2>/dev/null
        [ "$3" -eq 1 ] || sleep 0.03
    done
    wait "$tool"
    [ $? -ne 70 ] || printf ' internal error'
    wait_for_processes
}

# Those that a signal has reached may take a moment to end.
wait_for_processes() {
    local tries=0
    while [ $((tries++)) -lt 40 ] && [ -n "$(processes)" ]; do sleep 0.05; done
}

# kill -9 of the tool, or of plumb-cc and its compiler; then another run, which sweeps.
kill_hard() { # WHO MILLISECONDS COMMAND
    end_by "$1" KILL 1 "$2" "$3"
    "$plumb" check "$root/tests/programs/wrong/race/plain/c11_threads.c" >"$output" 2>&1 </dev/null
}

fill_disk() { # KIBIBYTES INODES COMMAND
    local words
    read -ra words <<<"$3"
    # shellcheck disable=SC2016
    "${own_mounts[@]}" bash -c 'mount -t tmpfs -o "size=$1k,nr_inodes=$2" none "$TMPDIR" || exit 99
        "${@:3}" >/dev/null 2>&1 </dev/null; status=$?
        ls -A "$TMPDIR"
        [ $status -ne 70 ] || echo "internal error"' - "$1" "$2" "${words[@]}" 2>&1
}

try_command() { # NAME
    local command=${commands[$1]} k size who
    for ((k = 0; k < count_each; k++)); do
        who=group
        [ $((RANDOM % 4)) -gt 0 ] || who=tool
        case $((k % 5)) in
        0 | 1) start_case "$1, Ctrl-C" end_by $who INT 1 $((RANDOM % 2500)) "$command" ;;
        2) start_case "$1, Ctrl-C twice" end_by $who INT 2 $((RANDOM % 2500)) "$command" ;;
        3) start_case "$1, SIGTERM" end_by $who TERM 1 $((RANDOM % 1500)) "$command" ;;
        4) start_case "$1, SIGHUP" end_by $who HUP 1 $((RANDOM % 1500)) "$command" ;;
        esac
    done
    start_case "$1, to the end" end_by tool INT 0 0 "$command"
    for ((k = 0; k < (count_each + 3) / 4; k++)); do
        [[ $1 == plumb-cc* ]] || start_case "$1, kill -9" kill_hard tool $((RANDOM % 2000)) "$command"
        start_case "$1, kill -9 of all" kill_hard group $((RANDOM % 2000)) "$command"
    done
    "${own_mounts[@]}" true 2>/dev/null || { skipped=1 && return; }
    for size in 4 8 16 32 64 256 1024; do
        start_case "$1, a disk of $size KiB" fill_disk $size 1000 "$command"
    done
    for size in 1 2 3 4 5 6 8 12; do
        start_case "$1, $size files on a disk" fill_disk 100000 $size "$command"
    done
}

for name in $(printf '%s\n' "${!commands[@]}" | sort); do
    try_command "$name"
done
[ -z "$skipped" ] || echo "disks that are full: not tried, because nothing can be mounted here"
end_cases
