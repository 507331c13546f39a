#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: own_specs.sh [--update] PLUMB
# docs/own_specs.md says what is so: each block of code under '<!-- FILE -->' is in examples/specs/FILE as it stands, and the
# commands of a block 'console' print, in that folder, what follows them. --update stores what they print.
set -euo pipefail
update=
if [ "$1" = --update ]; then
    update=1
    shift
fi
plumb=$(realpath "$1")
root=$(realpath "$(dirname "$0")/../..")
page=$root/docs/own_specs.md
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin"
ln -s "$plumb" "$work/bin/plumb"
cp -r "$root/examples/specs" "$work/specs"
cd "$work/specs"

run() { # COMMAND
    PATH="$work/bin:$PATH" LC_ALL=C.UTF-8 bash -c "$1" </dev/null 2>&1 || true
}

# The page as it should be: blocks of code and data from the files, the output of commands as it is.
again() {
    local line file='' block='' kind=''
    while IFS= read -r line; do
        case $kind in
        '')
            printf '%s\n' "$line"
            if [[ $line == '<!-- '*' -->' ]]; then
                file=${line#<!-- }
                file=${file% -->}
            elif [[ $line == '```console' ]]; then
                kind=console
            elif [[ $line == '```'?* && $file ]]; then
                kind=code block=''
            elif [ -n "$line" ]; then
                file=''
            fi
            ;;
        code)
            if [ "$line" != '```' ]; then
                block+=$line$'\n'
                continue
            fi
            [[ $(<"$file")$'\n' == *"$block"* ]] || printf 'not in %s as it stands:\n' "$file"
            printf '%s```\n' "$block"
            kind='' file=''
            ;;
        console)
            case $line in
            '$ '*) printf '%s\n' "$line" && run "${line#\$ }" ;;
            '```') printf '%s\n' "$line" && kind='' ;;
            esac
            ;;
        esac
    done <"$page"
}

again >"$work/again"
if [ -n "$update" ]; then
    cp "$work/again" "$page"
else
    diff -u "$page" "$work/again"
fi
