# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# For scripts with many cases. What does not run is counted, with a reason: call `skip REASON [NUMBER]`, and end with `summary`.
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

# The comments on top of a program, by name, in `fields`. Without another process: there are hundreds of programs.
declare -A fields
read_fields() { # FILE
    local line number=0
    local shape='^/\* ([a-z0-9-]+): (.*) \*/$'
    fields=()
    while IFS= read -r line && [ $((number++)) -lt 10 ]; do
        [[ ! $line =~ $shape ]] || fields[${BASH_REMATCH[1]}]=${BASH_REMATCH[2]}
    done <"$1"
}

# One of EVERY programs, about, and at least one of each folder, in `sample`. By their names: a new program changes nothing for the others,
# but where it is the only one of its folder, and samples with other numbers have mostly the same ones.
declare -A sample
choose_sample() { # EVERY NAME...
    local every=$1 name folder k code hash
    local -A least=() first=()
    shift
    sample=()
    for name in "$@"; do
        hash=0 folder=${name%/*}
        for ((k = 0; k < ${#name}; k++)); do
            printf -v code %d "'${name:k:1}"
            hash=$(((hash * 31 + code) & 0x7fffffff))
        done
        hash=$((hash ^ hash >> 15))
        if [ $((hash % every)) -eq 0 ]; then
            sample[$name]=1 least[$folder]=-1
        elif [ "$hash" -lt "${least[$folder]:-$((1 << 31))}" ]; then
            least[$folder]=$hash first[$folder]=$name
        fi
    done
    for folder in "${!first[@]}"; do
        [ "${least[$folder]}" -eq -1 ] || sample[${first[$folder]}]=1
    done
}
