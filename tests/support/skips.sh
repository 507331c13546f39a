# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# Cases that do not run are counted, with a reason: source this, call `skip REASON [NUMBER]`, and end with `summary`.
declare -A skips=()

skip() { # REASON [NUMBER]
    skips[$1]=$((${skips[$1]:-0} + ${2:-1}))
}

# Is PROGRAM installed? If not, NUMBER cases are skipped.
has_tool() { # PROGRAM [NUMBER]
    command -v "$1" >/dev/null || { skip "$1 is not installed" "${2:-1}" && return 1; }
}

summary() { # NOUN RUN FAILED
    local reason all=0 reasons=''
    while IFS= read -r reason; do
        [ "$reason" ] || continue
        all=$((all + skips[$reason]))
        reasons+="${reasons:+; }${skips[$reason]} $reason"
    done < <(printf '%s\n' "${!skips[@]}" | sort)
    echo "$1: $2 run, $3 failed${reasons:+, $all skipped ($reasons)}"
}
