# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2154
# For scripts whose programs misbehave. `start_case NAME FUNCTION ARGUMENTS...` runs a function, up to $jobs of them at a time, each in a
# folder of its own. What it prints is what went wrong; $output is the file for the tool's output. Afterwards no process may be left
# (every one inherits a mark in its environment, by which /proc is searched), and no file in TMPDIR. $filter: only names with that text.

work=$(mktemp -d "${TMPDIR:-/tmp}/cases.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
log=$work/log
touch "$log"

count=0
# A case runs as a function in a folder of its own, TMPDIR below it, several at a time.
start_case() { # NAME FUNCTION ARGUMENTS...
    local name=$1
    shift
    [[ $name == *"$filter"* ]] || return 0
    count=$((count + 1))
    while [ "$(jobs -rp | wc -l)" -ge "$jobs" ]; do wait -n; done
    (
        mark=CASE_$$_$count output=$work/$count/output
        export TMPDIR=$work/$count/tmp MARK=$mark
        mkdir -p "$TMPDIR" "$work/$count/here"
        cd "$work/$count/here" || exit 1
        problem=$("$@")
        problem+=$(find_leftovers)
        [ -z "$problem" ] || {
            printf 'FAILED %s:%s\n' "$name" "$problem"
            head -n 5 "$output" 2>/dev/null | sed 's/^/         /'
        } | tee -a "$log"
    ) &
}

processes() ( # the marked ones; those of the search itself carry no mark
    export -n MARK
    grep -lszx "MARK=$mark" /proc/[0-9]*/environ 2>/dev/null | cut -d / -f 3 | while read -r pid; do
        [ -e "/proc/$pid/exe" ] && echo "$pid"
    done
)

find_leftovers() {
    local -a left files
    readarray -t left < <(processes)
    [ ${#left[@]} -eq 0 ] || printf ' %d processes left' ${#left[@]}
    while [ ${#left[@]} -gt 0 ]; do
        kill -9 "${left[@]}" 2>/dev/null
        sleep 0.1
        readarray -t left < <(processes)
    done
    readarray -t files < <(ls -A "$work/$count/tmp")
    [ ${#files[@]} -eq 0 ] || printf ' files left (%s)' "${files[*]}"
}

end_cases() {
    local failed
    wait
    failed=$(grep -c '^FAILED' "$log")
    echo "$count cases, $failed failed"
    [ "$count" -gt 0 ] && [ "$failed" -eq 0 ]
}
