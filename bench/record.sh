#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What plumb/record.h costs: bench/record.sh [OPERATIONS]. Nanoseconds added to an operation, bytes of it in the file, memory of
# the program, and operations a second through a pipe into the monitor.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
plumb=$root/build/bin/plumb
operations=${1:-2000000}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
"${CC:-cc}" -O2 -I"$root/include" "$root/bench/native/record_costs.c" "$root/build/lib/libplumb-record.a" -pthread -o costs
"${CC:-cc}" -O2 -I"$root/include" "$root/examples/record/two_lock_queue.c" "$root/build/lib/libplumb-record.a" -pthread -o queue
for threads in 1 2 4; do
    for loop in empty increment; do
        ./costs none $threads "$operations" $loop
        ./costs none $threads "$operations" $loop-recorded 2>&1 | sed 's/-recorded/-off     /'
        ./costs /dev/null $threads "$operations" $loop-recorded
    done
done
./costs run.bin 2 "$operations" increment-recorded
echo "file: $(($(stat -c %s run.bin) * 10 / (2 * operations))) bytes for 10 operations"
/usr/bin/time -f "program: %M KiB at most" ./costs /dev/null 2 "$operations" increment-recorded
echo "into the monitor, through a pipe:"
./costs - 2 $((operations / 2)) increment-recorded | /usr/bin/time -f "monitor: %e s, %U s of processor time, %M KiB" "$plumb" monitor --spec counter -
./queue - $((operations / 4)) | /usr/bin/time -f "monitor: %e s, %U s of processor time, %M KiB" "$plumb" monitor --spec queue -
