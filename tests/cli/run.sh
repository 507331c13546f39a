#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Golden tests of the command line: run.sh [--update] PLUMB_BINARY [CASE...]
#
# A case (cases/SUBJECT/NAME.txt) is a transcript:
#   # a comment
#   $ plumb monitor queue.jsonl      run by bash, in a folder with the files of inputs/{harnesses,histories,litmus,models,programs}, the other folders
#                                    of inputs, stories, examples/weak and progress, models and jepsen
#   1| queue.jsonl: holds            what it printed on stdout
#   2| ...                           and on stderr
#   = 0                              its exit code
# A case with the line `# needs: runtime` is skipped where libplumb-rt.so was not built (sanitizers).
# Comments, empty lines and commands are kept; the rest is produced again and compared. --update stores it.
set -u
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/support/skips.sh
source "$here/.."/support/skips.sh
update=
if [ "${1:-}" = --update ]; then
    update=1
    shift
fi
if [ $# -lt 1 ] || [ ! -x "$1" ]; then
    echo "usage: run.sh [--update] PLUMB_BINARY [CASE...]" >&2
    exit 2
fi
binary=$(realpath "$1")
shift
scratch=$(mktemp -d)
trap 'chmod -R u+w "$scratch"; rm -rf "$scratch"' EXIT
mkdir "$scratch/bin"
ln -s "$binary" "$scratch/bin/plumb"

# Compilers, flags and libraries are named in the scope of every verdict, and what the hooks of gcc do not show in its line: only the case
# `scope` has them.
without_scope() { # SED-COMMAND FILE
    local rows='judged as|memory model|explored|bounds|assumed|not tried|not examined|compiled'
    if [ "$name" = scope ]; then
        sed "$1" "$2"
    else
        sed -E -e "/^  ($rows): /d" -e 's/; not examined with gcc: [a-z, -]+//g' -e 's/,"scope":\{[^}]*\}//g' -e "$1" "$2"
    fi
}

transcribe() { # CASE-FILE
    local line folder
    rm -rf "$scratch/case"
    cp -r "$here/inputs" "$scratch/case"
    for folder in harnesses histories litmus models programs; do
        mv "$scratch/case/$folder"/* "$scratch/case"
        rmdir "$scratch/case/$folder"
    done
    cp -r "$here/stories" "$scratch/case/stories"
    cp -r "$here/../../examples/weak" "$scratch/case/weak"
    cp -r "$here/../../examples/progress" "$scratch/case/progress"
    cp -r "$here/../../models" "$scratch/case/models"
    cp -r "$here/../data/jepsen" "$scratch/case/jepsen"
    while IFS= read -r line || [ -n "$line" ]; do
        case $line in
        '' | '#'*) printf '%s\n' "$line" ;;
        '$ '*)
            printf '%s\n' "$line"
            (cd "$scratch/case" && env -i HOME="$scratch" PATH="$scratch/bin:/usr/bin:/bin" LC_ALL=C.UTF-8 \
                ASAN_OPTIONS="${ASAN_OPTIONS:-}" UBSAN_OPTIONS="${UBSAN_OPTIONS:-}" \
                timeout 60 bash -c "${line#\$ }" </dev/null >"$scratch/stdout" 2>"$scratch/stderr")
            local code=$?
            without_scope 's/^/1| /' "$scratch/stdout"
            without_scope 's/^/2| /' "$scratch/stderr"
            printf '= %d\n' "$code"
            ;;
        esac
    done <"$1"
}

# Users look codes and words of errors up: docs/errors.md has those of the source, and no others.
codes_of_source() {
    sed -nE 's/^ *PL_[A-Z_]+ = ([0-9]+),.*/\1/p' "$root/src/base/diagnostic.h" | xargs printf 'PL%04d\n'
    sed -nE '/define WORKER_ERRORS/,/[^\\]$/s/.*X\([A-Z_]+, "([a-z-]+)".*/\1/p' "$root/src/engine/shared/protocol.h" | grep -vx none
    echo hang # of real threads alone
}

codes_of_page() {
    grep -oE '^\| PL[0-9]{4}' "$root/docs/errors.md" | cut -c 3-
    sed -n '/^## The errors of PL0202/,/^## Errors in/p' "$root/docs/errors.md" | grep '^| `' | cut -d '|' -f 2 | grep -oE '[a-z-]+'
}

check_codes() {
    local root=$here/../.. different
    different=$(diff <(codes_of_source | sort) <(codes_of_page | sort)) && return 0
    printf 'FAILED docs/errors.md (source <, page >)\n%s\n' "$different"
    return 1
}

failed=0 count=0
check_codes || failed=1
for case in "$here"/cases/*/*.txt; do
    name=$(basename "$case" .txt)
    if [ $# -gt 0 ] && [[ " $* " != *" $name "* ]]; then
        continue
    fi
    if grep -q '^# needs: runtime$' "$case" && [ ! -e "$(dirname "$binary")/../lib/libplumb-rt.so" ]; then
        skip "needs the runtime library, which is not built here"
        continue
    fi
    count=$((count + 1))
    transcribe "$case" >"$scratch/transcript"
    if cmp -s "$case" "$scratch/transcript"; then
        continue
    elif [ -n "$update" ]; then
        cp "$scratch/transcript" "$case"
        echo "updated $name"
    else
        echo "FAILED $name (expected -, got +)"
        diff -u --label "$name" --label "$name" "$case" "$scratch/transcript"
        failed=$((failed + 1))
    fi
done
summary "transcripts" $count $failed
[ "$count" -gt 0 ] && [ "$failed" -eq 0 ]
