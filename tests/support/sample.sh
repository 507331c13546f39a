# shellcheck shell=bash disable=SC2034
# SPDX-License-Identifier: Apache-2.0
# One of EVERY programs, about, and at least one of each folder, in `sample`. By their names: a new program changes nothing for the others,
# but where it is the only one of its folder, and samples with other numbers have mostly the same ones.
declare -A sample
choose_sample() { # EVERY NAME...
    local every=$1 name folder k code hash
    local -A least=() lowest=()
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
            least[$folder]=$hash lowest[$folder]=$name
        fi
    done
    for folder in "${!lowest[@]}"; do
        [ "${least[$folder]}" -eq -1 ] || sample[${lowest[$folder]}]=1
    done
}
