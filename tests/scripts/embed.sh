#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: embed.sh PLUMB ROOT CC CXX
# The library answers what the command does, however it is given a history; both libraries link, with C and C++, and export public names only.
set -euo pipefail

plumb=$(readlink -f -- "$1") root=$(cd "$2" && pwd) cc=$3 cxx=$4
library=$(dirname "$plumb")/../lib
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

"$cc" -Wall -Wextra -Werror -I"$root/include" "$root/tests/support/embed_program.c" "$library/libplumb-monitor.a" -lzstd -lm -o static
"$cxx" -x c++ -std=c++20 -w -fpermissive -I"$root/include" "$root/examples/embed/watch_queue.c" -x none -L"$library" \
    -lplumb-monitor -Wl,-rpath,"$library" -o shared
[ -z "$(nm -g --defined-only "$library/libplumb-monitor.a" | awk 'NF == 3 && $3 !~ /^plumb_/')" ]
# The shared one with versions, so that names can be added and changed.
[ -z "$(nm -D --defined-only "$library/libplumb-monitor.so" | awk '$3 !~ /^(plumb_[a-z0-9_]*@@)?PLUMBLINE_0(@@PLUMBLINE_0)?$/')" ]

./shared >answer
grep -q '^violated after 1[0-9][0-9] events$' answer
grep -q 'is impossible' answer

for spec in queue stack set register counter; do
    for k in 1 2 3 4 5 6 7 8; do
        broken=()
        [ $((k % 2)) = 0 ] || broken=(--broken)
        "$plumb" generate $spec --ops $((k * k * 6)) --threads 3 --seed $k "${broken[@]}" >$spec$k.jsonl
        echo "$spec$k.jsonl" >>$spec.list
    done
    mapfile -t files <$spec.list
    "$plumb" monitor -q --spec $spec "${files[@]}" 2>/dev/null | sed -E 's/^([^:]*): ([a-z]+).*/\1 \2 \2 \2/' >expected || true
    ./static $spec "${files[@]}" >found
    diff expected found
    ./static - "${files[@]}" | diff expected -
done

# What is wrong is an error in every way.
printf '{"thread":1,"op":"foo","call":1,"return":2}\n' >bad.jsonl
[ "$(./static queue bad.jsonl)" = "bad.jsonl error error error" ]
