#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: check_objects.sh
# Objects of a build without preset know neither the folder of the sources nor that of the build, and the second time they are the same: the same sources
# give the same bytes everywhere (`./dev bench release` compares whole packages). Some files are compiled, by the commands of such a build.
set -euo pipefail

source=$(cd "$(dirname "$0")/../../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
build=$work/build
cmake -S "$source" -B "$build" -G Ninja -DBUILD_TESTING=OFF -DPLUMB_MPI=OFF >"$work/log" 2>&1 || { cat "$work/log" && exit 1; }
export CCACHE_DISABLE=1 # which may answer with what was compiled elsewhere
failures=0 count=0

# The command that compiles a file, without its output.
command_of() { # FILE
    python3 - "$build/compile_commands.json" "$source/$1" <<'END'
import json, shlex, sys
entry = next(e for e in json.load(open(sys.argv[1])) if e["file"] == sys.argv[2])
words = shlex.split(entry["command"])
at = words.index("-o")
print("\n".join(words[:at] + words[at + 2:]))
END
}

look_at() { # FILE
    local words folder object=$work/$count
    readarray -t words < <(command_of "$1")
    (cd "$build" && "${words[@]}" -o "$object.o" && TZ=Asia/Tokyo "${words[@]}" -o "$object.again.o")
    count=$((count + 1))
    cmp "$object.o" "$object.again.o" || failures=1
    for folder in "$source" "$build"; do
        ! grep -qaF "$folder" "$object.o" || { echo "$1: its object has the name of $folder" && failures=1; }
    done
}

look_at src/base/text.c
look_at src/report/page.S
look_at src/rt/access/assume.c
# Nothing has the time of its compilation in it.
! grep -rnE '__(DATE|TIME|TIMESTAMP)__' "$source/src" "$source/include" || failures=1
echo "$count objects, $failures failed"
exit $failures
