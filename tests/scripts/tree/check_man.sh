#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: check_man.sh PLUMB
# The manual pages, one for each command: the sections that a page has, every option of --help, and nothing that a formatter would complain about.
# Every option is on a page of docs and in the completions, too.
set -euo pipefail

plumb=$(readlink -f -- "$1")
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=tests/support/skips.sh
source "$(dirname "${BASH_SOURCE[0]}")/../.."/support/skips.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
pages=0 failures=0

complain() {
    echo "$*"
    failures=$((failures + 1))
}

options_of() { # COMMAND
    "$plumb" help "$1" | grep -oE '^ +(-[a-zA-Z], |    )?--[a-z-]+' | grep -oE -- '--[a-z-]+' | sort -u
}

check_page() { # COMMAND; its page is in `page`
    local section option
    for section in NAME SYNOPSIS OPTIONS; do
        grep -qE "^\.SH \"?$section" page || complain "plumb-$1.1 has no section $section"
    done
    sed 's/\\-/-/g' page >plain
    while read -r option; do
        grep -qF -- "$option" plain || complain "plumb-$1.1 does not list $option"
    done < <(options_of "$1")
    # Words that a formatter would take for requests.
    ! grep -vE '^\.(nf|fi)$' page | grep -E "^'|^\.[^A-Z\\\\]" || complain "plumb-$1.1: a line of text begins like a request"
    if has_tool groff; then
        groff -man -Tutf8 -ww page >formatted 2>warnings || complain "plumb-$1.1 cannot be formatted"
        [ ! -s warnings ] || complain "plumb-$1.1: $(head -1 warnings)"
    fi
    pages=$((pages + 1))
}

"$plumb" help --man >page
grep -q '^.SH NAME' page || complain "plumb.1 has no section NAME"
for command in $("$plumb" help | sed -n 's/^  \([a-z]*\)  .*/\1/p'); do
    "$plumb" help --man "$command" >page || complain "plumb help --man $command fails"
    check_page "$command"
    options_of "$command" | sed "s/^/$command /" >>all_options
done

# Every option is on a page of docs and in the completions, and the options that a page names in backquotes exist.
root=$(cd "$here/../../.." && pwd)
cat "$root"/README.md "$root"/SECURITY.md "$root"/docs/*.md >documented
for shell in bash zsh fish; do "$plumb" help --completion "$shell" >"completion.$shell"; done
while read -r command option; do
    grep -qE -- "(^|[^a-z-])$option([^a-z-]|\$)" documented || complain "no page of docs has $option of plumb $command"
    for shell in bash zsh fish; do
        grep -qE -- "[^a-z-](--|l )?${option#--}([^a-z-]|\$)" "completion.$shell" || complain "the completion for $shell lacks $option"
    done
done < <(grep -v -- "--help\$" all_options | sort -u -k2,2)
others=' --plumb-show --ranks --oversubscribe --allow-run-as-root --array ' # of plumb-cc, plumb-mpi, mpirun and sbatch
for option in $(grep -oE '`--[a-z][a-z-]+' documented | tr -d '`' | sort -u); do
    grep -qE -- " $option\$" all_options || [[ $others == *" $option "* ]] || complain "a page of docs has $option, which no command has"
done

# Those that are written by hand: well formed, and with all that the sources have.
has() { # PAGE WORD
    grep -qF -- "$2" plain || complain "$1 does not mention $2"
}
check_written() { # PAGE WORDS...
    local page=$1 word
    shift
    sed 's/\\-/-/g' "$root/docs/man/$page" >plain
    for word in "$@"; do has "$page" "$word"; done
    if has_tool groff; then
        groff -man -Tutf8 -ww "$root/docs/man/$page" >formatted 2>warnings || complain "$page cannot be formatted"
        [ ! -s warnings ] || complain "$page: $(head -1 warnings)"
    fi
    pages=$((pages + 1))
}
mapfile -t words < <(sed -n '1,12p' "$root/src/compile/plumb_cc_main.c" | grep -oE 'PLUMB_[A-Z_]+|--plumb-[a-z]+' | sort -u)
check_written plumb-cc.1 "${words[@]}"
mapfile -t words < <(grep -oE '^#define PLUMB_[A-Z_]*[A-Z]\(|plumb_(choose|assume|thread)\(' "$root/include/plumb.h" | sed 's/^#define //; s/($//' | sort -u)
check_written plumb.h.3 "${words[@]}"
mapfile -t words < <("$plumb" convert --help | sed -n '/^formats:/,/^$/s/^ *\([a-z]*\)  .*/\1/p')
[ ${#words[@]} -ge 5 ] || complain "plumb convert lists ${#words[@]} formats"
check_written plumbline-formats.5 "${words[@]}"
[ $pages -gt 8 ] || complain "only $pages pages were found"
summary "pages" $pages $failures
[ $failures -eq 0 ]
