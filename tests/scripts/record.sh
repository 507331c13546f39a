#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: record.sh PLUMB ROOT CC CXX
# Programs that record themselves (docs/recording.md): a file, a pipe, a named pipe, a file that grows, a program that is killed. Wrong twins are
# violated, and correct objects with weak memory orders are not.
set -euo pipefail

plumb=$(readlink -f -- "$1") root=$(cd "$2" && pwd) cc=$3 cxx=$4
library=$(dirname "$plumb")/../lib/libplumb-record.a
work=$(mktemp -d)
started=
trap '[ -z "$started" ] || kill -9 $started 2>/dev/null || true; rm -rf "$work"' EXIT
cd "$work"

build() { # OUTPUT COMPILER SOURCE OPTIONS...
    local output=$1 compiler=$2 source=$3
    shift 3
    "$compiler" "$@" -O2 -Wall -Wextra -Werror -I"$root/include" "$root/$source" "$library" -pthread -o "$output"
}

fail() {
    echo "record: $*"
    exit 1
}

expect() { # EXIT-CODE TEXT COMMAND...
    local code=$1 text=$2 found=0
    shift 2
    timeout 60 "$@" >out 2>err || found=$?
    [ $found = "$code" ] || fail "exit code $found, not $code: $* $(cat out err)"
    grep -q "$text" out || fail "no '$text': $* $(cat out err)"
}

build queue "$cc" examples/record/two_lock_queue.c -std=gnu11 &
build queue_broken "$cc" examples/record/two_lock_queue.c -std=gnu11 -DBROKEN &
build map "$cxx" examples/record/striped_map.cpp -std=c++11 &
build map_broken "$cxx" examples/record/striped_map.cpp -std=c++11 -DBROKEN &
build correct "$cc" tests/support/record_correct.c -std=c11 -pedantic &
build last_thread "$cc" tests/support/record_last_thread.c -std=gnu11 &
wait
[ -z "$(nm -g --defined-only "$library" | awk 'NF == 3 && $3 !~ /^plumb_/')" ] || fail "the library exports other names"

# A file.
./queue queue.bin 30000 >/dev/null
expect 0 '^queue.bin: holds$' "$plumb" monitor queue.bin
./queue_broken broken.bin 30000 >/dev/null
expect 1 '^broken.bin: violated$' "$plumb" monitor broken.bin
PLUMB_RECORD=map.bin ./map
expect 0 '^map.bin: holds$' "$plumb" monitor map.bin
./map >/dev/null # records nothing
timeout -k 1 20 ./last_thread last.bin || fail "a program whose first thread ends does not end"
expect 0 '^last.bin: holds$' "$plumb" monitor --spec counter last.bin

# A pipe: what the program prints does not get into it.
expect 0 '^<stdin>: holds$' bash -c "./queue - 30000 | '$plumb' monitor --spec queue -"
grep -q 'operations a second' err || fail "standard output is lost"
expect 0 '^<stdin>: holds$' bash -c "./map - 20000 | '$plumb' monitor -"
expect 1 '^<stdin>: violated$' bash -c "./map_broken - 20000 | '$plumb' monitor --spec map -"

# A named pipe, and a file that grows.
mkfifo fifo
./queue fifo 20000 >/dev/null &
started=$!
expect 0 '^fifo: holds$' "$plumb" monitor fifo
wait $started
: >grows.bin
./queue_broken grows.bin 300000 >/dev/null &
started=$!
expect 1 '^grows.bin: violated$' "$plumb" monitor --follow --spec queue grows.bin
kill -9 $started 2>/dev/null || true
wait $started 2>/dev/null || true

# Killed: what it leaves is a beginning.
kill_after() { # PROGRAM FILE
    : >"$2"
    "./$1" "$2" 3000000 >/dev/null &
    started=$!
    while [ "$(stat -c %s "$2")" -lt 100000 ]; do sleep 0.02; done
    kill -9 $started
    wait $started 2>/dev/null || true
    started=
}
kill_after queue killed.bin
expect 3 '^killed.bin: inconclusive (the file is cut after .* events, .*; up to there it holds)$' "$plumb" monitor killed.bin
expect 3 '^<stdin>: inconclusive (the file is cut after .* events, .*; up to there it holds)$' bash -c "cat killed.bin | '$plumb' monitor --spec queue -"
kill_after queue_broken killed.bin
expect 1 '^killed.bin: violated$' "$plumb" monitor killed.bin

# No false alarm, over a million operations.
for object in register flag seqlock; do
    expect 0 '^<stdin>: holds$' bash -c "./correct $object - 340000 | '$plumb' monitor --spec register -"
done
echo "recordings: a file, pipes, a file that grows, programs that are killed, a million operations without a false alarm"
