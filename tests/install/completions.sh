#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: completions.sh bash|zsh|fish PLUMB
# Command lines are completed by the shell itself, with what `plumb help --completion` writes for it.
set -uo pipefail
shell=${1-} plumb=$(realpath "${2:?usage: completions.sh bash|zsh|fish PLUMB}") || exit 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
cd "$work" || exit 2
"$plumb" help --completion "$shell" >_plumb || exit 1
touch harness.c

# What the shell offers for a command line, the last word of which is not complete, one in each line; zsh: the line when it is.
offers_bash() { # WORD...
    # shellcheck disable=SC2016 # for the shell that is tried
    bash --norc -c 'source ./_plumb; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _plumb; printf "%s\n" "${COMPREPLY[@]}"' bash "$@"
}

offers_fish() {
    # shellcheck disable=SC2016
    HOME=$work fish --no-config -c 'source ./_plumb; complete -C "$argv"' "$*" | cut -f 1
}

# It completes only for a terminal; the last word of the line afterwards, which ends in = where a value follows.
offers_zsh() {
    # shellcheck disable=SC2016
    HOME=$work zsh -f -c '
        zmodload zsh/zpty
        zpty shell zsh -f -i
        zpty -w shell "PS1=; fpath=($PWD \$fpath); autoload -U compinit; compinit -u -D; echo RE\"\"ADY"
        zpty -r shell line "*READY*"
        zpty -n -w shell "$1"$'"'\\t'"'
        for try in {1..100}; do
            while zpty -r -t shell line; do print -rn -- "$line"; seen+=$line; done
            [[ $seen == *$2* ]] && break
            sleep 0.1
        done' zsh "$*" "$wanted" |
        sed -E -e 's/\x1b\[[0-9;?]*[A-Za-z]/\n/g' | tr '\b\r ' '\n\n\n' | sed 's/=$//'
}

count=0 failed=0
expect() { # WANTED WORD...: is it among what is offered?
    local wanted=$1 got
    shift
    count=$((count + 1))
    got=$("offers_$shell" "$@" 2>&1)
    grep -qxF -- "$wanted" <<<"$got" && return
    failed=$((failed + 1))
    printf 'FAILED %s: no %s in\n%s\n' "$*" "$wanted" "$got"
}

expect version plumb ver
expect --races plumb check --rac
expect --json plumb monitor --js
case $shell in
bash)
    expect monitor plumb ''
    expect tso plumb check --memory t
    expect tso plumb check --memory = t
    expect monitor plumb help mon
    expect queue plumb check harness.c --spec qu
    expect harness.c plumb check --spec har
    ;;
fish)
    expect monitor plumb ''
    expect tso plumb check --memory t
    expect harness.c plumb check har
    expect queue plumb check harness.c --spec que
    expect harness.c plumb check --spec har
    ;;
zsh)
    expect --memory=tso plumb check --memory=t
    expect --spec=queue plumb check harness.c --spec=que
    expect --spec=harness.c plumb check --spec=har
    ;;
esac
echo "$count completions of $shell, $failed missing"
[ "$failed" -eq 0 ]
